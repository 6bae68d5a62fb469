"""Proposals for laying track: a rough score of every lay, and estimated runs for the best few."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import zip_longest

from ostbahn.bots.policies import Proposal, best_first, with_pass
from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.questions import Question
from ostbahn.kits.data import MAX_CACHED_TITLES
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.costs import track_cost
from ostbahn.titles.mag.opponents.runs import (
    FleetFaces,
    fleet_of,
    income_with_cars,
    is_free,
    preference,
    sorted_fleet,
    with_lay,
)
from ostbahn.titles.mag.opponents.weights import MagWeights, TrackWeights
from ostbahn.titles.mag.opponents.worth import MagBotView, treasury_value
from ostbahn.titles.mag.state import LayTrack, MagTable
from ostbahn.titles.mag.title import MagTitle

UNREACHABLE = 99
"""Distance to a place to which no track can run."""


@lru_cache(maxsize=MAX_CACHED_TITLES)
def distances(title: MagTitle) -> dict[str, dict[str, int]]:
    """Distances between hexes along possible track, which never passes through a red hex."""
    return {hex_.id: _distances_from(hex_) for hex_ in title.map}


def _distances_from(start: Hex) -> dict[str, int]:
    distance = {start.id: 0}
    queue = [start]
    for hex_ in queue:
        if hex_ is not start and hex_.printed.ground == "red":
            continue
        for side, neighbour in enumerate(hex_.neighbours):
            if neighbour is not None and hex_.marked >> side & 1 and neighbour.id not in distance:
                distance[neighbour.id] = distance[hex_.id] + 1
                queue.append(neighbour)
    return distance


def place_value(table: MagTable, hex_: Hex, weights: MagWeights) -> float:
    """Rough value of a hex to a train that visits it."""
    spec = weights.track
    nodes = hex_.printed.nodes
    if not nodes:
        return 0.0
    node = nodes[0]
    if node.kind in ("red", "mine"):
        value = node.value if isinstance(node.value, int) else node.value.get(table.state.phase, 0)
        return value + table.phase.off_board_bonus if node.kind == "red" else value * spec.mine_part
    if node.kind == "town":
        return spec.town
    return spec.double_city if len(nodes) > 1 else spec.city


class UnreachedPlaces:
    """Hexes with stops that a minor's track does not reach, and their values."""

    def __init__(self, table: MagTable, minor: str, weights: MagWeights) -> None:
        self.table = table
        self.decay = weights.track.decay
        self.distances = distances(table.title)
        reach = table.title.surveyor.reach(table.state.board, minor)
        self.sides = reach.sides
        reached = {hex_of(node) for node in reach.nodes if self._has_track(node)}
        self.unreached = [
            (hex_.id, worth)
            for hex_ in table.title.map
            if hex_.id not in reached and (worth := place_value(table, hex_, weights))
        ]
        self._values: dict[str, float] = {}

    def _has_track(self, node: str) -> bool:
        """Whether the hex of a node has track; a home without a tile has none."""
        hex_ = self.table.title.map[hex_of(node)]
        return hex_.id in self.table.state.board.tiles or bool(hex_.printed.track)

    def is_buildable(self, hex_: Hex) -> bool:
        return hex_.id not in self.table.state.board.tiles and hex_.printed.ground == "open"

    def value_from(self, hex_id: str) -> float:
        """Total value of the unreached hexes, each decaying with its distance from a hex."""
        value = self._values.get(hex_id)
        if value is None:
            distance = self.distances[hex_id]
            value = sum(worth * self.decay ** distance.get(hex_, UNREACHABLE) for hex_, worth in self.unreached)
            self._values[hex_id] = value
        return value

    def value_from_track(self) -> float:
        """Total value of the unreached hexes, each decaying with its distance from the nearest end of track."""
        title = self.table.title
        ends = [hex_id for hex_id in self.sides if self.is_buildable(title.map[hex_id])]
        value = 0.0
        for hex_id_, worth in self.unreached:
            nearest = min((self.distances[end].get(hex_id_, UNREACHABLE) for end in ends), default=UNREACHABLE)
            value += worth * self.decay ** (nearest + 1)
        return value


def proposals(question: Question, view: MagBotView, task: LayTrack) -> list[Proposal]:
    rough = RoughLayScore(view, task.company)
    scores = {action: rough.score(action) for action in _preferred_ways(question.actions(LayTile))}
    least_score = view.weights.track.glance * max(scores.values(), default=0.0)
    ranked = sorted((action for action in scores if scores[action] >= least_score), key=lambda action: -scores[action])
    lays = []
    if ranked:
        evaluation = LayEvaluation(view, task)
        lays = [evaluation.proposal(action) for action in _best_for_each_hex(ranked, view.weights.track)]
    return best_first(with_pass(lays, "no track is expected to earn what it costs"))


def _preferred_ways(actions: list[LayTile]) -> list[LayTile]:
    """Keep the preferred way of each lay: by a supporter, or else with a terrain token."""
    chosen: dict[tuple[str, str, int, str | None], LayTile] = {}
    for action in actions:
        key = (action.hex, action.tile, action.rotation, action.track_for)
        if key not in chosen or preference(action) > preference(chosen[key]):
            chosen[key] = action
    return list(chosen.values())


def _best_for_each_hex(ranked: list[LayTile], weights: TrackWeights) -> list[LayTile]:
    """The best lays, at most `for_each_hex` on one hex."""
    best: list[LayTile] = []
    on_hex = Counter[str]()
    for action in ranked:
        if on_hex[action.hex] < weights.for_each_hex:
            on_hex[action.hex] += 1
            best.append(action)
    return best[: weights.candidates]


class RoughLayScore:
    """Score of a lay by its hex and what lies beyond, without runs."""

    def __init__(self, view: MagBotView, minor: str) -> None:
        self.table = view.table
        self.weights, self.fixed = view.weights.track, view.weights.fixed
        self.land = UnreachedPlaces(view.table, minor, view.weights)

    def score(self, action: LayTile) -> float:
        table, title = self.table, self.table.title
        hex_ = title.map[action.hex]
        old = table.state.board.face(title.tile_set, hex_)
        new = title.tile_set.faces[action.tile][action.rotation]
        connected = _connected_exits(new, self.land.sides.get(hex_.id, 0))
        end_values = sorted((self._value_beyond(hex_, side) for side in sides_of(connected & ~old.exits)), reverse=True)
        gain = _value(new) - _value(old)
        factor = self.fixed.further_end
        return self.fixed.value * gain + sum(worth * factor**number for number, worth in enumerate(end_values))

    def _value_beyond(self, hex_: Hex, side: int) -> float:
        """Value beyond a side to which the new track leads."""
        neighbour = hex_.neighbours[side]
        if neighbour is None:
            return 0.0
        if self.land.is_buildable(neighbour):
            return self.land.value_from(neighbour.id)
        face = self.table.state.board.face(self.table.title.tile_set, neighbour)
        joins_track = face.exits >> opposite(side) & 1
        if not joins_track:
            return 0.0
        return self.weights.link + self.land.value_from(neighbour.id)


def _connected_exits(face: Face, connected: int) -> int:
    """Mask of the sides that the face joins to the connected ones."""
    exits = 0
    for mask in (*face.node_exits, *face.pairs):
        if mask & connected:
            exits |= mask
    return exits


def _value(face: Face) -> float:
    return sum(node.value if isinstance(node.value, int) else 0 for node in face.nodes)


class LayEvaluation:
    """Score of a lay by its effect on the minor's runs."""

    def __init__(self, view: MagBotView, task: LayTrack) -> None:
        self.view, self.task, self.weights = view, task, view.weights
        self.rounds = view.rounds + 1
        self.treasury = treasury_value(self.rounds - 1, view.weights)
        self.fleet = fleet_of(view.table, task.company)
        self.later = later_fleet(view, self.fleet)
        self.soon = view.weights.track.soon * self.rounds
        self.base = self._value(view.table)

    def _value(self, table: MagTable) -> tuple[float, float, float]:
        """Value of a round with the present trains, of one with later trains, and of the unreached hexes."""

        def round_value(fleet: FleetFaces) -> float:
            return income_with_cars(table, self.task.company, fleet).worth(self.treasury, self.view.cash_later)

        later = round_value(self.later) if self.soon < self.rounds else 0.0
        now = round_value(self.fleet) if self.soon > 0 else later
        return now, later, UnreachedPlaces(table, self.task.company, self.weights).value_from_track()

    def proposal(self, action: LayTile) -> Proposal:
        values = self._value(with_lay(self.view.table, self.task.company, action))
        now, later, hope = (value - old_value for value, old_value in zip(values, self.base, strict=True))
        gain = self.soon * now + (self.rounds - self.soon) * later
        gain += self.weights.track.hope * hope * min(1.0, self.rounds / self.weights.fixed.hope_rounds)
        gain -= self._cost(action) + self.weights.track.least_gain
        return Proposal(action, gain, _reasons(now, later, hope))

    def _cost(self, action: LayTile) -> float:
        view, services = self.view, self.view.title.services
        cost = track_cost(view.table, self.task, action)
        player = view.state.owners[self.task.company]
        refund = view.gift(player, services["terrain"].major, cost.terrain)
        refund += view.gift(player, services["extra_tile"].major, cost.extra)
        return (cost.extra + (0 if is_free(action) else cost.terrain)) * self.treasury - refund


def _reasons(now: float, later: float, hope: float) -> tuple[str, ...]:
    """Reasons for a lay, from what it adds."""
    reasons = []
    if now >= 1:
        reasons.append(f"adds about {now:.0f} Ft a round now")
    if later >= 1:
        reasons.append(f"adds about {later:.0f} Ft a round with later trains")
    if not reasons and hope > 0:
        reasons.append("leads to new places")
    return tuple(reasons)


def later_fleet(view: MagBotView, fleet: FleetFaces) -> FleetFaces:
    """The trains to build track for: those of the phase, or the minor's own if better."""
    phase_fleet = [face for face in view.weights.track.fleets[view.state.phase] if face in view.title.stacks]
    return (
        sorted_fleet(max(pair) for pair in zip_longest(phase_fleet, fleet[: len(phase_fleet)], fillvalue="")) or fleet
    )
