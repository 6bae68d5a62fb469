"""The room of a planning board: it begins with the answers of a game, and whoever made it may do and undo as they like.

Its log has two kinds of lines of its own. `fork` tells the answers of the game, as many as are new, and from where
chance goes on after them: with lots of its own, so that nobody learns on a board what the game will draw. `redo` gives
again what was taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, takewhile
from typing import Any, Final

import msgspec
from msgspec import Struct

from ostbahn.interop.saves import decode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import begin
from ostbahn.planning.plan import MOST_ANSWERS, Answer, Plan, board_at, check_length
from ostbahn.table.notices import Naming
from ostbahn.table.room import HOST, Entry, Given, How, Room, Snapshot, encoded

MOST_LINES: Final = 10 * MOST_ANSWERS
"""Of the log of a board: doing and taking back for ever must come to an end."""
APART: Final = 100_000
"""Stamps that a line has room for: a fork tells as many answers as a game can have."""


class ForkAnswer(Struct, frozen=True):
    """An answer of the game with which a board begins."""

    by: str
    action: str
    how: How
    note: str


class Fork(Struct, frozen=True, kw_only=True):
    """A board begins, or begins anew, where a game stands."""

    number: int
    """How many answers of the game stand then."""
    keep: int
    """How many of them stood there already, with the lots of the game."""
    answers: tuple[ForkAnswer, ...]
    lots: int


class _Reached(Struct, frozen=True):
    number: int


def reached(data: str) -> int:
    """How many answers stand after a fork."""
    return msgspec.json.decode(data, type=_Reached).number


class PlanRoom(Room):
    """Somebody's planning board; they have all seats, and there are no bots but those whom they ask."""

    def __init__(self, *told: Any, **more: Any) -> None:
        super().__init__(*told, **more)
        self.fork = 0
        """How many answers of the game it begins with."""
        self.lots = 0
        self.undone: list[Given] = []
        """How the answers were given that can be given again, the next one last."""

    @property
    def plan(self) -> Plan:
        """As a plan, to be compared with the game; only to look at."""
        return Plan(self.name, self.game, self.fork, self.lots, [given.how for given in self.given[self.fork :]])

    # Reading the log

    def replay(self, entries: Sequence[Entry | None], snapshot: Snapshot | None) -> None:
        """A board whose beginning cannot be replayed any more is of no use."""
        self._follow(entries, snapshot)

    def repeat(self, entry: Entry) -> None:
        """What was taken back and can be given again has to be seen to as well."""
        self.take(entry)

    def _carry_out(self, entry: Entry) -> None:
        if entry.kind == "fork":
            self._fork(msgspec.json.decode(entry.data, type=Fork))
        elif entry.kind == "redo":
            self._on_to(int(entry.data))
        else:
            if entry.kind == "answer":
                self.undone = []
            super()._carry_out(entry)

    def _note(self, entry: Entry, version: int, gone: int) -> None:
        """Nobody need be told what they took back themselves."""

    def _as_given(self, entry: Entry) -> Given:
        return Given(entry.how, entry.note, (self.version + 1) * APART)

    def _fork(self, fork: Fork) -> None:
        game = self.game.at(fork.keep) if fork.keep else begin(self.game.setup)
        for answer in fork.answers:
            game.apply(decode_action(game.setup.title, msgspec.json.decode(answer.action)), answer.by)
        self._stand(game, fork)

    def _stand(self, game: Game, fork: Fork) -> None:
        """Where a fork leads, once its answers are given; each has a stamp of its own, though all are one line."""
        stamps = count((self.version + 1) * APART)
        new = [Given(answer.how, answer.note, next(stamps)) for answer in fork.answers]
        self.game, self.given = board_at(game, len(game), fork.lots), [*self.given[: fork.keep], *new]
        self.fork, self.lots, self.undone = fork.number, fork.lots, []
        self.memory.clear()

    def _back_to(self, keep: int) -> None:
        self.undone += reversed(self.given[keep:])
        super()._back_to(keep)

    def _on_to(self, number: int) -> None:
        while self.number < number:
            self.game.redo()
            self.given.append(self.undone.pop())

    # What it is now

    @property
    def first(self) -> int:
        return self.fork

    def own_move(self, seats: Iterable[str]) -> int | None:
        """All moves are those of whoever made the board; one is taken back with what answered itself after it."""
        own = (number for number in range(self.number - 1, self.fork - 1, -1) if self.given[number].how != "obvious")
        return next(own, None)

    # Playing

    def begin_with(self, game: Game, given: Sequence[Given], lots: int) -> list[Entry]:
        """Begin where a game stands."""
        fork = _fork_of(game, given, 0, lots)
        self._stand(game, fork)
        self.version = self.moved = 1
        return [_line(fork), *self._settle()]

    def begin_anew(self, game: Game, given: Sequence[Given], common: int, kept: Iterable[Answer]) -> list[Entry]:
        """Begin where the game stands today, with what of the plan can still be given.

        common: so many answers of the board and of the game are the same.
        """
        keep = min(common, max(0, self.fork - 1))  # from where it was forked on, the lots are its own
        entries = self._done(_line(_fork_of(game, given, keep, self.lots)))
        return [*entries, *(self._give(each.action, each.by, each.how, "") for each in kept), *self._settle()]

    def redo(self, by: str) -> list[Entry]:
        """Give the last move again that was taken back, with what answered itself after it."""
        if not self.undone:
            raise Refused(Refusal("", "nothing has been taken back"))
        with_it = takewhile(lambda given: given.how == "obvious", reversed(self.undone[:-1]))
        return self._done(Entry("redo", by, str(self.number + 1 + len(list(with_it)))))

    def _give(self, action: Action, by: str, how: How, note: str) -> Entry:
        check_length(self.number - self.fork)
        self._check_lines()
        given = super()._give(action, by, how, note)
        self.undone = []
        return given

    def _done(self, entry: Entry) -> list[Entry]:
        self._check_lines()
        return super()._done(entry)

    def _check_lines(self) -> None:
        if self.version >= MOST_LINES:
            raise Refused(Refusal("", "this plan has been changed too often; throw it away, and make another"))

    def name_seat(self, naming: Naming) -> list[Entry]:
        raise Refused(Refusal("", "on a planning board everybody is called as in the game"))


def _fork_of(game: Game, given: Sequence[Given], keep: int, lots: int) -> Fork:
    answers = zip(game.records[keep:], given[keep:], strict=True)
    told = tuple(ForkAnswer(record.by, encoded(record.action), how.how, how.note) for record, how in answers)
    return Fork(number=len(game), keep=keep, answers=told, lots=lots)


def _line(fork: Fork) -> Entry:
    return Entry("fork", HOST, msgspec.json.encode(fork).decode())
