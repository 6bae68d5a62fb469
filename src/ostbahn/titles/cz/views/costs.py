"""What an answer costs in 18CZ, as a figure."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.acquisition import turning_cost
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost

POOL: Final = "Trains from the pool"


def cost(table: CzTable, question: Question, action: Action) -> int | None:
    """None where nothing is paid, or the price is one's choice."""
    company = question.company or ""
    match action:
        case cz.LayTile():
            free = action.waiver is not None or not company
            return (0 if free else terrain_cost(table, company, action.hex)) or None
        case cz.PlaceStation():
            return next_price(table, company) or None
        case cz.BuyLocal():
            return table.title.locals[action.local].price
        case cz.StartCompany():
            return 2 * action.price
        case cz.BuyShare():
            return chart.price(table, action.company)
        case cz.BuyTrain():
            return table.title.stack.spec[action.card[0]].faces[action.face]
        case cz.TurnTrain():
            train = next(train for train in table.state.trains[company] if train.card == action.card)
            return turning_cost(table, train, action.face) or None
        case cz.RepayDebt():
            return table.state.debts.get(question.decider)
        case _:
            return None


def heading(table: CzTable, action: Action) -> str | None:
    """Trains in the pool stand apart from those of the stack."""
    in_pool = isinstance(action, cz.BuyTrain) and any(train.card == action.card for train in table.state.pool)
    return POOL if in_pool else None
