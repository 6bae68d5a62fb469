"""The other side's offers: accepted if they leave one better off, and never below what a thing is still good for."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import Offer, OfferForTrain
from ostbahn.titles.cz.opponents.prospects import Foresight, View
from ostbahn.titles.cz.opponents.trying import after, standing
from ostbahn.titles.cz.phases import owner_of
from ostbahn.titles.cz.state import Consent


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, Consent)
    player, offer = question.decider, question.task.offer
    gain = standing(after(game, Accept(), view.weights), player) - standing(view, player)
    fair = fair_price(view, offer)
    if (missing := fair - offer.price) > 0:
        kept = Proposal(Decline(), 0.0, (f"it is worth about {fair:.0f} K to you, and {offer.price} K are offered",))
        return [kept, Proposal(Accept(), min(gain, -missing))]
    kept = Proposal(Decline(), 0.0, (f"to agree would cost you about {-gain:.0f} K in the end",) if gain <= -1 else ())
    return [kept, Proposal(Accept(), gain, (f"worth about {gain:.0f} K to you",) if gain >= 1 else ())]


def fair_price(view: View, offer: Offer) -> float:
    """For a train at least what it will still earn for its company, or a part of what the bank would take.

    Others would otherwise get it for next to nothing: with fewer trains a company may seem to get better ones sooner.
    """
    if not isinstance(offer, OfferForTrain):
        return 0.0
    seller = owner_of(view.table, offer.card)
    if seller is None:
        return 0.0
    train = next(train for train in view.table.state.trains[seller] if train.card == offer.card)
    used = view.calendar.lives(train.face, view.calendar.rounds_before)
    least = view.weights.fixed.dealing.least_for_train * view.table.title.stack.price(train)
    return max(Foresight(view, seller).earned_by(train.face), used * least)
