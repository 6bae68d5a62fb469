"""Routes that are drawn piece by piece: what they have used up, what they have earned, and what may still count.

Trains may be able to pass stops without counting them. Such stops are kept in mind, and in the end the best of them
count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.ground import Ground
from ostbahn.kernel.routes.network import Hop, TrainKind
from ostbahn.kernel.routes.patience import Patience
from ostbahn.kernel.routes.pricing import Charge
from ostbahn.kernel.routes.search import Search

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""

ANY = 10**6
"""More cities than any route visits."""

NOWHERE = -1
"""Where a route comes from that is at its first stop."""


class Drawn(NamedTuple):
    """A route that is being drawn: what it has used up, and what it has earned."""

    taken: int
    cities: int
    """How many more there may be."""
    room: int
    value: int
    loose: Loose
    homeless: bool


class Drawing(Search):
    """A search that draws routes hop by hop."""

    def __init__(
        self,
        ground: Ground,
        kind: TrainKind,
        charge: Charge,
        hops: Sequence[Sequence[Hop]],
        passing: bool,
        patience: Patience,
        floor: int,
        rising: bool,
    ) -> None:
        """passing: whether stops are passed link by link; otherwise hops lead beyond those that do not count."""
        super().__init__(ground, kind, charge, patience, floor, rising)
        self.hops, self.passing = hops, passing
        self.extra = [stop.is_mine or (passing and kind.optional(stop)) for stop in ground.stops]
        """Stops that need no room: a route may always come by."""
        self.mine = ground.best_mine * charge.unit if passing else 0
        """What a mine may pay beside what outlooks tell."""

    def onward(self, end: int, behind: int, drawn: Drawn, room: int, homeless: bool) -> int:
        """The most that going on from a stop can earn, if so many more stops may count."""
        raise AssertionError("every search has its own outlook")

    def begun(self, start: int) -> Drawn:
        """A route that is still at its first stop."""
        stop, kind = self.ground.stops[start], self.kind
        cities = (ANY if kind.cities is None else kind.cities) - (not stop.is_town)
        room, value, loose = self._with(start, stop.value * self.charge.unit, kind.stops, 0, ())
        return Drawn(self.ground.place[start], cities, room, value, loose, not stop.own)

    def _with(self, number: int, amount: int, room: int, value: int, loose: Loose) -> tuple[int, int, Loose]:
        """Room, value and optional stops with one stop more, which is worth so much; a mine adds value only."""
        if self.ground.stops[number].is_mine:
            return room, value + amount, loose
        if self.extra[number]:
            return room, value, tuple(sorted((*loose, (amount, self.ground.stops[number].is_town)), reverse=True))
        return room - 1, value + amount, loose

    def extended(self, drawn: Drawn, hop: Hop) -> Drawn | None:
        """A route that goes on by one hop more, if it may."""
        taken, cities, room, value, loose, homeless = drawn
        there, uncounted = hop.there, not hop.counts
        is_city = not self.ground.stops[there].is_town
        if hop.taken & taken or (is_city and not cities) or not (room or self.extra[there] or uncounted):
            return None
        amount = hop.value * self.charge.unit
        if uncounted:
            value += amount
        else:
            room, value, loose = self._with(there, amount, room, value, loose)
        for link in hop.links if self.charge.links else ():
            value -= self.charge.links[link]
        return Drawn(taken | hop.taken, cities - is_city, room, value, loose, homeless and not hop.own)

    def promising(self, end: int, behind: int, drawn: Drawn) -> bool:
        """Whether going on can earn enough, also if some of the optional stops count that were passed."""
        loose, wanted = drawn.loose[: drawn.room], self.wanted(drawn)
        ahead = self.outlooks(end, behind, drawn, drawn.homeless, drawn.room - len(loose))
        if ahead[-1] > wanted:
            return True
        kept = 0
        for count, (worth, _) in enumerate(loose, start=2):
            kept += worth
            if kept + ahead[-count] > wanted:
                return True
        return False

    def outlooks(self, end: int, behind: int, drawn: Drawn, homeless: bool, least: int) -> Sequence[int]:
        """The most that going on from a stop can earn, for every room from the least to that which there is."""
        raise AssertionError("every search has outlooks of its own")

    def wanted(self, drawn: Drawn) -> int:
        """What is ahead must earn more than that."""
        return self.floor - drawn.value - (0 if drawn.taken & self.ground.mine_place else self.mine)

    def note(self, drawn: Drawn, path: Sequence[int], links: Sequence[int]) -> None:
        """Keep the route as it is drawn, with the best of the stops that may count."""
        worth, room, counted = drawn.value, drawn.room, self.kind.stops - drawn.room
        towns = self.kind.stops if self.kind.towns is None else self.kind.towns
        for amount, is_town in drawn.loose:
            if room and (towns or not is_town):
                worth += amount
                room -= 1
                counted += 1
                towns -= is_town
        if worth > self.floor:
            self.keep(path, links, worth - self.charge.tied(self.sides_of(links)), counted)
