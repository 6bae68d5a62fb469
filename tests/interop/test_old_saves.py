"""Games that were saved by earlier versions can be gone on with.

`saves_0.1` holds whole games as 0.1 wrote them; they are never written again. If a change of rules makes one of them
lead elsewhere, the change belongs into a ruling; its `before` says how it was played until then, if not by the default.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.interop import saves
from ostbahn.kits.catalogue import CATALOGUE
from tests.interop.reference import OLD

FILES = sorted(OLD.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_of_0_1_is_replayed_to_the_state_in_which_it_was_saved(path: Path) -> None:
    game = saves.read(path)
    assert game.records
    assert game.state.digest == saves.parse(path.read_bytes())["digest"]


def test_there_is_a_whole_game_of_every_variant() -> None:
    whole = [game.setup for game in map(saves.read, FILES) if game.over]
    assert {(setup.title, setup.variant) for setup in whole} == {(row.title, row.variant) for row in CATALOGUE}
