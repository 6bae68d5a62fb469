"""The search for the routes of one kind of train.

A route grows from one of its ends, stop by stop, and is given up when even the outlook from where it stands could
not earn enough; an outlook is never too low, so what is left out could not have mattered. Ends with the best
outlook come first, so that a good route is soon known and the rest is given up early.
"""

from __future__ import annotations

from collections.abc import Sequence

from ostbahn.kernel.routes.bounds import Memory, Outlook, Walks
from ostbahn.kernel.routes.ground import TolledGround, ground_of
from ostbahn.kernel.routes.network import NO_ROUTE, Knot, Network, Route, TrainKind, red_to_red_of
from ostbahn.kernel.routes.patience import ENDLESS, OutOfPatienceError, Patience

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""

GRACE = 2000
"""Steps that a search takes before it asks for patience, so that every train has a route when it runs out."""

MOST_ROUTES = 200_000
"""How many routes a search keeps, so that memory stays bounded; then it is given up."""

ANY = 10**6
"""More cities than any route visits."""


class Explorer:
    """Finds the routes of one kind of train on one network."""

    def __init__(
        self, network: Network, kind: TrainKind, tolls: Sequence[int] = (), knots: Sequence[Knot] = ()
    ) -> None:
        """Tolls are for links; neither those nor knots are there where a train looks for its best route alone."""
        ground = ground_of(network, kind.bonuses > 0, kind.visits_mine, kind.red_to_red)
        self.ground = TolledGround(ground, tolls) if tolls else ground
        self.kind = kind
        self.knots = knots
        self.outlook: Outlook = (
            Walks(self.ground, kind) if kind.cities is None else Memory(self.ground.surroundings(kind.skips_towns))
        )
        self._alone: Route | None = None
        """The best route that was found while no hex side was forbidden."""
        self._proven = False
        """Whether there is no better one."""

    def best(self, forbidden: int = 0, patience: Patience = ENDLESS) -> Route:
        """The best route off the forbidden hex sides, as far as patience lasts; of equals the one found first."""
        if self._alone is None:
            self._alone = self._best_alone(patience)
        if not self._alone.sides & forbidden:
            return self._alone
        return _last(self._searched(patience, forbidden, 0, rising=True))

    def _best_alone(self, patience: Patience) -> Route:
        """What an earlier search found is taken only with the patience for it: nothing else decides what is found."""
        known = self.ground.alone.get(self.kind)
        if known is not None and patience.covers(max(known[1] - _grace(patience), 0)):
            self._proven = True
            return known[0]
        search = self._searched(patience, 0, 0, rising=True)
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
        return max([0, *(hope for hope, _ in self.hopes())])

    def better_than(self, floor: int, patience: Patience = ENDLESS) -> tuple[list[Route], bool]:
        """Routes that earn more, and whether these are all of them."""
        search = self._searched(patience, 0, floor, rising=False)
        return search.found, not search.given_up

    def rising(self, floor: int, patience: Patience) -> list[Route]:
        """Better and better routes that earn more, the last of them the best there is; none if there is none."""
        search = self._searched(patience, 0, floor, rising=True)
        if search.given_up:
            raise OutOfPatienceError
        return search.found

    def _searched(self, patience: Patience, forbidden: int, floor: int, rising: bool) -> Search:
        search = Search(self, patience, forbidden, floor, rising)
        if self._can_do_what_it_must():
            try:
                search.run()
            except OutOfPatienceError:
                search.given_up = True
        return search

    def _can_do_what_it_must(self) -> bool:
        """Otherwise every route would be drawn in vain."""
        reached = [stop for stop, ways in zip(self.ground.stops, self.ground.ways, strict=True) if ways]
        if self.kind.needs_mine and not any(stop.is_mine for stop in reached):
            return False
        return not self.kind.needs_bonus or any(stop.bonus for stop in reached)

    def hopes(self) -> list[tuple[int, int]]:
        """Every stop at which a route may begin, with the most that it could then earn; best first."""
        sort = (self.kind.cities, self.kind.stops, self.kind.skips_towns)
        known = self.ground.hopes.get(sort)
        if known is None:
            found = [(self._hope(number), number) for number, ways in enumerate(self.ground.ways) if ways]
            stops = self.ground.stops
            known = self.ground.hopes[sort] = sorted(found, key=lambda row: (-row[0], stops[row[1]].id))
        return known

    def _hope(self, start: int) -> int:
        stop, place, kind = self.ground.stops[start], self.ground.place[start], self.kind
        room = kind.stops - (not kind.optional(stop) and not stop.is_mine)
        cities = kind.stops if kind.cities is None else kind.cities - (not stop.is_town)
        onward = self.outlook.onward(start, None, place, room, cities, not stop.own)
        return stop.value + onward + (0 if stop.is_mine else self.ground.best_mine)


def _grace(patience: Patience) -> int:
    """Steps of a search that are free."""
    return GRACE if patience.grace is None else patience.grace


def _last(search: Search) -> Route:
    """In a search for better and better routes the best one."""
    return search.found[-1] if search.found else NO_ROUTE


class Search:
    """One search: a route grows from one of its ends, stop by stop.

    Written for speed: what changes from step to step is passed along as numbers, the path is a list.
    """

    def __init__(self, explorer: Explorer, patience: Patience, forbidden: int, floor: int, rising: bool) -> None:
        self.explorer = explorer
        self.patience = patience
        self.given_up = False
        """Whether it was left before its end."""
        self.kind = explorer.kind
        self.stops = explorer.ground.stops
        self.ways = explorer.ground.ways
        self.onward = explorer.outlook.onward
        self.knots = explorer.knots
        self.mine_place, self.best_mine = explorer.ground.mine_place, explorer.ground.best_mine
        self.extra = [stop.is_mine or self.kind.optional(stop) for stop in self.stops]
        """Stops that need no room: a route may always come by."""
        self.floor = floor
        self.rising = rising
        """Whether only better routes than the last one found are wanted."""
        self.found: list[Route] = []
        self.steps = 0
        self.grace = _grace(patience)
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
            room, value, loose = self._with(start, self.kind.stops, 0, ())
            cities = ANY if self.kind.cities is None else self.kind.cities
            place = self.explorer.ground.place[start]
            self._grow(
                start, None, self.forbidden, place, cities - (not stop.is_town), room, value, loose, not stop.own
            )
            self.done.add(start)

    def _with(self, number: int, room: int, value: int, loose: Loose) -> tuple[int, int, Loose]:
        """Room, value and optional stops with one stop more; a mine adds value only."""
        stop = self.stops[number]
        if stop.is_mine:
            return room, value + stop.value, loose
        if self.extra[number]:
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
        """Note the route as it is, and draw it on to every next stop, while what is ahead could still earn enough."""
        self.steps += 1
        if self.steps > self.grace and not self.patience():
            raise OutOfPatienceError
        wanted = self.floor - value - (0 if places & self.mine_place else self.best_mine)
        if self.onward(end, behind, places, room, cities, homeless) <= wanted and not (
            loose and self._passed_enough(end, behind, places, cities, room, loose, homeless, wanted)
        ):
            return
        if behind is not None:
            if not homeless and end not in self.done:
                self._note(room, value, loose, sides)
            if not self.stops[end].passable:
                return
        for there, link, crossed, place, is_city, toll in self.ways[end]:
            if crossed & sides or places & place or (is_city and not cities):
                continue
            stop = self.stops[there]
            if self.knots:
                toll += self._newly_tied(sides, crossed)
            if self.extra[there]:
                counted = self._with(there, room, value - toll, loose)
            elif room:
                counted = (room - 1, value + stop.value - toll, loose)
            else:
                continue
            self.path.append(there)
            self.links.append(link)
            self._grow(
                there,
                end,
                sides | crossed,
                places | place,
                cities - is_city,
                *counted,
                homeless and not stop.own,
            )
            self.path.pop()
            self.links.pop()

    def _newly_tied(self, sides: int, crossed: int) -> int:
        """What has to be paid for knots if a route goes on over some hex sides."""
        toll = 0
        for knot in self.knots:
            if knot.sides & crossed and knot.ties(sides | crossed) and not knot.ties(sides):
                toll += knot.toll
        return toll

    def _passed_enough(
        self,
        end: int,
        behind: int | None,
        places: int,
        cities: int,
        room: int,
        loose: Loose,
        homeless: bool,
        wanted: int,
    ) -> bool:
        """Whether going on can earn more than is wanted if some of the optional stops count that were passed."""
        kept = 0
        for count, (worth, _) in enumerate(loose[:room], start=1):
            kept += worth
            if kept + self.onward(end, behind, places, room - count, cities, homeless) > wanted:
                return True
        return False

    def _note(self, room: int, value: int, loose: Loose, sides: int) -> None:
        """Keep the route as it is drawn, if it earns enough and at least two of its stops count."""
        worth, counted = value, self.kind.stops - room
        towns = self.kind.stops if self.kind.towns is None else self.kind.towns
        for amount, is_town in loose:
            if room and (towns or not is_town):
                worth += amount
                room -= 1
                counted += 1
                towns -= is_town
        if self.kind.bonuses and worth > self.floor:
            worth -= self._bonuses_not_collected()
        if self.kind.red_to_red and worth > self.floor:
            worth -= self._reds_not_joined()
        if worth > self.floor and counted >= self.kind.least_stops and self._has_what_it_needs():
            if len(self.found) == MOST_ROUTES:
                raise OutOfPatienceError
            subsidy = sum(self.stops[number].value for number in self.path if self.stops[number].is_mine)
            self.found.append(
                Route(tuple(self.path), tuple(self.links), worth - subsidy, sides & ~self.forbidden, subsidy)
            )
            if self.rising:
                self.floor = worth

    def _has_what_it_needs(self) -> bool:
        kind, stops = self.kind, self.stops
        if kind.needs_mine and not any(stops[number].is_mine for number in self.path):
            return False
        return not kind.needs_bonus or any(stops[number].bonus for number in self.path)

    def _bonuses_not_collected(self) -> int:
        """Stops with a bonus are never left out, so all of them are on the path."""
        bonuses = sorted((self.stops[number].bonus for number in self.path), reverse=True)
        return sum(bonuses[self.kind.bonuses :])

    def _reds_not_joined(self) -> int:
        """What the values of red tiles hold beyond that which two of them bring."""
        reds = [self.stops[number] for number in self.path if self.stops[number].is_red]
        return len(reds) * self.explorer.ground.half - red_to_red_of(self.kind, reds)
