"""What a player of 18CZ wants to know before an answer, beside what happens then."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import director, holdings, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.income import dividend
from ostbahn.titles.cz.phases import owner_of, train_limit
from ostbahn.titles.cz.shares import FLOATS_AT, certificate_count, certificate_limit
from ostbahn.titles.cz.state import CzTable, ReturnTrains, UseIncome


def foresee(table: CzTable, later: CzTable, question: Question, action: Action) -> Iterator[str]:
    match action:
        case cz.StartCompany():
            yield from _capital(table, later, action.company, action.price)
            yield _afford(table, question.decider, 2 * action.price, action.price)
            yield _certificates(table, later, question.decider)
        case cz.BuyShare():
            if action.company not in table.state.floated:
                yield from _capital(table, later, action.company, table.state.start_prices[action.company])
            yield _certificates(table, later, question.decider)
        case cz.SellShares():
            yield _certificates(table, later, question.decider)
            yield f"{action.company} may not be bought again in this stock round"
        case cz.BuyLocal():
            yield _certificates(table, later, question.decider)
        case cz.PayOut() | cz.Withhold() if isinstance(question.task, UseIncome):
            yield from _income(table, question.task, isinstance(action, cz.PayOut))
        case cz.BuyTrain() | cz.OfferForTrain() | cz.TurnTrain():
            yield from _trains(table, later, question.company or "", action)
        case cz.OfferForLocal():
            yield from _decides(table, question, table.state.locals.get(action.local))
        case cz.OfferAcquisition():
            yield from _decides(table, question, director(table, action.company))


def _certificates(table: CzTable, later: CzTable, player: str) -> str:
    return (
        f"{table.name(player)} then has {certificate_count(later, player)} of {certificate_limit(table)} certificates"
    )


def _capital(table: CzTable, later: CzTable, company: str, price: int) -> Iterator[str]:
    """What a company gets when it floats, and what it needs for that (VII.3/11, VII.5.a)."""
    spec, unit = table.title.companies[company].spec, share_unit(table, company)
    gets = f"{spec.capital * price} K ({spec.capital} × {price} K) and {spec.markers} station markers"
    missing = -(-(FLOATS_AT - sum(holdings(later, company).values())) // unit)
    if missing <= 0:
        yield f"{company} gets {gets}"
    else:
        yield f"{company} floats with {_shares(missing)} more in players' hands, and then gets {gets}"


def _shares(number: int) -> str:
    return f"{number} share{'s' * (number > 1)}"


def _afford(table: CzTable, player: str, cost: int, price: int) -> str:
    """How many more shares at the starting price can be paid."""
    more = (table.state.cash[player] - cost) // price
    return (
        f"the money left is enough for {_shares(more)} more" if more > 0 else "the money left is not enough for a share"
    )


def _income(table: CzTable, task: UseIncome, paid: bool) -> Iterator[str]:
    """In all and by the share, and what stays with the company (VIII.8)."""
    company, cash = task.company, table.state.cash[task.company]
    if not paid:
        yield f"the treasury grows from {cash} to {cash + task.revenue} K"
        return
    unit = share_unit(table, company)
    players = sum(dividend(task.revenue, percent) for percent in holdings(table, company).values())
    yield f"{task.revenue} K is {dividend(task.revenue, unit)} K a share ({unit}%), and players get {players} K of it"
    yield f"the treasury stays at {cash} K"


def _trains(
    table: CzTable, later: CzTable, company: str, action: cz.BuyTrain | cz.OfferForTrain | cz.TurnTrain
) -> Iterator[str]:
    """How many trains there are then, and what a new phase means for everybody's (VIII.10, VIII.12)."""
    seller = owner_of(table, action.card)
    if isinstance(action, cz.OfferForTrain) and owner_of(later, action.card) == seller:
        yield f"{table.name(director(table, seller or ''))} decides"
        return
    yield f"{company} then has {len(later.state.trains.get(company, ()))} of {train_limit(later, company)} trains"
    if later.state.phase != table.state.phase:
        colours = [each.title.phases[each.state.phase].colour for each in (table, later)]
        if colours[0] != colours[1]:
            yield f"{colours[1]} tiles can be laid"
    for task in later.state.agenda:
        if isinstance(task, ReturnTrains):
            yield f"{task.company} has more trains than its limit and gives one back to the pool"


def _decides(table: CzTable, question: Question, owner: str | None) -> Iterator[str]:
    if owner is not None and owner != question.decider:
        yield f"{table.name(owner)} decides"
