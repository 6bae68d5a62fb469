"""The game service: all tables, who may sit down at them, and everything that is done there, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from ostbahn.interop.saves import dump
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, Refusal, Refused
from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.catalogue import begin, reseeded
from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import hashed
from ostbahn.server.events import bus
from ostbahn.server.games import keys, listeners, repository, results
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.listeners import GameListener, Notification
from ostbahn.server.games.new_table import NewSeat, NewTable, check_seats, game_for, strong_seed
from ostbahn.server.games.rooms import Rooms
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow, SeatRow
from ostbahn.server.jobs.concurrency import PriorityGate
from ostbahn.server.lookalikes import check_seat_name
from ostbahn.server.metrics import Metrics
from ostbahn.table.access import BOARD, Access, NotHere, NotYours, Stale, joined, parted
from ostbahn.table.plans import PlanRoom
from ostbahn.table.requests import decode
from ostbahn.table.room import (
    HERE,
    HOST,
    LINK,
    Entry,
    Handover,
    Naming,
    Room,
    check_version,
    names_by_seat,
    renamed,
    seats_of,
)

LONGEST_NAME: Final = 80
MOST_NAMES: Final = 10  # how often a seat gets another name: each is a line of the log
LOOK_ON: Final = "spectators only watch"
ROLES: Final = ("host", "seat", "spectator")

Clock = Callable[[], datetime]


class GameService:
    """Methods may be called from any thread. listeners: called in this order whenever something happens."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        seated_bots: SeatedBots | None = None,
        metrics: Metrics | None = None,
        listeners: Sequence[GameListener] = (),
    ) -> None:
        self.database = database
        self.clock = clock
        self.seated_bots = seated_bots or SeatedBots()
        self.metrics = metrics or Metrics()
        self.listeners = tuple(listeners)
        self.priority_gate = PriorityGate()
        flags = [flag for listener in self.listeners for flag in listener.flags.items()]
        if len(dict(flags)) < len(flags):
            raise ValueError(f"two listeners have a flag of the same name: {', '.join(name for name, _ in flags)}")
        self.rooms = Rooms(database, self.seated_bots.dismiss, dict(flags))
        self.holding, self.changing = self.rooms.holding, self.rooms.changing

    # New games

    def create_game(self, wanted: NewTable, game: Game | None = None) -> Access:
        """Set up a table, with the game where it has been made already; returns the host's key."""
        return self._create(game_for(wanted) if game is None else game, wanted)

    def import_game(self, game: Game, name: str = "") -> Access:
        """A game from a file; its host sits on all seats, and may give them away."""
        seats = tuple(NewSeat(player) for player in game.setup.players)
        check_seats(seats, game.setup.title)
        wanted = NewTable(title=game.setup.title, variant=game.setup.variant, name=name, seats=seats)
        return self.create_copy(wanted, game)

    def create_copy(self, wanted: NewTable, game: Game) -> Access:
        """A table for a game that was played elsewhere; from here on it draws lots of its own, which nobody knows."""
        return self._create(game if game.over else reseeded(game, strong_seed()), wanted)

    def table_access(self, who: Access) -> Access:
        """What the key opens with which a planning board was made; at a table it is the key itself."""
        return self.access(who.key.partition(BOARD)[0]) if who.origin else who

    def check_copy(self, who: Access) -> None:
        """Refuse a copy of a game that others still play, on a planning board as at the table itself."""
        own = self.table_access(who)
        with self.holding(own.game) as room:
            if room.turn is not None and not set(room.persons) <= set(own.seats):
                raise NotYours("others still play this game, so you cannot play on from it yet; make a plan instead")

    def _create(self, game: Game, wanted: NewTable) -> Access:
        who = {seat: each.who for seat, each in zip(seats_of(game.setup), wanted.seats, strict=True)}
        bots = {seat: code for seat, code in who.items() if code not in (HERE, LINK)}
        room = Room(
            id_=new_id(),
            name=table_name(wanted.name, game.setup),
            setup=game.setup,
            bots=bots,
            pace=wanted.pace,
            ask_all=wanted.ask_all,
            hints=wanted.hints,
        )
        room.free = frozenset(seat for seat, kind in who.items() if kind == LINK)
        entries = room.begin(game)
        key_cipher = self.database.key_cipher
        host, row = keys.new_key(key_cipher, room.id, "host", [seat for seat, kind in who.items() if kind == HERE])
        new_keys = [keys.new_key(key_cipher, room.id, "seat", [seat]) for seat in sorted(room.free)]
        new_keys.append(keys.new_key(key_cipher, room.id, "spectator"))
        with self.database.session() as session:
            repository.insert_game(session, room, self.clock(), {seat: bots.get(seat) for seat in who})
            repository.append_entries(session, room, entries, self.clock())
            session.add_all([row, *(each for _, each in new_keys)])
            lobby = {"listed": wanted.listed, "watchable": wanted.watchable}
            session.execute(update(GameRow).where(GameRow.id == room.id).values(lobby))
            listeners.begin(room)
            asked = listeners.record_turn_change(session, room, (), self.clock())
            for listener in self.listeners:
                listener.game_created(session, room, wanted, asked)
        self.rooms.remember(room)
        return host

    # Keys

    def access(self, key: str) -> Access:
        """What a key opens: a table, or a planning board that was made with it."""
        own, dot, board = key.partition(BOARD)
        with self.database.session() as session:
            row = session.get(KeyRow, hashed(own))
            if row is None:
                raise NotHere("this link leads to no table; was all of it copied?")
            found = keys.access_of(row, own)
            if not self.database.key_cipher.is_current(row.hash, row.sealed):  # or the secret was lost since
                row.sealed = self.database.key_cipher.encrypt(own)
            return repository.board_access(session, found, board) if dot else found

    def is_key(self, key: str) -> bool:
        """Whether it is a key, or was one; that of a planning board begins with one."""
        with self.database.session() as session:
            return session.get(KeyRow, hashed(key.partition(BOARD)[0])) is not None

    def links(self, who: Access) -> list[Access]:
        """All keys for the host, for others their own and that of spectators. A seat's key is hidden once used."""
        wanted = select(KeyRow).where(KeyRow.game == who.game, KeyRow.role != keys.VOID)
        with self.database.session() as session:
            found = [keys.access_of(row, self._shown(row, who)) for row in session.scalars(wanted)]
        found.sort(key=lambda each: (ROLES.index(each.role), each.seats))
        return [each for each in found if who.role == "host" or each.role == "spectator" or each.hash == who.hash]

    def _shown(self, row: KeyRow, who: Access) -> str:
        if row.hash == who.hash:
            return who.key
        return "" if row.used else self.database.key_cipher.decrypt(row.hash, row.sealed)

    def assign_seat(self, host: Access, seat: str, who: str) -> None:
        """The host lets somebody else play a seat; whoever had its link loses it."""
        if host.role != "host":
            raise NotYours("only the host decides who sits where")
        with self.changing(host.game) as (room, session):
            check_seats((NewSeat("?", who),), room.game.setup.title)
            if seat not in seats_of(room.game.setup):
                raise NotHere(f"there is no seat {seat} at this table")
            own = session.get_one(KeyRow, host.hash)
            here = [each for each in parted(own.seats) if each != seat]
            was = room.bots.get(seat, LINK) if len(here) == len(parted(own.seats)) else HERE
            if who == was != LINK:
                return
            self._hand_over(session, room, Handover(seat, was, who))
        self.seated_bots.dismiss(host.game, seat)

    def _hand_over(self, session: Session, room: Room, given: Handover, by: str = HOST) -> None:
        for listener in self.listeners:
            listener.seat_reassigned(session, room, given, by)
        self.revoke_seat_keys(session, room.id, given.seat)
        own = host_key(session, room.id)
        here = [each for each in parted(own.seats) if each != given.seat]
        own.seats = joined(sorted([*here, given.seat]) if given.who == HERE else here)
        if given.who == LINK:
            session.add(keys.new_key(self.database.key_cipher, room.id, "seat", [given.seat])[1])
        row = session.get_one(SeatRow, (room.id, given.seat))
        row.bot, row.free = None if given.who in (HERE, LINK) else given.who, given.who == LINK
        others = {seat: code for seat, code in room.bots.items() if seat != given.seat}
        room.bots = others if row.bot is None else others | {given.seat: row.bot}
        self.record_entries(session, room, room.hand_over(given, by))
        bus.publish(session, room.id, "seats")

    def give_to_bot(self, session: Session, room: Room, seat: str, bot: str, by: str) -> None:
        if seat not in room.bots:
            was = HERE if seat in parted(host_key(session, room.id).seats) else LINK
            self._hand_over(session, room, Handover(seat, was, bot), by)
        self.seated_bots.dismiss(room.id, seat)

    def revoke_seat_keys(self, session: Session, game: str, seat: str) -> None:
        """Make the link of a seat void, with what its owner has kept, planned and prepared by it."""
        found = select(KeyRow).where(KeyRow.game == game, KeyRow.role == "seat", KeyRow.seats == seat)
        rows = session.scalars(found).all()
        for listener in self.listeners:
            listener.seat_keys_revoked(session, game, seat, [row.hash for row in rows])
        for row in rows:
            session.execute(delete(KeepingRow).where(KeepingRow.hash == row.hash))
            self.delete_boards(session, row.hash)
            row.role, row.seats, row.sealed = keys.VOID, "", ""

    def name_seat(self, who: Access, seat: str, name: str) -> int:
        """Whoever has a seat says what they are called; all read it. Returns the version that it made."""
        if seat not in who.seats:
            raise NotYours("only whoever plays a seat says what they are called" if who.seats else LOOK_ON)
        with self.changing(who.game) as (room, session):
            joins = seat in room.free
            if joins or player_name(name) != names_by_seat(room.game.setup)[seat]:
                mark_key_used(session, who)
                self.sit_down(session, room, seat, name, joins)
            return room.version

    def sit_down(self, session: Session, room: Room, seat: str, name: str, joins: bool) -> None:
        before, names = room.game.setup, names_by_seat(room.game.setup)
        naming = Naming(seat, names.pop(seat), player_name(name), joins)
        if not joins and room.notices.namings(seat) >= MOST_NAMES:
            raise Refused(Refusal("", f"nobody changes their name more than {MOST_NAMES} times in a game"))
        after = renamed(before, seat, naming.name)
        begin(after)  # says what is wrong with a name
        check_seat_name(naming.name, names.values())
        if room.name == table_name("", before):
            room.name = table_name("", after)
        self.record_entries(session, room, room.name_seat(naming))
        bus.publish(session, room.id, "joined")

    def record_entries(self, session: Session, room: Room, entries: Sequence[Entry]) -> None:
        """Write down what a room has just taken, tell all, and let listeners do their part."""
        now = self.clock()
        repository.append_entries(session, room, entries, now)
        bus.publish(session, room.id, "state", room.version)
        if room.game.over:
            self.seated_bots.dismiss(room.id)
        if isinstance(room, PlanRoom):
            return
        asked = listeners.record_turn_change(session, room, entries, now)
        if _seats_changed(entries):
            session.flush()
            if not session.scalar(select(exists().where(SeatRow.game == room.id, SeatRow.free))):
                self.announce_full_table(session, room)
        for listener in self.listeners:
            listener.entries_recorded(session, room, entries, asked)
        results.record(session, room, entries, now)
        if room.game.over:
            for listener in self.listeners:
                listener.game_over(session, room)

    def announce_full_table(self, session: Session, room: Room) -> None:
        """Nobody is awaited at a table any more."""
        for listener in self.listeners:
            listener.seats_filled(session, room)

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        """Notify people at a table once this transaction is committed."""
        for listener in self.listeners:
            listener.notify(session, notifications)

    # Planning boards

    def delete_board(self, session: Session, board: str) -> None:
        for listener in self.listeners:
            listener.board_deleted(session, board)
        repository.delete_board(session, board)

    def delete_boards(self, session: Session, owner: str) -> None:
        """Delete the planning boards of a key that opens nothing any more."""
        for plan in repository.plans_of_key(session, owner):
            self.delete_board(session, plan.id)

    def evict(self, game: str) -> None:
        """Nobody comes back to a game: there is none any more."""
        self.rooms.forget(game)
        self.seated_bots.dismiss(game)

    # Playing

    def answer(self, who: Access, version: int, action: Action | Mapping[str, Any]) -> int:
        """Give an answer as the owner of a key; returns the version that it made. A mapping is what was sent."""
        with self.changing(who.game) as (room, session):
            if isinstance(action, Mapping):
                action = decode(room.game.setup.title, action)
            check_version(room, version)
            turn = room.turn
            if turn is not None and turn not in who.seats:
                if not who.seats:
                    raise NotYours(LOOK_ON)
                raise Refused(room.game.refusal(action, who.seats[0]) or Refusal("", "it is not your turn"))
            entries = room.answer(action, turn or "")
            mark_key_used(session, who)
            self.record_with_follow_ups(session, room, entries)
            return room.version

    def record_with_follow_ups(self, session: Session, room: Room, entries: Sequence[Entry]) -> None:
        """What follows by itself is taken right after what was answered, and all of it is kept at once."""
        entries = list(entries)
        for listener in self.listeners:
            entries += listener.follow_up(session, room)
        if entries:
            self.record_entries(session, room, entries)

    def hint_position(self, who: Access) -> tuple[Game, int]:
        """A copy of the game for whoever is to move and wants a hint."""
        with self.holding(who.game) as room:
            if not room.hints:
                raise NotYours("there are no hints at this table: whoever set it up wanted it so")
            if room.turn not in who.seats:
                raise NotYours("hints are for whoever is asked")
            return room.game.branch(), room.version

    def game_copy(self, game: str) -> Game:
        """A copy of the game as it stands, which can be looked at without holding the room."""
        with self.holding(game) as room:
            return room.game.branch()

    def save_file(self, who: Access) -> tuple[str, bytes]:
        """A file of the game, with a name. Until the game is over it has another seed, which tells no draws."""
        with self.holding(who.game) as room:
            if who.origin:
                raise Refused(Refusal("", "a plan has no save; download the save of the game"))
            if room.skipped:
                raise Stale("the beginning of this game cannot be replayed any more, so there is no save of it")
            setup, game = room.game.setup, room.game
            if not game.over:  # the same seed for each copy of a game, so that plans for one fit the next
                own = self.database.key_cipher.derive(f"chance in copies of {room.id}")
                game = reseeded(game, strong_seed(own))
            return f"{setup.title}-{setup.variant}-{room.id}-{room.number}", dump(game, room.bots)

    # Taking back

    def undo_own_move(self, who: Access, version: int) -> int:
        """Take back one's own last move, unless other people have acted since."""
        with self.changing(who.game) as (room, session):
            check_version(room, version)
            if not who.seats:
                raise NotYours(LOOK_ON)
            keep = room.own_move(who.seats)
            if keep is None and (who.origin or room.number == room.first):
                raise Refused(Refusal("", "there is nothing to take back"))
            if keep is None:
                raise Refused(Refusal("", "somebody else has moved since then; ask everybody to go back further"))
            self.undo_to(session, room, keep, room.game.records[keep - room.skipped].by, who.seats)
            return room.version

    def undo_to(self, session: Session, room: Room, keep: int, by: str, seats: Collection[str], note: str = "") -> None:
        """Go back to the first answers. `seats` wanted it, so what they have prepared is called off."""
        entries = room.undo(keep, by, note)
        for listener in self.listeners:
            listener.undone(session, room, seats, keep)
        self.record_entries(session, room, entries)


def _seats_changed(entries: Sequence[Entry]) -> bool:
    """Whether somebody has sat down, or the host has given a seat away."""
    return any(
        entry.kind == "seat" or (entry.kind == "name" and msgspec.json.decode(entry.data, type=Naming).joins)
        for entry in entries
    )


def player_name(text: str) -> str:
    """What somebody wants to be called, as far as it is a name at all."""
    name = " ".join(text.split())
    if not name:
        raise BadSetup("type your name")
    check_seats((NewSeat(name),))
    return name


def table_name(name: str, setup: Setup) -> str:
    """What a game is called: as somebody says, or else by its players."""
    name = name.strip()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a game is one line of at most {LONGEST_NAME} letters")
    players = ", ".join(setup.players)
    return name or (players if len(players) <= LONGEST_NAME else f"{players[: LONGEST_NAME - 1]}…")


def host_key(session: Session, game: str) -> KeyRow:
    return session.scalars(select(KeyRow).where(KeyRow.game == game, KeyRow.role == "host")).one()


def mark_key_used(session: Session, who: Access) -> None:
    """Note that somebody has sat down, played, spoken or written with a link."""
    if who.role == "seat" and not who.used:
        session.execute(update(KeyRow).where(KeyRow.hash == who.hash).values(used=True))
        taken = (SeatRow.game == who.game) & SeatRow.seat.in_(who.seats)
        session.execute(update(SeatRow).where(taken).values(free=False))
