"""A running game as an event-sourced object: its state follows from the entries of its log."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec import Struct

from ostbahn.interop.saves import decode_action, encode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import OstbahnError, Refusal, Refused
from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.catalogue import rulebook_for, start_game
from ostbahn.planning.plan import AnswerSource as AnswerSource
from ostbahn.table.access import Stale
from ostbahn.table.automatic import obvious_answer

HERE: Final = "here"
"""A seat played with the host's key."""
LINK: Final = "link"
"""A seat with a secret link of its own."""


class Handover(Struct, frozen=True):
    """A seat changes hands: to `here` (the host), `link` (a new link) or the code of a bot, as for a new table."""

    seat: str
    was: str
    who: str


class NameChange(Struct, frozen=True):
    """A player at a seat gives their name."""

    seat: str
    was: str
    name: str
    joins: bool
    """Whether they sat down with it; otherwise they already had the seat."""

    @property
    def anonymises(self) -> bool:
        """Whether the entry replaced a name throughout the log by a placeholder."""
        return not self.joins and self.was == self.name


class Notice(Struct, frozen=True, kw_only=True):
    version: int
    number: int
    """The number of the answer after which it is shown."""
    by: str
    """A seat, or `host`."""
    note: str
    handover: Handover | None = None
    naming: NameChange | None = None
    gone: int = 0
    """How many answers were undone."""


class Notices:
    """The notices of a room, in order of version."""

    def __init__(self, notices: Iterable[Notice] = ()) -> None:
        self.all = list(notices)

    def name_changes(self, seat: str) -> int:
        """How often players of a seat have given their name."""
        return sum(notice.naming is not None and notice.naming.seat == seat for notice in self.all)

    def move_back(self, keep: int) -> None:
        """Attach notices after undone answers to the last remaining one."""
        self.all = [msgspec.structs.replace(notice, number=min(notice.number, keep)) for notice in self.all]

    def last_handover(self, seat: str) -> Notice | None:
        """The notice of the latest handover of a seat; None if it never changed hands."""
        handovers = (notice for notice in reversed(self.all) if notice.handover and notice.handover.seat == seat)
        return next(handovers, None)

    def seats_replaced_since(self, keep: int) -> tuple[str, ...]:
        """Seats whose link was revoked after the first `keep` answers: former players saw what an undo hides."""
        later = (notice.handover for notice in self.all if notice.handover and notice.number > keep)
        return tuple(sorted({handover.seat for handover in later if handover.was == LINK}))


ROOM_KB: Final = 100
ANSWER_KB: Final = 1
STATE_KB: Final = 5
"""Memory in kB of a room, of an answer with its record, and of a state in memory."""
HOST: Final = "host"
CLOCK: Final = "clock"
ALL: Final = "all"
"""Those who can hand over seats, as `LogEntry.by` names them."""


class LogEntry(Struct, frozen=True):
    """An entry of the log."""

    kind: Literal["answer", "undo", "seat", "name", "fork", "redo"]
    """The last two are those of planning boards (`plans.py`)."""
    by: str
    data: str
    how: AnswerSource = "person"
    note: str = ""


class Snapshot(Struct, frozen=True):
    """A stored state of the game at a version."""

    version: int
    number: int
    digest: str
    state: bytes
    leg: bytes | None = None
    """The encoded `SnapshotDelta` from the previous snapshot; None if an early version of Ostbahn stored it."""
    rules: int = 0
    """The version of the rules at that time."""


class StoredHistory(Protocol):
    """The records and states before the one from which a room was restored."""

    @property
    def lost(self) -> bool:
        """Whether they cannot be read, so that the log has to be replayed."""


class AnswerOrigin(Struct, frozen=True):
    """How an answer was given, and at which version."""

    how: AnswerSource
    note: str
    version: int


def encode_action_json(action: Action) -> str:
    return msgspec.json.encode(encode_action(action)).decode()


def compress(data: bytes) -> bytes:
    return zlib.compress(data, 1)


def decompress(data: bytes) -> bytes:
    """Also accepts states that early versions of Ostbahn stored uncompressed."""
    return data if data.startswith(b"{") else zlib.decompress(data)


def seats_of(setup: Setup) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(1, len(setup.players) + 1))


def names_by_seat(setup: Setup) -> dict[str, str]:
    """Player names by seat, as they typed them."""
    return dict(zip(seats_of(setup), setup.players, strict=True))


def with_seat_renamed(setup: Setup, seat: str, name: str) -> Setup:
    names = names_by_seat(setup) | {seat: name}
    return msgspec.structs.replace(setup, players=tuple(names.values()))


class Room:
    """A live game in memory. Methods that change it return log entries, which the caller must store."""

    def __init__(
        self,
        id_: str,
        name: str,
        setup: Setup,
        bots: Mapping[str, str],
        pace: int,
        ask_all: bool,
        hints: bool = True,
    ) -> None:
        self.id = id_
        self.name = name
        self.bots = bots
        """Codes of bots, by seat."""
        self.free: frozenset[str] = frozenset()
        """Seats that no player has taken yet."""
        self.flags: dict[str, Any] = {}
        """Values of server features, read when the room was last loaded; each feature documents its own."""
        self.pace = pace
        self.ask_all = ask_all
        self.hints = hints
        self.game = start_game(setup)
        self.skipped = 0
        """Number of answers before the first one in memory; 0 unless the log was continued from a snapshot."""
        self.version = 0
        self.moved = 0
        """The last version that changed more than names."""
        self.since = 0
        """The version of the first state in memory."""
        self.given: list[AnswerOrigin] = []
        self.notices = Notices()
        self.kept = 0
        """Number of answers at the last stored snapshot."""
        self.kept_at = 0
        """Version of the last stored snapshot."""
        self.stored_history: StoredHistory | None = None
        """History before the restored state; None if the log was replayed."""
        self.damage = ""
        """What is wrong with the log, if the game could be continued nevertheless."""
        self.memory: dict[str, Any] = {}
        """Caches of other modules, each under its own key; they check validity themselves."""

    # Reading the log

    def replay(self, entries: Sequence[LogEntry | None], snapshot: Snapshot | None) -> None:
        """Replay the log; if today's rules refuse an entry, or entries are missing, continue from the last snapshot."""
        try:
            self._follow(entries, snapshot)
        except (OstbahnError, ValueError, LookupError):
            if snapshot is None:
                raise
            self._resume(snapshot)
            for version, entry in enumerate(entries[: snapshot.version], start=1):
                if entry is not None:
                    self._add_notice(entry, version, 0)
            self._follow(entries[snapshot.version :], None)

    def _follow(self, entries: Iterable[LogEntry | None], check: Snapshot | None) -> None:
        for entry in entries:
            if entry is None:
                raise OstbahnError(f"line {self.version + 1} of game {self.id} is missing")
            self.apply_entry(entry)
            if check is not None and check.version == self.version and check.digest != self.game.state.digest:
                raise OstbahnError(f"game {self.id} stands otherwise than it did at version {self.version}")

    def _resume(self, snapshot: Snapshot) -> None:
        rulebook, setup = rulebook_for(self.game.setup), self.game.setup
        state = msgspec.json.decode(decompress(snapshot.state), type=type(self.game.state))
        self.game = Game.from_state(rulebook, setup, state)
        self.version = self.moved = self.since = snapshot.version
        self.skipped, self.given, self.notices = snapshot.number, [], Notices()

    def apply_entry(self, entry: LogEntry) -> None:
        before = self.number
        self._apply(entry)
        self.version += 1
        if entry.kind != "name":
            self.moved = self.version
        self._add_notice(entry, self.version, before - self.number)

    def apply_trusted_entry(self, entry: LogEntry) -> None:
        """Apply an entry without checking it again; the caller guarantees that it was written under today's rules."""
        if entry.kind != "answer":
            self.apply_entry(entry)
            return
        self.game.apply_unchecked(decode_action(self.game.setup.title, msgspec.json.decode(entry.data)), entry.by)
        self.given.append(self._origin_of(entry))
        self.version += 1
        self.moved = self.version

    def _apply(self, entry: LogEntry) -> None:
        if entry.kind == "answer":
            self.game.apply(decode_action(self.game.setup.title, msgspec.json.decode(entry.data)), entry.by)
            self.given.append(self._origin_of(entry))
        elif entry.kind == "undo":
            self._undo_to(int(entry.data))
        elif entry.kind == "name":
            naming = msgspec.json.decode(entry.data, type=NameChange)
            self.game = self.game.with_setup(with_seat_renamed(self.game.setup, naming.seat, naming.name))
            self.memory.clear()

    def _origin_of(self, entry: LogEntry) -> AnswerOrigin:
        return AnswerOrigin(entry.how, entry.note, self.version + 1)

    def _add_notice(self, entry: LogEntry, version: int, gone: int) -> None:
        notice = Notice(version=version, number=self.number, by=entry.by, note=entry.note)
        if entry.kind == "undo":
            self.notices.move_back(self.number)
            notice = msgspec.structs.replace(notice, gone=gone)
        elif entry.kind == "seat":
            notice = msgspec.structs.replace(notice, handover=msgspec.json.decode(entry.data, type=Handover))
        elif entry.kind == "name":
            notice = msgspec.structs.replace(notice, naming=msgspec.json.decode(entry.data, type=NameChange))
        else:
            return
        self.notices.all.append(notice)

    def _undo_to(self, keep: int) -> None:
        if keep < self.skipped:
            raise Refused(Refusal("", f"moves before number {self.skipped} are no longer kept"))
        while self.number > keep:
            self.game.undo()
            self.given.pop()

    def snapshot(self) -> Snapshot:
        state = self.game.state
        return Snapshot(self.version, self.number, state.digest, compress(msgspec.json.encode(state)))

    # What it is now

    @property
    def number(self) -> int:
        """How many answers the game has."""
        return self.skipped + len(self.game)

    @property
    def weight(self) -> int:
        """Estimated memory in kB (measured in `docs/performance.md`)."""
        return ROOM_KB + ANSWER_KB * self.number + STATE_KB * self.game.loaded_state_count

    @property
    def first(self) -> int:
        """How many answers cannot be undone."""
        return self.skipped

    @property
    def turn(self) -> str | None:
        """The seat to move."""
        question = self.game.question
        return None if question is None else question.decider

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats of people."""
        return tuple(seat for seat in seats_of(self.game.setup) if seat not in self.bots)

    # Looking back

    def at(self, number: int) -> Game:
        """The game as it was after `number` answers."""
        return self.game if number == self.number else self.game.position(number - self.skipped)

    def version_at(self, number: int) -> int:
        """The version in which the game had this many answers; identifies a state for pages."""
        index = number - self.skipped - 1
        return self.given[index].version if index >= 0 else self.since

    def game_at_version(self, version: int) -> Game | None:
        """The game at a version; None if it is not in memory or was undone."""
        if version == self.since:
            return self.at(self.skipped)
        index = bisect_left(self.given, version, key=lambda given: given.version)
        if index < len(self.given) and self.given[index].version == version:
            return self.at(self.skipped + index + 1)
        return None

    # Playing

    def begin(self, game: Game) -> list[LogEntry]:
        """Start with a new game, or continue one that was played elsewhere."""
        self.game = game.branch()
        entries = [LogEntry("answer", by, encode_action_json(action)) for by, action in game.actions()]
        self.version = self.moved = len(entries)
        self.given = [AnswerOrigin(entry.how, entry.note, version) for version, entry in enumerate(entries, start=1)]
        return entries + self._answer_obvious()

    def answer(self, action: Action, by: str, how: AnswerSource = "person", note: str = "") -> list[LogEntry]:
        """Apply an answer and the obvious ones that follow."""
        return [self._apply_answer(action, by, how, note), *self._answer_obvious()]

    def _answer_obvious(self) -> list[LogEntry]:
        entries = []
        while not self.ask_all and self.turn is not None and self.turn not in self.bots:
            if (obvious := obvious_answer(self.game)) is None:
                break
            entries.append(self._apply_answer(obvious.action, self.turn, "obvious", obvious.why))
        return entries

    def _apply_answer(self, action: Action, by: str, how: AnswerSource, note: str) -> LogEntry:
        entry = LogEntry("answer", by, encode_action_json(action), how, note)
        self.game.apply(action, by)
        self.given.append(self._origin_of(entry))
        self.version += 1
        self.moved = self.version
        return entry

    def undo(self, keep: int, by: str, note: str = "") -> list[LogEntry]:
        """Undo all answers after the first `keep`."""
        if not self.first <= keep < self.number:
            raise Refused(Refusal("", f"there is nothing to take back after move {keep}"))
        return self._append(LogEntry("undo", by, str(keep), note=note))

    def hand_over(self, handover: Handover, by: str = HOST) -> list[LogEntry]:
        """Let another player or bot play a seat; `by` the host, the clock, or all players."""
        return self._append(LogEntry("seat", by, msgspec.json.encode(handover).decode()))

    def name_seat(self, naming: NameChange) -> list[LogEntry]:
        return self._append(LogEntry("name", naming.seat, msgspec.json.encode(naming).decode()))

    def _append(self, entry: LogEntry) -> list[LogEntry]:
        self.apply_entry(entry)
        return [entry]

    def own_move(self, seats: Iterable[str]) -> int | None:
        """How many answers remain if these seats undo their last move; None if that needs the consent of others.

        Later answers by bots, programmed moves of others and obvious answers need no consent. A move by a former player
        of the seat cannot be undone. At a table with other people, neither can one after which something was drawn at
        random: it would reveal the draw.
        """
        mine = set(seats)
        records = self.game.records
        for index in range(len(self.given) - 1, -1, -1):
            how, by = self.given[index].how, records[index].by
            if how == "person" or (how == "prepared" and by in mine):
                handover = self.notices.last_handover(by)
                own = by in mine and (handover is None or handover.version < self.given[index].version)
                return self.skipped + index if own and not self._revealed_draw(index, mine) else None
        return None

    def _revealed_draw(self, index: int, mine: set[str]) -> bool:
        """Whether a random draw since an answer would be revealed to people."""
        before, now = (getattr(state, "chance", None) for state in (self.game.state_at(index), self.game.state))
        return before != now and not set(self.persons) <= mine


def check_version(room: Room, version: int) -> None:
    """Raise Stale unless the sender saw the present state; changes of names do not matter."""
    if not room.moved <= version <= room.version:
        raise Stale(f"the game has moved on (this was for version {version}, it is at {room.version})")
