"""Rows along the rounds: from when to when something was, and how many there were; and figures with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
    ACCENT,
    GRID,
    INK,
    LONGEST,
    NAME,
    PAPER,
    QUIET,
    SMALL,
    SOFT,
    WIDTH,
    LinearScale,
    chart,
    middled,
    nice_ticks,
    round_axis,
    series_ink,
    widest,
)
from ostbahn.pictures.panels import cut, line, width_of
from ostbahn.pictures.svg import element, group, number, titled

LANE: Final = 17.0
"""Height of a band, with the gap below it."""
FOOT: Final = 22.0
"""Room for the rounds."""


class Band(NamedTuple):
    row: int
    start: int
    """The round with which it begins."""
    end: int
    """The first round that it does not reach."""
    name: str
    hue: int | None = None
    """Index of a series whose colour it has."""
    lane: int = 0
    """Bands of a row that overlap in time lie in different lanes."""


def timeline(title: str, labels: Sequence[str], rows: Sequence[str], bands: Sequence[Band]) -> str:
    """A row for each thing, as high as it has lanes."""
    lanes = [max((band.lane for band in bands if band.row == row), default=0) + 1 for row in range(len(rows))]
    tops = [0.0]
    for count in lanes:
        tops.append(tops[-1] + count * LANE + 7)
    left = min(widest(rows, NAME), LONGEST) + 14
    x = LinearScale(0, max(1, len(labels)), left, WIDTH - 12)
    drawn = [_rows(rows, tops, x), round_axis(x, labels, tops[-1] + FOOT - 6, 0.5)]
    for band in bands:
        drawn.append(_band(band, labels, x, tops[band.row] + 4 + LANE * band.lane))
    return chart(tops[-1] + FOOT, drawn, title)


def _rows(rows: Sequence[str], tops: Sequence[float], x: LinearScale) -> str:
    """The names of rows, and a thin line below each row."""
    lines = "".join(f"M0 {number(below)}H{number(x.end)}" for below in tops[1:])
    names = [
        middled(cut(name, NAME, LONGEST), x.start - 12, (tops[row] + tops[row + 1]) / 2, NAME, INK, "end")
        for row, name in enumerate(rows)
    ]
    return group([element("path", d=lines, stroke=GRID, stroke_width=0.8) if lines else "", *names])


def _band(band: Band, labels: Sequence[str], x: LinearScale, y: float) -> str:
    colour, letters = (SOFT, INK) if band.hue is None else (series_ink(band.hue), PAPER)
    start, width, bold = x(band.start) + 1, x(band.end) - x(band.start) - 2, band.hue is not None
    edge = GRID if band.hue is None else colour
    box = element("rect", x=start, y=y, width=width, height=LANE - 2, rx=2, fill=colour, stroke=edge, stroke_width=0.8)
    words = _fitting(band.name, width - 6, bold)
    first, last = labels[band.start], labels[band.end - 1]
    told = f"{band.name}: {first}" if first == last else f"{band.name}: {first} to {last}"
    return group([titled(told), box, middled(words, start + 4, y + LANE / 2 - 1, SMALL, letters, bold=bold)])


def _fitting(name: str, width: float, bold: bool) -> str:
    """As much of a name as there is room for; where dots would take most of it, its first letters alone."""
    words = cut(name, SMALL, width, bold)
    if words != name and len(words) < 4:
        words = name[: max(1, next((at for at in range(3, 0, -1) if width_of(name[:at], SMALL, bold) <= width), 1))]
    return words


def dot_matrix(title: str, labels: Sequence[str], rows: Sequence[str], counts: Mapping[tuple[int, int], int]) -> str:
    """How many of each row there were in each round: a dot with the number in it."""
    step = 26.0
    left, foot = min(widest(rows, NAME), LONGEST) + 14, step * len(rows)
    x = LinearScale(0, max(1, len(labels)), left, WIDTH - 12)
    drawn = [_rows(rows, [step * row for row in range(len(rows) + 1)], x)]
    for (row, at), count in counts.items():
        across, down = x(at + 0.5), step * (row + 0.5)
        dot = element("circle", cx=across, cy=down, r=9, fill=ACCENT)
        told = titled(f"{labels[at]}: {count} × {rows[row]}")
        drawn.append(group([told, dot, middled(str(count), across, down, SMALL, PAPER, "middle", bold=True)]))
    return chart(foot + FOOT, [*drawn, round_axis(x, labels, foot + FOOT - 6, 0.5)], title)


class Estimate(NamedTuple):
    """A figure and the interval in which it lies."""

    name: str
    value: float
    low: float
    high: float
    words: str
    """What is written beside it."""


def interval_chart(title: str, rows: Sequence[Estimate], fair: float | None = None) -> str:
    """A dot with its interval for each row; fair: for rates, a dashed line to compare them with."""
    step, top = 22.0, 8.0
    bottom = top + step * max(1, len(rows))
    left = min(widest((row.name for row in rows), NAME), 1.5 * LONGEST) + 16
    right = WIDTH - widest((row.words for row in rows), SMALL) - 24
    if fair is None:
        ticks = [float(tick) for tick in nice_ticks((row.high for row in rows), 8)]
        figures = [f"{tick:.0f}" for tick in ticks]
    else:
        ticks = [0, 0.25, 0.5, 0.75, 1]
        figures = [f"{tick:.0%}" for tick in ticks]
    x = LinearScale(ticks[0], ticks[-1], left + 6, right)
    lines = "".join(f"M{number(x(tick))} {number(top)}V{number(bottom)}" for tick in ticks)
    drawn = [element("path", d=lines, stroke=GRID, stroke_width=0.8)]
    drawn += [
        line(words, x(tick), bottom + 16, SMALL, QUIET, anchor="middle")
        for tick, words in zip(ticks, figures, strict=True)
    ]
    if fair is not None:
        way = f"M{number(x(fair))} {number(top)}V{number(bottom)}"
        drawn.append(element("path", d=way, stroke=QUIET, stroke_width=1, stroke_dasharray="3 3"))
    drawn += [_estimate(row, x, top + step * (at + 0.5)) for at, row in enumerate(rows)]
    return chart(bottom + 24, drawn, title)


def _estimate(row: Estimate, x: LinearScale, y: float) -> str:
    low, high = max(row.low, x.low), min(row.high, x.high)
    way = f"M{number(x(low))} {number(y)}H{number(x(high))}"
    return group(
        [
            middled(cut(row.name, NAME, 1.5 * LONGEST), x.start - 18, y, NAME, INK, "end"),
            element("path", d=way, stroke=ACCENT, stroke_width=2, opacity=0.5),
            element("circle", cx=x(row.value), cy=y, r=3.2, fill=ACCENT),
            middled(row.words, x.end + 20, y, SMALL, QUIET),
        ]
    )
