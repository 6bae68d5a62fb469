"""Carrying out: what a prepared move answers now, or why it is over.

Nothing is answered here, only found out. A move that cannot be carried out is called off and says why, and its owner is
asked as if nothing had been prepared; so none can hold up a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ostbahn.analysis.runs import best_run
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import holding
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, RoundBegan, TurnBegan
from ostbahn.programmed.alarms import rung
from ostbahn.programmed.choosing import described
from ostbahn.programmed.preparing import (
    IN_TURN,
    AnyMove,
    PreparedBids,
    PreparedPass,
    PreparedPurchases,
    PreparedReplies,
    PreparedTurn,
    preparing_of,
)
from ostbahn.text.speech import consequences


class Ended(NamedTuple):
    """A move that stands no more."""

    why: str
    done: bool
    """Whether all of it was carried out, or what it was for is over; else it was called off."""


class Prepared(NamedTuple):
    """A move that stands."""

    id: int
    seat: str
    move: AnyMove
    given: int
    """After how many answers it was prepared."""
    seen: int
    """After how many its alarms were looked at last; at least `given`."""


class Found(NamedTuple):
    """What is to be done now about all that was prepared."""

    action: Action | None
    """What somebody answers by it; None: nobody does."""
    by: Prepared | None
    ended: tuple[tuple[Prepared, Ended], ...]


ROUND_OVER = Ended("the round is over", True)


def look(game: Game, standing: Sequence[Prepared]) -> Found:
    """The answer that is due, and what is over. Whoever gives the answer looks again with what still stands.

    Moves answer in the order in which they were prepared; only passing waits until nothing else is left.
    """
    ended: list[tuple[Prepared, Ended]] = []
    action: Action | None = None
    by: Prepared | None = None
    fallen: dict[str, str] = {}
    for prepared in sorted(standing, key=lambda prepared: isinstance(prepared.move, PreparedPass)):
        seat, move = prepared.seat, prepared.move
        outcome: Action | Ended | None
        if seat in fallen and isinstance(move, IN_TURN):
            outcome = Ended(f"it stood behind “{fallen[seat]}”, which was cancelled", False)
        else:
            outcome = next_answer(game, seat, move, prepared.given, prepared.seen)
        if isinstance(outcome, Ended):
            ended.append((prepared, outcome))
            if not outcome.done and isinstance(move, IN_TURN):
                fallen.setdefault(seat, described(game, move))
        elif action is None and outcome is not None:
            action, by = outcome, prepared
    return Found(action, by, tuple(ended))


def next_answer(game: Game, seat: str, move: AnyMove, given: int, seen: int | None = None) -> Action | Ended | None:
    """What a move answers now, that it is over, or None: its owner is not asked what it is for."""
    if not 0 <= given <= len(game):
        return Ended("what happened before it was taken back", False)
    question = game.question
    if question is None:
        return Ended("the game is over", True)
    if over := _over(game, seat, move, Happened(game, given)):
        return over
    if why := rung(game, seat, move, given if seen is None else max(given, seen)):
        return Ended(why, False)
    if question.decider != seat:
        return None
    answer = _answer(game, question, move)
    return _checked(game, question, move, answer) if isinstance(answer, Action) else answer


def _checked(game: Game, question: Question, move: AnyMove, action: Action) -> Action | Ended:
    """Nothing is answered that is refused, or that its owner would have been asked twice about."""
    refusal = question.refusal(action)
    if refusal is not None:
        return Ended(refusal.text, False)
    meant = isinstance(move, PreparedReplies) and move.thing  # they said what they would part with
    grave = [] if meant else [each.text for each in consequences(game, action) if each.grave]
    return Ended(f"you should decide it yourself: {grave[0]}", False) if grave else action


# When it is over


def _over(game: Game, seat: str, move: AnyMove, happened: Happened) -> Ended | None:
    match move:
        case PreparedPass():
            return _passed(game, seat, move, happened)
        case PreparedPurchases():
            return _bought(game, seat, move, happened)
        case PreparedBids():
            known = {item.id for item in preparing_of(game).items(game.table)}
            return None if move.item in known else Ended("it was auctioned", True)
        case PreparedTurn():
            return _turned(game, move, happened)
        case PreparedReplies():
            things = {thing.id for thing in preparing_of(game).things(game.table, seat)}
            if move.thing and move.thing not in things:
                return Ended("it is not yours any more", True)
            return Ended("the Operating Round is over", True) if happened.operating_is_over else None


def _passed(game: Game, seat: str, move: PreparedPass, happened: Happened) -> Ended | None:
    if happened.round_is_over:
        return ROUND_OVER
    kinds = preparing_of(game).share_questions
    passed = (kind in kinds and isinstance(action, Pass) for kind, action in happened.answers(seat))
    return Ended("you have passed", True) if move.until == "once" and any(passed) else None


def _bought(game: Game, seat: str, move: PreparedPurchases, happened: Happened) -> Ended | None:
    preparing, table = preparing_of(game), game.table
    if move.company not in table.state.certificates:
        return Ended(f"{move.company} is gone", False)
    if move.until == "floats" and move.company in preparing.floated(table):
        return Ended(f"{move.company} has floated", True)
    held = holding(table, seat, move.company)
    if move.until == "percent" and held >= move.amount:
        return Ended(f"you hold {held} % of {move.company}", True)
    wanted = preparing.purchase(table, move.company)
    number = sum(action == wanted for _, action in happened.answers(seat))
    if move.until == "number" and number >= move.amount:
        return Ended(f"you have bought {number}", True)
    return ROUND_OVER if happened.round_is_over else None


def _turned(game: Game, move: PreparedTurn, happened: Happened) -> Ended | None:
    if not move.company:
        return Ended("the Operating Round is over", True) if happened.operating_is_over else None
    if happened.turn_is_over(move.company):
        return Ended(f"the turn of {move.company} is over", True)
    gone = move.company in game.table.title.companies and move.company not in game.state.certificates
    return Ended(f"{move.company} is gone", False) if gone else None


# What it answers


def _answer(game: Game, question: Question, move: AnyMove) -> Action | Ended | None:
    preparing, table = preparing_of(game), game.table
    match move:
        case PreparedPass():
            return Pass() if question.kind in preparing.share_questions else None
        case PreparedPurchases():
            return preparing.purchase(table, move.company) if question.kind in preparing.share_questions else None
        case PreparedBids():
            return preparing.bid(table, question.task, move.item, move.most)
        case PreparedTurn():
            return _routine(game, question, move)
        case PreparedReplies():
            offered = preparing.offered(table, question.task)
            if offered is None or move.thing not in ("", offered.thing):
                return None
            if offered.price < move.below:
                return Decline()
            return Accept() if move.accept and move.thing else None


def _routine(game: Game, question: Question, move: PreparedTurn) -> Action | Ended | None:
    preparing, table, company = preparing_of(game), game.table, question.company
    if company is None or move.company not in ("", company) or preparing.offered(table, question.task) is not None:
        return None
    if company not in preparing.companies(table, question.decider):
        return None
    run = next((option.action for option in question if hasattr(option.action, "runs")), None)
    if run is not None:
        proven = best_run(game, company).proven
        return run if proven else Ended(f"nobody knows whether the best run of {company} was found", False)
    return preparing.income(table, question) or Pass()


# What has happened since


class Happened:
    """What happened since a move was prepared, as far as it says when the move is over."""

    def __init__(self, game: Game, given: int) -> None:
        """given: after how many answers it was prepared."""
        self._game, self._records = game, game.records
        self._given = given

    def _before(self) -> Iterator[Event]:
        """The events until then, the last first."""
        for record in reversed(self._records[: self._given]):
            yield from reversed(record.events)
        yield from reversed(self._game.opening)

    def _since(self) -> Iterator[Event]:
        for record in self._records[self._given :]:
            yield from record.events

    def answers(self, seat: str) -> Iterator[tuple[str, Action]]:
        """What somebody has answered since, with the kind of question."""
        for number in range(self._given, len(self._records)):
            if self._records[number].by == seat:
                task = self._game.state_at(number).agenda[-1]
                yield str(task.__struct_config__.tag), self._records[number].action

    @property
    def round_is_over(self) -> bool:
        """Whether the round in which it was prepared is."""
        return any(isinstance(event, RoundBegan) for event in self._since())

    def turn_is_over(self, company: str) -> bool:
        """Whether a company has had the turn for which it was prepared, the present one or its next."""
        in_turn = self._in_turn() == company
        for event in self._since():
            match event:
                case TurnBegan(company=other):
                    if in_turn and other != company:
                        return True
                    in_turn = other == company
                case RoundBegan() if in_turn:
                    return True
        return False

    @property
    def operating_is_over(self) -> bool:
        """Whether the Operating Round is in which it was prepared, or the next one if it was prepared before that."""
        operating = self._in_turn() is not None
        for event in self._since():
            match event:
                case TurnBegan():
                    operating = True
                case RoundBegan() if operating:
                    return True
        return False

    def _in_turn(self) -> str | None:
        """The company whose turn it was when it was prepared; None outside of Operating Rounds."""
        for event in self._before():
            match event:
                case TurnBegan(company=company):
                    return company
                case RoundBegan():
                    return None
        return None
