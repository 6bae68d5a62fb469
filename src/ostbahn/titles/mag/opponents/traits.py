"""What answers of 18Mag are like, for characters, who like some of it."""

from __future__ import annotations

from ostbahn.bots.ideas import Idea, Trait
from ostbahn.bots.traits import bought, sold
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import state
from ostbahn.titles.mag.actions import (
    BuyDirectorShare,
    BuyShare,
    BuyTrain,
    DraftMinor,
    LayTile,
    OfferForTrain,
    PayDividend,
    PlaceStation,
    ScrapTrain,
    SellShares,
)
from ostbahn.titles.mag.state import MagTable


def with_traits(idea: Idea, question: Question, table: MagTable) -> Idea:
    """An idea with what its answer is like."""
    return idea._replace(traits=idea.traits | _traits(idea.action, question, table))


def _traits(action: Action, question: Question, table: MagTable) -> frozenset[Trait]:
    match action:
        case PayDividend(amount=amount):
            return _payout(amount, question, table)
        case BuyTrain(face=face):
            return frozenset({"trains", "phase"}) if face in table.state.indicators else frozenset({"trains"})
        case OfferForTrain():
            return frozenset({"trains", "trades"})
        case ScrapTrain():
            return frozenset({"trains"})  # it makes room for a better one
        case BuyShare(major=major) | BuyDirectorShare(major=major):
            return bought(table, question.decider, major)
        case SellShares(major=major):
            return sold(table, question.decider, major)
        case DraftMinor():
            return frozenset({"starts"})
        case LayTile() | PlaceStation():
            return frozenset({"builds"})
        case Pass() if isinstance(question.task, state.PurchaseTrains):
            return frozenset({"waits"})
        case Pass() if isinstance(question.task, state.StockRound):
            return frozenset({"passes"})
    return frozenset()


def _payout(amount: int, question: Question, table: MagTable) -> frozenset[Trait]:
    """A major pays most of what it has, or keeps most of it."""
    assert isinstance(question.task, state.PayOut)
    return frozenset({"pays"}) if 2 * amount >= table.state.cash[question.task.company] else frozenset({"keeps"})
