"""Shared parts of charts: scales with round ticks, grids, label placement, legends. Colours are CSS variables, so
one drawing serves light and dark pages and paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.pictures.svg import TextBlock, document, element, group, line, number, truncated, width_of
from ostbahn.pictures.themes import DARK, LIGHT

THEME_COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    name: (LIGHT.properties[name], DARK.properties[name])
    for name in LIGHT.properties
    if name in ("paper", "ink", "quiet", "line", "soft", "accent") or name.startswith("series")
}
"""CSS variable to its light and dark colour."""
INK, QUIET, GRID, SOFT, ACCENT, PAPER = (
    f"var(--{name})" for name in ("ink", "quiet", "line", "soft", "accent", "paper")
)
FONTS: Final = "system-ui, 'Source Sans Pro', sans-serif"
"""The reader's system font; on paper that of our pictures."""
WIDTH: Final = 760.0
"""Width of a chart, in pixels."""
TICK_SIZE: Final = 11.0
NAME_SIZE: Final = 12.0
MAX_NAME_WIDTH: Final = 150.0
MARGIN: Final = 12.0
"""From the ends of an axis to its first and last round."""
NAME_STEP: Final = 15.0
STEPS: Final = (1, 2, 5)
"""Tick steps are these times a power of ten."""


def series_ink(index: int) -> str:
    return f"var(--series-{index % 7})"


def with_light_colours(svg: str, inks: Mapping[str, tuple[str, str]]) -> str:
    """Replace CSS variables by the light colours, for programs that do not know them."""
    return re.sub(r"var\(--([\w-]+)\)", lambda name: inks[name[1]][0], svg)


def chart(height: float, parts: Iterable[str], title: str, width: float = WIDTH) -> str:
    return document(width, height, [group(parts, font_family=FONTS)], title)


class LinearScale(NamedTuple):
    """A linear map from values to coordinates: `low` to `start`, `high` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) * (self.end - self.start) / (self.high - self.low)


def nice_ticks(values: Iterable[float], most: int) -> list[int]:
    """About `most` round, evenly spaced ticks that enclose all values and 0."""
    enclosed = (0.0, 1.0, *values)
    low, high = min(enclosed), max(enclosed)
    unit = 1
    while (step := next((part * unit for part in STEPS if part * unit * most >= high - low), None)) is None:
        unit *= 10
    return list(range(int(low // step) * step, -int(-high // step) * step + 1, step))


def round_scale(count: int, left: float, right: float) -> LinearScale:
    return LinearScale(0, max(count - 1, 1), left + MARGIN, right - MARGIN)


def spread_labels(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Label positions at least `gap` apart and closest to the wanted ones (isotonic regression: colliding neighbours
    are pooled around their mean)."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    pools: list[tuple[float, int]] = []
    for rank, at in enumerate(order):
        total, count = places[at] - rank * gap, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / count:
            before, members = pools.pop()
            total, count = total + before, count + members
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    last = high - (len(places) - 1) * gap
    moved = dict(zip(order, (min(max(mean, low), last) for mean in means), strict=True))
    return [moved[at] + rank * gap for at, rank in sorted((at, rank) for rank, at in enumerate(order))]


def signed(value: float) -> str:
    """A rounded number with a typographic minus sign."""
    return f"{round(value)}".replace("-", "−")


def max_text_width(words: Iterable[str], size: float, bold: bool = False) -> float:
    """Width of the widest text, with reserve for wider fonts."""
    return max((width_of(text, size, bold) for text in words), default=0.0) * (1.18 if bold else 1.1)


def row_text(
    words: str, x: float, y: float, size: float, colour: str, anchor: str = "start", bold: bool = False
) -> str:
    """A line of text, vertically centred on `y`."""
    return line(words, x, y + size * 0.35, size, colour, anchor=None if anchor == "start" else anchor, bold=bold)


def row_name(name: str, right: float, y: float) -> str:
    return row_text(truncated(name, NAME_SIZE, MAX_NAME_WIDTH), right, y, NAME_SIZE, INK, "end")


def faint_lines(path: str) -> str:
    return element("path", d=path, stroke=GRID, stroke_width=0.8) if path else ""


def value_axis(scale: LinearScale, ticks: Sequence[int], left: float, right: float, unit: str = "") -> str:
    """Grid lines with tick labels, a stronger line at 0, and the unit on top."""
    lines = {tick: f"M{number(left)} {number(scale(tick))}H{number(right)}" for tick in ticks}
    parts = [
        faint_lines("".join(path for tick, path in lines.items() if tick)),
        element("path", d=lines[0], stroke=QUIET, stroke_width=1),
        *(row_text(signed(tick), left - 8, scale(tick), TICK_SIZE, QUIET, "end") for tick in ticks),
    ]
    if unit:
        parts.append(line(unit, left - 8, scale(ticks[-1]) - 10, TICK_SIZE, QUIET, anchor="end"))
    return group(parts)


def axis_label_width(ticks: Iterable[int], unit: str = "") -> float:
    return max_text_width([unit, *map(signed, ticks)], TICK_SIZE) + 10


def round_axis(scale: LinearScale, labels: Sequence[str], y: float, middle: float = 0.0) -> str:
    """Round labels below a chart: all, or every nth if space is short."""
    step, wide = scale(1) - scale(0), max_text_width(labels, TICK_SIZE)
    every = max(1, -int(-(wide + 6) // step))
    return group(
        line(labels[at], scale(at + middle), y, TICK_SIZE, QUIET, anchor="middle")
        for at in range(0, len(labels), every)
        if scale(at + middle) + wide / 2 <= WIDTH
    )


def legend(entries: Sequence[tuple[str, str]], left: float, right: float) -> TextBlock:
    """Names with colour chips, wrapped into lines."""
    parts, x, y = [], left, 9.0
    for name, colour in entries:
        wide = width_of(name, NAME_SIZE, bold=True) + 16
        if x > left and x + wide > right:
            x, y = left, y + NAME_STEP + 3
        parts += [chip(x, y, colour), row_text(name, x + 16, y, NAME_SIZE, colour, bold=True)]
        x += wide + 22
    return TextBlock(group(parts), y + 9)


def chip(x: float, y: float, colour: str, edge: str | None = None) -> str:
    """A small square; with an edge for colours that may be as pale as the paper."""
    width = 0.8 if edge else None
    return element("rect", x=x, y=y - 5, width=10, height=10, rx=2, fill=colour, stroke=edge, stroke_width=width)
