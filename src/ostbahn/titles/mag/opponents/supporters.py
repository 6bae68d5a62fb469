"""Supporters that are used for their own sake: Rothschild and Magyar Államvasutak (18Mag M.5/5, M.5/8).

The others are ways to lay a tile, place a station or buy a train, and are thought of there (`cards.py`).
"""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import AddTown, TakeFromRothschild
from ostbahn.titles.mag.modules.supporters_table import Longer, SupportersTable, supporters_file
from ostbahn.titles.mag.opponents import trains
from ostbahn.titles.mag.opponents.cards import still_to_act
from ostbahn.titles.mag.opponents.horizon import rounds_after, treasury_value
from ostbahn.titles.mag.opponents.runs import another, lines
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import CompanyTask, MagTable, OperateTrains, PurchaseTrains
from ostbahn.titles.mag.trains import trains_of


def at_once(question: Question, table: MagTable, weights: MagWeights) -> Proposal | None:
    """What is best done before anything else is thought of: it costs nothing, and everything else can follow."""
    task = question.task
    if not isinstance(table, SupportersTable) or not isinstance(task, CompanyTask):
        return None
    if question.only(TakeFromRothschild) and (reason := _why_now(table, task, weights)):
        gift = supporters_file().rothschild.gift
        return Proposal(TakeFromRothschild(), gift * treasury_value(rounds_after(table, weights), weights), (reason,))
    if question.only(AddTown) and isinstance(task, OperateTrains):
        return _town(question, table, task.company)
    return None


# Rothschild


def _why_now(table: SupportersTable, task: CompanyTask, weights: MagWeights) -> str:
    """Why this minor gets the money now; empty if another one may need it more."""
    if not still_to_act(table, task.company):
        return "no other minor of yours acts in this round any more"
    cash, gift = table.state.cash[task.company], supporters_file().rothschild.gift
    if isinstance(task, PurchaseTrains):
        wanted = tuple(trains.worth_buying(table, task.company, weights))
    elif isinstance(task, OperateTrains):
        wanted = table.phase.rail_cars[len(task.cars) : len(task.cars) + 1]
    else:
        wanted = ()
    return "it can pay for more with it" if any(cash < price <= cash + gift for price in wanted) else ""


# Magyar Államvasutak


def _town(question: Question, table: SupportersTable, minor: str) -> Proposal | None:
    """For the train that gains most by it, if no minor that acts later gains more."""
    plain = running.best(table, minor).worth
    found = []
    for option in question.only(AddTown):
        assert isinstance(option.action, AddTown)
        gain = running.best(with_town(table, option.action.card), minor).worth - plain
        found.append(Proposal(option.action, gain, (f"the run brings {gain} Ft more",)))
    best = max(found, key=lambda proposal: proposal.score)
    later = max((_gain_later(table, other) for other in still_to_act(table, minor)), default=0)
    return best if best.score > 0 and best.score >= later else None


def with_town(table: SupportersTable, card: str) -> MagTable:
    """The table if the card were used for a train."""
    tried = another(table)
    assert isinstance(tried, SupportersTable)
    tried.state.longer = Longer(card, supporters_file().mav.towns)
    return tried


def _gain_later(table: SupportersTable, minor: str) -> int:
    """What a town would bring to a minor, roughly."""
    cards = [train.card for train in trains_of(table, minor)]
    return max((_roughly(with_town(table, card), minor) for card in cards), default=0) - _roughly(table, minor)


def _roughly(table: MagTable, minor: str) -> int:
    own = sorted(trains_of(table, minor), key=lambda train: train.face, reverse=True)
    earned = lines(table, minor).earned(tuple(running.kind_of(table, train, ()) for train in own))
    return earned.revenue + earned.subsidy
