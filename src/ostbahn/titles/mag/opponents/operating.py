"""Proposals of a minor's stations, rail cars, trains and supporters, and of a major's markers.

Only Rothschild and Magyar Államvasutak have proposals of their own (18Mag M.5/5, M.5/8). The other supporters are ways
to lay a tile, place a station or buy a train (`runs.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from ostbahn.bots.policies import Proposal, best_first, with_pass, with_reason_for_best
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.map.tiles import Node
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import (
    AddTown,
    BuyCar,
    BuyTrain,
    Car,
    PlaceByDdsg,
    PlaceStation,
    RunTrains,
    ScrapTrain,
    TakeFromRothschild,
)
from ostbahn.titles.mag.costs import station_cost, train_cost
from ostbahn.titles.mag.modules.supporters_table import LongerTrain, SupportersTable, supporters_file
from ostbahn.titles.mag.opponents.runs import (
    FleetFaces,
    RunIncome,
    fleet_of,
    greedy_runs_of,
    income_with_cars,
    least_price,
    saved_elsewhere,
    sorted_fleet,
    still_to_act,
    table_copy,
    with_station,
)
from ostbahn.titles.mag.opponents.track import later_fleet
from ostbahn.titles.mag.opponents.worth import MagBotView
from ostbahn.titles.mag.state import (
    CompanyTask,
    Consent,
    EstablishStation,
    MagTable,
    OperateWithCars,
    PlaceMarker,
    PurchaseTrains,
    ScrapTrains,
)
from ostbahn.titles.mag.stations import next_price


def node_of(table: MagTable, city: str) -> Node:
    hex_id, _, node = city.partition(".")
    return table.state.board.face(table.title.tile_set, table.title.map[hex_id]).nodes[int(node)]


def city_value(table: MagTable, city: str) -> int:
    value = node_of(table, city).value
    return value if isinstance(value, int) else 0


def stations_proposed(question: Question, view: MagBotView, task: EstablishStation) -> list[Proposal]:
    """Score each station by the income it adds to the runs to come, less its cost."""
    table, weights, minor = view.table, view.weights.stations, task.company
    action_type: type[PlaceStation] = PlaceByDdsg if question.only(PlaceByDdsg) else PlaceStation
    placements = question.actions(action_type)
    if not placements:
        return with_pass((), "there is no city for a station")
    planned_fleet = later_fleet(view, fleet_of(table, minor))
    income_before = income_with_cars(table, minor, planned_fleet).worth(view.treasury, view.cash_later)
    price = station_cost(table, minor, placements[0])
    service = table.title.services["station"]
    seller_share = price * service.part[0] // service.part[1]
    cost = price * view.treasury - view.gift(table.state.owners[minor], service.major, seller_share)
    placements.sort(key=lambda action: -city_value(table, action.city))
    proposals = []
    for action in placements[: weights.candidates]:
        table_after = with_station(table, minor, action.city)
        gain = income_with_cars(table_after, minor, planned_fleet).worth(view.treasury, view.cash_later) - income_before
        reasons = (f"adds about {gain:.0f} Ft a round, for {price} Ft once",) if gain >= 1 else ()
        proposals.append(Proposal(action, gain * (view.rounds + 1) - cost - weights.margin, reasons))
    return best_first(with_pass(proposals, f"no station is expected to earn its {price} Ft"))


def markers_proposed(question: Question, view: MagBotView, task: PlaceMarker) -> list[Proposal]:
    """Score markers in cities that the player's own minors visit by the bonus of those visits."""
    table, weights, player = view.table, view.weights.markers, question.decider
    placements = question.actions(PlaceStation)
    if not placements:
        return with_pass((), "there is no city for a marker")
    visits = visits_by_city(table, [minor for minor, owner in table.state.owners.items() if owner == player])
    cost = -view.gift(player, task.company, -next_price(table, task.company))
    bonus = table.title.major.marker_bonus
    visited = sorted((action for action in placements if visits[action.city]), key=lambda action: -visits[action.city])
    proposals = []
    for action in visited[: weights.candidates]:
        visit_count = visits[action.city]
        stations_after = len(table.state.board.stations.get(action.city, ())) + 1
        if stations_after >= node_of(table, action.city).slots:  # the marker would take the last free place
            continue
        gain = RunIncome(visit_count * bonus, 0).worth(view.treasury, view.cash_later) * view.rounds
        trains = "1 train of yours calls" if visit_count == 1 else f"{visit_count} trains of yours call"
        reasons = (f"{trains} there, each for {bonus} Ft more",)
        proposals.append(Proposal(action, gain - cost - weights.margin, reasons))
    return best_first(with_pass(proposals, "the money is better paid out"))


def visits_by_city(table: MagTable, minors: list[str]) -> Counter[str]:
    """Number of trains that visit each city on the best runs of the given minors."""
    routes = (route for minor in minors for route in running.best(table, minor).routes)
    return Counter(stop for route in routes for stop in route.path if "." in stop)


UNUSABLE: Final = -1000.0
"""Score below that of any run."""


def cars_proposed(question: Question, view: MagBotView, task: OperateWithCars) -> list[Proposal]:
    """Score running the trains now, and each rail car by the best run with it; cars are bought one at a time."""
    worth_without = worth_with(view, task)
    proposals = []
    for action in question.actions(Action):
        if isinstance(action, RunTrains):
            proposals.append(Proposal(action, worth_without))
        elif isinstance(action, BuyCar):
            worth = worth_with(view, task, action.car)
            gain = worth - worth_without
            reasons = (f"the run is worth about {gain:.0f} Ft more to you with it",) if gain >= 1 else ()
            proposals.append(Proposal(action, worth, reasons))
    ranked = best_first(proposals)
    runs_now = bool(ranked) and isinstance(ranked[0].action, RunTrains)
    could_buy = len(ranked) > 1
    return with_reason_for_best(ranked, "no car pays for itself on this run") if runs_now and could_buy else ranked


def worth_with(view: MagBotView, task: OperateWithCars, car: Car | None = None) -> float:
    """Value of the best run to the owner with the cars already bought and `car`.

    `UNUSABLE` if the minor cannot pay for `car`, or cannot use all its cars, as a run must (A30).
    """
    table, minor = view.table, task.company
    cars = task.cars if car is None else (*task.cars, car)
    if car is not None and running.best_run_using_all(table, minor, cars) is None:
        return UNUSABLE
    price = sum(table.phase.rail_cars[len(task.cars) : len(cars)])
    if price > table.state.cash[minor]:
        return UNUSABLE
    run = running.best(table, minor, cars)
    worth = RunIncome(run.revenue, run.subsidy - price).worth(view.treasury, view.cash)
    seller = None if car is None else table.title.rail_cars.get(car)
    return worth if seller is None else worth + view.gift(table.state.owners[minor], seller.major, price)


class TrainValues:
    """Values of trains to the owner of a minor."""

    def __init__(self, view: MagBotView, minor: str) -> None:
        self.view, self.table, self.minor = view, view.table, minor
        self.fleet = fleet_of(view.table, minor)
        self.least_prices = {face: least_price(view.table, minor, face) for face in view.title.stacks}
        """Price that the minor pays for a new train, by face."""

    def value_per_round(self, fleet: FleetFaces) -> float:
        return income_with_cars(self.table, self.minor, fleet).worth(self.view.treasury, self.view.cash_later)

    def value_to_end(self, fleet: FleetFaces) -> float:
        """Value of all runs after the present Operating Round."""
        return self.value_per_round(fleet) * self.view.rounds * self.view.weights.trains.growth

    def cost(self, face: str, paid: int) -> float:
        """Cost of a new train to the owner, less what the seller's dividends return."""
        stack = self.table.title.stacks[face]
        seller_share = stack.price * stack.part[0] // stack.part[1]
        owner = self.table.state.owners[self.minor]
        return paid * self.view.treasury - self.view.gift(owner, stack.seller, seller_share)

    def gain(self, fleet: FleetFaces, face: str, paid: int) -> float:
        """Gain of adding a new train to `fleet`."""
        return self.value_to_end(sorted_fleet((*fleet, face))) - self.value_to_end(fleet) - self.cost(face, paid)

    def swap_gain(self, rest: FleetFaces) -> float:
        """Best gain of keeping only `rest` for this run and buying another train after it."""
        table, fleet = self.table, self.fleet
        income = income_with_cars(table, self.minor, rest)
        car_budget = self.view.weights.fixed.cars_kept * table.phase.rail_cars[0]
        cash = table.state.cash[self.minor] + income.revenue // 2 + income.subsidy - car_budget
        lost_now = self.value_per_round(fleet) - self.value_per_round(rest)
        lost = lost_now + self.value_to_end(fleet) - self.value_to_end(rest)
        gains = [self.gain(rest, face, price) for face, price in self.least_prices.items() if price <= cash]
        return max(gains, default=-lost) - lost


def purchases_proposed(question: Question, view: MagBotView, task: PurchaseTrains) -> list[Proposal]:
    table, values = view.table, TrainValues(view, task.company)
    proposals = []
    for action in question.actions(BuyTrain):
        gain = values.gain(values.fleet, action.face, train_cost(table, action)) - view.weights.trains.margin
        gain -= saved_elsewhere(table, task.company, action) * view.treasury
        reasons = (f"gains about {gain:.0f} Ft in the rounds that are left",) if gain >= 1 else ()
        proposals.append(Proposal(action, gain, reasons))
    return best_first(with_pass(proposals, "no train is expected to earn its price"))


def scrapping_proposed(question: Question, view: MagBotView, task: ScrapTrains) -> list[Proposal]:
    """At the train limit, score scrapping each train for a better one, affordable after the run without it."""
    faces = {train.card: train.face for train in view.table.trains_of(task.company)}
    if len(faces) < view.title.minor.train_limit:
        return with_pass((), "there is room for another train")
    values = TrainValues(view, task.company)
    proposals = []
    for action in question.actions(ScrapTrain):
        gain = values.swap_gain(fleet_without(values.fleet, faces[action.card])) - 2 * view.weights.trains.margin
        reasons = (f"a better train in its place gains about {gain:.0f} Ft",) if gain >= 1 else ()
        proposals.append(Proposal(action, gain, reasons))
    return best_first(with_pass(proposals, "no better train is expected to earn what it costs"))


def fleet_without(fleet: FleetFaces, face: str) -> FleetFaces:
    rest = list(fleet)
    rest.remove(face)
    return tuple(rest)


def consent_proposed(question: Question, view: MagBotView, task: Consent) -> list[Proposal]:
    """Accept an offer for a train if it exceeds the value of its runs, or of replacing it."""
    table, spec, offer = view.table, view.weights.trains, task.offer
    seller = table.owner_of(offer.card)
    assert seller is not None
    values = TrainValues(view, seller)
    face = next(train.face for train in table.trains_of(seller) if train.card == offer.card)
    lost = values.value_to_end(values.fleet) - values.value_to_end(fleet_without(values.fleet, face))
    replacement_cost = values.cost(face, values.least_prices[face])
    lost = min(max(lost, 0.0), max(replacement_cost, 0.0) + values.value_per_round(values.fleet))
    price = offer.price
    gain = price * view.treasury - lost * spec.consent_margin - spec.margin
    declining = (f"the train is worth about {lost:.0f} Ft to you, and {price} Ft are offered",) if lost > price else ()
    accepting = (f"{price} Ft for a train that is worth about {lost:.0f} Ft to you",) if lost < price else ()
    return best_first([Proposal(Decline(), 0.0, declining), Proposal(Accept(), gain, accepting)])


def immediate_proposal(question: Question, view: MagBotView) -> Proposal | None:
    """A free use of a supporter that comes before any other action; None if there is none."""
    table, task = view.table, question.task
    if not isinstance(table, SupportersTable) or not isinstance(task, CompanyTask):
        return None
    if question.only(TakeFromRothschild) and (reason := _rothschild_reason(view, table, task)):
        return Proposal(TakeFromRothschild(), supporters_file().rothschild_gift * view.treasury, (reason,))
    if question.only(AddTown) and isinstance(task, OperateWithCars):
        return _town_proposal(question, table, task.company)
    return None


# Rothschild


def _rothschild_reason(view: MagBotView, table: SupportersTable, task: CompanyTask) -> str:
    """Why this minor takes the money now; empty if a later one may need it more."""
    if not still_to_act(table, task.company):
        return "no other minor of yours acts in this round any more"
    cash, gift = table.state.cash[task.company], supporters_file().rothschild_gift
    wanted_prices: tuple[int, ...] = ()
    if isinstance(task, PurchaseTrains):
        wanted_prices = worthwhile_prices(view, task.company)
    elif isinstance(task, OperateWithCars):
        wanted_prices = table.phase.rail_cars[len(task.cars) : len(task.cars) + 1]
    enables_purchase = any(cash < price <= cash + gift for price in wanted_prices)
    return "it can pay for more with it" if enables_purchase else ""


def worthwhile_prices(view: MagBotView, minor: str) -> tuple[int, ...]:
    """Prices of trains worth buying, affordable or not."""
    values = TrainValues(view, minor)
    if len(values.fleet) >= view.title.minor.train_limit:
        return ()
    margin, fleet = view.weights.trains.margin, values.fleet
    return tuple(price for face, price in values.least_prices.items() if values.gain(fleet, face, price) > margin)


# Magyar Államvasutak


def _town_proposal(question: Question, table: SupportersTable, minor: str) -> Proposal | None:
    """Add a town for the train that gains most, unless a minor that acts later gains more."""
    worth_without = running.best(table, minor).worth
    proposals = []
    for action in question.actions(AddTown):
        gain = running.best(with_town(table, action.card), minor).worth - worth_without
        proposals.append(Proposal(action, gain, (f"the run brings {gain} Ft more",)))
    best = max(proposals, key=lambda proposal: proposal.score)
    later_gain = max((_estimate_town_gain(table, other) for other in still_to_act(table, minor)), default=0)
    return best if best.score > 0 and best.score >= later_gain else None


def with_town(table: SupportersTable, card: str) -> MagTable:
    """Copy of the table in which the train may visit the additional towns."""
    copied = table_copy(table)
    assert isinstance(copied, SupportersTable)
    copied.state.longer = LongerTrain(card, supporters_file().mav_towns)
    return copied


def _estimate_town_gain(table: SupportersTable, minor: str) -> int:
    """Estimated gain of a minor by the additional towns."""
    worths = [_estimate_worth(with_town(table, train.card), minor) for train in table.trains_of(minor)]
    return max(worths, default=0) - _estimate_worth(table, minor)


def _estimate_worth(table: MagTable, minor: str) -> int:
    trains = sorted(table.trains_of(minor), key=lambda train: train.face, reverse=True)
    return sum(greedy_runs_of(table, minor).income(tuple(running.RUNNING.kind(table, train, ()) for train in trains)))
