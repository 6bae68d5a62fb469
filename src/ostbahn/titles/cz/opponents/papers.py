"""The private papers of Moravia-Silesia: bid for up to what they bring, and the 3E-train given when it pays."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import AssignTrain, Bid, LayTile, NamePaper, OpenAuction
from ostbahn.titles.cz.opponents.prestock import kept_for_start
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.track import gain_of_board
from ostbahn.titles.cz.state import Bidding


def limit(view: View, paper: str, player: str) -> float:
    """The most that a player should pay: what it earns and is sold for, and never what starts his company."""
    spec = view.table.title.locals[paper]
    weights = view.weights.shares
    resale = weights.local_resale if spec.priced else view.weights.fixed.shares.unpriced_paper
    worth = spec.income * weights.local_years + resale
    return min(worth, view.table.state.cash[player] - kept_for_start(view))


def openings(question: Question, game: Game, view: View) -> list[Proposal]:
    found = []
    for option in question.only(OpenAuction):
        action = option.action
        assert isinstance(action, OpenAuction)
        gain = limit(view, action.paper, question.decider) - action.price
        if gain >= 0:
            found.append(Proposal(action, gain, (f"worth {gain:+.0f} K at this price",)))
    if found:
        return found
    return [Proposal(option.action, 0.0) for option in question.only(NamePaper)[:1]]


def bids(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, Bidding)
    most = limit(view, question.task.paper, question.decider)
    found = [Proposal(Pass(), 0.0)]
    for option in question.only(Bid):
        action = option.action
        assert isinstance(action, Bid)
        found.append(Proposal(action, most - action.price, (f"worth {most:.0f} K",)))
    return found


def home_lays(question: Question, game: Game, view: View) -> list[Proposal]:
    """The Mährische Westbahn builds what opens most ways."""
    found = [Proposal(Pass(), 0.0)]
    for option in question.only(LayTile):
        action = option.action
        assert isinstance(action, LayTile)
        found.append(Proposal(action, gain_of_board(view, action)))
    return found


def trains_given(question: Question, view: View) -> list[Proposal]:
    """The 3E-train of the paper is given to the first company that can run it."""
    return [
        Proposal(option.action, 1.0, ("runs once, beside all others",)) for option in question.only(AssignTrain)[:1]
    ]
