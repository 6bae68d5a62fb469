"""Figures from round to round: lines with their spans, and parts of a whole as areas. Names stand at the ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
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
    value_axis,
    widest,
)
from ostbahn.pictures.panels import line
from ostbahn.pictures.svg import element, group, number, titled

Points = Sequence[tuple[float, float]]

DASHES: Final = (None, "11 4", "4 3", "11 4 3 4", "18 5", "2 2", None)
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
    colour, dash = series_ink(series.hue), DASHES[series.hue % 7]
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
