"""`ostbahn routes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from tests.interop.reference import OLD


def routes(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["routes", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def file() -> Path:
    return OLD / "18CZ-base-3.json"


def test_the_company_in_turn_is_told_with_its_stops(file: Path) -> None:
    told = routes(file, "--at", 108)
    assert told.startswith("OFE earns 90 K (proven, ")
    assert "2   [a1] 50 K: C23.0 Opava 20 – C25.0 Ostrava 30" in told


def test_for_programs(file: Path) -> None:
    row = json.loads(routes(file, "Pr", "--at", 550, "--json"))
    assert row["proven"] is True
    assert row["revenue"] == row["bound"] == sum(route["revenue"] for route in row["routes"])
    assert row["subsidy"] == 0
    assert row["ms"] > 0
    assert [route["train"] for route in row["routes"]] == ["4E", "4E"]
    assert row["routes"][0]["stops"] == ["B18.0", "B12.0", "E13.0", "E11.0"]
    assert row["routes"][0]["skipped"] == ["B16.0", "B14.0", "C11.0"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--at", "9999"], "the file has no action 9999 that took effect; the last is 819"),
        (["XY"], "there is no company XY"),
        (["BCB"], "BCB is not a company that operates here"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(file: Path, arguments: list[str], complaint: str) -> None:
    result = CliRunner().invoke(app, ["routes", str(file), *arguments])
    assert result.exit_code == 2
    assert complaint in result.stderr
