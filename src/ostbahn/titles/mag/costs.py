"""Costs of actions after discounts, terrain tokens and supporters."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.modules.supporters_table import ddsg_price, supporters_file
from ostbahn.titles.mag.state import LayTrack, MagTable
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.track import extra_cost, terrain_cost


class TrackCost(NamedTuple):
    terrain: int
    """Cost of the hex, even if another payer covers it."""
    extra: int
    """Price of the extra tile."""
    payer: str
    """Payer of the terrain other than the minor: "the token", "Feketeházy"."""

    @property
    def cost(self) -> int:
        return self.extra + (0 if self.payer else self.terrain)


def track_cost(table: MagTable, task: LayTrack, action: mag.LayTile) -> TrackCost:
    """Cost of a lay, and who pays for its terrain."""
    terrain, extra = terrain_cost(table, action.hex), extra_cost(table, task)
    payer = "the token" if action.token or task.token else ""
    match action:
        case mag.LayByFeketehazy():
            return TrackCost(terrain, extra, "Feketeházy")
        case mag.PromoteBySina():
            return TrackCost(terrain, 0, "Feketeházy" if action.feketehazy else payer)
        case _:
            return TrackCost(terrain, extra, payer)


def station_cost(table: MagTable, company: str, action: mag.PlaceStation) -> int:
    price = next_price(table, company)
    return ddsg_price(price) if isinstance(action, mag.PlaceByDdsg) else price


def train_cost(table: MagTable, action: mag.BuyTrain) -> int:
    if isinstance(action, mag.BuyByKando):
        return supporters_file().kando[action.face]
    return table.title.stacks[action.face].price
