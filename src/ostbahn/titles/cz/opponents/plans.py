"""What N thinks of in 18CZ: plans for a whole Stock Round, and incomes together with the trains they pay for."""

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
    """Answers one after the other; the whole is like all of its parts."""
    traits = frozenset(trait for action in actions for trait in stock_round_traits(table, player, action))
    return Candidate(actions[0], tuple(exactly(action) for action in actions[1:]), _describe(actions), traits=traits)


def stock_round_traits(table: CzTable, player: str, action: Action) -> frozenset[Trait]:
    """What an answer of a Stock Round is like."""
    match action:
        case StartCompany():
            return frozenset({"starts"})
        case BuyShare(company=company):
            return purchase_traits(table, player, company)
        case SellShares(company=company):
            return sale_traits(table, player, company)
    return frozenset()


def _traits(action: Action, question: Question, table: CzTable) -> frozenset[Trait]:
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
"""Trains that a company buys in a turn at most."""
BUYS: Final[frozenset[Trait]] = frozenset({"trains"})
WAITS: Final[frozenset[Trait]] = frozenset({"waits"})


class PredictionView(CzBotView):
    """A table as a bot sees it that knows by a net what shares will bring."""

    def __init__(self, table: CzTable, weights: CzWeights, judgement: Prediction) -> None:
        super().__init__(table, weights)
        self.judgement = judgement

    def share(self, company: str, player: str) -> float:
        if company not in self.table.state.start_prices or company not in self.judgement.payouts:
            return super().share(company, player)
        part = share_unit(self.table, company) / 100
        return self.judgement.payouts[company] * part + self.judgement.price[company]


def generate_candidates(
    question: Question, game: Game, usual: list[Candidate], weights: CzWeights, judgement: Prediction
) -> list[Candidate]:
    """Ideas for a question, those of S first; never none."""
    match question.task:
        case state.StockRound():
            found = _stock_round(question, game, weights, judgement, usual)
        case state.UseIncome():
            found = _income(question, usual, weights)
        case state.PurchaseTrains():
            found = _trains(question, game, usual, weights)
        case state.Acquire():
            found = [*usual, *_trade(question, cz_table(game))]
        case state.Consent():
            found = [*usual, Candidate(Accept()), Candidate(Decline())]
        case _:
            found = usual
    passing = [Candidate(Pass(), plan="pass")] if question.only(Pass) else []
    allowed = (
        distinct_candidates([idea for idea in (*found, *passing) if question.refusal(idea.action) is None]) or usual
    )
    return [idea._replace(traits=idea.traits | _traits(idea.action, question, cz_table(game))) for idea in allowed]


# Stock Rounds


def _stock_round(
    question: Question, game: Game, weights: CzWeights, judgement: Prediction, usual: list[Candidate]
) -> list[Candidate]:
    """Plans at several prices of money and room, companies to start, and companies to take control of."""
    table = cz_table(game)
    view = PredictionView(table, weights, judgement)
    found = [*usual[:2], *_plans(question, CzBotView(table, weights)), *_plans(question, view)]
    sales = sorted(shares.sales_of(question, view), key=lambda sale: sale.growth)
    return [*found, *_starts(question, table, sales), *_control(question, table)]


def _plans(question: Question, view: CzBotView) -> Iterator[Candidate]:
    """The portfolios that different prices of money and room lead to."""
    table, player = view.table, question.decider
    fixed = view.weights.fixed.shares
    sales = list(shares.sales_of(question, view))
    own, means = set(shares.costs_to_float(table, player)), shares.buying_power_of(view, player)
    chances = list(shares.investments_of(question, view, sales))
    for money, room in product(fixed.money_prices, fixed.room_prices):
        plan = shares.plan_at_prices(chances, sales, means, own, means.idle * money, room)
        if idea := _as_idea(table, player, plan, means, own):
            yield idea


def _as_idea(
    table: CzTable, player: str, plan: shares.PortfolioPlan, means: shares.BuyingPower, own: set[str]
) -> Candidate | None:
    """Sales where they are needed, then purchases, companies of one's own first."""
    ahead = sorted(plan.purchases, key=lambda chance: (shares.company_of(chance.action) not in own, -chance.growth))
    cost, places = sum(chance.cost for chance in ahead), sum(chance.certificates for chance in ahead)
    needed = cost > means.money or places > means.room
    sales = plan.sales if needed or not ahead else ()
    sold: list[Action] = [sale.action for sale in sales]
    bought = [action for chance in ahead for action in _purchases(table, chance.action)]
    if not sold and not bought:
        return None
    reasons = ahead[0].reasons if ahead else ()
    if ahead and sold:
        reasons = (shares.swap_reason(sales[0], ahead[0]),)
    return candidate_of(table, player, [*sold, *bought])._replace(reasons=reasons)


def _purchases(table: CzTable, action: Action) -> Iterator[Action]:
    """A company of one's own is started and floated."""
    yield action
    if isinstance(action, StartCompany):
        unit = table.title.companies[action.company].certificates[-1]
        yield from [BuyShare(action.company)] * (-(-FLOATS_AT // unit) - 2)


def _starts(question: Question, table: CzTable, sales: Sequence[SaleOption]) -> Iterator[Candidate]:
    """Every company that could be started, at the highest price that one can pay, and at the one in the middle."""
    player = question.decider
    money = table.state.cash[player] + sum(sale.money for sale in shares.largest_blocks(list(sales)))
    for company, holders in table.state.certificates.items():
        spec = table.title.companies[company]
        if holders[0] != BANK or not table.phase_from(spec.spec.opens_in_phase):
            continue
        number = -(-FLOATS_AT // spec.certificates[-1])
        able = [price for price in spec.spec.start_prices if number * price <= money]
        for price in sorted({able[-1], able[len(able) // 2]}, reverse=True) if able else ():
            yield from _start(table, player, StartCompany(company, price), sales)


def _start(table: CzTable, player: str, start: StartCompany, sales: Sequence[SaleOption]) -> Iterator[Candidate]:
    unit = table.title.companies[start.company].certificates[-1]
    missing = -(-FLOATS_AT // unit) * start.price - table.state.cash[player]
    sold: list[Action] = []
    for sale in sales:
        if missing <= 0:
            break
        if all(sale.action.company != getattr(each, "company", "") for each in sold):
            sold.append(sale.action)
            missing -= sale.money
    if missing <= 0:
        yield candidate_of(table, player, [*sold, *_purchases(table, start)])


def _control(question: Question, table: CzTable) -> Iterator[Candidate]:
    """Companies of others that one could direct, by buying what is needed for it."""
    player, cash = question.decider, table.state.cash[question.decider]
    for company in table.state.floated:
        head = director(table, company)
        if head is None or head == player:
            continue
        unit, price = share_unit(table, company), chart.price(table, company)
        needed = (holding(table, head, company) - holding(table, player, company)) // unit + 1
        if 0 < needed * price <= cash:
            wishes = (exactly(BuyShare(company)),) * (needed - 1)
            traits: frozenset[Trait] = frozenset({"control"})
            yield Candidate(BuyShare(company), wishes, f"take control of {company}", traits=traits)


def _describe(actions: Sequence[Action]) -> str:
    """A plan in a few words."""
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


def _income(question: Question, usual: list[Candidate], weights: CzWeights) -> list[Candidate]:
    """To pay or to keep, each with what is done about trains afterwards."""
    found = list(usual)
    buying = (_dearest_train(weights),) * MANY
    for action, word in ((PayOut(), "pay out"), (Withhold(), "keep the income")):
        if question.only(type(action)):
            found.append(Candidate(action, buying, f"{word}, then buy all trains that can be paid", traits=BUYS))
            found.append(Candidate(action, (buy_no_train,), f"{word}, then buy no train", traits=WAITS))
    return found


def _trains(question: Question, game: Game, usual: list[Candidate], weights: CzWeights) -> list[Candidate]:
    """Every train that the company can run, alone and with all that follow it; and what others could sell."""
    assert isinstance(question.task, CompanyTask)
    table, company = cz_table(game), question.task.company
    found = list(usual)
    buying = (_dearest_train(weights),) * MANY
    for action in question.actions(BuyTrain):
        if useful(table, company, action):
            found.append(Candidate(action, plan=f"buy a {action.face}-train"))
            found.append(Candidate(action, buying, f"buy a {action.face}-train, then buy all others that can be paid"))
            found.append(Candidate(action, (buy_no_train,), f"buy a {action.face}-train, then buy no other"))
    return [*found, *_trade(question, table)]


def _dearest_train(weights: CzWeights) -> FollowUp:
    """The best train that can be bought from the bank."""

    def wish(question: Question) -> Action | None:
        if not isinstance(question.task, state.PurchaseTrains):
            return None
        trains = question.actions(BuyTrain)
        return max(trains, key=lambda train: weights.trains.typical[train.face], default=None)

    return wish


def buy_no_train(question: Question) -> Action | None:
    return Pass() if isinstance(question.task, state.PurchaseTrains) and question.only(Pass) else None


# Trade with others


def _trade(question: Question, table: CzTable) -> Iterator[Candidate]:
    """Offers to other players: for trains that the company can run, for Local Railways and for companies."""
    for kind in (OfferForTrain, OfferForLocal, OfferAcquisition):
        for option in question.only(kind):
            partner = _seller(table, option.action)
            if option.span is None or partner is None or partner == question.decider:
                continue
            if isinstance(option.action, OfferForTrain) and not _can_run(question, table, option.action):
                continue
            yield from price_offers(option, partner, "K")


def _seller(table: CzTable, action: Action) -> str | None:
    """The player who decides on an offer."""
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
    """Stock Rounds to come, and the present one."""
    calendar = CzBotView(cz_table(game), cz_search_weights()).calendar
    return calendar.stock_rounds_ahead + calendar.stock_round
