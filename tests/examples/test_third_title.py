"""A title that is a package of its own: what docs/examples has is found, played, drawn and served like ours.

Everything happens in an environment of its own, into which Ostbahn and the title are installed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.examples.environment import ROOT, TITLE, Environment

MOST_LINES = 700
INSIDE = Path(__file__).parent / "inside"
"""Tests that are run in the environment, by its own Python."""


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("third") / "venv")


def files_of(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def ostbahn(environment: Environment, *arguments: str) -> str:
    done = environment.run("ostbahn", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


# How much it takes


def test_it_is_small() -> None:
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files_of(TITLE)}
    assert 0 < sum(lines.values()) < MOST_LINES, lines


def test_nothing_of_it_is_in_our_own_source() -> None:
    names = re.compile(r"18wee|ostbahn_wee|\bwee|norwick|westhaven|eastport", re.IGNORECASE)
    suffixes = (".py", ".html", ".js", ".css", ".toml")
    source = [file for file in files_of(ROOT / "src") if file.suffix in suffixes]
    assert [file for file in source if names.search(file.read_text(encoding="utf-8"))] == []


# In its environment


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_in_an_environment_of_its_own(environment: Environment) -> None:
    """All at once: to load everything takes longer than to try it."""
    files = sorted(str(file) for file in INSIDE.glob("check_*.py"))
    done = environment.run("python", "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-rs", *files)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    skipped = re.findall(r"^SKIPPED .*$", done.stdout, re.MULTILINE)
    if skipped:
        pytest.skip("; ".join(skipped))


@pytest.mark.slow
def test_it_is_listed_begun_shown_hinted_and_drawn_by_commands(environment: Environment, tmp_path: Path) -> None:
    assert "18Wee" in ostbahn(environment, "titles")
    game = str(tmp_path / "wee.json")
    ostbahn(environment, "new", game, "--title", "18Wee", "--players", "3", "--seed", "4")
    assert "start NB at 40" in ostbahn(environment, "ask", game)
    shown = ostbahn(environment, "show", game)
    assert "18Wee (base) · Stock round 1 · phase I (yellow tiles)" in shown
    assert "Norwick" in shown
    assert "S would start" in ostbahn(environment, "hint", game)
    ostbahn(environment, "picture", game, "-o", str(tmp_path / "board.svg"))
    assert "Midmere" in (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert "cities on cities, towns on towns" in ostbahn(environment, "rules", "18Wee", "4.2")
    assert json.loads(Path(game).read_text(encoding="utf-8"))["setup"]["title"] == "18Wee"


@pytest.mark.slow
def test_all_its_modules_are_ready_before_the_first_request(environment: Environment) -> None:
    """Two threads that load a type at once end the process, so the server loads all types first."""
    modules = [f"ostbahn_wee.{file.stem}" for file in (TITLE / "ostbahn_wee").glob("[a-z]*.py")]
    programme = "import sys; from ostbahn.server.web.app import preload; preload(); print(*sys.modules)"
    done = environment.run("python", "-c", programme)
    assert done.returncode == 0, done.stderr
    assert modules
    assert set(modules) <= set(done.stdout.split())


@pytest.mark.slow
def test_where_it_is_not_played_elsewhere_commands_say_so(environment: Environment, tmp_path: Path) -> None:
    game = str(tmp_path / "wee.json")
    ostbahn(environment, "new", game, "--title", "18Wee", "--players", "2")
    done = environment.run("ostbahn", "export", game, "--as", "18xx.games")
    assert done.returncode != 0
    assert "18xx.games has no 18Wee" in done.stderr
    assert "Traceback" not in done.stderr
