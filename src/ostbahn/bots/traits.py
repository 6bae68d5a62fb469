"""What buying and selling shares is like, whatever the title: for characters, who like some of it."""

from __future__ import annotations

from ostbahn.bots.ideas import Trait
from ostbahn.kernel.money import director, holding, share_unit
from ostbahn.kernel.table import Table


def bought(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Of one more share: whose company it is, and whether it becomes one's own by that."""
    head, own = director(table, company), holding(table, player, company) + share_unit(table, company)
    if head is None:
        first = table.title.companies[company].certificates[0]
        return frozenset({"control"}) if own >= first else frozenset()
    if head == player:
        return frozenset({"own"})
    return frozenset({"others", "control"}) if own > holding(table, head, company) else frozenset({"others"})


def sold(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Of a sale: the price falls, and where somebody else is the Director, that is their loss."""
    return frozenset({"sells"}) if director(table, company) in (None, player) else frozenset({"sells", "hurts"})
