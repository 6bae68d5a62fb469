"""The private papers of Moravia-Silesia: bid for up to what they bring, and the 3E-train given when it pays."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, or_pass
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
        most = limit(view, action.paper, question.decider)
        if most >= action.price:
            found.append(Proposal(action, most - action.price, (_worth(most),)))
    if found:
        return found
    none = ("none of them is worth its price to you",)
    return [Proposal(option.action, 0.0, none) for option in question.only(NamePaper)[:1]]


def bids(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, Bidding)
    most = limit(view, question.task.paper, question.decider)
    found = []
    for option in question.only(Bid):
        action = option.action
        assert isinstance(action, Bid)
        found.append(Proposal(action, most - action.price, (_worth(most),) if most >= action.price else ()))
    return or_pass(found, "it would cost more than it is worth to you")


def _worth(most: float) -> str:
    return f"worth up to {most:.0f} K to you"


def home_lays(question: Question, game: Game, view: View) -> list[Proposal]:
    """The Mährische Westbahn builds what opens most ways."""
    found = []
    for option in question.only(LayTile):
        action = option.action
        assert isinstance(action, LayTile)
        sides = view.table.title.tile_set.faces[action.tile][action.rotation].exits.bit_count()
        found.append(Proposal(action, gain_of_board(view, action), (f"opens {sides} sides of the hex",)))
    return or_pass(found, "no tile opens anything")


def trains_given(question: Question, view: View) -> list[Proposal]:
    """The 3E-train of the paper is given to the first company that can run it."""
    return [
        Proposal(option.action, 1.0, ("the train runs once, beside all others",))
        for option in question.only(AssignTrain)[:1]
    ]
