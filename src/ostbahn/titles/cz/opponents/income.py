"""Income: paid out, unless it buys a train that is worth more than the dividend."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money.certificates import holding
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import PayOut, Withhold
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.trying import after, standing
from ostbahn.titles.cz.state import UseIncome


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, UseIncome)
    player, company, revenue = question.decider, question.task.company, question.task.revenue
    part = holding(view.table, player, company)
    found = []
    for action in (PayOut(), Withhold()):
        if question.only(type(action)):
            then = after(game, action, view.weights)
            reasons = (
                f"a dividend of {revenue * part // 100} K" if action == PayOut() else f"{revenue} K for trains",
                f"shares end at about {then.prospect(company).price} K",
            )
            doubt = (
                0.0
                if action == PayOut()
                else revenue * part / 100 * view.calendar.cash_now * view.weights.dealing.doubt
            )
            found.append(Proposal(action, standing(then, player) - doubt, reasons))
    return found
