"""Routes of single trains: stops, what joins them, and what a train may visit and earn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Patience:
    """How long a search goes on. It is asked again and again, and the search is given up when the answer is no."""

    def __call__(self) -> bool:
        return True

    def covers(self, steps: int) -> bool:
        """Whether it lasts for what an earlier search took, which then counts as taken again."""
        return True

    def share(self, part: float) -> Patience:
        """Patience for the first part of what is to be searched; what is left of it stays with the rest."""
        return self


ENDLESS = Patience()


class Steps(Patience):
    """Patience for so many steps. It knows no clock, so that every machine finds the same run and replays agree."""

    def __init__(self, most: int, whole: Patience = ENDLESS) -> None:
        self.left = most
        self.whole = whole
        """The patience that it is a part of."""

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0 and self.whole()

    def covers(self, steps: int) -> bool:
        if self.left < steps or not self.whole.covers(steps):
            return False
        self.left -= steps
        return True

    def share(self, part: float) -> Steps:
        return Steps(int(self.left * part), self)


class OutOfPatienceError(Exception):
    """The search was given up."""


Kind = tuple[int | None, int, bool, int | None, int, bool, int, bool, bool]
"""What tells kinds of trains apart."""


class Stop(NamedTuple):
    """A revenue location as the running company sees it."""

    id: str
    is_town: bool
    """Otherwise a city or a red tile, which both count as cities. A mine is none of these, and no city either."""
    value: int
    own: bool
    """Whether the company has a station here."""
    passable: bool
    """Whether a route may go on from here; if not, it can only end here."""
    location: str
    """A route visits a location once. Usually the id; several cities may share one."""
    bonus: int = 0
    """What it pays on top to a train that collects bonuses."""
    is_mine: bool = False
    """Only trains with access to mines may come here; it takes none of their stops, and pays a subsidy."""


class Link(NamedTuple):
    """Track between two stops without another stop on it."""

    a: int
    b: int
    sides: int
    """The hex sides that it crosses, as bits."""
    hexes: tuple[str, ...]
    """Hexes of plain track on the way from a to b."""


class Network(NamedTuple):
    """All stops, and what joins them."""

    stops: tuple[Stop, ...]
    links: tuple[Link, ...]


class Train(NamedTuple):
    """What a train can do: a 3 has (3, 3), a 3+3 has (3, 6), a 3E has (3, 3) and skips towns."""

    id: str
    cities: int | None
    """How many cities a route may visit; None if it may leave cities out, too."""
    stops: int
    """How many stops count at most."""
    skips_towns: bool = False
    towns: int | None = None
    """How many towns count at most, if there is such a limit."""
    bonuses: int = 0
    """For how many of its stops it gets the bonus."""
    visits_mine: bool = False
    """Whether it may visit one mine on its way."""
    least_stops: int = 2
    """How many stops must count at least."""
    needs_bonus: bool = False
    needs_mine: bool = False

    @property
    def kind(self) -> Kind:
        """Trains of one kind can do the same."""
        return self[1:]

    @property
    def must_run(self) -> bool:
        """A train of which something is demanded cannot stand still."""
        return self.least_stops > 2 or self.needs_bonus or self.needs_mine

    def optional(self, stop: Stop) -> bool:
        """Whether a route may pass the stop without counting it."""
        return self.skips_towns and (stop.is_town or self.cities is None) and not stop.is_mine


class Route(NamedTuple):
    """A way over the network: stops and the links between them."""

    stops: tuple[int, ...]
    links: tuple[int, ...]
    revenue: int
    sides: int
    subsidy: int = 0
    """What a mine pays, which is not revenue."""

    @property
    def worth(self) -> int:
        """What the best run has most of."""
        return self.revenue + self.subsidy


NO_ROUTE = Route((), (), 0, 0)


def counted_stops(train: Train, stops: Sequence[Stop]) -> tuple[int, ...]:
    """Which stops of a route count: those that must, and the best of those that may. Mines never do."""
    must = [number for number, stop in enumerate(stops) if not train.optional(stop) and not stop.is_mine]
    may = sorted(
        (number for number, stop in enumerate(stops) if train.optional(stop)),
        key=lambda n: -stops[n].value - (stops[n].bonus if train.bonuses else 0),
    )
    if train.towns is not None:
        towns = [number for number in may if stops[number].is_town][: train.towns]
        may = [number for number in may if not stops[number].is_town or number in towns]
    return tuple(sorted(must + may[: max(train.stops - len(must), 0)]))


def bonus_of(train: Train, counted: Sequence[Stop]) -> int:
    """What the stops that count pay on top: the best bonuses, as many as the train collects."""
    return sum(sorted((stop.bonus for stop in counted), reverse=True)[: train.bonuses])
