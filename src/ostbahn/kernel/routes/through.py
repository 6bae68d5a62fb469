"""The search for routes that use a certain part of a network: what is new there, or not what it was.

Such a route is drawn from that part outwards: first one arm, then the other. It is given up when the outlooks of
both ends together could not earn enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.network import Hop, Route
from ostbahn.kernel.routes.passing import Drawing, Drawn, Strolls
from ostbahn.kernel.routes.search import OutOfPatienceError, Patience
from ostbahn.kernel.routes.single_train import Explorer
from ostbahn.kernel.routes.walks import NEVER

CLOSED = -1
"""Instead of the stop at the end of an arm that cannot go on."""


class Part(NamedTuple):
    """Some stops and links of a network; links at one of these stops need not be named."""

    stops: tuple[int, ...]
    links: frozenset[int]


def routes_through(explorer: Explorer, part: Part, floor: int, patience: Patience) -> tuple[list[Route], bool]:
    """Routes that use the part and earn more than that, and whether these are all of them."""
    search = _Through(explorer, part, floor, patience)
    try:
        search.run()
    except OutOfPatienceError:
        search.given_up = True
    return [each.route for each in search.found], not search.given_up


class _Through(Drawing):
    """Once all routes through a stop or link of the part are found, the others are looked for without it."""

    def __init__(self, explorer: Explorer, part: Part, floor: int, patience: Patience) -> None:
        ground, kind, passing = explorer.ground, explorer.kind, explorer.is_passing
        super().__init__(ground, kind, explorer.charge, explorer.hops, passing, patience, floor, rising=False)
        self.walks = None if passing else explorer.walks
        self.strolls = Strolls(ground, kind, explorer.charge, 0) if passing else None
        self.part = part
        self.one: list[int] = []
        self.other: list[int] = []
        """The stops of both arms, from the inside outwards."""
        self.one_links: list[int] = []
        self.other_links: list[int] = []

    def run(self) -> None:
        for stop in self.part.stops:
            hops = self.hops[stop]
            for number, hop in enumerate(hops):
                self._begin(stop, hop, hops[number + 1 :])
            self._begin_with([(start, hop) for start, hop in self._one_way() if self._passes(hop, stop)])
            self.hops = [
                [] if start == stop else [hop for hop in row if stop not in hop.stops]
                for start, row in enumerate(self.hops)
            ]
        for link in sorted(self.part.links):
            self._begin_with([(start, hop) for start, hop in self._one_way() if link in hop.links])
            self.hops = [[hop for hop in row if link not in hop.links] for row in self.hops]

    def _one_way(self) -> list[tuple[int, Hop]]:
        """All hops, each in one direction only. There is none back from where a route can only end."""
        only_ends = [stop.is_mine and not self.passing for stop in self.ground.stops]
        return [
            (start, hop)
            for start, row in enumerate(self.hops)
            for hop in row
            if self._only_ends(hop) or (start < hop.there and not only_ends[start])
        ]

    def _passes(self, hop: Hop, stop: int) -> bool:
        """Whether a hop comes by a stop that does not count then."""
        return stop in hop.stops and (hop.there != stop or self._only_ends(hop))

    def _begin_with(self, hops: Sequence[tuple[int, Hop]]) -> None:
        for start, hop in hops:
            self._begin(start, hop, self.hops[start])

    def _begin(self, start: int, hop: Hop, others: Sequence[Hop]) -> None:
        """All routes that leave a stop by one hop, and perhaps by one of some others."""
        begun = self.begun(start)
        drawn = self.extended(begun, hop) if begun.cities >= 0 else None
        if drawn is not None:
            self.one, self.one_links = list(hop.stops), list(hop.links)
            self.other, self.other_links = [start], []
            self._grow_one(hop, start, others if self._goes_on(start) else (), drawn)

    def _goes_on(self, stop: int) -> bool:
        """Whether a route may go on from a stop."""
        place = self.ground.stops[stop]
        return place.passable and (self.passing or not place.is_mine)

    def _after(self, hop: Hop) -> Sequence[Hop]:
        """The hops that may follow a hop."""
        return self.hops[hop.there] if self._goes_on(hop.there) and not self._only_ends(hop) else ()

    def _only_ends(self, hop: Hop) -> bool:
        """Whether a hop leads to where a route can only end, as nothing counts there: others lead beyond."""
        return not hop.counts and not self.passing

    def _grow_one(self, last: Hop, behind: int, others: Sequence[Hop], drawn: Drawn) -> None:
        """The first arm may end with its last hop, or go on; the second one is drawn from each of its ends."""
        if not self.patience():
            raise OutOfPatienceError
        further = self._after(last)
        if not self._both_promising(last.there if further else CLOSED, behind, bool(others), drawn):
            return
        self._grow_other(self.other[0], self.one[0], others, drawn)
        for hop in further:
            longer = self.extended(drawn, hop)
            if longer is not None:
                self.one += hop.stops
                self.one_links += hop.links
                self._grow_one(hop, last.there, others, longer)
                del self.one[-len(hop.stops) :], self.one_links[-len(hop.links) :]

    def _grow_other(self, end: int, behind: int, hops: Sequence[Hop], drawn: Drawn) -> None:
        if not self.patience():
            raise OutOfPatienceError
        if not self.promising(end, behind, drawn):
            return
        if not drawn.homeless:
            self.note(drawn, self.other[::-1] + self.one, self.other_links[::-1] + self.one_links)
        for hop in hops:
            longer = self.extended(drawn, hop)
            if longer is not None:
                self.other += hop.stops
                self.other_links += hop.links
                self._grow_other(hop.there, end, self._after(hop), longer)
                del self.other[-len(hop.stops) :], self.other_links[-len(hop.links) :]

    def outlooks(self, end: int, behind: int, drawn: Drawn, homeless: bool, least: int) -> Sequence[int]:
        room = drawn.room
        if end == CLOSED:
            return [NEVER if homeless else 0] * (room - least + 1)
        if self.strolls is not None:
            return self.strolls.onward(end, behind, drawn.taken)[least : room + 1]
        walks = self.walks
        assert walks is not None, "where there are no strolls there are walks"
        levels = [
            walks.levels.number(min(each, walks.stops), drawn.cities, homeless) for each in range(least, room + 1)
        ]
        return [walks.onward(level + end, drawn.taken) for level in levels]

    def _both_promising(self, first: int, behind: int, both: bool, drawn: Drawn) -> bool:
        """Whether both arms together could earn enough, however they share the room that is left."""
        wanted, inner, outer = self.wanted(drawn), self.other[0] if both else CLOSED, self.one[0]
        kept = [0]
        for worth, _ in drawn.loose[: drawn.room]:
            kept.append(kept[-1] + worth)
        ahead, back = self.outlooks(first, behind, drawn, False, 0), self.outlooks(inner, outer, drawn, False, 0)
        if kept[-1] + ahead[-1] + back[-1] <= wanted:
            return False
        if not drawn.homeless:
            return _shared(kept, ahead, back) > wanted
        if _shared(kept, self.outlooks(first, behind, drawn, True, 0), back) > wanted:
            return True
        return both and _shared(kept, ahead, self.outlooks(inner, outer, drawn, True, 0)) > wanted


def _shared(kept: Sequence[int], ahead: Sequence[int], back: Sequence[int]) -> int:
    """The most that stops passed so far and both arms can earn, if all of them share the room."""
    room = len(ahead) - 1
    return max(
        passed + ahead[used] + back[room - count - used]
        for count, passed in enumerate(kept)
        for used in range(room - count + 1)
    )
