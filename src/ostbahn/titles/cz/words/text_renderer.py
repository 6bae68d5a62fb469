"""The text renderer of 18CZ: remarks on actions, previews, and guesses of what a player meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from ostbahn.eighteen.text import BaseTextRenderer, QuestionsFile, hex_of_name, joined, lays_on, proceeds, track_words
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import director, holdings, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Train
from ostbahn.kernel.table import Table
from ostbahn.text.words import Naming, plural
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.acquisition import price_span, shares_out, turning_cost
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.rounds import dividend
from ostbahn.titles.cz.running import best, rides_of
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.stock import FLOATS_AT, certificate_count
from ostbahn.titles.cz.title import load_data
from ostbahn.titles.cz.track import terrain_cost
from ostbahn.titles.cz.words.words import WORDS, terms

VACLAV: Final = "vaclav"
"""Key of the chapters for his companies in `questions.toml`."""


@cache
def _questions() -> QuestionsFile:
    return load_data("questions.toml", QuestionsFile)


def cz_table(game: Game) -> CzTable:
    table = game.table
    if not isinstance(table, CzTable):
        raise OstbahnError(f"{game.setup.title} is not 18CZ")
    return table


class CzTextRenderer(BaseTextRenderer[CzTable]):
    words = WORDS

    def remark(self, question: Question, action: Action) -> str:
        table = self.table
        match action:
            case cz.LayTile() | cz.LayPurpleTile() | cz.LayRedTile():
                return _lay_remark(table, question, action)
            case cz.PlaceStation() | cz.ChooseCity() | cz.ChooseReturn():
                return _city_remark(table, question, action)
            case cz.BuyLocal() | cz.OfferForLocal() | cz.SellLocal():
                return _local_remark(table, question, action)
            case cz.StartCompany() | cz.BuyShare() | cz.SellShares():
                return _share_remark(table, action)
            case cz.BuyTrain() | cz.OfferForTrain() | cz.TurnTrain() | cz.ScrapTrain() | cz.ReturnTrain():
                return _train_remark(table, question, action)
            case cz.OfferAcquisition():
                return _take_over_remark(table, question, action)
            case cz.RunTrains():
                return _run_remark(table, question, action)
            case _:
                return _other_remark(table, question, action)

    def matter(self, question: Question) -> str:
        """Return the offer to be answered, otherwise the available money."""
        task, table = question.task, self.table
        if not isinstance(task, tasks.Consent):
            return super().matter(question)
        buyer = table.name(director(table, task.company))
        return f"{task.company} ({buyer}) offers {terms(task.offer, Naming(table), str(task.offer.price))}"

    def chapters(self, question: Question) -> tuple[str, ...]:
        task = question.task
        subject = task.offer if isinstance(task, tasks.Consent) else task
        is_vaclavs = question.company is not None and is_his(self.table, question.company)
        variants = [self.table.title.variant, *([VACLAV] if is_vaclavs else ())]
        return _questions().chapters(str(subject.__struct_config__.tag), question, variants)

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        table, task = self.table, question.task
        hex_ = table.title.map.hexes.get(what.upper())
        company = next((name for name in table.title.companies if name.casefold() == what.casefold()), None)
        if hex_ is not None and isinstance(task, tasks.LayTrack):
            for tile, rotation in lays_on(table, hex_):
                yield cz.LayTile(hex_.id, tile, rotation)
        elif hex_ is not None and isinstance(task, tasks.EstablishStation):
            for node in range(len(table.state.board.face(table.title.tile_set, hex_).nodes) or 1):
                yield cz.PlaceStation(city_id(hex_.id, node))
        elif company is not None and isinstance(task, tasks.StockRound):
            yield cz.BuyShare(company)
            for price in table.title.companies[company].spec.start_prices:
                yield cz.StartCompany(company, price)
        elif company is not None and isinstance(task, tasks.Acquire):
            yield cz.OfferAcquisition(company, price_span(table, company).low if company in table.state.floated else 1)

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        table = self.table
        assert isinstance(later, CzTable)
        match action:
            case cz.StartCompany():
                yield from _float_words(table, later, action.company, action.price)
                shares_left = table.state.cash[question.decider] // action.price - 2
                enough = (
                    f"enough for {plural(shares_left, 'share')} more" if shares_left > 0 else "not enough for a share"
                )
                yield f"the money left is {enough}"
                yield self.certificates_then(later, question.decider)
            case cz.BuyShare():
                if action.company not in table.state.floated:
                    yield from _float_words(table, later, action.company, table.state.start_prices[action.company])
                yield self.certificates_then(later, question.decider)
            case cz.SellShares():
                yield self.certificates_then(later, question.decider)
                yield f"{action.company} may not be bought again in this stock round"
            case cz.BuyLocal():
                yield self.certificates_then(later, question.decider)
            case cz.PayOut() | cz.Withhold() if isinstance(question.task, tasks.UseIncome):
                yield from _income_words(table, question.task, isinstance(action, cz.PayOut))
            case cz.BuyTrain() | cz.OfferForTrain() | cz.TurnTrain():
                yield from _train_words(table, later, question.company or "", action)
            case cz.OfferForLocal():
                yield from _who_decides(question, table, table.state.locals.get(action.local))
            case cz.OfferAcquisition():
                yield from _who_decides(question, table, director(table, action.company))

    def certificates(self, table: CzTable, player: str) -> int:
        return certificate_count(table, player)

    def headline(self) -> list[str]:
        state = self.table.state
        parts = [f"phase {state.phase} ({self.table.phase.colour} tiles)"]
        if state.local_price:
            parts.append(f"Local Railways at {state.local_price} K")
        return parts


# Remarks


def _lay_remark(table: CzTable, question: Question, action: cz.LayTile | cz.LayPurpleTile | cz.LayRedTile) -> str:
    title = table.title
    tile = title.home_tiles[question.company or ""] if isinstance(action, cz.LayRedTile) else action.tile
    lay_words = track_words(table, tile, action.rotation)
    is_paid = isinstance(action, cz.LayTile) and action.waiver is None
    cost = terrain_cost(table, question.company or "", action.hex) if is_paid else 0
    return joined(hex_of_name(table, action.hex), lay_words, f"costs {cost} K" if cost else "")


def _city_remark(table: CzTable, question: Question, action: cz.PlaceStation | cz.ChooseCity | cz.ChooseReturn) -> str:
    cost = f"costs {next_price(table, question.company or '')} K" if isinstance(action, cz.PlaceStation) else ""
    return joined(hex_of_name(table, action.city), cost)


def _local_remark(table: CzTable, question: Question, action: cz.BuyLocal | cz.OfferForLocal | cz.SellLocal) -> str:
    local = table.title.locals[action.local]
    about = f"{local.name}, income {local.income} K"
    if isinstance(action, cz.BuyLocal):
        return f"{about}, costs {local.price} K"
    if isinstance(action, cz.SellLocal):
        return f"{about}, brings {table.state.local_price} K"
    return joined(about, *_who_decides(question, table, table.state.locals.get(action.local)))


def _who_decides(question: Question, table: CzTable, owner: str | None) -> list[str]:
    """Return a remark on who must agree, if it is another player."""
    return [] if owner in (None, question.decider) else [f"{table.name(owner)} decides"]


def _share_remark(table: CzTable, action: cz.StartCompany | cz.BuyShare | cz.SellShares) -> str:
    name = table.title.companies[action.company].name
    match action:
        case cz.StartCompany():
            percent = table.title.companies[action.company].certificates[0]
            return f"{name}, {table.size(action.company)}; the Director's {percent}% costs {2 * action.price} K"
        case cz.BuyShare():
            price, unit = chart.price(table, action.company), share_unit(table, action.company)
            return f"{name}; {unit}% costs {price} K"
        case cz.SellShares():
            return f"{name}; brings {proceeds(table, action.company, action.percent)} K"


def _train_remark(
    table: CzTable,
    question: Question,
    action: cz.BuyTrain | cz.OfferForTrain | cz.TurnTrain | cz.ScrapTrain | cz.ReturnTrain,
) -> str:
    trains = {train.card: train for held in table.state.trains.values() for train in held}
    match action:
        case cz.BuyTrain():
            in_pool = any(train.card == action.card for train in table.state.pool)
            price = table.title.stack.spec[action.card[0]].faces[action.face]
            cash = table.state.cash[question.company or ""]
            director_part = f", of which {price - cash} K from the Director" if price > cash else ""
            return f"from the {'pool' if in_pool else 'stack'}, costs {price} K{director_part}"
        case cz.TurnTrain():
            return f"costs {turning_cost(table, trains[action.card], action.face)} K"
        case cz.OfferForTrain():
            return joined(*_who_decides(question, table, director(table, table.owner_of(action.card) or "")))
        case _:
            return _card_letter(table, trains, action.card)


def _card_letter(table: CzTable, trains: Mapping[str, Train], card: str) -> str:
    """Return the card's letter if the company has the same face on other cards: it decides what it can be turned to."""
    own, face = table.owner_of(card), trains[card].face
    letters = {train.card[0] for train in trains.values() if train.face == face and table.owner_of(train.card) == own}
    return f"card {card[0]}" if len(letters) > 1 else ""


def _take_over_remark(table: CzTable, question: Question, action: cz.OfferAcquisition) -> str:
    company = action.company
    shares = sum(shares_out(table, company).values())
    decides = "; ".join([*_who_decides(question, table, director(table, company)), ""])
    return f"{decides}{shares} shares at {chart.price(table, company)} K, treasury {table.state.cash[company]} K"


def _run_remark(table: CzTable, question: Question, action: cz.RunTrains) -> str:
    rides = rides_of(table, question.company or "", action.runs)
    if isinstance(rides, Refusal):
        return ""
    run = best(table, question.company or "")
    doubt = "" if run.proven else f"not proven to be the best, but none brings more than {run.bound} K"
    return joined("earns " + " + ".join(f"{ride.revenue}" for ride in rides) + " K" if rides else "", doubt)


def _other_remark(table: CzTable, question: Question, action: Action) -> str:
    task = question.task
    match action:
        case cz.PayOut() | cz.Withhold() if isinstance(task, tasks.UseIncome):
            return f"{task.revenue} K"
        case cz.RepayDebt():
            return f"{table.state.debts.get(question.decider, 0)} K"
        case Accept() if isinstance(task, tasks.Consent) and isinstance(task.offer, cz.OfferAcquisition):
            return f"{task.offer.price} K a share"
        case Accept() if isinstance(task, tasks.Consent):
            return f"{task.offer.price} K"
        case Decline() if isinstance(task, tasks.Consent):
            return _kept_if_declined(table, task.offer)
        case _:
            return ""


def _kept_if_declined(table: CzTable, offer: cz.Offer) -> str:
    """Return what the owner keeps by declining an offer."""
    match offer:
        case cz.OfferForLocal(local=local):
            spec = table.title.locals[local]
            income = f"{spec.income} K a round" if spec.income else ""
            return joined(income, f"counts {table.state.local_price} K now" if spec.priced else "")
        case cz.OfferAcquisition(company=company):
            return f"{chart.price(table, company)} K a share now"
        case _:
            return ""


# Before an answer


def _float_words(table: CzTable, later: CzTable, company: str, price: int) -> Iterator[str]:
    """Yield what a company gets when it floats, and the shares missing for that (VII.3/11, VII.5.a)."""
    spec, unit = table.title.companies[company].spec, share_unit(table, company)
    gets = f"{spec.capital * price} K ({spec.capital} × {price} K) and {spec.markers} station markers"
    missing = -(-(FLOATS_AT - sum(holdings(later, company).values())) // unit)
    if missing <= 0:
        yield f"{company} gets {gets}"
    else:
        yield f"{company} floats with {plural(missing, 'share')} more in players' hands, and then gets {gets}"


def _income_words(table: CzTable, task: tasks.UseIncome, paid: bool) -> Iterator[str]:
    """Yield the payment in all and per share, and the treasury that follows (VIII.8)."""
    company, cash = task.company, table.state.cash[task.company]
    if not paid:
        yield f"the treasury grows from {cash} to {cash + task.revenue} K"
        return
    unit = share_unit(table, company)
    players = sum(dividend(task.revenue, percent) for percent in holdings(table, company).values())
    yield f"{task.revenue} K is {dividend(task.revenue, unit)} K a share ({unit}%), and players get {players} K of it"
    yield f"the treasury stays at {cash} K"


def _train_words(
    table: CzTable, later: CzTable, company: str, action: cz.BuyTrain | cz.OfferForTrain | cz.TurnTrain
) -> Iterator[str]:
    """Yield the number of trains that follows, and the effects of a new phase (VIII.10, VIII.12)."""
    seller = table.owner_of(action.card)
    if isinstance(action, cz.OfferForTrain) and later.owner_of(action.card) == seller:
        yield f"{table.name(director(table, seller or ''))} decides"
        return
    yield f"{company} then has {len(later.state.trains.get(company, ()))} of {train_limit(later, company)} trains"
    if later.phase.colour != table.phase.colour:
        yield f"{later.phase.colour} tiles can be laid"
    for task in later.state.agenda:
        if isinstance(task, tasks.ReturnTrains):
            yield f"{task.company} has more trains than its limit and gives one back to the pool"
