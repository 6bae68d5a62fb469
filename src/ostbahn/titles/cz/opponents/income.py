"""Income: paid out, unless it buys a train that is worth more than the dividend."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import holding
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import PayOut, Withhold
from ostbahn.titles.cz.income import dividend
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.trying import after, standing
from ostbahn.titles.cz.state import UseIncome


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, UseIncome)
    player, company, revenue = question.decider, question.task.company, question.task.revenue
    part = holding(view.table, player, company)
    able = [action for action in (PayOut(), Withhold()) if question.only(type(action))]
    then = {action: after(game, action, view.weights) for action in able}
    ends = {action: then[action].prospect(company).price for action in able}
    found = []
    for action in able:
        doubt = (
            0.0 if action == PayOut() else revenue * part / 100 * view.calendar.cash_now * view.weights.dealing.doubt
        )
        own = f"a dividend of {dividend(revenue, part)} K for you"
        brings = own if action == PayOut() else f"{revenue} K more for trains"
        price = _price(ends[action], min(ends.values()))
        found.append(Proposal(action, standing(then[action], player) - doubt, (brings, *price)))
    return found


def _price(end: int, other: int) -> tuple[str, ...]:
    """The last price of a share is a reason only for what makes it higher."""
    return (f"a share ends at about {end} K instead of {other} K",) if end > other else ()
