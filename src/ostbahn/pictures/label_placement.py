"""Label placement on a tile face. Each label has candidate positions with the grid squares they cover and a cost
(hidden track, distance from what they label); branch and bound picks the cheapest set without overlaps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.pictures.geometry import (
    APOTHEM,
    CENTRE,
    CORNERS,
    GAP,
    NORMALS,
    RADIUS,
    SIDES,
    Curve,
    NodePlace,
    Point,
    curves_of,
    inside,
    place_nodes,
    slot_radius,
    spoke_points,
)

SMALL: Final = 13.0
"""Smallest text on a board: about 10 pixels on a page of 1440 by 900, where the widest board has 1060 pixels."""
CAPITALS: Final = 0.7
"""Height of capitals relative to the font size."""
BELOW: Final = 0.15
"""Visible depth of descenders relative to the font size."""

_WIDTHS: Final = {
    22: " ",
    26: "ijlíI.,'’",
    30: "f-()",
    35: "rtřť",
    43: "sšzž",
    48: "cčvyýxkJFLY–",
    51: "aáeéěg0123456789",
    54: "bdhnopquúůüűóöőňďATESZÁÉŠŽVX",
    59: "BCKPRČŘ&",
    65: "DGHNOQUÚ",
    74: "wM",
    81: "mW",
}
"""Letter widths of our font in hundredths of its size; `textLength` stretches the text where a reader has another
font."""
WIDTHS: Final[Mapping[str, int]] = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
BOLD: Final = 1.05


def width_of(words: str, size: float = SMALL, bold: bool = False) -> float:
    return sum(WIDTHS.get(letter, 54) for letter in words) / 100 * size * (BOLD if bold else 1.0)


def ink_height(size: float = SMALL) -> float:
    return size * CAPITALS


SQUARE: Final = 1.0
_ACROSS: Final = 90
_DOWN: Final = 104
_LEFT: Final = -_ACROSS / 2 * SQUARE
_TOP: Final = -_DOWN / 2 * SQUARE
_COLUMN: Final = tuple(sum(1 << row * _ACROSS for row in range(rows)) for rows in range(_DOWN + 1))
"""Bit masks of a column of n squares."""

assert _LEFT <= -RADIUS * 0.87, "a hex finds room on the squares"
assert _TOP <= -RADIUS, "a hex finds room on the squares"


def _squares(low: float, high: float, edge: float, most: int) -> tuple[int, int]:
    """First grid square of an interval and the number of squares, clipped to the grid."""
    first = max(math.floor((low - edge) / SQUARE), 0)
    return first, max(min(math.ceil((high - edge) / SQUARE), most) - first, 0)


@lru_cache(maxsize=8192)
def box_squares(left: float, top: float, right: float, bottom: float) -> int:
    """Bit mask of the squares that a box touches."""
    column, wide = _squares(left, right, _LEFT, _ACROSS)
    row, high = _squares(top, bottom, _TOP, _DOWN)
    return ((1 << wide) - 1) * _COLUMN[high] << row * _ACROSS + column


@lru_cache(maxsize=8192)
def disc_squares(middle: Point, radius: float) -> int:
    """Bit mask of the squares that a disc touches."""
    covered = 0
    first, high = _squares(middle.y - radius, middle.y + radius, _TOP, _DOWN)
    for row in range(first, first + high):
        top = _TOP + row * SQUARE
        away = max(top - middle.y, middle.y - top - SQUARE, 0.0)
        half = math.sqrt(max(radius * radius - away * away, 0.0))
        column, wide = _squares(middle.x - half, middle.x + half, _LEFT, _ACROSS)
        covered |= (1 << wide) - 1 << row * _ACROSS + column
    return covered


def trail_squares(points: Iterable[Point], width: float) -> int:
    """Bit mask of the squares along a line through closely spaced points."""
    covered = 0
    for point in points:
        covered |= disc_squares(point, width / 2)
    return covered


TRACK: Final = RADIUS * 0.13
STUB: Final = 0.72
"""Where a stub of track ends, in parts of the way from the middle of the hex to the side."""
TOWN: Final = RADIUS * 0.13
BAR: Final = 9
"""Half the length of the bar that is a town on passing track."""
BADGE: Final = RADIUS * 0.176
"""Radius of the circle with a value."""
COST: Final = RADIUS * 0.15
"""Half the height of the badge with a cost."""
LABEL: Final = SMALL + 1
LINE_HEIGHT: Final = SMALL * 0.88
EDGE_MARGIN: Final = 5.0
"""Distance from the border on tiles with a coloured edge."""
BORDER_MARGIN: Final = 1.5
"""Distance from the border elsewhere."""
MAX_COMPRESSION: Final = 0.76
"""Maximum compression of a name."""
STEP_BUDGET: Final = 15_000
"""Step budget of the search: then the best solution so far is used."""


CORNER_DIRECTIONS: Final = tuple(Point(corner.x / RADIUS, corner.y / RADIUS) for corner in CORNERS)
"""Unit vector to each corner."""


class FaceLabels(NamedTuple):
    """The labels of a face beside its values."""

    label: str | None = None
    name: str = ""
    own_names: tuple[str, ...] = ()
    """Names of the single cities by node, written instead of `name`."""
    cost: float = 0.0
    """Width of the terrain cost badge; 0 for none."""
    stubs: int = 0
    """Sides with a printed track stub."""
    numbered: bool = False
    """Whether the tile number is printed at the bottom."""
    edged: bool = False
    """Whether the tile has a coloured edge."""


class NameLine(NamedTuple):
    """A line of a name: baseline centre and width."""

    words: str
    foot: Point
    width: float


class FaceLayout(NamedTuple):
    places: tuple[NodePlace, ...]
    curves: tuple[Curve, ...]
    values: tuple[Point | None, ...]
    """Position of each node's value; None if an equal one is shown already."""
    label: Point
    names: tuple[NameLine, ...]
    """Also empty if no position fits."""
    cost: Point


class LabelCandidate(NamedTuple):
    cost: float
    squares: int
    lines: tuple[NameLine, ...]
    middle: Point


LabelCandidates = Sequence[LabelCandidate]
PLAIN: Final = FaceLabels()


def place_labels(face: Face, words: FaceLabels) -> FaceLayout:
    places, curves = place_nodes(face), curves_of(face)
    room = _LabelPlacer(places, curves, words)
    shown = _nodes_with_value(face)
    values = [room.values(places[node]) for node in shown]
    others = [room.labels(words.label)] if words.label is not None else []
    others += [room.costs(words.cost)] if words.cost else []
    for names in room.names(words):
        if chosen := _cheapest_without_overlap([*names, *values, *others], 0 if words.own_names else len(names)):
            break
    else:
        names = ()
        chosen = _cheapest_without_overlap([*values, *others]) or [spots[0] for spots in (*values, *others)]
    lines = tuple(line for spot in chosen[: len(names)] for line in spot.lines)
    middles = [spot.middle for spot in chosen[len(names) :]]
    at = dict(zip(shown, middles, strict=False))
    rest = iter(middles[len(shown) :])
    return FaceLayout(
        places,
        curves,
        tuple(at.get(node) for node in range(len(places))),
        next(rest) if words.label is not None else CENTRE,
        lines,
        next(rest) if words.cost else CENTRE,
    )


def _nodes_with_value(face: Face) -> list[int]:
    """Nodes whose value is shown: each amount once."""
    first_nodes: dict[object, int] = {}
    for node, spec in enumerate(face.nodes):
        worth = spec.value if isinstance(spec.value, int) else tuple(spec.value.items())
        if worth:
            first_nodes.setdefault(worth, node)
    return list(first_nodes.values())


def _cheapest_without_overlap(parts: Sequence[LabelCandidates], in_order: int = 0) -> list[LabelCandidate] | None:
    """The cheapest candidate for each part without overlaps (branch and bound within STEP_BUDGET), or None. Parts
    with the fewest candidates branch first; the first `in_order` parts must stay in reading order."""
    if not all(parts):
        return None
    order = sorted(range(len(parts)), key=lambda part: len(parts[part]))
    least = [0.0]  # what all parts from one on cost at least
    for part in reversed(order):
        least.insert(0, least[0] + parts[part][0].cost)
    best: dict[int, LabelCandidate] | None = None
    limit, left = float("inf"), STEP_BUDGET

    def choose(depth: int, covered: int, cost: float, chosen: dict[int, LabelCandidate]) -> None:
        nonlocal best, limit, left
        if depth == len(order):
            best, limit = chosen, cost
            return
        part = order[depth]
        for spot in parts[part]:
            left -= 1
            if left < 0 or cost + spot.cost + least[depth + 1] >= limit:
                return
            if not spot.squares & covered and (part >= in_order or _in_reading_order(chosen, part, spot, in_order)):
                choose(depth + 1, covered | spot.squares, cost + spot.cost, {**chosen, part: spot})

    choose(0, 0, 0.0, {})
    return None if best is None else [best[part] for part in range(len(parts))]


def _in_reading_order(chosen: Mapping[int, LabelCandidate], part: int, spot: LabelCandidate, in_order: int) -> bool:
    """Whether a part stays in reading order with those already placed."""
    return all(
        _follows(at.middle, spot.middle) if other < part else _follows(spot.middle, at.middle)
        for other, at in chosen.items()
        if other < in_order
    )


def _follows(one: Point, other: Point) -> bool:
    """Whether `other` follows `one` from left to right and top to bottom."""
    return other.y > one.y + SMALL / 2 or (abs(other.y - one.y) <= SMALL / 2 and other.x > one.x)


# What is there already


@cache
def _curve_squares(curve: Curve) -> int:
    return trail_squares([curve.point(part / 40) for part in range(41)], TRACK + 1)


@lru_cache(maxsize=1024)
def _spoke_squares(side: int, place: Point) -> int:
    return trail_squares(spoke_points(side, place), TRACK + 1)


def _place_squares(place: NodePlace) -> int:
    """Squares that a city or town covers."""
    if place.bar is not None:
        along = Point(math.cos(math.radians(place.bar)), math.sin(math.radians(place.bar)))
        return trail_squares([place.centre.plus(along, step) for step in range(-BAR, BAR + 1)], TOWN + 1.5)
    if not place.slots:
        return disc_squares(place.centre, TOWN + 1)
    reach = slot_radius(len(place.slots)) + 0.75 + (GAP if len(place.slots) > 1 else 0)
    points = list(place.slots)
    for one, other in combinations(place.slots, 2):
        points += [one.plus(other.plus(one, -1.0), step / 12) for step in range(1, 12)]
    return trail_squares(points, 2 * reach)


class _LabelPlacer:
    """Finds candidate positions of labels on a face."""

    def __init__(self, places: Sequence[NodePlace], curves: Sequence[Curve], words: FaceLabels) -> None:
        self.places = places
        self.margin = EDGE_MARGIN if words.edged else BORDER_MARGIN
        self.covered = 0
        for place in places:
            self.covered |= _place_squares(place)
        if words.numbered:
            self.covered |= box_squares(-11, RADIUS * 0.72, 11, RADIUS * 0.92)
        self.track = 0
        for curve in (*curves, *(curve for place in places for curve in place.curves)):
            self.track |= _curve_squares(curve)
        for place in places:
            for side in place.spokes:
                self.track |= _spoke_squares(side, place.centre)
        for side in sides_of(words.stubs):
            self.track |= _spoke_squares(side, CENTRE.plus(SIDES[side], STUB))

    def hidden_track(self, squares: int) -> float:
        return (squares & self.track).bit_count() * SQUARE * SQUARE

    def uncovered(self, spots: Iterable[LabelCandidate]) -> LabelCandidates:
        """Candidates that cover no city or town, the cheapest first."""
        return sorted((spot for spot in spots if not spot.squares & self.covered), key=lambda spot: spot.cost)

    # Values, labels, costs

    def values(self, place: NodePlace) -> LabelCandidates:
        """Values avoid track and stay closest to their own node."""
        return self.uncovered(self._value(place, middle) for middle in _inner_points(BADGE + self.margin))

    def _value(self, place: NodePlace, middle: Point) -> LabelCandidate:
        squares, near = disc_squares(middle, BADGE + 0.6), middle.distance(place.centre)
        nearer_to_another = any(middle.distance(other.centre) < near - 1 for other in self.places)
        cost = self.hidden_track(squares) * 0.5 + near * 0.2 + 12 * nearer_to_another
        return LabelCandidate(cost, squares, (), middle)

    def labels(self, label: str) -> LabelCandidates:
        """Labels prefer the upper left."""
        wide, high = width_of(label, LABEL, bold=True), ink_height(LABEL)
        return self._box_candidates(wide + 3, high + 3, lambda middle: middle.distance(CORNERS[1]) * 0.12)

    def costs(self, wide: float) -> LabelCandidates:
        """The cost badge prefers the top; in open country it stands beneath the relief."""
        home = Point(0.0, -RADIUS * 0.6 if self.places else RADIUS * 0.5)
        return self._box_candidates(wide + 1, 2 * COST + 1, lambda middle: middle.distance(home) * 0.15)

    def _box_candidates(self, wide: float, high: float, price: Callable[[Point], float]) -> LabelCandidates:
        def spots() -> Iterator[LabelCandidate]:
            for middle in _inner_points(high / 2 + self.margin):
                left, top = middle.x - wide / 2, middle.y - high / 2
                if abs(middle.x) + wide / 2 <= _half_width(abs(middle.y) + high / 2, self.margin):
                    squares = box_squares(left, top, left + wide, top + high)
                    yield LabelCandidate(self.hidden_track(squares) * 0.5 + price(middle), squares, (), middle)

        return self.uncovered(spots())

    # Names

    def names(self, words: FaceLabels) -> Iterator[Sequence[LabelCandidates]]:
        """Variants of the names: whole, then split into ever shorter parts."""
        if words.own_names and len(words.own_names) == len(self.places):
            own = [self._name(name, [place]) for name, place in zip(words.own_names, self.places, strict=True)]
            if all(own):
                yield own
        if words.name:
            whole = self._name(words.name, self.places)
            if whole:
                yield [whole]
            for letters in (99, 8, 6, 5):
                pieces = [self._name(_shortened(part, letters), self.places) for part in words.name.split(" & ")]
                if all(pieces):
                    yield pieces

    def _name(self, name: str, owners: Sequence[NodePlace]) -> LabelCandidates:
        """Candidates for a name as one block, preferably beneath its city."""
        candidates = (spot for lines in _line_breaks(name) for spot in self._block_candidates(lines, owners))
        return sorted(candidates, key=lambda spot: spot.cost)

    def _block_candidates(self, lines: Sequence[str], owners: Sequence[NodePlace]) -> Iterator[LabelCandidate]:
        """Candidates for a block of lines at every height and horizontal offset."""
        natural = [width_of(line) for line in lines]
        height = ink_height() + LINE_HEIGHT * (len(lines) - 1)
        for top in range(-46, 40):
            feet = [top + ink_height() + LINE_HEIGHT * index for index in range(len(lines))]
            rooms = [2 * _half_width(max(foot, ink_height() - foot), BORDER_MARGIN) for foot in feet]
            if any(room < width * MAX_COMPRESSION for room, width in zip(rooms, natural, strict=True)):
                continue
            widths = [min(room, width) for room, width in zip(rooms, natural, strict=True)]
            base_cost = 4.0 * (len(lines) - 1) + 3.0 * _inner_breaks(lines) + sum(natural) / sum(widths) * 40 - 40
            for x in _offsets(min(room - width for room, width in zip(rooms, widths, strict=True)) / 2):
                squares = 0
                for foot, width in zip(feet, widths, strict=True):
                    squares |= _line_squares(x, foot, width)
                if not squares & self.covered:
                    middle = Point(x, top + height / 2)
                    cost = base_cost + self.hidden_track(squares) * 0.12 + self._distance_cost(middle, height, owners)
                    block = tuple(map(NameLine, lines, (Point(x, foot) for foot in feet), widths))
                    yield LabelCandidate(cost, squares, block, middle)

    def _distance_cost(self, middle: Point, height: float, owners: Sequence[NodePlace]) -> float:
        """Cost of the distance from just below (or above) the city."""
        if not owners:
            return middle.distance(CENTRE) * 0.3
        distances = []
        for place in owners:
            radius, rows = slot_radius(len(place.slots)), [slot.y for slot in place.slots] or [place.centre.y]
            below = Point(place.centre.x, max(rows) + radius + 4 + height / 2)
            above = Point(place.centre.x, min(rows) - radius - 4 - height / 2)
            distances.append(min(middle.distance(below) * 0.25, middle.distance(above) * 0.25 + 4))
        nearer_to_another = len(owners) < len(self.places) and any(
            middle.distance(other.centre) < middle.distance(owners[0].centre) - 1 for other in self.places
        )
        return min(distances) + 9 * nearer_to_another


@cache
def _inner_points(margin: float) -> tuple[Point, ...]:
    """Grid points, and points on the lines to corners and sides, inside the margin."""
    points = [Point(column * 2.5, row * 2.5) for row in range(-20, 21) for column in range(-18, 19)]
    points += [CENTRE.plus(line, step) for line in (*CORNER_DIRECTIONS, *NORMALS) for step in range(12, 44)]
    return tuple(point for point in points if inside(point, margin))


def _half_width(height: float, margin: float) -> float:
    """Half the width of a hex at a height above or below its centre."""
    return min(APOTHEM - margin, 2 * (APOTHEM - margin) - math.sqrt(3) * height)


def _offsets(reach: float) -> Iterator[float]:
    """Horizontal offsets of a block: centre, both ends and between."""
    if reach >= 0:
        steps = math.ceil(reach / 3)
        yield from (reach * step / steps for step in range(-steps, steps + 1)) if steps else (0.0,)


def _line_squares(x: float, foot: float, width: float) -> int:
    """Squares of a line of text with its halo."""
    return box_squares(x - width / 2 - 1, foot - ink_height() - 1, x + width / 2 + 1, foot + SMALL * BELOW)


def _inner_breaks(lines: Sequence[str]) -> int:
    """Number of line breaks inside one of two joined names."""
    return sum(not line.startswith("&") for line in lines[1:]) if any("& " in line for line in lines) else 0


def _shortened(name: str, letters: int) -> str:
    """The first word of a long name, truncated if necessary; the tooltip of the hex has all of it."""
    word = name if len(name) <= letters + 1 else name.split()[0]
    return word if len(word) <= letters + 1 else f"{word[:letters]}."


@cache
def _line_breaks(name: str) -> tuple[tuple[str, ...], ...]:
    """All ways to break a name into up to three lines; none ends with `&`."""
    words = name.replace("& ", "&\u00a0").split(" ")
    breaks = []
    for count in range(min(len(words), 3)):
        for cuts in combinations(range(1, len(words)), count):
            bounds = (0, *cuts, len(words))
            breaks.append(tuple(" ".join(words[a:b]).replace("\u00a0", " ") for a, b in pairwise(bounds)))
    return tuple(breaks)
