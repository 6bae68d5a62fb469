"""What a player wants to know beside an answer: what it costs, what it brings, where the track goes."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Train
from ostbahn.text.naming import Naming
from ostbahn.text.remarks import hex_of_name, joined, track_words
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.acquisition import shares_out, turning_cost
from ostbahn.titles.cz.phases import owner_of
from ostbahn.titles.cz.running import best, rides_of
from ostbahn.titles.cz.state import CompanyTask, Consent, CzTable, UseIncome
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost
from ostbahn.titles.cz.words.deeds import terms


def cz_table(game: Game) -> CzTable:
    """The table of a game of 18CZ."""
    table = game.table
    if not isinstance(table, CzTable):
        raise OstbahnError(f"{game.setup.title} is not 18CZ")
    return table


def remark(table: CzTable, question: Question, action: Action) -> str:
    """What to add to an answer in a list; empty where its words say all."""
    match action:
        case cz.LayTile() | cz.LayPurpleTile() | cz.LayRedTile():
            return _track(table, question, action)
        case cz.PlaceStation() | cz.ChooseCity() | cz.ChooseReturn():
            return _city(table, question, action)
        case cz.BuyLocal() | cz.OfferForLocal() | cz.SellLocal():
            return _local(table, question, action)
        case cz.StartCompany() | cz.BuyShare() | cz.SellShares():
            return _shares(table, action)
        case cz.BuyTrain() | cz.OfferForTrain() | cz.TurnTrain() | cz.ScrapTrain() | cz.ReturnTrain():
            return _train(table, question, action)
        case cz.OfferAcquisition():
            return _take_over(table, question, action)
        case cz.RunTrains():
            return _run(table, question, action)
        case _:
            return _other(table, question, action)


def _track(table: CzTable, question: Question, action: cz.LayTile | cz.LayPurpleTile | cz.LayRedTile) -> str:
    title = table.title
    tile = title.home_tiles[question.company or ""] if isinstance(action, cz.LayRedTile) else action.tile
    what = track_words(title.tiles[tile].colour, title.tile_set.faces[tile][action.rotation])
    cost = (
        terrain_cost(table, question.company or "", action.hex)
        if isinstance(action, cz.LayTile) and action.waiver is None
        else 0
    )
    return joined(hex_of_name(table, action.hex), what, f"costs {cost} K" if cost else "")


def _city(table: CzTable, question: Question, action: cz.PlaceStation | cz.ChooseCity | cz.ChooseReturn) -> str:
    cost = f"costs {next_price(table, question.company or '')} K" if isinstance(action, cz.PlaceStation) else ""
    return joined(hex_of_name(table, action.city), cost)


def _local(table: CzTable, question: Question, action: cz.BuyLocal | cz.OfferForLocal | cz.SellLocal) -> str:
    local = table.title.locals[action.local]
    about = f"{local.name}, income {local.income} K"
    if isinstance(action, cz.BuyLocal):
        return f"{about}, costs {local.price} K"
    if isinstance(action, cz.SellLocal):
        return f"{about}, brings {table.state.local_price} K"
    return joined(about, *_decides(question, table, table.state.locals.get(action.local)))


def _decides(question: Question, table: CzTable, owner: str | None) -> list[str]:
    """Who has to agree, where that is somebody else."""
    return [] if owner in (None, question.decider) else [f"{table.name(owner)} decides"]


def _shares(table: CzTable, action: cz.StartCompany | cz.BuyShare | cz.SellShares) -> str:
    name = table.title.companies[action.company].name
    match action:
        case cz.StartCompany():
            size = table.size(action.company)
            percent = table.title.companies[action.company].certificates[0]
            return f"{name}, {size}; the Director's {percent}% costs {2 * action.price} K"
        case cz.BuyShare():
            price, unit = chart.price(table, action.company), share_unit(table, action.company)
            return f"{name}; {unit}% costs {price} K"
        case cz.SellShares():
            return f"{name}; brings {proceeds(table, action.company, action.percent)} K"


def proceeds(table: CzTable, company: str, percent: int) -> int:
    """What a sale of shares brings."""
    return percent // share_unit(table, company) * chart.price(table, company)


def _train(
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
            help_ = f", of which {price - cash} K from the Director" if price > cash else ""
            return f"from the {'pool' if in_pool else 'stack'}, costs {price} K{help_}"
        case cz.TurnTrain():
            train = trains[action.card]
            return f"costs {turning_cost(table, train, action.face)} K"
        case cz.OfferForTrain():
            seller = owner_of(table, action.card) or ""
            return joined(*_decides(question, table, director(table, seller)))
        case _:
            return _card(table, trains, action.card)


def _card(table: CzTable, trains: Mapping[str, Train], card: str) -> str:
    """The letter of a card where the company has others with the same face: it says what else can be made of it."""
    own, face = owner_of(table, card), trains[card].face
    letters = {train.card[0] for train in trains.values() if train.face == face and owner_of(table, train.card) == own}
    return f"card {card[0]}" if len(letters) > 1 else ""


def _take_over(table: CzTable, question: Question, action: cz.OfferAcquisition) -> str:
    company = action.company
    shares = sum(shares_out(table, company).values())
    whose = "; ".join([*_decides(question, table, director(table, company)), ""])
    return f"{whose}{shares} shares at {chart.price(table, company)} K, treasury {table.state.cash[company]} K"


def _run(table: CzTable, question: Question, action: cz.RunTrains) -> str:
    rides = rides_of(table, question.company or "", action.runs)
    if isinstance(rides, Refusal):
        return ""
    found = best(table, question.company or "")
    doubt = "" if found.proven else f"not proven to be the best, but none brings more than {found.bound} K"
    return joined("earns " + " + ".join(f"{ride.revenue}" for ride in rides) + " K" if rides else "", doubt)


def _other(table: CzTable, question: Question, action: Action) -> str:
    task = question.task
    match action:
        case cz.PayOut() | cz.Withhold() if isinstance(task, UseIncome):
            return f"{task.revenue} K"
        case cz.RepayDebt():
            return f"{table.state.debts.get(question.decider, 0)} K"
        case Accept() if isinstance(task, Consent) and isinstance(task.offer, cz.OfferAcquisition):
            return f"{task.offer.price} K a share"
        case Accept() if isinstance(task, Consent):
            return f"{task.offer.price} K"
        case Decline() if isinstance(task, Consent):
            return _kept(table, task.offer)
        case _:
            return ""


def _kept(table: CzTable, offer: cz.Offer) -> str:
    """What somebody keeps who declines an offer."""
    match offer:
        case cz.OfferForLocal(local=local):
            spec = table.title.locals[local]
            income = f"{spec.income} K a round" if spec.income else ""
            return joined(income, f"counts {table.state.local_price} K now" if spec.priced else "")
        case cz.OfferAcquisition(company=company):
            return f"{chart.price(table, company)} K a share now"
        case _:
            return ""


def matter(table: CzTable, question: Question) -> str:
    """What a question is about, where its kind does not say it: the offer, the company's money."""
    task = question.task
    if isinstance(task, Consent):
        buyer = table.name(director(table, task.company))
        return f"{task.company} ({buyer}) offers {terms(task.offer, Naming(table), str(task.offer.price))}"
    if isinstance(task, CompanyTask):
        trains = ", ".join(train.face for train in table.state.trains.get(task.company, ())) or "none"
        return f"{task.company} has {table.state.cash[task.company]} K; trains: {trains}"
    return f"{table.name(question.decider)} has {table.state.cash[question.decider]} K"
