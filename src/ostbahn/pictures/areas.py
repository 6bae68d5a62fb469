"""Areas at the rim of the map and mines: where track leads into them, and what they are worth in which phase."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.map.tiles import Face
from ostbahn.pictures.geometry import APOTHEM, SIDES, Point
from ostbahn.pictures.letters import width_of
from ostbahn.pictures.placing import NameLine
from ostbahn.pictures.svg import element, group, number
from ostbahn.pictures.themes import Theme
from ostbahn.pictures.tiles import Background, draw_mine, draw_names, squeezed

REACH: Final = 0.74
"""How far from the middle an arrow begins, in parts of the way to the side."""
BOX: Final = (21.0, 14.0)
GAP: Final = 1.5


def is_area(face: Face) -> bool:
    """Whether what is printed there has a value for each phase."""
    return any(not isinstance(node.value, int) for node in face.nodes)


def draw_area(face: Face, present: str, name: str, ground: Background, theme: Theme) -> str:
    """An off-board area or a mine: its name and its values by phase in two rows, the present one in a frame."""
    node = face.nodes[0]
    assert not isinstance(node.value, int)
    parts = [_arrows(face, theme)]
    if node.kind == "mine":
        parts.append(group([draw_mine(Point(0, 0), theme)], transform="translate(0 -18) scale(0.6)"))
    for index, (colour, worth) in enumerate(node.value.items()):
        middle = _middle(index, len(node.value))
        parts.append(_value(middle, worth, colour, colour == present, theme))
    if name:
        line = NameLine(name, Point(0, -10), min(width_of(name), 2 * APOTHEM - 24))
        parts.append(draw_names([line], ground))
    return "".join(parts)


def _middle(index: int, count: int) -> Point:
    """Two values in a row; of an odd number the last stands alone."""
    row, column = divmod(index, 2)
    alone = index == count - 1 and column == 0
    x = 0.0 if alone else (column - 0.5) * (BOX[0] + GAP)
    return Point(x, 2.0 + row * (BOX[1] + GAP))


def _value(middle: Point, worth: int, colour: str, now: bool, theme: Theme) -> str:
    """The present value in a strong frame, the others pale."""
    frame = element(
        "rect",
        x=middle.x - BOX[0] / 2,
        y=middle.y - BOX[1] / 2,
        width=BOX[0],
        height=BOX[1],
        rx=2,
        fill=theme.tiles[colour],
        stroke=theme.edge,
        stroke_width=2.2 if now else 0.5,
    )
    weight = {"font_weight": "bold"} if now else {}
    return frame + squeezed(str(worth), middle, BOX[0] - 3, fill=theme.edge, **weight)


def _arrows(face: Face, theme: Theme) -> str:
    """Where track leads in."""
    parts = []
    for side in range(6):
        if face.exits >> side & 1:
            tip, base = SIDES[side], Point(SIDES[side].x * REACH, SIDES[side].y * REACH)
            across = Point(-SIDES[side].y / APOTHEM * 6.5, SIDES[side].x / APOTHEM * 6.5)
            points = (tip, base.plus(across), base.plus(across, -1.0))
            parts.append(
                element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=theme.track)
            )
    return "".join(parts)
