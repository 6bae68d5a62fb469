"""From a chart to an SVG of ours: text stays text, colours become names, and the same chart gives the same bytes.

Matplotlib draws. It knows colours only as such, so every ink of ours has a stand-in, a colour that nothing else has,
which is replaced by a CSS variable in what comes out.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from io import StringIO
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec

from ostbahn.extras import needed
from ostbahn.pictures.export import FONT, font_folder
from ostbahn.pictures.themes import DARK, LIGHT
from ostbahn.review.parts import Drawing

with needed("analysis", "charts need"):
    from matplotlib import font_manager, rc_context
    from matplotlib.figure import Figure

P = ParamSpec("P")
INKS: Final[Mapping[str, tuple[str, str]]] = {
    "paper": (LIGHT.paper, DARK.paper),
    "ink": (LIGHT.ink, DARK.ink),
    "quiet": ("#5d584c", "#b7bcc1"),
    "line": ("#d6cfbd", "#434a50"),
    "soft": ("#ebe5d6", "#343a40"),
    "accent": ("#1f5c43", "#86cfab"),
    "series-0": ("#0067a5", "#5cb8f0"),
    "series-1": ("#c2500a", "#ff9a5c"),
    "series-2": ("#007f5f", "#45cfa0"),
    "series-3": ("#9c3f7c", "#ea9bcb"),
    "series-4": ("#7d6608", "#e6c84f"),
    "series-5": ("#4a4fb5", "#a9b0ff"),
    "series-6": ("#4d4d4d", "#cfcfcf"),
}
"""Light and dark. Who sees few colours can tell series apart: after Okabe and Ito, but as dark as letters."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
DASHES: Final[tuple[Any, ...]] = ("-", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (10, 3)), (0, (1, 1)), "-")
"""One of each for each series, so that nobody needs colours to tell them apart."""
STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ostbahn",
    "text.parse_math": False,
    "font.family": FONT,
    "font.size": 12,
    "axes.linewidth": 0.8,
    "path.simplify": False,
}
WIDTH: Final = 760
"""Of a chart, in pixels."""
_ALONE: Final = Lock()
"""Matplotlib's settings hold for a whole process, so one chart is drawn at a time."""


def ink(name: str) -> str:
    """The stand-in of an ink."""
    return f"#01fe{list(INKS).index(name):02x}"


def series_ink(index: int) -> str:
    return ink(f"series-{index % 7}")


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """Room for a chart, in pixels."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    figure.patch.set_alpha(0)
    return figure


def drawn(chart: Callable[Concatenate[str, P], Figure]) -> Callable[Concatenate[str, P], Drawing]:
    """A function that makes a chart of a name and something else, as one that draws it in our style."""

    @functools.wraps(chart)
    def draw(name: str, /, *args: P.args, **kwargs: P.kwargs) -> Drawing:
        _letters()
        with _ALONE, rc_context(STYLE), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of letters in names that the font lacks; a browser finds them elsewhere
            return Drawing(name=name, svg=_ours(_written(chart(name, *args, **kwargs)), name))

    return draw


@cache
def _letters() -> None:
    """Make the font of our pictures known, so that text is as wide as it will be in a PDF, on every machine."""
    for file in sorted(font_folder().glob("*.ttf")):
        font_manager.fontManager.addfont(str(file))


def _written(figure: Figure) -> str:
    buffer = StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return buffer.getvalue()


def _ours(svg: str, name: str) -> str:
    """Without what only matplotlib needs, and with inks for their stand-ins."""
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", "", svg, flags=re.DOTALL)
    found = re.search(r'<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)</svg>', svg, re.DOTALL)
    assert found is not None
    view, inner = found[1], _without_ids(found[2].replace("xlink:href", "href"), name)
    inner = re.sub(r"#01fe([0-9a-f]{2})", lambda each: f"var(--{list(INKS)[int(each[1], 16)]})", inner)
    inner = re.sub(r">\s+<", "><", inner)
    width, height = view.split()[2:]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{width}" height="{height}" role="img" '
        f'stroke-linejoin="round" stroke-linecap="butt"><title>{escape(name)}</title>{inner.strip()}</svg>'
    )


def _without_ids(svg: str, name: str) -> str:
    """Ids that nothing refers to go; the others say which chart they belong to, since a page has several."""
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    own = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    svg = re.sub(r' id="([^"]+)"', lambda each: f' id="{own}-{each[1]}"' if each[1] in used else "", svg)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{own}-", svg)


def in_light(svg: str, inks: Mapping[str, tuple[str, str]]) -> str:
    """The same with the colours themselves, for whoever knows no variables."""
    return re.sub(r"var\(--([\w-]+)\)", lambda each: inks[each[1]][0], svg)
