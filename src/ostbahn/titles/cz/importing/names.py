"""How 18xx.games calls the things of 18CZ, and how we do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ostbahn.interop.importing import SiteEntry, path_over, seats_of
from ostbahn.kernel.map.board import city_id
from ostbahn.titles.cz.actions import RunTrains, TrainRun
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import cz_title

SITE_COMPANIES: Final = {"Sx": "SX", "Pr": "PR", "By": "BY"}
"""Companies that the site writes in capitals."""


def our_hex(site: str) -> str:
    """The site numbers the columns one higher than the printed map."""
    return f"{site[0]}{int(site[1:]) - 1}"


def site_hex(ours: str) -> str:
    return f"{ours[0]}{int(ours[1:]) + 1}"


class Names:
    """The names in one file; tiles are told apart by the copy that was laid."""

    def __init__(self, players: Sequence[dict[str, Any]]) -> None:
        title = cz_title()
        self._companies = {company.upper(): company for company in title.companies}
        self._tiles = title.tiles
        self._seats = seats_of(players)
        self._laid: dict[str, str] = {}

    def actor(self, entry: SiteEntry) -> str:
        if entry.get("entity_type") == "player":
            return self._seats[str(entry["entity"])]
        return self.company(entry["entity"])

    def company(self, site: object) -> str:
        return self._companies[str(site).upper()]

    def company_of_share(self, entry: SiteEntry) -> str:
        """`kk_3` is a share of kk."""
        return self.company(str(entry["shares"][0]).rpartition("_")[0])

    def lay(self, entry: SiteEntry) -> tuple[str, str, int]:
        """Hex, tile and rotation of a lay; remembers where that copy lies."""
        hex_id = our_hex(entry["hex"])
        self._laid[str(entry["tile"])] = hex_id
        return hex_id, self.tile(entry), int(entry["rotation"])

    def tile(self, entry: SiteEntry) -> str:
        return str(entry["tile"]).rpartition("-")[0]

    def purple(self, entry: SiteEntry) -> bool:
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

    def run(self, table: CzTable, company: str, entry: SiteEntry) -> RunTrains:
        """The routes of a run, and the revenue that the file claims for them."""
        runs = []
        for route in entry["routes"]:
            chains = [[our_hex(hex_id) for hex_id in chain] for chain in route.get("connections") or []]
            if chains:
                runs.append(TrainRun(self.card(str(route["train"])), path_over(table.title, table.state.board, chains)))
        claim = sum(int(route.get("revenue") or 0) for route in entry["routes"])
        return RunTrains(tuple(runs), claim + int(entry.get("extra_revenue") or 0))
