"""Open tables, as the lobby and the home page list them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from msgspec import Struct

from ostbahn.server.games.list_views import NO_SETUP, ago
from ostbahn.server.games.repository import setup_in
from ostbahn.server.lobby.lobby import OpenTable
from ostbahn.table.room import names_by_seat
from ostbahn.views.catalogue import name_of


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
    names = names_by_seat(setup)
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
