"""Small maps for a report. A map is drawn in light and in dark, and of the two one is made whose colours have names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.pictures.clippings import draw_clipping
from ostbahn.pictures.look import scene_of
from ostbahn.pictures.routes import DrawnRoute
from ostbahn.pictures.themes import DARK, LIGHT
from ostbahn.review.parts import Drawing

COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b")


class Maps:
    """Draws maps, and knows the colours of all of them."""

    def __init__(self) -> None:
        self.inks: dict[str, tuple[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def routes(
        self, game: Game, routes: Sequence[DrawnRoute], name: str, heading: str = "", around: Iterable[str] = ()
    ) -> Drawing:
        """Where trains went, on the board of a moment; around: what is to be seen too."""
        scene, around = scene_of(game), tuple(around)
        light, dark = (draw_clipping(scene, routes, around, theme, name) for theme in (LIGHT, DARK))
        return Drawing(name=name, svg=self._both(light, dark), heading=heading)

    def _both(self, light: str, dark: str) -> str:
        others = iter(COLOUR.findall(dark))
        return COLOUR.sub(lambda each: self._ink(each[0], next(others)), light)

    def _ink(self, light: str, dark: str) -> str:
        if light == dark:
            return light
        name = self._names.setdefault((light, dark), f"map-{len(self._names)}")
        self.inks[name] = (light, dark)
        return f"var(--{name})"
