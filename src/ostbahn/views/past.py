"""What the records of a game tell beyond its present state: incomes, dividends, prices that moved, turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Paid, PriceMoved, Record, Revenue, RoundBegan, TurnBegan

OPERATING: Final = "OR"
"""With these letters the codes of Operating Rounds begin, in every title."""


class Earned(NamedTuple):
    """What players' holdings brought them in an Operating Round."""

    round: str
    received: dict[str, int]
    """By seat."""


class Run(NamedTuple):
    """What a company's trains earned."""

    company: str
    amount: int


class Reader(Protocol):
    """What a title says about records."""

    def payouts(self, record: Record, run: Run | None) -> Iterable[tuple[str, int]]:
        """Companies on whose income an answer has decided, with what they pay in all.

        run: the last run until then, those in the record included.
        """


class Past:
    """Records, read once each: whoever keeps it goes on where it ended. A game may have begun with a later state, and
    then it knows nothing of what was before."""

    def __init__(self, game: Game, reader: Reader) -> None:
        self.earned: list[Earned] = []
        """Of all Operating Rounds so far."""
        self.moved: dict[str, int] = {}
        """By how much prices have moved since the last of them began; where a company starts it has not moved."""
        self.started: dict[str, int] = {}
        """Prices at which companies have entered the chart."""
        self.paid: dict[str, int] = {}
        """What companies paid in all when their income was decided on last."""
        self.acted: list[str] = []
        """Companies whose turn has begun in the present round, in their order."""
        self.turn = 0
        """The number of the answer with which the present turn began."""
        self._number = 0
        self._last: Record | None = None
        self.run: Run | None = None
        """The last run of all."""
        for event in game.opening:
            self._take(event, 0, game)
        self.follow(game, reader)

    def leads_to(self, game: Game) -> bool:
        """Whether all that was read belongs to this game."""
        number = self._number
        return number <= len(game) and (not number or game.records[number - 1] is self._last)

    def follow(self, game: Game, reader: Reader) -> None:
        """Read what has come since."""
        for number, record in enumerate(game.records[self._number :], start=self._number + 1):
            for event in record.events:
                self._take(event, number, game)
            self.paid.update(reader.payouts(record, self.run))
            self._number, self._last = number, record

    def _take(self, event: Event, number: int, game: Game) -> None:
        if isinstance(event, Paid):
            self._pay(event)
        elif isinstance(event, PriceMoved):
            self._move_price(event)
        elif isinstance(event, Revenue):
            self.run = Run(event.company, event.amount)
        elif isinstance(event, TurnBegan):
            self.acted.append(event.company)
            self.turn = number
        elif isinstance(event, RoundBegan):
            self._begin(event.round, game)

    def _pay(self, event: Paid) -> None:
        received = self.earned[-1].received if self.earned else {}
        if event.income and event.target in received:
            received[event.target] += event.amount

    def _move_price(self, event: PriceMoved) -> None:
        if event.before:
            self.moved[event.company] = self.moved.get(event.company, 0) + event.after - event.before
        else:
            self.started[event.company] = event.after

    def _begin(self, round_: str, game: Game) -> None:
        self.acted = []
        if round_.startswith(OPERATING):
            self.moved = {}
            self.earned.append(Earned(round_, dict.fromkeys(game.state.players, 0)))


def past_of(game: Game, reader: Reader, known: Past | None = None) -> Past:
    """Of a game as it is now. What is known goes on, unless answers were taken back."""
    if known is None or not known.leads_to(game):
        return Past(game, reader)
    known.follow(game, reader)
    return known
