"""What a company reaches: its track lit in its colour, and its stations."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.routes.reach import Reach
from ostbahn.pictures.geometry import CENTRE, RADIUS, Point
from ostbahn.pictures.layout import slot_radius
from ostbahn.pictures.routes import way_through
from ostbahn.pictures.scenes import Frame, Scene
from ostbahn.pictures.svg import element, group, number
from ostbahn.pictures.themes import Theme
from ostbahn.pictures.tiles import layout_of

WIDE: Final = RADIUS * 0.3
"""How wide the light along track is."""
RIM: Final = RADIUS * 0.46
SEEN_THROUGH: Final = "0.75"


def draw_network(scene: Scene, frame: Frame, company: str, reach: Reach | None, theme: Theme) -> str:
    """The track that a company reaches, to lie over the hexes; nothing for one that builds none.

    What is lit twice is as bright as what is lit once, so the whole of it is seen through, and not each line.
    """
    lines = [] if reach is None else _track(scene, frame, reach)
    if not lines:
        return ""
    lit = [
        group(lines, stroke=theme.route_rim, stroke_width=RIM),
        group(lines, stroke=scene.marks[company].colour, stroke_width=WIDE),
    ]
    return group(lit, class_="network-track", fill="none", opacity=SEEN_THROUGH, stroke_linecap="round")


def _track(scene: Scene, frame: Frame, reach: Reach) -> list[str]:
    """Every piece of track that connections lead over."""
    lines = []
    for hex_id, sides in reach.sides.items():
        hex_ = scene.title.map[hex_id]
        path = _on_hex(scene, hex_, sides, reach)
        if path:
            lines.append(element("path", d=path, transform=_at(frame.centre(hex_id))))
    return lines


def _on_hex(scene: Scene, hex_: Hex, sides: int, reach: Reach) -> str:
    face = scene.board.face(scene.title.tile_set, hex_)
    plain = [way_through(face, "", sides_of(pair)) for pair in sorted(face.pairs) if not pair & ~sides]
    stops = [
        way_through(face, str(node), [side])
        for node, exits in enumerate(face.node_exits)
        if f"{hex_.id}.{node}" in reach.nodes
        for side in sides_of(exits & sides)
    ]
    return "".join(plain + stops)


def draw_rings(scene: Scene, frame: Frame, company: str, theme: Theme) -> str:
    """A ring around each station of a company."""
    rings = []
    for city in scene.board.stations_of(company):
        hex_id, _, node = city.partition(".")
        spot, radius = _slot(scene, company, city, int(node)) if node else (CENTRE, RADIUS * 0.4)
        middle = frame.centre(hex_id).plus(spot)
        rings.append(element("circle", cx=middle.x, cy=middle.y, r=radius, stroke=theme.highlight))
    return group(rings, class_="network-stations", fill="none", stroke_width=4)


def _slot(scene: Scene, company: str, city: str, node: int) -> tuple[Point, float]:
    """Where a station stands on its hex, and how large its ring is."""
    face = scene.board.face(scene.title.tile_set, scene.title.map[hex_of(city)])
    if node >= len(face.nodes):  # a home may wait for its tile
        return CENTRE, RADIUS * 0.4
    place = layout_of(face).places[node]
    slots = place.slots or (place.centre,)
    at = scene.board.stations[city].index(company)
    return slots[min(at, len(slots) - 1)], slot_radius(len(slots)) + 2


def _at(middle: Point) -> str:
    return f"translate({number(middle.x)} {number(middle.y)})"
