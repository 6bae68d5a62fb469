"""Connections by brute force, to hold the engine's search against: every trail, one step after the other.

Nothing here knows masks, faces or bits: a tile is its list of track pieces as printed in the data file,
a side is its name, and the way back is by undoing the last step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from ostbahn.kernel.map.board import Board, PrintedHex
from ostbahn.kernel.map.tiles import Node, Tile

COMPASS = ("SW", "W", "NW", "NE", "E", "SE")
STEPS = {"SW": (1, -1), "W": (0, -2), "NW": (-1, -1), "NE": (-1, 1), "E": (0, 2), "SE": (1, 1)}
BACK = {"SW": "NE", "W": "E", "NW": "SE", "NE": "SW", "E": "W", "SE": "NW"}
End = str | int
Piece = tuple[End, End]


class TooLong(Exception):
    """The board has more trails than a test has time for."""


@cache
def beyond(hex_id: str, side: str) -> str:
    """The hex on the other side."""
    down, right = STEPS[side]
    return chr(ord(hex_id[0]) + down) + str(int(hex_id[1:]) + right)


def turned(end: End, rotation: int) -> End:
    return COMPASS[(COMPASS.index(end) + rotation) % 6] if isinstance(end, str) else end


def exits(tile: Tile, rotation: int) -> frozenset[str]:
    """The sides that the track of a tile reaches."""
    return _exits(tile.track, rotation)


@cache
def _exits(track: tuple[Piece, ...], rotation: int) -> frozenset[str]:
    return frozenset(str(turned(end, rotation)) for piece in track for end in piece if isinstance(end, str))


class Land:
    """A board with everything that lies on it, laid or printed."""

    def __init__(self, printed: Mapping[str, PrintedHex], tiles: Mapping[str, Tile], board: Board) -> None:
        self.printed = printed
        self.tiles = tiles
        self.board = board

    def pieces(self, hex_id: str) -> list[Piece]:
        laid = self.board.tiles.get(hex_id)
        if laid is None:
            return list(self.printed[hex_id].track)
        name, rotation = laid
        return [(turned(first, rotation), turned(second, rotation)) for first, second in self.tiles[name].track]

    def node(self, city: str) -> Node:
        hex_id, number = city.split(".")
        laid = self.board.tiles.get(hex_id)
        nodes = self.printed[hex_id].nodes if laid is None else self.tiles[laid[0]].nodes
        return nodes[int(number)]

    def from_side(self, hex_id: str, side: str) -> Iterator[End]:
        """Where the track that begins at a side of a hex leads."""
        for first, second in self.pieces(hex_id):
            if first == side:
                yield second
            elif second == side:
                yield first

    def from_node(self, city: str) -> Iterator[str]:
        """The sides to which the track of a revenue location leads."""
        hex_id, number = city.split(".")
        for first, second in self.pieces(hex_id):
            if second == int(number):
                yield str(first)
            elif first == int(number):
                yield str(second)

    def ends_there(self, city: str, company: str) -> bool:
        """Whether nobody of that company gets past: a red tile, or a city full of others' stations."""
        node = self.node(city)
        companies = self.board.stations.get(city, ())
        return node.kind == "red" or (node.kind == "city" and company not in companies and len(companies) == node.slots)

    def cities(self) -> list[str]:
        """All cities that lie on tiles."""
        return [
            f"{hex_id}.{number}"
            for hex_id, (name, _) in self.board.tiles.items()
            for number, node in enumerate(self.tiles[name].nodes)
            if node.kind == "city"
        ]


class Trails:
    """What a company reaches over trails: no side and no location twice, no turning round on the track."""

    def __init__(self, land: Land, company: str, budget: int = 100_000) -> None:
        self.land = land
        self.company = company
        self.budget = budget
        self.nodes: set[str] = set()
        self.sides: dict[str, set[str]] = {}
        self.crossed: list[frozenset[str]] = []
        self.visited: list[str] = []
        for city in land.board.stations_of(company):
            hex_id, _, number = city.partition(".")
            self.sides[hex_id] = {side for side in COMPASS if beyond(hex_id, side) in land.printed}
            if number:
                self._call_at(city, None)

    def _call_at(self, city: str, came_by: str | None) -> None:
        if city in self.visited:
            return
        self.nodes.add(city)
        if came_by is not None and self.land.ends_there(city, self.company):
            return
        self.visited.append(city)
        for side in self.land.from_node(city):
            if side != came_by:
                self._cross(city.split(".")[0], side)
        self.visited.pop()

    def _cross(self, here: str, side: str) -> None:
        there, entry = beyond(here, side), BACK[side]
        border = frozenset((here, there))
        if there not in self.land.printed or border in self.crossed:
            return
        self.budget -= 1
        if self.budget < 0:
            raise TooLong
        self.sides.setdefault(here, set()).add(side)
        self.sides.setdefault(there, set()).add(entry)
        self.crossed.append(border)
        for end in self.land.from_side(there, entry):
            if isinstance(end, str):
                self._cross(there, end)
            else:
                self._call_at(f"{there}.{end}", entry)
        self.crossed.pop()


def careless(land: Land, company: str) -> set[str]:
    """What one would reach if a way could use the same track and the same location again."""
    nodes: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting: list[tuple[str, str]] = []
    for city in land.board.stations_of(company):
        nodes.add(city)
        waiting += [(city.split(".")[0], side) for side in land.from_node(city)]
    while waiting:
        here, side = waiting.pop()
        there, entry = beyond(here, side), BACK[side]
        if there not in land.printed or (there, entry) in seen:
            continue
        seen.add((there, entry))
        for end in land.from_side(there, entry):
            if isinstance(end, str):
                waiting.append((there, end))
                continue
            city = f"{there}.{end}"
            nodes.add(city)
            if not land.ends_there(city, company):
                waiting += [(there, other) for other in land.from_node(city) if other != entry]
    return nodes


# Boards made at random


def random_board(
    chance: Random, printed: Mapping[str, PrintedHex], tiles: Mapping[str, Tile], companies: tuple[str, ...]
) -> Board:
    """Tiles side by side on 8 to 25 hexes, many of them junctions, with stations in their cities."""
    laid: dict[str, tuple[str, int]] = {}
    for hex_id in _patch(chance, printed, chance.randint(8, 25)):
        choices = [
            (name, rotation)
            for name in _some_tiles(chance, printed[hex_id], tiles)
            for rotation in range(6)
            if all(beyond(hex_id, side) in printed for side in exits(tiles[name], rotation))
        ]
        chance.shuffle(choices)
        if choices:
            laid[hex_id] = _best_joined(hex_id, choices, laid, tiles)
    return Board(laid, _stations(chance, Land(printed, tiles, Board(laid, {})), companies))


def _patch(chance: Random, printed: Mapping[str, PrintedHex], size: int) -> list[str]:
    """Hexes that lie together; one that touches more of the others is more likely to come next."""
    patch = [chance.choice([name for name, hex_ in printed.items() if hex_.ground != "red"])]
    while len(patch) < size:
        around = [beyond(name, side) for name in patch for side in COMPASS]
        patch.append(chance.choice([name for name in around if name in printed and name not in patch]))
    return patch


def _some_tiles(chance: Random, hex_: PrintedHex, tiles: Mapping[str, Tile]) -> list[str]:
    """A few tiles to choose from, more of them plain ones than there are in the game."""
    if hex_.ground == "grey":
        return []
    if hex_.reserved_for:
        return [name for name, tile in tiles.items() if tile.company == hex_.reserved_for]
    plain = chance.random() < 0.8
    return chance.sample(
        [name for name, tile in tiles.items() if tile.colour != "red" and plain == (not tile.nodes)], 4
    )


def _best_joined(
    hex_id: str, choices: list[tuple[str, int]], laid: Mapping[str, tuple[str, int]], tiles: Mapping[str, Tile]
) -> tuple[str, int]:
    """The choice whose track meets that of most neighbours."""

    def joins(choice: tuple[str, int]) -> int:
        met = 0
        for side in exits(tiles[choice[0]], choice[1]):
            name, rotation = laid.get(beyond(hex_id, side), (None, 0))
            met += name is not None and BACK[side] in exits(tiles[name], rotation)
        return met

    return max(choices, key=joins)


def _stations(chance: Random, land: Land, companies: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    stations = {}
    for city in land.cities():
        here = chance.sample(companies, k=min(len(companies), chance.randint(0, land.node(city).slots)))
        if here:
            stations[city] = tuple(here)
    return stations


def crowded_board(chance: Random, printed: Mapping[str, PrintedHex], tiles: Mapping[str, Tile]) -> Board:
    """A late board such as the box allows: 50 to 90 hexes with what belongs there, few of them yellow."""
    left = {name: tile.count for name, tile in tiles.items()}
    laid: dict[str, tuple[str, int]] = {}
    for hex_id in _patch(chance, printed, chance.choice((50, 70, 90))):
        choices = [
            (name, rotation)
            for name, tile in tiles.items()
            if left[name] and _belongs(tile, printed[hex_id]) and (tile.colour != "yellow" or chance.random() < 0.2)
            for rotation in range(6)
            if all(beyond(hex_id, side) in printed for side in exits(tile, rotation))
        ]
        chance.shuffle(choices)
        if choices:
            laid[hex_id] = _best_joined(hex_id, choices, laid, tiles)
            left[laid[hex_id][0]] -= 1
    cities = Land(printed, tiles, Board(laid, {})).cities()
    return Board(laid, {city: ("K",) for city in chance.sample(cities, 3)})


def _belongs(tile: Tile, hex_: PrintedHex) -> bool:
    """Whether a tile, of whatever colour, is made for such a hex."""
    kinds = {node.kind for node in hex_.nodes}
    return (
        hex_.ground in ("open", "yellow") and tile.label == hex_.label and {node.kind for node in tile.nodes} == kinds
    )
