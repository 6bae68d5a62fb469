"""The board of Moravia-Silesia (18CZ XI.2): a file with hexes, homes and papers that users can replace.

Errors in it are reported with their line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import resources
from typing import Any, Final, Literal, TypeVar

import msgspec

from ostbahn.kernel.errors import BadData
from ostbahn.kernel.map.board import Map, PrintedHex
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import COLOURS, Node, TileSet
from ostbahn.kernel.native import Lookup
from ostbahn.kits.data import MAX_NAME_LENGTH, MAX_PRICE, Spec, is_name, read_toml
from ostbahn.titles.cz.title import SIZES, Tables

BOARD: Final = "moravia_board.toml"
HEX: Final = re.compile(r"[A-Z](0|[1-9][0-9]?)")
MOST_HEXES: Final = 200
"""Limit on hexes; the base game has 107."""
MOST_TRACK: Final = 30
"""Limit on printed pieces of track, so that route searches can finish."""
LONGEST_REASON: Final = 4000
MOST_PLACES: Final = 4
"""Limit on cities and towns in a hex."""
KINDS: Final = {"city": "city", "town": "town", "red": "red area"}
"""Allowed kinds of nodes, with their names."""
MOST_SLOTS: Final = 4
GROUNDS: Final = ("open", "yellow", "grey", "red")
TERRAINS: Final = ("river", "hill", "mountain")
T = TypeVar("T")


class PaperSpec(Spec, frozen=True):
    """A private paper: a train, the Mährische Westbahn, or a Local Railway."""

    kind: Literal["train", "railway", "local"]
    name: str
    minimum: int
    size: str | None = None
    home: str | None = None


class MoraviaBoard(Spec, frozen=True):
    reconstruction: str
    """Note on how the board may differ from the printed one; empty if it does not."""
    hexes: Lookup[str, PrintedHex]
    homes: Lookup[str, tuple[str, ...]]
    red_value: int
    """Value of red tiles in the yellow phase."""
    papers: Lookup[str, PaperSpec]


def our_board() -> str:
    """Return the text of the board file in the package."""
    return resources.files(__package__).joinpath("data", BOARD).read_text(encoding="utf-8")


def read_board(text: str, base: Tables) -> MoraviaBoard:
    return _Reader(text, base).load_data()


class _Reader:
    def __init__(self, text: str, base: Tables) -> None:
        self.raw: dict[str, Any] = read_toml("the Moravia board", text)
        self.lines = text.splitlines()
        self.base = base

    def wrong(self, table: str, key: str, text: str) -> BadData:
        return BadData(f"the Moravia board, line {self.line(table, key)}: {text}")

    def line(self, table: str, key: str) -> int:
        """Return the line of a key in a table, otherwise of the table, otherwise the first."""
        current_table, nearest = "", 1
        for number, line in enumerate(self.lines, start=1):
            if header := re.match(r"\s*\[{1,2}([^\[\]]+)\]", line):
                current_table = re.sub(r"[\"']", "", header.group(1)).strip()
                nearest = number if current_table in (table, key) else nearest
                if current_table == f"{table}.{key}":
                    return number
            elif current_table == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return number
        return nearest

    def load_data(self) -> MoraviaBoard:
        known = {"reconstruction": str, "hexes": dict, "homes": dict, "red_tiles": dict, "privates": dict}
        for name, value in self.raw.items():
            if name not in known or not isinstance(value, known[name]):
                raise self.wrong("", name, f"{name} is unknown or of the wrong kind; there are {', '.join(known)}")
        for name in known:
            if name not in self.raw:
                raise BadData(f"the Moravia board says nothing about {name}")
        hexes = self.table("hexes", PrintedHex)
        homes = self.table("homes", tuple[str, ...])
        red = self.table("red_tiles", int)
        for colour, value in red.items():
            if colour != "yellow" or not 0 <= value <= MAX_PRICE:
                raise self.wrong("red_tiles", colour, f"{colour}: only yellow is needed here, 0 to {MAX_PRICE} K")
        papers = self.table("privates", PaperSpec)
        board = MoraviaBoard(self.raw["reconstruction"], hexes, homes, red.get("yellow", 0), papers)
        if len(board.reconstruction) > LONGEST_REASON:
            raise self.wrong("", "reconstruction", f"the reconstruction has at most {LONGEST_REASON} letters")
        self.check_hexes(board)
        self.check_homes(board)
        self.check_papers(board)
        return board

    def table(self, name: str, kind: type[T]) -> dict[str, T]:
        converted = {}
        for key, value in self.raw[name].items():
            try:
                converted[key] = msgspec.convert(value, kind)
            except msgspec.ValidationError as fault:
                raise self.wrong(name, key, f"{key}: {fault}") from None
        return converted

    # Consistency checks

    def check_hexes(self, board: MoraviaBoard) -> None:
        labels = {tile.label for tile in self.base.tiles.tiles.values()}
        for name, hex_ in board.hexes.items():
            if not HEX.fullmatch(name) or (ord(name[0]) - ord("A") + int(name[1:])) % 2 == 0:
                raise self.wrong("hexes", name, f"{name} is no hex: A7, B18 and so on are, but not A8")
            if fault := next(faults_in(hex_, labels), None):
                raise self.wrong("hexes", name, f"{name}: {fault}")
        if len(board.hexes) > MOST_HEXES:
            raise self.wrong("hexes", "", f"there are {len(board.hexes)} hexes, and at most {MOST_HEXES} are played on")
        pieces = sum(len(hex_.track) for hex_ in board.hexes.values())
        if pieces > MOST_TRACK:
            raise self.wrong("hexes", "", f"there are {pieces} pieces of track, and at most {MOST_TRACK} are printed")

    def check_homes(self, board: MoraviaBoard) -> None:
        large = [name for name, data in self.base.companies.companies.items() if data.size == "large"]
        tiles, map_ = TileSet(self.base.tiles.tiles), Map(board.hexes)
        for company in large:
            if not board.homes.get(company):
                raise self.wrong("homes", company, f"{company} has no home")
        for company, homes in board.homes.items():
            if company not in large:
                raise self.wrong("homes", company, f"there is no large company {company}, only {', '.join(large)}")
            tile = next(name for name, tile in self.base.tiles.tiles.items() if tile.company == company)
            for home in homes:
                hex_ = board.hexes.get(home)
                if hex_ is None or hex_.ground != "red" or hex_.reserved_for != company:
                    raise self.wrong("homes", company, f"{home} is no red hex that is reserved for {company}")
                if all(face.exits & ~map_[home].marked for face in tiles.faces[tile]):
                    raise self.wrong("homes", company, f"the red tile of {company} does not fit on {home} in any way")
        for name, hex_ in board.hexes.items():
            if hex_.reserved_for and name not in board.homes.get(hex_.reserved_for, ()):
                raise self.wrong("hexes", name, f"{name} is reserved for {hex_.reserved_for}, but is not its home")

    def check_papers(self, board: MoraviaBoard) -> None:
        kinds = [paper.kind for paper in board.papers.values()]
        if (kinds.count("train"), kinds.count("railway"), kinds.count("local")) != (1, 1, 3):
            raise self.wrong("privates", "", "there are five papers: one train, one railway, three local")
        for name, paper in board.papers.items():
            if not is_name(name) or not is_name(paper.name):
                raise self.wrong("privates", name, f"a name is one line of at most {MAX_NAME_LENGTH} letters")
            if not 0 <= paper.minimum <= MAX_PRICE:
                raise self.wrong("privates", name, f"{name}: a minimum bid is not below 0 K, and at most {MAX_PRICE} K")
            if (paper.kind == "local") != (paper.size in SIZES):
                sizes = ", ".join(SIZES)
                raise self.wrong("privates", name, f"{name}: a Local Railway has a size ({sizes}), others have none")
            if paper.home is not None and paper.kind != "railway":
                raise self.wrong("privates", name, f"{name}: only the railway has a home")
            if paper.kind == "railway":
                home = board.hexes.get(paper.home or "")
                if name != "MW" or home is None or [node.kind for node in home.nodes] != ["city"]:
                    raise self.wrong("privates", name, f"{name}: the railway is MW, at home on a hex with one city")
            if paper.kind == "train" and name != "3E":
                raise self.wrong("privates", name, f"{name}: the train is the 3E")


# Limits of a printed hex, by the rules and by the space in pictures


def faults_in(hex_: PrintedHex, labels: Collection[str | None]) -> Iterator[str]:
    """Yield a message for each fault in a hex."""
    yield from _name_faults(hex_)
    if hex_.label not in labels:
        yield f"no tile is marked {hex_.label}"
    if hex_.label_from not in (None, *COLOURS):
        yield f"a label binds from a colour on, {', '.join(COLOURS)}, not from {hex_.label_from}"
    if hex_.ground not in GROUNDS:
        yield f"the ground is {', '.join(GROUNDS[:-1])} or {GROUNDS[-1]}, not {hex_.ground}"
    if hex_.terrain not in (None, *TERRAINS) or (hex_.cost and not hex_.terrain):
        yield "a cost comes from a river, a hill or a mountain"
    if not 0 <= hex_.cost <= MAX_PRICE:
        yield f"a cost comes from terrain, and is 0 to {MAX_PRICE} K"
    yield from _node_faults(hex_)
    yield from _track_faults(hex_)


def _name_faults(hex_: PrintedHex) -> Iterator[str]:
    for name in (hex_.name, *hex_.city_names, *hex_.symbols):
        parts = [] if name is None else name.split(" & ")
        if len(parts) > 2 or not all(map(is_name, parts)):
            yield f"a name is one line of at most {MAX_NAME_LENGTH} letters, or two names with & between them"
    if hex_.city_names and [node.kind for node in hex_.nodes] != ["city"] * len(hex_.city_names):
        yield "names of cities are for hexes with nothing but cities, one for each"


def _node_faults(hex_: PrintedHex) -> Iterator[str]:
    if len(hex_.nodes) > MOST_PLACES:
        yield f"it has {len(hex_.nodes)} nodes, and at most {MOST_PLACES} have room"
    for node in hex_.nodes:
        if node.kind not in KINDS:
            yield f"a node is of kind {', '.join(KINDS)}, not {node.kind}"
            return
        kind = KINDS[node.kind]
        if node.kind == "city" and not 1 <= node.slots <= MOST_SLOTS:
            yield f"a city has 1 to {MOST_SLOTS} slots, not {node.slots}"
        if node.kind != "city" and node.slots:
            yield f"a {kind} has no slots for stations, not {node.slots}"
        if not all(0 <= value <= MAX_PRICE for value in _values_of(node)):
            yield f"a {kind} is worth 0 to {MAX_PRICE} K"
        if not isinstance(node.value, int) and set(node.value) != set(COLOURS):
            yield f"a {kind} whose value changes has one for {', '.join(COLOURS)}"
        if node.location is not None and not is_name(node.location):
            yield f"the location of a {kind} is one line of at most {MAX_NAME_LENGTH} letters"


def _values_of(node: Node) -> Collection[int]:
    return (node.value,) if isinstance(node.value, int) else node.value.values()


def _track_faults(hex_: PrintedHex) -> Iterator[str]:
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
