"""`ostbahn coach`: the same for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from ostbahn.cli.main import app

GAME = Path(__file__).parents[1] / "golden" / "18CZ-bohemia-2.json"


def test_what_the_coach_found_is_told_in_two_parts() -> None:
    result = CliRunner().invoke(app, ["coach", str(GAME)])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Proven"
    assert lines[1].startswith("  move 151, OR 5.1, Anna for ATE: 10 K.")
    assert lines.index("Estimated") > lines.index("  together 10 K")


def test_programs_are_told_the_same_with_exercises() -> None:
    document = json.loads(CliRunner().invoke(app, ["coach", str(GAME), "--json"]).stdout)
    assert [each["number"] for each in document["proven"]] == [151]
    assert document["proven"][0]["instead"]["do"] == "lay_tile"
    assert document["estimated"] == []
    assert document["exercises"][0]["answer"].endswith("waives the cost")
