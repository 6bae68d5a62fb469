"""Where the parts of a face go: cities, towns, values. Worked out once for each tile and rotation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.pictures.geometry import CENTRE, CORNERS, NORMALS, RADIUS, SIDES, Curve, Point, inside

SLOT: Final = RADIUS * 0.235
"""Radius of a place for a station."""
BADGE: Final = RADIUS * 0.17
"""Radius of the circle with a value."""
GAP: Final = RADIUS * 0.03
EDGE: Final = 4.0
"""The width of a purple edge, off which values keep."""


class Place(NamedTuple):
    """A revenue location on a face: where it is, how its track gets there, and the places for stations in it."""

    centre: Point
    spokes: tuple[int, ...]
    """Sides from which track leads straight to it."""
    curves: tuple[Curve, ...]
    """Track that passes it."""
    slots: tuple[Point, ...]
    bar: float | None = None
    """For a town on passing track, the angle of the bar across it, in degrees."""


class Layout(NamedTuple):
    places: tuple[Place, ...]
    curves: tuple[Curve, ...]
    """Plain track."""
    values: tuple[Point | None, ...]
    """Where the value of each place goes; None where an equal one stands already."""
    label: Point


NAMES: Final = (RADIUS * 0.5, RADIUS * 0.63, RADIUS * 0.73, -RADIUS * 0.66)
"""How far beneath the middle a name may stand."""
NAME_PARTS: Final = (-0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45)
"""Where along a name its distance from other things is measured, in parts of the radius."""


def lay_out(face: Face, labelled: bool, named: bool = False) -> Layout:
    """Places, track and free corners for values and the label.

    named: room is kept for a name beneath the city.
    """
    curves = tuple(Curve(*sides_of(pair)) for pair in sorted(face.pairs))
    places = _places(face)
    taken = [
        *(point for curve in curves for point in _along(curve)),
        *(point for place in places for point in _track_points(place)),
    ]
    height = name_height(places) if named else None
    if height is not None:
        taken += [Point(RADIUS * part, height) for part in NAME_PARTS]
    values: list[Point | None] = []
    badges = [Point(0, RADIUS * 0.88)]  # the number of the tile
    shown: set[object] = set()
    for node, place in zip(face.nodes, places, strict=True):
        worth = node.value if isinstance(node.value, int) else tuple(node.value.items())
        if not worth or worth in shown:
            values.append(None)
            continue
        shown.add(worth)
        spot = _free_spot(taken, places, badges, place.centre)
        values.append(spot)
        badges.append(spot)
    label = _free_spot(taken, places, badges, CORNERS[1], own=False) if labelled else CENTRE
    return Layout(places, curves, tuple(values), label)


def name_height(places: Sequence[Place]) -> float | None:
    """Where a name goes: beneath its city if it can, otherwise where no station is covered; None if nowhere."""
    for height in NAMES:
        along = [Point(RADIUS * part, height) for part in NAME_PARTS]
        slots = [(slot, slot_radius(len(place.slots))) for place in places for slot in place.slots]
        if all(point.distance(slot) > radius + GAP * 2 for point in along for slot, radius in slots):
            return height
    return None


# Places


def _places(face: Face) -> tuple[Place, ...]:
    """Several places stand as far apart as they can: every way to set the first two is tried, and the others follow one
    by one. For three places nothing is better; to try every way for more would take ever longer with each."""
    options = [list(_options(face, node)) for node in range(len(face.nodes))]
    if len(options) == 1:
        return (options[0][0],)
    return max((_followed(pair, options[2:]) for pair in product(*options[:2])), key=_spread, default=())


def _followed(places: tuple[Place, ...], others: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    """Places with others beside them, each where it is farthest from those before it."""
    spread = _spread(places)
    for options in others:
        spreads = [min(spread, *(place.centre.distance(other.centre) for other in places)) for place in options]
        spread = max(spreads)
        places = (*places, options[spreads.index(spread)])
    return places


def _spread(places: Sequence[Place]) -> float:
    return min((one.centre.distance(other.centre) for one, other in combinations(places, 2)), default=0.0)


def _options(face: Face, node: int) -> Iterator[Place]:
    """Where a place may stand, the best for itself first."""
    exits = sides_of(face.node_exits[node])
    spec, alone = face.nodes[node], len(face.nodes) == 1
    if spec.kind == "town" and len(exits) == 2:
        curve = Curve(*exits)
        for part in (0.5, 0.35, 0.65):
            yield Place(curve.point(part), (), (curve,), (), _across(curve, part))
    elif alone:
        yield Place(CENTRE, exits, (), _slots(CENTRE, spec.slots))
    elif len(exits) == 2:
        curve = Curve(*exits)
        for part in (0.5, 0.27, 0.73):
            yield Place(curve.point(part), (), (curve,), _slots(curve.point(part), spec.slots))
    elif exits:
        middle = CENTRE
        for side in exits:
            middle = middle.plus(NORMALS[side])
        length = math.hypot(*middle) or 1.0
        centre = Point(middle.x / length * RADIUS * 0.52, middle.y / length * RADIUS * 0.52)
        yield Place(centre, exits, (), _slots(centre, spec.slots))
    else:
        for side in (4, 1, 0, 2, 3, 5):
            centre = CENTRE.plus(NORMALS[side], RADIUS * 0.4)
            yield Place(centre, (), (), _slots(centre, spec.slots))


def _across(curve: Curve, part: float) -> float:
    """The direction across track at a point of it."""
    before, after = curve.point(part - 0.05), curve.point(part + 0.05)
    return math.degrees(math.atan2(after.y - before.y, after.x - before.x)) + 90


def _slots(centre: Point, number: int) -> tuple[Point, ...]:
    """Places for stations, side by side; from three on in two rows."""
    step = slot_radius(number)
    offsets = {
        0: (),
        1: ((0.0, 0.0),),
        2: ((-step, 0.0), (step, 0.0)),
        3: ((-step, step * 0.87), (step, step * 0.87), (0.0, -step * 0.87)),
        4: ((-step, -step), (step, -step), (-step, step), (step, step)),
    }[number]
    return tuple(Point(centre.x + x, centre.y + y) for x, y in offsets)


def slot_radius(number: int) -> float:
    """Three or four places are a little smaller, so that a value goes beside them."""
    return SLOT if number < 3 else SLOT * 0.78


# Values


def _along(curve: Curve) -> list[Point]:
    return [curve.point(part / 8) for part in range(9)]


def _track_points(place: Place) -> list[Point]:
    points = [point for curve in place.curves for point in _along(curve)]
    for side in place.spokes:
        points += [_between(SIDES[side], place.centre, part / 6) for part in range(7)]
    return points


def _between(start: Point, end: Point, part: float) -> Point:
    return Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)


def _off_ground(spot: Point, slots: Sequence[Point]) -> float:
    """How far a spot is from the ground on which places for stations stand."""
    margin = slot_radius(len(slots)) + GAP
    across = max(min(slot.x for slot in slots) - spot.x, spot.x - max(slot.x for slot in slots), 0.0)
    down = max(min(slot.y for slot in slots) - spot.y, spot.y - max(slot.y for slot in slots), 0.0)
    return math.hypot(across, down) - margin


def _free_spot(
    taken: Sequence[Point], places: Sequence[Place], badges: Sequence[Point], near: Point, own: bool = True
) -> Point:
    """The spot in the hex that is farthest from track, places and other values; of equals the nearest to its place."""
    spots = [CENTRE.plus(corner, part) for part in (0.72, 0.6, 0.48) for corner in CORNERS]
    spots += [CENTRE.plus(normal, RADIUS * part) for part in (0.66, 0.55, 0.42) for normal in NORMALS]

    def room(spot: Point) -> float:
        free = [spot.distance(point) - BADGE * 0.6 for point in taken]
        free += [_off_ground(spot, place.slots) - BADGE - GAP for place in places if place.slots]
        free += [spot.distance(place.centre) - BADGE - GAP - 2 for place in places if not place.slots]
        free += [spot.distance(badge) - 2 * BADGE - GAP for badge in badges]
        return min(min(free, default=RADIUS), BADGE)

    def elsewhere(spot: Point) -> bool:
        """Whether another place is nearer, so that the value would be taken for that one's."""
        return any(spot.distance(place.centre) < spot.distance(near) - 1 for place in places if own)

    def merit(spot: Point) -> tuple[bool, bool, bool, float, float]:
        free = room(spot)
        clear = all(spot.distance(point) > BADGE + 3.9 for point in taken)  # half of a track's width
        own_side = not elsewhere(spot)
        return free > 0, clear and own_side, clear, round(free, 3), -spot.distance(near)

    best = max((spot for spot in spots if inside(spot, BADGE + GAP + EDGE)), key=merit)
    if room(best) > 0:
        return best
    return max((spot for spot in spots if inside(spot, BADGE + GAP)), key=merit)
