"""A minor's turn after its track: stations, rail cars, trains, supporters used for their own sake; markers of majors.

Rothschild and Magyar Államvasutak are used for their own sake (18Mag M.5/5, M.5/8). The other supporters are ways to
lay a tile, place a station or buy a train, and are thought of there (`runs.py`).
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
    """A station is worth what it adds to the runs that come, first of all where others would close the way."""
    table, weights, minor = view.table, view.weights.stations, task.company
    cheapest: type[PlaceStation] = PlaceByDdsg if question.only(PlaceByDdsg) else PlaceStation
    places = question.actions(cheapest)
    if not places:
        return with_pass((), "there is no city for a station")
    later = later_fleet(view, fleet_of(table, minor))
    before = income_with_cars(table, minor, later).worth(view.treasury, view.cash_later)
    price = station_cost(table, minor, places[0])
    service = table.title.services["station"]
    part = price * service.part[0] // service.part[1]
    cost = price * view.treasury - view.gift(table.state.owners[minor], service.major, part)
    places.sort(key=lambda action: -city_value(table, action.city))
    found = []
    for action in places[: weights.candidates]:
        then = with_station(table, minor, action.city)
        gain = income_with_cars(then, minor, later).worth(view.treasury, view.cash_later) - before
        reasons = (f"adds about {gain:.0f} Ft a round, for {price} Ft once",) if gain >= 1 else ()
        found.append(Proposal(action, gain * (view.rounds + 1) - cost - weights.margin, reasons))
    return best_first(with_pass(found, f"no station is expected to earn its {price} Ft"))


def markers(question: Question, view: MagBotView, task: PlaceMarker) -> list[Proposal]:
    """A marker makes a city worth more: good in a city through which one's own minors run, again and again."""
    table, weights, player = view.table, view.weights.markers, question.decider
    places = question.actions(PlaceStation)
    if not places:
        return with_pass((), "there is no city for a marker")
    visits = calls_by_city(table, [minor for minor, owner in table.state.owners.items() if owner == player])
    cost = -view.gift(player, task.company, -next_price(table, task.company))
    bonus = table.title.major.marker_bonus
    places = sorted((place for place in places if visits[place.city]), key=lambda place: -visits[place.city])
    found = []
    for action in places[: weights.candidates]:
        number = visits[action.city]
        if len(table.state.board.stations.get(action.city, ())) + 1 >= node_of(table, action.city).slots:
            continue  # the marker would take the last free place
        gain = RunIncome(number * bonus, 0).worth(view.treasury, view.cash_later) * view.rounds
        trains = "1 train of yours calls" if number == 1 else f"{number} trains of yours call"
        reasons = (f"{trains} there, each for {bonus} Ft more",)
        found.append(Proposal(action, gain - cost - weights.margin, reasons))
    return best_first(with_pass(found, "the money is better paid out"))


def calls_by_city(table: MagTable, minors: list[str]) -> Counter[str]:
    """How many trains of some minors call at each city on their best runs."""
    routes = (route for minor in minors for route in running.best(table, minor).routes)
    return Counter(place for route in routes for place in route.path if "." in place)


WORST: Final = -1000.0
"""Less than any run is worth."""


def cars_proposed(question: Question, view: MagBotView, task: OperateWithCars) -> list[Proposal]:
    """One car after another, as each is asked about again: the best that shows on the run, or the trains run."""
    plain = worth_with(view, task)
    found = []
    for action in question.actions(Action):
        if isinstance(action, RunTrains):
            found.append(Proposal(action, plain))
        elif isinstance(action, BuyCar):
            worth = worth_with(view, task, action.car)
            more = worth - plain
            reasons = (f"the run is worth about {more:.0f} Ft more to you with it",) if more >= 1 else ()
            found.append(Proposal(action, worth, reasons))
    ranked = best_first(found)
    runs = bool(ranked) and isinstance(ranked[0].action, RunTrains)
    return with_reason_for_best(ranked, "no car pays for itself on this run") if runs and len(ranked) > 1 else ranked


def worth_with(view: MagBotView, task: OperateWithCars, car: Car | None = None) -> float:
    """What a run is worth to the owner with one more car, or with those that the minor has.

    The trains may not run before all cars show on the run; and a car must be paid.
    """
    table, minor = view.table, task.company
    cars = task.cars if car is None else (*task.cars, car)
    if car is not None and running.best_run_using_all(table, minor, cars) is None:
        return WORST
    price = sum(table.phase.rail_cars[len(task.cars) : len(cars)])
    if price > table.state.cash[minor]:
        return WORST
    run = running.best(table, minor, cars)
    worth = RunIncome(run.revenue, run.subsidy - price).worth(view.treasury, view.cash)
    seller = None if car is None else table.title.rail_cars.get(car)
    return worth if seller is None else worth + view.gift(table.state.owners[minor], seller.major, price)


class TrainValues:
    """What trains are worth to a minor's owner from now on."""

    def __init__(self, view: MagBotView, minor: str) -> None:
        self.view, self.table, self.minor = view, view.table, minor
        self.fleet = fleet_of(view.table, minor)
        self.least = {face: least_price(view.table, minor, face) for face in view.title.stacks}
        """What the minor has to pay for a new train."""

    def a_round(self, fleet: FleetFaces) -> float:
        return income_with_cars(self.table, self.minor, fleet).worth(self.view.treasury, self.view.cash_later)

    def to_the_end(self, fleet: FleetFaces) -> float:
        """All runs after the present Operating Round."""
        return self.a_round(fleet) * self.view.rounds * self.view.weights.trains.growth

    def price(self, face: str, paid: int) -> float:
        """What a new train costs the owner, less what comes back by the seller's dividends."""
        stack = self.table.title.stacks[face]
        part = stack.price * stack.part[0] // stack.part[1]
        return paid * self.view.treasury - self.view.gift(self.table.state.owners[self.minor], stack.seller, part)

    def gain(self, fleet: FleetFaces, face: str, paid: int) -> float:
        """Of adding a new train to some."""
        return self.to_the_end(sorted_fleet((*fleet, face))) - self.to_the_end(fleet) - self.price(face, paid)

    def swap(self, rest: FleetFaces) -> float:
        """The best that can be made of scrapping a train now and buying another one after the run."""
        table, fleet = self.table, self.fleet
        run = income_with_cars(table, self.minor, rest)
        cars = self.view.weights.fixed.cars_kept * table.phase.rail_cars[0]
        cash = table.state.cash[self.minor] + run.revenue // 2 + run.subsidy - cars
        lost = self.a_round(fleet) - self.a_round(rest) + self.to_the_end(fleet) - self.to_the_end(rest)
        gains = [self.gain(rest, face, price) for face, price in self.least.items() if price <= cash]
        return max(gains, default=-lost) - lost


def purchases(question: Question, view: MagBotView, task: PurchaseTrains) -> list[Proposal]:
    table, works = view.table, TrainValues(view, task.company)
    found = []
    for action in question.actions(BuyTrain):
        gain = works.gain(works.fleet, action.face, train_cost(table, action)) - view.weights.trains.margin
        gain -= saved_elsewhere(table, task.company, action) * view.treasury
        reasons = (f"gains about {gain:.0f} Ft in the rounds that are left",) if gain >= 1 else ()
        found.append(Proposal(action, gain, reasons))
    return best_first(with_pass(found, "no train is expected to earn its price"))


def scrapping(question: Question, view: MagBotView, task: ScrapTrains) -> list[Proposal]:
    """Room for a better train costs the run of the old one; only if the new one can then be paid."""
    faces = {train.card: train.face for train in view.table.trains_of(task.company)}
    if len(faces) < view.title.minor.train_limit:
        return with_pass((), "there is room for another train")
    works = TrainValues(view, task.company)
    found = []
    for action in question.actions(ScrapTrain):
        gain = works.swap(without(works.fleet, faces[action.card])) - 2 * view.weights.trains.margin
        reasons = (f"a better train in its place gains about {gain:.0f} Ft",) if gain >= 1 else ()
        found.append(Proposal(action, gain, reasons))
    return best_first(with_pass(found, "no better train is expected to earn what it costs"))


def without(fleet: FleetFaces, face: str) -> FleetFaces:
    left = list(fleet)
    left.remove(face)
    return tuple(left)


def consent(question: Question, view: MagBotView, task: Consent) -> list[Proposal]:
    """A train is sold for more than its runs are worth."""
    table, spec, offer = view.table, view.weights.trains, task.offer
    seller = table.owner_of(offer.card)
    assert seller is not None
    works = TrainValues(view, seller)
    face = next(train.face for train in table.trains_of(seller) if train.card == offer.card)
    lost = works.to_the_end(works.fleet) - works.to_the_end(without(works.fleet, face))
    replacing = works.price(face, works.least[face])
    lost = min(max(lost, 0.0), max(replacing, 0.0) + works.a_round(works.fleet))
    price = offer.price
    gain = price * view.treasury - lost * spec.consent_margin - spec.margin
    dear = (f"the train is worth about {lost:.0f} Ft to you, and {price} Ft are offered",) if lost > price else ()
    cheap = (f"{price} Ft for a train that is worth about {lost:.0f} Ft to you",) if lost < price else ()
    return best_first([Proposal(Decline(), 0.0, dear), Proposal(Accept(), gain, cheap)])


def immediate_proposal(question: Question, view: MagBotView) -> Proposal | None:
    """What is best done before anything else is thought of: it costs nothing, and everything else can follow."""
    table, task = view.table, question.task
    if not isinstance(table, SupportersTable) or not isinstance(task, CompanyTask):
        return None
    if question.only(TakeFromRothschild) and (reason := _rothschild_reason(view, table, task)):
        return Proposal(TakeFromRothschild(), supporters_file().rothschild_gift * view.treasury, (reason,))
    if question.only(AddTown) and isinstance(task, OperateWithCars):
        return _town(question, table, task.company)
    return None


# Rothschild


def _rothschild_reason(view: MagBotView, table: SupportersTable, task: CompanyTask) -> str:
    """Why this minor gets the money now; empty if another one may need it more."""
    if not still_to_act(table, task.company):
        return "no other minor of yours acts in this round any more"
    cash, gift = table.state.cash[task.company], supporters_file().rothschild_gift
    wanted: tuple[int, ...] = ()
    if isinstance(task, PurchaseTrains):
        wanted = worth_buying(view, task.company)
    elif isinstance(task, OperateWithCars):
        wanted = table.phase.rail_cars[len(task.cars) : len(task.cars) + 1]
    return "it can pay for more with it" if any(cash < price <= cash + gift for price in wanted) else ""


def worth_buying(view: MagBotView, minor: str) -> tuple[int, ...]:
    """The prices of trains that would earn them, whether or not they can be paid."""
    works = TrainValues(view, minor)
    if len(works.fleet) >= view.title.minor.train_limit:
        return ()
    least = view.weights.trains.margin
    return tuple(price for face, price in works.least.items() if works.gain(works.fleet, face, price) > least)


# Magyar Államvasutak


def _town(question: Question, table: SupportersTable, minor: str) -> Proposal | None:
    """For the train that gains most by it, if no minor that acts later gains more."""
    plain = running.best(table, minor).worth
    found = []
    for action in question.actions(AddTown):
        gain = running.best(with_town(table, action.card), minor).worth - plain
        found.append(Proposal(action, gain, (f"the run brings {gain} Ft more",)))
    best = max(found, key=lambda proposal: proposal.score)
    later = max((_gain_later(table, other) for other in still_to_act(table, minor)), default=0)
    return best if best.score > 0 and best.score >= later else None


def with_town(table: SupportersTable, card: str) -> MagTable:
    """The table if the card were used for a train."""
    tried = table_copy(table)
    assert isinstance(tried, SupportersTable)
    tried.state.longer = LongerTrain(card, supporters_file().mav_towns)
    return tried


def _gain_later(table: SupportersTable, minor: str) -> int:
    """What a town would bring to a minor, roughly."""
    cards = [train.card for train in table.trains_of(minor)]
    return max((_roughly(with_town(table, card), minor) for card in cards), default=0) - _roughly(table, minor)


def _roughly(table: MagTable, minor: str) -> int:
    own = sorted(table.trains_of(minor), key=lambda train: train.face, reverse=True)
    return sum(greedy_runs_of(table, minor).earned(tuple(running.RUNNING.kind(table, train, ()) for train in own)))
