"""Snapshots of a game with deltas: the answers since the previous snapshot, and what each changed in the state.

They restore a room without replaying its log under today's rules. Records and earlier states are decoded on demand; the
digest of each snapshot verifies its delta.
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
"""Package of the events that every title has."""
READ_ERRORS: Final = (OstbahnError, ValueError, LookupError, TypeError)
"""Exceptions from decoding damaged data."""


class SnapshotDelta(Struct, frozen=True):
    """The answers after a snapshot."""

    start: int
    """Number of answers at the snapshot."""
    given: tuple[AnswerOrigin, ...]
    version: int
    """The version of the game at its end."""
    moved: int
    """`Room.moved` at its end."""
    records: bytes
    """Compressed JSON, decoded on demand."""
    changes: bytes
    """Compressed JSON: for each answer the fields of the state that it replaced."""
    notices: tuple[Notice, ...] = ()
    """All notices of the game; only in the open delta."""

    @property
    def end(self) -> int:
        return self.start + len(self.given)


class SnapshotMismatch(OstbahnError):
    """Snapshots and deltas do not fit together; the log has to be replayed."""


# Writing


def snapshots(room: Room, every: int) -> list[Snapshot]:
    """The due snapshots with their deltas, one for about every `every` answers since the last."""
    if room.skipped:  # earlier states are not in memory
        return [room.snapshot()]
    start, end = min(room.kept, room.number), room.number
    numbers = [start, *range(start + every, end - every // 2, every), end]
    return [_snapshot(room, first, last) for first, last in pairwise(numbers)]


def _snapshot(room: Room, start: int, end: int) -> Snapshot:
    state, delta = room.game.state_at(end), delta_of(room, start, end)
    return Snapshot(
        version=delta.version,
        number=end,
        digest=state.digest,
        state=compress(msgspec.json.encode(state)),
        leg=msgspec.msgpack.encode(delta),
        rules=kit_of(room.game).rules_version,
    )


def open_delta(room: Room) -> bytes | None:
    """The encoded answers since the last snapshot."""
    if room.skipped or room.kept > room.number:
        return None
    delta = delta_of(room, room.kept, room.number)
    return msgspec.msgpack.encode(msgspec.structs.replace(delta, notices=tuple(room.notices.all)))


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
        changes=compress(msgspec.json.encode([_changed_fields(*pair) for pair in pairwise(states)])),
    )


def _changed_fields(before: State, after: State) -> dict[str, object]:
    """The fields that differ by identity: states replace their tables and never change them in place."""
    fields = type(after).__struct_fields__
    return {name: new for name in fields if (new := getattr(after, name)) is not getattr(before, name)}


# Restoring


def restore(room: Room, kept: Sequence[Snapshot], open_: bytes | None) -> None:
    """Bring a new room to the last snapshot and the open delta after it."""
    deltas = StoredDeltas(room.game, kept, open_)
    room.game = Game.restored(room.game, deltas.last(), deltas.end, deltas)
    room.stored_history, room.version, room.moved = deltas, deltas.version, deltas.moved
    room.given, room.notices = deltas.given, Notices(deltas.notices)
    if kept:
        room.kept, room.kept_at = kept[-1].number, kept[-1].version


class DeltaSection(NamedTuple):
    """A delta, or the part of it that was not undone."""

    start: int
    end: int
    state: bytes | None
    """The snapshot with which it begins; None at the start of the game."""
    delta: SnapshotDelta
    digest: str
    """Digest of the state that ends it; empty if unknown."""


class StoredDeltas:
    """History of a restored game, read from its snapshots and deltas."""

    def __init__(self, new_game: Game, kept: Sequence[Snapshot], open_: bytes | None) -> None:
        self.lost = False
        """Whether a delta could not be read, so that the log has to be replayed."""
        self.given: list[AnswerOrigin] = []
        self.notices: tuple[Notice, ...] = ()
        self.version = self.moved = 0
        self._new_game = new_game
        self._parts: list[DeltaSection] = []
        self._records: list[Record] = []
        self._states: dict[int, State] = {}
        self._last_snapshot: bytes | None = None
        for row in kept:
            if row.leg is None or self._add_delta(row.leg, row.digest) != row.number:
                raise SnapshotMismatch(f"what was kept at version {row.version} has not as many answers as stood then")
            self._last_snapshot = row.state
        if open_ is not None:
            self._add_delta(open_, "")

    def _add_delta(self, data: bytes, digest: str) -> int:
        """Append a delta and return the number of answers at its end; an empty one only records an undo."""
        delta = msgspec.msgpack.decode(data, type=SnapshotDelta)
        if delta.start > self.end or (delta.given and delta.start != self.end):
            raise SnapshotMismatch(
                f"what was kept from answer {delta.start} on does not go on from what was kept before"
            )
        while self._parts and self._parts[-1].start >= delta.start:
            self._parts.pop()
        if self._parts and self._parts[-1].end > delta.start:
            self._parts[-1] = self._parts[-1]._replace(end=delta.start, digest=digest)
        if delta.given:
            self._parts.append(
                DeltaSection(delta.start, delta.end, self._last_snapshot if delta.start else None, delta, digest)
            )
        self.given[delta.start :] = delta.given
        self.notices, self.version, self.moved = delta.notices, delta.version, delta.moved
        return delta.end

    @property
    def end(self) -> int:
        return len(self.given)

    def last(self) -> State:
        if self._parts and not self._parts[-1].digest:
            return self._decode_states(self._parts[-1])[-1]
        if self._last_snapshot is None:
            return self._new_game.state
        return _decode_state(self._last_snapshot, self._new_game)

    def records(self) -> Sequence[Record]:
        if not self._records:
            decoder = record_decoder(self._new_game.setup.title)
            for part in self._parts:
                decoded = decoder.decode(decompress(part.delta.records))[: part.end - part.start]
                self._records += [Record(record.by, record.action, record.events) for record in decoded]
        return self._records

    def state(self, number: int) -> State:
        if number not in self._states:
            part = next(part for part in self._parts if part.start <= number < part.end)
            try:
                states = self._decode_states(part)
            except READ_ERRORS as fault:
                self.lost = True
                raise Stale("the table had to be read anew; load the page again") from fault
            self._states |= dict(enumerate(states[:-1], start=part.start))
        return self._states[number]

    def _decode_states(self, part: DeltaSection) -> list[State]:
        """Decode all states of a delta, and verify the last one by its digest."""
        state = self._new_game.state if part.state is None else _decode_state(part.state, self._new_game)
        states = [state]
        changes = change_decoder(type(state)).decode(decompress(part.delta.changes))
        for change in changes[: part.end - part.start]:
            state = copy.copy(state)
            for name in state.__struct_fields__:
                if (new := getattr(change, name)) is not UNSET:
                    setattr(state, name, new)
            states.append(state)
        if part.digest and state.digest != part.digest:
            raise SnapshotMismatch(f"the states after answers {part.start} to {part.end} are not what they were")
        return states


def _decode_state(data: bytes, game: Game) -> State:
    state: State = msgspec.json.decode(decompress(data), type=type(game.state))
    return state


@cache
def change_decoder(kind: type[State]) -> msgspec.json.Decoder[Any]:
    """A decoder of changes to a kind of state; each field is optional."""
    fields = [(field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(kind)]
    change: Any = msgspec.defstruct("Change", fields)
    return msgspec.json.Decoder(tuple[change, ...])


@cache
def record_decoder(title: str) -> msgspec.json.Decoder[Any]:
    """A decoder of a title's records."""
    event: Any = Union[tuple(_event_classes(title))]  # noqa: UP007
    fields = [("by", str), ("action", kit_named(title).actions), ("events", tuple[event, ...])]
    record: Any = msgspec.defstruct("RecordRead", fields)
    return msgspec.json.Decoder(tuple[record, ...])


def _event_classes(title: str) -> list[type[Event]]:
    """Event classes of the kernel and of a title."""
    package = type(kit_named(title)).__module__.rpartition(".")[0]
    return [cls for cls in _subclasses(Event) if cls.__module__.startswith((f"{KERNEL}.", f"{package}."))]


def _subclasses(of: type[Event]) -> list[type[Event]]:
    """All subclasses, indirect ones included."""
    return [cls for direct in of.__subclasses__() for cls in (direct, *_subclasses(direct))]
