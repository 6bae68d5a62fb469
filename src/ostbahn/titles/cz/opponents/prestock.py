"""The Pre-Stock Round: Local Railways pay back quickly, but a company must be started afterwards."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, or_pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import BuyLocal
from ostbahn.titles.cz.opponents.prospects import View


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    weights, title = view.weights.shares, view.table.title
    keep = kept_for_start(view)
    cash = view.table.state.cash[question.decider]
    found = []
    for option in question.only(BuyLocal):
        action = option.action
        assert isinstance(action, BuyLocal)
        spec = title.locals[action.local]
        worth = spec.income * weights.local_years + weights.local_resale
        if cash - spec.price >= keep:
            reasons = (f"earns {spec.income} K a round", f"brings about {worth:.0f} K in all, for {spec.price} K")
            found.append(Proposal(action, worth - spec.price, reasons if worth > spec.price else reasons[:1]))
    return or_pass(found, "the money is kept for a company of your own")


def kept_for_start(view: View) -> int:
    """What is kept for a company of one's own; the fewer players there are, the more money each has."""
    amounts = view.weights.shares.keep_for_start
    return amounts[min(len(view.table.state.players), len(amounts)) - 1]
