"""Trains that can be bought, and the phases that they begin."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.server.views.common import by_title
from ostbahn.server.views.cz_trains import cz_trains
from ostbahn.server.views.mag_trains import mag_trains
from ostbahn.server.views.models import TrainsView


def trains_view(game: Game) -> TrainsView:
    return by_title(game, cz_trains, mag_trains)
