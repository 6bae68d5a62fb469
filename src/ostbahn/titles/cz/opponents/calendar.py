"""What is still to come: rounds, phases, and how long trains live."""

from __future__ import annotations

from ostbahn.titles.cz.opponents.ahead import ahead_of, boxes_behind, cash_factor, deaths_of_faces, usual_pace
from ostbahn.titles.cz.opponents.demand import Demand
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.state import (
    CzTable,
    EndTurn,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    StockRound,
    Timetable,
    UseIncome,
)


class Calendar:
    """The process track as it lies ahead of a table."""

    def __init__(self, table: CzTable, weights: CzWeights) -> None:
        self.table = table
        self.weights = weights
        boxes = table.title.boxes
        ahead = next((task.box for task in table.state.agenda if isinstance(task, Timetable)), len(boxes))
        behind = boxes_behind(table.title, ahead)
        self.rounds_before = behind.operating_rounds
        """Operating Rounds that have begun."""
        paced = usual_pace(table.title, weights)
        self.rounds_ahead = len(paced) - self.rounds_before
        """Operating Rounds that have not begun."""
        waiting: tuple[str, ...] = ()
        running: set[str] = set()
        buying: set[str] = set()
        self.stock_round = False
        for task in table.state.agenda:
            match task:
                case OperatingRound():
                    waiting = task.waiting
                case OperateTrains() | UseIncome():
                    running.add(task.company)
                case PurchaseTrains():
                    buying.add(task.company)
                case StockRound():
                    self.stock_round = True
        self.still_to_run = {*waiting, *running}
        self.still_to_buy = {*waiting, *buying}
        self.in_turn = next((task.company for task in table.state.agenda if isinstance(task, EndTurn)), None)
        self.stock_rounds_ahead = boxes.count("SR") - behind.stock_rounds
        """Stock Rounds that have not begun."""
        start = paced[min(self.rounds_before, len(paced) - 1)] if paced else 0
        usual = [table.state.cards_gone + max(0, pace - start) for pace in paced] or [table.state.cards_gone]
        gone = tuple(self._at_least(usual, boxes[ahead:]))
        state = table.state
        self.ahead = ahead_of(table.title, weights, gone, state.cards_gone, state.phase, state.scrapped)
        next_round = behind.stock_rounds - self.stock_round
        self.cash_now = self._factor(next_round)
        """What 1 K in a player's hand now becomes until the end."""
        self.cash_idle = self._factor(next_round + 1) if self.stock_round else self.cash_now
        """What it becomes if it is not spent in this Stock Round."""

    def runs(self, company: str) -> range:
        """The numbers of the Operating Rounds in which a company will still run, counted from 0."""
        first = self.rounds_before - (company in self.still_to_run)
        return range(first, self.rounds_before + self.rounds_ahead)

    def only_buys(self, company: str) -> bool:
        """Whether a company has run in the present Operating Round, and will still buy."""
        return company in self.still_to_buy and company not in self.still_to_run

    def cash_after(self, number: int) -> float:
        """What 1 K paid out in an Operating Round becomes until the end."""
        return self.ahead.cash_after(number)

    def letter_at(self, number: int) -> str:
        """The letter of the card that will be on top of the stack then."""
        return self.ahead.letter_at(number)

    def lives(self, face: str, number: int) -> bool:
        """Whether trains of a face will still run in an Operating Round."""
        return self.ahead.lives(face, number)

    def _at_least(self, usual: list[int], boxes: tuple[str | int, ...]) -> list[int]:
        """The usual pace, or a faster one where companies must buy."""
        if not self.weights.future.demand:
            return usual
        deaths = deaths_of_faces(self.table.title, self.weights)
        needed = Demand(self.table, deaths).rounds(
            [company for company in self.table.state.floated if company in self.still_to_buy], boxes
        )
        past = len(usual) - len(needed)
        return [*usual[:past], *map(max, usual[past:], needed)]

    def _factor(self, stock_rounds: int) -> float:
        return cash_factor(self.table.title, self.weights, stock_rounds)
