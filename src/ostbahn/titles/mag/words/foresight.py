"""What a player of 18Mag wants to know before an answer, beside what happens then."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import count_certificates, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.shares import certificate_limit
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.trains import owner_of, trains_of


def foresee(table: MagTable, later: MagTable, question: Question, action: Action) -> Iterator[str]:
    match action:
        case mag.DraftMinor():
            spec = table.title.minor
            trains = " and ".join(f"a {face}-train" for face in spec.trains)
            yield f"minor {action.minor} gets {spec.cash} Ft from the bank, {trains} and {spec.stations} stations"
        case mag.BuyShare():
            yield _certificates(table, later, question.decider)
        case mag.SellShares():
            yield _certificates(table, later, question.decider)
            yield f"{action.major} may not be bought again in this share round"
        case mag.PayDividend():
            yield from _payout(table, question.company or "", action.amount)
        case mag.BuyTrain() | mag.OfferForTrain():
            yield from _trains(table, later, question.company or "", action)


def _certificates(table: MagTable, later: MagTable, player: str) -> str:
    return (
        f"{table.name(player)} then has {count_certificates(later, player)} of {certificate_limit(table)} certificates"
    )


def _payout(table: MagTable, major: str, amount: int) -> Iterator[str]:
    """By the share, and what stays with the major (VI.4.3)."""
    share = amount * share_unit(table, major) // 100
    yield f"{amount} Ft is {share} Ft a share ({share_unit(table, major)}%)"
    yield f"{major} keeps {table.state.cash[major] - amount} Ft"


def _trains(table: MagTable, later: MagTable, minor: str, action: mag.BuyTrain | mag.OfferForTrain) -> Iterator[str]:
    """How many trains there are then, and what a new phase means (VI.3.8, VI.3.9)."""
    if isinstance(action, mag.OfferForTrain) and owner_of(later, action.card) == (
        seller := owner_of(table, action.card)
    ):
        yield f"{table.name(table.state.owners.get(seller or ''))} decides"
        return
    yield f"minor {minor} then has {len(trains_of(later, minor))} of {table.title.minor.train_limit} trains"
    if later.state.phase != table.state.phase:
        yield f"{later.state.phase} tiles can be laid, and the set of operating rounds ends with this one"
