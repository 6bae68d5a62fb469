"""A plan: a fork of a game, on which one player answers for all seats.

A plan has a random state of its own, so that its draws reveal nothing about the real game.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Final, Literal, NamedTuple

from ostbahn.bots.playing import Bot
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.chance import with_seed
from ostbahn.kernel.errors import BadSetup, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.text.speech import Speech

AnswerSource = Literal["person", "bot", "obvious", "prepared"]
"""Who gave an answer; `obvious` answers were the only ones, `prepared` ones came from programmed moves."""
MOST_ANSWERS: Final = 1000
"""Answers of a plan after its fork; half of a long game."""
MOST_AT_ONCE: Final = 200
"""Answers that bots give in one go."""
LONGEST_NAME: Final = 60


class PlannedAnswer(NamedTuple):
    """The planned answer to one question."""

    by: str
    action: Action
    how: AnswerSource = "person"


def board_at(game: Game, number: int, seed: int) -> Game:
    """A fork of a game after `number` answers, with another random state; its history stays readable."""
    history = game.position(number).history
    last = with_seed(history.states[-1], seed)
    return Game.from_history(game.rulebook, history._replace(states=(*history.states[:-1], last)))


def plan_name(text: str) -> str:
    """Normalise and validate the name of a plan."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a plan has 1 to {LONGEST_NAME} letters")
    return name


class Plan:
    """A fork of a game with the planned answers; undo stops at the fork."""

    def __init__(self, name: str, game: Game, fork: int, lots: int, how: Iterable[AnswerSource] = ()) -> None:
        self.name = name
        self.game = game
        self.fork = fork
        """Number of answers from the real game."""
        self.lots = lots
        """The random seed of the fork."""
        self.how = list(how)
        """The source of each planned answer."""
        self._undone: list[PlannedAnswer] = []

    @classmethod
    def forked(cls, name: str, game: Game, number: int, lots: int) -> Plan:
        return cls(plan_name(name), board_at(game, number, lots), number, lots)

    @property
    def answers(self) -> tuple[PlannedAnswer, ...]:
        own = self.game.records[self.fork :]
        return tuple(PlannedAnswer(record.by, record.action, how) for record, how in zip(own, self.how, strict=True))

    @property
    def undone(self) -> tuple[PlannedAnswer, ...]:
        """Answers that can be redone, the next one first."""
        return tuple(reversed(self._undone))

    def answer(self, action: Action, by: str | None = None, how: AnswerSource = "person") -> Record:
        check_length(len(self.how))
        record = self.game.apply(action, by)
        self.how.append(how)
        self._undone.clear()
        return record

    def undo(self) -> Record:
        """Undo the last planned answer; answers of the real game stay."""
        if not self.how:
            raise Refused(Refusal("", f"nothing is planned after move {self.fork}, so there is nothing to take back"))
        self._undone.append(self.answers[-1])
        self.how.pop()
        return self.game.undo()

    def redo(self) -> Record:
        record = self.game.redo()
        self.how.append(self._undone.pop().how)
        return record

    # Bots

    def let_answer(self, bot: Bot) -> Record:
        return self.answer(ask_bot(bot, self.game).action, how="bot")

    def let_answer_until(self, bot: Bot, seat: str) -> list[Record]:
        """Let a bot answer until a seat is to move."""
        given: list[Record] = []
        while (question := self.game.question) is not None and question.decider != seat and len(given) < MOST_AT_ONCE:
            given.append(self.let_answer(bot))
        return given


def check_length(own: int) -> None:
    """Refuse another answer if a plan already has the most."""
    if own >= MOST_ANSWERS:
        raise Refused(Refusal("", f"a plan has at most {MOST_ANSWERS} answers"))


# How far the game has followed a plan

OVER = Refusal("", "the game is over")


class Divergence(NamedTuple):
    """Where plan and game diverge."""

    number: int
    """The number of the answer that differs."""
    planned: str
    played: str
    """The planned and the real answer in words; equal if only random draws differ."""

    def __str__(self) -> str:
        if self.planned == self.played:
            return f"at move {self.number} lots were drawn otherwise"
        return f"at move {self.number} the plan was: {self.planned}; the game went on: {self.played}"


class PlanFit(NamedTuple):
    """How a plan compares with the present game."""

    common: int
    """How many answers are the same in both, from the first on."""
    followed: int
    """How many planned answers the game has followed."""
    left: tuple[PlannedAnswer, ...]
    """The planned answers after those."""
    broke: Divergence | None
    """None if the game has not diverged."""


class ReplayedPlan(NamedTuple):
    """A plan repeated on the present game as far as it is legal."""

    board: Game
    kept: tuple[PlannedAnswer, ...]
    stopped: str
    """Why the next answer is not legal; empty if all are."""


def compare_with_game(plan: Plan, game: Game) -> PlanFit:
    """Compare records one by one; random draws are part of them."""
    pairs = zip(plan.game.records, game.records, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    diverges = common < min(len(plan.game), len(game))
    return PlanFit(
        common=common,
        followed=max(0, common - plan.fork),
        left=_answers_after(plan, common),
        broke=Divergence(common + 1, _did(plan.game, common), _did(game, common)) if diverges else None,
    )


def replay_on(plan: Plan, game: Game) -> ReplayedPlan:
    """Repeat the rest of a plan on the present game.

    Answers are skipped until one fits the player to move, and obvious ones wherever they are not legal. After that the
    first illegal answer ends the plan.
    """
    board = board_at(game, len(game), plan.lots)
    kept: list[PlannedAnswer] = []
    for answer in compare_with_game(plan, game).left:
        question = board.question
        if question is not None and question.decider != answer.by and not kept:
            continue
        refusal = OVER if question is None else board.refusal(answer.action, answer.by)
        if refusal is None:
            board.apply(answer.action, answer.by)
            kept.append(answer)
        elif answer.how != "obvious":
            return ReplayedPlan(board, tuple(kept), _describe_stop(board, answer, refusal))
    return ReplayedPlan(board, tuple(kept), "")


def rebased(plan: Plan, game: Game) -> Plan:
    """The plan as a fork of the present game, with the answers that are still legal."""
    replayed = replay_on(plan, game)
    return Plan(plan.name, replayed.board, len(game), plan.lots, [answer.how for answer in replayed.kept])


def first_move(plan: Plan, game: Game) -> PlannedAnswer:
    """The next planned answer, if it is legal in the present game; otherwise raise Refused."""
    fit = compare_with_game(plan, game)
    if not fit.left:
        raise Refused(Refusal("", "nothing is planned beyond where the game stands"))
    if fit.broke is None:
        first = fit.left[0]
        refusal = game.refusal(first.action, first.by)
        if refusal is not None:
            raise Refused(refusal)
        return first
    replayed = replay_on(plan, game)
    if not replayed.kept:
        raise Refused(Refusal("", replayed.stopped or "nothing of this plan can be given any more"))
    return replayed.kept[0]


def describe_planned_answer(game: Game, answer: PlannedAnswer) -> str:
    return Speech(game).describe(answer.action)


def _answers_after(plan: Plan, number: int) -> tuple[PlannedAnswer, ...]:
    """Answers of the plan from `number` on; the game may have been undone to before the fork."""
    before = [PlannedAnswer(record.by, record.action) for record in plan.game.records[number : plan.fork]]
    return (*before, *plan.answers[max(0, number - plan.fork) :])


def _did(game: Game, number: int) -> str:
    record, speech = game.records[number], Speech(game.position(number), game.position(number + 1))
    return f"{speech.naming.who(record.by)} {speech.did(record)}"


def _describe_stop(board: Game, answer: PlannedAnswer, refusal: Refusal) -> str:
    if not board.question:
        return str(refusal)
    return f"“{describe_planned_answer(board, answer)}” cannot be done any more: {refusal}"
