"""A plan: a game as it stood after some move, and what somebody answered from there on, for whoever was asked.

A plan has a game of its own, which shares nothing with the real one, and draws lots of its own: what a plan shows of
chance is an example, and never what the game will bring.
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
"""Who gave an answer; an obvious one was nobody's decision, and a prepared one was decided on before."""
MOST_ANSWERS: Final = 1000
"""Of a plan, beyond where it was forked; that is half of a long game."""
MOST_AT_ONCE: Final = 200
"""Answers that bots give before somebody is asked again, at most."""
LONGEST_NAME: Final = 60


class PlannedAnswer(NamedTuple):
    """What was planned at one question."""

    by: str
    action: Action
    how: AnswerSource = "person"


def board_at(game: Game, number: int, lots: int) -> Game:
    """The game as it was after so many answers, to play on with other lots; its history is there to look back at."""
    history = game.position(number).history
    last = with_seed(history.states[-1], lots)
    return Game.from_history(game.rulebook, history._replace(states=(*history.states[:-1], last)))


def plan_name(text: str) -> str:
    """What somebody calls a plan, as far as it is a name."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a plan has 1 to {LONGEST_NAME} letters")
    return name


class Plan:
    """A board of somebody's own. What may be taken back ends where it was forked."""

    def __init__(self, name: str, game: Game, fork: int, lots: int, how: Iterable[AnswerSource] = ()) -> None:
        self.name = name
        self.game = game
        self.fork = fork
        """How many answers of the real game it begins with."""
        self.lots = lots
        """From where chance goes on."""
        self.how = list(how)
        """How each of its own answers was given."""
        self._undone: list[PlannedAnswer] = []

    @classmethod
    def forked(cls, name: str, game: Game, number: int, lots: int) -> Plan:
        """A new plan that begins after so many answers of a game."""
        return cls(plan_name(name), board_at(game, number, lots), number, lots)

    @property
    def answers(self) -> tuple[PlannedAnswer, ...]:
        own = self.game.records[self.fork :]
        return tuple(PlannedAnswer(record.by, record.action, how) for record, how in zip(own, self.how, strict=True))

    @property
    def undone(self) -> tuple[PlannedAnswer, ...]:
        """Answers that can be given again, the next one first."""
        return tuple(reversed(self._undone))

    def answer(self, action: Action, by: str | None = None, how: AnswerSource = "person") -> Record:
        check_length(len(self.how))
        record = self.game.apply(action, by)
        self.how.append(how)
        self._undone.clear()
        return record

    def undo(self) -> Record:
        """Take back the last answer of the plan; what the real game was before it is not for a plan to change."""
        if not self.how:
            raise Refused(Refusal("", f"nothing is planned after move {self.fork}, so there is nothing to take back"))
        self._undone.append(self.answers[-1])
        self.how.pop()
        return self.game.undo()

    def redo(self) -> Record:
        """Give the answer again that was taken back last."""
        record = self.game.redo()
        self.how.append(self._undone.pop().how)
        return record

    # Bots

    def let_answer(self, bot: Bot) -> Record:
        return self.answer(ask_bot(bot, self.game).action, how="bot")

    def let_answer_until(self, bot: Bot, seat: str) -> list[Record]:
        """A bot answers for all others until somebody is asked; nothing is done where they are asked already."""
        given: list[Record] = []
        while (question := self.game.question) is not None and question.decider != seat and len(given) < MOST_AT_ONCE:
            given.append(self.let_answer(bot))
        return given


def check_length(own: int) -> None:
    """Refuse one more answer where a plan has so many of its own, and no room for another."""
    if own >= MOST_ANSWERS:
        raise Refused(Refusal("", f"a plan has at most {MOST_ANSWERS} answers"))


# How far the game has followed a plan

OVER = Refusal("", "the game is over")


class Divergence(NamedTuple):
    """Where a plan and the game part."""

    number: int
    """The move at which they do."""
    planned: str
    played: str
    """What was planned there and what was done, in words; the same where lots were drawn otherwise."""

    def __str__(self) -> str:
        if self.planned == self.played:
            return f"at move {self.number} lots were drawn otherwise"
        return f"at move {self.number} the plan was: {self.planned}; the game went on: {self.played}"


class PlanFit(NamedTuple):
    """How a plan stands to the game of today."""

    common: int
    """So many answers are the same in both, from the first on."""
    followed: int
    """How many of the plan's own answers the game has gone along with."""
    left: tuple[PlannedAnswer, ...]
    """What of the plan is still to come, or never will."""
    broke: Divergence | None
    """None while it fits."""


class ReplayedPlan(NamedTuple):
    """What of a plan can still be given, on the game of today."""

    board: Game
    kept: tuple[PlannedAnswer, ...]
    stopped: str
    """Why the next answer cannot be given, in words; empty where all can."""


def compare_with_game(plan: Plan, game: Game) -> PlanFit:
    """Both are answers to the same questions as far as they agree, and lots are part of what came of an answer."""
    pairs = zip(plan.game.records, game.records, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    parts = common < min(len(plan.game), len(game))
    return PlanFit(
        common=common,
        followed=max(0, common - plan.fork),
        left=_answers_after(plan, common),
        broke=Divergence(common + 1, _did(plan.game, common), _did(game, common)) if parts else None,
    )


def replay_on(plan: Plan, game: Game) -> ReplayedPlan:
    """Give on the game of today what is left of a plan.

    Answers of others that the game has overtaken are left out, and so is what once answered itself. From the first
    answer on that can be given, it ends at the first one that cannot.
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
            return ReplayedPlan(board, tuple(kept), _stopped(board, answer, refusal))
    return ReplayedPlan(board, tuple(kept), "")


def rebased(plan: Plan, game: Game) -> Plan:
    """The plan as one of today: it begins where the game stands, with what can still be given."""
    found = replay_on(plan, game)
    return Plan(plan.name, found.board, len(game), plan.lots, [answer.how for answer in found.kept])


def first_move(plan: Plan, game: Game) -> PlannedAnswer:
    """The first answer of a plan that is still to be given, if the game of today takes it; else it says why not."""
    planned = compare_with_game(plan, game)
    if not planned.left:
        raise Refused(Refusal("", "nothing is planned beyond where the game stands"))
    if planned.broke is None:
        first = planned.left[0]
        refusal = game.refusal(first.action, first.by)
        if refusal is not None:
            raise Refused(refusal)
        return first
    again = replay_on(plan, game)
    if not again.kept:
        raise Refused(Refusal("", again.stopped or "nothing of this plan can be given any more"))
    return again.kept[0]


def describe_planned_answer(game: Game, answer: PlannedAnswer) -> str:
    """An answer as something to do, for whoever is asked in a game."""
    return Speech(game).describe(answer.action)


def _answers_after(plan: Plan, number: int) -> tuple[PlannedAnswer, ...]:
    """What the plan has after so many answers; the game may have gone back to before it begins."""
    before = [PlannedAnswer(record.by, record.action) for record in plan.game.records[number : plan.fork]]
    return (*before, *plan.answers[max(0, number - plan.fork) :])


def _did(game: Game, number: int) -> str:
    record, speech = game.records[number], Speech(game.position(number), game.position(number + 1))
    return f"{speech.naming.who(record.by)} {speech.did(record)}"


def _stopped(board: Game, answer: PlannedAnswer, refusal: Refusal) -> str:
    return (
        f"“{describe_planned_answer(board, answer)}” cannot be done any more: {refusal}"
        if board.question
        else str(refusal)
    )
