"""How 18xx.games calls things, and how we do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ostbahn.interop.undone import Entry
from ostbahn.kernel.board import Board, Hex, city_id
from ostbahn.kernel.title import Title
from ostbahn.titles.cz.actions import RunTrains, TrainRun
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import cz_title

SITE_MAJORS: Final = {"RÁBA": "RABA", "SzKÉV": "SKEV", "MÁVAG": "MAVAG"}
"""Majors of 18Mag that the site writes without accents."""

SITE_COMPANIES: Final = {"Sx": "SX", "Pr": "PR", "By": "BY"}
"""Companies of 18CZ that the site writes in capitals."""


def our_hex(site: str) -> str:
    """The site numbers the columns one higher than the printed map."""
    return f"{site[0]}{int(site[1:]) - 1}"


def site_hex(ours: str) -> str:
    return f"{ours[0]}{int(ours[1:]) + 1}"


def seats_of(players: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Seats by what the file calls the players: their ids, or their names."""
    seats: dict[str, str] = {}
    for seat, player in enumerate(players, start=1):
        seats[str(player.get("id", player["name"]))] = f"p{seat}"
        seats.setdefault(str(player["name"]), f"p{seat}")
    return seats


class Names:
    """The names in one file; tiles are told apart by the copy that was laid."""

    def __init__(self, players: Sequence[dict[str, Any]]) -> None:
        title = cz_title()
        self._companies = {company.upper(): company for company in title.companies}
        self._tiles = title.tiles
        self._seats = seats_of(players)
        self._laid: dict[str, str] = {}

    def actor(self, entry: Entry) -> str:
        if entry.get("entity_type") == "player":
            return self._seats[str(entry["entity"])]
        return self.company(entry["entity"])

    def company(self, site: object) -> str:
        return self._companies[str(site).upper()]

    def company_of_share(self, entry: Entry) -> str:
        """`kk_3` is a share of kk."""
        return self.company(str(entry["shares"][0]).rpartition("_")[0])

    def lay(self, entry: Entry) -> tuple[str, str, int]:
        """Hex, tile and rotation of a lay; remembers where that copy lies."""
        hex_id = our_hex(entry["hex"])
        self._laid[str(entry["tile"])] = hex_id
        return hex_id, self.tile(entry), int(entry["rotation"])

    def tile(self, entry: Entry) -> str:
        return str(entry["tile"]).rpartition("-")[0]

    def purple(self, entry: Entry) -> bool:
        tile = self._tiles.get(self.tile(entry)) if "tile" in entry else None
        return tile is not None and tile.purple

    def city(self, site: str) -> str:
        """`621-0-1` is the second city of the first copy of tile 621; `B9-0-0` one printed on a hex."""
        tile, _, node = site.rpartition("-")
        place = self._laid.get(tile) or our_hex(tile.partition("-")[0])
        return city_id(place, int(node))

    def card(self, site: str) -> str:
        """`3d-1` is the second d-card."""
        name, _, number = site.rpartition("-")
        return f"{name[-1]}{int(number) + 1}"

    def face(self, site: str) -> str:
        """`3+3e` is face 3+3 of an e-card."""
        return site[:-1]

    def face_of_size(self, table: CzTable, card: str, size: str) -> str:
        faces = table.title.stack.spec[card[0]].faces
        return next(face for face in faces if table.title.train_faces[face].size == size)

    def run(self, table: CzTable, company: str, entry: Entry) -> RunTrains:
        """The routes of a run, and the revenue that the file claims for them."""
        runs = []
        for route in entry["routes"]:
            chains = [[our_hex(hex_id) for hex_id in chain] for chain in route.get("connections") or []]
            if chains:
                runs.append(TrainRun(self.card(str(route["train"])), path_over(table.title, table.state.board, chains)))
        claim = sum(int(route.get("revenue") or 0) for route in entry["routes"])
        return RunTrains(tuple(runs), claim + int(entry.get("extra_revenue") or 0))


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
