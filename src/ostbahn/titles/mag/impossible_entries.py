"""Entries of István's cards that have become impossible for the rest of the game (18Mag XI.2.2).

Entries are done in order (XI.2.2/1), so an impossible one would block its card. The rulebook skips one case, a 2-train
of a higher minor where there is none (XI.2.2/10); the ruling istvan_impossible_entry decides the others. An entry is
possible here while the minor could still earn, buy, or reach by a promotion what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ostbahn.kernel.map.board import Hex
from ostbahn.titles.mag.deck import CardEntry
from ostbahn.titles.mag.istvan_track import city_distances
from ostbahn.titles.mag.solo_table import SoloTable
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.title import MagTitle
from ostbahn.titles.mag.trains import train_limit_refusal

TWO_TRAIN: Final = "2"
"""The train that his minors trade, exchange, and buy by the standing order."""


def is_impossible(table: SoloTable, minor: str, entry: CardEntry) -> bool:
    """Whether a minor can never carry out an entry of its card."""
    match entry.do:
        case "station":
            return can_never_pay(table, minor, next_price(table, minor)) or can_never_place(table, minor, entry)
        case "swap_over":
            return can_never_swap(table, minor, entry)
        case "buy_train":
            price = table.title.stacks[entry.train or ""].price
            return can_never_have_room(table, minor) or can_never_pay(table, minor, price)
        case _:
            return can_never_have_room(table, minor) or can_never_buy_used(table, minor, entry)


# Money and trains


def can_never_pay(table: SoloTable, minor: str, price: int) -> bool:
    """Whether a minor lacks the money and has no train to earn it."""
    return price > table.state.cash[minor] and not table.trains_of(minor)


def can_never_swap(table: SoloTable, minor: str, entry: CardEntry) -> bool:
    """Whether a minor has no 2-train to scrap, or can never pay to replace a scrapped one."""
    if minor in table.istvan.swaps:
        return can_never_pay(table, minor, table.title.stacks[table.istvan.swaps[minor]].price)
    return not has_two_train(table, minor)


def has_two_train(table: SoloTable, minor: str) -> bool:
    return any(train.face == TWO_TRAIN for train in table.trains_of(minor))


def can_never_have_room(table: SoloTable, minor: str) -> bool:
    """Whether a minor is at its train limit and no other minor of István will buy one of its trains."""
    if train_limit_refusal(table, minor) is None:
        return False
    can_sell = any(minor in sellers(table, other, entry) for other, entry in pending_entries(table))
    return not (can_sell and has_two_train(table, minor))


def can_never_buy_used(table: SoloTable, minor: str, entry: CardEntry) -> bool:
    """Whether no possible seller will ever have a 2-train at a price that the minor can pay."""
    prices = sellers(table, minor, entry)
    return all(
        can_never_pay(table, minor, price) or not can_get_two_train(table, seller) for seller, price in prices.items()
    )


def sellers(table: SoloTable, minor: str, entry: CardEntry) -> dict[str, int]:
    """Minors that may sell a 2-train by an entry, with the price (XI.2.2/10, /11)."""
    up = {"buy_2_up": entry.price, "buy_2_up_or_down": entry.price_up}.get(entry.do)
    down = entry.price_down if entry.do == "buy_2_up_or_down" else None
    prices = {other: up if int(other) > int(minor) else down for other in table.istvan.cards if other != minor}
    return {other: price for other, price in prices.items() if price is not None}


def can_get_two_train(table: SoloTable, minor: str) -> bool:
    """Whether a minor has a 2-train, or may get one by its standing order or card."""
    if has_two_train(table, minor):
        return True
    affordable = table.title.stacks[TWO_TRAIN].price <= table.state.cash[minor]
    if table.card(minor).standing and not table.trains_of(minor) and affordable:
        return True
    return any(
        other == minor and (entry.train == TWO_TRAIN or sellers(table, other, entry))
        for other, entry in pending_entries(table)
    )


def pending_entries(table: SoloTable) -> Iterator[tuple[str, CardEntry]]:
    """His minors with each entry not yet done on their cards."""
    for minor in table.istvan.cards:
        for entry in table.card(minor).actions[table.istvan.done[minor] :]:
            yield minor, entry


# Stations


def can_never_place(table: SoloTable, minor: str, entry: CardEntry) -> bool:
    """Whether a minor has no station left, is there already, or is shut out of the city forever."""
    board, hex_id = table.state.board, entry.hex or ""
    if not table.state.markers[minor] or minor in board.companies_in(hex_id):
        return True
    return is_full_forever(table, table.title.map[hex_id]) or is_cut_off_forever(table, minor, hex_id)


def is_full_forever(table: SoloTable, hex_: Hex) -> bool:
    """Whether stations fill a hex even after all possible promotions; they are never removed."""
    board = table.state.board
    return len(board.companies_in(hex_.id)) >= max_stations(table.title, hex_, board.tiles.get(hex_.id))


def max_stations(title: MagTitle, hex_: Hex, laid: tuple[str, int] | None) -> int:
    """Largest number of stations that a hex can hold, now or with any tile that may follow."""
    face = hex_.face if laid is None else title.tile_set.faces[laid[0]][laid[1]]
    slots = sum(node.slots for node in face.nodes if node.kind == "city")
    later = title.fitting(hex_, laid)
    return max([slots, *(max_stations(title, hex_, (tile, turn)) for tile, turns in later.items() for turn in turns)])


def is_cut_off_forever(table: SoloTable, minor: str, hex_id: str) -> bool:
    """Whether track leads to a hex, but only through cities that are full forever; István never builds around them.

    A hex without any track to it is not cut off: a promotion may join it, or the human may build there.
    """
    board, title = table.state.board, table.title

    def blocks_forever(hex_: Hex, node: int) -> bool:
        return title.surveyor.closed(board, hex_, node, minor) and is_full_forever(table, hex_)

    def is_red(hex_: Hex, node: int) -> bool:
        return hex_.printed.ground == "red"

    stations = board.stations_of(minor)
    return hex_id in city_distances(table, stations, is_red) and hex_id not in city_distances(
        table, stations, blocks_forever
    )
