"""Moderation by operators: bans, and removal of texts and names. A running server applies it at once."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import structs
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import AccountRow, AccountService, VisitorRow, name_like
from ostbahn.server.chat.service import LONGEST_AUTHOR, MessageRow
from ostbahn.server.db.tables import CLOSED, OPEN, SIGN_UPS, set_server_flag
from ostbahn.server.events import bus
from ostbahn.server.games.listeners import Notification
from ostbahn.server.games.repository import checksum, decode_setup, drop_last_delta
from ostbahn.server.games.service import LONGEST_NAME, GameService, table_name
from ostbahn.server.games.tables import EntryRow, GameRow, KeepingRow, PlanRow
from ostbahn.server.jobs.queue import JobRow
from ostbahn.server.limits import LARGEST_NUMBER
from ostbahn.server.lookalikes import SOMEBODY, skeleton
from ostbahn.server.notifications.service import FAN_OUT_JOB
from ostbahn.server.programmed.service import ProgrammedMoveRow
from ostbahn.server.tournaments.service import TournamentRow
from ostbahn.table.access import NotHere, Unreadable
from ostbahn.table.plans import Fork
from ostbahn.table.room import NameChange, names_by_seat, seats_of, with_seat_renamed

SHORTEST: Final = 3  # letters of a name that is replaced in titles


def anonymise_seat(game_service: GameService, game: str, seat: str) -> str:
    """Rename the player of a seat to `Somebody`, also in past log entries; returns the new name.

    Nothing else changes log entries. One more entry makes other workers load the game again.
    """
    try:
        with game_service.changing(game) as (room, session):
            if seat not in seats_of(room.game.setup):
                raise NotHere(f"there is no seat {seat} at this table")
            name, former = _free_name(room.game.setup, seat), names_by_seat(room.game.setup)[seat]
            has_default_name = room.name == table_name("", room.game.setup)
            entries = room.name_seat(NameChange(seat, name, name, joins=False))
            names = _rewrite(session, game, seat, former, name)
            new_default = table_name("", room.game.setup)
            room.name = new_default if has_default_name else without_names(room.name, names, name)
            game_service.record_entries(session, room, entries)
            drop_last_delta(session, game)
            bus.publish(session, game, "joined")
    except NotHere:
        raise
    except OstbahnError:  # a damaged game, which has names too
        with game_service.database.session() as session:
            row = session.get_one(GameRow, game)
            setup = decode_setup(row.setup)
            name = former = SOMEBODY
            if setup is not None:
                name, former = _free_name(setup, seat), names_by_seat(setup)[seat]
            names = _rewrite(session, game, seat, former, name)
            row.name = without_names(row.name, names, name)
            _rewrite_setup(row, seat, name)
            drop_last_delta(session, game)
    game_service.evict(game)  # its next use loads it without the name
    return name


def _free_name(setup: Setup, seat: str) -> str:
    """`Somebody`, with a number if other players have that name."""
    others = {name for other, name in zip(seats_of(setup), setup.players, strict=True) if other != seat}
    names = (SOMEBODY, *(f"{SOMEBODY} {number}" for number in range(2, len(others) + 3)))
    return next(name for name in names if name not in others)


def _rewrite(session: Session, game: str, seat: str, former: str, name: str) -> set[str]:
    """Replace all names that players of this seat had, in all stored texts of the game; returns these names."""
    names = {former}
    name_changes = select(EntryRow).where(EntryRow.game == game, EntryRow.kind == "name", EntryRow.by == seat)
    for row in session.scalars(name_changes).all():
        naming = msgspec.json.decode(row.data, type=NameChange)
        names |= {naming.name} if naming.joins else {naming.name, naming.was}
        row.data = msgspec.json.encode(structs.replace(naming, was=name, name=name)).decode()
        row.sum = checksum(row)
    boards = session.scalars(select(PlanRow.game).where(PlanRow.origin == game)).all()
    for board in session.scalars(select(GameRow).where(GameRow.id.in_(boards))).all():
        board.name = without_names(board.name, names, name)
        _rewrite_setup(board, seat, name)
    _rewrite_log(session, [game, *boards], names, name)
    _rewrite_feature_texts(session, game, names, name)
    return names


def _rewrite_log(session: Session, games: list[str], names: set[str], name: str) -> None:
    """Replace names in notes of log entries, also in their copies on planning boards."""
    noted = (EntryRow.note != "") | (EntryRow.kind == "fork")
    for row in session.scalars(select(EntryRow).where(EntryRow.game.in_(games), noted)).all():
        note, data = replaced(row.note, names, name), row.data
        if row.kind == "fork":
            fork = msgspec.json.decode(data, type=Fork)
            answers = [structs.replace(entry, note=replaced(entry.note, names, name)) for entry in fork.answers]
            data = msgspec.json.encode(structs.replace(fork, answers=tuple(answers))).decode()
        if (note, data) != (row.note, row.data):
            row.note, row.data = note, data
            row.sum = checksum(row)


def _rewrite_feature_texts(session: Session, game: str, names: set[str], name: str) -> None:
    """Replace names in chat messages, in reasons why programmed moves ended, and in queued notifications."""
    for row in session.scalars(select(MessageRow).where(MessageRow.game == game)).all():
        authors = [name if author in names else author for author in row.who.split(" & ")]
        row.who = " & ".join(authors)[:LONGEST_AUTHOR]
        row.text = replaced(row.text, {f"@{former}" for former in names}, f"@{name}")
    for move in session.scalars(
        select(ProgrammedMoveRow).where(ProgrammedMoveRow.game == game, ProgrammedMoveRow.ended != "")
    ).all():
        move.ended = replaced(move.ended, names, name)
    for job in session.scalars(select(JobRow).where(JobRow.game == game, JobRow.kind == FAN_OUT_JOB)).all():
        notification = msgspec.json.decode(job.data, type=Notification)
        detail = replaced(notification.detail, names, name)
        job.data = msgspec.json.encode(structs.replace(notification, detail=detail)).decode()


def replaced(text: str, names: Collection[str], name: str) -> str:
    """A text in which whole words equal to one of `names` are replaced by `name`."""
    for former in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(former)}(?!\w)", lambda _: name, text)
    return text


def without_names(title: str, names: Collection[str], name: str) -> str:
    """The name of a table or tournament with names of people replaced, but not short ones, which may be plain words."""
    return replaced(title, [former for former in names if len(former) >= SHORTEST], name)[:LONGEST_NAME]


def _rewrite_setup(row: GameRow, seat: str, name: str) -> None:
    setup = decode_setup(row.setup)
    if setup is not None:
        row.setup = msgspec.json.encode(with_seat_renamed(setup, seat, name)).decode()


LONGEST_REASON: Final = 500
NO_REASON: Final = "no reason was given"
REMOVED: Final = "(removed by whoever runs this server)"
NAMELESS: Final = "Traveller"
PLAIN_NAME: Final = "Tournament"
MOST_FOUND: Final = 50


class Member(NamedTuple):
    name: str
    games: int
    seen: datetime | None
    banned: str


class TextMatch(NamedTuple):
    """A text by a user, and how an operator refers to it."""

    kind: str  # `message`, `table`, `tournament` or `name`
    which: str
    text: str


class Moderation:
    def __init__(self, game_service: GameService, people: AccountService) -> None:
        self.game_service = game_service
        self.people = people
        self.database = game_service.database

    def members(self) -> list[Member]:
        games = select(func.count(KeepingRow.id)).where(KeepingRow.account == AccountRow.id).scalar_subquery()
        seen = select(func.max(VisitorRow.seen)).where(VisitorRow.account == AccountRow.id).scalar_subquery()
        accounts = select(AccountRow.name, games, seen, AccountRow.banned).order_by(AccountRow.known_as)
        with self.database.session() as session:
            return [Member(*row) for row in session.execute(accounts)]

    def ban(self, name: str, reason: str = "") -> str:
        """Close an account, and log its owner out everywhere; returns the name as they write it."""
        if len(reason) > LONGEST_REASON or not reason.isprintable():
            raise Unreadable(f"a reason is one line of at most {LONGEST_REASON} letters")
        return self._set_banned(name, reason.strip() or NO_REASON)

    def unban(self, name: str) -> str:
        """Reopen an account; returns the name as its owner writes it."""
        return self._set_banned(name, "")

    def _set_banned(self, name: str, banned: str) -> str:
        number, known_as = self.people.account_id(name)
        with self.database.session() as session:
            session.execute(update(AccountRow).where(AccountRow.id == number).values(banned=banned))
        return known_as

    def take_sign_ups(self, wanted: bool) -> None:
        with self.database.session() as session:
            set_server_flag(session, SIGN_UPS, OPEN if wanted else CLOSED)

    def find(self, words: str) -> list[TextMatch]:
        """Chat lines and names of tables, tournaments and accounts that contain the words."""
        like = f"%{words.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        speech = MessageRow.who + ": " + MessageRow.text
        places: tuple[tuple[str, Any, Any, Any, Any], ...] = (
            ("message", MessageRow.id, MessageRow.text, speech, MessageRow.id.desc()),
            ("table", GameRow.id, GameRow.name, GameRow.name, GameRow.touched.desc()),
            ("tournament", TournamentRow.id, TournamentRow.name, TournamentRow.name, TournamentRow.created.desc()),
            ("name", AccountRow.name, AccountRow.name, AccountRow.name, AccountRow.known_as),
        )
        matches: list[TextMatch] = []
        with self.database.session() as session:
            for kind, which, text, shown, order in places:
                rows = select(which, shown).where(text.ilike(like, escape="!")).order_by(order).limit(MOST_FOUND)
                matches += [TextMatch(kind, str(number), shown_text) for number, shown_text in session.execute(rows)]
        return matches

    def remove_message(self, number: int) -> None:
        """Replace the text of a chat message by a notice."""
        with self.database.session() as session:
            row = session.get(MessageRow, number) if 0 < number <= LARGEST_NUMBER else None
            if row is None:
                raise NotHere(f"there is no message {number}")
            row.text = REMOVED
            bus.publish(session, row.game, "chat")

    def remove_table_name(self, game: str) -> str:
        """Name a table after its players again; returns the old name."""
        with self.game_service.changing(game) as (room, session):
            was, room.name = room.name, table_name("", room.game.setup)
            seat, player = next(zip(seats_of(room.game.setup), room.game.setup.players, strict=True))
            self.game_service.record_entries(
                session, room, room.name_seat(NameChange(seat, player, player, joins=False))
            )
        self.game_service.evict(game)
        return was

    def remove_tournament_name(self, tournament: str) -> str:
        with self.database.session() as session:
            row = session.get(TournamentRow, tournament)
            if row is None:
                raise NotHere(f"there is no tournament {tournament}")
            was, row.name = row.name, PLAIN_NAME
        return was

    def remove_account_name(self, name: str) -> str:
        """Rename an account, which is also its login; returns the new name."""
        number, _ = self.people.account_id(name)
        with self.database.session() as session:
            row = session.get_one(AccountRow, number)
            names = (f"{NAMELESS} {number + more}" for more in count())
            other = next(each for each in names if name_like(session, each) is None)
            row.name, row.known_as, row.skeleton = other, other.casefold(), skeleton(other)
        return other
