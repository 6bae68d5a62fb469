"""Planning boards: rooms that fork a game, and their comparison with that game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, takewhile
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, field

from ostbahn.interop.saves import decode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import OstbahnError, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import start_game
from ostbahn.planning.plan import (
    MOST_ANSWERS,
    Plan,
    PlanFit,
    PlannedAnswer,
    ReplayedPlan,
    board_at,
    check_length,
    compare_with_game,
    describe_planned_answer,
    first_move,
    replay_on,
)
from ostbahn.table.access import BOARD, Access, NotYours
from ostbahn.table.room import (
    HOST,
    AnswerOrigin,
    AnswerSource,
    LogEntry,
    NameChange,
    Room,
    Snapshot,
    encode_action_json,
)
from ostbahn.text.formatting import printable, sentence_case
from ostbahn.text.speech import text_renderer_of

MOST_LINES: Final = 10 * MOST_ANSWERS
"""Limit of log entries per board; undone answers count."""
VERSION_STRIDE: Final = 100_000
"""Versions per log entry: a single fork entry holds many answers, and each needs its own version."""


class ForkAnswer(Struct, frozen=True):
    """An answer of the forked game."""

    by: str
    action: str
    how: AnswerSource
    note: str


class Fork(Struct, frozen=True, kw_only=True):
    """The log entry that starts a board, or restarts it from the present game."""

    number: int
    """Number of answers after the fork."""
    keep: int
    """How many of these the board already had; `answers` has the rest."""
    answers: tuple[ForkAnswer, ...]
    seed: int = field(name="lots")
    """The seed of random draws on the board."""


class _ForkNumber(Struct, frozen=True):
    number: int


def answers_after_fork(data: str) -> int:
    """`Fork.number` of an encoded fork, without decoding its answers."""
    return msgspec.json.decode(data, type=_ForkNumber).number


class PlanRoom(Room):
    """A planning board. Its owner plays all seats and can let bots answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fork = 0
        """Number of answers copied from the game."""
        self.seed = 0
        """The seed of random draws on the board."""
        self.undone: list[AnswerOrigin] = []
        """Origins of answers that can be redone, the next one last."""

    @property
    def plan(self) -> Plan:
        """The board as a plan, for comparison with the game."""
        return Plan(self.name, self.game, self.fork, self.seed, [origin.how for origin in self.given[self.fork :]])

    # Reading the log

    def replay(self, entries: Sequence[LogEntry | None], snapshot: Snapshot | None) -> None:
        """Replay the log without falling back on a snapshot: a board whose fork fails to replay is lost."""
        self._follow(entries, snapshot)

    def apply_trusted_entry(self, entry: LogEntry) -> None:
        """Apply the entry with all checks, since redo needs the undone answers."""
        self.apply_entry(entry)

    def _apply(self, entry: LogEntry) -> None:
        if entry.kind == "fork":
            self._apply_fork(msgspec.json.decode(entry.data, type=Fork))
        elif entry.kind == "redo":
            while self.number < int(entry.data):
                self.game.redo()
                self.given.append(self.undone.pop())
        else:
            if entry.kind == "answer":
                self.undone = []
            super()._apply(entry)

    def _add_notice(self, entry: LogEntry, version: int, gone: int) -> None:
        """Do nothing: a board shows no notices."""

    def _origin_of(self, entry: LogEntry) -> AnswerOrigin:
        return AnswerOrigin(entry.how, entry.note, (self.version + 1) * VERSION_STRIDE)

    def _apply_fork(self, fork: Fork) -> None:
        game = self.game.position(fork.keep) if fork.keep else start_game(self.game.setup)
        for answer in fork.answers:
            game.apply(decode_action(game.setup.title, msgspec.json.decode(answer.action)), answer.by)
        self._adopt_fork(game, fork)

    def _adopt_fork(self, game: Game, fork: Fork) -> None:
        """Replace the board's game by the forked one."""
        versions = count((self.version + 1) * VERSION_STRIDE)
        new = [AnswerOrigin(answer.how, answer.note, next(versions)) for answer in fork.answers]
        self.game, self.given = board_at(game, len(game), fork.seed), [*self.given[: fork.keep], *new]
        self.fork, self.seed, self.undone = fork.number, fork.seed, []
        self.memory.clear()

    def _undo_to(self, keep: int) -> None:
        self.undone += reversed(self.given[keep:])
        super()._undo_to(keep)

    # What it is now

    @property
    def first(self) -> int:
        return self.fork

    def own_move(self, seats: Iterable[str]) -> int | None:
        """The last move that was not automatic, whoever made it: the owner of the board plays all seats."""
        moves = (number for number in range(self.number - 1, self.fork - 1, -1) if self.given[number].how != "obvious")
        return next(moves, None)

    # Playing

    def fork_game(self, game: Game, given: Sequence[AnswerOrigin], seed: int) -> list[LogEntry]:
        """Start the board as a fork of a game."""
        fork = _make_fork(game, given, 0, seed)
        self._adopt_fork(game, fork)
        self.version = self.moved = 1
        return [_fork_entry(fork), *self._answer_obvious()]

    def refork_game(
        self, game: Game, given: Sequence[AnswerOrigin], common: int, planned: Iterable[PlannedAnswer]
    ) -> list[LogEntry]:
        """Fork the present game again and repeat `planned`, the planned answers that are still legal.

        common: how many answers board and game share from the start.
        """
        keep = min(common, max(0, self.fork - 1))  # after the old fork the board drew with its own seed
        entries = self._append(_fork_entry(_make_fork(game, given, keep, self.seed)))
        entries += [self._apply_answer(answer.action, answer.by, answer.how, "") for answer in planned]
        return entries + self._answer_obvious()

    def redo(self, by: str) -> list[LogEntry]:
        """Redo the move that was undone last, with the automatic answers after it."""
        if not self.undone:
            raise Refused(Refusal("", "nothing has been taken back"))
        automatic = list(takewhile(lambda origin: origin.how == "obvious", reversed(self.undone[:-1])))
        return self._append(LogEntry("redo", by, str(self.number + 1 + len(automatic))))

    def _apply_answer(self, action: Action, by: str, how: AnswerSource, note: str) -> LogEntry:
        check_length(self.number - self.fork)
        self._check_log_length()
        entry = super()._apply_answer(action, by, how, note)
        self.undone = []
        return entry

    def _append(self, entry: LogEntry) -> list[LogEntry]:
        self._check_log_length()
        return super()._append(entry)

    def _check_log_length(self) -> None:
        if self.version >= MOST_LINES:
            raise Refused(Refusal("", "this plan has been changed too often; throw it away, and make another"))

    def name_seat(self, naming: NameChange) -> list[LogEntry]:
        raise Refused(Refusal("", "on a planning board everybody is called as in the game"))


def _make_fork(game: Game, given: Sequence[AnswerOrigin], keep: int, seed: int) -> Fork:
    answers = tuple(
        ForkAnswer(record.by, encode_action_json(record.action), origin.how, origin.note)
        for record, origin in zip(game.records[keep:], given[keep:], strict=True)
    )
    return Fork(number=len(game), keep=keep, answers=answers, seed=seed)


def _fork_entry(fork: Fork) -> LogEntry:
    return LogEntry("fork", HOST, msgspec.json.encode(fork).decode())


STATUS: Final = "how a plan stands"
"""Key of `plan_status` results in `Room.memory`."""


class PlannedGame(NamedTuple):
    """The present state of the game that a plan is for."""

    game: Game
    given: tuple[AnswerOrigin, ...]
    version: int
    name: str
    seats: tuple[str, ...]
    """The seats of the planner."""


class PlanStatus(NamedTuple):
    """How a plan compares with its game."""

    fit: PlanFit
    replayed: ReplayedPlan | None
    """Its answers that are still legal in the game; None unless plan and game have diverged."""


class PlanRecord(NamedTuple):
    """A plan as stored on a server."""

    id: str
    name: str
    number: int
    """Number of answers on its board."""
    round: str


class PlanSummary(Struct, frozen=True, kw_only=True):
    """A planning board in a list."""

    id: str
    key: str
    """Its key. It opens the board like a table."""
    path: str
    name: str
    number: int
    """How many answers have been given on it, those of the game included."""
    round: str


class FirstMove(Struct, frozen=True, kw_only=True):
    """The planned move that would come next in the game."""

    words: str
    """The move; empty if none is planned."""
    refusal: str
    """Why it cannot be played now; empty if it can."""


class PlanView(Struct, frozen=True, kw_only=True):
    """How a planning board relates to its game."""

    id: str
    name: str
    table: str
    """The key of the table of the game."""
    game: str
    """The name of the game."""
    fork: int
    """After which answer the plan begins."""
    answers: int
    """How many answers of its own the plan has. Here and below, answers without a choice do not count."""
    now: int
    """How many answers the game has now."""
    followed: int
    """How many answers of the plan the game has followed."""
    broke: str
    """Where plan and game differ, in words; empty while the plan fits."""
    broke_at: int | None
    """At which answer they differ; null while the plan fits."""
    usable: int
    """How many of the remaining answers are still legal in the present game."""
    left: int
    """How many answers of the plan remain."""
    stopped: str
    """Why the first of the others is no longer legal."""
    first: FirstMove
    """The planned move that would come next in the game."""
    until: str
    """The seat at which bots stop: yours, or the one that was to move where the plan begins."""
    until_name: str
    asked: bool
    """Whether that seat is to move now."""
    can_redo: bool


def plan_status(room: PlanRoom, real: PlannedGame) -> PlanStatus:
    """Compare plan and game, cached until either changes."""
    moment = (room.version, real.version)
    cached: tuple[object, PlanStatus] | None = room.memory.get(STATUS)
    if cached is None or cached[0] != moment:
        fit = compare_with_game(room.plan, real.game)
        cached = moment, PlanStatus(fit, None if fit.broke is None else replay_on(room.plan, real.game))
        room.memory[STATUS] = cached
    return cached[1]


def first_planned(room: PlanRoom, real: PlannedGame) -> PlannedAnswer:
    """The planned move that its owner can play in the game now; raise if there is none."""
    if not real.seats:
        raise NotYours("those who look on can plan, but not play")
    first = first_move(room.plan, real.game)
    if first.by not in real.seats:
        raise Refused(Refusal("", f"it is the turn of {text_renderer_of(real.game).names()[first.by]}"))
    return first


def plan_view(room: PlanRoom, real: PlannedGame, table: str) -> PlanView:
    """Describe a plan and how it compares with its game. table: the key of the game's table."""
    status = plan_status(room, real)
    broke, replayed, until = status.fit.broke, status.replayed, _seat_to_stop_at(room, real)
    answers = room.plan.answers
    return PlanView(
        id=room.id,
        name=room.name,
        table=table,
        game=real.name,
        fork=room.fork,
        answers=_count_decisions(answers),
        now=len(real.game),
        followed=_count_decisions(answers[: status.fit.followed]),
        broke="" if broke is None else sentence_case(str(broke)),
        broke_at=None if broke is None else broke.number,
        usable=_count_decisions(status.fit.left if replayed is None else replayed.kept),
        left=_count_decisions(status.fit.left),
        stopped="" if replayed is None else replayed.stopped,
        first=_first_move_view(room, real, status),
        until=until,
        until_name=printable(text_renderer_of(room.game).names()[until]),
        asked=room.turn == until,
        can_redo=bool(room.undone),
    )


def _first_move_view(room: PlanRoom, real: PlannedGame, status: PlanStatus) -> FirstMove:
    """The next planned move in words, and why it cannot be played now."""
    left, words = status.fit.left if status.replayed is None else status.replayed.kept, ""
    if left and real.game.question is not None:
        words = sentence_case(describe_planned_answer(real.game, left[0]))
    try:
        first_planned(room, real)
    except OstbahnError as error:
        return FirstMove(words=words, refusal=sentence_case(str(error)))
    return FirstMove(words=words, refusal="")


def _count_decisions(answers: Iterable[PlannedAnswer]) -> int:
    return sum(answer.how != "obvious" for answer in answers)


def _seat_to_stop_at(room: PlanRoom, real: PlannedGame) -> str:
    """The seat at which bots stop; `PlanView.until` explains the choice."""
    if len(real.seats) == 1:
        return real.seats[0]
    question = room.at(room.fork).question
    return room.game.state.players[0] if question is None else question.decider


def plan_summaries(plans: Iterable[PlanRecord], who: Access) -> list[PlanSummary]:
    """List plans with keys made from the viewer's key, which opens the table or one of its boards."""
    table_key = who.key.partition(BOARD)[0]
    return [
        PlanSummary(
            id=plan.id,
            key=f"{table_key}{BOARD}{plan.id}",
            path=f"/t/{table_key}{BOARD}{plan.id}",
            name=plan.name,
            number=plan.number,
            round=plan.round,
        )
        for plan in plans
    ]
