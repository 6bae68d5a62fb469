"""What answers of 18CZ are like, for characters, who like some of it."""

from __future__ import annotations

from collections.abc import Sequence

from ostbahn.bots.ideas import Idea, Trait, same
from ostbahn.bots.traits import bought, sold
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz import state
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    OfferAcquisition,
    OfferForLocal,
    OfferForTrain,
    PayOut,
    SellShares,
    StartCompany,
    Withhold,
)
from ostbahn.titles.cz.state import CzTable


def planned(table: CzTable, player: str, actions: Sequence[Action], plan: str) -> Idea:
    """Answers one after the other; the whole is like all of its parts."""
    traits = frozenset(trait for action in actions for trait in shared(table, player, action))
    return Idea(actions[0], tuple(same(action) for action in actions[1:]), plan, traits=traits)


def shared(table: CzTable, player: str, action: Action) -> frozenset[Trait]:
    """What an answer of a Stock Round is like."""
    match action:
        case StartCompany():
            return frozenset({"starts"})
        case BuyShare(company=company):
            return bought(table, player, company)
        case SellShares(company=company):
            return sold(table, player, company)
    return frozenset()


def with_traits(idea: Idea, question: Question, table: CzTable) -> Idea:
    """An idea with what its first answer is like, beside what is known of the rest of it."""
    return idea._replace(traits=idea.traits | _traits(idea.action, question, table))


def _traits(action: Action, question: Question, table: CzTable) -> frozenset[Trait]:
    match action:
        case PayOut():
            return frozenset({"pays"})
        case Withhold():
            return frozenset({"keeps"})
        case BuyTrain(card=card):
            return frozenset({"trains", "phase"}) if card[0] > table.state.phase else frozenset({"trains"})
        case OfferForTrain():
            return frozenset({"trains", "trades"})
        case OfferForLocal() | OfferAcquisition():
            return frozenset({"trades"})
        case Pass() if isinstance(question.task, state.PurchaseTrains):
            return frozenset({"waits"})
        case Pass() if isinstance(question.task, state.StockRound):
            return frozenset({"passes"})
    return shared(table, question.decider, action)
