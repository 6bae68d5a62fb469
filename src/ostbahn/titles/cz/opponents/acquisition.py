"""Taking over one's own smaller companies: money comes out of a treasury, trains and stations come together."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money.certificates import director
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
            found.append(Proposal(offer, score, (f"{price} K a share for your shares of {action.company}",)))
    if not found:
        return [Proposal(Pass(), 0.0)]
    return [Proposal(Pass(), standing(view, player)), *found]


def settlements(question: Question, game: Game, view: View) -> list[Proposal]:
    """Trains just taken over: turned where the larger face earns more than it costs; what cannot run is scrapped."""
    player = question.decider
    found = []
    for kind in (Pass, TurnTrain, ScrapTrain):
        for option in question.only(kind):
            score = standing(after(game, option.action, view.weights), player)
            found.append(Proposal(option.action, score - (kind is ScrapTrain)))
    return found
