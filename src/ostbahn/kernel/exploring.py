"""The search for the routes of one kind of train.

A route grows from an own station, first one arm, then the other. An arm is given up when even the outlook from
its end could not earn enough; an outlook is never too low, so what is left out could not have mattered.
"""

from __future__ import annotations

from ostbahn.kernel.outlook import Memory, Outlook, Walks
from ostbahn.kernel.routes import NO_ROUTE, Link, Network, OutOfPatienceError, Patience, Route, Stop, Train, endless

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""


class Explorer:
    """Finds the routes of one kind of train on one network."""

    def __init__(self, network: Network, train: Train, patience: Patience = endless) -> None:
        self.stops = network.stops
        self.train = train
        self.patience = patience
        numbers: dict[str, int] = {}
        self.place = [1 << numbers.setdefault(stop.location, len(numbers)) for stop in self.stops]
        self.own = sorted(
            (number for number, stop in enumerate(self.stops) if stop.own), key=lambda n: self.stops[n].id
        )
        self.ways = self._ways(network)
        self._forget_what_is_out_of_reach()
        self.around = [sorted({way[0] for way in ways}) for ways in self.ways]
        self.outlook: Outlook = (
            Walks(self.stops, self.around, train)
            if train.cities is None
            else Memory(self.stops, self.around, self.place, train)
        )

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
            stop = self.stops[root]
            room = self.train.stops - (not self.train.optional(stop))
            cities = room if self.train.cities is None else self.train.cities - (not stop.is_town)
            arms = self.outlook.arms(root, [root], self.place[root], room, cities, root)
            most = max(most, arms[room] + (0 if self.train.optional(stop) else stop.value))
        return most

    def _ways(self, network: Network) -> list[list[tuple[int, int, int]]]:
        """For each stop the links that leave it (stop, link, sides), good stops first.

        A link is left out where another one joins the same stops on part of its hex sides.
        """
        kept: dict[tuple[int, int], list[int]] = {}
        order = sorted(range(len(network.links)), key=lambda number: self._looks(network.links[number]))
        self.rank = {number: rank for rank, number in enumerate(order)}
        """An order of the links that does not depend on how they are numbered."""
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

    def _looks(self, link: Link) -> tuple[int, int, list[str], tuple[str, ...]]:
        ends = sorted((self.stops[link.a].id, self.stops[link.b].id))
        return (link.sides.bit_count(), link.sides, ends, min(link.hexes, link.hexes[::-1]))

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
        for root in explorer.own:
            self._from(root)
            self.barred |= 1 << root

    def _from(self, root: int) -> None:
        """All routes over an own station, but over none that came before."""
        self.root = root
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
        if room < 0:
            return
        arms = self.explorer.outlook.arms(end, self.first, places, room, self._cities_left(cities), self.root)
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
        rank = self.explorer.rank
        for there, link, crossed in self.explorer.ways[self.root]:
            if rank[link] > rank[self.first_links[0]] and self._open(there, crossed, sides, places, cities, room):
                self._step(there, self.root, link, sides | crossed, places, cities, room, value, loose)

    def _grow_second(
        self, end: int, behind: int, sides: int, places: int, cities: int, room: int, value: int, loose: Loose
    ) -> None:
        arms = self.explorer.outlook.arms(end, [behind, end], places, room, self._cities_left(cities), None)
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

    def _cities_left(self, cities: int) -> int:
        return self.train.stops if self.train.cities is None else self.train.cities - cities

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
