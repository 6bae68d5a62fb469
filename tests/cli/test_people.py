"""`ostbahn people`: accounts, for whoever runs the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.server.accounts.people import AccountService
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.table.access import NotYours


@pytest.fixture
def people(tmp_path: Path) -> AccountService:
    opened = AccountService(Database(sqlite_url_in(tmp_path)))
    for name in ("Žofie", "anna"):
        opened.register(None, name, "eisenbahn")
    return opened


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["people", *words, "--data", str(folder)])
    assert done.exit_code == 0, done.output
    return done.output


def test_everybody_with_an_account_is_listed(people: AccountService, tmp_path: Path) -> None:
    assert run(tmp_path, "list").splitlines() == ["anna (0 games)", "Žofie (0 games)"]


def test_a_code_is_made_while_the_server_runs_and_brings_a_new_password(people: AccountService, tmp_path: Path) -> None:
    told = run(tmp_path, "reset", "ANNA")
    found = re.search(r"Recovery code for anna: ([A-Z0-9-]{23})\n", told)
    assert found, told
    people.recover(None, "Anna", found[1], "dampflok")
    people.log_in(None, "Anna", "dampflok")
    with pytest.raises(NotYours):
        people.log_in(None, "Anna", "eisenbahn")


@pytest.mark.parametrize(
    ("words", "told"), [(["reset", "Nobody"], "nobody here has an account by the name of Nobody"), (["reset"], "NAME")]
)
def test_whom_nobody_knows_gets_none(people: AccountService, tmp_path: Path, words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["people", *words, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert told in done.output


def test_nothing_is_made_where_there_are_no_games(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["people", "list", "--data", str(tmp_path / "elsewhere")])
    assert done.exit_code == 2
    assert "there is no ostbahn.sqlite" in done.output
    assert not (tmp_path / "elsewhere").exists()
