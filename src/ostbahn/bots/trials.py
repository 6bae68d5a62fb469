"""Games in which something is tried out."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from ostbahn.kernel.game import Game

LOTS: Final = 18
"""Where chance goes on in a trial."""


def trial(game: Game) -> Game:
    """A game as it stands, that draws lots of its own: nobody can know what the game itself will draw."""
    state = game.state
    own_lots = structs.replace(state, chance=LOTS) if hasattr(state, "chance") else state  # some never draw any
    return Game.resume(game.rulebook, game.setup, own_lots)
