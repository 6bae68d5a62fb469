"""Taking over one's own smaller companies: money comes out of a treasury, trains and stations come together."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, or_pass
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import OfferAcquisition, ScrapTrain, TurnTrain
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.trying import after, standing


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    player = question.decider
    found: list[Proposal] = []
    for option in question.only(OfferAcquisition):
        action = option.action
        assert isinstance(action, OfferAcquisition)
        if option.span is None or director(view.table, action.company) != player:
            continue
        for price in sorted({option.span.high, option.span.low}, reverse=True):
            offer = option.at(price)
            score = standing(after(game, offer, view.weights), player)
            found.append(Proposal(offer, score, (f"each of your shares of {action.company} brings {price} K",)))
    if not found:
        return or_pass((), "none of your companies can take over another one of yours")
    return or_pass(found, "no takeover is expected to leave you better off", standing(view, player))


def settlements(question: Question, game: Game, view: View) -> list[Proposal]:
    """Trains just taken over: turned where the larger face earns more than it costs; what cannot run is scrapped."""
    player = question.decider
    left = standing(after(game, Pass(), view.weights), player) if question.only(Pass) else None
    found = []
    for kind in (TurnTrain, ScrapTrain):
        for option in question.only(kind):
            score = standing(after(game, option.action, view.weights), player) - (kind is ScrapTrain)
            gain = 0.0 if left is None else score - left
            reasons = (f"worth about {gain:.0f} K to you",) if gain >= 1 else ()
            found.append(Proposal(option.action, score, reasons))
    return found if left is None else or_pass(found, "the trains are expected to earn most as they are", left)
