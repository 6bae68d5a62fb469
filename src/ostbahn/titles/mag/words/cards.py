"""Texts of supporters (18Mag M.5) and István's cards (XI)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Final

from ostbahn.titles.mag.modules import supporters_table as supporters
from ostbahn.titles.mag.solo_table import SoloTable
from ostbahn.titles.mag.state import MagTable


def supporter_name(supporter: str) -> str:
    cards = supporters.supporters_file().cards
    return cards[supporter].short if supporter in cards else supporter


def supporter_effect(supporter: str) -> str:
    """Words for the effect of a supporter, with prices."""
    file = supporters.supporters_file()
    about = file.cards[supporter].about
    prices = ", ".join(f"{face} for {price}" for face, price in file.kando.items())
    return f"{about} ({prices} Ft)" if supporter == supporters.KANDO else about


def can_help(table: MagTable, supporter: str, company: str) -> bool:
    """Whether a supporter can help a company now; false for majors and without the module."""
    if not isinstance(table, supporters.SupportersTable) or company not in table.state.owners:
        return False
    return table.help_refusal(supporter, company) is None


def supporter_words(table: MagTable, player: str) -> Iterator[str]:
    """State of a player's supporters: `Kandó can help`, `Sina has helped in this round`."""
    for supporter in supporters.supporters_of(table, player):
        words = "has helped in this round" if supporters.is_supporter_used(table, supporter) else "can help"
        yield f"{supporter_name(supporter)} {words}"


def table_with_town(table: MagTable, card: str) -> MagTable:
    """Copy of the table in which a train may visit the additional town."""
    assert isinstance(table, supporters.SupportersTable)
    copied = supporters.SupportersTable(table.title, copy(table.state), table.rulings, table.players)
    copied.state.longer = supporters.LongerTrain(card, supporters.supporters_file().mav_towns)
    return copied


ENTRY_WORDS: Final = {
    "buy_train": "buy a {entry.train}-train",
    "station": "station in {place}",
    "swap_over": "above {entry.threshold} Ft swap a 2-train for a {swap}-train",
    "buy_2_up": "2-train of a higher minor for {entry.price} Ft",
    "buy_2_up_or_down": "2-train of a higher minor for {entry.price_up} Ft or of a lower one for {entry.price_down} Ft",
}
"""Meaning of the symbols on company cards."""


def share_card_words(table: MagTable) -> tuple[str, ...]:
    """Majors on István's share card, with their maxima."""
    if not isinstance(table, SoloTable) or table.state.istvan is None:
        return ()
    share = table.title.deck.shares[table.istvan.share_card]
    order = ", ".join(f"{preference.major} up to {preference.max_percent}%" for preference in share.order)
    origin = "" if share.provenance == "printed" else " (reconstructed)"
    return (f"share card {share.letter}{origin}: {order}",)


def minor_card_words(table: MagTable, minor: str) -> tuple[str, ...]:
    """Company card of one of István's minors, with its remaining entries."""
    if not isinstance(table, SoloTable) or table.state.istvan is None or minor not in table.istvan.cards:
        return ()
    card, done_count = table.card(minor), table.istvan.done[minor]
    entries = [
        ENTRY_WORDS[entry.do].format(
            entry=entry, place=table.place(entry.hex or ""), swap=table.title.solo.swaps.get(entry.threshold or 0, "")
        )
        for entry in card.actions[done_count:]
    ]
    origin = "" if card.provenance == "printed" else ", reconstructed"
    standing = "without a train it buys a 2-train first; " if card.standing else ""
    remaining = "; ".join(entries) or "all done"
    return (f"István's card {card.number} ({card.colour}{origin}): {standing}{remaining}",)
