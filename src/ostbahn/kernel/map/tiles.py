"""Track tiles: their faces at every rotation, and their promotions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Final

from ostbahn.kernel.map.hexes import DIRECTIONS, rotate_mask, sides_of
from ostbahn.kernel.map.printed import Node as Node
from ostbahn.kernel.map.printed import NodeKind as NodeKind
from ostbahn.kernel.map.printed import Tile as Tile
from ostbahn.kernel.native import Lookup

if TYPE_CHECKING:
    from ostbahn.kernel.map.board import Board, Hex

COLOURS: Final = ("yellow", "green", "brown", "grey")
NEVER_FULL: Final = 99
"""Capacity of towns and mines, which never block a route."""


class Face:
    """A tile (or printed hex) at one rotation, prepared for following its track."""

    __slots__ = ("exits", "kinds", "node_at", "node_exits", "nodes", "pairs", "room", "through")

    def __init__(self, nodes: tuple[Node, ...], node_exits: tuple[int, ...], pairs: frozenset[int]) -> None:
        self.nodes = nodes
        self.kinds = tuple(sorted(node.kind for node in nodes))
        self.room = tuple(_room(node) for node in nodes)
        """For each node the number of stations that block it for other companies."""
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
        """A key that is equal for rotations of a tile that look the same: equal nodes may change places."""
        nodes = sorted((self.nodes.index(node), exits) for node, exits in zip(self.nodes, self.node_exits, strict=True))
        return self.pairs, tuple(nodes)

    def turned(self, rotation: int) -> Face:
        return Face(
            self.nodes,
            tuple(rotate_mask(mask, rotation) for mask in self.node_exits),
            frozenset(rotate_mask(pair, rotation) for pair in self.pairs),
        )


def _room(node: Node) -> int:
    if node.kind == "city":
        return node.slots
    return 0 if node.kind == "red" else NEVER_FULL


def face_of(nodes: tuple[Node, ...], track: tuple[tuple[str | int, str | int], ...]) -> Face:
    """The face at rotation 0 of the described nodes and track."""
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
    """The first node of a new face that keeps all connections of an old node; None if none does."""
    for index, node in enumerate(new.nodes):
        if node.kind == kind and old_exits & ~new.node_exits[index] == 0:
            return index
    return None


def heirs(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each old node its successor on the new face; distinct ones unless the new face has fewer nodes."""
    if not old.nodes:
        return ()
    options = [
        [
            index
            for index, other in enumerate(new.nodes)
            if other.kind == node.kind and exits & ~new.node_exits[index] == 0
        ]
        for node, exits in zip(old.nodes, old.node_exits, strict=True)
    ]
    must_differ = len(new.nodes) >= len(old.nodes)
    return next((nodes for nodes in product(*options) if not must_differ or len(set(nodes)) == len(nodes)), None)


def preserves(old: Face, new: Face) -> bool:
    """Whether a promotion keeps all track and every revenue location with its connections."""
    return set(old.kinds) == set(new.kinds) and old.pairs <= new.pairs and heirs(old, new) is not None


class TileSet:
    """All tiles of a game with their faces, and the promotions computed from them."""

    def __init__(self, tiles: Lookup[str, Tile]) -> None:
        self.tiles = tiles
        upright = {name: face_of(tile.nodes, tile.track) for name, tile in tiles.items()}
        self.faces = {name: tuple(face.turned(rotation) for rotation in range(6)) for name, face in upright.items()}
        self._alike: Lookup[str, tuple[tuple[int, ...], ...]] | None = None
        self._promotions: Lookup[str, Lookup[str, tuple[int, ...]]] | None = None

    def lying(self, board: Board, hex_: Hex) -> Face:
        """The face on a hex: of its tile, or the printed one."""
        laid = board.tiles.get(hex_.id)
        return hex_.face if laid is None else self.faces[laid[0]][laid[1]]

    @property
    def alike(self) -> Lookup[str, tuple[tuple[int, ...], ...]]:
        """For each rotation of a tile all rotations that look the same, lowest first. Cached."""
        if self._alike is None:
            self._alike = {name: self._alike_of(name) for name in self.tiles}
        return self._alike

    @property
    def promotions(self) -> Lookup[str, Lookup[str, tuple[int, ...]]]:
        """For each tile the tiles that may replace it, with relative rotations. Cached; ignores labels."""
        if self._promotions is None:
            self._promotions = {name: self._promotions_of(name) for name in self.tiles}
        return self._promotions

    def _alike_of(self, name: str) -> tuple[tuple[int, ...], ...]:
        allowed = self.tiles[name].rotations or range(6)
        looks = [face.looks for face in self.faces[name]]
        return tuple(
            tuple(turn for turn in allowed if looks[turn] == look) if rotation in allowed else ()
            for rotation, look in enumerate(looks)
        )

    def distinct(self, name: str, rotations: Iterable[int]) -> Iterator[int]:
        """The rotations without those that look like an earlier one."""
        alike = self.alike[name]
        return (turn for turn in rotations if turn == alike[turn][0])

    def _promotions_of(self, name: str) -> dict[str, tuple[int, ...]]:
        old = self.tiles[name]
        if old.colour not in COLOURS[:-1]:
            return {}
        colour = COLOURS[COLOURS.index(old.colour) + 1]
        promotions = {}
        for other, tile in self.tiles.items():
            if tile.colour == colour:
                turns = tuple(turn for turn in range(6) if preserves(self.faces[name][0], self.faces[other][turn]))
                if turns:
                    promotions[other] = turns
        return promotions
