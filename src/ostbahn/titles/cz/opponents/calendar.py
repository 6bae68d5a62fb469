"""What is still to come: rounds, phases, how fast train cards go, and how long trains live.

Many tables have the same ahead of them: it depends on the train cards that will have gone and on the phase. So the last
answers are kept (`ahead_of`), and what is foreseen of a company can be kept with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.running import runnable
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
from ostbahn.titles.cz.title import CzTitle

CALENDARS_KEPT: Final = 64
"""How many are kept: what a few questions in a row have ahead of them."""
FOR_EVER: Final = 10**6
"""More cards than will ever go."""


class RoundForecast:
    """Operating Rounds are counted from 0; nothing here changes."""

    def __init__(
        self,
        title: CzTitle,
        weights: CzWeights,
        gone: tuple[int, ...],
        cards_gone: int,
        phase: str,
        scrapped: tuple[str, ...],
    ) -> None:
        self.title, self.weights = title, weights
        self.gone = gone
        """For each Operating Round how many train cards will have gone when it begins."""
        self._phase, self._scrapped = phase, scrapped
        self._cash = cash_by_round(title, weights)
        deaths = cards_gone_when_scrapped(title, weights)
        self._ends = {face: max(deaths.get(face, FOR_EVER), cards_gone + 1) for face in title.train_faces}
        self._ends.update(dict.fromkeys(scrapped, 0))
        self._for_sale: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}

    def gone_at(self, number: int) -> int:
        """How many train cards will have gone when an Operating Round begins."""
        return self.gone[max(0, min(number, len(self.gone) - 1))]

    def letter_at(self, number: int) -> str:
        """The letter of the card that will be on top of the stack then."""
        return self.title.stack.card(self.gone_at(number))[0]

    def limit_at(self, number: int, size: str) -> int:
        gone = self.gone_at(number)
        letter = self.title.stack.card(gone - 1)[0] if gone else self.title.stack.letters[0]
        return self.title.phases[max(letter, self._phase)].train_limit.get(size, 0)

    def lives(self, face: str, number: int) -> bool:
        """Whether trains of a face will still run in an Operating Round."""
        return self.gone_at(number) < self._ends[face]

    def for_sale(self, number: int, size: str) -> tuple[tuple[str, int], ...]:
        """Faces of a size that the bank will sell then, with their prices."""
        key = (self.letter_at(number), size)
        if key not in self._for_sale:
            self._for_sale[key] = tuple(
                (face, price)
                for face, price in self.title.stack.spec[key[0]].faces.items()
                if self.title.train_faces[face].size == size and face not in self._scrapped
            )
        return self._for_sale[key]

    def cash_after(self, number: int) -> float:
        """What 1 K paid out in an Operating Round becomes until the end."""
        return self._cash[min(number, len(self._cash) - 1)]


round_forecast_of: Final = lru_cache(maxsize=CALENDARS_KEPT)(RoundForecast)


# What hangs on nothing but the title


class RoundsBegun(NamedTuple):
    """Rounds that have begun."""

    operating_rounds: int
    stock_rounds: int


@lru_cache(maxsize=CALENDARS_KEPT)
def rounds_before_box(title: CzTitle, box: int) -> RoundsBegun:
    """What of the process track lies behind if a box comes next."""
    behind = title.boxes[:box]
    return RoundsBegun(sum(isinstance(each, int) for each in behind), behind.count("SR"))


@lru_cache(maxsize=CALENDARS_KEPT)
def usual_pace(title: CzTitle, weights: CzWeights) -> tuple[int, ...]:
    """How many train cards have usually gone when each Operating Round begins."""
    pace = weights.future.pace
    rounds = sum(isinstance(box, int) for box in title.boxes)
    fewer = len(pace) - rounds  # variants have fewer rounds
    return tuple(pace[max(0, min(number + fewer, len(pace) - 1))] for number in range(rounds))


def cash_factor(title: CzTitle, weights: CzWeights, stock_rounds: int) -> float:
    """What 1 K becomes until the end, by the number of Stock Rounds that lie behind."""
    cash = weights.future.cash
    behind = stock_rounds + len(cash) - 1 - title.boxes.count("SR")
    return cash[max(0, min(behind, len(cash) - 1))]


@lru_cache(maxsize=CALENDARS_KEPT)
def cash_by_round(title: CzTitle, weights: CzWeights) -> tuple[float, ...]:
    """The same for money that is paid out in each Operating Round."""
    boxes = title.boxes
    rounds = [place for place, box in enumerate(boxes) if isinstance(box, int)]
    return tuple(cash_factor(title, weights, boxes[:place].count("SR")) for place in rounds)


@lru_cache(maxsize=CALENDARS_KEPT)
def cards_gone_when_scrapped(title: CzTitle, weights: CzWeights) -> Mapping[str, int]:
    """For each face that is ever scrapped how many cards will have gone by then."""
    found: dict[str, int] = {}
    gone = 0
    for letter in title.stack.letters:
        spec = title.stack.spec[letter]
        for face in spec.faces:
            for old in title.train_faces[face].scraps:
                found.setdefault(old, gone + min(weights.future.grace, spec.count or weights.future.grace))
        gone += spec.count or 0
    return found


class Demand:
    """Companies that always buy the cheapest train when they have none; a second one if they are rich."""

    def __init__(self, table: CzTable, deaths: Mapping[str, int]) -> None:
        self.table, self.deaths = table, deaths
        self.gone = table.state.cards_gone
        companies = [company for company in table.state.floated if company not in table.state.closed]
        self._fleets = {company: [train.face for train in runnable(table, company)] for company in companies}
        self._cash = {company: table.state.cash[company] for company in companies}

    def rounds(self, buying: Collection[str], boxes: Iterable[str | int]) -> list[int]:
        """How many cards will have gone when the Operating Rounds among the boxes ahead begin.

        `buying` are companies that still buy in the present one.
        """
        for company in buying:
            self._turn(company)
        found = []
        for box in boxes:
            if box == "export":
                self.gone += 1
            elif isinstance(box, int):
                found.append(self.gone)
                for company in self._fleets:
                    self._turn(company)
        return found

    def _turn(self, company: str) -> None:
        if any(self._lives(face) for face in self._fleets[company]):
            return
        title, size = self.table.title, self.table.size(company)
        letter = title.stack.card(self.gone)[0]
        faces = title.stack.spec[letter].faces.items()
        prices = {price: face for face, price in faces if title.train_faces[face].size == size}
        if not prices:
            return
        price = min(prices)
        limit = title.phases[letter].train_limit.get(size, 1)
        number = 2 if limit > 1 and self._cash[company] >= 2 * price else 1
        self._cash[company] -= number * price
        self._fleets[company] = [prices[price]] * number
        self.gone += number

    def _lives(self, face: str) -> bool:
        """What runs now is not scrapped before another card goes."""
        death = self.deaths.get(face)
        return death is None or self.gone < max(death, self.table.state.cards_gone + 1)


class Calendar:
    """The process track as it lies ahead of a table."""

    def __init__(self, table: CzTable, weights: CzWeights) -> None:
        self.table, self.weights = table, weights
        boxes = table.title.boxes
        ahead = next((task.box for task in table.state.agenda if isinstance(task, Timetable)), len(boxes))
        behind = rounds_before_box(table.title, ahead)
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
        gone, state = tuple(self._at_least(usual, boxes[ahead:])), table.state
        self.ahead = round_forecast_of(table.title, weights, gone, state.cards_gone, state.phase, state.scrapped)
        next_round = behind.stock_rounds - self.stock_round
        self.cash_now = cash_factor(table.title, weights, next_round)
        """What 1 K in a player's hand now becomes until the end."""
        self.cash_idle = cash_factor(table.title, weights, next_round + self.stock_round)
        """What it becomes if it is not spent in this Stock Round."""

    def runs(self, company: str) -> range:
        """The numbers of the Operating Rounds in which a company will still run, counted from 0."""
        first = self.rounds_before - (company in self.still_to_run)
        return range(first, self.rounds_before + self.rounds_ahead)

    def only_buys(self, company: str) -> bool:
        """Whether a company has run in the present Operating Round, and will still buy."""
        return company in self.still_to_buy and company not in self.still_to_run

    def _at_least(self, usual: list[int], boxes: tuple[str | int, ...]) -> list[int]:
        """The usual pace, or a faster one where companies must buy."""
        if not self.weights.future.demand:
            return usual
        buying = [company for company in self.table.state.floated if company in self.still_to_buy]
        needed = Demand(self.table, cards_gone_when_scrapped(self.table.title, self.weights)).rounds(buying, boxes)
        past = len(usual) - len(needed)
        return [*usual[:past], *map(max, usual[past:], needed)]
