"""Where cities and towns stand on a face, and how track gets to them. Worked out once for each tile and rotation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.pictures.geometry import CENTRE, NORMALS, RADIUS, SIDES, Curve, Point, inside

SLOT: Final = RADIUS * 0.248
"""Radius of a place for a station: three letters find room in it."""
GAP: Final = RADIUS * 0.03


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


@lru_cache(maxsize=4096)
def places_of(face: Face) -> tuple[Place, ...]:
    """Faces are made once for a title, so each is laid out once."""
    return _places(face)


@lru_cache(maxsize=4096)
def curves_of(face: Face) -> tuple[Curve, ...]:
    """Plain track."""
    return tuple(Curve(*sides_of(pair)) for pair in sorted(face.pairs))


def spoke_points(side: int, place: Point, steps: int = 24) -> list[Point]:
    """Points along the track from a side to a place, close to each other; it bends as `tiles.spoke_path` draws it."""
    start, bend = SIDES[side], bend_of(side, place)
    if bend is None:
        return [start.plus(Point(place.x - start.x, place.y - start.y), step / steps) for step in range(steps + 1)]
    parts = [step / steps for step in range(steps + 1)]
    return [
        Point(*((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(start, bend, place, strict=True)))
        for t in parts
    ]


def bend_of(side: int, place: Point) -> Point | None:
    """Where track from a side bends on its way to a place; None if it leads straight there."""
    start = SIDES[side]
    if abs(start.x * place.y - start.y * place.x) < 1e-6:
        return None
    return Point(start.x * 0.45, start.y * 0.45)


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
        aside = _aside(curve)
        for part in (0.5, aside, 1 - aside):
            yield Place(curve.point(part), (), (curve,), _slots(curve.point(part), spec.slots))
    elif exits:
        middle = CENTRE
        for side in exits:
            middle = middle.plus(NORMALS[side])
        length = math.hypot(*middle) or 1.0
        centre = Point(middle.x / length * RADIUS * 0.535, middle.y / length * RADIUS * 0.535)
        yield Place(centre, exits, (), _slots(centre, spec.slots))
    else:
        for side in (4, 1, 0, 2, 3, 5):
            centre = CENTRE.plus(NORMALS[side], RADIUS * 0.4)
            yield Place(centre, (), (), _slots(centre, spec.slots))


@cache
def _aside(curve: Curve) -> float:
    """The part of the way after which a city on a curve lies in the hex with all its border."""
    return next(part / 100 for part in range(25, 51) if inside(curve.point(part / 100), SLOT + GAP))


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
    """Three or four places are a little smaller, so that a value and a name go beside them."""
    return SLOT if number < 3 else SLOT * 0.87
