"""The accounts of a game as data frames of polars, and as CSV or Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import structs

from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.review.accounts import Accounts, PlayerAccount
from ostbahn.storage import atomic_write

with require_extra("analysis", "data frames need"):
    import polars as pl

Form = Literal["csv", "parquet"]
FORMS: Final[tuple[Form, ...]] = ("csv", "parquet")
SCHEMAS: Final = {
    "payments": "number round source target amount purpose why service",
    "players": "round last phase seat name cash worth income certificates",
    "wealth": "round seat part amount",
    "holdings": "round seat company percent directs",
    "companies": "round last phase company state director price treasury trains revenue paid",
    "trains": "number round face source company",
    "phases": "number round phase",
}
"""Columns of all frames; rounds appear by code, players by seat."""
NUMBERS: Final = "number last amount cash worth income certificates percent price treasury revenue paid"


def to_dataframe(accounts: Accounts, name: str = "payments") -> pl.DataFrame:
    """One of the frames in `SCHEMAS`; its `to_pandas()` converts it to pandas."""
    if name not in SCHEMAS:
        raise BadSetup(f"there is no table {name}; there are {', '.join(SCHEMAS)}")
    schema = {column: _type_of(column) for column in SCHEMAS[name].split()}
    rows = [[row[column] for column in schema] for row in _rows(accounts, name)]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _type_of(column: str) -> pl.DataType:
    if column in NUMBERS.split():
        return pl.Int64()
    return pl.Boolean() if column == "directs" else pl.String()


def frames_of(accounts: Accounts) -> dict[str, pl.DataFrame]:
    return {name: to_dataframe(accounts, name) for name in SCHEMAS}


def encoded(frame: pl.DataFrame, file_format: Form) -> bytes:
    """Encode a frame as a file. Equal frames give identical bytes."""
    if file_format == "csv":
        return frame.write_csv().encode()
    buffer = BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def write_frames(accounts: Accounts, folder: Path, file_format: Form) -> list[Path]:
    """Write each frame to a file in a folder, atomically, and return the paths."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadFile(f"{folder} cannot be made: {fault.strerror}") from None
    written = []
    for name, frame in frames_of(accounts).items():
        written.append(folder / f"{name}.{file_format}")
        with atomic_write(written[-1]) as file:
            file.write(encoded(frame, file_format))
    return written


def _rows(accounts: Accounts, name: str) -> Iterator[Mapping[str, Any]]:
    if name in ("payments", "trains", "phases"):
        yield from map(structs.asdict, getattr(accounts, name))
        return
    for round_ in accounts.rounds:
        moment = {"round": round_.name, "last": round_.last, "phase": round_.phase}
        if name == "companies":
            for company in round_.companies:
                yield {**moment, **structs.asdict(company), "trains": " ".join(company.trains)}
            continue
        for player in round_.players:
            common = {**moment, **structs.asdict(player), "name": accounts.names[player.seat]}
            yield from ({**common, **row} for row in _player_rows(player, name))


def _player_rows(player: PlayerAccount, name: str) -> list[dict[str, Any]]:
    """Rows of a player in one frame; holdings include owned companies without shares, with no percentage."""
    if name == "wealth":
        return [{"part": part, "amount": amount} for part, amount in player.parts.items()]
    if name == "holdings":
        return [
            {"company": company, "percent": player.holdings.get(company), "directs": company in player.directs}
            for company in dict.fromkeys([*player.holdings, *player.directs])
        ]
    return [{}]
