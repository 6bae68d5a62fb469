"""What a report is made of, as plain data: sections with drawings and tables. How it looks is said elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

Told = Callable[[str, int, int], None]
"""Hears what is being done, how much of it is done, and how much there is of it."""


class DataTable(Struct, frozen=True, kw_only=True):
    """Figures in rows, ready to be read."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    """How many columns, from the left, hold words; the others hold figures."""
    total: bool = False
    """Whether the last row is what the others come to."""


class Drawing(Struct, frozen=True, kw_only=True):
    """An SVG whose colours are `var(--…)`, so that one serves for light, dark and print."""

    name: str
    """What it shows, for those who do not see it."""
    svg: str
    heading: str = ""
    """What stands above it where several lie beside each other."""


class Exhibit(Struct, frozen=True, kw_only=True):
    """Something to look at, and the same in figures."""

    heading: str
    words: str = ""
    drawings: tuple[Drawing, ...] = ()
    """Several lie side by side, as many as there is room for."""
    panels: bool = False
    """Whether its drawings are small multiples."""
    table: DataTable | None = None


class Section(Struct, frozen=True, kw_only=True):
    id: str
    heading: str
    words: tuple[str, ...] = ()
    """A paragraph each."""
    exhibits: tuple[Exhibit, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    heading: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    """What there is to know before one begins to read: name and value."""
    sections: tuple[Section, ...]
    inks: dict[str, tuple[str, str]]
    """The colours of its drawings by the name of their variable: in light and in dark."""
    foot: str = ""
