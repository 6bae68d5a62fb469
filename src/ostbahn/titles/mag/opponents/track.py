"""Laying track: the places around that are not reached; many lays are glanced at, a few are run on."""

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

FAR = 99


@lru_cache(maxsize=MAX_CACHED_TITLES)
def distances(title: MagTitle) -> dict[str, dict[str, int]]:
    """For each hex, how many hexes away every other one is, as track may run; a red hex is never passed."""
    return {hex_.id: _from(hex_) for hex_ in title.map}


def _from(start: Hex) -> dict[str, int]:
    found = {start.id: 0}
    queue = [start]
    for here in queue:
        if here is not start and here.printed.ground == "red":
            continue
        for side, there in enumerate(here.neighbours):
            if there is not None and here.marked >> side & 1 and there.id not in found:
                found[there.id] = found[here.id] + 1
                queue.append(there)
    return found


def place_value(table: MagTable, hex_: Hex, weights: MagWeights) -> float:
    """What a place will be worth to a train, roughly."""
    spec = weights.track
    nodes = hex_.printed.nodes
    if not nodes:
        return 0.0
    place = nodes[0]
    if place.kind in ("red", "mine"):
        value = place.value if isinstance(place.value, int) else place.value.get(table.state.phase, 0)
        return value + table.phase.off_board_bonus if place.kind == "red" else value * spec.mine_part
    if place.kind == "town":
        return spec.town
    return spec.double_city if len(nodes) > 1 else spec.city


class UnreachedPlaces:
    """The land as a minor sees it on a board."""

    def __init__(self, table: MagTable, minor: str, weights: MagWeights) -> None:
        self.table = table
        self.decay = weights.track.decay
        self.apart = distances(table.title)
        reach = table.title.surveyor.reach(table.state.board, minor)
        self.sides = reach.sides
        reached = {hex_of(node) for node in reach.nodes if self._has_track(node)}
        self.wanted = [
            (hex_.id, worth)
            for hex_ in table.title.map
            if hex_.id not in reached and (worth := place_value(table, hex_, weights))
        ]
        self._fields: dict[str, float] = {}

    def _has_track(self, node: str) -> bool:
        """A home without a tile is still to be built on."""
        hex_ = self.table.title.map[hex_of(node)]
        return hex_.id in self.table.state.board.tiles or bool(hex_.printed.track)

    def empty(self, hex_: Hex) -> bool:
        return hex_.id not in self.table.state.board.tiles and hex_.printed.ground == "open"

    def field(self, hex_id: str) -> float:
        """What all that is not reached is worth from a hex, the nearer the more."""
        found = self._fields.get(hex_id)
        if found is None:
            apart = self.apart[hex_id]
            found = sum(worth * self.decay ** apart.get(place, FAR) for place, worth in self.wanted)
            self._fields[hex_id] = found
        return found

    def hope(self) -> float:
        """What is within reach: every place that is not reached, from the nearest hex to which track leads."""
        title = self.table.title
        ends = [hex_id for hex_id in self.sides if self.empty(title.map[hex_id])]
        total = 0.0
        for place, worth in self.wanted:
            nearest = min((self.apart[end].get(place, FAR) for end in ends), default=FAR)
            total += worth * self.decay ** (nearest + 1)
        return total


def proposals(question: Question, view: MagBotView, task: LayTrack) -> list[Proposal]:
    glance = RoughLayScore(view, task.company)
    scores = {action: glance.score(action) for action in _one_of_each(question.actions(LayTile))}
    floor = view.weights.track.glance * max(scores.values(), default=0.0)
    ranked = sorted((action for action in scores if scores[action] >= floor), key=lambda action: -scores[action])
    found = []
    if ranked:
        look = LayEvaluation(view, task)
        found = [look.proposal(action) for action in _best_for_each_hex(ranked, view.weights.track)]
    return best_first(with_pass(found, "no track is expected to earn what it costs"))


def _one_of_each(actions: list[LayTile]) -> list[LayTile]:
    """Each lay once: by a supporter, or with a terrain token if one can be given."""
    found: dict[tuple[str, str, int, str | None], LayTile] = {}
    for action in actions:
        key = (action.hex, action.tile, action.rotation, action.track_for)
        if key not in found or preference(action) > preference(found[key]):
            found[key] = action
    return list(found.values())


def _best_for_each_hex(ranked: list[LayTile], weights: TrackWeights) -> list[LayTile]:
    """The best of them, but not all on one hex."""
    kept: list[LayTile] = []
    on_hex = Counter[str]()
    for action in ranked:
        if on_hex[action.hex] < weights.for_each_hex:
            on_hex[action.hex] += 1
            kept.append(action)
    return kept[: weights.candidates]


class RoughLayScore:
    """What a lay promises, judged by the hex alone."""

    def __init__(self, view: MagBotView, minor: str) -> None:
        self.table = view.table
        self.weights, self.fixed = view.weights.track, view.weights.fixed
        self.land = UnreachedPlaces(view.table, minor, view.weights)

    def score(self, action: LayTile) -> float:
        table, title = self.table, self.table.title
        hex_ = title.map[action.hex]
        old = table.state.board.face(title.tile_set, hex_)
        new = title.tile_set.faces[action.tile][action.rotation]
        led_on = _connected_exits(new, self.land.sides.get(hex_.id, 0))
        ends = sorted((self._beyond(hex_, side) for side in sides_of(led_on & ~old.exits)), reverse=True)
        gain = _value(new) - _value(old)
        further = self.fixed.further_end
        return self.fixed.value * gain + sum(worth * further**number for number, worth in enumerate(ends))

    def _beyond(self, hex_: Hex, side: int) -> float:
        """What lies beyond a side to which the new track leads."""
        there = hex_.neighbours[side]
        if there is None:
            return 0.0
        if self.land.empty(there):
            return self.land.field(there.id)
        face = self.table.state.board.face(self.table.title.tile_set, there)
        if not face.exits >> opposite(side) & 1:
            return 0.0
        return self.weights.link + self.land.field(there.id)


def _connected_exits(face: Face, connected: int) -> int:
    """The sides that one comes to from those that are connected."""
    found = 0
    for mask in (*face.node_exits, *face.pairs):
        if mask & connected:
            found |= mask
    return found


def _value(face: Face) -> float:
    return sum(node.value if isinstance(node.value, int) else 0 for node in face.nodes)


class LayEvaluation:
    """What a lay brings, by the runs that it makes possible."""

    def __init__(self, view: MagBotView, task: LayTrack) -> None:
        self.view, self.task, self.weights = view, task, view.weights
        self.rounds = view.rounds + 1
        self.treasury = treasury_value(self.rounds - 1, view.weights)
        self.fleet = fleet_of(view.table, task.company)
        self.later = later_fleet(view, self.fleet)
        self.soon = view.weights.track.soon * self.rounds
        self.base = self._value(view.table)

    def _value(self, table: MagTable) -> tuple[float, float, float]:
        """Of its trains, of later trains, and of what is within reach."""

        def run(fleet: FleetFaces) -> float:
            return income_with_cars(table, self.task.company, fleet).worth(self.treasury, self.view.cash_later)

        later = run(self.later) if self.soon < self.rounds else 0.0
        now = run(self.fleet) if self.soon > 0 else later
        return now, later, UnreachedPlaces(table, self.task.company, self.weights).hope()

    def proposal(self, action: LayTile) -> Proposal:
        values = self._value(with_lay(self.view.table, self.task.company, action))
        now, later, hope = (then - base for then, base in zip(values, self.base, strict=True))
        gain = self.soon * now + (self.rounds - self.soon) * later
        gain += self.weights.track.hope * hope * min(1.0, self.rounds / self.weights.fixed.hope_rounds)
        gain -= self._cost(action) + self.weights.track.least_gain
        return Proposal(action, gain, _reasons(now, later, hope))

    def _cost(self, action: LayTile) -> float:
        view, services = self.view, self.view.title.services
        due = track_cost(view.table, self.task, action)
        player = view.state.owners[self.task.company]
        back = view.gift(player, services["terrain"].major, due.terrain)
        back += view.gift(player, services["extra_tile"].major, due.extra)
        return (due.extra + (0 if is_free(action) else due.terrain)) * self.treasury - back


def _reasons(now: float, later: float, hope: float) -> tuple[str, ...]:
    """Only what a lay adds: a run that gets shorter is no reason."""
    found = []
    if now >= 1:
        found.append(f"adds about {now:.0f} Ft a round now")
    if later >= 1:
        found.append(f"adds about {later:.0f} Ft a round with later trains")
    if not found and hope > 0:
        found.append("leads to new places")
    return tuple(found)


def later_fleet(view: MagBotView, fleet: FleetFaces) -> FleetFaces:
    """The trains for which track is laid: those of the phase, or those that the minor has if they are better."""
    wanted = [face for face in view.weights.track.fleets[view.state.phase] if face in view.title.stacks]
    return sorted_fleet(max(pair) for pair in zip_longest(wanted, fleet[: len(wanted)], fillvalue="")) or fleet
