"""Everybody at the table, in playing order."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.server.views.common import by_title
from ostbahn.server.views.cz_players import cz_players
from ostbahn.server.views.mag_players import mag_players
from ostbahn.server.views.models import PlayerView


def player_views(game: Game) -> tuple[PlayerView, ...]:
    """In playing order; Vaclav, who has no place in it, comes last."""
    decider = game.question.decider if game.question is not None else None
    return by_title(game, lambda table: cz_players(table, decider), lambda table: mag_players(table, decider))
