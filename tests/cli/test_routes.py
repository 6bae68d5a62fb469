"""`ostbahn routes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from tests.interop.reference import MISSING, games

GAMES = [path for path in games() if path.stem == "29247"]
pytestmark = pytest.mark.skipif(not GAMES, reason=MISSING)


def routes(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["routes", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def file() -> Path:
    return GAMES[0]


def test_the_company_in_turn_is_told_with_its_stops(file: Path) -> None:
    told = routes(file, "--at", 58)
    assert told.startswith("BCB earns 70 K (proven, ")
    assert "D16.0 Hradec Králové 20" in told


def test_for_programs(file: Path) -> None:
    row = json.loads(routes(file, "Pr", "--at", 745, "--json"))
    assert row["proven"] is True
    assert row["revenue"] == row["bound"] == sum(route["revenue"] for route in row["routes"])
    assert row["subsidy"] == 0
    assert row["ms"] > 0
    assert [route["train"] for route in row["routes"]] == ["8E"]
    assert len(row["routes"][0]["stops"]) == 8


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--at", "9999"], "the file has no action 9999 that took effect; the last is 793"),
        (["XY"], "there is no company XY"),
        (["EKJ"], "EKJ is not a company that operates here"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(file: Path, arguments: list[str], complaint: str) -> None:
    result = CliRunner().invoke(app, ["routes", str(file), *arguments])
    assert result.exit_code == 2
    assert complaint in result.stderr
