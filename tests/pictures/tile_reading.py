"""Every tile of both games in every rotation, drawn in colours that tell what is what, and read back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, cached_property
from itertools import combinations, pairwise

from msgspec.structs import replace

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face, Tile
from ostbahn.kits.catalogue import rulebook
from ostbahn.pictures.themes import LIGHT, Mark, Theme
from ostbahn.pictures.tiles import CityOccupants, draw_tile
from tests.pictures.svg_reader import XY, Line, Shape, apart, nearest, read

RADIUS = 50.0
APOTHEM = RADIUS * math.sqrt(3) / 2
ANGLES = (120, 180, 240, 300, 0, 60)
"""Where SW, W, NW, NE, E and SE lie, clockwise from the east, as y grows downwards."""
NORMALS = tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in ANGLES)
MIDDLES = tuple((x * APOTHEM, y * APOTHEM) for x, y in NORMALS)
ROUNDED = 0.15
"""Coordinates are written with one decimal."""

TRACK, RIM, SLOT, VALUE, INK, EDGE = "#000001", "#fffff2", "#fffff3", "#fffff4", "#000005", "#000006"


def telling(theme: Theme) -> Theme:
    """A theme in which each kind of thing has a colour of its own."""
    return replace(theme, track=TRACK, rim=RIM, slot=SLOT, value=VALUE, ink=INK, edge=EDGE)


PROBE = telling(LIGHT)


@cache
def tiles(title: str) -> Mapping[str, Tile]:
    return rulebook(title).title.tiles


@cache
def faces(title: str, name: str) -> tuple[Face, ...]:
    return rulebook(title).title.tile_set.faces[name]


TILES = [(title, name) for title in ("18CZ", "18Mag") for name in tiles(title)]


def mark_of(node: int, slot: int) -> Mark:
    """A mark by which a place for a station can be found again."""
    return Mark(f"{node}{'abcd'[slot]}", f"#ab{node}0{slot}0", f"#cd{node}0{slot}0")


def inside(point: XY, margin: float = 0.0) -> bool:
    return all(point[0] * x + point[1] * y <= APOTHEM - margin for x, y in NORMALS)


class Drawn:
    """A tile as its picture shows it."""

    def __init__(self, title: str, name: str, rotation: int, full: bool = True) -> None:
        self.key = f"{title} {name} at {rotation}"
        self.rotation = rotation
        self.name, self.tile, self.face = name, tiles(title)[name], faces(title, name)[rotation]
        everybody = [
            CityOccupants([mark_of(index, slot) for slot in range(node.slots)])
            for index, node in enumerate(self.face.nodes)
        ]
        self.svg = draw_tile(name, self.tile, self.face, PROBE, everybody if full else ())
        self.shapes = read(self.svg)

    # Track

    @cached_property
    def strokes(self) -> list[Shape]:
        """Track and the rims beneath it, as they are painted one above the other."""
        return [shape for shape in self.shapes if shape.kind == "path" and shape.at.get("stroke") in (TRACK, RIM)]

    @cached_property
    def lines(self) -> list[Line]:
        return [line for shape in self.strokes if shape.at["stroke"] == TRACK for line in shape.lines]

    @cached_property
    def tracks(self) -> list[Line]:
        """Whole pieces of track, each once; stretches that only repeat a part of another are left out."""
        kept: list[Line] = []
        for line in sorted(self.lines, key=len, reverse=True):
            if not any(all(nearest(point, other) < 1 for point in line) for other in kept):
                kept.append(line)
        return kept

    def end(self, point: XY) -> str:
        """What an end of track is at: `side 3`, `place 1` or nothing."""
        for side, middle in enumerate(MIDDLES):
            if apart(point, middle) <= ROUNDED:
                return f"side {side}"
        for place, shapes in enumerate(self.places):
            if any(apart(point, shape.middle) <= max(shape.radius, ROUNDED) for shape in shapes):
                return f"place {place}"
            if len(shapes) > 1 and nearest(point, self.middles(place)) < max(shape.radius for shape in shapes):
                return f"place {place}"
        return ""

    def middles(self, place: int) -> Line:
        """Points between the slots of a place, where its track may end as well."""
        spots = [shape.middle for shape in self.places[place]]
        return tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in combinations(spots, 2)) or tuple(spots)

    def passes(self, line: Line) -> list[int]:
        """The places which a line runs through."""
        return [
            place
            for place, shapes in enumerate(self.places)
            if any(nearest(shape.middle, line) < 1 for shape in shapes)
        ]

    @cached_property
    def connections(self) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """What the track joins: pairs of sides, and sides with places."""
        pairs, visits = set(), set()
        for line in self.tracks:
            ends = [self.end(line[0]), self.end(line[-1])]
            sides = sorted(int(end[5:]) for end in ends if end.startswith("side"))
            places = {int(end[6:]) for end in ends if end.startswith("place")} or set(self.passes(line))
            visits |= {(side, place) for side in sides for place in places}
            if len(sides) == 2 and not places:
                pairs.add((sides[0], sides[1]))
        return pairs, visits

    # Places

    @cached_property
    def places(self) -> list[list[Shape]]:
        """For each node its slots, or its town; towns belong to the track on which they lie."""
        towns = list(self.towns)
        found: list[list[Shape]] = []
        for index, node in enumerate(self.face.nodes):
            if node.kind == "town":
                mine = [town for town in towns if self.on_own_track(town, index)] or towns
                found.append(mine[:1])
                towns = [town for town in towns if town not in mine[:1]]
            else:
                colours = [mark_of(index, slot).colour for slot in range(node.slots)]
                found.append([shape for shape in self.shapes if shape.at.get("fill") in colours and shape.radius])
        return found

    def on_own_track(self, town: Shape, node: int) -> bool:
        """Whether lines that start at the sides of a node run through a town."""
        wanted = sides_of(self.face.node_exits[node])
        reached = {
            side
            for side in range(6)
            for line in self.lines
            if nearest(MIDDLES[side], (line[0], line[-1])) <= ROUNDED and nearest(town.middle, line) < 1
        }
        return set(wanted) <= reached

    @cached_property
    def towns(self) -> list[Shape]:
        return [
            shape for shape in self.shapes if shape.kind in ("circle", "rect") and shape.at.get("fill") in (INK, EDGE)
        ]

    @cached_property
    def slots(self) -> list[Shape]:
        """Places for stations, whether a station stands in them or not, without their grounds."""
        marks = {mark_of(node, slot).colour for node in range(4) for slot in range(4)}
        return [shape for shape in self.shapes if shape.kind == "circle" and shape.at.get("fill") in {SLOT, *marks}]

    @cached_property
    def grounds(self) -> list[Shape]:
        """What lies beneath several slots of a city."""
        return [shape for shape in self.shapes if shape.kind != "circle" and shape.at.get("fill") == SLOT]

    # Words

    @cached_property
    def badges(self) -> list[Shape]:
        return [shape for shape in self.shapes if shape.at.get("fill") == VALUE]

    @cached_property
    def labels(self) -> list[Shape]:
        return [shape for shape in self.texts if shape.words == self.tile.label]

    @cached_property
    def texts(self) -> list[Shape]:
        return [shape for shape in self.shapes if shape.kind == "text"]

    # Paint

    def paint(self, point: XY) -> str:
        """The topmost of track and rim at a point, or nothing."""
        for shape in reversed(self.strokes):
            if any(nearest(point, line) <= shape.width / 2 for line in shape.lines):
                return shape.at["stroke"]
        return ""


@cache
def drawn(title: str, name: str, rotation: int) -> Drawn:
    return Drawn(title, name, rotation)


def turned(title: str, name: str) -> list[Drawn]:
    """A tile in all its rotations."""
    return [drawn(title, name, rotation) for rotation in range(6)]


@cache
def crossings(tile: Drawn) -> list[tuple[Line, Line, XY]]:
    """Where two pieces of track cross away from the sides and places at which they meet."""
    found = []
    for one, other in combinations(tile.tracks, 2):
        ends = (one[0], one[-1], other[0], other[-1])
        for point in _meetings(one, other):
            if nearest(point, ends) > 6:
                found.append((one, other, point))
    return found


def _meetings(one: Line, other: Line) -> list[XY]:
    found: list[XY] = []
    for p, q in pairwise(one):
        for r, s in pairwise(other):
            if apart(p, r) < 2 and _cross(p, q, r) * _cross(p, q, s) <= 0 and _cross(r, s, p) * _cross(r, s, q) <= 0:
                found.append(p)
    return [point for index, point in enumerate(found) if nearest(point, found[:index]) > 3]


def _cross(origin: XY, first: XY, second: XY) -> float:
    return (first[0] - origin[0]) * (second[1] - origin[1]) - (first[1] - origin[1]) * (second[0] - origin[0])
