"""Themes: all colours of pages and pictures, read from `data/themes.toml`; style sheets get them as custom
properties."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from ostbahn.kits.data import Spec, read_data


class Theme(Spec, frozen=True):
    name: str
    scheme: str
    """`light` or `dark`, the CSS `color-scheme`."""
    paper: str
    card: str
    ink: str
    faint: str
    edge: str
    land: str
    abroad: str
    """The band of land around the map."""
    frontier: str
    """The line between them."""
    border: str
    track: str
    bare_track: str
    """Track printed on bare hexes."""
    rim: str
    """Light edge of track at crossings."""
    tiles: Mapping[str, str]
    water: str
    river: str
    brook: str
    hill: str
    mountain: str
    slot: str
    value: str
    highlight: str
    routes: tuple[str, ...]
    """One per train, combined with dashes."""
    route_rim: str
    companies: tuple[str, ...]
    """For companies without a colour of their own."""
    series: tuple[str, ...]
    """Chart colours after Okabe and Ito for the colour-blind, darkened so that paper-coloured letters are legible on
    them."""
    page: Mapping[str, str]

    def __hash__(self) -> int:
        """Hashable, for caches of drawings."""
        return hash((self.name, self.paper))

    @property
    def properties(self) -> dict[str, str]:
        """All colours of pages, by custom property."""
        numbered = {f"route-{at}": colour for at, colour in enumerate(self.routes)}
        numbered |= {f"series-{at}": colour for at, colour in enumerate(self.series)}
        shared = {"paper": self.paper, "card": self.card, "ink": self.ink}
        return {**shared, **self.tiles, **self.page, **numbered}


def _themes(file: dict[str, dict[str, Any]]) -> dict[str, Theme]:
    """Complete each theme with the values of the light one."""
    first = file["light"]
    whole = {name: {**first, **own, "page": first["page"] | own["page"], "name": name} for name, own in file.items()}
    return msgspec.convert(whole, dict[str, Theme])


_FILE: Final = read_data("themes", "ostbahn.pictures", "themes.toml", dict[str, dict[str, Any]])
SHARED: Final[Mapping[str, str]] = _FILE.pop("shared")
"""Fonts and sizes of style sheets, by custom property."""
THEMES: Final[Mapping[str, Theme]] = _themes(_FILE)
LIGHT: Final = THEMES["light"]
DARK: Final = THEMES["dark"]
DASHES: Final = ("", "14 5", "4 4", "14 4 4 4", "8 3 2 3 2 3")
"""A dash pattern per train."""


@cache
def style_sheet() -> str:
    """Custom properties for the chosen theme, else for the system's preference."""
    dark = _declared(DARK)
    rules = [
        f":root{{{_properties(SHARED)}{_declared(LIGHT)}}}",
        *(f':root[data-theme="{name}"]{{{_declared(theme)}}}' for name, theme in THEMES.items() if theme != LIGHT),
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{dark}}}}}",
    ]
    return "\n".join(rules) + "\n"


def _declared(theme: Theme) -> str:
    """The properties in which a theme differs from the light one."""
    before = {} if theme == LIGHT else LIGHT.properties
    own = {name: value for name, value in theme.properties.items() if before.get(name) != value}
    return f"color-scheme:{theme.scheme};{_properties(own)}"


def _properties(values: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in values.items())


DARK_INK: Final = "#000000"
"""Black, since on medium colours only black or white is legible."""
LIGHT_INK: Final = "#ffffff"


class Mark(NamedTuple):
    """A station mark: letters on a colour."""

    letters: str
    colour: str
    ink: str


def mark(letters: str, colour: str) -> Mark:
    """A mark with a legible letter colour."""
    return Mark(letters, colour, ink_on(colour))


def ink_on(colour: str) -> str:
    """The ink with more contrast on a colour."""
    return max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance from 0 to 1 (WCAG)."""
    parts = [part / 255 for part in _parts(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def mix_colours(one: str, other: str, part: float) -> str:
    """Mix two colours, `part` of the first."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def _parts(colour: str) -> list[int]:
    """RGB components from 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
