"""What is printed on hexes and tiles, as data files describe it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

NodeKind = Literal["city", "town", "red", "mine"]


class Node(Struct, frozen=True, forbid_unknown_fields=True):
    kind: NodeKind
    value: int | Mapping[str, int] = 0
    """Revenue; red tiles, off-board areas and mines have a value for each colour of the phase."""
    slots: int = 0
    location: str | None = None
    """Nodes with the same location count as one place for a route."""


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile at rotation 0."""

    colour: str
    count: int
    track: tuple[tuple[str | int, str | int], ...]
    nodes: tuple[Node, ...] = ()
    label: str | None = None
    purple: bool = False
    company: str | None = None
    back: str | None = None
    """The other face of a double-sided tile; both share the `count`."""
    promotion_cost: int = 0
    rotations: tuple[int, ...] | None = None
    """The only rotations that it may have; None for all."""


class PrintedHex(Struct, frozen=True, forbid_unknown_fields=True):
    name: str | None = None
    ground: str = "open"
    """`open`, or the colour it is printed in: it then counts as a tile of that colour."""
    terrain: str | None = None
    cost: int = 0
    nodes: tuple[Node, ...] = ()
    track: tuple[tuple[str | int, str | int], ...] = ()
    label: str | None = None
    stubs: tuple[str, ...] = ()
    """Sides towards which a short piece of track is printed; every tile laid here must keep them."""
    reserved_for: str | None = None
    """The only company whose red home tile may lie here."""
    label_from: str | None = None
    """The first tile colour that needs the label; earlier ones have none."""
    barriers: tuple[str, ...] = ()
    """Sides that no track may meet; both hexes at such a side name it."""
    shores: tuple[tuple[str, ...], ...] = ()
    """Groups of sides: a piece of track may join sides of one group only (a lake lies between the groups)."""
    symbols: Mapping[str, int] = {}
    """How often each kind of terrain is printed, where there are several."""
    city_names: tuple[str, ...] = ()
    """The names of several cities, in the order of the nodes."""
