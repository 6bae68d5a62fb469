"""Tiles and faces: track, cities, towns, values, labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.tiles import Face, Node, Tile
from ostbahn.pictures.geometry import APOTHEM, CORNERS, RADIUS, SIDES, Curve, Point
from ostbahn.pictures.layout import BADGE, GAP, Layout, Place, lay_out, name_height, slot_radius
from ostbahn.pictures.svg import document, element, group, number, text
from ostbahn.pictures.themes import LIGHT, Theme

TRACK: Final = RADIUS * 0.13
"""Width of track."""
RIM: Final = RADIUS * 0.2
"""Width of the light line beneath it, which parts crossing tracks."""
TOWN: Final = RADIUS * 0.13
FUSED: Final = 0.3
"""How far from a side tracks that part there are one."""
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


def outline(margin: float = 0.0) -> str:
    """The corners of a hex, as SVG wants points."""
    part = 1 - margin / RADIUS
    return " ".join(f"{number(corner.x * part)},{number(corner.y * part)}" for corner in CORNERS)


# Track


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


def track_paths(layout: Layout) -> list[str]:
    """All track of a face, piece by piece."""
    paths = [curve_path(curve) for curve in layout.curves]
    for place in layout.places:
        paths += [curve_path(curve) for curve in place.curves]
        paths += [spoke_path(side, place.centre) for side in place.spokes]
    return paths


def draw_track(layout: Layout, theme: Theme) -> str:
    """All track; of two pieces that cross, the later has a light rim, so that it passes above the other."""
    curves = [*layout.curves, *(curve for place in layout.places for curve in place.curves)]
    spokes = "".join(spoke_path(side, place.centre) for place in layout.places for side in place.spokes)
    above = [curve for index, curve in enumerate(curves) if any(curve.crosses(other) for other in curves[:index])]
    plain = "".join(curve_path(curve) for curve in curves if curve not in above)
    parts = [_stroke(plain + spokes, TRACK, theme.track)]
    for curve in above:
        path = curve_path(curve)
        parts += [_stroke(path, RIM, theme.rim), _stroke(path, TRACK, theme.track)]
    if above:
        parts.append(_stroke(junction_path(curves), TRACK, theme.track))
    return "".join(parts)


def junction_path(curves: Sequence[Curve]) -> str:
    """The first stretch of every curve from a side that it shares with another, where no rim should part them."""
    sides = [side for curve in curves for side in curve]
    parts = []
    for curve in curves:
        for start, back in ((curve, False), (Curve(curve.end, curve.start), True)):
            if sides.count(curve.end if back else curve.start) > 1:
                points = [start.point(part * FUSED / 3) for part in range(4)]
                parts.append("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points))
    return "".join(parts)


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
    arm = RADIUS * 0.17
    cross = f"M{number(x - arm)} {number(y + arm)}L{number(x + arm)} {number(y - arm)}"
    cross += f"M{number(x + arm)} {number(y + arm)}L{number(x - arm)} {number(y - arm)}"
    disc = element("circle", cx=x, cy=y, r=RADIUS * 0.26, fill=theme.slot, stroke=theme.edge, stroke_width=1.5)
    return disc + element("path", d=cross, stroke=theme.edge, stroke_width=4, stroke_linecap="round")


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
            size = 13 if len(mark.letters) < 3 else 9.5 if len(mark.letters) < 4 else 7
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
    parts.append(text(number_, 0, RADIUS * 0.9, font_size=6, text_anchor="middle", fill="#1d1d1d"))
    height = None if name is None else name_height(layout_of(face, tile.label is not None, True).places)
    if name is not None and height is not None:
        parts.append(_name(name, height, theme, tile))
    return "".join(parts)


def _name(name: str, y: float, theme: Theme, tile: Tile) -> str:
    """A name over track, with a rim in the colour of the tile that keeps it legible."""
    size = min(7.5, 1.7 * APOTHEM / len(name) / 0.5)
    return text(
        name,
        0,
        y + size * 0.35,
        font_size=size,
        text_anchor="middle",
        fill="#1d1d1d",
        stroke=theme.tiles[tile.colour],
        stroke_width=2.5,
        paint_order="stroke",
    )


def tile_picture(name: str, tile: Tile, face: Face, theme: Theme = LIGHT) -> str:
    """One tile as a whole picture."""
    size = 2 * RADIUS + 4
    places = ", ".join(f"{node.kind} {node.value}" for node in face.nodes if isinstance(node.value, int))
    return document(
        size,
        size,
        [group([draw_tile(name, tile, face, theme)], transform=f"translate({number(size / 2)} {number(size / 2)})")],
        f"Tile {name}",
        f"{tile.colour}{f', {places}' if places else ''}",
    )
