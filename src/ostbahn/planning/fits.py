"""Whether a plan still fits the game as it has gone on: how far the game followed it, where it broke, what is left."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.planning.plan import Answer, Plan, board_at
from ostbahn.text.speech import Speech

OVER = Refusal("", "the game is over")


class Break(NamedTuple):
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


class Fit(NamedTuple):
    """How a plan stands to the game of today."""

    common: int
    """So many answers are the same in both, from the first on."""
    followed: int
    """How many of the plan's own answers the game has gone along with."""
    left: tuple[Answer, ...]
    """What of the plan is still to come, or never will."""
    broke: Break | None
    """None while it fits."""


class Replayed(NamedTuple):
    """What of a plan can still be given, on the game of today."""

    board: Game
    kept: tuple[Answer, ...]
    stopped: str
    """Why the next answer cannot be given, in words; empty where all can."""


def fit(plan: Plan, game: Game) -> Fit:
    """Both are answers to the same questions as far as they agree, and lots are part of what came of an answer."""
    pairs = zip(plan.game.records, game.records, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    parts = common < min(len(plan.game), len(game))
    return Fit(
        common=common,
        followed=max(0, common - plan.fork),
        left=_answers_after(plan, common),
        broke=_break(plan.game, game, common) if parts else None,
    )


def replayed(plan: Plan, game: Game) -> Replayed:
    """Give on the game of today what is left of a plan.

    Answers of others that the game has overtaken are left out, and so is what once answered itself. From the first
    answer on that can be given, it ends at the first one that cannot.
    """
    board = board_at(game, len(game), plan.lots)
    kept: list[Answer] = []
    for answer in fit(plan, game).left:
        question = board.question
        if question is not None and question.decider != answer.by and not kept:
            continue
        refusal = OVER if question is None else board.refusal(answer.action, answer.by)
        if refusal is None:
            board.apply(answer.action, answer.by)
            kept.append(answer)
        elif answer.how != "obvious":
            return Replayed(board, tuple(kept), _stopped(board, answer, refusal))
    return Replayed(board, tuple(kept), "")


def brought_up_to_date(plan: Plan, game: Game) -> Plan:
    """The plan as one of today: it begins where the game stands, with what can still be given."""
    found = replayed(plan, game)
    return Plan(plan.name, found.board, len(game), plan.lots, [answer.how for answer in found.kept])


def first_move(plan: Plan, game: Game) -> Answer:
    """The first answer of a plan that is still to be given, if the game of today takes it; else it says why not."""
    found = fit(plan, game)
    if not found.left:
        raise Refused(Refusal("", "nothing is planned beyond where the game stands"))
    if found.broke is None:
        first = found.left[0]
        refusal = game.refusal(first.action, first.by)
        if refusal is not None:
            raise Refused(refusal)
        return first
    again = replayed(plan, game)
    if not again.kept:
        raise Refused(Refusal("", again.stopped or "nothing of this plan can be given any more"))
    return again.kept[0]


def told(game: Game, answer: Answer) -> str:
    """An answer as something to do, for whoever is asked in a game."""
    return Speech(game).describe(answer.action)


def _answers_after(plan: Plan, number: int) -> tuple[Answer, ...]:
    """What the plan has after so many answers; the game may have gone back to before it begins."""
    before = [Answer(record.by, record.action) for record in plan.game.records[number : plan.fork]]
    return (*before, *plan.answers[max(0, number - plan.fork) :])


def _break(board: Game, game: Game, common: int) -> Break:
    planned, played = (_did(each, common, each.records[common]) for each in (board, game))
    return Break(common + 1, planned, played)


def _did(game: Game, number: int, record: Record) -> str:
    speech = Speech(game.at(number), game.at(number + 1))
    return f"{speech.naming.who(record.by)} {speech.did(record)}"


def _stopped(board: Game, answer: Answer, refusal: Refusal) -> str:
    return f"“{told(board, answer)}” cannot be done any more: {refusal}" if board.question else str(refusal)
