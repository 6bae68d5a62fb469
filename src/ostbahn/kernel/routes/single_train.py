"""The search for the routes of one kind of train.

A route grows from one of its ends, hop by hop, and is given up when even the best walk from there cannot earn enough.
Ends with the best walks come first, so that a good route is soon known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ostbahn.kernel.routes.ground import Ground, ground_of
from ostbahn.kernel.routes.network import NO_ROUTE, Hop, Network, Route, TrainKind
from ostbahn.kernel.routes.passing import REMEMBERED, PassingSearch, Strolls
from ostbahn.kernel.routes.pricing import FREE, Charge, Memory, PricedHops, paid_for
from ostbahn.kernel.routes.search import ENDLESS, Found, OutOfPatienceError, Patience, Search, grace_of
from ostbahn.kernel.routes.walks import CLOSED, HOMELESS, STOP, Walks

KEPT = 256

MOST_SHARED = 4000
"""How many outlooks of walks are left for later searches on the same ground."""


class Explorer:
    """Finds the routes of one kind of train on one ground."""

    def __init__(self, ground: Ground, kind: TrainKind, charge: Charge = FREE, memory: Memory | None = None) -> None:
        """Where tolls are charged, routes are judged by what they keep. memory: what walks remember."""
        self.ground, self.kind, self.charge, self.memory = ground, kind, charge, memory
        hops = hops_of(ground, kind)
        self.is_passing = hops is None
        """Whether stops are passed link by link; otherwise every hop leads to a stop that counts, or to the end."""
        self.hops = ground.ways if hops is None else hops
        self._walks: Walks | None = None
        self._strolls: Strolls | None = None
        self._alone: Route | None = None
        """The best route that was found while no hex side was forbidden."""
        self._proven = False
        """Whether there is no better one."""

    @property
    def walks(self) -> Walks:
        """What is asked before a hop is drawn."""
        if self._walks is None:
            if self.charge is FREE:
                self._walks = _shared_walks(self.ground, self.kind.skips_towns, *_length(self.kind))
            else:
                hops = PricedHops(self.ground, self.kind.skips_towns, self.charge, self.memory)
                self._walks = Walks(hops, *_length(self.kind))
        return self._walks

    @property
    def strolls(self) -> Strolls:
        """What is asked instead where stops are passed link by link."""
        if self._strolls is None:
            if self.charge is FREE:
                self._strolls = _shared_strolls(self.ground, self.kind)
            else:
                self._strolls = Strolls(self.ground, self.kind, self.charge, REMEMBERED)
        return self._strolls

    def best(self, forbidden: int = 0, patience: Patience = ENDLESS) -> Route:
        """The best route off the forbidden hex sides, as far as patience lasts; of equals the one found first."""
        if self._alone is None:
            self._alone = self._best_alone(patience)
        if not self._alone.sides & forbidden:
            return self._alone
        return _last(self._searched(patience, 0, rising=True, forbidden=forbidden))

    def _best_alone(self, patience: Patience) -> Route:
        """What an earlier search found is taken only with the patience for it: nothing else decides what is found."""
        known = self.ground.alone.get(self.kind)
        if known is not None and patience.covers(max(known[1] - grace_of(patience), 0)):
            self._proven = True
            return known[0]
        search = self._searched(patience, 0, rising=True)
        best = _last(search)
        self._proven = not search.given_up
        if self._proven:
            self.ground.alone[self.kind] = best, search.steps
        return best

    @property
    def bound(self) -> int:
        """No route earns more."""
        if self._alone is not None and self._proven:
            return self._alone.worth
        return self.highest()

    def highest(self) -> int:
        """No route keeps more, as far as outlooks tell."""
        return max(next(self.hopes(), (0, 0))[0], 0)

    def hopes(self) -> Iterator[tuple[int, int]]:
        """The most that a route could keep, for every stop at which one may begin, and that stop; best first."""
        return iter(self.strolls.hopes()) if self.is_passing else self.walks.hopes()

    def better_than(self, floor: int, patience: Patience = ENDLESS, rising: bool = False) -> tuple[list[Found], bool]:
        """Routes that keep more after tolls, and whether the search came to its end.

        rising: each is better than the one before, so the last is the best there is.
        """
        search = self._searched(patience, floor, rising)
        return search.found, not search.given_up

    def _searched(self, patience: Patience, floor: int, rising: bool, forbidden: int = 0) -> Search:
        if self.is_passing:
            hops = [[hop for hop in row if not hop.sides & forbidden] for row in self.hops]
            search: Search = PassingSearch(self.strolls, hops, patience, floor, rising)
        else:
            search = HopSearch(self.walks, self.kind, patience, floor, rising, forbidden)
        if self._can_do_what_it_must():
            try:
                search.run()
            except OutOfPatienceError:
                search.given_up = True
        if self._walks is not None and len(self._walks.known) > MOST_SHARED and self.charge is FREE:
            self._walks.known = {}
        return search

    def _can_do_what_it_must(self) -> bool:
        """Otherwise every route would be drawn in vain."""
        if not (self.kind.needs_mine or self.kind.needs_bonus):
            return True
        reached = [stop for stop, ways in zip(self.ground.stops, self.ground.ways, strict=True) if ways]
        if self.kind.needs_mine and not any(stop.is_mine for stop in reached):
            return False
        return not self.kind.needs_bonus or any(stop.bonus for stop in reached)


def hops_of(ground: Ground, kind: TrainKind) -> list[list[Hop]] | None:
    """What routes of a kind of train are made of; None where stops are passed link by link."""
    return None if kind.cities is None or kind.towns is not None else ground.hops(kind.skips_towns)


def explorer_of(network: Network, kind: TrainKind) -> Explorer:
    return Explorer(ground_of(network, kind.bonuses > 0, kind.visits_mine, kind.red_to_red), kind)


def _length(kind: TrainKind) -> tuple[int, int]:
    """How many stops and cities may count."""
    return kind.stops, kind.stops if kind.cities is None else kind.cities


@lru_cache(maxsize=KEPT)
def _shared_walks(ground: Ground, skips_towns: bool, stops: int, cities: int) -> Walks:
    return Walks(_shared_hops(ground, skips_towns), stops, cities)


@lru_cache(maxsize=KEPT)
def _shared_hops(ground: Ground, skips_towns: bool) -> PricedHops:
    return PricedHops(ground, skips_towns)


@lru_cache(maxsize=KEPT)
def _shared_strolls(ground: Ground, kind: TrainKind) -> Strolls:
    return Strolls(ground, kind, FREE, REMEMBERED)


def forget_walks() -> None:
    """For those who measure: the next search starts from nothing."""
    _shared_strolls.cache_clear()
    _shared_walks.cache_clear()
    _shared_hops.cache_clear()


def _last(search: Search) -> Route:
    """In a search for better and better routes the best one."""
    return search.found[-1].route if search.found else NO_ROUTE


class HopSearch(Search):
    """A route grows from one of its ends, hop by hop. What changes from hop to hop is passed along as numbers."""

    def __init__(
        self, walks: Walks, kind: TrainKind, patience: Patience, floor: int, rising: bool, forbidden: int
    ) -> None:
        super().__init__(walks.ground, kind, walks.hops.charge, patience, floor, rising)
        self.forbidden = forbidden
        self.walks = walks
        self.path: list[Hop] = []
        self.start = 0
        self.done: set[int] = set()
        """Stops from which all routes have been found: none need end there any more."""

    def run(self) -> None:
        walks, ground = self.walks, self.ground
        for hope, start in walks.hopes():
            if hope <= self.floor:
                break
            self.start = start
            self._grow(walks.beginning(start), ground.place[start], ground.stops[start].value * self.charge.unit)
            self.done.add(start)

    def _grow(self, number: int, taken: int, value: int) -> None:
        """Draw the route on by every hop, while what is ahead could still earn enough."""
        self.step()
        stop = number & STOP
        after = self.walks.after[number - stop]
        for kept, _, sort, there, courses, _, _ in self.walks.hops.leaving(stop):
            further = after[sort]
            if further == CLOSED:
                continue
            sight = 0
            if further >= 0:
                further += there
                sight = self.walks.sight(further)
            if value + kept + sight <= self.floor:
                continue
            for kept, crossed, ties, hop in courses or self.walks.hops.fill(stop, there, sort, courses):
                if value + kept + sight <= self.floor:
                    break
                if not crossed & taken and not hop.sides & self.forbidden:
                    worth = value + kept - paid_for(ties, taken, crossed) if ties else value + kept
                    self._draw(number, hop, worth, taken | crossed, further)

    def _draw(self, number: int, hop: Hop, worth: int, taken: int, further: int) -> None:
        """Draw the route on by a hop, if that can be worth it."""
        if further < 0:
            if worth > self.floor:
                self._note(hop, worth, number)
            return
        memory = taken & self.walks.hops.near(hop.there)
        onward = self.walks.known.get(memory | further)
        if onward is None:
            onward = self.walks.ahead(further, memory)
        if worth + onward > self.floor:
            if not further & HOMELESS and worth > self.floor:
                self._note(hop, worth, number)
            self.path.append(hop)
            self._grow(further, taken, worth)
            self.path.pop()

    def _note(self, hop: Hop, worth: int, number: int) -> None:
        """Keep the route as it is drawn with one hop more, unless it was found from its other end.

        It need not end where nothing counts, unless that is a mine or has the station that it lacked.
        """
        if hop.there not in self.done if hop.counts else hop.value or number & HOMELESS:
            self.keep_hops(self.start, [*self.path, hop], worth)
