"""Small multiples: the same small chart for each of many companies, on one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.axes import (
    ACCENT,
    GRID,
    INK,
    NAME,
    PAPER,
    QUIET,
    SMALL,
    LinearScale,
    chart,
    chip,
    figures_wide,
    middled,
    nice_ticks,
    signed,
    value_axis,
)
from ostbahn.pictures.bar_charts import bar
from ostbahn.pictures.line_charts import path_of
from ostbahn.pictures.panels import cut, line, width_of
from ostbahn.pictures.svg import element, text

WIDE: Final = 190.0
HIGH: Final = 122.0
"""Of a panel, in pixels, with its name and its foot."""
TOP: Final = 32.0
FOOT: Final = 22.0

Values = Sequence[int | None]


class Panel(NamedTuple):
    """A company's figures, one for each round; None where it was not there."""

    name: str
    colour: str
    values: Values
    inner: Values = ()
    """What part of each bar is stressed."""


class PanelFrame(NamedTuple):
    """What all panels share, so that they can be compared."""

    labels: Sequence[str]
    ticks: Sequence[int]
    unit: str
    x: LinearScale
    y: LinearScale


def line_panels(title: str, labels: Sequence[str], panels: Sequence[Panel], unit: str) -> list[str]:
    """Each panel has its own line, and faintly those of all others."""
    frame = _frame(labels, panels, unit)
    others = "".join(_way(panel.values, frame) for panel in panels)
    faint = element("path", d=others, fill="none", stroke=GRID, stroke_width=0.8)

    def draw(panel: Panel) -> str:
        own = element("path", d=_way(panel.values, frame), fill="none", stroke=ACCENT, stroke_width=2)
        return faint + own + _last(panel.values, frame)

    return _charts(title, frame, panels, draw)


def bar_panels(title: str, labels: Sequence[str], panels: Sequence[Panel], unit: str) -> list[str]:
    """A pale bar for each round, and the part of it that is stressed in the full colour."""
    frame = _frame(labels, panels, unit)
    x, y = frame.x, frame.y
    wide = 0.78 * (x(1) - x(0))

    def draw(panel: Panel) -> str:
        return "".join(
            bar(x(at) - wide / 2, y(value), wide, y(0) - y(value), ACCENT, opacity)
            for values, opacity in ((panel.values, "0.32"), (panel.inner, None))
            for at, value in enumerate(values)
            if value
        )

    return _charts(title, frame, panels, draw)


def _frame(labels: Sequence[str], panels: Sequence[Panel], unit: str) -> PanelFrame:
    every = [value for panel in panels for value in (*panel.values, *panel.inner) if value is not None]
    ticks = nice_ticks(every, 3)
    x = LinearScale(-0.4, len(labels) - 0.6, figures_wide(ticks, unit), WIDE - 4)
    return PanelFrame(labels, ticks, unit, x, LinearScale(ticks[0], ticks[-1], HIGH - FOOT, TOP))


def _charts(title: str, frame: PanelFrame, panels: Sequence[Panel], draw: Callable[[Panel], str]) -> list[str]:
    """Each is a drawing of its own, so that a narrow page has fewer side by side."""
    axes = value_axis(frame.y, frame.ticks, frame.x.start, frame.x.end, frame.unit) + _foot(frame)
    left = frame.x.start
    return [
        chart(
            HIGH,
            [
                axes,
                draw(panel),
                chip(left, 9, panel.colour, QUIET),
                middled(cut(panel.name, NAME, WIDE - left - 20, bold=True), left + 16, 9, NAME, INK, bold=True),
            ],
            f"{title}: {panel.name}",
            WIDE,
        )
        for panel in panels
    ]


def _foot(frame: PanelFrame) -> str:
    """The first and the last round."""
    first, last = frame.labels[0], frame.labels[-1]
    y = HIGH - 7
    words = line(first, frame.x.start, y, SMALL, QUIET)
    return words if first == last else words + line(last, frame.x.end, y, SMALL, QUIET, anchor="end")


def _way(values: Values, frame: PanelFrame) -> str:
    """A line, in pieces where something is missing; a single point is a short one."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((frame.x(at), frame.y(value)))
    return "".join(path_of(piece) if len(piece) > 1 else f"{path_of(piece)}h4" for piece in pieces if piece)


def _last(values: Values, frame: PanelFrame) -> str:
    """A dot and the figure where the line ends."""
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    if not known:
        return ""
    at, value = known[-1]
    x, y, words = frame.x(at), frame.y(value), signed(value)
    right = max(x + 3, frame.x.start + width_of(words, SMALL, bold=True) + 2)
    halo = {"stroke": PAPER, "stroke_linejoin": "round", "paint_order": "stroke"}
    style = {"text_anchor": "end", "font_weight": "bold", "fill": INK, **halo}
    dot = element("circle", cx=x, cy=y, r=2.4, fill=ACCENT)
    return dot + text(words, right, max(y - 6, TOP - 2), font_size=SMALL, stroke_width=3, **style)
