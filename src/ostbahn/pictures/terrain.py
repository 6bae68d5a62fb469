"""Rivers, neighbouring countries, relief and terrain costs of a map."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Map, PrintedHex
from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS
from ostbahn.kits.data import Spec
from ostbahn.pictures.geometry import RADIUS, SIDES, Point, centre_of
from ostbahn.pictures.label_placement import CAPITALS, COST, SMALL, width_of
from ostbahn.pictures.svg import Attribute, box, element, group, point, text, translate
from ostbahn.pictures.themes import Theme, mix_colours
from ostbahn.pictures.tiles import Background, fixed_text_width

MAX_BEND_OFFSET: Final = RADIUS * 0.15
"""Maximum offset of a river's bend from the centre of a hex."""


class RiverSpec(Spec, frozen=True):
    name: str
    course: tuple[str, ...]
    """Hexes from source to mouth, on the map or not. A side (`NW`) as first or last entry says where the river
    crosses the edge of the map; a river that ends on a hex joins the one that passes there."""
    width: float = 2.4


class Neighbour(Spec, frozen=True):
    """A country beyond the border."""

    name: str
    at: str
    """Position of its name, as a hex id."""


class LandFile(Spec, frozen=True):
    rivers: tuple[RiverSpec, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()


class RiverSegment(NamedTuple):
    """A river's path on one hex, around its centre."""

    river: str
    path: str
    width: float


class Land:
    """Rivers and neighbours of a title's map; hashed by identity, since each title has one."""

    def __init__(self, map_: Map, file: LandFile) -> None:
        small = sorted({hex_.id[0] for hex_ in map_ if hex_.id[0].islower()})
        self.neighbours: Sequence[Neighbour] = file.neighbours
        self.river_segments: Mapping[str, Sequence[RiverSegment]] = _streams(map_, file.rivers, "".join(small) + ROWS)
        """Hex to the rivers on it."""


def _streams(map_: Map, rivers: Sequence[RiverSpec], rows: str) -> dict[str, list[RiverSegment]]:
    river_segments: dict[str, list[RiverSegment]] = {}
    meetings: dict[str, Point] = {}
    for river in rivers:
        for hex_id, points in _pieces(river, rows, meetings):
            if hex_id in map_:
                middle = _middle(hex_id, rows)
                river_segments.setdefault(hex_id, []).append(
                    RiverSegment(river.name, _path(points, middle), river.width)
                )
            if len(points) == 3:
                begin, bend, end = points  # another river may flow in at the middle of the bend
                middle = Point((begin.x + 2 * bend.x + end.x) / 4, (begin.y + 2 * bend.y + end.y) / 4)
                meetings.setdefault(hex_id, middle)
    return river_segments


def _pieces(river: RiverSpec, rows: str, meetings: Mapping[str, Point]) -> Iterator[tuple[str, list[Point]]]:
    """Each hex of a river with its entry, bend and exit."""
    hexes = [name for name in river.course if name not in DIRECTIONS]
    bends = [_bend(name, rows) for name in hexes]
    ways = [_crossing(*pair, rows) for pair in pairwise(hexes)]
    first = _side(hexes[0], river.course[0], rows)
    last = _side(hexes[-1], river.course[-1], rows) or meetings.get(hexes[-1], bends[-1])
    for at, (name, bend) in enumerate(zip(hexes, bends, strict=True)):
        begin = ways[at - 1] if at else first
        end = ways[at] if at < len(ways) else last
        yield name, [bend, end] if begin is None else [begin, bend, end]


def _side(hex_id: str, name: str, rows: str) -> Point | None:
    """The middle of a named side; None if `name` is no side."""
    if name not in DIRECTIONS:
        return None
    return _middle(hex_id, rows).plus(SIDES[DIRECTIONS.index(name)])


def _middle(hex_id: str, rows: str) -> Point:
    return centre_of(rows.index(hex_id[0]), int(hex_id[1:]))


def _bend(hex_id: str, rows: str) -> Point:
    """A pseudo-random but fixed bend near the centre of a hex."""
    row, column = rows.index(hex_id[0]), int(hex_id[1:])
    turn = row * 2.4 + column * 1.7
    return _middle(hex_id, rows).plus(Point(math.cos(turn), math.sin(turn)), MAX_BEND_OFFSET)


def _crossing(one: str, other: str, rows: str) -> Point:
    """Where a river crosses the side between two hexes, smoothly."""
    first_bend, second_bend = _bend(one, rows), _bend(other, rows)
    a, b = _middle(one, rows), _middle(other, rows)
    across, along = b.plus(a, -1.0), second_bend.plus(first_bend, -1.0)
    halfway = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
    part = (across.x * (halfway.x - first_bend.x) + across.y * (halfway.y - first_bend.y)) / (
        across.x * along.x + across.y * along.y
    )
    return first_bend.plus(along, part)


def _path(points: Sequence[Point], middle: Point) -> str:
    begin, *others = (point(place.plus(middle, -1.0)) for place in points)
    return f"M{begin}{'Q' if len(others) == 2 else 'L'}{' '.join(others)}"


NO_LAND: Final = Land(Map({}), LandFile())
"""For titles without rivers and neighbours."""


SIGN_WIDTH: Final = 11.5
BADGE_PADDING: Final = 3.5
SIGNS: Final = {
    "river": "M-4.4 -2q2.2 -3 4.4 0t4.4 0M-4.4 3q2.2 -3 4.4 0t4.4 0",
    "hill": "M-4.5 4q4.5 -12 9 0",
    "mountain": "M-5 4L0 -5L5 4z",
}
HIGHEST: Final = 3
BROAD: Final = 3.0
"""Rivers at least this wide are what a terrain cost is for."""


def terrain_kinds(printed: PrintedHex) -> list[str]:
    return printed.terrain.split(" and ") if printed.terrain else []


class Peak(NamedTuple):
    """A hill or mountain: centre of its foot, half its width, its height."""

    x: int
    y: int
    half: int
    height: int


OPEN: Final = (
    (Peak(1, 6, 17, 27),),
    (Peak(-12, 2, 14, 22), Peak(11, 9, 17, 27)),
    (Peak(1, -8, 14, 22), Peak(-17, 9, 15, 22), Peak(15, 10, 17, 27)),
)
"""One to three peaks in open country, above the cost."""
AROUND: Final = (
    (Peak(26, 8, 12, 20),),
    (Peak(-26, 10, 12, 18), Peak(26, 8, 12, 20)),
    (Peak(-26, 12, 12, 18), Peak(26, 10, 12, 20), Peak(-16, -14, 13, 20)),
)
"""One to three peaks around a city or town."""
TINTS: Final = {"hill": 0.09, "mountain": 0.17}
"""Tint of the ground by kind of terrain."""


@lru_cache(maxsize=64)
def heights_of(map_: Map) -> Mapping[str, int]:
    """Number of peaks per hex, up to three: its symbols, or its cost compared with others."""
    heights = {}
    for hex_ in map_:
        printed = hex_.printed
        costs = sorted({other.printed.cost for other in map_ if other.printed.terrain == printed.terrain})
        by_cost = HIGHEST * (costs.index(printed.cost) + 1) // len(costs)
        symbols = max(printed.symbols.get(kind, 0) for kind in TINTS)
        heights[hex_.id] = min(symbols or max(by_cost, 1), HIGHEST)
    return heights


def tinted_ground(ground: Background, kinds: Sequence[str], theme: Theme) -> Background:
    """The background tinted for hills and mountains."""
    for kind in kinds:
        if kind in TINTS:
            return ground._replace(colour=mix_colours(_colour(kind, theme), ground.colour, TINTS[kind]))
    return ground


def draw_relief(kinds: Sequence[str], height: int, middle_taken: bool, ground: Background, theme: Theme) -> str:
    """Hills or mountains with a light side, a shaded side and a ridge line."""
    kind = next((kind for kind in kinds if kind in TINTS), None)
    if kind is None:
        return ""
    peaks = (AROUND if middle_taken else OPEN)[height - 1]
    shape, shade = (_hill, _hill_shade) if kind == "hill" else (_mountain, _mountain_shade)
    colour = _colour(kind, theme)
    light = element("path", d="".join(map(shape, peaks)), fill=mix_colours(colour, ground.colour, 0.1))
    dark = element("path", d="".join(map(shade, peaks)), fill=mix_colours(colour, ground.colour, 0.38), stroke="none")
    line = mix_colours(colour, ground.colour, 0.85)
    return group([light, dark], class_="relief", stroke=line, stroke_width=1.1, stroke_linejoin="round")


def _mountain(peak: Peak) -> str:
    x, y, half, height = peak
    return f"M{x - half} {y}L{x} {y - height}L{x + half} {y}"


def _mountain_shade(peak: Peak) -> str:
    x, y, half, height = peak
    return f"M{x} {y - height}l{half} {height}l-{half - 3} 0l2 -{height * 2 // 5}l-4 -{height // 4}z"


def _hill(peak: Peak) -> str:
    x, y, half, height = peak
    return f"M{x - half} {y}q{half} -{height} {2 * half} 0"


def _hill_shade(peak: Peak) -> str:
    x, y, half, height = peak
    outer = f"q{half // 2} 1 {half} {height // 2}"
    inner = f"q0 -{height // 3} -{half // 2} -{height // 2}"
    return f"M{x} {y - height // 2}{outer}l-{half - half // 2} 0{inner}z"


def draw_rivers(river_segments: Sequence[RiverSegment], costly: bool, theme: Theme) -> str:
    """Rivers on a hex; broad ones are emphasised where crossing costs money."""
    parts = []
    for strong, stream in sorted((costly and stream.width >= BROAD, stream) for stream in river_segments):
        style = {"class_": "river", "fill": "none", "stroke": theme.river if strong else theme.brook}
        parts.append(element("path", d=stream.path, **style, stroke_width=stream.width))
    return "".join(parts)


def _colour(kind: str, theme: Theme) -> str:
    return {"river": theme.water, "hill": theme.hill, "mountain": theme.mountain}[kind]


def cost_width(printed: PrintedHex) -> float:
    """Width of the badge with signs and cost; 0 for none."""
    kinds = terrain_kinds(printed)
    return SIGN_WIDTH * len(kinds) + width_of(str(printed.cost), bold=True) + 2 * BADGE_PADDING if kinds else 0.0


def draw_cost(printed: PrintedHex, middle: Point, theme: Theme) -> str:
    """A badge with the terrain signs and the cost of the first tile."""
    kinds, wide = terrain_kinds(printed), cost_width(printed)
    colour = _colour(kinds[-1], theme)
    parts = [box(-wide / 2, -COST, wide, 2 * COST, theme.land, mix_colours(colour, theme.land, 0.4), 0.8, round=COST)]
    for index, kind in enumerate(kinds):
        x = BADGE_PADDING + SIGN_WIDTH * (index + 0.45) - wide / 2
        parts.append(element("path", d=SIGNS[kind], transform=translate(x, 0), **_ink(kind, _colour(kind, theme))))
    words = str(printed.cost)
    style: dict[str, Attribute] = {"font_size": SMALL, "font_weight": "bold", "text_anchor": "end", "fill": colour}
    width = fixed_text_width(width_of(words, bold=True))
    parts.append(text(words, wide / 2 - BADGE_PADDING, SMALL * CAPITALS / 2, **style, **width))
    return group(parts, class_="cost", transform=translate(*middle))


def _ink(kind: str, colour: str) -> dict[str, str | float]:
    if kind == "mountain":
        return {"fill": colour}
    return {"fill": "none", "stroke": colour, "stroke_width": 2, "stroke_linecap": "round"}
