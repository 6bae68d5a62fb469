"""What a route that is being drawn can still earn: never less than it really can.

Both outlooks look at walks, which may do more than a route. The tighter one remembers which of the places near
the end were visited, so that only far-away places can be visited twice; it suits trains that must count every
city. Where cities may be left out as well, a walk may pass any number of stops, and the simpler outlook is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ostbahn.kernel.routes import Stop, Train

MEMORY = 9
"""How many places near a stop are remembered: more make the outlook tighter, and slower."""


class Outlook(Protocol):
    def arms(self, end: int, path: Sequence[int], places: int, room: int, cities: int, root: int | None) -> list[int]:
        """For each room up to the given one, what the arm at the end can still earn.

        With a root also the other arm, which is still to grow from there. `places` are those visited, as bits;
        `cities` is how many more cities there may be.
        """


class Walks:
    """The best walks that do not turn straight back, worked out beforehand for every stop and room."""

    def __init__(self, stops: Sequence[Stop], around: Sequence[Sequence[int]], train: Train) -> None:
        self.stops = stops
        self.around = around
        self.train = train
        self.onward = self._onward()
        rooms = range(train.stops + 1)
        self.outward = [[self._outward(stop, room) for room in rooms] for stop in range(len(stops))]
        self._known: dict[tuple[int, int | None, int | None], list[int]] = {}

    def arms(self, end: int, path: Sequence[int], places: int, room: int, cities: int, root: int | None) -> list[int]:
        behind = path[-2] if len(path) > 1 else None
        key = (end, behind, root)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._arms(end, behind, root)
        return found

    def _onward(self) -> list[dict[tuple[int, int], int]]:
        """For each room (stops that may still count): the most a walk earns that stands at a stop, coming from one."""
        steps = [(stop, behind) for stop, around in enumerate(self.around) for behind in around]
        tables = [dict.fromkeys(steps, 0)]
        for _ in range(self.train.stops):
            tables.append(self._with_more_room(tables[-1]))
        return tables

    def _with_more_room(self, less: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        table = dict(less)
        changed = True
        while changed:  # again only where stops may be passed without counting
            changed = False
            for stop, around in enumerate(self.around):
                if not self.stops[stop].passable:
                    continue
                offers = sorted(((self._step(less, table, stop, there), there) for there in around), reverse=True)[:2]
                for behind in around:
                    worth = next((worth for worth, there in offers if there != behind), 0)
                    if worth > table[stop, behind]:
                        table[stop, behind] = worth
                        changed = self.train.skips_towns
        return table

    def _step(self, less: dict[tuple[int, int], int], table: dict[tuple[int, int], int], stop: int, there: int) -> int:
        """What going on to the next stop can earn: it counts, or it is passed if that is allowed."""
        counting = self.stops[there].value + less[there, stop]
        return max(counting, table[there, stop]) if self.train.optional(self.stops[there]) else counting

    def _outward(self, stop: int, room: int) -> int:
        """The most that a walk from a stop earns with so much room, coming from nowhere."""
        if not room:
            return 0
        return max(
            (self._step(self.onward[room - 1], self.onward[room], stop, to) for to in self.around[stop]), default=0
        )

    def _arms(self, end: int, behind: int | None, root: int | None) -> list[int]:
        rooms = range(self.train.stops + 1)
        found = [self.outward[end][r] if behind is None else self.onward[r][end, behind] for r in rooms]
        if root is None:
            return found
        other = self.outward[root]
        return [max(found[part] + other[r - part] for part in range(r + 1)) for r in rooms]


class Memory:
    """Walks that remember the places nearby, worked out when they are asked for."""

    def __init__(
        self, stops: Sequence[Stop], around: Sequence[Sequence[int]], place: Sequence[int], train: Train
    ) -> None:
        self.stops = stops
        self.around = around
        self.place = place
        self.train = train
        self.near = [self._near(stop) for stop in range(len(stops))]
        self._known: dict[tuple[int, int, int, int], int] = {}
        values = sorted((stop.value for stop in stops), reverse=True)
        self._most = [sum(values[:room]) for room in range(train.stops + 1)]

    def _near(self, stop: int) -> int:
        """The places around a stop, nearest first; towns that may be passed by the way do not make them farther."""
        seen = {stop: 0}
        queue = [stop]
        for here in queue:
            for there in self.around[here]:
                if there not in seen:
                    seen[there] = seen[here] + 1
                    queue.append(there)
        places = 0
        for count, near in enumerate(queue):
            if count <= MEMORY or self.train.optional(self.stops[near]):
                places |= self.place[near]
        return places

    def arms(self, end: int, path: Sequence[int], places: int, room: int, cities: int, root: int | None) -> list[int]:
        memory = places & self.near[end]
        one = [self._onward(end, r, min(cities, r), memory) for r in range(room + 1)]
        if root is None:
            return one
        memory = places & self.near[root]
        other = [self._onward(root, r, min(cities, r), memory) for r in range(room + 1)]
        return [max(one[part] + other[r - part] for part in range(r + 1)) for r in range(room + 1)]

    def _onward(self, end: int, room: int, cities: int, memory: int) -> int:
        """The most that a walk from a stop can earn, not visiting what it remembers."""
        if not room:
            return 0
        key = (end, room, cities, memory)
        known = self._known.get(key)
        if known is not None:
            return known
        self._known[key] = self._most[room]  # for a walk that comes round to here; more than it can earn
        best = 0
        here = memory | self.place[end]
        for there in self.around[end]:
            if here & self.place[there]:
                continue
            stop = self.stops[there]
            if not stop.is_town and not cities:
                continue
            left = cities if stop.is_town else cities - 1
            remembered = here & self.near[there]
            worth = stop.value
            if stop.passable:
                worth += self._onward(there, room - 1, min(left, room - 1), remembered)
                if self.train.optional(stop):
                    worth = max(worth, self._onward(there, room, left, remembered))
            best = max(best, worth)
        self._known[key] = best
        return best
