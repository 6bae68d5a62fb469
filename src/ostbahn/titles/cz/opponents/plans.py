"""Candidates of N in 18CZ: plans for a whole Stock Round, and income decisions with the train purchases they pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from ostbahn.bots.policies import (
    Candidate,
    FollowUp,
    Trait,
    distinct_candidates,
    exactly,
    price_offers,
    purchase_traits,
    sale_traits,
)
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, director, holding, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz import state
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    OfferAcquisition,
    OfferForLocal,
    OfferForTrain,
    PayOut,
    SellShares,
    StartCompany,
    Withhold,
)
from ostbahn.titles.cz.opponents import shares
from ostbahn.titles.cz.opponents.operating import useful
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.shares import SaleOption
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stock import FLOATS_AT
from ostbahn.titles.cz.words.text_renderer import cz_table

if TYPE_CHECKING:
    from ostbahn.bots.nets import Prediction


def candidate_of(table: CzTable, player: str, actions: Sequence[Action]) -> Candidate:
    """Return a candidate of several actions in a row, with the traits of all of them."""
    traits = frozenset(trait for action in actions for trait in stock_round_traits(table, player, action))
    return Candidate(actions[0], tuple(exactly(action) for action in actions[1:]), _describe(actions), traits=traits)


def stock_round_traits(table: CzTable, player: str, action: Action) -> frozenset[Trait]:
    """Return the traits of an action of a Stock Round."""
    match action:
        case StartCompany():
            return frozenset({"starts"})
        case BuyShare(company=company):
            return purchase_traits(table, player, company)
        case SellShares(company=company):
            return sale_traits(table, player, company)
    return frozenset()


def _traits_of(action: Action, question: Question, table: CzTable) -> frozenset[Trait]:
    match action:
        case PayOut():
            return frozenset({"pays"})
        case Withhold():
            return frozenset({"keeps"})
        case BuyTrain(card=card):
            return frozenset({"trains", "phase"}) if card[0] > table.state.phase else frozenset({"trains"})
        case OfferForTrain():
            return frozenset({"trains", "trades"})
        case OfferForLocal() | OfferAcquisition():
            return frozenset({"trades"})
        case Pass() if isinstance(question.task, state.PurchaseTrains):
            return frozenset({"waits"})
        case Pass() if isinstance(question.task, state.StockRound):
            return frozenset({"passes"})
    return stock_round_traits(table, question.decider, action)


MANY: Final = 3
"""Most trains that a company buys in a turn."""
BUYS: Final[frozenset[Trait]] = frozenset({"trains"})
WAITS: Final[frozenset[Trait]] = frozenset({"waits"})


class PredictionView(CzBotView):
    """A bot's view whose share values come from a net."""

    def __init__(self, table: CzTable, weights: CzWeights, prediction: Prediction) -> None:
        super().__init__(table, weights)
        self.prediction = prediction

    def share(self, company: str, player: str) -> float:
        if company not in self.table.state.start_prices or company not in self.prediction.payouts:
            return super().share(company, player)
        part = share_unit(self.table, company) / 100
        return self.prediction.payouts[company] * part + self.prediction.price[company]


def generate_candidates(
    question: Question, game: Game, usual: list[Candidate], weights: CzWeights, prediction: Prediction
) -> list[Candidate]:
    """Return at least one candidate, those of S first."""
    match question.task:
        case state.StockRound():
            ideas = _stock_round_candidates(question, game, weights, prediction, usual)
        case state.UseIncome():
            ideas = _income_candidates(question, usual, weights)
        case state.PurchaseTrains():
            ideas = _train_candidates(question, game, usual, weights)
        case state.Acquire():
            ideas = [*usual, *_trade_offers(question, cz_table(game))]
        case state.Consent():
            ideas = [*usual, Candidate(Accept()), Candidate(Decline())]
        case _:
            ideas = usual
    passing = [Candidate(Pass(), plan="pass")] if question.only(Pass) else []
    allowed = (
        distinct_candidates([idea for idea in (*ideas, *passing) if question.refusal(idea.action) is None]) or usual
    )
    return [idea._replace(traits=idea.traits | _traits_of(idea.action, question, cz_table(game))) for idea in allowed]


# Stock Rounds


def _stock_round_candidates(
    question: Question, game: Game, weights: CzWeights, prediction: Prediction, usual: list[Candidate]
) -> list[Candidate]:
    """Return portfolio plans, companies to start and companies to take control of."""
    table = cz_table(game)
    view = PredictionView(table, weights, prediction)
    found = [*usual[:2], *_portfolios(question, CzBotView(table, weights)), *_portfolios(question, view)]
    sales = sorted(shares.sales_of(question, view), key=lambda sale: sale.growth)
    return [*found, *_start_candidates(question, table, sales), *_control_candidates(question, table)]


def _portfolios(question: Question, view: CzBotView) -> Iterator[Candidate]:
    """Yield the best portfolio for each pair of shadow prices of money and certificate room."""
    table, player = view.table, question.decider
    fixed = view.weights.fixed.shares
    sales = list(shares.sales_of(question, view))
    unfloated, funds = set(shares.costs_to_float(table, player)), shares.buying_power_of(view, player)
    buys = list(shares.investments_of(question, view, sales))
    for money, room in product(fixed.money_prices, fixed.room_prices):
        plan = shares.plan_at_prices(buys, sales, funds, unfloated, funds.idle * money, room)
        if candidate := _plan_candidate(table, player, plan, funds, unfloated):
            yield candidate


def _plan_candidate(
    table: CzTable, player: str, plan: shares.PortfolioPlan, funds: shares.BuyingPower, unfloated: set[str]
) -> Candidate | None:
    """Order a plan: sales if needed, then purchases, with own unfloated companies first."""
    purchases = sorted(plan.purchases, key=lambda buy: (shares.company_of(buy.action) not in unfloated, -buy.growth))
    cost, certificates = (sum(buy.cost for buy in purchases), sum(buy.certificates for buy in purchases))
    needs_sales = cost > funds.money or certificates > funds.room
    sales = plan.sales if needs_sales or not purchases else ()
    sold: list[Action] = [sale.action for sale in sales]
    bought = [action for buy in purchases for action in _float_purchases(table, buy.action)]
    if not sold and not bought:
        return None
    reasons = purchases[0].reasons if purchases else ()
    if purchases and sold:
        reasons = (shares.swap_reason(sales[0], purchases[0]),)
    return candidate_of(table, player, [*sold, *bought])._replace(reasons=reasons)


def _float_purchases(table: CzTable, action: Action) -> Iterator[Action]:
    """Yield the purchase; after a start, also those that float the company."""
    yield action
    if isinstance(action, StartCompany):
        unit = table.title.companies[action.company].certificates[-1]
        yield from [BuyShare(action.company)] * (-(-FLOATS_AT // unit) - 2)


def _start_candidates(question: Question, table: CzTable, sales: Sequence[SaleOption]) -> Iterator[Candidate]:
    """Yield each company that the player can start, at the highest and at a middle affordable price."""
    player = question.decider
    money = table.state.cash[player] + sum(sale.money for sale in shares.largest_blocks(list(sales)))
    for company, holders in table.state.certificates.items():
        spec = table.title.companies[company]
        if holders[0] != BANK or not table.phase_from(spec.spec.opens_in_phase):
            continue
        number = -(-FLOATS_AT // spec.certificates[-1])
        affordable = [price for price in spec.spec.start_prices if number * price <= money]
        for price in sorted({affordable[-1], affordable[len(affordable) // 2]}, reverse=True) if affordable else ():
            yield from _start_plan(table, player, StartCompany(company, price), sales)


def _start_plan(table: CzTable, player: str, start: StartCompany, sales: Sequence[SaleOption]) -> Iterator[Candidate]:
    unit = table.title.companies[start.company].certificates[-1]
    missing = -(-FLOATS_AT // unit) * start.price - table.state.cash[player]
    sold: list[Action] = []
    for sale in sales:
        if missing <= 0:
            break
        if all(sale.action.company != getattr(action, "company", "") for action in sold):
            sold.append(sale.action)
            missing -= sale.money
    if missing <= 0:
        yield candidate_of(table, player, [*sold, *_float_purchases(table, start)])


def _control_candidates(question: Question, table: CzTable) -> Iterator[Candidate]:
    """Yield purchases that give the player control of another Director's company."""
    player, cash = question.decider, table.state.cash[question.decider]
    for company in table.state.floated:
        current = director(table, company)
        if current is None or current == player:
            continue
        unit, price = share_unit(table, company), chart.price(table, company)
        needed = (holding(table, current, company) - holding(table, player, company)) // unit + 1
        if 0 < needed * price <= cash:
            follow_ups = (exactly(BuyShare(company)),) * (needed - 1)
            traits: frozenset[Trait] = frozenset({"control"})
            yield Candidate(BuyShare(company), follow_ups, f"take control of {company}", traits=traits)


def _describe(actions: Sequence[Action]) -> str:
    """Return a short description of a plan."""
    parts = []
    for action in actions:
        match action:
            case SellShares(company=company, percent=percent):
                parts.append(f"sell {percent} % of {company}")
            case StartCompany(company=company, price=price):
                floats = " and float it" if BuyShare(company) in actions else ""
                parts.append(f"start {company} at {price} K{floats}")
            case BuyShare(company=company) if f"start {company}" not in " ".join(parts):
                parts.append(f"buy {company}")
    return ", ".join(dict.fromkeys(parts))


# Incomes and trains


def _income_candidates(question: Question, usual: list[Candidate], weights: CzWeights) -> list[Candidate]:
    """Return pay-out and withhold, each combined with a policy for trains."""
    candidates = list(usual)
    buying = (_dearest_train(weights),) * MANY
    for action, word in ((PayOut(), "pay out"), (Withhold(), "keep the income")):
        if question.only(type(action)):
            candidates.append(Candidate(action, buying, f"{word}, then buy all trains that can be paid", traits=BUYS))
            candidates.append(Candidate(action, (buy_no_train,), f"{word}, then buy no train", traits=WAITS))
    return candidates


def _train_candidates(question: Question, game: Game, usual: list[Candidate], weights: CzWeights) -> list[Candidate]:
    """Return each train that the company can run, alone or followed by others, and trades with other players."""
    assert isinstance(question.task, CompanyTask)
    table, company = cz_table(game), question.task.company
    ideas = list(usual)
    buying = (_dearest_train(weights),) * MANY
    for action in question.actions(BuyTrain):
        if useful(table, company, action):
            ideas.append(Candidate(action, plan=f"buy a {action.face}-train"))
            ideas.append(Candidate(action, buying, f"buy a {action.face}-train, then buy all others that can be paid"))
            ideas.append(Candidate(action, (buy_no_train,), f"buy a {action.face}-train, then buy no other"))
    return [*ideas, *_trade_offers(question, table)]


def _dearest_train(weights: CzWeights) -> FollowUp:
    """Return a follow-up that buys the best affordable train from the bank."""

    def buy_best(question: Question) -> Action | None:
        if not isinstance(question.task, state.PurchaseTrains):
            return None
        return max(question.actions(BuyTrain), key=lambda train: weights.trains.typical[train.face], default=None)

    return buy_best


def buy_no_train(question: Question) -> Action | None:
    return Pass() if isinstance(question.task, state.PurchaseTrains) and question.only(Pass) else None


# Trade with others


def _trade_offers(question: Question, table: CzTable) -> Iterator[Candidate]:
    """Yield offers to other players for runnable trains, Local Railways and companies."""
    for kind in (OfferForTrain, OfferForLocal, OfferAcquisition):
        for option in question.only(kind):
            partner = _seller(table, option.action)
            if option.span is None or partner is None or partner == question.decider:
                continue
            if isinstance(option.action, OfferForTrain) and not _can_run(question, table, option.action):
                continue
            yield from price_offers(option, partner, "K")


def _seller(table: CzTable, action: Action) -> str | None:
    """Return the player who decides on an offer."""
    match action:
        case OfferForTrain(card=card):
            company = table.owner_of(card)
            return None if company is None else director(table, company)
        case OfferForLocal(local=local):
            owner = table.state.locals.get(local)
            return owner if owner in table.state.players else None
        case OfferAcquisition(company=company):
            return director(table, company)
    return None


def _can_run(question: Question, table: CzTable, action: OfferForTrain) -> bool:
    """Whether the company could run the train."""
    assert isinstance(question.task, CompanyTask)
    face = next((train.face for train in table.trains() if train.card == action.card), None)
    return face is not None and table.title.train_faces[face].size == table.size(question.task.company)


def rounds_left(game: Game) -> int:
    """Return the number of Stock Rounds left, the current one included."""
    calendar = CzBotView(cz_table(game), cz_search_weights()).calendar
    return calendar.stock_rounds_ahead + calendar.stock_round
