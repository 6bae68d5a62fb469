"""Games that were saved by earlier versions can be gone on with.

`saves_0.1` holds whole games as 0.1 wrote them; they are never written again. If a change of rules makes one of them
lead elsewhere, the change belongs into a ruling, whose `before` says how it was played until then.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadSetup
from ostbahn.titles.catalogue import CATALOGUE, begin, new_game, rulebook
from tests.interop.reference import OLD

FILES = sorted(OLD.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_of_0_1_is_replayed_to_the_state_in_which_it_was_saved(path: Path) -> None:
    game = saves.read(path)
    assert game.over
    assert game.state.digest == saves.parse(path.read_bytes())["digest"]


def test_there_is_one_of_every_variant() -> None:
    setups = [saves.parse(path.read_bytes())["setup"] for path in FILES]
    assert {(setup["title"], setup["variant"]) for setup in setups} == {(row.title, row.variant) for row in CATALOGUE}


def test_a_ruling_that_an_old_save_does_not_name_is_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    rulings = rulebook("18CZ").title.rulings
    setup = new_game("18CZ", ["Anna", "Ben", "Cyril"]).setup
    old = msgspec.structs.replace(setup, rulings={**setup.rulings})
    del old.rulings["consent"]  # type: ignore[attr-defined]
    with pytest.raises(BadSetup, match="says nothing about the rulings consent"):
        begin(old)
    known = msgspec.structs.replace(rulings["consent"], before="taken for granted")
    monkeypatch.setitem(rulings, "consent", known)
    assert begin(old).setup.rulings == {**setup.rulings, "consent": "taken for granted"}
    assert begin(setup).setup == setup
    assert new_game("18CZ", ["Anna", "Ben", "Cyril"]).setup.rulings["consent"] == rulings["consent"].default
