"""Local Railways in a company's turn: what a Director gets out of them, and his company."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import OfferForLocal, SellLocal
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.worth import local_worth
from ostbahn.titles.cz.shares import certificate_count, certificate_limit
from ostbahn.titles.cz.state import CompanyTask


def sales_to_company(question: Question, view: View) -> Iterator[Proposal]:
    """The Director's own Local Railways at the highest price, once they earn less than his money elsewhere."""
    table, player = view.table, question.decider
    assert isinstance(question.task, CompanyTask)
    full = certificate_count(table, player) >= certificate_limit(table)
    price = table.state.local_price
    for option in question.only(OfferForLocal):
        action = option.action
        assert isinstance(action, OfferForLocal)
        if option.span is None or option.span.high < price or table.state.locals[action.local] != player:
            continue
        keep = view.weights.dealing.keep_local[table.title.locals[action.local].size]
        if full:
            keep *= view.weights.fixed.dealing.keep_when_full
        gain = price * view.calendar.cash_now - local_worth(view, action.local) * keep
        if gain > 0:
            yield Proposal(option.at(price), gain, (f"{price} K for you, out of the company's treasury",))


def sales_to_bank(question: Question, view: View) -> Iterator[Proposal]:
    """A company's Local Railways for money, those first whose power is used and that earn least."""
    table = view.table
    for option in question.only(SellLocal):
        action = option.action
        assert isinstance(action, SellLocal)
        fresh = action.local not in table.state.used_powers
        score = -table.title.locals[action.local].income - view.weights.building.power * fresh
        yield Proposal(action, score, (f"{table.state.local_price} K for the company's treasury",))
