"""Figures from round to round as lines with their spans, parts of a whole as areas, and everybody's wealth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
    APART,
    GRID,
    PAPER,
    QUIET,
    SMALL,
    WIDTH,
    EndLabel,
    EndLabels,
    LinearScale,
    chart,
    figures_wide,
    middled,
    nice_ticks,
    round_axis,
    round_scale,
    series_ink,
    spread,
    value_axis,
    widest,
)
from ostbahn.pictures.panels import heading, line, page, soft
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import DASHES, LIGHT, Theme

Points = Sequence[tuple[float, float]]

SERIES_DASHES: Final = (None, "11 4", "4 3", "11 4 3 4", "18 5", "2 2", None)
MARKERS: Final = (
    "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0z",
    "m-2.4 -2.4h4.8v4.8h-4.8z",
    "m0 -3l2.9 5.2h-5.8z",
    "m0 -3.3l3.3 3.3l-3.3 3.3l-3.3 -3.3z",
    "m0 3l2.9 -5.2h-5.8z",
    "m-1 -3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
    "m0 -1.4l1.6 -1.6l1.4 1.4l-1.6 1.6l1.6 1.6l-1.4 1.4l-1.6 -1.6l-1.6 1.6l-1.4 -1.4l1.6 -1.6l-1.6 -1.6l1.4 -1.4z",
)
"""A dash and a marker for each series, so that colours are not needed to tell them apart."""


class Series(NamedTuple):
    """Figures of one player, one for each round."""

    name: str
    values: Sequence[float]
    hue: int
    """Index of its colour, dash and marker."""
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """Between which the figures may lie, where they are uncertain."""
    figure: str = ""
    """The last figure, as it is written beside the name."""


class RoundEvent(NamedTuple):
    """Something that began with a round and concerns all players."""

    at: int
    name: str


def line_chart(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str,
    events: Sequence[RoundEvent] = (),
    *,
    steps: bool = False,
    height: float = 380,
) -> str:
    """A line for each series, with its name at the end; shaded where figures are uncertain."""
    ticks = nice_ticks((value for each in series for value in (*each.values, *each.low, *each.high)), 6)
    ends = EndLabels([(each.name, each.figure) for each in series])
    left, right = figures_wide(ticks, unit), WIDTH - ends.width
    x = round_scale(len(labels), left, right)
    starts = [max(x(event.at - 0.5), left) for event in events]
    above, top = _events(events, starts)
    y = LinearScale(ticks[0], ticks[-1], height - 28, top)
    through = "".join(f"M{number(start)} {number(top - 4)}V{number(y.start)}" for start in starts)
    parts = [
        element("path", d=through, stroke=GRID, stroke_width=1.2, stroke_dasharray="3 3") if events else "",
        value_axis(y, ticks, left, right, unit),
        round_axis(x, labels, height - 8),
        above,
        *(_span(each, x, y) for each in series if each.low),
        *(_line(each, x, y, steps) for each in series),
        ends.draw(
            [EndLabel(each.name, each.figure, y(each.values[-1]), series_ink(each.hue)) for each in series],
            x.end,
            top,
            y.start,
        ),
    ]
    return chart(height, parts, title)


def _events(events: Sequence[RoundEvent], starts: Sequence[float]) -> tuple[str, float]:
    """Names above the chart, in a second row where there is no room in the first; and where the chart begins."""
    rows, ends = [], [0.0]
    for event, start in zip(events, starts, strict=True):
        row = next((row for row, end in enumerate(ends) if end <= start), len(ends))
        ends[row : row + 1] = [start + widest([event.name], SMALL) + 6]
        rows.append(row)
    top = 24 + 13.0 * (len(ends) - 1)
    names = zip(events, starts, rows, strict=True)
    drawn = (line(event.name, start + 3, top - 8 - 13 * row, SMALL, QUIET) for event, start, row in names)
    return group(drawn) if events else "", top


def path_of(points: Points) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def _line(series: Series, x: LinearScale, y: LinearScale, steps: bool) -> str:
    points = [(x(at), y(value)) for at, value in enumerate(series.values)]
    way = path_of(points)
    if steps:
        way = path_of(points[:1]) + "".join(f"H{number(right)}V{number(high)}" for right, high in points[1:])
    spots = "".join(f"M{number(right)} {number(high)}{MARKERS[series.hue % 7]}" for right, high in points)
    colour, dash = series_ink(series.hue), SERIES_DASHES[series.hue % 7]
    drawn = element(
        "path", d=way, fill="none", stroke=colour, stroke_width=2, stroke_dasharray=dash, stroke_linejoin="round"
    )
    markers = element("path", d=spots, fill=colour, stroke=PAPER, stroke_width=0.6)
    return group([titled(f"{series.name} {series.figure}".rstrip()), drawn, markers])


def _span(series: Series, x: LinearScale, y: LinearScale) -> str:
    upper = [(x(at), y(value)) for at, value in enumerate(series.high)]
    lower = [(x(at), y(value)) for at, value in enumerate(series.low)]
    return element("path", d=f"{path_of([*upper, *reversed(lower)])}Z", fill=series_ink(series.hue), opacity="0.13")


def area_chart(title: str, labels: Sequence[str], series: Sequence[Series], height: float = 240) -> str:
    """What part of a whole each series is, from round to round; the parts of a round come to 1."""
    ends = EndLabels([(each.name, each.figure) for each in series])
    left, right = figures_wide((), "100%"), WIDTH - ends.width
    x, y = round_scale(len(labels), left, right), LinearScale(0, 1, height - 28, 12)
    parts, names, below = [], [], [0.0] * len(labels)
    for each in series:
        above = [base + value for base, value in zip(below, each.values, strict=True)]
        edge = [(x(at), y(value)) for at, value in enumerate(above)]
        foot = [(x(at), y(value)) for at, value in enumerate(below)]
        area = f"{path_of([*edge, *reversed(foot)])}Z"
        style = {"fill": series_ink(each.hue), "stroke": PAPER}
        parts.append(group([titled(each.name), element("path", d=area, stroke_width=1, **style)]))
        names.append(EndLabel(each.name, each.figure, (edge[-1][1] + foot[-1][1]) / 2, series_ink(each.hue)))
        below = above
    for part in (0, 0.5, 1):
        parts.append(middled(f"{part:.0%}", left - 8, y(part), SMALL, QUIET, "end"))
    parts += [round_axis(x, labels, height - 8), ends.draw(names, x.end, y.end, y.start)]
    return chart(height, parts, title)


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
        parts.append(_wealth_line(names[who], points, end, index, last[who], theme))
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


def _wealth_line(
    name: str, points: Sequence[tuple[float, float]], end: float, index: int, worth: int, theme: Theme
) -> str:
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
