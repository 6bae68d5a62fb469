"""A game that is being played, as its log tells it: answers, what answers itself, and taking back."""

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
from ostbahn.table.access import Stale
from ostbahn.table.automatic import obvious_answer

HERE: Final = "here"
"""A seat that is played with the key of whoever makes the game."""
LINK: Final = "link"
"""A seat with a secret link of its own."""


class Handover(Struct, frozen=True):
    """Somebody else plays a seat from now on: `here` (the host), `link` or the code of a bot, as in a new table."""

    seat: str
    was: str
    who: str


class NameChange(Struct, frozen=True):
    """Somebody at a seat says what they are called."""

    seat: str
    was: str
    name: str
    joins: bool
    """Whether that is how they sat down; else they had the seat already."""

    @property
    def anonymises(self) -> bool:
        """Whether a name was forgotten with it: then earlier lines of the log are not what they were."""
        return not self.joins and self.was == self.name


class Notice(Struct, frozen=True, kw_only=True):
    version: int
    number: int
    """After which of the answers that stand it is told."""
    by: str
    """A seat, or `host`."""
    note: str
    handover: Handover | None = None
    naming: NameChange | None = None
    gone: int = 0
    """How many answers were taken back."""


class Notices:
    """All of a room, in the order of their versions."""

    def __init__(self, told: Iterable[Notice] = ()) -> None:
        self.all = list(told)

    def name_changes(self, seat: str) -> int:
        """How often somebody at a seat has said what they are called."""
        return sum(notice.naming is not None and notice.naming.seat == seat for notice in self.all)

    def move_back(self, keep: int) -> None:
        """What was told after an answer that is gone is told after the last one that stays."""
        self.all = [msgspec.structs.replace(notice, number=min(notice.number, keep)) for notice in self.all]

    def last_handover(self, seat: str) -> Notice | None:
        """By which a seat came to whoever plays it now; none if that is as it was at the beginning."""
        handovers = (notice for notice in reversed(self.all) if notice.handover and notice.handover.seat == seat)
        return next(handovers, None)

    def seats_replaced_since(self, keep: int) -> tuple[str, ...]:
        """Seats whose link somebody has lost since the first `keep` answers, who saw what would be taken back."""
        later = (notice.handover for notice in self.all if notice.handover and notice.number > keep)
        return tuple(sorted({handover.seat for handover in later if handover.was == LINK}))


AnswerSource = Literal["person", "bot", "obvious", "prepared"]

ROOM_KB: Final = 100
ANSWER_KB: Final = 1
STATE_KB: Final = 5
"""Memory of a room, of an answer in it with what came of it, and of a state that is at hand."""
HOST: Final = "host"
CLOCK: Final = "clock"
ALL: Final = "all"
"""Who gives seats, in the log."""


class LogEntry(Struct, frozen=True):
    """A line of the log."""

    kind: Literal["answer", "undo", "seat", "name", "fork", "redo"]
    """The last two are those of planning boards (`plans.py`)."""
    by: str
    data: str
    how: AnswerSource = "person"
    note: str = ""


class Snapshot(Struct, frozen=True):
    """A state as it was at a version of the game."""

    version: int
    number: int
    digest: str
    state: bytes
    leg: bytes | None = None
    """How it was come to from the state kept before (`snapshots.py`); earlier versions did not keep that."""
    rules: int = 0
    """The version of the rules then."""


class StoredHistory(Protocol):
    """What led to the state with which a room came back."""

    @property
    def lost(self) -> bool:
        """Whether it cannot be found again, so that the log has to be replayed."""


class AnswerOrigin(Struct, frozen=True):
    """How an answer that stands was given."""

    how: AnswerSource
    note: str
    version: int


def encode_action_json(action: Action) -> str:
    return msgspec.json.encode(encode_action(action)).decode()


def compress(data: bytes) -> bytes:
    """Something that is kept, in little room."""
    return zlib.compress(data, 1)


def decompress(data: bytes) -> bytes:
    """The same as it was; earlier versions kept states as they are."""
    return data if data.startswith(b"{") else zlib.decompress(data)


def seats_of(setup: Setup) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(1, len(setup.players) + 1))


def names_by_seat(setup: Setup) -> dict[str, str]:
    """What the players are called, as they write it."""
    return dict(zip(seats_of(setup), setup.players, strict=True))


def with_seat_renamed(setup: Setup, seat: str, name: str) -> Setup:
    names = names_by_seat(setup) | {seat: name}
    return msgspec.structs.replace(setup, players=tuple(names.values()))


class Room:
    """A live game. It lives in memory; whoever holds it writes the entries that it returns into the archive."""

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
        """The bots at the table: seat to code."""
        self.free: frozenset[str] = frozenset()
        """Seats whose link waits for somebody to sit down."""
        self.flags: dict[str, Any] = {}
        """What features know of it, as it was when somebody last touched it; a feature documents its own."""
        self.pace = pace
        self.ask_all = ask_all
        self.hints = hints
        self.game = start_game(setup)
        self.skipped = 0
        """Answers before the first one that is at hand: not 0 if the log had to go on from a snapshot."""
        self.version = 0
        self.moved = 0
        """The version since which nothing has happened but that people said what they are called."""
        self.since = 0
        """The version of the first state that is at hand."""
        self.given: list[AnswerOrigin] = []
        self.notices = Notices()
        self.kept = 0
        """How many answers stood in the last state that was kept."""
        self.kept_at = 0
        """The version of that."""
        self.stored_history: StoredHistory | None = None
        """How it was come to, where that was not replayed."""
        self.damage = ""
        """What is wrong with its log, where it could be gone on with all the same."""
        self.memory: dict[str, Any] = {}
        """What others have worked out of this room, each under a name of their own; they know how long it holds."""

    # Reading the log

    def replay(self, entries: Sequence[LogEntry | None], snapshot: Snapshot | None) -> None:
        """Play the log again; if a later referee refuses it, or lines are missing, go on from the last state kept."""
        try:
            self._follow(entries, snapshot)
        except (OstbahnError, ValueError, LookupError):  # or over what it does not know any more
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
        """A line that was judged when it was written, under the rules of today; its reader sees to that."""
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
        """How an answer was given that the next line tells."""
        return AnswerOrigin(entry.how, entry.note, self.version + 1)

    def _add_notice(self, entry: LogEntry, version: int, gone: int) -> None:
        """What is told beside the game."""
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
        """How many answers stand."""
        return self.skipped + len(self.game)

    @property
    def weight(self) -> int:
        """About how many kilobytes of memory it takes, as measured in long games (`docs/performance.md`)."""
        return ROOM_KB + ANSWER_KB * self.number + STATE_KB * self.game.loaded_state_count

    @property
    def first(self) -> int:
        """How many answers can no longer be taken back."""
        return self.skipped

    @property
    def turn(self) -> str | None:
        """The seat that is asked."""
        question = self.game.question
        return None if question is None else question.decider

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats of people; those whom the rules play have none."""
        return tuple(seat for seat in seats_of(self.game.setup) if seat not in self.bots)

    # Looking back

    def at(self, number: int) -> Game:
        """The game as it was after so many answers."""
        return self.game if number == self.number else self.game.position(number - self.skipped)

    def version_at(self, number: int) -> int:
        """The version that made the state after so many answers: by it a page tells which board it shows."""
        index = number - self.skipped - 1
        return self.given[index].version if index >= 0 else self.since

    def game_at_version(self, version: int) -> Game | None:
        """The state with that version, if it is at hand and was not taken back."""
        if version == self.since:
            return self.at(self.skipped)
        index = bisect_left(self.given, version, key=lambda given: given.version)
        if index < len(self.given) and self.given[index].version == version:
            return self.at(self.skipped + index + 1)
        return None

    # Playing

    def begin(self, game: Game) -> list[LogEntry]:
        """Sit down to a game that has been set up, or played so far elsewhere."""
        self.game = game.branch()
        entries = [LogEntry("answer", by, encode_action_json(action)) for by, action in game.actions()]
        self.version = self.moved = len(entries)
        self.given = [AnswerOrigin(entry.how, entry.note, version) for version, entry in enumerate(entries, start=1)]
        return entries + self._answer_obvious()

    def answer(self, action: Action, by: str, how: AnswerSource = "person", note: str = "") -> list[LogEntry]:
        """Give an answer, and those after it that are obvious."""
        return [self._apply_answer(action, by, how, note), *self._answer_obvious()]

    def _answer_obvious(self) -> list[LogEntry]:
        """Give the answers to questions that need not be asked."""
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
        """Take everything back after so many answers."""
        if not self.first <= keep < self.number:
            raise Refused(Refusal("", f"there is nothing to take back after move {keep}"))
        return self._append(LogEntry("undo", by, str(keep), note=note))

    def hand_over(self, handover: Handover, by: str = HOST) -> list[LogEntry]:
        """The host lets somebody else play a seat; or the clock does, or all at the table."""
        return self._append(LogEntry("seat", by, msgspec.json.encode(handover).decode()))

    def name_seat(self, naming: NameChange) -> list[LogEntry]:
        """Whoever has a seat says what they are called."""
        return self._append(LogEntry("name", naming.seat, msgspec.json.encode(naming).decode()))

    def _append(self, entry: LogEntry) -> list[LogEntry]:
        self.apply_entry(entry)
        return [entry]

    def own_move(self, seats: Iterable[str]) -> int | None:
        """How many answers stay if the last move of these seats is taken back; None once other people have acted.

        Bots have no objection, nor have people who were not there and had only prepared something, and what was obvious
        was nobody's decision. Whoever had a seat before is another person than the one who has it now. Where others
        play, an answer that drew by lot needs their consent: the same draw would come again after another decision.
        """
        mine = set(seats)
        records = self.game.records
        for index in range(len(self.given) - 1, -1, -1):
            how, by = self.given[index].how, records[index].by
            if how == "person" or (how == "prepared" and by in mine):
                handed = self.notices.last_handover(by)
                own = by in mine and (handed is None or handed.version < self.given[index].version)
                return self.skipped + index if own and not self._showed_draw(index, mine) else None
        return None

    def _showed_draw(self, index: int, mine: set[str]) -> bool:
        """Whether something was drawn since an answer, at a table of others."""
        before, now = (getattr(state, "chance", None) for state in (self.game.state_at(index), self.game.state))
        return before != now and not set(self.persons) <= mine


def check_version(room: Room, version: int) -> None:
    """An answer is for the state that its sender saw, and for no other; that somebody has sat down since is none."""
    if not room.moved <= version <= room.version:
        raise Stale(f"the game has moved on (this was for version {version}, it is at {room.version})")
