"""Lists of games: one's own, and those in the lobby."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, Literal

from msgspec import Struct

from ostbahn.kernel.game import Setup
from ostbahn.server.games.my_games import MyGame
from ostbahn.server.games.repository import setup_in
from ostbahn.server.lobby.lobby import OpenTable
from ostbahn.table.room import seats_of
from ostbahn.views.setup import name_of

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


class LobbySeat(Struct, frozen=True, kw_only=True):
    """A seat at an open table."""

    name: str
    """The name of whoever plays it; empty if it is free."""
    kind: Literal["person", "bot", "free"]
    """`person`, `bot` or `free`."""
    host: bool
    """Whether the host plays it."""
    asked: bool
    """Whether it is to move."""


class OpenTableView(Struct, frozen=True, kw_only=True):
    """An open table in the lobby."""

    game: str
    name: str
    what: str
    """Title and variant, as people say them."""
    host: str
    """The name of whoever set it up; empty if they only watch."""
    players: tuple[str, ...]
    """The names of the people who sit there."""
    bots: int
    """How many bots sit there."""
    free: int
    """How many seats are free."""
    watchable: bool
    round: str
    """The round that is played; empty before the first."""
    ago: str
    touched: datetime
    seats: tuple[LobbySeat, ...]
    asked: str
    """The name of whoever is to move."""
    opened: str
    """How long ago it was set up, in words."""
    created: datetime


def open_table_views(tables: Iterable[OpenTable], now: datetime) -> list[OpenTableView]:
    return [_open_table(table, now) for table in tables]


def _open_table(table: OpenTable, now: datetime) -> OpenTableView:
    setup = setup_in(table.setup) or NO_SETUP
    names = dict(zip(seats_of(setup), setup.players, strict=True))
    host = " & ".join(names[seat] for seat in table.host if seat in names)
    unnamed = table.name == ", ".join(setup.players)  # whoever sits there by now
    return OpenTableView(
        game=table.game,
        name=(f"{host}’s table" if host else "Open table") if unnamed else table.name,
        what=name_of(setup.title, setup.variant, setup.modules) if setup.title else "",
        host=host,
        players=tuple(name for seat, name in names.items() if seat not in (*table.free, *table.bots)),
        bots=len(table.bots),
        free=len(table.free),
        watchable=table.watchable,
        round=table.round if table.number else "",
        ago=ago(now - table.touched),
        touched=table.touched,
        seats=tuple(_lobby_seat(table, seat, name) for seat, name in names.items()),
        asked="" if table.turn in table.free else names.get(table.turn or "", ""),
        opened=ago(now - table.created),
        created=table.created,
    )


def _lobby_seat(table: OpenTable, seat: str, name: str) -> LobbySeat:
    kind: Literal["person", "bot", "free"] = "free" if seat in table.free else "bot" if seat in table.bots else "person"
    return LobbySeat(name=name, kind=kind, host=seat in table.host, asked=seat == table.turn)


def game_views(games: Iterable[MyGame], now: datetime, damaged: Mapping[str, str]) -> list[GameView]:
    return [_game_view(game, now, damaged.get(game.game, "")) for game in games]


def _game_view(game: MyGame, now: datetime, damage: str) -> GameView:
    setup = setup_in(game.setup) or NO_SETUP
    names = dict(zip(seats_of(setup), setup.players, strict=True))
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
