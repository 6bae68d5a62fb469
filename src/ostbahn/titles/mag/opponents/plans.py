"""What N thinks of in 18Mag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, cast

from ostbahn.bots.ideas import Idea, Learnt, distinct
from ostbahn.bots.trade import offers
from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import state
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain
from ostbahn.titles.mag.opponents.policy import proposals
from ostbahn.titles.mag.opponents.traits import with_traits
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.trains import owner_of

if TYPE_CHECKING:
    from ostbahn.bots.nets import Judgement

WIDTH: Final = 8


def thinking(
    question: Question, game: Game, usual: list[Idea], weights: MagWeights, judgement: Judgement
) -> list[Idea]:
    """Ideas for a question, those of S first; never none."""
    found = [*usual, *(Idea(each.action, reasons=each.reasons) for each in proposals(question, game, weights)[:WIDTH])]
    match question.task:
        case state.PurchaseTrains():
            found += [Idea(option.action) for option in question.only(BuyTrain)]
            found += _trade(question, table_of(game))
        case state.Consent():
            found += [Idea(Accept()), Idea(Decline())]
    if question.only(Pass):
        found.append(Idea(Pass()))
    allowed = distinct([idea for idea in found if question.refusal(idea.action) is None]) or usual
    return [with_traits(idea, question, table_of(game)) for idea in allowed]


def _trade(question: Question, table: MagTable) -> Iterator[Idea]:
    """Offers for trains of other players' minors."""
    for option in question.only(OfferForTrain):
        action = option.action
        assert isinstance(action, OfferForTrain)
        seller = owner_of(table, action.card)
        partner = None if seller is None else table.state.owners[seller]
        if option.span is not None and partner in table.state.players and partner != question.decider:
            yield from offers(option, partner, "Ft")


def table_of(game: Game) -> MagTable:
    return cast("MagTable", game.table)


LEARNT: Final = Learnt(__package__, thinking)
