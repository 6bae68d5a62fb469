"""Track tiles: what is printed on them, how they look when turned, and which may replace which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Final, Literal

from msgspec import Struct

from ostbahn.kernel.map.hexes import DIRECTIONS, rotate_mask, sides_of

NodeKind = Literal["city", "town", "red", "mine"]
COLOURS: Final = ("yellow", "green", "brown", "grey")


class Node(Struct, frozen=True, forbid_unknown_fields=True):
    """A revenue location on a tile or on a printed hex."""

    kind: NodeKind
    value: int | Mapping[str, int] = 0
    """What it pays; a red tile, an off-board area or a mine has a value for each colour of the phase."""
    slots: int = 0
    location: str | None = None
    """Nodes with the same location count as one place for a route."""


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of tile, as it lies at rotation 0."""

    colour: str
    count: int
    track: tuple[tuple[str | int, str | int], ...]
    nodes: tuple[Node, ...] = ()
    label: str | None = None
    purple: bool = False
    company: str | None = None
    """A red home tile belongs to one company."""
    back: str | None = None
    """The other face of a double-sided tile; both share the `count`."""
    promotion_cost: int = 0
    """What promoting the tile costs, if anything."""
    rotations: tuple[int, ...] | None = None
    """The only rotations in which it may lie, if there is a choice of them."""


class Face:
    """A tile (or printed hex) at one rotation, prepared for following its track."""

    __slots__ = ("exits", "kinds", "node_at", "node_exits", "nodes", "pairs", "through")

    def __init__(self, nodes: tuple[Node, ...], node_exits: tuple[int, ...], pairs: frozenset[int]) -> None:
        self.nodes = nodes
        self.kinds = tuple(sorted(node.kind for node in nodes))
        self.node_exits = node_exits
        """For each node the set of sides that its track reaches."""
        self.pairs = pairs
        """Plain track: each piece as the set of the two sides it joins."""
        self.through = tuple(
            tuple(other for pair in sorted(pairs) if pair >> side & 1 for other in sides_of(pair & ~(1 << side)))
            for side in range(6)
        )
        self.node_at = tuple(
            tuple(index for index, exits in enumerate(node_exits) if exits >> side & 1) for side in range(6)
        )
        self.exits = 0
        for mask in (*node_exits, *pairs):
            self.exits |= mask

    @property
    def looks(self) -> tuple[frozenset[int], tuple[tuple[int, int], ...]]:
        """The same for faces of one tile between which nobody sees a difference: equal nodes may change places."""
        nodes = sorted((self.nodes.index(node), exits) for node, exits in zip(self.nodes, self.node_exits, strict=True))
        return self.pairs, tuple(nodes)

    def turned(self, rotation: int) -> Face:
        return Face(
            self.nodes,
            tuple(rotate_mask(mask, rotation) for mask in self.node_exits),
            frozenset(rotate_mask(pair, rotation) for pair in self.pairs),
        )


def face_of(nodes: tuple[Node, ...], track: tuple[tuple[str | int, str | int], ...]) -> Face:
    """The face that a description of nodes and track gives at rotation 0."""
    exits = [0] * len(nodes)
    pairs = set()
    for first, second in track:
        ends = [DIRECTIONS.index(end) if isinstance(end, str) else end for end in (first, second)]
        if isinstance(first, str) and isinstance(second, str):
            pairs.add(1 << ends[0] | 1 << ends[1])
        elif isinstance(first, str):
            exits[ends[1]] |= 1 << ends[0]
        else:
            exits[ends[0]] |= 1 << ends[1]
    return Face(nodes, tuple(exits), frozenset(pairs))


def heir(old_exits: int, kind: NodeKind, new: Face) -> int | None:
    """The node of a new face that carries on an old node with all its connections, if there is one."""
    for index, node in enumerate(new.nodes):
        if node.kind == kind and old_exits & ~new.node_exits[index] == 0:
            return index
    return None


def heirs(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each old node the one that carries it on; each has its own unless places are drawn together."""
    options = [
        [
            index
            for index, other in enumerate(new.nodes)
            if other.kind == node.kind and exits & ~new.node_exits[index] == 0
        ]
        for node, exits in zip(old.nodes, old.node_exits, strict=True)
    ]
    apart = len(new.nodes) >= len(old.nodes)
    return next((found for found in product(*options) if not apart or len(set(found)) == len(found)), None)


def preserves(old: Face, new: Face) -> bool:
    """Whether a promotion keeps all track and every revenue location with its connections."""
    return set(old.kinds) == set(new.kinds) and old.pairs <= new.pairs and heirs(old, new) is not None


class TileSet:
    """All tiles of a game with their faces, and the promotions computed from them."""

    def __init__(self, tiles: Mapping[str, Tile]) -> None:
        self.tiles = tiles
        upright = {name: face_of(tile.nodes, tile.track) for name, tile in tiles.items()}
        self.faces = {name: tuple(face.turned(rotation) for rotation in range(6)) for name, face in upright.items()}

    @cached_property
    def alike(self) -> Mapping[str, tuple[tuple[int, ...], ...]]:
        """For each rotation of a tile all those that look the same, itself among them, lowest first. Where one may lie,
        all of them may."""
        return {name: self._alike(name) for name in self.tiles}

    @cached_property
    def promotions(self) -> Mapping[str, Mapping[str, tuple[int, ...]]]:
        """For each tile those of the next colour that keep its track, with the turns relative to it. Whether labels
        agree is the hex's matter."""
        return {name: self._promotions(name) for name in self.tiles}

    def _alike(self, name: str) -> tuple[tuple[int, ...], ...]:
        allowed = self.tiles[name].rotations or range(6)
        looks = [face.looks for face in self.faces[name]]
        return tuple(
            tuple(turn for turn in allowed if looks[turn] == look) if rotation in allowed else ()
            for rotation, look in enumerate(looks)
        )

    def distinct(self, name: str, rotations: Iterable[int]) -> Iterator[int]:
        """Some rotations of a tile, of those that look the same only the first."""
        return (turn for turn in rotations if turn == self.alike[name][turn][0])

    def _promotions(self, name: str) -> dict[str, tuple[int, ...]]:
        old = self.tiles[name]
        if old.colour not in COLOURS[:-1]:
            return {}
        colour = COLOURS[COLOURS.index(old.colour) + 1]
        found = {}
        for other, tile in self.tiles.items():
            if tile.colour == colour:
                turns = tuple(turn for turn in range(6) if preserves(self.faces[name][0], self.faces[other][turn]))
                if turns:
                    found[other] = turns
        return found
