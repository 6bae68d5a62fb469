"""How 18xx.games calls players and ways over the board, and how we do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ostbahn.kernel.map.board import Board, Hex, city_id
from ostbahn.kernel.title import Title


def seats_of(players: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Seats by what the file calls the players: their ids, or their names."""
    seats: dict[str, str] = {}
    for seat, player in enumerate(players, start=1):
        seats[str(player.get("id", player["name"]))] = f"p{seat}"
        seats.setdefault(str(player["name"]), f"p{seat}")
    return seats


def path_over(title: Title, board: Board, chains: list[list[str]]) -> tuple[str, ...]:
    """Chains of hexes, each from one revenue location to the next, as one way over the board."""
    ordered = _in_order(chains)
    hexes = [ordered[0][0]]
    for chain in ordered:
        hexes += chain[1:]
    stops = {0}
    position = 0
    for chain in ordered:
        position += len(chain) - 1
        stops.add(position)
    return tuple(
        _place(title, board, hexes, position) if position in stops else hex_id for position, hex_id in enumerate(hexes)
    )


def _place(title: Title, board: Board, hexes: list[str], position: int) -> str:
    """The revenue location of a hex that the track from (or to) the neighbouring hex reaches."""
    here: Hex = title.map[hexes[position]]
    other = hexes[position - 1] if position else hexes[1]
    face = board.face(title.tile_set, here)
    nodes = face.node_at[here.towards[other]] if other in here.towards else ()
    return city_id(here.id, nodes[0] if nodes else 0)


def _in_order(chains: list[list[str]]) -> list[list[str]]:
    """Turn the chains so that each begins where the one before it ends."""
    if len(chains) == 1:
        return chains
    first, second = chains[0], chains[1]
    ends = (second[0], second[-1])
    if first[-1] not in ends and first[0] in ends:
        first = first[::-1]
    elif first[-1] in ends and first[0] in ends and len(chains) > 2:
        third = (chains[2][0], chains[2][-1])
        if (second[0] if second[-1] == first[-1] else second[-1]) not in third:
            first = first[::-1]
    ordered = [first]
    for chain in chains[1:]:
        ordered.append(chain if chain[0] == ordered[-1][-1] else chain[::-1])
    return ordered
