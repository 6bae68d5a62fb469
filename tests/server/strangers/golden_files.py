"""Golden games as files that are all right: what is sent is made from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from tests.golden.games import FOLDER

Json = Any
SHORT: Final = (0, 1, 4, 12, 25, 120)
"""So many answers of a golden game."""


@cache
def golden_actions(title: str) -> list[Json]:
    """One of each kind, and some more."""
    found: dict[str, Json] = {}
    for game in _documents(f"{title}-*.json"):
        for action in game["actions"]:
            found.setdefault(action.get("do", ""), {name: value for name, value in action.items() if name != "by"})
    return [action for do, action in found.items() if do]


@cache
def golden_saves() -> list[Json]:
    return [golden_save(path.stem, most) for path in sorted(FOLDER.glob("*.digests")) for most in SHORT]


def golden_save(name: str, most: int) -> Json:
    """A golden game as far as so many answers, as if it had been saved then."""
    game, digests = json.loads((FOLDER / f"{name}.json").read_bytes()), (FOLDER / f"{name}.digests").read_text().split()
    return game | {"actions": game["actions"][:most], "digest": digests[min(most, len(digests) - 1)]}


@cache
def exports() -> list[Json]:
    games = _documents("*.18xx.json")
    return [game | {"actions": game["actions"][:most]} for game in games for most in SHORT]


def _documents(pattern: str) -> Iterator[Json]:
    for path in sorted(FOLDER.glob(pattern)):
        yield json.loads(path.read_bytes())
