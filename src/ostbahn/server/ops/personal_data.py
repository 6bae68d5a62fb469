"""Leaving: export or delete all that is kept of somebody, by the references of the database, in whatever table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Column, ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import KeyedColumnElement

from ostbahn.server.accounts.people import (
    AccountRow,
    AccountService,
    SubscriptionRow,
    Visitor,
    VisitorRow,
    account_owner,
)
from ostbahn.server.chat.service import MessageRow
from ostbahn.server.clocks.clock import HolidayRow, SeenRow
from ostbahn.server.db.tables import Base
from ostbahn.server.games.repository import decode_setup
from ostbahn.server.games.results import PLAYING
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import EntryRow, GameRow, KeepingRow, KeyRow, ResultRow
from ostbahn.server.lookalikes import SOMEBODY
from ostbahn.server.notifications.subscriptions import ChannelRow, GameSubscriptionRow
from ostbahn.server.ops.backups import METADATA
from ostbahn.server.ops.moderation import anonymise_seat, without_names
from ostbahn.server.programmed.service import ProgrammedMoveRow
from ostbahn.server.tournaments.service import TournamentRow, TournamentTableRow
from ostbahn.table.access import parted
from ostbahn.table.room import names_by_seat

SECRET: Final = frozenset({"password", "recovery", "cookie", "sealed", "hash", "owner", "person"})
"""Columns with credentials: a found export file must not give access to anything."""

OWNED: Final = (ChannelRow, GameSubscriptionRow, SubscriptionRow, HolidayRow)
NOT_EXPORTED: Final = ("owner", "digest", "data")
MOST_LETTERS: Final = 60  # of the name of a tournament


class OwnKey(NamedTuple):
    hash: str
    game: str
    seats: tuple[str, ...]


class PersonalData:
    def __init__(self, game_service: GameService, people: AccountService) -> None:
        self.game_service = game_service
        self.people = people

    def export(self, visitor: Visitor, password: str) -> bytes:
        """All stored data of an account as JSON, without secrets and without the other players' moves."""
        with self.people.database.session() as session:
            account = self.people.own_account(session, visitor, password)
            own = _own_keys(session, account.id)
            data = {"exported": self.game_service.clock(), "account": _without_secrets(account.__table__, account)}
            data |= _referring_rows(session, AccountRow.__table__.c.id, [account.id])
            data |= {
                "games": [_game(session, key) for key in own],
                "results": _rows(session, ResultRow, ResultRow.person == account.person),
                "messages": _rows(session, MessageRow, _is_author(session, own)),
                "prepared_moves": _rows(session, ProgrammedMoveRow, _at_seats(own, ProgrammedMoveRow)),
            }
            data |= _referring_rows(session, KeyRow.__table__.c.hash, [key.hash for key in own], KeepingRow.__table__)
            data |= owned_rows(session, account_owner(account.id))
            data |= {"seen": _rows(session, SeenRow, _at_seats(own, SeenRow))}
        return msgspec.json.format(msgspec.json.encode(data), indent=2)

    def delete(self, visitor: Visitor, password: str) -> None:
        """Delete the visitor's account for good, if the password is right."""
        with self.people.database.session() as session:
            number = self.people.own_account(session, visitor, password).id
        self._delete(number)

    def delete_named(self, name: str) -> str:
        """Delete an account for an operator; returns the name as its owner wrote it."""
        number, known_as = self.people.account_id(name)
        self._delete(number)
        return known_as

    def _delete(self, number: int) -> None:
        """Delete an account; its traces at tables first, so that an interrupted deletion can be repeated."""
        with self.people.database.session() as session:
            own = _own_keys(session, number)
        for key in own:
            self._delete_texts(key)
            for seat in key.seats:
                anonymise_seat(self.game_service, key.game, seat)
        with self.people.database.session() as session:
            _rename_tournaments(session, number)
            for owned in OWNED:
                session.execute(delete(owned).where(owned.owner == account_owner(number)))
            for column in _references(AccountRow.__table__.c.id):
                _delete_or_unlink(session, column, number)
            session.execute(delete(AccountRow).where(AccountRow.id == number))

    def _delete_texts(self, key: OwnKey) -> None:
        """Delete the owner's messages, notes, plans and programmed moves at a table."""
        with self.people.database.session() as session:
            session.execute(delete(MessageRow).where(_is_author(session, [key])))
            session.execute(delete(ProgrammedMoveRow).where(_at_seats([key], ProgrammedMoveRow)))
            session.execute(delete(SeenRow).where(_at_seats([key], SeenRow)))
            self.game_service.delete_boards(session, key.hash)
            for column in _references(KeyRow.__table__.c.hash):
                if column.table is not KeepingRow.__table__:  # which goes with the account
                    session.execute(delete(column.table).where(column == key.hash))


def _own_keys(session: Session, account: int) -> list[OwnKey]:
    rows = session.execute(
        select(KeyRow.hash, KeyRow.game, KeyRow.seats)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeepingRow.account == account, KeyRow.role.in_(PLAYING))
        .order_by(KeepingRow.id)
    )
    return [OwnKey(hash_, game, parted(seats)) for hash_, game, seats in rows]


def _rename_tournaments(session: Session, number: int) -> None:
    """Remove the account's name from the names of its tournaments and their tables."""
    names = {session.get_one(AccountRow, number).name}
    for row in session.scalars(select(TournamentRow).where(TournamentRow.host == number)).all():
        row.name = without_names(row.name, names, SOMEBODY)[:MOST_LETTERS]
        tables = select(TournamentTableRow.game).where(TournamentTableRow.tournament == row.id)
        for game in session.scalars(select(GameRow).where(GameRow.id.in_(tables))).all():
            game.name = without_names(game.name, names, SOMEBODY)


def _references(to: KeyedColumnElement[Any]) -> list[Column[Any]]:
    """All columns of the database with a foreign key to `to`."""
    return [
        column
        for table in reversed(METADATA.sorted_tables)
        for column in table.columns
        if any(key.column is to for key in column.foreign_keys)
    ]


def _delete_or_unlink(session: Session, column: Column[Any], number: int) -> None:
    """Delete the rows of an account; rows that others need stay, without the account."""
    table = column.table
    if table.name in STAYING:
        session.execute(update(table).where(column == number).values({column.name: None}))
    else:
        if table is VisitorRow.__table__:  # first the rows of the browsers
            browsers = select(table.c.id).where(column == number)
            for further in _references(table.c.id):
                session.execute(delete(further.table).where(further.in_(browsers)))
        session.execute(delete(table).where(column == number))


STAYING: Final = frozenset({"tournaments", "entrants"})


def _referring_rows(
    session: Session, to: KeyedColumnElement[Any], values: Sequence[object], without: object = None
) -> dict[str, list[dict[str, Any]]]:
    """Rows of other tables that refer to a column with one of these values, by table; `without` is left out."""
    columns = [column for column in _references(to) if column.table is not without]
    queries = {column.table: select(column.table).where(column.in_(values)) for column in columns}
    by_table = {table: session.execute(query).all() for table, query in queries.items()}
    return {table.name: [_without_secrets(table, row) for row in rows] for table, rows in by_table.items()}


def _rows(session: Session, of: type[Base], condition: ColumnElement[bool]) -> list[dict[str, Any]]:
    return [_without_secrets(of.__table__, row) for row in session.scalars(select(of).where(condition))]


def _without_secrets(table: Any, row: Any, without: Collection[str] = SECRET) -> dict[str, Any]:
    """The columns of a row by name, without some."""
    return {name: getattr(row, name) for name in table.columns.keys() if name not in without}  # noqa: SIM118


def _game(session: Session, key: OwnKey) -> dict[str, Any]:
    """A game with the log entries of the key's seats."""
    row = session.get_one(GameRow, key.game)
    entries = select(EntryRow.version, EntryRow.kind, EntryRow.by, EntryRow.data, EntryRow.how, EntryRow.at)
    own_entries = session.execute(entries.where(EntryRow.game == key.game, EntryRow.by.in_(key.seats))).all()
    return {
        "game": row.id,
        "name": row.name,
        "seats": key.seats,
        "created": row.created,
        "touched": row.touched,
        "round": row.round,
        "log": [entry._asdict() for entry in own_entries],
    }


def _at_seats(own: list[OwnKey], of: type[ProgrammedMoveRow] | type[SeenRow]) -> ColumnElement[bool]:
    """The condition that a row is about one of these keys' seats."""
    return or_(of.game == "", *((of.game == key.game) & of.seat.in_(key.seats) for key in own))


def _is_author(session: Session, own: list[OwnKey]) -> ColumnElement[bool]:
    """The condition that a message was sent with one of these keys; old messages have names of seats instead."""
    conditions = [MessageRow.id < 0, MessageRow.hash.in_([key.hash for key in own])]
    for key in own:
        setup = decode_setup(session.get_one(GameRow, key.game).setup)
        if setup is not None:
            names = names_by_seat(setup)
            speaker = " & ".join(names[seat] for seat in key.seats if seat in names)
            conditions.append((MessageRow.game == key.game) & (MessageRow.hash == "") & (MessageRow.who == speaker))
    return or_(*conditions)


def owned_rows(session: Session, owner: str) -> dict[str, list[dict[str, Any]]]:
    """An owner's preferences, by table; of a secret address only the host, so that nobody can post there."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for table in OWNED:
        for row in session.scalars(select(table).where(table.owner == owner)):
            columns = _without_secrets(table.__table__, row, NOT_EXPORTED)
            if isinstance(row, ChannelRow) and row.kind != "mail":
                columns["address"] = urlsplit(row.address).hostname or ""
            rows.setdefault(table.__tablename__, []).append(columns)
        rows.setdefault(table.__tablename__, [])
    return rows
