"""Reads pictures back: shapes with the points they really cover, in the order in which they are painted.

It shares nothing with the code that draws, so that what the tests say is true of the SVG and not of its maker.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
CALL = re.compile(r"(\w+)\(([^)]*)\)")
INHERITED = (
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "paint-order"),
    *("font-size", "text-anchor", "font-weight"),
)
CLOSE = 1.0
"""How far apart the points of a sampled line are at most."""

NUMBERS = {"M": 2, "L": 2, "T": 2, "Q": 4, "C": 6, "A": 7, "Z": 0}
"""How many numbers each command of a path takes."""

XY = tuple[float, float]
Line = tuple[XY, ...]


class Matrix(NamedTuple):
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def times(self, other: Matrix) -> Matrix:
        return Matrix(
            self.a * other.a + self.c * other.b,
            self.b * other.a + self.d * other.b,
            self.a * other.c + self.c * other.d,
            self.b * other.c + self.d * other.d,
            self.a * other.e + self.c * other.f + self.e,
            self.b * other.e + self.d * other.f + self.f,
        )

    def at(self, point: XY) -> XY:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def scale(self) -> float:
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


class Shape(NamedTuple):
    """Something painted. `lines` are its outline, or the run of a path, in coordinates of the whole picture."""

    kind: str
    at: dict[str, str]
    lines: tuple[Line, ...]
    words: str
    scale: float
    within: tuple[str, ...]
    """Ids and classes of the groups around it."""

    @property
    def width(self) -> float:
        return float(self.at.get("stroke-width", 1)) * self.scale if self.at.get("stroke", "none") != "none" else 0.0

    @property
    def points(self) -> Line:
        return tuple(point for line in self.lines for point in line)

    @property
    def middle(self) -> XY:
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def radius(self) -> float:
        return float(self.at.get("r", 0)) * self.scale

    @property
    def box(self) -> tuple[float, float, float, float]:
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return min(xs), min(ys), max(xs), max(ys)


def read(svg: str) -> list[Shape]:
    """All shapes of a picture or of a part of one, the lowest first."""
    whole = svg if svg.startswith("<svg") else f'<svg xmlns="{SVG[1:-1]}">{svg}</svg>'
    return list(_shapes(ElementTree.fromstring(whole), Matrix(), {}, ()))


def _shapes(
    element: ElementTree.Element, outer: Matrix, style: dict[str, str], within: Sequence[str]
) -> Iterator[Shape]:
    kind = element.tag.removeprefix(SVG)
    matrix = outer.times(transform(element.get("transform", "")))
    mine = {**style, **{key: element.attrib[key] for key in INHERITED if key in element.attrib}}
    found = _outline(kind, element, mine)
    if found is not None:
        lines = tuple(tuple(matrix.at(point) for point in line) for line in found)
        words = "".join(element.itertext())
        yield Shape(kind, {**mine, **element.attrib}, lines, words, matrix.scale, tuple(within))
    names = (*within, *(element.attrib[key] for key in ("id", "class") if key in element.attrib))
    for child in element:
        yield from _shapes(child, matrix, mine, names)


def transform(text: str) -> Matrix:
    matrix = Matrix()
    for name, arguments in CALL.findall(text):
        values = [float(value) for value in re.split(r"[ ,]+", arguments.strip())]
        if name == "translate":
            step = Matrix(e=values[0], f=values[1] if len(values) > 1 else 0.0)
        elif name == "scale":
            step = Matrix(a=values[0], d=values[-1])
        elif name == "rotate":
            turn, (x, y) = math.radians(values[0]), values[1:] or (0.0, 0.0)
            cos, sin = math.cos(turn), math.sin(turn)
            step = Matrix(cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos)
        else:
            raise ValueError(f"a transform that is not read: {name}")
        matrix = matrix.times(step)
    return matrix


def _outline(kind: str, element: ElementTree.Element, style: dict[str, str]) -> list[Line] | None:
    def value(name: str) -> float:
        return float(element.get(name, 0))

    if kind == "path":
        return path_lines(element.attrib["d"])
    if kind == "circle":
        turns = [math.tau * step / 48 for step in range(49)]
        return [tuple((value("cx") + math.cos(t) * value("r"), value("cy") + math.sin(t) * value("r")) for t in turns)]
    if kind == "rect":
        return [_rounded(value("x"), value("y"), value("width"), value("height"), value("rx"))]
    if kind == "polygon":
        numbers = [float(part) for part in re.split(r"[ ,]+", element.attrib["points"].strip())]
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
        return [_joined([*corners, corners[0]])]
    if kind == "text":
        return [_text_box(element, style)]
    return None


def _rounded(x: float, y: float, width: float, height: float, radius: float) -> Line:
    radius = min(radius, width / 2, height / 2)
    corners = (
        (x + width - radius, y + radius, -90),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
        (x + radius, y + radius, 180),
    )
    points = [
        (cx + radius * math.cos(math.radians(first + turn)), cy + radius * math.sin(math.radians(first + turn)))
        for cx, cy, first in corners
        for turn in range(0, 91, 15)
    ]
    return _joined([*points, points[0]])


def _text_box(element: ElementTree.Element, style: dict[str, str]) -> Line:
    """The room that words take: as wide as they are told to be, otherwise about as in an ordinary sans-serif face;
    capitals and figures, no descenders."""
    size = float(style.get("font-size", 16))
    wide = 0.62 if style.get("font-weight") == "bold" else 0.5
    width = float(element.get("textLength", size * wide * len("".join(element.itertext()))))
    x, y = float(element.get("x", 0)), float(element.get("y", 0))
    x -= {"middle": width / 2, "end": width}.get(style.get("text-anchor", "start"), 0.0)
    return _rounded(x, y - size * 0.7, width, size * 0.7, 0)


# Paths


def path_lines(data: str) -> list[Line]:
    """The pieces of a path, each as a line of close points."""
    tokens = TOKEN.findall(data)
    lines: list[list[XY]] = []
    place, command = 0, ""
    bend: XY | None = None
    while place < len(tokens):
        if tokens[place].isalpha():
            command = tokens[place]
            place += 1
        here = lines[-1][-1] if lines else (0.0, 0.0)
        count = NUMBERS[command.upper()]
        values = [float(token) for token in tokens[place : place + count]]
        place += count
        if command.islower():
            moved = values[-2:] if command == "a" else values
            values[len(values) - len(moved) :] = [value + here[index % 2] for index, value in enumerate(moved)]
        kind = command.upper()
        points = _pairs(values) if kind in "MLTQC" else []
        if kind == "M":
            lines.append(points)
            command = "L" if command == "M" else "l"
        elif kind == "A":
            lines[-1] += _arc(here, *values)
        elif kind in "ZL":
            lines[-1] += _joined([here, *(points or lines[-1][:1])])[1:]
        else:
            if kind == "T":
                points.insert(0, here if bend is None else (2 * here[0] - bend[0], 2 * here[1] - bend[1]))
            bend = points[-2]
            lines[-1] += _bezier([here, *points])
    return [tuple(line) for line in lines]


def _pairs(values: Sequence[float]) -> list[XY]:
    return list(zip(values[::2], values[1::2], strict=True))


def _joined(corners: Sequence[XY]) -> Line:
    points = [corners[0]]
    for (x1, y1), (x2, y2) in itertools.pairwise(corners):
        steps = max(1, math.ceil(math.hypot(x2 - x1, y2 - y1) / CLOSE))
        points += [(x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps) for step in range(1, steps + 1)]
    return tuple(points)


def _bezier(points: list[XY]) -> list[XY]:
    found = []
    for step in range(1, 101):
        part, row = step / 100, points
        while len(row) > 1:
            row = [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in itertools.pairwise(row)]
        found.append(row[0])
    return found


def _arc(start: XY, rx: float, ry: float, _turn: float, large: float, sweep: float, x: float, y: float) -> list[XY]:
    """A circle's arc, from the end points to the centre as the SVG standard says (F.6.5)."""
    assert rx == ry, "only circles are read"
    dx, dy = (start[0] - x) / 2, (start[1] - y) / 2
    half = math.hypot(dx, dy)
    radius = max(rx, half)
    away = math.sqrt(max(0.0, radius**2 - half**2)) / half
    sign = 1 if bool(large) != bool(sweep) else -1
    cx, cy = (start[0] + x) / 2 + sign * away * dy, (start[1] + y) / 2 - sign * away * dx
    first, last = math.atan2(start[1] - cy, start[0] - cx), math.atan2(y - cy, x - cx)
    swing = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    steps = max(2, math.ceil(abs(swing) * radius / CLOSE))
    turns = [first + swing * step / steps for step in range(1, steps + 1)]
    return [(cx + radius * math.cos(turn), cy + radius * math.sin(turn)) for turn in turns]


# Measuring


def apart(one: XY, other: XY) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def nearest(point: XY, points: Sequence[XY]) -> float:
    """How far a point is from the nearest of others."""
    x, y = point
    return math.sqrt(min([(x - a) * (x - a) + (y - b) * (y - b) for a, b in points], default=math.inf))


def gap(one: Sequence[XY], other: Sequence[XY]) -> float:
    """How far two sets of points are apart."""
    return min((nearest(point, other) for point in one), default=math.inf)


def box_holds(shape: Shape, point: XY) -> bool:
    left, top, right, bottom = shape.box
    return left <= point[0] <= right and top <= point[1] <= bottom


def heading(line: Sequence[XY], at_end: bool = False) -> float:
    """The direction of a line at its first or last point, in degrees."""
    (x1, y1), (x2, y2) = (line[-1], line[-2]) if at_end else (line[0], line[1])
    return math.degrees(math.atan2(y2 - y1, x2 - x1))


def turn_between(one: float, other: float) -> float:
    """The angle between two undirected lines, 0 to 90 degrees."""
    turn = abs(one - other) % 180
    return min(turn, 180 - turn)
