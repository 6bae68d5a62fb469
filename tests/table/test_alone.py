"""One table needs neither a server nor a thread: with msgspec, Jinja2 and MarkupSafe alone it plays whole games."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from ostbahn.kits.catalogue import kits

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
GOLDEN = sorted(file for file in (HERE.parent / "golden").glob("*.json") if ".18xx" not in file.name)
LIBRARIES = ("msgspec", "jinja2", "markupsafe")
WAYS = [
    (kit.name, entry.variant, entry.players[0] if entry.players[0] < 3 else 3)
    for kit in kits().values()
    for entry in kit.entries
]
STEP = 97
REPRESENTATIVES = (
    "18CZ-base-3",
    "18CZ-bohemia-2",
    "18Mag-base-3-new_minors_simple-new_major-supporters",
    "18Mag-solo-1-easy-short",
)
"""`dev.py soak` shows every state of every golden game."""


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the three libraries and nothing else."""
    folder = tmp_path_factory.mktemp("libraries")
    for name in LIBRARIES:
        place = Path(str(metadata.distribution(name).locate_file(name)))
        (folder / name).symlink_to(place, target_is_directory=True)
    return folder


def alone(libraries: Path, what: str, **given: object) -> Mapping[str, Any]:
    """Do something in an interpreter that has only these libraries and our source."""
    start = (
        f"import sys; sys.path[:0] = [{str(SOURCE)!r}, {str(libraries)!r}, {str(libraries.resolve())!r}];"
        f"sys.argv = ['alone.py', {what!r}];"
        f"import runpy; runpy.run_path({str(HERE / 'alone.py')!r}, run_name='__main__')"
    )
    command = [sys.executable, "-I", "-S", "-c", start]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answer: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_there_is_nothing_else(libraries: Path) -> None:
    """Else the tests below would show nothing."""
    for name in ("sqlalchemy", "litestar", "numpy", "rich"):
        program = f"import sys; sys.path[:0] = [{str(SOURCE)!r}, {str(libraries)!r}]; import {name}"
        run = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
        assert "ModuleNotFoundError" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("title", "variant", "players"), WAYS)
def test_whole_games_of_all_six_ways(libraries: Path, title: str, variant: str, players: int) -> None:
    told = alone(libraries, "whole_game", title=title, variant=variant, players=players)
    assert told["over"]
    assert told["answers"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", REPRESENTATIVES)
def test_golden_games_with_report_and_coach(libraries: Path, name: str) -> None:
    data = json.loads((HERE.parent / "golden" / f"{name}.json").read_text(encoding="utf-8"))
    told = alone(libraries, "shown", data=data, step=STEP)
    assert told["drawn"] == told["number"] // STEP + 1
    assert min(told["report"], told["rules"]) > 50_000
    assert told["coach"] > 1000


@pytest.mark.soak
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_every_state_of_every_golden_game(libraries: Path, file: Path) -> None:
    told = alone(libraries, "shown", data=json.loads(file.read_text(encoding="utf-8")), step=1)
    assert told["drawn"] == told["number"] + 1
