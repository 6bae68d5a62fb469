"""Line charts with intervals, area charts, timelines, dot matrices and interval charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
    ACCENT,
    GRID,
    INK,
    MAX_NAME_WIDTH,
    NAME_SIZE,
    NAME_STEP,
    PAPER,
    QUIET,
    SOFT,
    TICK_SIZE,
    WIDTH,
    LinearScale,
    axis_label_width,
    chart,
    faint_lines,
    max_text_width,
    nice_ticks,
    round_axis,
    round_scale,
    row_name,
    row_text,
    series_ink,
    spread_labels,
    value_axis,
)
from ostbahn.pictures.svg import (
    Attribute,
    circle,
    element,
    group,
    line,
    number,
    polyline,
    title_tag,
    truncated,
    width_of,
)

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
"""Dash and marker of each series, for readers who cannot tell the colours apart."""


class Series(NamedTuple):
    """Values of a player, one per round."""

    name: str
    values: Sequence[float]
    hue: int
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """Interval around each value, if uncertain."""
    figure: str = ""


class EndLabels:
    """Series names right of a chart with their last values in a second column; leader lines connect labels that
    moved."""

    def __init__(self, series: Sequence[Series]) -> None:
        self.series = series
        self.figures = max_text_width((entry.figure for entry in series), NAME_SIZE, bold=True)
        self.names = min(max_text_width((entry.name for entry in series), NAME_SIZE, bold=True), MAX_NAME_WIDTH)
        self.width = 26 + self.names + (12 + self.figures if self.figures else 0)

    def draw(self, heights: Sequence[float], x: float, top: float, bottom: float) -> str:
        parts, right = [], x + self.width
        for entry, end, y in zip(self.series, heights, spread_labels(heights, NAME_STEP, top, bottom), strict=True):
            colour = series_ink(entry.hue)
            if abs(end - y) > 2:
                way = polyline([(x + 6, end), (x + 20, y)])
                parts.append(element("path", d=way, stroke=colour, stroke_width=0.8, opacity=0.6))
            name = truncated(entry.name, NAME_SIZE, self.names + 0.5, bold=True)
            parts.append(row_text(name, x + 24, y, NAME_SIZE, colour, bold=True))
            if entry.figure:
                parts.append(row_text(entry.figure, right, y, NAME_SIZE, colour, "end", bold=True))
        return group(parts)


class RoundEvent(NamedTuple):
    """An event at the start of a round."""

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
    """A labelled line per series, shaded intervals where values are uncertain."""
    ticks = nice_ticks((value for entry in series for value in (*entry.values, *entry.low, *entry.high)), 6)
    ends = EndLabels(series)
    left, right = axis_label_width(ticks, unit), WIDTH - ends.width
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
        *(_span(entry, x, y) for entry in series if entry.low),
        *(_line(entry, x, y, steps) for entry in series),
        ends.draw([y(entry.values[-1]) for entry in series], x.end, top, y.start),
    ]
    return chart(height, parts, title)


def _events(events: Sequence[RoundEvent], starts: Sequence[float]) -> tuple[str, float]:
    """Event names above the chart in non-overlapping rows, and the top of the chart."""
    rows, ends = [], [0.0]
    for event, start in zip(events, starts, strict=True):
        row = next((row for row, end in enumerate(ends) if end <= start), len(ends))
        ends[row : row + 1] = [start + max_text_width([event.name], TICK_SIZE) + 6]
        rows.append(row)
    top = 24 + 13.0 * (len(ends) - 1)
    names = zip(events, starts, rows, strict=True)
    drawn = (line(event.name, start + 3, top - 8 - 13 * row, TICK_SIZE, QUIET) for event, start, row in names)
    return group(drawn) if events else "", top


def _line(series: Series, x: LinearScale, y: LinearScale, steps: bool) -> str:
    points = [(x(at), y(value)) for at, value in enumerate(series.values)]
    way = polyline(points)
    if steps:
        way = polyline(points[:1]) + "".join(f"H{number(right)}V{number(high)}" for right, high in points[1:])
    spots = "".join(f"M{number(right)} {number(high)}{MARKERS[series.hue % 7]}" for right, high in points)
    colour, dash = series_ink(series.hue), SERIES_DASHES[series.hue % 7]
    style: dict[str, Attribute] = {"fill": "none", "stroke": colour, "stroke_width": 2}
    drawn = element("path", d=way, **style, stroke_dasharray=dash, stroke_linejoin="round")
    markers = element("path", d=spots, fill=colour, stroke=PAPER, stroke_width=0.6)
    return group([title_tag(f"{series.name} {series.figure}".rstrip()), drawn, markers])


def _span(series: Series, x: LinearScale, y: LinearScale) -> str:
    upper = [(x(at), y(value)) for at, value in enumerate(series.high)]
    lower = [(x(at), y(value)) for at, value in enumerate(series.low)]
    return element("path", d=f"{polyline([*upper, *reversed(lower)])}Z", fill=series_ink(series.hue), opacity="0.13")


def area_chart(title: str, labels: Sequence[str], series: Sequence[Series], height: float = 240) -> str:
    """Shares of a whole per round, stacked; each round adds up to 1."""
    ends = EndLabels(series)
    left, right = axis_label_width((), "100%"), WIDTH - ends.width
    x, y = round_scale(len(labels), left, right), LinearScale(0, 1, height - 28, 12)
    parts, heights, below = [], [], [0.0] * len(labels)
    for entry in series:
        above = [base + value for base, value in zip(below, entry.values, strict=True)]
        edge = [(x(at), y(value)) for at, value in enumerate(above)]
        foot = [(x(at), y(value)) for at, value in enumerate(below)]
        area = f"{polyline([*edge, *reversed(foot)])}Z"
        style: dict[str, Attribute] = {"fill": series_ink(entry.hue), "stroke": PAPER}
        parts.append(group([title_tag(entry.name), element("path", d=area, stroke_width=1, **style)]))
        heights.append((edge[-1][1] + foot[-1][1]) / 2)
        below = above
    for part in (0, 0.5, 1):
        parts.append(row_text(f"{part:.0%}", left - 8, y(part), TICK_SIZE, QUIET, "end"))
    parts += [round_axis(x, labels, height - 8), ends.draw(heights, x.end, y.end, y.start)]
    return chart(height, parts, title)


LANE_HEIGHT: Final = 17.0
FOOT: Final = 22.0


class Band(NamedTuple):
    row: int
    start: int
    end: int
    """First round after the end."""
    name: str
    hue: int | None = None
    lane: int = 0
    """Lane within the row; overlapping bands have different lanes."""


def timeline(title: str, labels: Sequence[str], rows: Sequence[str], bands: Sequence[Band]) -> str:
    """Bands along the rounds, in rows of one or more lanes."""
    lanes = [max((band.lane for band in bands if band.row == row), default=0) + 1 for row in range(len(rows))]
    tops = list(accumulate((count * LANE_HEIGHT + 7 for count in lanes), initial=0.0))
    left = min(max_text_width(rows, NAME_SIZE), MAX_NAME_WIDTH) + 14
    x = LinearScale(0, max(1, len(labels)), left, WIDTH - 12)
    drawn = [_rows(rows, tops, x), round_axis(x, labels, tops[-1] + FOOT - 6, 0.5)]
    drawn += [_band(band, labels, x, tops[band.row] + 4 + LANE_HEIGHT * band.lane) for band in bands]
    return chart(tops[-1] + FOOT, drawn, title)


def _rows(rows: Sequence[str], tops: Sequence[float], x: LinearScale) -> str:
    lines = "".join(f"M0 {number(below)}H{number(x.end)}" for below in tops[1:])
    names = [row_name(name, x.start - 12, (tops[row] + tops[row + 1]) / 2) for row, name in enumerate(rows)]
    return group([faint_lines(lines), *names])


def _band(band: Band, labels: Sequence[str], x: LinearScale, y: float) -> str:
    colour, letters = (SOFT, INK) if band.hue is None else (series_ink(band.hue), PAPER)
    start, width, bold = x(band.start) + 1, x(band.end) - x(band.start) - 2, band.hue is not None
    edge = GRID if band.hue is None else colour
    box = element(
        "rect", x=start, y=y, width=width, height=LANE_HEIGHT - 2, rx=2, fill=colour, stroke=edge, stroke_width=0.8
    )
    words = _fitting(band.name, width - 6, bold)
    first, last = labels[band.start], labels[band.end - 1]
    tooltip = f"{band.name}: {first}" if first == last else f"{band.name}: {first} to {last}"
    return group(
        [title_tag(tooltip), box, row_text(words, start + 4, y + LANE_HEIGHT / 2 - 1, TICK_SIZE, letters, bold=bold)]
    )


def _fitting(name: str, width: float, bold: bool) -> str:
    """A name truncated to the width; its first letters alone if dots would take most of it."""
    words = truncated(name, TICK_SIZE, width, bold)
    if words != name and len(words) < 4:
        words = name[: max(1, next((at for at in range(3, 0, -1) if width_of(name[:at], TICK_SIZE, bold) <= width), 1))]
    return words


def dot_matrix(title: str, labels: Sequence[str], rows: Sequence[str], counts: Mapping[tuple[int, int], int]) -> str:
    """Counts by row and round: a dot with the number."""
    step = 26.0
    left, foot = min(max_text_width(rows, NAME_SIZE), MAX_NAME_WIDTH) + 14, step * len(rows)
    x = LinearScale(0, max(1, len(labels)), left, WIDTH - 12)
    drawn = [_rows(rows, [step * row for row in range(len(rows) + 1)], x)]
    for (row, at), count in counts.items():
        across, down = x(at + 0.5), step * (row + 0.5)
        dot = circle(across, down, 9, ACCENT)
        tooltip = title_tag(f"{labels[at]}: {count} × {rows[row]}")
        drawn.append(group([tooltip, dot, row_text(str(count), across, down, TICK_SIZE, PAPER, "middle", bold=True)]))
    return chart(foot + FOOT, [*drawn, round_axis(x, labels, foot + FOOT - 6, 0.5)], title)


class IntervalRow(NamedTuple):
    """A value with its confidence interval."""

    name: str
    value: float
    low: float
    high: float
    words: str


def interval_chart(title: str, rows: Sequence[IntervalRow], fair: float | None = None) -> str:
    """A dot with its interval per row; `fair`: for rates, a dashed reference line."""
    step, top = 22.0, 8.0
    bottom = top + step * max(1, len(rows))
    left = min(max_text_width((row.name for row in rows), NAME_SIZE), 1.5 * MAX_NAME_WIDTH) + 16
    right = WIDTH - max_text_width((row.words for row in rows), TICK_SIZE) - 24
    ticks = nice_ticks((row.high for row in rows), 8) if fair is None else [0, 0.25, 0.5, 0.75, 1]
    x = LinearScale(ticks[0], ticks[-1], left + 6, right)
    lines = "".join(f"M{number(x(tick))} {number(top)}V{number(bottom)}" for tick in ticks)
    drawn, form = [faint_lines(lines)], ".0f" if fair is None else ".0%"
    drawn += [line(f"{tick:{form}}", x(tick), bottom + 16, TICK_SIZE, QUIET, anchor="middle") for tick in ticks]
    if fair is not None:
        way = f"M{number(x(fair))} {number(top)}V{number(bottom)}"
        drawn.append(element("path", d=way, stroke=QUIET, stroke_width=1, stroke_dasharray="3 3"))
    drawn += [_estimate(row, x, top + step * (at + 0.5)) for at, row in enumerate(rows)]
    return chart(bottom + 24, drawn, title)


def _estimate(row: IntervalRow, x: LinearScale, y: float) -> str:
    low, high = max(row.low, x.low), min(row.high, x.high)
    way = f"M{number(x(low))} {number(y)}H{number(x(high))}"
    parts = (
        row_text(truncated(row.name, NAME_SIZE, 1.5 * MAX_NAME_WIDTH), x.start - 18, y, NAME_SIZE, INK, "end"),
        element("path", d=way, stroke=ACCENT, stroke_width=2, opacity=0.5),
        circle(x(row.value), y, 3.2, ACCENT),
        row_text(row.words, x.end + 20, y, TICK_SIZE, QUIET),
    )
    return group(parts)
