"""Games of 18xx.games to test with: golden ones of our own in its form, and beside the project perhaps reference games,
real and generated ones, with their states."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ostbahn.interop.files import ImportedGame, open_with_marks
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import ClaimBelieved
from ostbahn.titles.mag.actions import RunTrains
from ostbahn.titles.mag.running import own_stops
from ostbahn.titles.mag.state import MagTable, OperateWithCars
from tests.golden.games import GOLDEN

OLD = Path(__file__).resolve().parent / "saves_0.1"
"""Games as 0.1 saved them: they stay as they are, so a test can know them by heart."""
FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference"
MISSING = f"the reference games are not beside the project ({FOLDER.parent.name}/{FOLDER.name})"


def games(title: str = "18CZ") -> list[Path]:
    """All games of a title, the golden one first."""
    golden = [golden.export for golden in GOLDEN if golden.title == title and golden.export is not None]
    return [*golden, *reference_games(title)]


def reference_games(title: str = "18CZ") -> list[Path]:
    """Those with states of the site, those of people first."""
    folders = (FOLDER / title, FOLDER / "generated" / title, FOLDER / "more" / title)
    return [path for folder in folders for path in sorted(folder.glob("*.json"))]


def whole(paths: list[Path]) -> list[Path]:
    """Games that were played to the end."""
    return [
        path
        for path in paths
        if document(path)["status"] == "finished" and document(path).get("game_end_reason") != "manually_ended"
    ]


def document(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@cache
def imported(path: Path) -> ImportedGame:
    """A game, replayed once."""
    return open_with_marks(path)


def claims_one_car_twice(game: Game, number: int) -> bool:
    """Whether a run of 18Mag was paid as claimed where two trains went on one plus car, which the site lets pass."""
    before, record = game.position(number), game.records[number]
    table, task = before.table, before.state.agenda[-1]
    if not any(isinstance(event, ClaimBelieved) for event in record.events):
        return False
    assert isinstance(table, MagTable)
    assert isinstance(task, OperateWithCars)
    assert isinstance(record.action, RunTrains)
    faces = {train.card: train for train in table.trains_of(task.company)}
    visited = [sum("." in place for place in run.path) for run in record.action.runs]
    long = sum(
        stops > own_stops(table, faces[run.card]) for run, stops in zip(record.action.runs, visited, strict=True)
    )
    return "plus" in task.cars and long > 1


def lines(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path.with_suffix(f".{kind}.jsonl.gz"), "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)
