"""What István's cards say (18Mag XI): the share card, and what a minor of his has still to do."""

from __future__ import annotations

from typing import Final

from ostbahn.titles.mag.solo_table import SoloTable
from ostbahn.titles.mag.state import MagTable

ENTRIES: Final = {
    "buy_train": "buy a {entry.train}-train",
    "station": "station in {place}",
    "swap_over": "above {entry.threshold} Ft swap a 2-train for a {swap}-train",
    "buy_2_up": "2-train of a higher minor for {entry.price} Ft",
    "buy_2_up_or_down": "2-train of a higher minor for {entry.price_up} Ft or of a lower one for {entry.price_down} Ft",
}
"""What the symbols of his company cards mean."""


def share_card(table: SoloTable) -> str:
    """Which shares he wants, and how far."""
    share = table.title.deck.shares[table.istvan.share_card]
    wishes = ", ".join(f"{wish.major} up to {wish.max_percent}%" for wish in share.order)
    origin = "" if share.provenance == "printed" else " (reconstructed)"
    return f"share card {share.letter}{origin}: {wishes}"


def company_card(table: SoloTable, minor: str) -> str:
    """The card of a minor of his, with what is still to be done on it."""
    card, done = table.card(minor), table.istvan.done[minor]
    told = [
        ENTRIES[entry.do].format(
            entry=entry, place=table.place(entry.hex or ""), swap=table.title.solo.swaps.get(entry.threshold or 0, "")
        )
        for entry in card.actions[done:]
    ]
    origin = "" if card.provenance == "printed" else ", reconstructed"
    standing = "without a train it buys a 2-train first; " if card.standing else ""
    return f"card {card.number} ({card.colour}{origin}): {standing}{'; '.join(told) or 'all done'}"


def share_card_words(table: MagTable) -> tuple[str, ...]:
    if not isinstance(table, SoloTable) or table.state.istvan is None:
        return ()
    return (share_card(table),)


def minor_card_words(table: MagTable, minor: str) -> tuple[str, ...]:
    if not isinstance(table, SoloTable) or table.state.istvan is None or minor not in table.istvan.cards:
        return ()
    return (f"István's {company_card(table, minor)}",)
