"""Tiles and faces: track, cities, towns, values, labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.tiles import Face, Node, Tile
from ostbahn.pictures.geometry import APOTHEM, CORNERS, RADIUS, SIDES, Curve, Point
from ostbahn.pictures.layout import BADGE, GAP, NAMES, SLOT, Layout, Place, lay_out, name_height, slot_radius
from ostbahn.pictures.svg import element, number, text
from ostbahn.pictures.themes import Theme

TRACK: Final = RADIUS * 0.13
"""Width of track."""
RIM: Final = RADIUS * 0.2
"""Width of the light line beneath it, which parts crossing tracks."""
TOWN: Final = RADIUS * 0.13
BRIDGE: Final = 6.5
"""How long the piece of track is, to either side, that passes over another one."""
PURPLE: Final = "#7a3fa0"


class Mark(NamedTuple):
    """A station as it is drawn: letters on a colour."""

    letters: str
    colour: str
    ink: str


Marks = Mapping[int, Sequence[Mark]]
"""For each node the stations in it."""


@lru_cache(maxsize=4096)
def layout_of(face: Face, labelled: bool = False, named: bool = False) -> Layout:
    """Faces are made once for a title, so each is laid out once."""
    return lay_out(face, labelled, named)


@cache
def outline(margin: float = 0.0) -> str:
    """The corners of a hex, as SVG wants points."""
    part = 1 - margin / RADIUS
    return " ".join(f"{number(corner.x * part)},{number(corner.y * part)}" for corner in CORNERS)


# Track


@cache
def curve_path(curve: Curve) -> str:
    """Track from side to side as path data."""
    start, end = SIDES[curve.start], SIDES[curve.end]
    begin = f"M{number(start.x)} {number(start.y)}"
    if curve.turn == 3:
        return f"{begin}L{number(end.x)} {number(end.y)}"
    radius = number(curve.radius)
    return f"{begin}A{radius} {radius} 0 0 {int(curve.clockwise)} {number(end.x)} {number(end.y)}"


def spoke_path(side: int, place: Point) -> str:
    """Track from a side to a place: at right angles to the side, then bending to where the place is."""
    start = SIDES[side]
    begin = f"M{number(start.x)} {number(start.y)}"
    if abs(start.x * place.y - start.y * place.x) < 1e-6:
        return f"{begin}L{number(place.x)} {number(place.y)}"
    inward = Point(start.x * 0.45, start.y * 0.45)
    return f"{begin}Q{number(inward.x)} {number(inward.y)} {number(place.x)} {number(place.y)}"


def draw_track(layout: Layout, theme: Theme) -> str:
    """All track; where two pieces cross, the later one passes above the other, with a light rim on either side."""
    curves = [*layout.curves, *(curve for place in layout.places for curve in place.curves)]
    spokes = "".join(spoke_path(side, place.centre) for place in layout.places for side in place.spokes)
    parts = [_stroke("".join(map(curve_path, curves)) + spokes, TRACK, theme.track)]
    for index, curve in enumerate(curves):
        for other in curves[:index]:
            if curve.crosses(other):
                path = crossing_path(curve, other)
                parts += [_stroke(path, RIM, theme.rim), _stroke(path, TRACK, theme.track)]
    return "".join(parts)


@cache
def crossing_path(curve: Curve, other: Curve) -> str:
    """The short piece of a curve that passes over another one."""
    nearest, there, span = 0.5, 0.5, 0.5
    for _ in range(5):  # ever closer to where they meet
        steps = [step * span / 8 for step in range(-8, 9)]
        pairs = [(nearest + one, there + two) for one in steps for two in steps]
        nearest, there = min(pairs, key=lambda pair: curve.point(pair[0]).distance(other.point(pair[1])))
        span /= 6
    reach = BRIDGE / curve.length
    return _polyline([curve.point(nearest + reach * step / 2) for step in range(-2, 3)])


def _polyline(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def half_path(curve: Curve, side: int, place: Point) -> str:
    """The part of a curve from a side to a place on it."""
    whole = [curve.point(part / 24) for part in range(25)]
    points = whole if side == curve.start else whole[::-1]
    nearest = min(range(25), key=lambda index: points[index].distance(place))
    return _polyline(points[: max(nearest, 1) + 1])


def _stroke(path: str, width: float, colour: str) -> str:
    if not path:
        return ""
    return element("path", d=path, fill="none", stroke=colour, stroke_width=width)


# Cities and towns


def draw_place(place: Place, node: Node, marks: Sequence[Mark], theme: Theme) -> str:
    if node.kind == "town":
        return _town(place, theme)
    if node.kind == "mine":
        return draw_mine(place.centre, theme)
    return _city(place, marks, theme)


def _town(place: Place, theme: Theme) -> str:
    """A bar across track that passes, a dot where tracks meet or nothing has been built."""
    x, y = place.centre
    if place.bar is None:
        fill = theme.edge if place.spokes else theme.ink
        return element("circle", cx=x, cy=y, r=TOWN, fill=fill, stroke=theme.rim, stroke_width=1.5)
    half = RADIUS * 0.19
    return element(
        "rect",
        x=x - half,
        y=y - TOWN / 2,
        width=2 * half,
        height=TOWN,
        fill=theme.edge,
        stroke=theme.rim,
        stroke_width=1,
        transform=f"rotate({number(place.bar)} {number(x)} {number(y)})",
    )


def draw_mine(centre: Point, theme: Theme) -> str:
    """Hammer and pick, crossed."""
    x, y = centre
    disc = element("circle", cx=x, cy=y, r=RADIUS * 0.3, fill=theme.slot, stroke=theme.edge, stroke_width=1.5)
    tools = element(
        "path",
        d="M-8 9L7 -7M8 9L-7 -7M2 -9q6 -1 9 7M-11 -5L-5 -10L-3 -7",
        transform=f"translate({number(x)} {number(y)})",
        stroke=theme.edge,
        stroke_width=3,
        stroke_linecap="round",
        fill="none",
    )
    return disc + tools


def _city(place: Place, marks: Sequence[Mark], theme: Theme) -> str:
    """Places for stations on a ground of their own; stations with letters."""
    parts = []
    radius = slot_radius(len(place.slots))
    if len(place.slots) > 1:
        parts.append(_ground(place.slots, theme))
    for index, slot in enumerate(place.slots):
        mark = marks[index] if index < len(marks) else None
        fill = theme.slot if mark is None else mark.colour
        parts.append(element("circle", cx=slot.x, cy=slot.y, r=radius, fill=fill, stroke=theme.edge, stroke_width=1.5))
        if mark is not None:
            size = (13 if len(mark.letters) < 3 else 9.5 if len(mark.letters) < 4 else 7) * radius / SLOT
            parts.append(
                text(
                    mark.letters,
                    slot.x,
                    slot.y + size * 0.35,
                    font_size=size,
                    font_weight="bold",
                    text_anchor="middle",
                    fill=mark.ink,
                )
            )
    return "".join(parts)


def _ground(slots: Sequence[Point], theme: Theme) -> str:
    margin = slot_radius(len(slots)) + GAP
    left, right = min(slot.x for slot in slots) - margin, max(slot.x for slot in slots) + margin
    top, bottom = min(slot.y for slot in slots) - margin, max(slot.y for slot in slots) + margin
    return element(
        "rect",
        x=left,
        y=top,
        width=right - left,
        height=bottom - top,
        rx=margin,
        fill=theme.slot,
        stroke=theme.edge,
        stroke_width=1.5,
    )


def draw_value(worth: int, spot: Point, theme: Theme) -> str:
    disc = element("circle", cx=spot.x, cy=spot.y, r=BADGE, fill=theme.value, stroke=theme.edge, stroke_width=1)
    size = 10.5 if worth < 100 else 8.5
    return disc + text(str(worth), spot.x, spot.y + size * 0.35, font_size=size, text_anchor="middle", fill="#1d1d1d")


# Faces and tiles


def draw_face(
    face: Face, theme: Theme, marks: Marks | None = None, label: str | None = None, named: bool = False
) -> str:
    """Track, places, values and label; the ground is drawn by whoever knows it."""
    layout = layout_of(face, label is not None, named)
    parts = [draw_track(layout, theme)]
    for index, (place, node) in enumerate(zip(layout.places, face.nodes, strict=True)):
        parts.append(draw_place(place, node, (marks or {}).get(index, ()), theme))
        spot = layout.values[index]
        if spot is not None and isinstance(node.value, int):
            parts.append(draw_value(node.value, spot, theme))
    if label is not None:
        spot = layout.label
        parts.append(
            text(label, spot.x, spot.y + 4.5, font_size=13, font_weight="bold", text_anchor="middle", fill="#1d1d1d")
        )
    return "".join(parts)


def draw_tile(
    number_: str, tile: Tile, face: Face, theme: Theme, marks: Marks | None = None, name: str | None = None
) -> str:
    """A tile as it lies: its colour, a purple edge where it has one, its number small at the bottom.

    name: of the place on which it lies, told beside the number.
    """
    parts = [element("polygon", points=outline(), fill=theme.tiles[tile.colour], stroke=theme.border, stroke_width=1)]
    if tile.purple:
        parts.append(element("polygon", points=outline(3), fill="none", stroke=PURPLE, stroke_width=4))
    parts.append(draw_face(face, theme, marks, tile.label, name is not None))
    parts.append(
        text(number_, 0, RADIUS * (0.82 if tile.purple else 0.9), font_size=6, text_anchor="middle", fill="#1d1d1d")
    )
    if name is not None:
        parts.append(draw_name(name, tile, face, theme))
    return "".join(parts)


def draw_name(name: str, tile: Tile, face: Face, theme: Theme) -> str:
    """A name beneath its city; with several cities it would be in the way, and the title of the hex tells it."""
    places = layout_of(face, tile.label is not None, True).places
    if len(places) != 1 or name_height(places) != NAMES[0]:
        return ""
    return _name(name, NAMES[0], theme, tile)


def _name(name: str, y: float, theme: Theme, tile: Tile) -> str:
    """A name over track, with a rim in the colour of the tile that keeps it legible; two names in two lines."""
    lines = name.replace(" & ", "\n& ").split("\n")
    step = 7.0
    return "".join(_name_line(words, y + step * index, theme.tiles[tile.colour]) for index, words in enumerate(lines))


def _name_line(words: str, y: float, ground: str) -> str:
    room = 2 * min(APOTHEM, (RADIUS - abs(y) - 4) * 3**0.5) - 4
    size = min(7.5, room / len(words) / 0.52)
    return text(
        words,
        0,
        y + size * 0.35,
        font_size=size,
        text_anchor="middle",
        fill="#1d1d1d",
        stroke=ground,
        stroke_width=2.5,
        paint_order="stroke",
    )
