"""What may be printed on the hexes of a board from a file: what the rules know, and what a picture has room for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ostbahn.kernel.map.board import PrintedHex
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import COLOURS, Node
from ostbahn.kits.data import HIGHEST, LONGEST_NAME, is_name

MOST_PLACES: Final = 4
"""Cities and towns in a hex."""
KINDS: Final = {"city": "city", "town": "town", "red": "red area"}
"""What a node may be, and what it is called."""
MOST_SLOTS: Final = 4
GROUNDS: Final = ("open", "yellow", "grey", "red")
TERRAINS: Final = ("river", "hill", "mountain")


def faults_in(hex_: PrintedHex, labels: Collection[str | None]) -> Iterator[str]:
    """What is wrong with a hex."""
    yield from _names(hex_)
    if hex_.label not in labels:
        yield f"no tile is marked {hex_.label}"
    if hex_.label_from not in (None, *COLOURS):
        yield f"a label binds from a colour on, {', '.join(COLOURS)}, not from {hex_.label_from}"
    if hex_.ground not in GROUNDS:
        yield f"the ground is {', '.join(GROUNDS[:-1])} or {GROUNDS[-1]}, not {hex_.ground}"
    if hex_.terrain not in (None, *TERRAINS) or (hex_.cost and not hex_.terrain):
        yield "a cost comes from a river, a hill or a mountain"
    if not 0 <= hex_.cost <= HIGHEST:
        yield f"a cost comes from terrain, and is 0 to {HIGHEST} K"
    yield from _places(hex_)
    yield from _track(hex_)


def _names(hex_: PrintedHex) -> Iterator[str]:
    for name in (hex_.name, *hex_.city_names, *hex_.symbols):
        parts = [] if name is None else name.split(" & ")
        if len(parts) > 2 or not all(map(is_name, parts)):
            yield f"a name is one line of at most {LONGEST_NAME} letters, or two names with & between them"
    if hex_.city_names and [node.kind for node in hex_.nodes] != ["city"] * len(hex_.city_names):
        yield "names of cities are for hexes with nothing but cities, one for each"


def _places(hex_: PrintedHex) -> Iterator[str]:
    if len(hex_.nodes) > MOST_PLACES:
        yield f"it has {len(hex_.nodes)} nodes, and at most {MOST_PLACES} have room"
    for node in hex_.nodes:
        if node.kind not in KINDS:
            yield f"a node is of kind {', '.join(KINDS)}, not {node.kind}"
            return
        what = KINDS[node.kind]
        if node.kind == "city" and not 1 <= node.slots <= MOST_SLOTS:
            yield f"a city has 1 to {MOST_SLOTS} slots, not {node.slots}"
        if node.kind != "city" and node.slots:
            yield f"a {what} has no slots for stations, not {node.slots}"
        if not all(0 <= value <= HIGHEST for value in _values(node)):
            yield f"a {what} is worth 0 to {HIGHEST} K"
        if not isinstance(node.value, int) and set(node.value) != set(COLOURS):
            yield f"a {what} whose value changes has one for {', '.join(COLOURS)}"
        if node.location is not None and not is_name(node.location):
            yield f"the location of a {what} is one line of at most {LONGEST_NAME} letters"


def _values(node: Node) -> Collection[int]:
    return (node.value,) if isinstance(node.value, int) else node.value.values()


def _track(hex_: PrintedHex) -> Iterator[str]:
    sides = {*hex_.stubs, *hex_.barriers, *(side for shore in hex_.shores for side in shore)}
    sides |= {end for piece in hex_.track for end in piece if isinstance(end, str)}
    if not sides <= set(DIRECTIONS):
        yield f"sides are called {', '.join(DIRECTIONS)}"
    for one, other in hex_.track:
        if isinstance(one, int) == isinstance(other, int) and (isinstance(one, int) or one == other):
            yield "a piece of track joins two sides, or a side and a node"
    nodes = {end for piece in hex_.track for end in piece if isinstance(end, int)}
    if not nodes <= set(range(len(hex_.nodes))):
        yield "its track leads to a node that it does not have"
