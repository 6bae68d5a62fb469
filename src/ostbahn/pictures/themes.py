"""Themes: the colours of pages and pictures, read from one file, and what is worked out from colours.

`data/themes.toml` is the only place where a colour of the page is written. Style sheets get it as custom properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from ostbahn.kits.data import Spec, read_data


class Theme(Spec, frozen=True):
    name: str
    scheme: str
    """`light` or `dark`: how browsers draw scroll bars and fields."""
    paper: str
    card: str
    """Cards and charters, a little off the paper."""
    ink: str
    """Text, borders and everything that is simply dark on the paper."""
    faint: str
    edge: str
    """Outlines on tiles, which are light in every theme."""
    land: str
    """Hexes on which nothing has been built."""
    abroad: str
    """The band of land around the map."""
    frontier: str
    """The line between them."""
    border: str
    track: str
    bare_track: str
    """Of the little track that is printed where nothing has been built."""
    rim: str
    """The lighter line along track that keeps crossings apart."""
    tiles: Mapping[str, str]
    water: str
    """Lakes, and what is written of rivers."""
    river: str
    """Where it costs something to cross one."""
    brook: str
    """Where it does not."""
    hill: str
    mountain: str
    slot: str
    value: str
    highlight: str
    routes: tuple[str, ...]
    """One for each train; dashes tell them apart as well."""
    route_rim: str
    companies: tuple[str, ...]
    """For companies without a colour of their own."""
    series: tuple[str, ...]
    """Of figures. After Okabe and Ito, but as dark as letters: easy to tell apart for the colour-blind, and
    paper-coloured letters can be read on them."""
    page: Mapping[str, str]
    """What only pages use, by the name of the custom property."""

    def __hash__(self) -> int:
        """So that what was drawn can be remembered with its theme."""
        return hash((self.name, self.paper))

    @property
    def properties(self) -> dict[str, str]:
        """The colours of pages, by the name of the custom property."""
        numbered = {f"route-{at}": colour for at, colour in enumerate(self.routes)}
        numbered |= {f"series-{at}": colour for at, colour in enumerate(self.series)}
        shared = {"paper": self.paper, "card": self.card, "ink": self.ink}
        return {**shared, **self.tiles, **self.page, **numbered}


def _themes(file: dict[str, dict[str, Any]]) -> dict[str, Theme]:
    """Every theme is the light one with some of it replaced."""
    first = file["light"]
    whole = {name: {**first, **own, "page": first["page"] | own["page"], "name": name} for name, own in file.items()}
    return msgspec.convert(whole, dict[str, Theme])


_FILE: Final = read_data("themes", "ostbahn.pictures", "themes.toml", dict[str, dict[str, Any]])
SHARED: Final[Mapping[str, str]] = _FILE.pop("shared")
"""Fonts and scales of style sheets, by the name of the custom property."""
THEMES: Final[Mapping[str, Theme]] = _themes(_FILE)
LIGHT: Final = THEMES["light"]
DARK: Final = THEMES["dark"]
DASHES: Final = ("", "14 5", "4 4", "14 4 4 4", "8 3 2 3 2 3")
"""A dash for each train of a run."""


@cache
def style_sheet() -> str:
    """The custom properties of pages, with the colours of the chosen theme, or without a choice of the system's."""
    dark = _declared(DARK)
    rules = [
        f":root{{{_properties(SHARED)}{_declared(LIGHT)}}}",
        *(f':root[data-theme="{name}"]{{{_declared(theme)}}}' for name, theme in THEMES.items() if theme != LIGHT),
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{dark}}}}}",
    ]
    return "\n".join(rules) + "\n"


def _declared(theme: Theme) -> str:
    """What a theme has otherwise than the light one, which has everything."""
    before = {} if theme == LIGHT else LIGHT.properties
    own = {name: value for name, value in theme.properties.items() if before.get(name) != value}
    return f"color-scheme:{theme.scheme};{_properties(own)}"


def _properties(values: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in values.items())


DARK_INK: Final = "#000000"
"""Nothing brighter: on a colour of middling brightness only black or white are read easily."""
LIGHT_INK: Final = "#ffffff"


class Mark(NamedTuple):
    """A station as it is drawn: letters on a colour."""

    letters: str
    colour: str
    ink: str


def mark(letters: str, colour: str) -> Mark:
    """How a company looks: letters on its colour, so that companies can be told apart without colour too."""
    return Mark(letters, colour, ink_on(colour))


def ink_on(colour: str) -> str:
    """Dark or light letters, whichever are read more easily on a colour."""
    return max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    """How bright a colour looks, from 0 to 1 (WCAG)."""
    parts = [part / 255 for part in _parts(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def mix_colours(one: str, other: str, part: float) -> str:
    """So much of one colour in another."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def _parts(colour: str) -> list[int]:
    """Red, green and blue, each from 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
