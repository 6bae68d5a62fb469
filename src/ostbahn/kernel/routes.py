"""Routes of single trains: what they may visit, what they earn, and the search for good ones.

The search grows a route from an own station, first one arm, then the other. It gives up an arm when even the
best walk from its end could not earn enough: for every stop and every number of stops still allowed, the most
that a walk without turning straight back can earn is worked out beforehand. A walk may do more than a route
(visit a place twice), so the bound is never too low, and what is left out could not have mattered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""

Patience = Callable[[], bool]
"""Asked again and again during a search; it is given up when the answer is no."""


def endless() -> bool:
    return True


class OutOfPatienceError(Exception):
    """The search was given up."""


Kind = tuple[int | None, int, bool, int | None]
"""What tells kinds of trains apart."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A revenue location as the running company sees it."""

    id: str
    is_town: bool
    """Otherwise a city or a red tile, which both count as cities."""
    value: int
    own: bool
    """Whether the company has a station here."""
    passable: bool
    """Whether a route may go on from here; if not, it can only end here."""
    location: str
    """A route visits a location once. Usually the id; the cities of Praha share one."""


@dataclass(frozen=True, slots=True)
class Link:
    """Track between two stops without another stop on it."""

    a: int
    b: int
    sides: int
    """The hex sides that it crosses, as bits."""
    hexes: tuple[str, ...]
    """Hexes of plain track on the way from a to b."""


@dataclass(frozen=True, slots=True)
class Network:
    """All stops, and what joins them."""

    stops: tuple[Stop, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """What a train can do: a 3 has (3, 3), a 3+3 has (3, 6), a 3E has (3, 3) and skips towns."""

    id: str
    cities: int | None
    """How many cities a route may visit; None if it may leave cities out, too."""
    stops: int
    """How many stops count at most."""
    skips_towns: bool = False
    towns: int | None = None
    """How many towns count at most, if there is such a limit."""

    @property
    def kind(self) -> Kind:
        """Trains of one kind can do the same."""
        return (self.cities, self.stops, self.skips_towns, self.towns)

    def optional(self, stop: Stop) -> bool:
        """Whether a route may pass the stop without counting it."""
        return self.skips_towns and (stop.is_town or self.cities is None)


@dataclass(frozen=True, slots=True)
class Route:
    """A way over the network: stops and the links between them."""

    stops: tuple[int, ...]
    links: tuple[int, ...]
    revenue: int
    sides: int


NO_ROUTE = Route((), (), 0, 0)


def counted_stops(train: Train, stops: Sequence[Stop]) -> tuple[int, ...]:
    """Which stops of a route pay: those that must, and the best of those that may."""
    must = [number for number, stop in enumerate(stops) if not train.optional(stop)]
    may = sorted((number for number, stop in enumerate(stops) if train.optional(stop)), key=lambda n: -stops[n].value)
    if train.towns is not None:
        towns = [number for number in may if stops[number].is_town][: train.towns]
        may = [number for number in may if not stops[number].is_town or number in towns]
    return tuple(sorted(must + may[: max(train.stops - len(must), 0)]))


class Explorer:
    """Finds the routes of one kind of train on one network."""

    def __init__(self, network: Network, train: Train, patience: Patience = endless) -> None:
        self.stops = network.stops
        self.train = train
        self.patience = patience
        numbers: dict[str, int] = {}
        self.place = [1 << numbers.setdefault(stop.location, len(numbers)) for stop in self.stops]
        self.own = [number for number, stop in enumerate(self.stops) if stop.own]
        self.ways = self._ways(network)
        self._forget_what_is_out_of_reach()
        self.around = [sorted({way[0] for way in ways}) for ways in self.ways]
        self.onward = self._onward()
        rooms = range(train.stops + 1)
        self.outward = [[self._outward(stop, room) for room in rooms] for stop in range(len(self.stops))]

    def best(self, forbidden: int = 0) -> Route:
        """The best route off the forbidden hex sides; of equals the one that is found first."""
        search = _Search(self, forbidden, 0, rising=True)
        return search.found[-1] if search.found else NO_ROUTE

    def better_than(self, floor: int) -> list[Route]:
        """Every route that earns more."""
        return _Search(self, 0, floor, rising=False).found

    @property
    def bound(self) -> int:
        """No route earns more: what the best walks from the own stations could."""
        most = 0
        for root in self.own:
            optional = self.train.optional(self.stops[root])
            arms = self.arms(root, None, root)
            most = max(most, arms[-1] if optional else self.stops[root].value + arms[-2])
        return most

    def _ways(self, network: Network) -> list[list[tuple[int, int, int]]]:
        """For each stop the links that leave it (stop, link, sides), good stops first.

        A link is left out where another one joins the same stops on part of its hex sides.
        """
        kept: dict[tuple[int, int], list[int]] = {}
        order = sorted(
            range(len(network.links)),
            key=lambda n: (network.links[n].sides.bit_count(), network.links[n].sides, network.links[n].hexes),
        )
        for number in order:
            link = network.links[number]
            rivals = kept.setdefault((min(link.a, link.b), max(link.a, link.b)), [])
            if self.place[link.a] != self.place[link.b] and not any(
                network.links[rival].sides & ~link.sides == 0 for rival in rivals
            ):
                rivals.append(number)
        ways: list[list[tuple[int, int, int]]] = [[] for _ in self.stops]
        for (a, b), numbers in kept.items():
            for number in numbers:
                ways[a].append((b, number, network.links[number].sides))
                ways[b].append((a, number, network.links[number].sides))
        for row in ways:
            row.sort(key=lambda way: (-self.stops[way[0]].value, self.stops[way[0]].id, way[2]))
        return ways

    def _forget_what_is_out_of_reach(self) -> None:
        """Track that no route from an own station can use only costs time."""
        seen = set(self.own)
        todo = list(self.own)
        while todo:
            here = todo.pop()
            for there, _, _ in self.ways[here]:
                if there not in seen:
                    seen.add(there)
                    if self.stops[there].passable:
                        todo.append(there)
        self.ways = [
            [way for way in ways if way[0] in seen] if stop in seen else [] for stop, ways in enumerate(self.ways)
        ]

    # What may still be earned

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

    def arms(self, end: int, behind: int | None, root: int | None) -> list[int]:
        """For each room what the arm at the end, and the one from the root if it is still to come, can earn."""
        rooms = range(self.train.stops + 1)
        found = [self.outward[end][r] if behind is None else self.onward[r][end, behind] for r in rooms]
        if root is None:
            return found
        other = self.outward[root]
        return [max(found[part] + other[r - part] for part in range(r + 1)) for r in rooms]


class _Search:
    """One search: a route grows from an own station, first one arm, then the other.

    Written for speed: what changes from step to step is passed along as numbers, the path is one list per arm.
    """

    def __init__(self, explorer: Explorer, forbidden: int, floor: int, rising: bool) -> None:
        self.explorer = explorer
        self.train = explorer.train
        self.stops = explorer.stops
        self.floor = floor
        self.rising = rising
        """Whether only better routes than the last one found are wanted."""
        self.found: list[Route] = []
        self.forbidden = forbidden
        self.barred = 0
        """Own stations from which all routes have been found, as bits of stops."""
        self.first: list[int] = []
        self.first_links: list[int] = []
        self.second: list[int] = []
        self.second_links: list[int] = []
        self._one_arm: dict[tuple[int, int | None], list[int]] = {}
        self._two_arms: dict[tuple[int, int | None], list[int]] = {}
        for root in explorer.own:
            self._from(root)
            self.barred |= 1 << root

    def _from(self, root: int) -> None:
        """All routes over an own station, but over none that came before."""
        self.root = root
        self._two_arms.clear()
        self.first = [root]
        stop = self.stops[root]
        room, value, loose = self._with(stop, self.train.stops, 0, ())
        self._grow_first(root, None, self.forbidden, self.explorer.place[root], not stop.is_town, room, value, loose)

    def _with(self, stop: Stop, room: int, value: int, loose: Loose) -> tuple[int, int, Loose]:
        """Room, value and optional stops with one stop more."""
        if self.train.optional(stop):
            return room, value, tuple(sorted((*loose, (stop.value, stop.is_town)), reverse=True))
        return room - 1, value + stop.value, loose

    def _grow_first(
        self, end: int, behind: int | None, sides: int, places: int, cities: int, room: int, value: int, loose: Loose
    ) -> None:
        arms = self._two_arms.get((end, behind))
        if arms is None:
            arms = self._two_arms[end, behind] = self.explorer.arms(end, behind, self.root)
        if self._hope(arms, room, value, loose) <= self.floor:
            return
        if behind is not None:
            self._note(room, value, loose, sides)
        if behind is None or self.stops[end].passable:
            for there, link, crossed in self.explorer.ways[end]:
                if self._open(there, crossed, sides, places, cities, room):
                    stop = self.stops[there]
                    self.first.append(there)
                    self.first_links.append(link)
                    self._grow_first(
                        there,
                        end,
                        sides | crossed,
                        places | self.explorer.place[there],
                        cities + (not stop.is_town),
                        *self._with(stop, room, value, loose),
                    )
                    self.first.pop()
                    self.first_links.pop()
        if behind is not None and self.stops[self.root].passable:
            self._turn(sides, places, cities, room, value, loose)

    def _turn(self, sides: int, places: int, cities: int, room: int, value: int, loose: Loose) -> None:
        """Begin the other arm; of the two ways to draw a route the one with the lesser first link is enough."""
        for there, link, crossed in self.explorer.ways[self.root]:
            if link > self.first_links[0] and self._open(there, crossed, sides, places, cities, room):
                self._step(there, self.root, link, sides | crossed, places, cities, room, value, loose)

    def _grow_second(
        self, end: int, behind: int, sides: int, places: int, cities: int, room: int, value: int, loose: Loose
    ) -> None:
        arms = self._one_arm.get((end, behind))
        if arms is None:
            arms = self._one_arm[end, behind] = self.explorer.arms(end, behind, None)
        if self._hope(arms, room, value, loose) <= self.floor:
            return
        self._note(room, value, loose, sides)
        if self.stops[end].passable:
            for there, link, crossed in self.explorer.ways[end]:
                if self._open(there, crossed, sides, places, cities, room):
                    self._step(there, end, link, sides | crossed, places, cities, room, value, loose)

    def _step(
        self,
        there: int,
        end: int,
        link: int,
        sides: int,
        places: int,
        cities: int,
        room: int,
        value: int,
        loose: Loose,
    ) -> None:
        """Draw the second arm on to a stop, and from there."""
        stop = self.stops[there]
        self.second.append(there)
        self.second_links.append(link)
        self._grow_second(
            there,
            end,
            sides,
            places | self.explorer.place[there],
            cities + (not stop.is_town),
            *self._with(stop, room, value, loose),
        )
        self.second.pop()
        self.second_links.pop()

    def _open(self, there: int, crossed: int, sides: int, places: int, cities: int, room: int) -> bool:
        """Whether a route may go on to a stop."""
        if crossed & sides or places & self.explorer.place[there] or self.barred >> there & 1:
            return False
        stop = self.stops[there]
        if not stop.is_town and self.train.cities is not None and cities >= self.train.cities:
            return False
        return room > 0 or self.train.optional(stop)

    def _hope(self, arms: list[int], room: int, value: int, loose: Loose) -> int:
        """More than any completion of the route can earn."""
        if not self.explorer.patience():
            raise OutOfPatienceError
        if not loose:
            return value + arms[room]
        best, kept = arms[room], 0
        for count, (worth, _) in enumerate(loose[:room], start=1):
            kept += worth
            best = max(best, arms[room - count] + kept)
        return value + best

    def _note(self, room: int, value: int, loose: Loose, sides: int) -> None:
        """Keep the route as it is drawn, if it earns enough and at least two of its stops count."""
        worth, counted = value, self.train.stops - room
        towns = self.train.stops if self.train.towns is None else self.train.towns
        for amount, is_town in loose:
            if room and (towns or not is_town):
                worth += amount
                room -= 1
                counted += 1
                towns -= is_town
        if worth > self.floor and counted > 1:
            stops = (*reversed(self.first), *self.second)
            links = (*reversed(self.first_links), *self.second_links)
            self.found.append(Route(stops, links, worth, sides & ~self.forbidden))
            if self.rising:
                self.floor = worth
