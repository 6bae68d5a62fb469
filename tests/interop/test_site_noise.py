"""What people leave in their games beside moves: chat, moves taken back and given again, programmed passes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ostbahn.interop.importer import effective_entries
from ostbahn.interop.site_adapter import import_game
from tests.interop.reference import document, games, imported
from tests.lengths import length, longer_in_soak

pytestmark = pytest.mark.slow

GAMES = games("18CZ") + games("18Mag")
NOISES, CUTS = length(1, 2), length(3, 12)


def noisy(said: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The same game with chat, programmed moves, and moves that were taken back."""
    entries: list[dict[str, Any]] = []

    def add(entry: dict[str, Any]) -> None:
        entries.append({**entry, "id": len(entries) + 1})

    player = {"entity": said["players"][0].get("id", said["players"][0]["name"]), "entity_type": "player"}
    for entry in effective_entries(said["actions"]):
        match chance.randrange(25):
            case 0:
                add({"type": "message", "message": "your turn", **player})
            case 1:
                add({"type": "program_share_pass", **player})
            case 2:
                add(entry)
                add({"type": "message", "message": "oops", **player})
                add({"type": "undo", **player})
            case 3:
                before = len(entries)
                add(entry)
                add({"type": "undo", "action_id": before, **player})
                add({"type": "redo", **player})
                continue
            case 4:
                add({**entry, "skip": True})
        add(entry)
    return {**said, "actions": entries}


@longer_in_soak
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_noise_changes_nothing(path: Any) -> None:
    said = document(path)
    plain = imported(path).game
    for seed in range(NOISES):
        with_noise = import_game(noisy(said, Random(seed))).game
        assert with_noise.state.digest == plain.state.digest
        assert list(with_noise.actions()) == list(plain.actions())


@longer_in_soak
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_may_break_off_anywhere(path: Any) -> None:
    """An unfinished game is one whose file simply ends; what was played until then is the same."""
    said = document(path)
    states = imported(path)
    by_mark = {mark.id: states.game.position(mark.actions).state for mark in states.marks}
    chance = Random(1)
    for _ in range(CUTS):
        cut = chance.randrange(1, len(said["actions"]))
        part = import_game({**said, "status": "active", "actions": said["actions"][:cut]})
        ours, whole = part.game.state, by_mark[part.marks[-1].id]
        assert (ours.cash, ours.certificates, ours.board, ours.trains) == (
            whole.cash,
            whole.certificates,
            whole.board,
            whole.trains,
        )
