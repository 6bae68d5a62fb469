"""Charts over rounds and of sums: lines, bars, parts of a whole. Names stand at what they name, without legends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.extras import needed
from ostbahn.review.reports.drawing import DASHES, MARKERS, WIDTH, drawn, ink, new_figure, series_ink

with needed("analysis", "charts need"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import ScaledTranslation

LONGEST: Final = 18
"""Letters of a name beside a line."""
APART: Final = 15.0
"""How far names keep off each other."""
BESIDE: Final = 150
"""Room for names at the right."""


class Series(NamedTuple):
    """Somebody's figures, one for each label."""

    name: str
    values: Sequence[float | None]
    hue: int
    """By which colour, dash and marker it is known."""
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    told: str = ""
    """What to write at its end beside the name."""


class Event(NamedTuple):
    """Something that began with a round and concerns all."""

    at: int
    name: str


def short(name: str, longest: int = LONGEST) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


@drawn
def lines(
    name: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str,
    events: Sequence[Event] = (),
    *,
    steps: bool = False,
    height: float = 380,
) -> Figure:
    """A line for everybody, with their name at its end; where it is unsure, between which figures it lies."""
    figure = new_figure(height)
    left, right = 58 / WIDTH, 1 - BESIDE / WIDTH
    axes = figure.add_axes((left, 38 / height, right - left, 1 - 66 / height))
    for each in series:
        _line(axes, each, steps)
    bare(axes)
    along_rounds(axes, labels)
    up_in(axes, unit)
    _events(axes, events)
    _ends(axes, [each for each in series if each.values and each.values[-1] is not None], len(labels))
    return figure


def _line(axes: Axes, each: Series, steps: bool) -> None:
    at = [place for place, value in enumerate(each.values) if value is not None]
    values = [value for value in each.values if value is not None]
    colour = series_ink(each.hue)
    if each.low:
        axes.fill_between(at, list(each.low), list(each.high), color=colour, alpha=0.13, linewidth=0)
    axes.plot(
        at,
        values,
        color=colour,
        linestyle=DASHES[each.hue % 7],
        linewidth=2,
        marker=MARKERS[each.hue % 7],
        markersize=4.5,
        markeredgecolor=ink("paper"),
        markeredgewidth=0.6,
        drawstyle="steps-post" if steps else "default",
    )


def bare(axes: Axes) -> None:
    """Nothing but what is needed: faint lines to read figures by."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(ink("quiet"))
    axes.grid(axis="y", color=ink("line"), linewidth=0.8)
    axes.set_axisbelow(True)
    axes.patch.set_alpha(0)
    axes.tick_params(length=0, colors=ink("quiet"), labelsize=11)
    axes.tick_params(axis="x", pad=7)


def along_rounds(axes: Axes, labels: Sequence[str], most: int = 15) -> None:
    """The codes of rounds along the foot, as many as there is room for."""
    every = max(1, -(-len(labels) // most))
    axes.set_xticks(range(0, len(labels), every), [labels[at] for at in range(0, len(labels), every)])
    axes.set_xlim(-0.4, max(len(labels) - 0.6, 0.6))


def up_in(axes: Axes, unit: str, most: int = 6) -> None:
    """Round figures at the left; the uppermost says what they are."""
    low, high = min(axes.dataLim.y0, 0.0), max(axes.dataLim.y1, 1.0)
    ticks = [int(tick) for tick in MaxNLocator(most, integer=True).tick_values(low, high)]
    axes.set_ylim(ticks[0], ticks[-1])
    axes.set_yticks(ticks, [str(tick) if tick != ticks[-1] or not unit else f"{tick} {unit}" for tick in ticks])


def _events(axes: Axes, events: Sequence[Event]) -> None:
    """What changed for all, as names above the chart and thin lines through it."""
    top = axes.get_ylim()[1]
    for event in events:
        axes.axvline(event.at - 0.5, color=ink("line"), linewidth=1.2, linestyle=(0, (3, 3)), zorder=0)
        axes.annotate(
            event.name,
            (event.at - 0.5, top),
            (3, 6),
            textcoords="offset points",
            color=ink("quiet"),
            fontsize=10.5,
            annotation_clip=False,
        )


def _ends(axes: Axes, series: Sequence[Series], count: int) -> None:
    """Names at the ends of lines."""
    _named(axes, series, [float(each.values[-1] or 0) for each in series], count)


def _named(axes: Axes, series: Sequence[Series], heights: Sequence[float], count: int) -> None:
    """Names at the right, each at its height but not over another."""
    for each, y in zip(series, _apart(axes, heights), strict=True):
        axes.annotate(
            f"{short(each.name)}  {each.told}".rstrip(),
            (count - 1, y),
            (10, 0),
            textcoords="offset points",
            va="center",
            color=series_ink(each.hue),
            fontweight="semibold",
            annotation_clip=False,
        )


def _apart(axes: Axes, values: Sequence[float]) -> list[float]:
    """Where names stand whose lines end at these values, in the same measure."""
    low, high = axes.get_ylim()
    height = axes.get_position().height * axes.figure.get_figheight() * 72  # type: ignore[union-attr]
    gap = APART * (high - low) / height
    order = sorted(range(len(values)), key=lambda at: -values[at])
    found, above, below = list(values), high + gap, low - gap
    for at in order:
        above = found[at] = min(values[at], above - gap)
    for at in reversed(order):
        below = found[at] = max(found[at], below + gap)
    return found


@drawn
def stacked(name: str, rows: Sequence[tuple[str, Mapping[str, int]]], unit: str) -> Figure:
    """A bar for each row, of its parts one beside the other; what is owed goes to the left."""
    parts = list(dict.fromkeys(part for _, row in rows for part, amount in row.items() if amount))
    height = 34 + 34 * len(rows)
    figure = new_figure(height)
    axes = figure.add_axes((140 / WIDTH, 4 / height, 1 - 230 / WIDTH, 1 - 38 / height))
    for at, (_, row) in enumerate(rows):
        _bar(axes, at, [row.get(part, 0) for part in parts])
        axes.annotate(
            f"{sum(row.values())} {unit}",
            (sum(amount for amount in row.values() if amount > 0), at),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=ink("ink"),
            fontweight="semibold",
            annotation_clip=False,
        )
    _lying(axes, [short(who) for who, _ in rows])
    _parts_above(axes, parts)
    return figure


def _bar(axes: Axes, at: int, amounts: Sequence[int]) -> None:
    right = left = 0
    for index, amount in enumerate(amounts):
        start = right if amount > 0 else left
        axes.barh(at, amount, left=start, height=0.62, color=series_ink(index), edgecolor=ink("paper"), linewidth=1)
        if amount > 0:
            right += amount
        else:
            left += amount


def _lying(axes: Axes, names: Sequence[str]) -> None:
    """Rows of bars, the first one at the top."""
    bare(axes)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks(range(len(names)), names, color=ink("ink"), fontsize=12)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.axvline(0, color=ink("quiet"), linewidth=0.8)


def _parts_above(axes: Axes, parts: Sequence[str]) -> None:
    """What the colours of bars mean, in their order."""
    x = 0.0
    for index, part in enumerate(parts):
        chip(axes, x, series_ink(index))
        axes.annotate(
            part,
            (0, 1),
            (x + 14, 9),
            xycoords="axes fraction",
            textcoords="offset points",
            color=series_ink(index),
            fontweight="semibold",
        )
        x += 36 + 6.5 * len(part)


def chip(axes: Axes, x: float, colour: str) -> None:
    """A square of a colour above a chart, so far from its left."""
    spot = axes.transAxes + ScaledTranslation((x + 5) / 72, 13 / 72, axes.figure.dpi_scale_trans)
    axes.plot([0], [1], marker="s", markersize=9, color=colour, transform=spot, clip_on=False)


@drawn
def bars(name: str, rows: Sequence[tuple[str, str, int]], unit: str) -> Figure:
    """A bar for each row; of rows that follow each other and belong together the first one says to what."""
    height = 12 + 24 * len(rows)
    figure = new_figure(height)
    axes = figure.add_axes((250 / WIDTH, 4 / height, 1 - 340 / WIDTH, 1 - 8 / height))
    for at, (group, _, amount) in enumerate(rows):
        axes.barh(at, amount, height=0.6, color=ink("accent"))
        _amount(axes, at, amount, 1, f"{amount} {unit}")
        if not at or rows[at - 1][0] != group:
            axes.annotate(
                short(group),
                (0, at),
                (-240, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                va="center",
                color=ink("ink"),
                fontweight="semibold",
                annotation_clip=False,
            )
    _lying(axes, [short(label, 26) for _, label, _ in rows])
    return figure


@drawn
def flows(name: str, rows: Sequence[str], columns: Sequence[tuple[str, Sequence[tuple[int, int]]]]) -> Figure:
    """For each column what came in, to the right, and what went out, to the left, row by row on one scale."""
    across = min(3, len(columns))
    down = -(-len(columns) // across)
    each_high = 40 + 19 * len(rows)
    figure = new_figure(down * each_high)
    most = max([max(pair) for _, pairs in columns for pair in pairs] or [1])
    left, wide = 120 / WIDTH, (1 - 120 / WIDTH) / across
    for number, (who, pairs) in enumerate(columns):
        row, column = divmod(number, across)
        bottom = 1 - (row + 1) / down + 6 / (down * each_high)
        axes = figure.add_axes((left + column * wide, bottom, wide - 14 / WIDTH, (1 - 38 / each_high) / down))
        for at, (received, spent) in enumerate(pairs):
            axes.barh(at, received, height=0.6, color=series_ink(2))
            axes.barh(at, -spent, height=0.6, color=series_ink(1))
            for amount, side in ((received, 1), (spent, -1)):
                _amount(axes, at, amount, side, str(amount))
        _lying(axes, rows if not column else [""] * len(rows))
        axes.set_xlim(-most * 1.5, most * 1.5)
        axes.set_title(short(who, 24), fontsize=12.5, fontweight="semibold", color=ink("ink"), pad=6)
    return figure


def _amount(axes: Axes, at: int, amount: int, side: int, words: str) -> None:
    if amount:
        axes.annotate(
            words,
            (side * amount, at),
            (side * 4, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center",
            fontsize=10,
            color=ink("quiet"),
        )


@drawn
def chances(name: str, labels: Sequence[str], series: Sequence[Series]) -> Figure:
    """What part of a whole everybody has, from label to label."""
    height = 240
    figure = new_figure(height)
    axes = figure.add_axes((58 / WIDTH, 34 / height, 1 - (58 + BESIDE) / WIDTH, 1 - 48 / height))
    below = [0.0] * len(labels)
    for each in series:
        above = [base + float(value or 0) for base, value in zip(below, each.values, strict=True)]
        colour = series_ink(each.hue)
        axes.fill_between(range(len(labels)), below, above, color=colour, alpha=0.82, linewidth=0)
        axes.plot(range(len(labels)), above, color=ink("paper"), linewidth=1.4)
        below = above
    bare(axes)
    axes.grid(visible=False)
    along_rounds(axes, labels)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    middles, base = [], 0.0
    for each in series:
        middles.append(base + float(each.values[-1] or 0) / 2)
        base += float(each.values[-1] or 0)
    _named(axes, series, middles, len(labels))
    return figure
