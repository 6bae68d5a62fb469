"""Track and stations: what they add to the run of the trains, and which places they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Final

from ostbahn.bots.policies import Proposal, best_first, with_pass
from ostbahn.eighteen.track import board_after
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board, Hex, Map, hex_of
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import Node
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import ChooseCity, ChooseReturn, LayPurpleTile, LayRedTile, LayTile, PlaceStation
from ostbahn.titles.cz.opponents.prospects import (
    CzBotView,
    Foresight,
    best_with,
    on_sale,
    value_of_run_income,
    view_after,
)
from ostbahn.titles.cz.opponents.weights import CzWeights, FixedPlaces
from ostbahn.titles.cz.purchase import full
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost

DISTANCES_KEPT = 16
"""How many countries are kept: a search for track looks at several boards in turn."""


def place_value(hex_: Hex, nodes: tuple[Node, ...], places: FixedPlaces) -> float:
    """What a place will pay once it is built: more than the first tile on it shows."""
    if hex_.printed.reserved_for:
        return places.home
    if not nodes:
        return 0.0
    if nodes[0].kind == "town":
        return places.town
    return places.labelled.get(hex_.printed.label or "", places.city)


class TrackDistances:
    """The hexes over which track may be led, and how many tiles are missing between them.

    It changes only when a bare hex is built on or a colour opens, so what is found out is kept for later lays.
    """

    def __init__(self, map_: Map, built: frozenset[str], green: bool) -> None:
        self.built, self.green = built, green
        self._next = {hex_.id: self._steps(hex_) for hex_ in map_}
        self._around: dict[tuple[str, int], dict[str, int]] = {}

    def open(self, hex_: Hex) -> bool:
        """Whether there is track, or may be: OO hexes wait for green tiles, red ones for their company."""
        if hex_.id in self.built:
            return True
        ground = hex_.printed.ground
        return self.green if ground == "yellow" else ground == "open"

    def _steps(self, hex_: Hex) -> list[tuple[str, int]]:
        """The hexes to which track may lead from one, each with the tiles that it still needs."""
        return [
            (there.id, int(there.id not in self.built))
            for side, there in enumerate(hex_.neighbours)
            if there is not None
            and hex_.marked >> side & 1
            and there.printed.ground not in ("red", "grey")
            and self.open(there)
        ]

    def around(self, goal: str, farthest: int) -> Mapping[str, int]:
        """The hexes from which a goal is not too far, with the number of tiles that are missing."""
        key = (goal, farthest)
        if key in self._around:
            return self._around[key]
        found = self._around[key] = {goal: 0}
        queue = [goal]
        for here in queue:
            distance = found[here]
            if distance == farthest:
                continue
            for there, missing in self._next[here]:
                if there not in found:
                    found[there] = distance + missing
                    queue.append(there)
        return found


track_distances_of: Final = lru_cache(maxsize=DISTANCES_KEPT)(TrackDistances)


class TrackPotential:
    """For a company, what lies ahead of every hex that its track could be led to."""

    def __init__(self, table: CzTable, weights: CzWeights, company: str) -> None:
        self.table, self.weights = table, weights.building
        self.track, self.places = weights.fixed.track, weights.fixed.places
        title, board = table.title, table.state.board
        self.reach = title.surveyor.reach(board, company)
        self.reached = {hex_.id for hex_, _ in self.reach.nodes.values()}
        self._ahead: dict[str, float] = {}
        country = track_distances_of(
            title.map, frozenset(board.tiles), title.is_colour_open("green", table.state.phase)
        )
        nearness = [self.weights.decay**distance for distance in range(self.weights.farthest + 1)]
        self._goals = [
            (country.around(hex_.id, self.weights.farthest), [worth * part for part in nearness])
            for hex_ in title.map
            if hex_.id not in self.reached
            and (worth := place_value(hex_, board.face(title.tile_set, hex_).nodes, self.places)) > self.places.town
            and country.open(hex_)
        ]
        """For each place that it does not reach yet the distances to it, and what it is worth at each of them."""

    def _ahead_of(self, hex_id: str) -> float:
        """What track that comes to a hex leads towards: of several goals the best counts, others a little."""
        found = self._ahead.get(hex_id)
        if found is None:
            found, beside = 0.0, self.track.other_goals
            for distances, amounts in self._goals:
                distance = distances.get(hex_id)
                if distance is not None:
                    amount = amounts[distance]
                    found = max(found, amount) + beside * amount
            self._ahead[hex_id] = found
        return found

    def arrives(self, hex_: Hex) -> int:
        """The sides at which the company's track already comes to a hex."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        found = 0
        for side in sides_of(self.reach.sides.get(hex_.id, 0)):
            there = hex_.neighbours[side]
            if there is not None and board.face(tile_set, there).exits >> opposite(side) & 1:
                found |= 1 << side
        return found

    def beyond(self, hex_: Hex, exits: int) -> float:
        """What track that leaves a hex by these sides leads towards."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        found = []
        for side in sides_of(exits):
            there = hex_.neighbours[side]
            if there is None:
                continue
            ahead = self._ahead_of(there.id)
            if there.id in board.tiles:
                joins = board.face(tile_set, there).exits >> opposite(side) & 1
                ahead *= self.track.joins if joins else self.track.blocked
            found.append(ahead)
        found.sort(reverse=True)
        return sum(amount * self.weights.second_way**place for place, amount in enumerate(found))


AnyLay = LayTile | LayPurpleTile


SMALLEST: Final = {"large": "3E", "medium": "2+2", "small": "2"}
"""The train to build for where none of a size is on sale."""


def planned_trains(view: CzBotView, company: str) -> list[str]:
    """The trains to build for: those it has, or the one that it will buy next."""
    table, typical, cash = view.table, view.weights.trains.typical, view.table.state.cash[company]
    own = [train.face for train in runnable(table, company)]
    prices = on_sale(table, company)
    if own:
        more = [face for face, price in prices.items() if price <= cash]
        if more and len(own) < view.weights.building.plan_trains and not full(table, company):
            return [*own, max(more, key=lambda face: typical[face])]
        return own
    if not prices:
        return [SMALLEST[table.size(company)]]
    best = max(prices, key=lambda face: typical[face])
    return [best, best] if cash >= 2 * prices[best] else [best]


def on_board(table: CzTable, board: Board) -> CzTable:
    """The table with another board on it."""
    other = copy(table)
    other.state = copy(table.state)
    other.state.board = board
    return other


def with_lay(table: CzTable, lay: AnyLay) -> CzTable:
    return on_board(table, board_after(table, lay.hex, lay.tile, lay.rotation))


def lays_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """A power of a Local Railway where it brings enough, then ordinary track."""
    ordinary = "no track is expected to earn what it costs"
    return _evaluated_lays(question, view, LayPurpleTile) or with_pass(
        _evaluated_lays(question, view, LayTile), ordinary
    )


def _evaluated_lays(question: Question, view: CzBotView, kind: type[AnyLay]) -> list[Proposal]:
    """The lays that promise most at first sight, tried out exactly."""
    assert isinstance(question.task, CompanyTask)
    table, company, weights = view.table, question.task.company, view.weights.building
    lays: dict[tuple[str, str, int], AnyLay] = {}
    for action in question.actions(kind):
        lays.setdefault((action.hex, action.tile, action.rotation), action)
    if not lays:
        return []
    ways = TrackPotential(table, view.weights, company)
    promises = {action: rough_lay_value(table, ways, action) for action in lays.values()}
    faces = planned_trains(view, company)
    now = best_with(table, company, faces)
    interest = value_of_run_income(view, company, question.decider)
    found = []
    for action in sorted(promises, key=lambda lay: -promises[lay])[: weights.candidates]:
        added = best_with(with_lay(table, action), company, faces) - now
        cost = 0.0
        if isinstance(action, LayTile) and action.waiver is None:
            cost = terrain_cost(table, company, action.hex) * view.weights.dealing.treasury * view.calendar.cash_now
        score = interest * (added + promises[action] * weights.way) - cost
        reasons = (f"adds {added} K to the best run",) if added > 0 else ("leads to new places",)
        if kind is LayTile or added >= weights.power:
            found.append(Proposal(action, score, reasons))
    return found


def rough_lay_value(table: CzTable, ways: TrackPotential, action: AnyLay) -> float:
    title, board = table.title, table.state.board
    hex_ = title.map[action.hex]
    old, new = board.face(title.tile_set, hex_), title.tile_set.faces[action.tile][action.rotation]
    worth = ways.beyond(hex_, new.exits & ~old.exits & ~ways.arrives(hex_))
    if action.hex not in ways.reached and new.nodes:
        worth += place_value(hex_, new.nodes, ways.places)
    else:
        worth += _best_node_value(new.nodes) - _best_node_value(old.nodes)
    return worth


def _best_node_value(nodes: Sequence[object]) -> float:
    values = [getattr(node, "value", 0) for node in nodes]
    return float(max((value for value in values if isinstance(value, int)), default=0))


def home_lays(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """The Mährische Westbahn builds what opens most ways."""
    found = []
    for action in question.actions(LayTile):
        face = view.table.title.tile_set.faces[action.tile][action.rotation]
        sides = face.exits.bit_count()
        found.append(Proposal(action, _best_node_value(face.nodes) + sides, (f"opens {sides} sides of the hex",)))
    return with_pass(found, "no tile opens anything")


def red_homes(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """The home of a large company: where track is, or can soon be."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned_trains(view, company)
    found = []
    for action in question.actions(LayRedTile):
        then = view_after(game, action, view.weights)
        run = best_with(then.table, company, faces)
        ways = TrackPotential(then.table, then.weights, company)
        ahead = sum(ways.beyond(then.table.title.map[hex_id], sides) for hex_id, sides in ways.reach.sides.items())
        places = sum(place_value(hex_, hex_.face.nodes or (), ways.places) for hex_, _ in ways.reach.nodes.values())
        score = run + ahead * ways.track.home_ways + places * ways.track.home_places
        reason = f"a run of {run} K from there" if run else "there is room to build from there"
        found.append(Proposal(action, score, (reason,)))
    return found


def stations_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    places = question.actions(PlaceStation)
    if not places:
        return with_pass((), "there is no city for a station")
    price = next_price(table, company)
    faces = planned_trains(view, company)
    now = best_with(table, company, faces)
    interest = value_of_run_income(view, company, question.decider)
    cost = price * view.weights.dealing.treasury * view.calendar.cash_now
    then = Foresight(view, company, cash=table.state.cash[company] - price).prospect()
    put_back = max(0.0, then.levies - view.prospect(company).levies)  # by the Director, for trains
    cost += view.weights.building.put_back * put_back
    board = table.state.board
    promises = {}
    for action in places:
        hex_ = table.title.map[hex_of(action.city)]
        nodes = board.face(table.title.tile_set, hex_).nodes
        promises[action] = place_value(hex_, nodes, view.weights.fixed.places)
    found = []
    for action in sorted(places, key=lambda place: -promises[place])[: view.weights.building.candidates]:
        stations = {**board.stations, action.city: (*board.stations.get(action.city, ()), company)}
        added = best_with(on_board(table, board.with_stations(stations)), company, faces) - now
        score = interest * (added + promises[action] * view.weights.building.station_reach) - cost
        brings = f"adds {added} K to the best run" if added > 0 else "keeps a way open for later runs"
        found.append(Proposal(action, score, (f"{brings}, for {price} K",)))
    return with_pass(found, f"no station is worth its {price} K")


def ranked_by_run(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """The home with the better run, or the station to give back that is missed least."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned_trains(view, company)
    found = []
    for action in [*question.actions(ChooseCity), *question.actions(ChooseReturn)]:
        run = best_with(view_after(game, action, view.weights).table, company, faces)
        reason = f"a run of {run} K from there" if isinstance(action, ChooseCity) else f"leaves a run of {run} K"
        found.append(Proposal(action, float(run), (reason,) if run else ()))
    return best_first(found)
