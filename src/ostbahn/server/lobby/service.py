"""The lobby: tables that anyone may join or watch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, SQLColumnExpression, exists, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.games import keys
from ostbahn.server.games.keys import NO_SETUP, ago
from ostbahn.server.games.repository import decode_setup
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import GameServices
from ostbahn.server.games.tables import GameRow, KeyRow, SeatRow
from ostbahn.table.access import Access, NotHere, NotYours, Stale, parted
from ostbahn.table.room import names_by_seat
from ostbahn.views.catalogue import EntryView, name_of

MOST_TABLES: Final = 50  # the most recently active
JOIN_ATTEMPTS: Final = 5
GONE: Final = "this table is not in the lobby any more"
FULL: Final = "all seats of this table are taken"
FREE: Final[ColumnElement[bool]] = GameRow.listed & exists().where(SeatRow.game == GameRow.id, SeatRow.free)
FILTERS: Final[Mapping[str, SQLColumnExpression[bool]]] = {"join": FREE, "watch": GameRow.watchable}


class LobbyListing(Struct, frozen=True):
    """What strangers may do at a table."""

    listed: bool
    """Take a free seat."""
    watchable: bool
    """Look on."""


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


class Lobby:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def tables(self, entry: EntryView | None = None, kind: str = "") -> list[OpenTableView]:
        """Open tables: all, or those of one entry and one of the `FILTERS`."""
        wanted = select(GameRow).where(GameRow.turn.is_not(None), FILTERS.get(kind, GameRow.watchable | FREE))
        if entry is not None:
            fields = msgspec.json.encode({"title": entry.title, "variant": entry.variant}).decode().removesuffix("}")
            # every stored set-up begins with these two fields
            wanted = wanted.where(GameRow.setup.startswith(f"{fields},", autoescape=True))
        wanted = wanted.order_by(GameRow.touched.desc()).limit(MOST_TABLES)
        with self.game_service.database.session() as session:
            return [self._open_table(session, row) for row in session.scalars(wanted).all()]

    def table(self, game: str) -> OpenTableView:
        with self.game_service.database.session() as session:
            row = session.scalar(select(GameRow).where(GameRow.id == game, GameRow.watchable | FREE))
            if row is None:
                raise NotHere(GONE)
            return self._open_table(session, row)

    def _open_table(self, session: Session, row: GameRow) -> OpenTableView:
        seats = session.scalars(select(SeatRow).where(SeatRow.game == row.id).order_by(SeatRow.seat)).all()
        hosts = session.scalars(select(KeyRow.seats).where(KeyRow.game == row.id, KeyRow.role == "host")).all()
        host_seats = [seat for joined in hosts for seat in parted(joined)]
        return _open_table_view(row, seats, host_seats, self.game_service.clock())

    def join(self, game: str, name: str) -> Access:
        """Take a free seat with a new link, since the host may have sent the old one to others."""
        for _ in range(JOIN_ATTEMPTS):
            try:
                return self._join(game, name)
            except Stale:  # another process was quicker, perhaps with another seat
                continue
        raise Stale("many people sit down at this table just now; try again")

    def _join(self, game: str, name: str) -> Access:
        if not self.listing(game).listed:
            raise NotHere(GONE)
        with self.game_service.changing(game) as (room, session):
            if room.game.over or not room.free:
                raise Refused(Refusal("", FULL))
            seat = min(room.free)
            access, row = keys.new_key(self.game_service.database.key_cipher, game, "seat", [seat])
            row.used = True
            self.game_service.revoke_seat_keys(session, game, seat)
            session.add(row)
            session.get_one(SeatRow, (game, seat)).free = False
            self.game_service.sit_down(session, room, seat, name, joins=True)
            return access._replace(used=True)

    def watch(self, game: str) -> Access:
        """Return the spectators' link of a watchable table."""
        if not self.listing(game).watchable:
            raise NotHere(GONE)
        key_cipher = self.game_service.database.key_cipher
        with self.game_service.database.session() as session:
            for row in session.scalars(select(KeyRow).where(KeyRow.game == game, KeyRow.role == "spectator")):
                if key := key_cipher.decrypt(row.hash, row.sealed):
                    return keys.access_of(row, key)
            # no key can be decrypted: the server's secret was lost
            access, new_row = keys.new_key(key_cipher, game, "spectator")
            session.add(new_row)
            return access

    def listing(self, game: str) -> LobbyListing:
        with self.game_service.database.session() as session:
            row = session.execute(select(GameRow.listed, GameRow.watchable).where(GameRow.id == game)).one_or_none()
            return LobbyListing(False, False) if row is None else LobbyListing(*row)

    def set_listing(self, host: Access, listing: LobbyListing) -> None:
        """Change what strangers may do at a table (host only)."""
        if host.role != "host":
            raise NotYours("only whoever set the table up opens it to others")
        values = {"listed": listing.listed, "watchable": listing.watchable}
        with self.game_service.database.session() as session:
            session.execute(update(GameRow).where(GameRow.id == host.game).values(values))


def _open_table_view(row: GameRow, seats: Sequence[SeatRow], hosts: Collection[str], now: datetime) -> OpenTableView:
    setup = decode_setup(row.setup) or NO_SETUP
    names = names_by_seat(setup)
    free = {seat.seat for seat in seats if seat.free and row.listed}
    bots = {seat.seat for seat in seats if seat.bot is not None}
    host = " & ".join(names[seat] for seat in hosts if seat in names)
    has_default_name = row.name == ", ".join(setup.players)
    return OpenTableView(
        game=row.id,
        name=(f"{host}’s table" if host else "Open table") if has_default_name else row.name,
        what=name_of(setup.title, setup.variant, setup.modules) if setup.title else "",
        host=host,
        players=tuple(name for seat, name in names.items() if seat not in free | bots),
        bots=len(bots),
        free=len(free),
        watchable=row.watchable,
        round=row.round if row.number else "",
        ago=ago(now - row.touched),
        touched=row.touched,
        seats=tuple(
            LobbySeat(
                name=name,
                kind="free" if seat in free else "bot" if seat in bots else "person",
                host=seat in hosts,
                asked=seat == row.turn,
            )
            for seat, name in names.items()
        ),
        asked="" if row.turn in free else names.get(row.turn or "", ""),
        opened=ago(now - row.created),
        created=row.created,
    )


@dataclass(frozen=True, kw_only=True)
class LobbyServices(GameServices):
    lobby: Lobby


InjectedLobby = Injected[LobbyServices]
