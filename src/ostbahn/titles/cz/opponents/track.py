"""Proposals for track and stations, by the revenue they add and the places they lead to."""

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
from ostbahn.titles.cz.purchase import at_train_limit
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost

DISTANCES_KEPT = 16
"""Cache size: a search for track compares several boards."""


def place_value(hex_: Hex, nodes: tuple[Node, ...], places: FixedPlaces) -> float:
    """Return what a place will pay once it is fully built, more than its first tile shows."""
    if hex_.printed.reserved_for:
        return places.home
    if not nodes:
        return 0.0
    if nodes[0].kind == "town":
        return places.town
    return places.labelled.get(hex_.printed.label or "", places.city)


class TrackDistances:
    """Distances between hexes in missing tiles.

    They change only when a bare hex is built on or a colour opens, so they are cached for later lays.
    """

    def __init__(self, map_: Map, built: frozenset[str], green: bool) -> None:
        self.built, self.green = built, green
        self._next = {hex_.id: self._steps(hex_) for hex_ in map_}
        self._around: dict[tuple[str, int], dict[str, int]] = {}

    def open(self, hex_: Hex) -> bool:
        """Whether a hex has track or may get it: OO hexes need green tiles, red ones their company."""
        if hex_.id in self.built:
            return True
        ground = hex_.printed.ground
        return self.green if ground == "yellow" else ground == "open"

    def _steps(self, hex_: Hex) -> list[tuple[str, int]]:
        """Return the neighbours that track can lead to, each with 1 if it needs a tile."""
        return [
            (other.id, int(other.id not in self.built))
            for side, other in enumerate(hex_.neighbours)
            if other is not None
            and hex_.marked >> side & 1
            and other.printed.ground not in ("red", "grey")
            and self.open(other)
        ]

    def around(self, goal: str, farthest: int) -> Mapping[str, int]:
        """Map each hex within `farthest` of a goal to the number of tiles missing."""
        key = (goal, farthest)
        if key in self._around:
            return self._around[key]
        distances = self._around[key] = {goal: 0}
        queue = [goal]
        for start in queue:
            distance = distances[start]
            if distance == farthest:
                continue
            for other, missing in self._next[start]:
                if other not in distances:
                    distances[other] = distance + missing
                    queue.append(other)
        return distances


track_distances_of: Final = lru_cache(maxsize=DISTANCES_KEPT)(TrackDistances)


class TrackPotential:
    """The value of the places that a company's track could be extended to."""

    def __init__(self, table: CzTable, weights: CzWeights, company: str) -> None:
        self.table, self.weights = table, weights.building
        self.track, self.places = weights.fixed.track, weights.fixed.places
        title, board = table.title, table.state.board
        self.reach = title.surveyor.reach(board, company)
        self.reached = {hex_.id for hex_, _ in self.reach.nodes.values()}
        self._ahead: dict[str, float] = {}
        is_green_open = title.is_colour_open("green", table.state.phase)
        distances = track_distances_of(title.map, frozenset(board.tiles), is_green_open)
        nearness = [self.weights.decay**distance for distance in range(self.weights.farthest + 1)]
        self._goals = [
            (distances.around(hex_.id, self.weights.farthest), [worth * factor for factor in nearness])
            for hex_ in title.map
            if hex_.id not in self.reached
            and (worth := place_value(hex_, board.face(title.tile_set, hex_).nodes, self.places)) > self.places.town
            and distances.open(hex_)
        ]
        """For each unreached place: distances of hexes to it, and its value by distance."""

    def _ahead_of(self, hex_id: str) -> float:
        """Return the value of the goals near a hex: the best counts fully, others a little."""
        value = self._ahead.get(hex_id)
        if value is None:
            value = 0.0
            for distances, amounts in self._goals:
                distance = distances.get(hex_id)
                if distance is not None:
                    value = max(value, amounts[distance]) + self.track.other_goals * amounts[distance]
            self._ahead[hex_id] = value
        return value

    def arrives(self, hex_: Hex) -> int:
        """Return the sides, as bits, at which the company's track already enters a hex."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        entered = 0
        for side in sides_of(self.reach.sides.get(hex_.id, 0)):
            neighbour = hex_.neighbours[side]
            if neighbour is not None and board.face(tile_set, neighbour).exits >> opposite(side) & 1:
                entered |= 1 << side
        return entered

    def beyond(self, hex_: Hex, exits: int) -> float:
        """Return the value of the goals beyond these sides of a hex, later ones discounted."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        values = []
        for side in sides_of(exits):
            neighbour = hex_.neighbours[side]
            if neighbour is None:
                continue
            ahead = self._ahead_of(neighbour.id)
            if neighbour.id in board.tiles:
                joins = board.face(tile_set, neighbour).exits >> opposite(side) & 1
                ahead *= self.track.joins if joins else self.track.blocked
            values.append(ahead)
        values.sort(reverse=True)
        return sum(amount * self.weights.second_way**rank for rank, amount in enumerate(values))


AnyLay = LayTile | LayPurpleTile


SMALLEST: Final = {"large": "3E", "medium": "2+2", "small": "2"}
"""The train to build for if none of a size is on sale."""


def planned_trains(view: CzBotView, company: str) -> list[str]:
    """Return the trains to build for: the company's own and an affordable one, or those it will buy next."""
    table, typical, cash = view.table, view.weights.trains.typical, view.table.state.cash[company]
    own = [train.face for train in runnable(table, company)]
    prices = on_sale(table, company)
    if own:
        affordable = [face for face, price in prices.items() if price <= cash]
        if affordable and len(own) < view.weights.building.plan_trains and not at_train_limit(table, company):
            return [*own, max(affordable, key=lambda face: typical[face])]
        return own
    if not prices:
        return [SMALLEST[table.size(company)]]
    best = max(prices, key=lambda face: typical[face])
    return [best, best] if cash >= 2 * prices[best] else [best]


def on_board(table: CzTable, board: Board) -> CzTable:
    """Return a copy of the table with another board."""
    other = copy(table)
    other.state = copy(table.state)
    other.state.board = board
    return other


def with_lay(table: CzTable, lay: AnyLay) -> CzTable:
    return on_board(table, board_after(table, lay.hex, lay.tile, lay.rotation))


def lays_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose a Local Railway's power if it brings enough, otherwise ordinary track."""
    pass_reason = "no track is expected to earn what it costs"
    return _evaluated_lays(question, view, LayPurpleTile) or with_pass(
        _evaluated_lays(question, view, LayTile), pass_reason
    )


def _evaluated_lays(question: Question, view: CzBotView, kind: type[AnyLay]) -> list[Proposal]:
    """Evaluate exactly the lays with the highest rough value."""
    assert isinstance(question.task, CompanyTask)
    table, company, weights = view.table, question.task.company, view.weights.building
    lays: dict[tuple[str, str, int], AnyLay] = {}
    for action in question.actions(kind):
        lays.setdefault((action.hex, action.tile, action.rotation), action)
    if not lays:
        return []
    potential = TrackPotential(table, view.weights, company)
    rough_values = {action: rough_lay_value(table, potential, action) for action in lays.values()}
    faces = planned_trains(view, company)
    best_now = best_with(table, company, faces)
    interest = value_of_run_income(view, company, question.decider)
    proposed = []
    for action in sorted(rough_values, key=lambda lay: -rough_values[lay])[: weights.candidates]:
        added = best_with(with_lay(table, action), company, faces) - best_now
        cost = 0.0
        if isinstance(action, LayTile) and action.waiver is None:
            cost = terrain_cost(table, company, action.hex) * view.weights.dealing.treasury * view.calendar.cash_now
        score = interest * (added + rough_values[action] * weights.way) - cost
        reasons = (f"adds {added} K to the best run",) if added > 0 else ("leads to new places",)
        if kind is LayTile or added >= weights.power:
            proposed.append(Proposal(action, score, reasons))
    return proposed


def rough_lay_value(table: CzTable, potential: TrackPotential, action: AnyLay) -> float:
    title, board = table.title, table.state.board
    hex_ = title.map[action.hex]
    old, new = board.face(title.tile_set, hex_), title.tile_set.faces[action.tile][action.rotation]
    worth = potential.beyond(hex_, new.exits & ~old.exits & ~potential.arrives(hex_))
    if action.hex not in potential.reached and new.nodes:
        worth += place_value(hex_, new.nodes, potential.places)
    else:
        worth += _best_node_value(new.nodes) - _best_node_value(old.nodes)
    return worth


def _best_node_value(nodes: Sequence[object]) -> float:
    values = [getattr(node, "value", 0) for node in nodes]
    return float(max((value for value in values if isinstance(value, int)), default=0))


def home_lays(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose for the Mährische Westbahn the tiles with the most sides."""
    proposed = []
    for action in question.actions(LayTile):
        face = view.table.title.tile_set.faces[action.tile][action.rotation]
        sides = face.exits.bit_count()
        proposed.append(Proposal(action, _best_node_value(face.nodes) + sides, (f"opens {sides} sides of the hex",)))
    return with_pass(proposed, "no tile opens anything")


def red_homes(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose homes of a large company by the run and the places within reach."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned_trains(view, company)
    proposed = []
    for action in question.actions(LayRedTile):
        table = view_after(game, action, view.weights).table
        run = best_with(table, company, faces)
        potential = TrackPotential(table, view.weights, company)
        reach, values = potential.reach, potential.places
        goals = sum(potential.beyond(table.title.map[hex_id], sides) for hex_id, sides in reach.sides.items())
        places = sum(place_value(hex_, hex_.face.nodes or (), values) for hex_, _ in reach.nodes.values())
        score = run + goals * potential.track.home_ways + places * potential.track.home_places
        reason = f"a run of {run} K from there" if run else "there is room to build from there"
        proposed.append(Proposal(action, score, (reason,)))
    return proposed


def stations_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    places = question.actions(PlaceStation)
    if not places:
        return with_pass((), "there is no city for a station")
    price = next_price(table, company)
    faces = planned_trains(view, company)
    best_now = best_with(table, company, faces)
    interest = value_of_run_income(view, company, question.decider)
    cost = price * view.weights.dealing.treasury * view.calendar.cash_now
    prospect_after = Foresight(view, company, cash=table.state.cash[company] - price).prospect()
    added_levies = max(0.0, prospect_after.levies - view.prospect(company).levies)  # by the Director, for trains
    cost += view.weights.building.put_back * added_levies
    board = table.state.board
    values = {}
    for action in places:
        hex_ = table.title.map[hex_of(action.city)]
        nodes = board.face(table.title.tile_set, hex_).nodes
        values[action] = place_value(hex_, nodes, view.weights.fixed.places)
    proposed = []
    for action in sorted(places, key=lambda place: -values[place])[: view.weights.building.candidates]:
        stations = {**board.stations, action.city: (*board.stations.get(action.city, ()), company)}
        added = best_with(on_board(table, board.with_stations(stations)), company, faces) - best_now
        score = interest * (added + values[action] * view.weights.building.station_reach) - cost
        benefit = f"adds {added} K to the best run" if added > 0 else "keeps a way open for later runs"
        proposed.append(Proposal(action, score, (f"{benefit}, for {price} K",)))
    return with_pass(proposed, f"no station is worth its {price} K")


def ranked_by_run(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Rank homes, or stations to give back, by the best run that follows."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned_trains(view, company)
    proposed = []
    for action in [*question.actions(ChooseCity), *question.actions(ChooseReturn)]:
        run = best_with(view_after(game, action, view.weights).table, company, faces)
        reason = f"a run of {run} K from there" if isinstance(action, ChooseCity) else f"leaves a run of {run} K"
        proposed.append(Proposal(action, float(run), (reason,) if run else ()))
    return best_first(proposed)
