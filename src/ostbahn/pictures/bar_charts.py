"""Bar charts, and small multiples: one small chart per company, all on one scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
    ACCENT,
    GRID,
    INK,
    MAX_NAME_WIDTH,
    NAME_SIZE,
    PAPER,
    QUIET,
    TICK_SIZE,
    WIDTH,
    LinearScale,
    axis_label_width,
    chart,
    chip,
    faint_lines,
    legend,
    max_text_width,
    nice_ticks,
    row_name,
    row_text,
    series_ink,
    signed,
    value_axis,
)
from ostbahn.pictures.svg import (
    box,
    circle,
    element,
    group,
    line,
    number,
    polyline,
    text,
    title_tag,
    truncated,
    width_of,
)

IN, OUT = series_ink(2), series_ink(1)
FLOWS_PER_ROW: Final = 3


def bar(x: float, y: float, width: float, height: float, colour: str, opacity: str | None = None) -> str:
    return box(x, y, width, height, colour, round=None, opacity=opacity)


def zero_line(x: float, top: float, bottom: float) -> str:
    return element("path", d=f"M{number(x)} {number(top)}V{number(bottom)}", stroke=QUIET, stroke_width=1)


def stacked_bars(title: str, rows: Sequence[tuple[str, Mapping[str, int]]], unit: str) -> str:
    """A stacked bar for each row; debts go to the left."""
    parts = list(dict.fromkeys(part for _, row in rows for part, amount in row.items() if amount))
    totals = [f"{signed(sum(row.values()))} {unit}" for _, row in rows]
    left = min(max_text_width((name for name, _ in rows), NAME_SIZE), MAX_NAME_WIDTH) + 14
    key = legend([(part, series_ink(index)) for index, part in enumerate(parts)], left, WIDTH)
    owed = max((-sum(min(amount, 0) for amount in row.values()) for _, row in rows), default=0)
    most = max((sum(max(amount, 0) for amount in row.values()) for _, row in rows), default=0)
    x = LinearScale(-owed, max(most, 1), left, WIDTH - max_text_width(totals, NAME_SIZE, bold=True) - 12)
    drawn, y, step = [key.svg], key.below + 8, 34.0
    for (name, row), total in zip(rows, totals, strict=True):
        drawn.append(_stack([(part, row.get(part, 0), series_ink(at)) for at, part in enumerate(parts)], x, y))
        end = x(sum(max(amount, 0) for amount in row.values()))
        drawn.append(row_name(name, left - 12, y + 11))
        drawn.append(row_text(total, end + 8, y + 11, NAME_SIZE, INK, bold=True))
        y += step
    return chart(y, [*drawn, zero_line(x(0), key.below + 2, y - 6)], title)


def _stack(parts: Sequence[tuple[str, int, str]], x: LinearScale, y: float) -> str:
    drawn, owed, owned = [], 0, 0
    for name, amount, colour in parts:
        start = owned if amount > 0 else owed + amount
        owned, owed = owned + max(amount, 0), owed + min(amount, 0)
        wide, words = x(abs(amount)) - x(0), signed(amount)
        if amount:
            inside = [title_tag(f"{name} {words}"), bar(x(start), y, max(wide - 1, 0.5), 22, colour)]
            if wide > width_of(words, TICK_SIZE) + 10:
                inside.append(row_text(words, x(start) + wide / 2, y + 11, TICK_SIZE, PAPER, "middle"))
            drawn.append(group(inside))
    return group(drawn)


def grouped_bars(title: str, rows: Sequence[tuple[str, str, int]], unit: str) -> str:
    """A bar for each row; of rows that belong together and follow each other the first one names the group."""
    words = [f"{signed(amount)} {unit}" for _, _, amount in rows]
    names = min(max_text_width((group_ for group_, _, _ in rows), NAME_SIZE, bold=True), MAX_NAME_WIDTH)
    left = names + 24 + min(max_text_width((label for _, label, _ in rows), TICK_SIZE), MAX_NAME_WIDTH)
    most = max((amount for _, _, amount in rows), default=0)
    x = LinearScale(0, max(most, 1), left, WIDTH - max_text_width(words, TICK_SIZE) - 12)
    drawn, y, before = [], 6.0, ""
    for (name, label, amount), figure in zip(rows, words, strict=True):
        if name != before:
            path = f"M0 {number(y - 3)}H{number(WIDTH)}"
            drawn.append(faint_lines(path) if before else "")
            drawn.append(
                row_text(truncated(name, NAME_SIZE, names + 0.5, bold=True), 0, y + 9, NAME_SIZE, INK, bold=True)
            )
        drawn += [
            row_text(truncated(label, TICK_SIZE, MAX_NAME_WIDTH), left - 8, y + 9, TICK_SIZE, QUIET, "end"),
            bar(left, y + 2, x(amount) - left, 14, ACCENT),
            row_text(figure, x(amount) + 6, y + 9, TICK_SIZE, INK),
        ]
        y, before = y + 24, name
    return chart(y, drawn, title)


Amounts = Sequence[tuple[int, int]]


def flow_bars(title: str, rows: Sequence[str], columns: Sequence[tuple[str, Amounts]]) -> str:
    """For each column what came in, to the right, and what went out, to the left: row by row, all on one scale."""
    left = min(max_text_width(rows, NAME_SIZE), MAX_NAME_WIDTH) + 16
    across = min(FLOWS_PER_ROW, len(columns)) or 1
    wide, high = (WIDTH - left) / across, 36 + 20.0 * len(rows)
    amounts = [pair for _, pairs in columns for pair in pairs]
    received, spent = max((pair[0] for pair in amounts), default=0), max((pair[1] for pair in amounts), default=0)
    room = max_text_width([str(received), str(spent)], TICK_SIZE) + 6
    blocks = -(-len(columns) // across)
    tops = [high * block + 28 + 20 * row for block in range(blocks) for row in range(1, len(rows) + 1)]
    drawn = [faint_lines("".join(f"M0 {number(y)}H{number(WIDTH)}" for y in tops))]
    for at, (name, pairs) in enumerate(columns):
        row, column = divmod(at, across)
        start, top = left + column * wide, row * high
        x = LinearScale(-max(spent, 1), max(received, 1), start + room, start + wide - room - 8)
        if not column:
            drawn += [row_name(words, left - 12, top + 38 + 20 * number_) for number_, words in enumerate(rows)]
        words = truncated(name, NAME_SIZE, wide - 24, bold=True)
        half = max_text_width([words], NAME_SIZE, bold=True) / 2
        middle = min(max(x(0), start + half), start + wide - half)
        drawn.append(row_text(words, middle, top + 12, NAME_SIZE, INK, "middle", bold=True))
        drawn.append(_flows(pairs, x, top + 28))
    return chart(blocks * high, drawn, title)


def _flows(pairs: Amounts, x: LinearScale, top: float) -> str:
    drawn = []
    for row, (received, spent) in enumerate(pairs):
        y = top + 20 * row
        if spent:
            drawn.append(bar(x(-spent), y + 4, x(0) - x(-spent), 12, OUT))
            drawn.append(row_text(str(spent), x(-spent) - 5, y + 10, TICK_SIZE, QUIET, "end"))
        if received:
            drawn.append(bar(x(0), y + 4, x(received) - x(0), 12, IN))
            drawn.append(row_text(str(received), x(received) + 5, y + 10, TICK_SIZE, QUIET))
    return group([*drawn, zero_line(x(0), top, top + 20 * len(pairs))])


PANEL_WIDTH: Final = 190.0
PANEL_HEIGHT: Final = 122.0
TOP: Final = 32.0
FOOT: Final = 22.0

Values = Sequence[int | None]


class ChartPanel(NamedTuple):
    """A company's values, one per round; None where it did not exist."""

    name: str
    colour: str
    values: Values
    inner: Values = ()
    """The highlighted part of each bar."""


class PanelFrame(NamedTuple):
    """Labels and scales common to all panels, so that they compare."""

    labels: Sequence[str]
    ticks: Sequence[int]
    unit: str
    x: LinearScale
    y: LinearScale


def line_panels(title: str, labels: Sequence[str], panels: Sequence[ChartPanel], unit: str) -> list[str]:
    """A panel per company: its own line in front of faint lines of all others."""
    frame = _frame(labels, panels, unit)
    others = "".join(_way(panel.values, frame) for panel in panels)
    faint = element("path", d=others, fill="none", stroke=GRID, stroke_width=0.8)

    def draw(panel: ChartPanel) -> str:
        own = element("path", d=_way(panel.values, frame), fill="none", stroke=ACCENT, stroke_width=2)
        return faint + own + _last(panel.values, frame)

    return _charts(title, frame, panels, draw)


def bar_panels(title: str, labels: Sequence[str], panels: Sequence[ChartPanel], unit: str) -> list[str]:
    """A panel per company: a pale bar per round, its highlighted part in full colour."""
    frame = _frame(labels, panels, unit)
    x, y = frame.x, frame.y
    wide = 0.78 * (x(1) - x(0))

    def draw(panel: ChartPanel) -> str:
        return "".join(
            bar(x(at) - wide / 2, y(value), wide, y(0) - y(value), ACCENT, opacity)
            for values, opacity in ((panel.values, "0.32"), (panel.inner, None))
            for at, value in enumerate(values)
            if value
        )

    return _charts(title, frame, panels, draw)


def _frame(labels: Sequence[str], panels: Sequence[ChartPanel], unit: str) -> PanelFrame:
    every = [value for panel in panels for value in (*panel.values, *panel.inner) if value is not None]
    ticks = nice_ticks(every, 3)
    x = LinearScale(-0.4, len(labels) - 0.6, axis_label_width(ticks, unit), PANEL_WIDTH - 4)
    return PanelFrame(labels, ticks, unit, x, LinearScale(ticks[0], ticks[-1], PANEL_HEIGHT - FOOT, TOP))


def _charts(
    title: str, frame: PanelFrame, panels: Sequence[ChartPanel], draw: Callable[[ChartPanel], str]
) -> list[str]:
    """One SVG per panel, so that narrow pages place fewer side by side."""
    axes = value_axis(frame.y, frame.ticks, frame.x.start, frame.x.end, frame.unit) + _foot(frame)
    left = frame.x.start
    return [
        chart(
            PANEL_HEIGHT,
            [
                axes,
                draw(panel),
                chip(left, 9, panel.colour, QUIET),
                row_text(
                    truncated(panel.name, NAME_SIZE, PANEL_WIDTH - left - 20, bold=True),
                    left + 16,
                    9,
                    NAME_SIZE,
                    INK,
                    bold=True,
                ),
            ],
            f"{title}: {panel.name}",
            PANEL_WIDTH,
        )
        for panel in panels
    ]


def _foot(frame: PanelFrame) -> str:
    first, last = frame.labels[0], frame.labels[-1]
    y = PANEL_HEIGHT - 7
    words = line(first, frame.x.start, y, TICK_SIZE, QUIET)
    return words if first == last else words + line(last, frame.x.end, y, TICK_SIZE, QUIET, anchor="end")


def _way(values: Values, frame: PanelFrame) -> str:
    """A polyline, broken where values are missing."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((frame.x(at), frame.y(value)))
    return "".join(polyline(piece) if len(piece) > 1 else f"{polyline(piece)}h4" for piece in pieces if piece)


def _last(values: Values, frame: PanelFrame) -> str:
    """A dot and the last value at the end of a line."""
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    if not known:
        return ""
    at, value = known[-1]
    x, y, words = frame.x(at), frame.y(value), signed(value)
    right = max(x + 3, frame.x.start + width_of(words, TICK_SIZE, bold=True) + 2)
    halo = {"stroke": PAPER, "stroke_linejoin": "round", "paint_order": "stroke"}
    style = {"text_anchor": "end", "font_weight": "bold", "fill": INK, **halo}
    dot = circle(x, y, 2.4, ACCENT)
    return dot + text(words, right, max(y - 6, TOP - 2), font_size=TICK_SIZE, stroke_width=3, **style)
