"""Where words go on a face: values, label, names and the cost of terrain.

Each could stand at a list of spots, with the squares it would cover and a cost: track hidden, distance from what it
belongs to. The cheapest choice is taken in which no two overlap, and nothing lies upon a city or a town.
"""

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
"""No text on a board is smaller. On a page of 1440 by 900 pixels a board has about 1060 by 770 of them; the widest of
ours measures less than 1370 units, so these are 10 pixels there."""
CAPITALS: Final = 0.7
"""How high capitals and figures are, in parts of the size."""
BELOW: Final = 0.15
"""What of g and y hangs so far below the line that it would be missed."""

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
"""Hundredths of the size, by letter, in the font of our pictures. Where a reader has another one, `textLength` makes
words as wide as they were reckoned."""
WIDTHS: Final[Mapping[str, int]] = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
BOLD: Final = 1.05


def width_of(words: str, size: float = SMALL, bold: bool = False) -> float:
    return sum(WIDTHS.get(letter, 54) for letter in words) / 100 * size * (BOLD if bold else 1.0)


def ink_height(size: float = SMALL) -> float:
    """From the line up to the top of capitals."""
    return size * CAPITALS


SQUARE: Final = 1.0
_ACROSS: Final = 90
_DOWN: Final = 104
_LEFT: Final = -_ACROSS / 2 * SQUARE
_TOP: Final = -_DOWN / 2 * SQUARE
_COLUMN: Final = tuple(sum(1 << row * _ACROSS for row in range(rows)) for rows in range(_DOWN + 1))
"""One square in each of so many rows, one beneath the other."""

assert _LEFT <= -RADIUS * 0.87, "a hex finds room on the squares"
assert _TOP <= -RADIUS, "a hex finds room on the squares"


def _squares(low: float, high: float, edge: float, most: int) -> tuple[int, int]:
    """The first of the squares from one line to another, and how many there are; those off the sheet do not count."""
    first = max(math.floor((low - edge) / SQUARE), 0)
    return first, max(min(math.ceil((high - edge) / SQUARE), most) - first, 0)


@lru_cache(maxsize=8192)
def box_squares(left: float, top: float, right: float, bottom: float) -> int:
    """Every square that a box touches."""
    column, wide = _squares(left, right, _LEFT, _ACROSS)
    row, high = _squares(top, bottom, _TOP, _DOWN)
    return ((1 << wide) - 1) * _COLUMN[high] << row * _ACROSS + column


@lru_cache(maxsize=8192)
def disc_squares(middle: Point, radius: float) -> int:
    """Every square that a disc touches."""
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
    """Every square that a line of some width touches, whose points lie close together."""
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
STEP: Final = SMALL * 0.88
"""From one line of a name to the next."""
EDGE: Final = 5.0
"""As far from the border nothing stands where a tile has a coloured edge."""
RIM: Final = 1.5
"""As far from the border nothing stands elsewhere."""
TIGHT: Final = 0.76
"""A name is drawn together so far, if it must be."""
PATIENCE: Final = 15_000
"""How many spots are tried before the best choice so far is good enough, or the face too full."""


LINES: Final = tuple(Point(corner.x / RADIUS, corner.y / RADIUS) for corner in CORNERS)
"""For each corner the direction in which it lies."""


class FaceLabels(NamedTuple):
    """What is to be written on a face beside its values."""

    label: str | None = None
    name: str = ""
    own_names: tuple[str, ...] = ()
    """Where cities have names of their own these are written instead, in the order of the nodes."""
    cost: float = 0.0
    """How wide the badge with the cost of the terrain is; 0 where there is none."""
    stubs: int = 0
    """Sides at which a short piece of track is printed."""
    numbered: bool = False
    """Whether the number of the tile stands at the bottom."""
    edged: bool = False
    """Whether there is a coloured edge to keep off."""


class NameLine(NamedTuple):
    """A line of a name: the middle of its foot, and how wide it is drawn."""

    words: str
    foot: Point
    width: float


class FaceLayout(NamedTuple):
    places: tuple[NodePlace, ...]
    curves: tuple[Curve, ...]
    """Plain track."""
    values: tuple[Point | None, ...]
    """Where the value of each place goes; None where an equal one stands already."""
    label: Point
    names: tuple[NameLine, ...]
    """Empty too where there is no room for the name."""
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
    room = _Room(places, curves, words)
    shown = _shown(face)
    values = [room.values(places[node]) for node in shown]
    others = [room.labels(words.label)] if words.label is not None else []
    others += [room.costs(words.cost)] if words.cost else []
    named = next(
        (
            found
            for names in room.names(words)
            if (found := _chosen([*names, *values, *others], len(names) if not words.own_names else 0)) is not None
        ),
        None,
    )
    count = len(named) - len(values) - len(others) if named is not None else 0
    found = named or _chosen([*values, *others]) or [spots[0] for spots in (*values, *others)]
    lines = tuple(line for spot in found[:count] for line in spot.lines)
    middles = [spot.middle for spot in found[count:]]
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


def _shown(face: Face) -> list[int]:
    """The nodes whose value is written: each amount once."""
    found: dict[object, int] = {}
    for node, spec in enumerate(face.nodes):
        worth = spec.value if isinstance(spec.value, int) else tuple(spec.value.items())
        if worth:
            found.setdefault(worth, node)
    return list(found.values())


def _chosen(parts: Sequence[LabelCandidates], in_order: int = 0) -> list[LabelCandidate] | None:
    """The cheapest choice of a spot for each part in which no two overlap, as far as patience goes; None if there is
    none. What has the fewest spots chooses first; in_order: so many of the parts are read one after the other."""
    if not all(parts):
        return None
    order = sorted(range(len(parts)), key=lambda part: len(parts[part]))
    least = [0.0]  # what all parts from one on cost at least
    for part in reversed(order):
        least.insert(0, least[0] + parts[part][0].cost)
    best: dict[int, LabelCandidate] | None = None
    limit, left = float("inf"), PATIENCE

    def choose(depth: int, taken: int, cost: float, chosen: dict[int, LabelCandidate]) -> None:
        nonlocal best, limit, left
        if depth == len(order):
            best, limit = chosen, cost
            return
        part = order[depth]
        for spot in parts[part]:
            left -= 1
            if left < 0 or cost + spot.cost + least[depth + 1] >= limit:
                return
            if not spot.squares & taken and (part >= in_order or _reads_well(chosen, part, spot, in_order)):
                choose(depth + 1, taken | spot.squares, cost + spot.cost, {**chosen, part: spot})

    choose(0, 0, 0.0, {})
    return None if best is None else [best[part] for part in range(len(parts))]


def _reads_well(chosen: Mapping[int, LabelCandidate], part: int, spot: LabelCandidate, in_order: int) -> bool:
    """Whether a part is read after those before it, and before those after it."""
    return all(
        _reads_after(at.middle, spot.middle) if other < part else _reads_after(spot.middle, at.middle)
        for other, at in chosen.items()
        if other < in_order
    )


def _reads_after(one: Point, other: Point) -> bool:
    """Whether somebody who reads from left to right and down comes to something later."""
    return other.y > one.y + SMALL / 2 or (abs(other.y - one.y) <= SMALL / 2 and other.x > one.x)


# What is there already


@cache
def _curve_squares(curve: Curve) -> int:
    return trail_squares([curve.point(part / 40) for part in range(41)], TRACK + 1)


@lru_cache(maxsize=1024)
def _spoke_squares(side: int, place: Point) -> int:
    return trail_squares(spoke_points(side, place), TRACK + 1)


def _place_squares(place: NodePlace) -> int:
    """What a city or a town covers."""
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


class _Room:
    """A face on which words look for room."""

    def __init__(self, places: Sequence[NodePlace], curves: Sequence[Curve], words: FaceLabels) -> None:
        self.places = places
        self.margin = EDGE if words.edged else RIM
        self.taken = 0
        for place in places:
            self.taken |= _place_squares(place)
        if words.numbered:
            self.taken |= box_squares(-11, RADIUS * 0.72, 11, RADIUS * 0.92)
        self.track = 0
        for curve in (*curves, *(curve for place in places for curve in place.curves)):
            self.track |= _curve_squares(curve)
        for place in places:
            for side in place.spokes:
                self.track |= _spoke_squares(side, place.centre)
        for side in sides_of(words.stubs):
            self.track |= _spoke_squares(side, CENTRE.plus(SIDES[side], STUB))

    def hidden(self, squares: int) -> float:
        return (squares & self.track).bit_count() * SQUARE * SQUARE

    def free(self, spots: Iterable[LabelCandidate]) -> LabelCandidates:
        """Those that cover no city and no town, the cheapest first."""
        return sorted((spot for spot in spots if not spot.squares & self.taken), key=lambda spot: spot.cost)

    # Values, labels, costs

    def values(self, place: NodePlace) -> LabelCandidates:
        """A value keeps off track, and is nearer to its own place than to others."""
        return self.free(self._value(place, middle) for middle in _middles(BADGE + self.margin))

    def _value(self, place: NodePlace, middle: Point) -> LabelCandidate:
        squares, near = disc_squares(middle, BADGE + 0.6), middle.distance(place.centre)
        strange = any(middle.distance(other.centre) < near - 1 for other in self.places)
        return LabelCandidate(self.hidden(squares) * 0.5 + near * 0.2 + 12 * strange, squares, (), middle)

    def labels(self, label: str) -> LabelCandidates:
        """A label stands in the upper left, if it can."""
        wide, high = width_of(label, LABEL, bold=True), ink_height(LABEL)
        return self._boxes(wide + 3, high + 3, lambda middle: middle.distance(CORNERS[1]) * 0.12)

    def costs(self, wide: float) -> LabelCandidates:
        """The cost of terrain stands at the top, in open country beneath hills and mountains."""
        home = Point(0.0, -RADIUS * 0.6 if self.places else RADIUS * 0.5)
        return self._boxes(wide + 1, 2 * COST + 1, lambda middle: middle.distance(home) * 0.15)

    def _boxes(self, wide: float, high: float, price: Callable[[Point], float]) -> LabelCandidates:
        def spots() -> Iterator[LabelCandidate]:
            for middle in _middles(high / 2 + self.margin):
                left, top = middle.x - wide / 2, middle.y - high / 2
                if abs(middle.x) + wide / 2 <= _half(abs(middle.y) + high / 2, self.margin):
                    squares = box_squares(left, top, left + wide, top + high)
                    yield LabelCandidate(self.hidden(squares) * 0.5 + price(middle), squares, (), middle)

        return self.free(spots())

    # Names

    def names(self, words: FaceLabels) -> Iterator[Sequence[LabelCandidates]]:
        """Ways to write the names: in one piece, otherwise in pieces wherever there is room."""
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
        """Spots for a name in one piece: beneath its city if it can."""
        return sorted(
            (spot for lines in _breaks(name) for spot in self._blocks(lines, owners)), key=lambda spot: spot.cost
        )

    def _blocks(self, lines: Sequence[str], owners: Sequence[NodePlace]) -> Iterator[LabelCandidate]:
        """Lines as one block, at every height and from left to right."""
        natural = [width_of(line) for line in lines]
        height = ink_height() + STEP * (len(lines) - 1)
        for top in range(-46, 40):
            feet = [top + ink_height() + STEP * index for index in range(len(lines))]
            rooms = [2 * _half(max(foot, ink_height() - foot), RIM) for foot in feet]
            if any(room < width * TIGHT for room, width in zip(rooms, natural, strict=True)):
                continue
            widths = [min(room, width) for room, width in zip(rooms, natural, strict=True)]
            dear = 4.0 * (len(lines) - 1) + 3.0 * _torn(lines) + sum(natural) / sum(widths) * 40 - 40
            for x in _across(min(room - width for room, width in zip(rooms, widths, strict=True)) / 2):
                squares = 0
                for foot, width in zip(feet, widths, strict=True):
                    squares |= _line_squares(x, foot, width)
                if not squares & self.taken:
                    middle = Point(x, top + height / 2)
                    cost = dear + self.hidden(squares) * 0.12 + self._away(middle, height, owners)
                    block = tuple(map(NameLine, lines, (Point(x, foot) for foot in feet), widths))
                    yield LabelCandidate(cost, squares, block, middle)

    def _away(self, middle: Point, height: float, owners: Sequence[NodePlace]) -> float:
        """How far a name is from where it is looked for: just beneath its city, or above it."""
        if not owners:
            return middle.distance(CENTRE) * 0.3
        distances = []
        for place in owners:
            radius, rows = slot_radius(len(place.slots)), [slot.y for slot in place.slots] or [place.centre.y]
            below = Point(place.centre.x, max(rows) + radius + 4 + height / 2)
            above = Point(place.centre.x, min(rows) - radius - 4 - height / 2)
            distances.append(min(middle.distance(below) * 0.25, middle.distance(above) * 0.25 + 4))
        strange = len(owners) < len(self.places) and any(
            middle.distance(other.centre) < middle.distance(owners[0].centre) - 1 for other in self.places
        )
        return min(distances) + 9 * strange


@cache
def _middles(margin: float) -> tuple[Point, ...]:
    """Points of a grid, and on the lines to corners and sides, that lie so far inside the hex."""
    points = [Point(column * 2.5, row * 2.5) for row in range(-20, 21) for column in range(-18, 19)]
    points += [CENTRE.plus(line, step) for line in (*LINES, *NORMALS) for step in range(12, 44)]
    return tuple(point for point in points if inside(point, margin))


def _half(height: float, margin: float) -> float:
    """How far to either side of its middle line a hex reaches at a height above or below its middle."""
    return min(APOTHEM - margin, 2 * (APOTHEM - margin) - math.sqrt(3) * height)


def _across(reach: float) -> Iterator[float]:
    """Where the middle of a block may be, from left to right: in the middle of the hex, at both ends and between."""
    if reach >= 0:
        steps = math.ceil(reach / 3)
        yield from (reach * step / steps for step in range(-steps, steps + 1)) if steps else (0.0,)


def _line_squares(x: float, foot: float, width: float) -> int:
    """What a line covers, with the light rim around its letters."""
    return box_squares(x - width / 2 - 1, foot - ink_height() - 1, x + width / 2 + 1, foot + SMALL * BELOW)


def _torn(lines: Sequence[str]) -> int:
    """How often a name of two places is broken elsewhere than between them."""
    return sum(not line.startswith("&") for line in lines[1:]) if any("& " in line for line in lines) else 0


def _shortened(name: str, letters: int) -> str:
    """The first word of a name that is too long, and if need be the first letters of that. The title of the hex tells
    all of it."""
    word = name if len(name) <= letters + 1 else name.split()[0]
    return word if len(word) <= letters + 1 else f"{word[:letters]}."


@cache
def _breaks(name: str) -> tuple[tuple[str, ...], ...]:
    """Every way to write a name in up to three lines; none ends with `&`."""
    words = name.replace("& ", "&\u00a0").split(" ")
    breaks = []
    for count in range(min(len(words), 3)):
        for cuts in combinations(range(1, len(words)), count):
            bounds = (0, *cuts, len(words))
            breaks.append(tuple(" ".join(words[a:b]).replace("\u00a0", " ") for a, b in pairwise(bounds)))
    return tuple(breaks)
