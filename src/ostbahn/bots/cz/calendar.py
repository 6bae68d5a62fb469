"""What is still to come: rounds, phases, and how long trains live."""

from __future__ import annotations

from ostbahn.bots.cz.demand import Demand
from ostbahn.bots.cz.weights import CzWeights
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
        self.rounds_before = sum(isinstance(box, int) for box in boxes[:ahead])
        """Operating Rounds that have begun."""
        self.rounds_ahead = sum(isinstance(box, int) for box in boxes[ahead:])
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
        self._stock_rounds = [index for index, box in enumerate(boxes) if box == "SR"]
        self.stock_rounds_ahead = sum(index >= ahead for index in self._stock_rounds)
        """Stock Rounds that have not begun."""
        self._cash = self._cash_by_round(boxes)
        self._deaths = self._deaths_of_faces()
        total = self.rounds_before + self.rounds_ahead
        paced = [self._paced(number) for number in range(total)]
        start = paced[min(self.rounds_before, total - 1)] if paced else 0
        usual = [table.state.cards_gone + max(0, pace - start) for pace in paced] or [table.state.cards_gone]
        self._gone = self._at_least(usual, boxes[ahead:])
        next_round = sum(box < ahead for box in self._stock_rounds) - self.stock_round
        self.cash_now = self._factor(next_round)
        """What 1 K in a player's hand now becomes until the end."""
        self.cash_idle = self._factor(next_round + 1) if self.stock_round else self.cash_now
        """What it becomes if it is not spent in this Stock Round."""

    def runs(self, company: str) -> range:
        """The numbers of the Operating Rounds in which a company will still run, counted from 0."""
        first = self.rounds_before - (company in self.still_to_run)
        return range(first, self.rounds_before + self.rounds_ahead)

    def cash_after(self, number: int) -> float:
        """What 1 K paid out in an Operating Round becomes until the end."""
        return self._cash[min(number, len(self._cash) - 1)]

    def gone_at(self, number: int) -> int:
        """How many train cards will have gone when an Operating Round begins."""
        return self._gone[max(0, min(number, len(self._gone) - 1))]

    def letter_at(self, number: int) -> str:
        """The letter of the card that will be on top of the stack then."""
        return self.table.title.stack.card(self.gone_at(number))[0]

    def limit_at(self, number: int, size: str) -> int:
        phases = self.table.title.phases
        gone = self.gone_at(number)
        letter = self.table.title.stack.card(gone - 1)[0] if gone else self.table.title.stack.letters[0]
        return phases[max(letter, self.table.state.phase)].train_limit.get(size, 0)

    def lives(self, face: str, number: int) -> bool:
        """Whether trains of a face will still run in an Operating Round."""
        if face in self.table.state.scrapped:
            return False
        death = self._deaths.get(face)
        return death is None or self.gone_at(number) < max(death, self.table.state.cards_gone + 1)

    def _paced(self, number: int) -> int:
        pace = self.weights.future.pace
        stretched = number + len(pace) - (self.rounds_before + self.rounds_ahead)  # variants have fewer rounds
        return pace[max(0, min(stretched, len(pace) - 1))]

    def _at_least(self, usual: list[int], boxes: tuple[str | int, ...]) -> list[int]:
        """The usual pace, or a faster one where companies must buy."""
        if not self.weights.future.demand:
            return usual
        needed = Demand(self.table, self._deaths).rounds(
            [company for company in self.table.state.floated if company in self.still_to_buy], boxes
        )
        past = len(usual) - len(needed)
        return [*usual[:past], *map(max, usual[past:], needed)]

    def _factor(self, stock_round: int) -> float:
        """By the number of Stock Rounds that lie behind."""
        cash = self.weights.future.cash
        behind = stock_round + len(cash) - 1 - len(self._stock_rounds)
        return cash[max(0, min(behind, len(cash) - 1))]

    def _cash_by_round(self, boxes: tuple[str | int, ...]) -> list[float]:
        found, stock_rounds = [], 0
        for box in boxes:
            if box == "SR":
                stock_rounds += 1
            elif isinstance(box, int):
                found.append(self._factor(stock_rounds))
        return found

    def _deaths_of_faces(self) -> dict[str, int]:
        """For each face how many cards will have gone when it is scrapped."""
        title = self.table.title
        found: dict[str, int] = {}
        gone = 0
        for letter in title.stack.letters:
            spec = title.stack.spec[letter]
            for face in spec.faces:
                for old in title.train_faces[face].scraps:
                    found.setdefault(old, gone + min(self.weights.future.grace, spec.count or 9))
            gone += spec.count or 0
        return found
