"""The commands of README.md and docs/cli.md run; test_documented.py tries the Python in the docs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.kits.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def commands(page: str) -> list[str]:
    """The lines of the first block of shell commands."""
    return page.partition("```sh\n")[2].partition("```")[0].splitlines()


@pytest.mark.slow
def test_the_command_lines_run_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = commands(TOUR)
    assert all(line.startswith("ostbahn ") for line in lines)
    assert {"new", "ask", "do", "undo", "show", "replay", "rules", "titles"} <= {line.split()[1] for line in lines}
    for line in lines:
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert (result.exit_code, result.stderr) == (0, ""), line
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {
        *(
            "blank.pdf",
            "board.svg",
            "contests",
            "export.json",
            "game.json",
            "game.plans.json",
            "report.html",
            "states.jsonl",
            "there.json",
            "two.json",
        )
    }


def test_a_newcomer_needs_two_commands_that_exist() -> None:
    first = commands(README)
    assert first == ["python3 dev.py play", "python3 dev.py test"]
    usage = subprocess.run([sys.executable, ROOT / "dev.py", "--help"], capture_output=True, text=True, check=True)
    for line in first:
        assert re.search(rf"^  {line.split()[2]} ", usage.stdout, re.MULTILINE)


def test_the_table_of_titles_is_that_of_the_catalogue() -> None:
    rows = re.findall(r"^ *\| (18\w+) \| `(\w+)` \| (\d)(?:–(\d))? \|", README, re.MULTILINE)
    found = {(title, variant): (int(low), int(high or low)) for title, variant, low, high in rows}
    assert found == {(entry.title, entry.variant): (min(entry.players), max(entry.players)) for entry in CATALOGUE}
