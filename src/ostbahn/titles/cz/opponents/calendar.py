"""Forecast of rounds and phases: how fast train cards leave the stack, and how long trains last.

Forecasts are cached: they depend only on the pace of the train cards and the phase, which many tables share.
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
"""Cache size, enough for a few questions in a row."""
FOR_EVER: Final = 10**6
"""More cards than ever leave the stack."""


class RoundForecast:
    """The immutable forecast of train cards and cash values; Operating Rounds count from 0."""

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
        """Train cards gone at the beginning of each Operating Round."""
        self._phase, self._scrapped = phase, scrapped
        self._cash = cash_by_round(title, weights)
        scrapped_after = cards_gone_when_scrapped(title, weights)
        self._ends = {face: max(scrapped_after.get(face, FOR_EVER), cards_gone + 1) for face in title.train_faces}
        self._ends.update(dict.fromkeys(scrapped, 0))
        self._for_sale: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}

    def gone_at(self, number: int) -> int:
        """Return the number of train cards gone when an Operating Round begins."""
        return self.gone[max(0, min(number, len(self.gone) - 1))]

    def letter_at(self, number: int) -> str:
        """Return the letter of the card then on top of the stack."""
        return self.title.stack.card(self.gone_at(number))[0]

    def limit_at(self, number: int, size: str) -> int:
        gone = self.gone_at(number)
        letter = self.title.stack.card(gone - 1)[0] if gone else self.title.stack.letters[0]
        return self.title.phases[max(letter, self._phase)].train_limit.get(size, 0)

    def lives(self, face: str, number: int) -> bool:
        """Whether trains of a face will still run in an Operating Round."""
        return self.gone_at(number) < self._ends[face]

    def for_sale(self, number: int, size: str) -> tuple[tuple[str, int], ...]:
        """Return faces of a size, with prices, that the bank will sell then."""
        key = (self.letter_at(number), size)
        if key not in self._for_sale:
            self._for_sale[key] = tuple(
                (face, price)
                for face, price in self.title.stack.spec[key[0]].faces.items()
                if self.title.train_faces[face].size == size and face not in self._scrapped
            )
        return self._for_sale[key]

    def cash_after(self, number: int) -> float:
        """Return the final value of 1 K paid out in an Operating Round."""
        return self._cash[min(number, len(self._cash) - 1)]


round_forecast_of: Final = lru_cache(maxsize=CALENDARS_KEPT)(RoundForecast)


# Values that depend on the title only


class RoundsBegun(NamedTuple):
    """Numbers of rounds begun."""

    operating_rounds: int
    stock_rounds: int


@lru_cache(maxsize=CALENDARS_KEPT)
def rounds_before_box(title: CzTitle, box: int) -> RoundsBegun:
    """Count the rounds on the process track before a box."""
    passed = title.boxes[:box]
    return RoundsBegun(sum(isinstance(kind, int) for kind in passed), passed.count("SR"))


@lru_cache(maxsize=CALENDARS_KEPT)
def usual_pace(title: CzTitle, weights: CzWeights) -> tuple[int, ...]:
    """Return how many train cards have usually gone when each Operating Round begins."""
    pace = weights.future.pace
    rounds = sum(isinstance(box, int) for box in title.boxes)
    fewer = len(pace) - rounds  # variants have fewer rounds
    return tuple(pace[max(0, min(number + fewer, len(pace) - 1))] for number in range(rounds))


def cash_factor(title: CzTitle, weights: CzWeights, stock_rounds: int) -> float:
    """Return the final value of 1 K after a number of Stock Rounds."""
    cash = weights.future.cash
    index = stock_rounds + len(cash) - 1 - title.boxes.count("SR")
    return cash[max(0, min(index, len(cash) - 1))]


@lru_cache(maxsize=CALENDARS_KEPT)
def cash_by_round(title: CzTitle, weights: CzWeights) -> tuple[float, ...]:
    """Return the final value of 1 K paid out in each Operating Round."""
    boxes = title.boxes
    rounds = [place for place, box in enumerate(boxes) if isinstance(box, int)]
    return tuple(cash_factor(title, weights, boxes[:place].count("SR")) for place in rounds)


@lru_cache(maxsize=CALENDARS_KEPT)
def cards_gone_when_scrapped(title: CzTitle, weights: CzWeights) -> Mapping[str, int]:
    """Map each face that is ever scrapped to the number of cards gone by then."""
    scrapped_after: dict[str, int] = {}
    gone = 0
    for letter in title.stack.letters:
        spec = title.stack.spec[letter]
        for face in spec.faces:
            for old in title.train_faces[face].scraps:
                scrapped_after.setdefault(old, gone + min(weights.future.grace, spec.count or weights.future.grace))
        gone += spec.count or 0
    return scrapped_after


class Demand:
    """Simulate companies that buy the cheapest train when they have none, and a second one if they are rich."""

    def __init__(self, table: CzTable, scrapped_after: Mapping[str, int]) -> None:
        self.table, self.scrapped_after = table, scrapped_after
        self.gone = table.state.cards_gone
        companies = [company for company in table.state.floated if company not in table.state.closed]
        self._fleets = {company: [train.face for train in runnable(table, company)] for company in companies}
        self._cash = {company: table.state.cash[company] for company in companies}

    def rounds(self, buying: Collection[str], boxes: Iterable[str | int]) -> list[int]:
        """Return the cards gone at the beginning of each Operating Round ahead.

        `buying` are companies that still buy in the current one.
        """
        for company in buying:
            self._turn(company)
        paces = []
        for box in boxes:
            if box == "export":
                self.gone += 1
            elif isinstance(box, int):
                paces.append(self.gone)
                for company in self._fleets:
                    self._turn(company)
        return paces

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
        """Whether trains of a face still run; a train owned now lasts at least until the next card goes."""
        limit = self.scrapped_after.get(face)
        return limit is None or self.gone < max(limit, self.table.state.cards_gone + 1)


class Calendar:
    """The rounds and turns that are still ahead of a table."""

    def __init__(self, table: CzTable, weights: CzWeights) -> None:
        self.table, self.weights = table, weights
        boxes = table.title.boxes
        ahead = next((task.box for task in table.state.agenda if isinstance(task, Timetable)), len(boxes))
        begun = rounds_before_box(table.title, ahead)
        self.rounds_before = begun.operating_rounds
        """Operating Rounds begun."""
        paced = usual_pace(table.title, weights)
        self.rounds_ahead = len(paced) - self.rounds_before
        """Operating Rounds not begun."""
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
        self.stock_rounds_ahead = boxes.count("SR") - begun.stock_rounds
        """Stock Rounds not begun."""
        start = paced[min(self.rounds_before, len(paced) - 1)] if paced else 0
        usual = [table.state.cards_gone + max(0, pace - start) for pace in paced] or [table.state.cards_gone]
        expected, state = tuple(self._at_least(usual, boxes[ahead:])), table.state
        self.ahead = round_forecast_of(table.title, weights, expected, state.cards_gone, state.phase, state.scrapped)
        next_round = begun.stock_rounds - self.stock_round
        self.cash_now = cash_factor(table.title, weights, next_round)
        """Final value of 1 K in a player's hand."""
        self.cash_idle = cash_factor(table.title, weights, next_round + self.stock_round)
        """Final value of 1 K not spent in this Stock Round."""

    def runs(self, company: str) -> range:
        """Return the numbers of the Operating Rounds, from 0, in which a company will still run."""
        first = self.rounds_before - (company in self.still_to_run)
        return range(first, self.rounds_before + self.rounds_ahead)

    def only_buys(self, company: str) -> bool:
        """Whether a company has run in the current Operating Round and can still buy trains in it."""
        return company in self.still_to_buy and company not in self.still_to_run

    def _at_least(self, usual: list[int], boxes: tuple[str | int, ...]) -> list[int]:
        """Return the usual pace, faster where companies must buy."""
        if not self.weights.future.demand:
            return usual
        buying = [company for company in self.table.state.floated if company in self.still_to_buy]
        needed = Demand(self.table, cards_gone_when_scrapped(self.table.title, self.weights)).rounds(buying, boxes)
        past = len(usual) - len(needed)
        return [*usual[:past], *map(max, usual[past:], needed)]
