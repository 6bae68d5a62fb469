"""Games of 18Mag with modules, for tests."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.modules.supporters_table import SupportersState
from tests.titles.mag.scenes import NAMES, scene, state_of

MODULES: Final = ("standard_divs", "new_minors_challenge", "new_minors_simple", "new_major", "supporters")
COMBINATIONS: Final = [
    some
    for number in range(len(MODULES) + 1)
    for some in combinations(MODULES, number)
    if not {"new_minors_challenge", "new_minors_simple"} <= set(some)
]
"""All that can be played."""
SUPPORTERS: Final = ("KK", "FJ", "SMFvR", "GSvS", "DDSG", "MA")


def with_modules(*modules: str, players: int = 3, seed: int = 1) -> Game:
    """A game before its first answer."""
    return new_game("18Mag", NAMES[:players], seed=seed, draw_order=False, modules=modules)


def helped(*supporters: str, modules: tuple[str, ...] = (), player: str = "p1", **fields: Any) -> Game:
    """A scene in which somebody has supporters; nobody has the others."""
    owners = {supporter: player if supporter in supporters else "bank" for supporter in SUPPORTERS}
    return scene(modules=(*modules, "supporters"), **{"supporters": owners, **fields})


def helpers(game: Game) -> SupportersState:
    state = state_of(game)
    assert isinstance(state, SupportersState)
    return state
