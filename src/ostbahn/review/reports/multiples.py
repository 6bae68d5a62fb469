"""The same small chart for each of many companies, on one scale: its own figures, and faintly all others'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ostbahn.extras import needed
from ostbahn.review.parts import Drawing
from ostbahn.review.reports.charts import along_rounds, bare, chip, short, up_in
from ostbahn.review.reports.drawing import drawn, ink, new_figure

with needed("analysis", "charts need"):
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

HIGH: Final = 132
WIDE: Final = 220
"""Of a panel, in pixels, with its name and its foot."""
LEFT: Final = 44


class Panel(NamedTuple):
    """A company's figures, one for each label; None where it was not there."""

    name: str
    colour: str
    values: Sequence[int | None]
    inner: Sequence[int | None] = ()
    """What of it is told apart, where it is drawn in bars."""


def line_panels(name: str, labels: Sequence[str], panels: Sequence[Panel], unit: str) -> tuple[Drawing, ...]:
    lines = [line for panel in panels for line in _pieces(panel.values)]

    def draw(axes: Axes, panel: Panel) -> None:
        axes.add_collection(LineCollection(lines, colors=ink("line"), linewidths=0.8))
        axes.add_collection(LineCollection(_pieces(panel.values), colors=ink("accent"), linewidths=2))
        _last(axes, panel.values)

    return _panels(name, labels, panels, unit, draw)


def bar_panels(name: str, labels: Sequence[str], panels: Sequence[Panel], unit: str) -> tuple[Drawing, ...]:
    """Bars, and what of each is told apart in a stronger colour."""

    def draw(axes: Axes, panel: Panel) -> None:
        places = range(len(labels))
        axes.bar(places, [value or 0 for value in panel.values], width=0.78, color=ink("accent"), alpha=0.32)
        axes.bar(places, [value or 0 for value in panel.inner], width=0.78, color=ink("accent"))

    return _panels(name, labels, panels, unit, draw)


def _pieces(values: Sequence[int | None]) -> list[list[tuple[float, float]]]:
    """A line, in pieces where something is missing; a single point is a short one."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((at, value))
    return [piece if len(piece) > 1 else [piece[0], (piece[0][0] + 0.4, piece[0][1])] for piece in pieces if piece]


def _last(axes: Axes, values: Sequence[int | None]) -> None:
    """The last figure, where the line ends."""
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    if known:
        at, value = known[-1]
        axes.plot([at], [value], marker="o", markersize=4, color=ink("accent"))
        axes.annotate(
            str(value),
            (at, value),
            (0, 5),
            textcoords="offset points",
            ha="right",
            fontsize=10,
            color=ink("ink"),
            fontweight="semibold",
        )


def _panels(
    name: str, labels: Sequence[str], panels: Sequence[Panel], unit: str, draw: Callable[[Axes, Panel], None]
) -> tuple[Drawing, ...]:
    """Each is a drawing of its own, so that a narrow page has fewer beside each other."""
    every = [value for panel in panels for value in (*panel.values, *panel.inner) if value is not None]
    low, high = min(0, *every, 0), max(1, *every, 1)

    @drawn
    def one(_: str, panel: Panel) -> Figure:
        figure = new_figure(HIGH, WIDE)
        axes = figure.add_axes((LEFT / WIDE, 24 / HIGH, 1 - (LEFT + 8) / WIDE, 1 - 52 / HIGH))
        draw(axes, panel)
        bare(axes)
        axes.update_datalim([(0, low), (0, high * 1.08)])
        along_rounds(axes, labels, 3)
        up_in(axes, unit, 3)
        _headed(axes, panel)
        return figure

    return tuple(one(f"{name}: {panel.name}", panel) for panel in panels)


def _headed(axes: Axes, panel: Panel) -> None:
    """The name of the company, after a chip of its colour."""
    chip(axes, 0, panel.colour)
    axes.annotate(
        short(panel.name),
        (0, 1),
        (14, 9),
        xycoords="axes fraction",
        textcoords="offset points",
        color=ink("ink"),
        fontsize=12,
        fontweight="semibold",
    )
