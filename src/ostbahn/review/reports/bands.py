"""Who or what was where, and from when to when: rows of bands along the rounds; and how many of each kind, as dots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.extras import needed
from ostbahn.review.reports.charts import bare, short
from ostbahn.review.reports.drawing import WIDTH, drawn, ink, new_figure, series_ink

with needed("analysis", "charts need"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT: Final = 78
LETTER: Final = 6.4
"""How wide a letter is, about, in pixels."""


class Band(NamedTuple):
    row: int
    start: int
    """The label with which it begins."""
    end: int
    """The first one that it does not reach."""
    name: str
    hue: int | None = None
    """Of the series whose colour it has; None for one that needs none."""
    lane: int = 0
    """Of those that lie in a row at the same time."""


@drawn
def bands(name: str, labels: Sequence[str], rows: Sequence[str], found: Sequence[Band]) -> Figure:
    """A row for each thing; a row is as high as there are lanes in it."""
    lanes = {row: max((band.lane for band in found if band.row == row), default=0) + 1 for row in range(len(rows))}
    tops, total = {}, 0.0
    for row, count in lanes.items():
        tops[row], total = total, total + 0.35 + 0.75 * count
    high = 34 + total * 22
    figure = new_figure(high)
    axes = figure.add_axes((LEFT / WIDTH, 28 / high, 1 - (LEFT + 8) / WIDTH, 1 - 32 / high))
    pixels = (WIDTH - LEFT - 8) / max(1, len(labels))
    for band in found:
        _band(axes, band, tops[band.row] + 0.2 + 0.75 * band.lane, pixels)
    _along(axes, labels, total)
    axes.set_yticks([tops[row] + (0.35 + 0.75 * lanes[row]) / 2 for row in tops], rows, color=ink("ink"), fontsize=12)
    return figure


def _along(axes: Axes, labels: Sequence[str], total: float) -> None:
    bare(axes)
    axes.grid(visible=False)
    axes.set_ylim(total, 0)
    axes.set_xlim(0, max(1, len(labels)))
    every = max(1, -(-len(labels) // 18))
    axes.set_xticks(
        [at + 0.5 for at in range(0, len(labels), every)], [labels[at] for at in range(0, len(labels), every)]
    )


def _band(axes: Axes, band: Band, top: float, pixels: float) -> None:
    plain = band.hue is None
    colour = ink("soft") if band.hue is None else series_ink(band.hue)
    width = band.end - band.start
    axes.barh(
        top + 0.33,
        width - 0.06,
        left=band.start + 0.03,
        height=0.66,
        color=colour,
        edgecolor=ink("line") if plain else colour,
        linewidth=0.6,
    )
    room = int(width * pixels / LETTER) - 1
    words = band.name if len(band.name) <= room else short(band.name, room) if room >= 4 else band.name[: max(room, 1)]
    axes.annotate(
        words,
        (band.start + 0.03, top + 0.33),
        (4, 0),
        textcoords="offset points",
        va="center",
        fontsize=10.5,
        color=ink("ink") if plain else ink("paper"),
        fontweight="normal" if plain else "semibold",
    )


@drawn
def dots(name: str, labels: Sequence[str], rows: Sequence[str], counts: Mapping[tuple[int, int], int]) -> Figure:
    """How many of each row there were at each label: a dot with the number in it."""
    high = 34 + 26 * max(1, len(rows))
    figure = new_figure(high)
    axes = figure.add_axes((LEFT / WIDTH, 28 / high, 1 - (LEFT + 8) / WIDTH, 1 - 32 / high))
    for row in range(len(rows)):
        axes.axhline(row + 0.5, color=ink("line"), linewidth=0.8, zorder=0)
    for (row, at), count in counts.items():
        axes.plot([at + 0.5], [row + 0.5], marker="o", markersize=17, color=ink("accent"), linestyle="none")
        axes.annotate(
            str(count),
            (at + 0.5, row + 0.5),
            ha="center",
            va="center",
            fontsize=10.5,
            color=ink("paper"),
            fontweight="semibold",
        )
    _along(axes, labels, len(rows))
    axes.set_yticks([row + 0.5 for row in range(len(rows))], rows, color=ink("ink"), fontsize=12)
    return figure


class Span(NamedTuple):
    """A figure and between which others it surely lies."""

    name: str
    value: float
    low: float
    high: float
    told: str


@drawn
def spans(name: str, found: Sequence[Span], fair: float | None = None) -> Figure:
    """A dot with its interval for each row; fair: of rates, a line to compare them with."""
    high = 40 + 22 * max(1, len(found))
    figure = new_figure(high)
    axes = figure.add_axes((190 / WIDTH, 24 / high, 1 - 390 / WIDTH, 1 - 32 / high))
    if fair is not None:
        axes.axvline(fair, color=ink("quiet"), linewidth=1, linestyle=(0, (3, 3)))
    for row, each in enumerate(found):
        axes.plot([each.low, each.high], [row, row], color=ink("accent"), linewidth=2, alpha=0.5)
        axes.plot([each.value], [row], marker="o", markersize=6, color=ink("accent"))
        axes.annotate(
            each.told,
            (1, row),
            (12, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=11,
            color=ink("quiet"),
        )
    bare(axes)
    axes.grid(visible=False)
    if fair is not None:
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_yticks(range(len(found)), [short(each.name, 28) for each in found], color=ink("ink"), fontsize=12)
    axes.set_ylim(len(found) - 0.5, -0.5)
    return figure
