"""What everybody was worth, round by round, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.panels import heading, line, page, soft
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import DASHES, LIGHT, Theme

WIDTH: Final = 760.0
HEIGHT: Final = 380.0
LEFT: Final = 64.0
RIGHT: Final = 130.0
TOP: Final = 48.0
BOTTOM: Final = 44.0
STEPS: Final = (1, 2, 5)
"""A scale is divided by these times a power of ten."""
APART: Final = 15.0
"""How far names at the end of the lines keep off each other."""


class Moment(NamedTuple):
    """What everybody was worth at one time."""

    label: str
    worth: Mapping[str, int]


def wealth_picture(names: Mapping[str, str], moments: Sequence[Moment], currency: str, theme: Theme = LIGHT) -> str:
    """A line for everybody, from the first moment to the last, which is there; colours and dashes tell them apart."""
    scale = _scale([worth for moment in moments for worth in moment.worth.values()])
    parts = [heading("Worth over time", LEFT, 28, theme), _grid(scale, currency, theme), _labels(moments, theme)]
    last = {who: moments[-1].worth.get(who, 0) for who in names}
    ends = _ends(last, scale)
    for index, who in enumerate(names):
        points = [(_x(at, len(moments)), _y(moment.worth.get(who, 0), scale)) for at, moment in enumerate(moments)]
        parts.append(_line(names[who], points, ends[who], index, last[who], theme))
    told = ", ".join(f"{names[who]} {worth} {currency}" for who, worth in last.items())
    return page(WIDTH, HEIGHT, parts, theme, "Worth over time", f"At the end: {told}")


class Scale(NamedTuple):
    """The figures at the left: from the lowest, which is not above 0, to the highest."""

    low: int
    high: int
    step: int


def _scale(worths: Sequence[int]) -> Scale:
    """Round figures between which everything lies, in about five steps."""
    low, high = min(0, *worths, 0), max(1, *worths, 1)
    unit = 1
    while (step := next((part * unit for part in STEPS if part * unit * 5 >= high - low), None)) is None:
        unit *= 10
    return Scale(low // step * step, -(-high // step) * step, step)


def _x(at: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / max(count - 1, 1)


def _y(worth: int, scale: Scale) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (worth - scale.low) / (scale.high - scale.low)


def _grid(scale: Scale, currency: str, theme: Theme) -> str:
    parts = []
    for worth in range(scale.low, scale.high + 1, scale.step):
        y = _y(worth, scale)
        path = f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}"
        parts.append(element("path", d=path, stroke=theme.border, stroke_width=1 if worth else 2))
        words = f"{worth} {currency}" if worth == scale.high else str(worth)
        parts.append(line(words, LEFT - 8, y + 4, 11, soft(theme), anchor="end"))
    return group(parts)


def _labels(moments: Sequence[Moment], theme: Theme) -> str:
    """Rounds along the foot, as many as there is room for."""
    every = max(1, -(-len(moments) // 14))
    return group(
        line(moment.label, _x(at, len(moments)), HEIGHT - BOTTOM + 18, 10.5, soft(theme), anchor="middle")
        for at, moment in enumerate(moments)
        if at % every == 0
    )


def _ends(last: Mapping[str, int], scale: Scale) -> dict[str, float]:
    """Where the names stand at the end of the lines: beside them, but not over each other nor below the foot."""
    found: dict[str, float] = {}
    order = sorted(last, key=lambda who: -last[who])
    above, below = TOP - APART, HEIGHT - BOTTOM + APART
    for who in order:
        above = found[who] = max(_y(last[who], scale), above + APART)
    for who in reversed(order):
        below = found[who] = min(found[who], below - APART)
    return found


def _line(name: str, points: Sequence[tuple[float, float]], end: float, index: int, worth: int, theme: Theme) -> str:
    colour = theme.routes[index % len(theme.routes)]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return group(
        [
            titled(f"{name}: {worth}"),
            element(
                "path",
                d=path,
                fill="none",
                stroke=colour,
                stroke_width=2.5,
                stroke_dasharray=DASHES[index % len(DASHES)] or None,
                stroke_linejoin="round",
            ),
            line(f"{name} {worth}", points[-1][0] + 8, end + 4, 12, theme.ink, width=RIGHT - 12, bold=True),
        ]
    )
