"""What everybody was worth, round by round, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import APART, LinearScale, nice_ticks, spread
from ostbahn.pictures.panels import heading, line, page, soft
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import DASHES, LIGHT, Theme

WIDTH: Final = 760.0
HEIGHT: Final = 380.0
LEFT: Final = 64.0
RIGHT: Final = 130.0
TOP: Final = 48.0
BOTTOM: Final = 44.0


class Moment(NamedTuple):
    """What everybody was worth at one time."""

    label: str
    worth: Mapping[str, int]


def wealth_picture(names: Mapping[str, str], moments: Sequence[Moment], currency: str, theme: Theme = LIGHT) -> str:
    """A line for everybody, from the first moment to the last, which is there; colours and dashes tell them apart."""
    ticks = nice_ticks((worth for moment in moments for worth in moment.worth.values()), 5)
    y = LinearScale(ticks[0], ticks[-1], HEIGHT - BOTTOM, TOP)
    parts = [heading("Worth over time", LEFT, 28, theme), _grid(y, ticks, currency, theme), _labels(moments, theme)]
    last = {who: moments[-1].worth.get(who, 0) for who in names}
    ends = spread([y(worth) for worth in last.values()], APART, y.end, y.start)
    for index, (who, end) in enumerate(zip(names, ends, strict=True)):
        points = [(_x(at, len(moments)), y(moment.worth.get(who, 0))) for at, moment in enumerate(moments)]
        parts.append(_line(names[who], points, end, index, last[who], theme))
    told = ", ".join(f"{names[who]} {worth} {currency}" for who, worth in last.items())
    return page(WIDTH, HEIGHT, parts, theme, "Worth over time", f"At the end: {told}")


def _x(at: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / max(count - 1, 1)


def _grid(y: LinearScale, ticks: Sequence[int], currency: str, theme: Theme) -> str:
    parts = []
    for worth in ticks:
        path = f"M{number(LEFT)} {number(y(worth))}H{number(WIDTH - RIGHT)}"
        parts.append(element("path", d=path, stroke=theme.border, stroke_width=1 if worth else 2))
        words = f"{worth} {currency}" if worth == ticks[-1] else str(worth)
        parts.append(line(words, LEFT - 8, y(worth) + 4, 11, soft(theme), anchor="end"))
    return group(parts)


def _labels(moments: Sequence[Moment], theme: Theme) -> str:
    """Rounds along the foot, as many as there is room for."""
    every = max(1, -(-len(moments) // 14))
    return group(
        line(moment.label, _x(at, len(moments)), HEIGHT - BOTTOM + 18, 10.5, soft(theme), anchor="middle")
        for at, moment in enumerate(moments)
        if at % every == 0
    )


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
