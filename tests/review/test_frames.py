"""Data frames hold what the accounts hold, in files as well."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import polars as pl
import pytest

from ostbahn.interop import files
from ostbahn.kernel.errors import BadSetup
from ostbahn.review.accounts import Accounts, accounts_of
from ostbahn.review.reports.frames import FORMS, SCHEMAS, encoded, frames_of, to_dataframe, write_frames

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module", params=["18CZ-moravia-3", "18Mag-solo-1-easy-short", "18Mag-base-3"])
def accounts(request: pytest.FixtureRequest) -> Accounts:
    return accounts_of(files.open_game(GOLDEN / f"{request.param}.json"))


def test_payments_lead_from_what_there_was_to_what_there_is(accounts: Accounts) -> None:
    frame = accounts.to_dataframe()
    assert frame.height == len(accounts.payments)
    for player in accounts.rounds[-1].players:
        received = frame.filter(pl.col("target") == player.seat)["amount"].to_list()
        spent = frame.filter(pl.col("source") == player.seat)["amount"].to_list()
        assert accounts.opening[player.seat] + sum(received) - sum(spent) == player.cash


def test_parts_of_wealth_make_the_worth(accounts: Accounts) -> None:
    frames = frames_of(accounts)
    parts = frames["wealth"].group_by("round", "seat").agg(pl.col("amount").sum())
    both = frames["players"].join(parts, on=["round", "seat"])
    assert both.height == frames["players"].height == len(accounts.rounds) * len(accounts.names)
    assert both.filter(pl.col("worth") != pl.col("amount")).is_empty()


def test_companies_are_directed_by_whoever_directs_them(accounts: Accounts) -> None:
    frames = frames_of(accounts)
    directed = frames["holdings"].filter("directs").select("round", "company", "seat")
    told = (
        frames["companies"]
        .filter(pl.col("director").is_in(list(accounts.names)))
        .select("round", "company", "director")
    )
    assert sorted(directed.rows()) == sorted(told.rows())


@pytest.mark.parametrize("name", SCHEMAS)
def test_files_hold_the_same_and_are_the_same_again(accounts: Accounts, name: str) -> None:
    frame = to_dataframe(accounts, name)
    assert not frame.is_empty()
    assert pl.read_parquet(BytesIO(encoded(frame, "parquet"))).equals(frame)
    text = pl.read_csv(BytesIO(encoded(frame, "csv")), schema=frame.schema)
    assert text.equals(frame)
    for form in FORMS:
        assert encoded(frame, form) == encoded(to_dataframe(accounts, name), form)


def test_all_of_them_are_written_into_a_folder(accounts: Accounts, tmp_path: Path) -> None:
    for form in FORMS:
        written = write_frames(accounts, tmp_path / "new", form)
        assert [path.name for path in written] == [f"{name}.{form}" for name in SCHEMAS]
    assert len(list((tmp_path / "new").iterdir())) == 2 * len(SCHEMAS)


def test_a_table_that_there_is_not_is_refused(accounts: Accounts) -> None:
    with pytest.raises(BadSetup, match="there is no table dividends; there are payments"):
        to_dataframe(accounts, "dividends")
