"""Games in which something is tried out."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.chance import with_lots
from ostbahn.kernel.game import Game

LOTS: Final = 18
"""Where chance goes on in a trial."""


def trial(game: Game, lots: int = LOTS) -> Game:
    """A game as it stands, that draws lots of its own: nobody can know what the game itself will draw."""
    return Game.resume(game.rulebook, game.setup, with_lots(game.state, lots))
