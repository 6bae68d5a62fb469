"""What all searches for the routes of one kind of train have in common: patience, and which routes are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.native import native
from ostbahn.kernel.routes.ground import Ground
from ostbahn.kernel.routes.network import Hop, Route, TrainKind, red_to_red_of
from ostbahn.kernel.routes.pricing import Charge

GRACE = 2000
"""Steps that a search takes before it asks for patience, so that every train has a route when it runs out."""


@native(allow_interpreted_subclasses=True)
class Patience:
    """How long a search goes on. It is asked again and again, and the search is given up when the answer is no."""

    grace: int | None = None
    """How many steps of each search are free, where that is not for the search to say."""

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

    def __init__(self, most: int, whole: Patience = ENDLESS, grace: int | None = None) -> None:
        self.left = most
        self.whole = whole
        """The patience that it is a part of."""
        self.grace = grace

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0 and self.whole()

    def covers(self, steps: int) -> bool:
        if self.left < steps or not self.whole.covers(steps):
            return False
        self.left -= steps
        return True

    def share(self, part: float) -> Steps:
        return Steps(int(self.left * part), self, self.grace)


class OutOfPatienceError(Exception):
    """The search was given up."""


MOST_ROUTES = 200_000
"""How many routes a search keeps, so that memory stays bounded; then it is given up."""


class Found(NamedTuple):
    """A route, and what it keeps after tolls, in units of these."""

    kept: int
    route: Route


def grace_of(patience: Patience) -> int:
    return GRACE if patience.grace is None else patience.grace


class Search:
    """A search for routes that keep more than a floor."""

    def __init__(
        self, ground: Ground, kind: TrainKind, charge: Charge, patience: Patience, floor: int, rising: bool
    ) -> None:
        self.ground, self.kind, self.charge = ground, kind, charge
        self.patience = patience
        self.given_up = False
        self.floor = floor
        self.rising = rising
        """Whether only better routes than the last one found are wanted."""
        self.found: list[Found] = []
        self.steps = 0
        self.grace = grace_of(patience)

    def run(self) -> None:
        raise AssertionError("every search runs in its own way")

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.grace and not self.patience():
            raise OutOfPatienceError

    def keep_hops(self, start: int, hops: Sequence[Hop], kept: int) -> None:
        """Keep a route that was drawn hop by hop."""
        path, links = [start], list[int]()
        counted = int(not self.ground.stops[start].is_mine)
        for hop in hops:
            path += hop.stops
            links += hop.links
            counted += hop.counts
        self.keep(path, links, kept, counted)

    def keep(self, path: Sequence[int], links: Sequence[int], kept: int, counted: int) -> None:
        """Keep a route, if it is still good enough without bonuses that are not paid, and does what it must."""
        kind, stops, unit = self.kind, self.ground.stops, self.charge.unit
        if kind.bonuses:
            kept -= self._bonuses_not_collected(path) * unit
        if kind.red_to_red:
            kept -= self._reds_not_joined(path) * unit
        if kept <= self.floor or counted < kind.least_stops or not self._has_what_it_needs(path):
            return
        if len(self.found) == MOST_ROUTES:
            raise OutOfPatienceError
        sides = self.sides_of(links)
        subsidy = sum([stops[number].value for number in path if stops[number].is_mine])
        worth = (kept + self.charge.paid(links, sides)) // unit
        self.found.append(Found(kept, Route(tuple(path), tuple(links), worth - subsidy, sides, subsidy)))
        if self.rising:
            self.floor = kept

    def sides_of(self, links: Sequence[int]) -> int:
        sides = 0
        for link in links:
            sides |= self.ground.links[link].sides
        return sides

    def _has_what_it_needs(self, path: Sequence[int]) -> bool:
        kind, stops = self.kind, self.ground.stops
        if kind.needs_mine and not any(stops[number].is_mine for number in path):
            return False
        return not kind.needs_bonus or any(stops[number].bonus for number in path)

    def _bonuses_not_collected(self, path: Sequence[int]) -> int:
        """Stops with a bonus are never left out, so all of them are on the path."""
        bonuses = sorted((self.ground.stops[number].bonus for number in path), reverse=True)
        return sum(bonuses[self.kind.bonuses :])

    def _reds_not_joined(self, path: Sequence[int]) -> int:
        """What the values of red tiles hold beyond that which two of them bring."""
        reds = [self.ground.stops[number] for number in path if self.ground.stops[number].is_red]
        return len(reds) * self.ground.half - red_to_red_of(self.kind, reds)
