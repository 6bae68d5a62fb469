"""The cards of supporters at a bot's table: whom they help, and what they save (18Mag M.5)."""

from __future__ import annotations

from ostbahn.titles.mag.actions import (
    BuyByKando,
    BuyTrain,
    LayByFeketehazy,
    LayTile,
    PlaceByDdsg,
    PlaceStation,
    PromoteBySina,
)
from ostbahn.titles.mag.modules.supporters_table import KANDO, SupportersTable, half_price, supporters_file
from ostbahn.titles.mag.state import MagTable, OperatingRound
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.trains import trains_of


def still_to_act(table: MagTable, minor: str) -> list[str]:
    """Minors of the same owner that act later in the present round: a card helps one of them (M.5/2)."""
    owners = table.state.owners
    turns = next((task for task in table.state.agenda if isinstance(task, OperatingRound)), None)
    return [] if turns is None else [other for other in turns.minors if owners[other] == owners[minor]]


# What is paid


def station_price(table: MagTable, minor: str, action: PlaceStation) -> int:
    price = next_price(table, minor)
    return half_price(price) if isinstance(action, PlaceByDdsg) else price


def train_price(table: MagTable, action: BuyTrain) -> int:
    if isinstance(action, BuyByKando):
        return supporters_file().kando[action.face]
    return table.title.stacks[action.face].price


def least_price(table: MagTable, minor: str, face: str) -> int:
    """Of a train for a minor, with Kandó if he can still help it."""
    kando = isinstance(table, SupportersTable) and table.not_helping(KANDO, minor) is None
    return train_price(table, BuyByKando(face) if kando else BuyTrain(face))


def saved_elsewhere(table: MagTable, minor: str, action: BuyTrain) -> int:
    """How much more Kandó would save on a dearer train, for a minor that acts later and can pay for it."""
    if not isinstance(action, BuyByKando):
        return 0
    limit, cash = table.title.minor.train_limit, table.state.cash
    others = [other for other in still_to_act(table, minor) if len(trains_of(table, other)) < limit]
    found = [
        _saved(table, face)
        for face in table.title.stacks
        if any(train_price(table, BuyByKando(face)) <= cash[other] for other in others)
    ]
    return max(0, max(found, default=0) - _saved(table, action.face))


def _saved(table: MagTable, face: str) -> int:
    return train_price(table, BuyTrain(face)) - train_price(table, BuyByKando(face))


# Ways to lay a tile


def is_free(action: LayTile) -> bool:
    """Whether the minor does not pay for the terrain."""
    return action.token or by_feketehazy(action)


def by_feketehazy(action: LayTile) -> bool:
    return isinstance(action, LayByFeketehazy) or (isinstance(action, PromoteBySina) and action.feketehazy)


def by_sina(action: LayTile) -> bool:
    return isinstance(action, PromoteBySina)


def preference(action: LayTile) -> tuple[bool, bool, bool]:
    """Of ways to lay the same: what comes back with every round is used before what is gone for good.

    So Sina leaves the turn's own lay to be made, Feketeházy a terrain token, and that the money.
    """
    return by_sina(action), by_feketehazy(action), action.token
