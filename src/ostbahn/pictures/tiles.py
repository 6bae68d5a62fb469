"""Tiles and faces: track, cities, towns, values, labels, names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.tiles import Face, Node, Tile
from ostbahn.pictures.geometry import CORNERS, GAP, RADIUS, SIDES, Curve, NodePlace, Point, bend_of, slot_radius
from ostbahn.pictures.label_placement import (
    BADGE,
    BAR,
    CAPITALS,
    LABEL,
    PLAIN,
    SMALL,
    TOWN,
    TRACK,
    FaceLabels,
    FaceLayout,
    NameLine,
    place_labels,
    width_of,
)
from ostbahn.pictures.svg import Attribute, box, circle, element, group, number, point, polyline, text, translate
from ostbahn.pictures.themes import Mark, Theme, mix_colours

RIM: Final = RADIUS * 0.2
"""Width of the light edge that separates crossing tracks."""
BRIDGE: Final = 6.5
PURPLE: Final = "#7a3fa0"
HALO: Final = 3.0
"""Width of the halo around names."""


class CityOccupants(NamedTuple):
    """Present and expected stations of a city."""

    stations: Sequence[Mark] = ()
    awaited: Sequence[Mark] = ()


NO_OCCUPANTS: Final = CityOccupants()


class Background(NamedTuple):
    """A ground colour with the ink and track colour that suit it."""

    colour: str
    ink: str
    track: str


def tile_ground(colour: str, theme: Theme) -> Background:
    """The background of a tile, light in every theme."""
    return Background(theme.tiles[colour], theme.edge, theme.track)


def bare_ground(theme: Theme) -> Background:
    """The background of a bare hex."""
    return Background(theme.land, theme.ink, theme.bare_track)


@lru_cache(maxsize=8192)
def layout_of(face: Face, words: FaceLabels = PLAIN) -> FaceLayout:
    """Cached, since faces are created once per title."""
    return place_labels(face, words)


@cache
def outline(margin: float = 0.0) -> str:
    """The corners of a hex as SVG points."""
    part = 1 - margin / RADIUS
    return " ".join(f"{number(corner.x * part)},{number(corner.y * part)}" for corner in CORNERS)


@cache
def curve_path(curve: Curve) -> str:
    start, end = SIDES[curve.start], SIDES[curve.end]
    if curve.turn == 3:
        return polyline((start, end))
    radius = number(curve.radius)
    return f"M{point(start)}A{radius} {radius} 0 0 {int(curve.clockwise)} {point(end)}"


def spoke_path(side: int, place: Point) -> str:
    """Track from a side, perpendicular to it, curving to a place."""
    start, bend = SIDES[side], bend_of(side, place)
    return polyline((start, place)) if bend is None else f"M{point(start)}Q{point(bend)} {point(place)}"


def draw_track(layout: FaceLayout, ground: Background, theme: Theme) -> str:
    """All track, with bridges where curves cross."""
    curves = [*layout.curves, *(curve for place in layout.places for curve in place.curves)]
    spokes = "".join(spoke_path(side, place.centre) for place in layout.places for side in place.spokes)
    parts = [_stroke("".join(map(curve_path, curves)) + spokes, TRACK, ground.track)]
    for index, curve in enumerate(curves):
        for other in curves[:index]:
            if curve.crosses(other):
                path = crossing_path(curve, other)
                parts += [_stroke(path, RIM, theme.rim), _stroke(path, TRACK, ground.track)]
    return "".join(parts)


@cache
def crossing_path(curve: Curve, other: Curve) -> str:
    """The short piece of a curve that bridges another one."""
    nearest, there, span = 0.5, 0.5, 0.5
    for _ in range(5):  # ever closer to where they meet
        steps = [step * span / 8 for step in range(-8, 9)]
        pairs = [(nearest + one, there + two) for one in steps for two in steps]
        nearest, there = min(pairs, key=lambda pair: curve.point(pair[0]).distance(other.point(pair[1])))
        span /= 6
    reach = BRIDGE / curve.length
    return polyline([curve.point(nearest + reach * step / 2) for step in range(-2, 3)])


def half_path(curve: Curve, side: int, place: Point) -> str:
    """The part of a curve from a side to a place."""
    whole = [curve.point(part / 24) for part in range(25)]
    points = whole if side == curve.start else whole[::-1]
    nearest = min(range(25), key=lambda index: points[index].distance(place))
    return polyline(points[: max(nearest, 1) + 1])


def _stroke(path: str, width: float, colour: str) -> str:
    return element("path", d=path, fill="none", stroke=colour, stroke_width=width) if path else ""


def draw_place(place: NodePlace, node: Node, occupants: CityOccupants, theme: Theme) -> str:
    if node.kind == "town":
        return _town(place, theme)
    if node.kind == "mine":
        return draw_mine(place.centre, theme)
    return _city(place, occupants, theme)


def _town(place: NodePlace, theme: Theme) -> str:
    """A bar across through track, else a dot."""
    x, y = place.centre
    if place.bar is None:
        fill = theme.edge if place.spokes else theme.ink
        return circle(x, y, TOWN, fill, theme.rim, 1.5)
    turned = f"rotate({number(place.bar)} {number(x)} {number(y)})"
    return box(x - BAR, y - TOWN / 2, 2 * BAR, TOWN, theme.edge, theme.rim, round=None, transform=turned)


def draw_mine(centre: Point, theme: Theme) -> str:
    x, y = centre
    hammer_and_pick = "M-8 9L7 -7M8 9L-7 -7M2 -9q6 -1 9 7M-11 -5L-5 -10L-3 -7"
    style: dict[str, Attribute] = {"stroke": theme.edge, "stroke_width": 3, "stroke_linecap": "round", "fill": "none"}
    tools = element("path", d=hammer_and_pick, transform=translate(x, y), **style)
    return circle(x, y, RADIUS * 0.3, theme.slot, theme.edge, 1.5) + tools


def _city(place: NodePlace, occupants: CityOccupants, theme: Theme) -> str:
    """Station slots: stations first, then expected ones."""
    parts = []
    radius = slot_radius(len(place.slots))
    if len(place.slots) > 1:
        path = _ground_path(place.slots)
        parts.append(element("path", d=path, fill=theme.slot, stroke=theme.edge, stroke_width=1.5))
    for index, slot in enumerate(place.slots):
        later = index - len(occupants.stations)
        if later < 0:
            parts.append(draw_station(occupants.stations[index], slot, radius, theme))
        elif later < len(occupants.awaited):
            parts.append(draw_future_station(occupants.awaited[later], slot, radius, theme))
        else:
            parts.append(circle(*slot, radius, theme.slot, theme.edge, 1.5))
    return "".join(parts)


def draw_station(mark: Mark, middle: Point, radius: float, theme: Theme) -> str:
    return circle(*middle, radius, mark.colour, theme.edge, 1.5) + letters_in(middle, radius, mark)


def draw_future_station(mark: Mark, middle: Point, radius: float, theme: Theme) -> str:
    """The future first station of a company: pale, in a dashed ring."""
    fill = mix_colours(mark.colour, theme.slot, 0.38)
    ring = circle(*middle, radius, fill, theme.edge, 1.5, "4 3")
    letters = letters_in(middle, radius, mark._replace(ink=mix_colours(theme.edge, fill, 0.82)))
    return group([ring, letters], class_="home")


def letters_in(middle: Point, radius: float, mark: Mark) -> str:
    """The letters of a mark, squeezed into its circle."""
    room = 2 * math.sqrt((radius - 1.2) ** 2 - (SMALL * CAPITALS / 2) ** 2)
    return centred(mark.letters, middle, room, font_weight="bold", fill=mark.ink)


def centred(words: str, middle: Point, room: float, **attributes: Attribute) -> str:
    """Text centred on a point, squeezed into `room`."""
    if width_of(words, bold="font_weight" in attributes) > room - 1:
        attributes |= fixed_text_width(room)
    foot = middle.y + SMALL * CAPITALS / 2
    return text(words, middle.x, foot, font_size=SMALL, text_anchor="middle", **attributes)


def fixed_text_width(width: float) -> dict[str, Attribute]:
    """Attributes that fix the width of a text in any font."""
    return {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}


@cache
def _ground_path(slots: tuple[Point, ...]) -> str:
    """The rounded outline around several station slots."""
    margin = slot_radius(len(slots)) + GAP
    middle = Point(sum(slot.x for slot in slots) / len(slots), sum(slot.y for slot in slots) / len(slots))
    around = sorted(slots, key=lambda slot: math.atan2(slot.y - middle.y, slot.x - middle.x))
    path = ""
    for here, there in zip(around, [*around[1:], around[0]], strict=True):
        length = here.distance(there)
        away = Point((there.y - here.y) / length * margin, (here.x - there.x) / length * margin)
        begin, end = here.plus(away), there.plus(away)
        bend = f"A{number(margin)} {number(margin)} 0 0 1 " if path else "M"
        path += f"{bend}{point(begin)}L{point(end)}"
    start = path[1:].partition("L")[0]
    return f"{path}A{number(margin)} {number(margin)} 0 0 1 {start}Z"


def draw_value(worth: int, spot: Point, theme: Theme) -> str:
    return circle(*spot, BADGE, theme.value, theme.edge) + centred(str(worth), spot, BADGE * 1.66, fill=theme.edge)


def draw_face(
    face: Face,
    ground: Background,
    theme: Theme,
    words: FaceLabels = PLAIN,
    occupants: Sequence[CityOccupants] = (),
    phase: str = "",
) -> str:
    """Draw track, places, values, label and name over the ground; a red tile shows its value for `phase`, if given."""
    layout = layout_of(face, words)
    parts = [draw_track(layout, ground, theme)]
    for index, (place, node) in enumerate(zip(layout.places, face.nodes, strict=True)):
        parts.append(draw_place(place, node, occupants[index] if occupants else NO_OCCUPANTS, theme))
        spot = layout.values[index]
        worth = node.value if isinstance(node.value, int) else node.value.get(phase, 0)
        if spot is not None and worth:
            parts.append(draw_value(worth, spot, theme))
    if words.label is not None:
        parts.append(draw_label(words.label, layout.label, ground))
    parts.append(draw_names(layout.names, ground))
    return "".join(parts)


def draw_label(label: str, middle: Point, ground: Background) -> str:
    foot, style = middle.y + LABEL * CAPITALS / 2, {"text_anchor": "middle", "fill": ground.ink, **halo(ground)}
    return text(label, middle.x, foot, font_size=LABEL, font_weight="bold", **style)


def halo(ground: Background) -> dict[str, Attribute]:
    """A halo that keeps letters legible over track."""
    return {"stroke": ground.colour, "stroke_width": HALO, "stroke_linejoin": "round", "paint_order": "stroke"}


def draw_names(lines: Sequence[NameLine], ground: Background) -> str:
    if not lines:
        return ""
    drawn = [text(line.words, line.foot.x, line.foot.y, **fixed_text_width(line.width)) for line in lines]
    return group(drawn, class_="name", font_size=SMALL, text_anchor="middle", fill=ground.ink, **halo(ground))


def draw_tile(number_: str, tile: Tile, face: Face, theme: Theme, occupants: Sequence[CityOccupants] = ()) -> str:
    low = RADIUS * (0.82 if tile.purple else 0.9)
    number_text = text(number_, 0, low, font_size=6, text_anchor="middle", fill=theme.edge)
    ground = tile_ground(tile.colour, theme)
    words = FaceLabels(tile.label, numbered=True, edged=tile.purple)
    return tile_paper(tile, theme) + draw_face(face, ground, theme, words, occupants) + number_text


def tile_paper(tile: Tile, theme: Theme) -> str:
    paper = element("polygon", points=outline(), fill=theme.tiles[tile.colour], stroke=theme.border, stroke_width=1)
    if not tile.purple:
        return paper
    return paper + element("polygon", points=outline(3), fill="none", stroke=PURPLE, stroke_width=4)
