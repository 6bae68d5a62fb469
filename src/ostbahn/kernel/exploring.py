"""The search for the routes of one kind of train.

A route grows from one of its ends, stop by stop, and is given up when even the outlook from where it stands could
not earn enough; an outlook is never too low, so what is left out could not have mattered. Ends with the best
outlook come first, so that a good route is soon known and the rest is given up early.
"""

from __future__ import annotations

from dataclasses import replace

from ostbahn.kernel.outlook import Memory, Outlook, Walks
from ostbahn.kernel.routes import NO_ROUTE, Link, Network, OutOfPatienceError, Patience, Route, Stop, Train, endless

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""


GRACE = 2000
"""Steps that a search takes before it asks for patience, so that every train has a route when it runs out."""

MOST_ROUTES = 200_000
"""How many routes a search keeps, so that memory stays bounded; then it is given up."""

MINE = "a mine"
"""The location that all mines share: a route visits only one of them."""


class Explorer:
    """Finds the routes of one kind of train on one network."""

    def __init__(self, network: Network, train: Train, patience: Patience = endless) -> None:
        self.stops = _as_paid(network.stops, train)
        """All stops; where bonuses are collected, with the bonus in the value."""
        self.train = train
        self.patience = patience
        self.gave_up = False
        """Whether a search was left before its end."""
        numbers: dict[str, int] = {}
        places = (MINE if stop.is_mine else stop.location for stop in self.stops)
        self.place = [1 << numbers.setdefault(place, len(numbers)) for place in places]
        self.mine_place = 1 << numbers[MINE] if MINE in numbers else 0
        self.ways = self._ways(network)
        self._forget_what_is_out_of_reach()
        mines = (stop.value for number, stop in enumerate(self.stops) if stop.is_mine and self.ways[number])
        self.best_mine = max(mines, default=0)
        self._best: Route | None = None
        self.around = [sorted({way[0] for way in ways}) for ways in self.ways]
        self.outlook: Outlook = (
            Walks(self.stops, self.around, train)
            if train.cities is None
            else Memory(self.stops, self.around, self.place, train)
        )

    def best(self, forbidden: int = 0) -> Route:
        """The best route off the forbidden hex sides; of equals the one that is found first."""
        if self._best is not None and not self._best.sides & forbidden:
            return self._best
        found = self._search(forbidden, 0, rising=True)
        best = found[-1] if found else NO_ROUTE
        if not forbidden:
            self._best = best
        return best

    def better_than(self, floor: int) -> list[Route]:
        """Every route that earns more."""
        return self._search(0, floor, rising=False)

    def _search(self, forbidden: int, floor: int, rising: bool) -> list[Route]:
        search = _Search(self, forbidden, floor, rising)
        try:
            search.run()
        except OutOfPatienceError:
            self.gave_up = True
        return search.found

    def hopes(self) -> list[tuple[int, int]]:
        """Every stop at which a route may begin, with the most that it could then earn; best first."""
        found = []
        for number, stop in enumerate(self.stops):
            if self.ways[number]:
                room = self.train.stops - (not self.train.optional(stop) and not stop.is_mine)
                cities = self.train.stops if self.train.cities is None else self.train.cities - (not stop.is_town)
                onward = self.outlook.onward(number, None, self.place[number], room, cities, not stop.own)
                found.append((stop.value + onward + self.mine_ahead(self.place[number]), number))
        return sorted(found, key=lambda row: (-row[0], self.stops[row[1]].id))

    def mine_ahead(self, places: int) -> int:
        """The most that a mine can still pay, after some places."""
        return 0 if places & self.mine_place else self.best_mine

    @property
    def bound(self) -> int:
        """No route earns more."""
        return max([0, *(hope for hope, _ in self.hopes())])

    def _ways(self, network: Network) -> list[list[tuple[int, int, int]]]:
        """For each stop the links that leave it (stop, link, sides), good stops first.

        A link is left out where another one joins the same stops on part of its hex sides.
        """
        kept: dict[tuple[int, int], list[int]] = {}
        order = sorted(range(len(network.links)), key=lambda number: self._looks(network.links[number]))
        for number in order:
            link = network.links[number]
            rivals = kept.setdefault((min(link.a, link.b), max(link.a, link.b)), [])
            if (
                self.place[link.a] != self.place[link.b]
                and self._open(link)
                and not any(network.links[rival].sides & ~link.sides == 0 for rival in rivals)
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

    def _open(self, link: Link) -> bool:
        """Mines are closed to trains without access to them."""
        return self.train.visits_mine or not (self.stops[link.a].is_mine or self.stops[link.b].is_mine)

    def _looks(self, link: Link) -> tuple[int, int, list[str], tuple[str, ...]]:
        ends = sorted((self.stops[link.a].id, self.stops[link.b].id))
        return (link.sides.bit_count(), link.sides, ends, min(link.hexes, link.hexes[::-1]))

    def _forget_what_is_out_of_reach(self) -> None:
        """Track that no route from an own station can use only costs time."""
        todo = [number for number, stop in enumerate(self.stops) if stop.own]
        seen = set(todo)
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


def _as_paid(stops: tuple[Stop, ...], train: Train) -> tuple[Stop, ...]:
    """The stops as if every bonus were paid; where a route has more than its train collects, the rest is taken off."""
    if not train.bonuses:
        return stops
    return tuple(replace(stop, value=stop.value + stop.bonus) if stop.bonus else stop for stop in stops)


class _Search:
    """One search: a route grows from one of its ends, stop by stop.

    Written for speed: what changes from step to step is passed along as numbers, the path is a list.
    """

    def __init__(self, explorer: Explorer, forbidden: int, floor: int, rising: bool) -> None:
        self.explorer = explorer
        self.train = explorer.train
        self.stops = explorer.stops
        self.floor = floor
        self.rising = rising
        """Whether only better routes than the last one found are wanted."""
        self.found: list[Route] = []
        self.steps = 0
        self.forbidden = forbidden
        self.path: list[int] = []
        self.links: list[int] = []
        self.done: set[int] = set()
        """Stops from which all routes have been found: none need end there any more."""

    def run(self) -> None:
        for hope, start in self.explorer.hopes():
            if hope <= self.floor:
                break
            stop = self.stops[start]
            self.path = [start]
            room, value, loose = self._with(stop, self.train.stops, 0, ())
            cities = self.train.stops if self.train.cities is None else self.train.cities
            place = self.explorer.place[start]
            self._grow(
                start, None, self.forbidden, place, cities - (not stop.is_town), room, value, loose, not stop.own
            )
            self.done.add(start)

    def _with(self, stop: Stop, room: int, value: int, loose: Loose) -> tuple[int, int, Loose]:
        """Room, value and optional stops with one stop more; a mine adds value only."""
        if stop.is_mine:
            return room, value + stop.value, loose
        if self.train.optional(stop):
            return room, value, tuple(sorted((*loose, (stop.value, stop.is_town)), reverse=True))
        return room - 1, value + stop.value, loose

    def _grow(
        self,
        end: int,
        behind: int | None,
        sides: int,
        places: int,
        cities: int,
        room: int,
        value: int,
        loose: Loose,
        homeless: bool,
    ) -> None:
        """Note the route as it is, and draw it on to every next stop that is worth while."""
        if self._hope(end, behind, places, cities, room, value, loose, homeless) <= self.floor:
            return
        if not homeless and behind is not None and end not in self.done:
            self._note(room, value, loose, sides)
        if behind is not None and not self.stops[end].passable:
            return
        place, limited = self.explorer.place, self.train.cities is not None
        for there, link, crossed in self.explorer.ways[end]:
            stop = self.stops[there]
            if crossed & sides or places & place[there] or (limited and not stop.is_town and not cities):
                continue
            if not room and not self.train.optional(stop) and not stop.is_mine:
                continue
            self.path.append(there)
            self.links.append(link)
            self._grow(
                there,
                end,
                sides | crossed,
                places | place[there],
                cities - (not stop.is_town) if limited else cities,
                *self._with(stop, room, value, loose),
                homeless and not stop.own,
            )
            self.path.pop()
            self.links.pop()

    def _hope(
        self,
        end: int,
        behind: int | None,
        places: int,
        cities: int,
        room: int,
        value: int,
        loose: Loose,
        homeless: bool,
    ) -> int:
        """More than any completion of the route can earn."""
        self.steps += 1
        if self.steps > GRACE and not self.explorer.patience():
            raise OutOfPatienceError
        onward = self.explorer.outlook.onward
        best = onward(end, behind, places, room, cities, homeless)
        kept = 0
        for count, (worth, _) in enumerate(loose[:room], start=1):
            kept += worth
            best = max(best, kept + onward(end, behind, places, room - count, cities, homeless))
        return value + best + self.explorer.mine_ahead(places)

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
        worth -= self._bonuses_not_collected()
        if worth > self.floor and counted >= self.train.least_stops and self._has_what_it_needs():
            if len(self.found) == MOST_ROUTES:
                raise OutOfPatienceError
            subsidy = sum(self.stops[number].value for number in self.path if self.stops[number].is_mine)
            self.found.append(
                Route(tuple(self.path), tuple(self.links), worth - subsidy, sides & ~self.forbidden, subsidy)
            )
            if self.rising:
                self.floor = worth

    def _has_what_it_needs(self) -> bool:
        train, stops = self.train, self.stops
        if train.needs_mine and not any(stops[number].is_mine for number in self.path):
            return False
        return not train.needs_bonus or any(stops[number].bonus for number in self.path)

    def _bonuses_not_collected(self) -> int:
        """Stops with a bonus are never left out, so all of them are on the path."""
        if not self.train.bonuses:
            return 0
        bonuses = sorted((self.stops[number].bonus for number in self.path), reverse=True)
        return sum(bonuses[self.train.bonuses :])
