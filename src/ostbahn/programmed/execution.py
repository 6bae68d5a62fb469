"""What a programmed move answers now, or why it has ended.

These functions do not change the game. A move that cannot be carried out ends with a reason, and its owner is asked as
usual, so a programmed move never blocks a game.
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
from ostbahn.programmed.choices import describe_move
from ostbahn.programmed.moves import (
    SEQUENTIAL_MOVES,
    AnyProgrammedMove,
    ProgrammedBids,
    ProgrammedPass,
    ProgrammedPurchases,
    ProgrammedReplies,
    ProgrammedTurn,
    programmable_of,
)
from ostbahn.programmed.stop_conditions import triggered_condition
from ostbahn.text.speech import consequences


class MoveEnd(NamedTuple):
    """Why a programmed move is no longer active."""

    why: str
    done: bool
    """Whether it was carried out or its purpose is over; otherwise it was cancelled."""


class ActiveMove(NamedTuple):
    """A programmed move that has not ended."""

    id: int
    seat: str
    move: AnyProgrammedMove
    given: int
    """Number of answers in the game when it was programmed."""
    checked: int
    """Number of answers at the last check of its stop conditions; at least `given`."""


class DueAnswer(NamedTuple):
    """The answer that is due now, if any, with the move that gives it; and the moves that have ended."""

    action: Action | None
    by: ActiveMove | None
    ended: tuple[tuple[ActiveMove, MoveEnd], ...]


ROUND_OVER = MoveEnd("the round is over", True)


def due_answer(game: Game, active: Sequence[ActiveMove]) -> DueAnswer:
    """The next answer of the active moves. After applying it, call again with the moves that remain active.

    Moves answer in the order in which they were programmed; passing comes last.
    """
    ended: list[tuple[ActiveMove, MoveEnd]] = []
    action: Action | None = None
    by: ActiveMove | None = None
    cancelled: dict[str, str] = {}
    """By seat, in words, the move with which those behind it fall."""
    for active_move in sorted(active, key=lambda active_move: isinstance(active_move.move, ProgrammedPass)):
        seat, move = active_move.seat, active_move.move
        outcome: Action | MoveEnd | None
        if seat in cancelled and isinstance(move, SEQUENTIAL_MOVES):
            outcome = MoveEnd(f"it stood behind “{cancelled[seat]}”, which was cancelled", False)
        else:
            outcome = answer_of_move(game, seat, move, active_move.given, active_move.checked)
        if isinstance(outcome, MoveEnd):
            ended.append((active_move, outcome))
            if not outcome.done and isinstance(move, SEQUENTIAL_MOVES):
                cancelled.setdefault(seat, describe_move(game, move))
        elif action is None and outcome is not None:
            action, by = outcome, active_move
    return DueAnswer(action, by, tuple(ended))


def answer_of_move(
    game: Game, seat: str, move: AnyProgrammedMove, given: int, checked: int | None = None
) -> Action | MoveEnd | None:
    """What a move answers now, or how it ended; None if the current question is not the one it is for."""
    if not 0 <= given <= len(game):
        return MoveEnd("what happened before it was taken back", False)
    question = game.question
    if question is None:
        return MoveEnd("the game is over", True)
    if end := _fulfilled(game, seat, move, HistorySince(game, given)):
        return end
    if why := triggered_condition(game, seat, move, given if checked is None else max(given, checked)):
        return MoveEnd(why, False)
    if question.decider != seat:
        return None
    answer = _answer(game, question, move)
    return _legal_and_harmless(game, question, move, answer) if isinstance(answer, Action) else answer


def _legal_and_harmless(game: Game, question: Question, move: AnyProgrammedMove, action: Action) -> Action | MoveEnd:
    """End the move instead where the rules refuse the answer, or the page would ask its owner to confirm it."""
    refusal = question.refusal(action)
    if refusal is not None:
        return MoveEnd(refusal.text, False)
    if isinstance(move, ProgrammedReplies) and move.thing:  # the owner has named what to sell
        return action
    grave = (consequence.text for consequence in consequences(game, action) if consequence.grave)
    why = next(grave, None)
    return action if why is None else MoveEnd(f"you should decide it yourself: {why}", False)


# When a move has done its work


def _fulfilled(game: Game, seat: str, move: AnyProgrammedMove, happened: HistorySince) -> MoveEnd | None:
    match move:
        case ProgrammedPass():
            return _passing_end(game, seat, move, happened)
        case ProgrammedPurchases():
            return _purchases_end(game, seat, move, happened)
        case ProgrammedBids():
            on_sale = {item.id for item in programmable_of(game).auction_items(game.table)}
            return None if move.item in on_sale else MoveEnd("it was auctioned", True)
        case ProgrammedTurn():
            return _turn_end(game, move, happened)
        case ProgrammedReplies():
            offerable_items = {thing.id for thing in programmable_of(game).offerable_items(game.table, seat)}
            if move.thing and move.thing not in offerable_items:
                return MoveEnd("it is not yours any more", True)
            return MoveEnd("the Operating Round is over", True) if happened.operating_is_over else None


def _passing_end(game: Game, seat: str, move: ProgrammedPass, happened: HistorySince) -> MoveEnd | None:
    if happened.round_is_over:
        return ROUND_OVER
    programmable_kinds = programmable_of(game).share_questions
    passed = (kind in programmable_kinds and isinstance(action, Pass) for kind, action in happened.answers(seat))
    return MoveEnd("you have passed", True) if move.until == "once" and any(passed) else None


def _purchases_end(game: Game, seat: str, move: ProgrammedPurchases, happened: HistorySince) -> MoveEnd | None:
    programmable, table = programmable_of(game), game.table
    if move.company not in table.state.certificates:
        return MoveEnd(f"{move.company} is gone", False)
    if move.until == "floats" and move.company in programmable.floated(table):
        return MoveEnd(f"{move.company} has floated", True)
    held = holding(table, seat, move.company)
    if move.until == "percent" and held >= move.amount:
        return MoveEnd(f"you hold {held} % of {move.company}", True)
    purchase = programmable.purchase(table, move.company)
    number = sum(action == purchase for _, action in happened.answers(seat))
    if move.until == "number" and number >= move.amount:
        return MoveEnd(f"you have bought {number}", True)
    return ROUND_OVER if happened.round_is_over else None


def _turn_end(game: Game, move: ProgrammedTurn, happened: HistorySince) -> MoveEnd | None:
    if not move.company:
        return MoveEnd("the Operating Round is over", True) if happened.operating_is_over else None
    if happened.turn_is_over(move.company):
        return MoveEnd(f"the turn of {move.company} is over", True)
    gone = move.company in game.table.title.companies and move.company not in game.state.certificates
    return MoveEnd(f"{move.company} is gone", False) if gone else None


# What a move answers


def _answer(game: Game, question: Question, move: AnyProgrammedMove) -> Action | MoveEnd | None:
    programmable, table = programmable_of(game), game.table
    match move:
        case ProgrammedPass():
            return Pass() if question.kind in programmable.share_questions else None
        case ProgrammedPurchases():
            return programmable.purchase(table, move.company) if question.kind in programmable.share_questions else None
        case ProgrammedBids():
            return programmable.bid(table, question.task, move.item, move.most)
        case ProgrammedTurn():
            return _turn_answer(game, question, move)
        case ProgrammedReplies():
            pending_offer = programmable.pending_offer(table, question.task)
            if pending_offer is None or move.thing not in ("", pending_offer.thing):
                return None
            if pending_offer.price < move.below:
                return Decline()
            return Accept() if move.accept and move.thing else None


def _turn_answer(game: Game, question: Question, move: ProgrammedTurn) -> Action | MoveEnd | None:
    programmable, table, company = programmable_of(game), game.table, question.company
    if (
        company is None
        or move.company not in ("", company)
        or programmable.pending_offer(table, question.task) is not None
    ):
        return None
    if company not in programmable.companies(table, question.decider):
        return None
    run = next((option.action for option in question if hasattr(option.action, "runs")), None)
    if run is not None:
        proven = best_run(game, company).proven
        return run if proven else MoveEnd(f"nobody knows whether the best run of {company} was found", False)
    return programmable.income(table, question) or Pass()


# What has happened since a move was programmed


class HistorySince:
    """The part of a game after a move was programmed."""

    def __init__(self, game: Game, given: int) -> None:
        """given: number of answers in the game when the move was programmed."""
        self._game, self._records = game, game.records
        self._given = given

    def _before(self) -> Iterator[Event]:
        """The events until then, in reverse."""
        for record in reversed(self._records[: self._given]):
            yield from reversed(record.events)
        yield from reversed(self._game.opening)

    def _since(self) -> Iterator[Event]:
        for record in self._records[self._given :]:
            yield from record.events

    def answers(self, seat: str) -> Iterator[tuple[str, Action]]:
        """The kind of question and the answer, for each answer of a seat."""
        for number in range(self._given, len(self._records)):
            if self._records[number].by == seat:
                task = self._game.state_at(number).agenda[-1]
                yield str(task.__struct_config__.tag), self._records[number].action

    @property
    def round_is_over(self) -> bool:
        """Whether the round in which the move was programmed has ended."""
        return any(isinstance(event, RoundBegan) for event in self._since())

    def turn_is_over(self, company: str) -> bool:
        """Whether a company has ended the turn it was in, or its next turn if it was in none."""
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
        """Whether the Operating Round has ended in which the move was programmed, or the next one."""
        operating = self._in_turn() is not None
        for event in self._since():
            match event:
                case TurnBegan():
                    operating = True
                case RoundBegan() if operating:
                    return True
        return False

    def _in_turn(self) -> str | None:
        """The company whose turn it was at that time; None outside of Operating Rounds."""
        for event in self._before():
            match event:
                case TurnBegan(company=company):
                    return company
                case RoundBegan():
                    return None
        return None
