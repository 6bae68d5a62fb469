"""István's cards, where he plays (18Mag XI)."""

from __future__ import annotations

from ostbahn.titles.mag.istvan import SoloTable
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.words.istvan import company_card, share_card


def share_card_words(table: MagTable) -> tuple[str, ...]:
    if not isinstance(table, SoloTable) or table.state.istvan is None:
        return ()
    return (share_card(table),)


def minor_card_words(table: MagTable, minor: str) -> tuple[str, ...]:
    if not isinstance(table, SoloTable) or table.state.istvan is None or minor not in table.istvan.cards:
        return ()
    return (f"István's {company_card(table, minor)}",)
