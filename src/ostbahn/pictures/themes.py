"""Colours: a light, a dark and a colour-blind safe set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Theme(NamedTuple):
    """What is drawn in which colour."""

    name: str
    paper: str
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

    def __hash__(self) -> int:
        """So that what was drawn can be remembered with its theme."""
        return hash((self.name, self.paper, self.ink, self.land, *self.tiles.values(), self.routes))


LIGHT: Final = Theme(
    name="light",
    paper="#fbf9f4",
    ink="#222222",
    faint="#7d7869",
    edge="#1d1d1d",
    land="#f2f1e4",
    abroad="#e4e2d3",
    frontier="#a08c78",
    border="#a9a693",
    track="#1d1d1d",
    bare_track="#1d1d1d",
    rim="#ffffff",
    tiles={"yellow": "#f3d95c", "green": "#7fb685", "brown": "#b98a5a", "grey": "#b8bcc0", "red": "#d9776a"},
    water="#25689f",
    river="#4f8fbf",
    brook="#b4d0e0",
    hill="#7a6226",
    mountain="#7d5c3c",
    slot="#ffffff",
    value="#ffffff",
    highlight="#d81b60",
    routes=("#d1495b", "#1f6fb2", "#2e8b57", "#7b4fa3", "#c9731d"),
    route_rim="#ffffff",
    companies=("#355070", "#6d597a", "#b56576", "#e56b6f", "#457b6f", "#9a7b2f", "#3d5a80"),
)

DARK: Final = LIGHT._replace(
    name="dark",
    paper="#1e2124",
    ink="#ececec",
    faint="#9aa0a6",
    land="#343b36",
    abroad="#272c2b",
    frontier="#8d8272",
    border="#1b1f1d",
    track="#101010",
    bare_track="#d6d8d4",
    rim="#e8e8e8",
    tiles={"yellow": "#cdb23e", "green": "#66a472", "brown": "#b3865a", "grey": "#989fa5", "red": "#cd786c"},
    water="#86c0ea",
    river="#5b9fd0",
    brook="#41586a",
    hill="#d3b67f",
    mountain="#cfae8b",
    slot="#f4f4f4",
    value="#f4f4f4",
    highlight="#ff5c93",
    routes=("#ff6b7d", "#4aa8ff", "#4fd18b", "#c08bff", "#ffa53d"),
    route_rim="#101010",
)

COLOUR_BLIND: Final = LIGHT._replace(
    name="colour-blind",
    tiles={"yellow": "#f2e36b", "green": "#7cc4e4", "brown": "#c4742c", "grey": "#e2e4e6", "red": "#e9a0a0"},
    highlight="#000000",
    routes=("#0072b2", "#b3371c", "#007a5a", "#000000", "#7a4fa8"),
)

THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in (LIGHT, DARK, COLOUR_BLIND)}
DASHES: Final = ("", "14 5", "4 4", "14 4 4 4", "8 3 2 3 2 3")
"""A dash for each train of a run."""
