"""Lists of games: one's own, and those in the lobby."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.server.games.my_games import MyGame
from ostbahn.server.games.repository import setup_in
from ostbahn.table.room import names_by_seat
from ostbahn.views.catalogue import name_of

SPANS: Final = (
    (timedelta(days=365), "year"),
    (timedelta(days=30), "month"),
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)

NO_SETUP: Final = Setup(title="", variant="", players=())
"""Of a game that is damaged."""


class GameView(Struct, frozen=True, kw_only=True):
    key: str
    hash: str
    name: str
    what: str
    """Title and variant."""
    players: tuple[str, ...]
    role: str
    round: str
    turn: str | None
    """Who is asked; nobody when the game is over."""
    mine: bool
    number: int
    ago: str
    touched: datetime
    damage: str
    """What is wrong with it; empty if nothing is."""


def game_views(games: Iterable[MyGame], now: datetime, damaged: Mapping[str, str]) -> list[GameView]:
    return [_game_view(game, now, damaged.get(game.game, "")) for game in games]


def _game_view(game: MyGame, now: datetime, damage: str) -> GameView:
    setup = setup_in(game.setup) or NO_SETUP
    names = names_by_seat(setup)
    return GameView(
        key=game.key,
        hash=game.hash,
        name=game.name,
        what=name_of(setup.title, setup.variant, setup.modules) if setup.title else "",
        players=setup.players,
        role=game.role,
        round=game.round,
        turn=None if game.turn is None else names.get(game.turn, game.turn),
        mine=game.mine,
        number=game.number,
        ago=ago(now - game.touched),
        touched=game.touched,
        damage=damage,
    )


def ago(span: timedelta) -> str:
    """How long something is past, in the largest unit."""
    for unit, word in SPANS:
        if span >= unit:
            number = span // unit
            return f"{number} {word}{'s' if number > 1 else ''} ago"
    return "just now"


def way_name(title: str, variant: str, modules: Sequence[str] = ()) -> str:
    """What people call a way to play; games stay when their title is no longer installed."""
    try:
        return name_of(title, variant, modules)
    except BadSetup:
        return f"{title} ({variant})"
