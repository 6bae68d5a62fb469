"""Legs of a game: the answers between one state that is kept and the next, with what each of them changed.

By them a room comes back without a replay, whatever the rules of today say of its log. What was answered and how things
were then is read when somebody asks for it; the state that ends a leg tells whether it was read as it was written.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Record
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import kit_named, kit_of
from ostbahn.table.access import Stale
from ostbahn.table.room import AnswerOrigin, Notice, Notices, Room, Snapshot, compress, decompress

KERNEL: Final = "ostbahn.kernel"
"""Where the events are that every title may have."""
READ_ERRORS: Final = (OstbahnError, ValueError, LookupError, TypeError)
"""What may go wrong with something that is not as it was written."""


class SnapshotDelta(Struct, frozen=True):
    """What is kept of the answers after a state."""

    start: int
    """After how many answers it begins."""
    given: tuple[AnswerOrigin, ...]
    version: int
    """That of the game at its end."""
    moved: int
    """The version since which nothing has happened but that people said what they are called."""
    records: bytes
    """As JSON, packed; read when somebody asks for them."""
    changes: bytes
    """For each answer the fields of the state that it replaced, likewise."""
    notices: tuple[Notice, ...] = ()
    """All of the game, in its last leg alone."""

    @property
    def end(self) -> int:
        return self.start + len(self.given)


class SnapshotMismatch(OstbahnError):
    """What was kept does not fit together; then the log tells what happened."""


# Keeping


def snapshots(room: Room, every: int) -> list[Snapshot]:
    """The states to be kept by now, with their legs; several where many answers came at once."""
    if room.skipped:  # what was before is not at hand
        return [room.snapshot()]
    start, end = min(room.kept, room.number), room.number
    numbers = [start, *range(start + every, end - every // 2, every), end]
    return [_snapshot(room, first, last) for first, last in pairwise(numbers)]


def _snapshot(room: Room, start: int, end: int) -> Snapshot:
    state, leg = room.game.state_at(end), delta_of(room, start, end)
    return Snapshot(
        version=leg.version,
        number=end,
        digest=state.digest,
        state=compress(msgspec.json.encode(state)),
        leg=msgspec.msgpack.encode(leg),
        rules=kit_of(room.game).rules_version,
    )


def open_delta(room: Room) -> bytes | None:
    """The answers since the last state that was kept."""
    if room.skipped or room.kept > room.number:
        return None
    leg = delta_of(room, room.kept, room.number)
    return msgspec.msgpack.encode(msgspec.structs.replace(leg, notices=tuple(room.notices.all)))


def delta_of(room: Room, start: int, end: int) -> SnapshotDelta:
    game, now = room.game, end == room.number
    version = room.version if now else room.given[end - 1].version
    states = [game.state_at(number) for number in range(start, end + 1)]
    return SnapshotDelta(
        start=start,
        given=tuple(room.given[start:end]),
        version=version,
        moved=room.moved if now else version,
        records=compress(msgspec.json.encode(game.records[start:end])),
        changes=compress(msgspec.json.encode([_changed(*pair) for pair in pairwise(states)])),
    )


def _changed(before: State, after: State) -> dict[str, object]:
    """Tables of a state are replaced and never changed, so most of them are the same ones."""
    fields = type(after).__struct_fields__
    return {name: new for name in fields if (new := getattr(after, name)) is not getattr(before, name)}


# Coming back


def restore(room: Room, kept: Sequence[Snapshot], open_: bytes | None) -> None:
    """Let a new room go on from the last state that was kept and the leg after it."""
    legs = StoredDeltas(room.game, kept, open_)
    room.game = Game.restored(room.game, legs.last(), legs.end, legs)
    room.stored_history, room.version, room.moved = legs, legs.version, legs.moved
    room.given, room.notices = legs.given, Notices(legs.notices)
    if kept:
        room.kept, room.kept_at = kept[-1].number, kept[-1].version


class DeltaSection(NamedTuple):
    """A leg that stands, whole or as far as nothing of it was taken back."""

    start: int
    end: int
    state: bytes | None
    """With which it begins; None where the game does."""
    leg: SnapshotDelta
    digest: str
    """Of the state that ends it; empty where that is not known."""


class StoredDeltas:
    """What led to where a room was taken up: the `HistorySource` of its game."""

    def __init__(self, first: Game, kept: Sequence[Snapshot], open_: bytes | None) -> None:
        self.lost = False
        """Whether a leg could not be read; then the log has to be replayed."""
        self.given: list[AnswerOrigin] = []
        self.notices: tuple[Notice, ...] = ()
        self.version = self.moved = 0
        self._first = first
        self._parts: list[DeltaSection] = []
        self._records: list[Record] = []
        self._states: dict[int, State] = {}
        self._here: bytes | None = None
        """The last state that was kept."""
        for row in kept:
            if row.leg is None or self._add(row.leg, row.digest) != row.number:
                raise SnapshotMismatch(f"what was kept at version {row.version} has not as many answers as stood then")
            self._here = row.state
        if open_ is not None:
            self._add(open_, "")

    def _add(self, data: bytes, digest: str) -> int:
        """A leg goes on where the last one ends, or has nothing but where answers were taken back to."""
        leg = msgspec.msgpack.decode(data, type=SnapshotDelta)
        if leg.start > self.end or (leg.given and leg.start != self.end):
            raise SnapshotMismatch(f"what was kept from answer {leg.start} on does not go on from what was kept before")
        while self._parts and self._parts[-1].start >= leg.start:
            self._parts.pop()
        if self._parts and self._parts[-1].end > leg.start:
            self._parts[-1] = self._parts[-1]._replace(end=leg.start, digest=digest)
        if leg.given:
            self._parts.append(DeltaSection(leg.start, leg.end, self._here if leg.start else None, leg, digest))
        self.given[leg.start :] = leg.given
        self.notices, self.version, self.moved = leg.notices, leg.version, leg.moved
        return leg.end

    @property
    def end(self) -> int:
        return len(self.given)

    def last(self) -> State:
        if self._parts and not self._parts[-1].digest:
            return self._states_of(self._parts[-1])[-1]
        return self._first.state if self._here is None else _state(self._here, self._first)

    def records(self) -> Sequence[Record]:
        if not self._records:
            decoder = record_decoder(self._first.setup.title)
            for part in self._parts:
                found = decoder.decode(decompress(part.leg.records))[: part.end - part.start]
                self._records += [Record(each.by, each.action, each.events) for each in found]
        return self._records

    def state(self, number: int) -> State:
        if number not in self._states:
            part = next(part for part in self._parts if part.start <= number < part.end)
            try:
                states = self._states_of(part)
            except READ_ERRORS as fault:
                self.lost = True
                raise Stale("the table had to be read anew; load the page again") from fault
            self._states |= dict(enumerate(states[:-1], start=part.start))
        return self._states[number]

    def _states_of(self, part: DeltaSection) -> list[State]:
        """All states of a leg; whether they are as they were is known at its end."""
        state = self._first.state if part.state is None else _state(part.state, self._first)
        states = [state]
        changes = change_decoder(type(state)).decode(decompress(part.leg.changes))
        for change in changes[: part.end - part.start]:
            state = copy.copy(state)
            for name in state.__struct_fields__:
                if (new := getattr(change, name)) is not UNSET:
                    setattr(state, name, new)
            states.append(state)
        if part.digest and state.digest != part.digest:
            raise SnapshotMismatch(f"the states after answers {part.start} to {part.end} are not what they were")
        return states


def _state(data: bytes, like: Game) -> State:
    state: State = msgspec.json.decode(decompress(data), type=type(like.state))
    return state


@cache
def change_decoder(kind: type[State]) -> msgspec.json.Decoder[Any]:
    """How changes of a kind of state are read: any of its fields may be there."""
    fields = [(each.name, each.type | UnsetType, UNSET) for each in msgspec.structs.fields(kind)]
    change: Any = msgspec.defstruct("Change", fields)
    return msgspec.json.Decoder(tuple[change, ...])


@cache
def record_decoder(title: str) -> msgspec.json.Decoder[Any]:
    """How records of a title are read: its actions and events are known by their tags."""
    event: Any = Union[tuple(_events(title))]  # noqa: UP007
    fields = [("by", str), ("action", kit_named(title).actions), ("events", tuple[event, ...])]
    record: Any = msgspec.defstruct("RecordRead", fields)
    return msgspec.json.Decoder(tuple[record, ...])


def _events(title: str) -> list[type[Event]]:
    """Those that every title may have, and its own."""
    own = type(kit_named(title)).__module__.rpartition(".")[0]
    return [kind for kind in _kinds(Event) if kind.__module__.startswith((f"{KERNEL}.", f"{own}."))]


def _kinds(of: type[Event]) -> list[type[Event]]:
    return [kind for direct in of.__subclasses__() for kind in (direct, *_kinds(direct))]
