"""The game service: creates tables, resolves keys, assigns seats, and changes games, each change in one transaction."""

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
from ostbahn.kits.catalogue import reseeded, start_game
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
    Handover,
    LogEntry,
    NameChange,
    Room,
    check_version,
    names_by_seat,
    seats_of,
    with_seat_renamed,
)

LONGEST_NAME: Final = 80
MOST_NAMES: Final = 10  # changes of a seat's name, each of which is a log entry
SPECTATORS_WATCH: Final = "spectators only watch"
ROLES: Final = ("host", "seat", "spectator")

Clock = Callable[[], datetime]


class GameService:
    """Any thread may call any method. listeners: called in this order, in the transaction of a change."""

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
            raise ValueError(f"listeners have flags of the same name: {', '.join(name for name, _ in flags)}")
        self.rooms = Rooms(database, self.seated_bots.dismiss, dict(flags))
        self.holding, self.changing = self.rooms.holding, self.rooms.changing

    # New games

    def create_game(self, wanted: NewTable, game: Game | None = None) -> Access:
        """Set up a table, for `game` if it has been created already; returns the host's access."""
        return self._create(game_for(wanted) if game is None else game, wanted)

    def import_game(self, game: Game, name: str = "") -> Access:
        """Create a table for a game from a file; its host plays all seats."""
        seats = tuple(NewSeat(player) for player in game.setup.players)
        check_seats(seats, game.setup.title)
        wanted = NewTable(title=game.setup.title, variant=game.setup.variant, name=name, seats=seats)
        return self.create_copy(wanted, game)

    def create_copy(self, wanted: NewTable, game: Game) -> Access:
        """Create a table for a game that was played elsewhere; it continues with a new, secret seed."""
        return self._create(game if game.over else reseeded(game, strong_seed()), wanted)

    def table_access(self, who: Access) -> Access:
        """The access to the table itself, also for the access to one of its planning boards."""
        return self.access(who.key.partition(BOARD)[0]) if who.origin else who

    def check_copy(self, who: Access) -> None:
        """Refuse a copy of a game that others still play."""
        table = self.table_access(who)
        with self.holding(table.game) as room:
            if room.turn is not None and not set(room.persons) <= set(table.seats):
                raise NotYours("others still play this game, so you cannot play on from it yet; make a plan instead")

    def _create(self, game: Game, wanted: NewTable) -> Access:
        players = {seat: new_seat.who for seat, new_seat in zip(seats_of(game.setup), wanted.seats, strict=True)}
        bots = {seat: player for seat, player in players.items() if player not in (HERE, LINK)}
        room = Room(
            id_=new_id(),
            name=table_name(wanted.name, game.setup),
            setup=game.setup,
            bots=bots,
            pace=wanted.pace,
            ask_all=wanted.ask_all,
            hints=wanted.hints,
        )
        room.free = frozenset(seat for seat, player in players.items() if player == LINK)
        entries = room.begin(game)
        key_cipher = self.database.key_cipher
        own_seats = [seat for seat, player in players.items() if player == HERE]
        host, row = keys.new_key(key_cipher, room.id, "host", own_seats)
        new_keys = [keys.new_key(key_cipher, room.id, "seat", [seat]) for seat in sorted(room.free)]
        new_keys.append(keys.new_key(key_cipher, room.id, "spectator"))
        with self.database.session() as session:
            repository.insert_game(session, room, self.clock(), {seat: bots.get(seat) for seat in players})
            repository.append_entries(session, room, entries, self.clock())
            session.add_all([row, *(key_row for _, key_row in new_keys)])
            lobby = {"listed": wanted.listed, "watchable": wanted.watchable}
            session.execute(update(GameRow).where(GameRow.id == room.id).values(lobby))
            listeners.remember_first_turns(room)
            new_turn = listeners.record_turn_change(session, room, (), self.clock())
            for listener in self.listeners:
                listener.game_created(session, room, wanted, new_turn)
        self.rooms.cache(room)
        return host

    # Keys

    def access(self, key: str) -> Access:
        """The access that a key gives: to a table, or to a planning board that was made with it."""
        table_key, dot, board = key.partition(BOARD)
        with self.database.session() as session:
            row = session.get(KeyRow, hashed(table_key))
            if row is None:
                raise NotHere("this link leads to no table; was all of it copied?")
            access = keys.access_of(row, table_key)
            if not self.database.key_cipher.is_current(row.hash, row.sealed):
                row.sealed = self.database.key_cipher.encrypt(table_key)
            return repository.board_access(session, access, board) if dot else access

    def is_key(self, key: str) -> bool:
        """Whether this is or was the key of a table or of a planning board."""
        with self.database.session() as session:
            return session.get(KeyRow, hashed(key.partition(BOARD)[0])) is not None

    def links(self, who: Access) -> list[Access]:
        """All links for the host; for others their own and that of spectators. Only its owner sees a used key."""
        valid = select(KeyRow).where(KeyRow.game == who.game, KeyRow.role != keys.VOID)
        with self.database.session() as session:
            links = [keys.access_of(row, self._visible_key(row, who)) for row in session.scalars(valid)]
        links.sort(key=lambda link: (ROLES.index(link.role), link.seats))
        return [link for link in links if who.role == "host" or link.role == "spectator" or link.hash == who.hash]

    def _visible_key(self, row: KeyRow, who: Access) -> str:
        if row.hash == who.hash:
            return who.key
        return "" if row.used else self.database.key_cipher.decrypt(row.hash, row.sealed)

    def assign_seat(self, host: Access, seat: str, who: str) -> None:
        """Let another player or bot play a seat (for the host only); its old link becomes void."""
        if host.role != "host":
            raise NotYours("only the host decides who sits where")
        with self.changing(host.game) as (room, session):
            check_seats((NewSeat("?", who),), room.game.setup.title)
            if seat not in seats_of(room.game.setup):
                raise NotHere(f"there is no seat {seat} at this table")
            is_own = seat in parted(session.get_one(KeyRow, host.hash).seats)
            was = HERE if is_own else room.bots.get(seat, LINK)
            if who == was != LINK:
                return
            self._hand_over(session, room, Handover(seat, was, who))
        self.seated_bots.dismiss(host.game, seat)

    def _hand_over(self, session: Session, room: Room, handover: Handover, by: str = HOST) -> None:
        seat, player = handover.seat, handover.who
        for listener in self.listeners:
            listener.seat_reassigned(session, room, handover, by)
        self.revoke_seat_keys(session, room.id, seat)
        host = host_key(session, room.id)
        own_seats = [other for other in parted(host.seats) if other != seat]
        host.seats = joined(sorted([*own_seats, seat]) if player == HERE else own_seats)
        if player == LINK:
            session.add(keys.new_key(self.database.key_cipher, room.id, "seat", [seat])[1])
        row = session.get_one(SeatRow, (room.id, seat))
        row.bot, row.free = None if player in (HERE, LINK) else player, player == LINK
        other_bots = {other: code for other, code in room.bots.items() if other != seat}
        room.bots = other_bots if row.bot is None else other_bots | {seat: row.bot}
        self.record_entries(session, room, room.hand_over(handover, by))
        bus.publish(session, room.id, "seats")

    def give_to_bot(self, session: Session, room: Room, seat: str, bot: str, by: str) -> None:
        """Let a bot play the seat of a person."""
        if seat not in room.bots:
            was = HERE if seat in parted(host_key(session, room.id).seats) else LINK
            self._hand_over(session, room, Handover(seat, was, bot), by)
        self.seated_bots.dismiss(room.id, seat)

    def revoke_seat_keys(self, session: Session, game: str, seat: str) -> None:
        """Make the link of a seat void, and delete what its owner has saved, planned and programmed with it."""
        seat_keys = select(KeyRow).where(KeyRow.game == game, KeyRow.role == "seat", KeyRow.seats == seat)
        rows = session.scalars(seat_keys).all()
        for listener in self.listeners:
            listener.seat_keys_revoked(session, game, seat, [row.hash for row in rows])
        for row in rows:
            session.execute(delete(KeepingRow).where(KeepingRow.hash == row.hash))
            self.delete_boards(session, row.hash)
            row.role, row.seats, row.sealed = keys.VOID, "", ""

    def name_seat(self, who: Access, seat: str, name: str) -> int:
        """Name the player of a seat, who joins the game if it was free; returns the new version."""
        if seat not in who.seats:
            raise NotYours("only whoever plays a seat says what they are called" if who.seats else SPECTATORS_WATCH)
        with self.changing(who.game) as (room, session):
            joins = seat in room.free
            if joins or player_name(name) != names_by_seat(room.game.setup)[seat]:
                mark_key_used(session, who)
                self.sit_down(session, room, seat, name, joins)
            return room.version

    def sit_down(self, session: Session, room: Room, seat: str, name: str, joins: bool) -> None:
        """Rename a seat. joins: a player takes the free seat; otherwise its player changes their name."""
        before, names = room.game.setup, names_by_seat(room.game.setup)
        naming = NameChange(seat, names.pop(seat), player_name(name), joins)
        if not joins and room.notices.name_changes(seat) >= MOST_NAMES:
            raise Refused(Refusal("", f"nobody changes their name more than {MOST_NAMES} times in a game"))
        after = with_seat_renamed(before, seat, naming.name)
        start_game(after)  # refuses a bad name
        check_seat_name(naming.name, names.values())
        if room.name == table_name("", before):
            room.name = table_name("", after)
        self.record_entries(session, room, room.name_seat(naming))
        bus.publish(session, room.id, "joined")

    def record_entries(self, session: Session, room: Room, entries: Sequence[LogEntry]) -> None:
        """Store entries that were just added to the room, publish the new version, and call the listeners."""
        now = self.clock()
        repository.append_entries(session, room, entries, now)
        bus.publish(session, room.id, "state", room.version)
        if room.game.over:
            self.seated_bots.dismiss(room.id)
        if isinstance(room, PlanRoom):
            return
        new_turn = listeners.record_turn_change(session, room, entries, now)
        if _seats_changed(entries):
            session.flush()
            if not session.scalar(select(exists().where(SeatRow.game == room.id, SeatRow.free))):
                self.announce_full_table(session, room)
        for listener in self.listeners:
            listener.entries_recorded(session, room, entries, new_turn)
        results.record(session, room, entries, now)
        if room.game.over:
            for listener in self.listeners:
                listener.game_over(session, room)

    def announce_full_table(self, session: Session, room: Room) -> None:
        for listener in self.listeners:
            listener.seats_filled(session, room)

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        for listener in self.listeners:
            listener.notify(session, notifications)

    # Planning boards

    def delete_board(self, session: Session, board: str) -> None:
        for listener in self.listeners:
            listener.board_deleted(session, board)
        repository.delete_board(session, board)

    def delete_boards(self, session: Session, owner: str) -> None:
        """Delete the planning boards of a void key."""
        for plan in repository.plans_of_key(session, owner):
            self.delete_board(session, plan.id)

    def evict(self, game: str) -> None:
        """Drop a game, and its bots, from memory."""
        self.rooms.evict(game)
        self.seated_bots.dismiss(game)

    # Playing

    def answer(self, who: Access, version: int, action: Action | Mapping[str, Any]) -> int:
        """Answer the question as the owner of a key; returns the new version. A mapping is decoded first."""
        with self.changing(who.game) as (room, session):
            if isinstance(action, Mapping):
                action = decode(room.game.setup.title, action)
            check_version(room, version)
            turn = room.turn
            if turn is not None and turn not in who.seats:
                if not who.seats:
                    raise NotYours(SPECTATORS_WATCH)
                raise Refused(room.game.refusal(action, who.seats[0]) or Refusal("", "it is not your turn"))
            entries = room.answer(action, turn or "")
            mark_key_used(session, who)
            self.record_with_follow_ups(session, room, entries)
            return room.version

    def record_with_follow_ups(self, session: Session, room: Room, entries: Sequence[LogEntry]) -> None:
        """Record entries together with those that listeners add, such as programmed moves."""
        entries = list(entries)
        for listener in self.listeners:
            entries += listener.answer_follow_ups(session, room)
        if entries:
            self.record_entries(session, room, entries)

    def hint_position(self, who: Access) -> tuple[Game, int]:
        """A copy of the game and its version; refused if this player may not have a hint now."""
        with self.holding(who.game) as room:
            if not room.hints:
                raise NotYours("there are no hints at this table: whoever set it up wanted it so")
            if room.turn not in who.seats:
                raise NotYours("hints are for whoever is asked")
            return room.game.branch(), room.version

    def game_copy(self, game: str) -> Game:
        """A copy of the game, which can be read without locking its room."""
        with self.holding(game) as room:
            return room.game.branch()

    def save_file(self, who: Access) -> tuple[str, bytes]:
        """A file name and a save file. A save of an unfinished game has another seed, so it reveals no draws."""
        with self.holding(who.game) as room:
            if who.origin:
                raise Refused(Refusal("", "a plan has no save; download the save of the game"))
            if room.skipped:
                raise Stale("the beginning of this game cannot be replayed any more, so there is no save of it")
            setup, game = room.game.setup, room.game
            if not game.over:  # all copies of a game get the same seed, so that plans fit each of them
                copy_secret = self.database.key_cipher.derive(f"chance in copies of {room.id}")
                game = reseeded(game, strong_seed(copy_secret))
            return f"{setup.title}-{setup.variant}-{room.id}-{room.number}", dump(game, room.bots)

    # Undo

    def undo_own_move(self, who: Access, version: int) -> int:
        """Undo the player's last move, unless other people have moved since; returns the new version."""
        with self.changing(who.game) as (room, session):
            check_version(room, version)
            if not who.seats:
                raise NotYours(SPECTATORS_WATCH)
            keep = room.own_move(who.seats)
            if keep is None and (who.origin or room.number == room.first):
                raise Refused(Refusal("", "there is nothing to take back"))
            if keep is None:
                raise Refused(Refusal("", "somebody else has moved since then; ask everybody to go back further"))
            self.undo_to(session, room, keep, room.game.records[keep - room.skipped].by, who.seats)
            return room.version

    def undo_to(self, session: Session, room: Room, keep: int, by: str, seats: Collection[str], note: str = "") -> None:
        """Undo all but the first `keep` answers, on behalf of `seats`."""
        entries = room.undo(keep, by, note)
        for listener in self.listeners:
            listener.undone(session, room, seats, keep)
        self.record_entries(session, room, entries)


def _seats_changed(entries: Sequence[LogEntry]) -> bool:
    """Whether a player has joined, or a seat was reassigned."""
    return any(
        entry.kind == "seat" or (entry.kind == "name" and msgspec.json.decode(entry.data, type=NameChange).joins)
        for entry in entries
    )


def player_name(text: str) -> str:
    """A valid name of a player, with single blanks."""
    name = " ".join(text.split())
    if not name:
        raise BadSetup("type your name")
    check_seats((NewSeat(name),))
    return name


def table_name(name: str, setup: Setup) -> str:
    """The name of a game: the given one, or else its players."""
    name = name.strip()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a game is one line of at most {LONGEST_NAME} letters")
    players = ", ".join(setup.players)
    return name or (players if len(players) <= LONGEST_NAME else f"{players[: LONGEST_NAME - 1]}…")


def host_key(session: Session, game: str) -> KeyRow:
    return session.scalars(select(KeyRow).where(KeyRow.game == game, KeyRow.role == "host")).one()


def mark_key_used(session: Session, who: Access) -> None:
    """Mark a link as used: its seat is no longer free, and the link is hidden from others."""
    if who.role == "seat" and not who.used:
        session.execute(update(KeyRow).where(KeyRow.hash == who.hash).values(used=True))
        taken = (SeatRow.game == who.game) & SeatRow.seat.in_(who.seats)
        session.execute(update(SeatRow).where(taken).values(free=False))
