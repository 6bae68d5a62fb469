"""A minor's turn after its track: stations, rail cars, trains, supporters used for their own sake; markers of majors.

Rothschild and Magyar Államvasutak are used for their own sake (18Mag M.5/5, M.5/8). The other supporters are ways to
lay a tile, place a station or buy a train, and are thought of there (`runs.py`).
"""

from __future__ import annotations

from typing import Final

from ostbahn.bots.policies import Proposal, best_first, or_pass, with_reason
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.map.board import hex_of
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
from ostbahn.titles.mag.cars import service
from ostbahn.titles.mag.modules.supporters_table import Longer, SupportersTable, supporters_file
from ostbahn.titles.mag.opponents.runs import (
    Earned,
    Fleet,
    another,
    equipped,
    fleet_of,
    least_price,
    lines,
    saved_elsewhere,
    sorted_fleet,
    station_price,
    still_to_act,
    train_price,
    with_station,
)
from ostbahn.titles.mag.opponents.track import later_fleet
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.opponents.worth import cash_value, cash_value_later, gift, rounds_after, treasury_value
from ostbahn.titles.mag.running import best, showing_all
from ostbahn.titles.mag.state import (
    CompanyTask,
    Consent,
    EstablishStation,
    MagTable,
    OperateTrains,
    PlaceMarker,
    PurchaseTrains,
    ScrapTrains,
)
from ostbahn.titles.mag.stations import next_price


def city_value(table: MagTable, city: str) -> int:
    hex_id, _, node = city.partition(".")
    place = table.state.board.face(table.title.tile_set, table.title.map[hex_id]).nodes[int(node)]
    return place.value if isinstance(place.value, int) else 0


def stations_proposed(
    question: Question, table: MagTable, task: EstablishStation, weights: MagWeights
) -> list[Proposal]:
    """A station is worth what it adds to the runs that come, first of all where others would close the way."""
    minor = task.company
    cheapest: type[PlaceStation] = PlaceByDdsg if question.only(PlaceByDdsg) else PlaceStation
    places = question.actions(cheapest)
    if not places:
        return or_pass((), "there is no city for a station")
    rounds = rounds_after(table, weights)
    treasury = treasury_value(rounds, weights)
    cash = cash_value_later(table, weights)
    later = later_fleet(table, fleet_of(table, minor), weights)
    before = equipped(table, minor, later).worth(treasury, cash)
    price = station_price(table, minor, places[0])
    service = table.title.services["station"]
    part = price * service.part[0] // service.part[1]
    cost = price * treasury - gift(table, table.state.owners[minor], service.major, part, weights)
    places.sort(key=lambda action: -city_value(table, action.city))
    found = []
    for action in places[: weights.stations.candidates]:
        gain = equipped(with_station(table, minor, action.city), minor, later).worth(treasury, cash) - before
        score = gain * (rounds + 1) - cost - weights.stations.margin
        reasons = (f"adds about {gain:.0f} Ft a round, for {price} Ft once",) if gain >= 1 else ()
        found.append(Proposal(action, score, reasons))
    return best_first(or_pass(found, f"no station is expected to earn its {price} Ft"))


def markers(question: Question, table: MagTable, task: PlaceMarker, weights: MagWeights) -> list[Proposal]:
    """A marker makes a city worth more: good in a city through which one's own minors run, again and again."""
    places = question.actions(PlaceStation)
    if not places:
        return or_pass((), "there is no city for a marker")
    player = question.decider
    mine = [minor for minor, owner in table.state.owners.items() if owner == player]
    visits = calls(table, mine)
    rounds = rounds_after(table, weights)
    treasury, cash = treasury_value(rounds, weights), cash_value_later(table, weights)
    price = next_price(table, task.company)
    cost = -gift(table, player, task.company, -price, weights)
    bonus = table.title.major.marker_bonus
    places = sorted((place for place in places if visits.get(place.city)), key=lambda place: -visits[place.city])
    found = []
    for action in places[: weights.markers.candidates]:
        if closes(table, action.city):
            continue
        gain = Earned(visits[action.city] * bonus, 0).worth(treasury, cash) * rounds
        score = gain - cost - weights.markers.margin
        trains = "1 train of yours calls" if visits[action.city] == 1 else f"{visits[action.city]} trains of yours call"
        found.append(Proposal(action, score, (f"{trains} there, each for {bonus} Ft more",)))
    return best_first(or_pass(found, "the money is better paid out"))


def calls(table: MagTable, minors: list[str]) -> dict[str, int]:
    """How many trains of some minors call at each city on their best runs."""
    found: dict[str, int] = {}
    for minor in minors:
        for route in running.best(table, minor).routes:
            for place in route.path:
                if "." in place:
                    found[place] = found.get(place, 0) + 1
    return found


def closes(table: MagTable, city: str) -> bool:
    """Whether the marker would take the last free place of a city."""
    hex_id, _, node = city.partition(".")
    slots = table.state.board.face(table.title.tile_set, table.title.map[hex_of(hex_id)]).nodes[int(node)].slots
    return len(table.state.board.stations.get(city, ())) + 1 >= slots


WORST: Final = -1000.0
"""Less than any run is worth."""


def cars_proposed(question: Question, table: MagTable, task: OperateTrains, weights: MagWeights) -> list[Proposal]:
    """One car after another, as each is asked about again: the best that shows on the run, or the trains run."""
    judge = Judge(table, task, weights)
    plain = judge.worth(())
    found = []
    for action in question.actions(Action):
        if isinstance(action, RunTrains):
            found.append(Proposal(action, plain))
        elif isinstance(action, BuyCar):
            worth = judge.worth((action.car,)) if judge.shows(action.car) else WORST
            more = worth - plain
            reasons = (f"the run is worth about {more:.0f} Ft more to you with it",) if more >= 1 else ()
            found.append(Proposal(action, worth, reasons))
    ranked = best_first(found)
    runs = bool(ranked) and isinstance(ranked[0].action, RunTrains)
    return with_reason(ranked, "no car pays for itself on this run") if runs and len(ranked) > 1 else ranked


class Judge:
    """What a run with some cars is worth to the owner."""

    def __init__(self, table: MagTable, task: OperateTrains, weights: MagWeights) -> None:
        self.table = table
        self.task = task
        self.weights = weights
        self.treasury = treasury_value(rounds_after(table, weights), weights)
        self.cash = cash_value(table, weights)

    def shows(self, car: Car) -> bool:
        """Whether all cars would show on the run; the trains may not run before they do."""
        return showing_all(self.table, self.task.company, (*self.task.cars, car)) is not None

    def worth(self, more: tuple[Car, ...]) -> float:
        """Below everything where the cars cannot be paid."""
        table, minor, cars = self.table, self.task.company, (*self.task.cars, *more)
        prices = table.phase.rail_cars[len(self.task.cars) : len(cars)]
        if sum(prices) > table.state.cash[minor]:
            return WORST
        run = best(table, minor, cars)
        worth = Earned(run.revenue, run.subsidy - sum(prices)).worth(self.treasury, self.cash)
        return worth + self._back(more, prices)

    def _back(self, more: tuple[Car, ...], prices: tuple[int, ...]) -> float:
        """What comes back by the majors that sell the cars."""
        player = self.table.state.owners[self.task.company]
        back = 0.0
        for car, price in zip(more, prices, strict=False):
            seller = service(self.table, car)
            back += gift(self.table, player, seller.major, price, self.weights) if seller is not None else 0.0
        return back


class Works:
    """What trains are worth to a minor's owner from now on."""

    def __init__(self, table: MagTable, minor: str, weights: MagWeights) -> None:
        self.table = table
        self.minor = minor
        self.weights = weights
        self.player = table.state.owners[minor]
        self.rounds = rounds_after(table, weights)
        self.treasury = treasury_value(self.rounds, weights)
        self.cash = cash_value_later(table, weights)

    def a_round(self, fleet: Fleet) -> float:
        return equipped(self.table, self.minor, fleet).worth(self.treasury, self.cash)

    def to_the_end(self, fleet: Fleet) -> float:
        """All runs after the present Operating Round."""
        return self.a_round(fleet) * self.rounds * self.weights.trains.growth

    def least(self, face: str) -> int:
        """What the minor has to pay for a new train."""
        return least_price(self.table, self.minor, face)

    def price(self, face: str, paid: int) -> float:
        """What a new train costs the owner, less what comes back by the seller's dividends."""
        stack = self.table.title.stacks[face]
        part = stack.price * stack.part[0] // stack.part[1]
        return paid * self.treasury - gift(self.table, self.player, stack.seller, part, self.weights)

    def gain(self, fleet: Fleet, face: str, paid: int) -> float:
        """Of adding a new train to some."""
        return self.to_the_end(sorted_fleet((*fleet, face))) - self.to_the_end(fleet) - self.price(face, paid)


def purchases(question: Question, table: MagTable, task: PurchaseTrains, weights: MagWeights) -> list[Proposal]:
    works = Works(table, task.company, weights)
    fleet = fleet_of(table, task.company)
    found = []
    for action in question.actions(BuyTrain):
        gain = works.gain(fleet, action.face, train_price(table, action)) - weights.trains.margin
        gain -= saved_elsewhere(table, task.company, action) * works.treasury
        reasons = (f"gains about {gain:.0f} Ft in the rounds that are left",) if gain >= 1 else ()
        found.append(Proposal(action, gain, reasons))
    return best_first(or_pass(found, "no train is expected to earn its price"))


def worth_buying(table: MagTable, minor: str, weights: MagWeights) -> list[int]:
    """The prices of trains that would earn them, whether or not they can be paid."""
    if len(table.trains_of(minor)) >= table.title.minor.train_limit:
        return []
    works, fleet = Works(table, minor, weights), fleet_of(table, minor)
    prices = {face: works.least(face) for face in table.title.stacks}
    return [price for face, price in prices.items() if works.gain(fleet, face, price) > weights.trains.margin]


def scrapping(question: Question, table: MagTable, task: ScrapTrains, weights: MagWeights) -> list[Proposal]:
    """Room for a better train costs the run of the old one; only if the new one can then be paid."""
    found: list[Proposal] = []
    trains = table.trains_of(task.company)
    if len(trains) < table.title.minor.train_limit:
        return or_pass(found, "there is room for another train")
    works = Works(table, task.company, weights)
    fleet = fleet_of(table, task.company)
    for action in question.actions(ScrapTrain):
        face = next(train.face for train in trains if train.card == action.card)
        gain = _swap(works, fleet, without(fleet, face)) - 2 * weights.trains.margin
        reasons = (f"a better train in its place gains about {gain:.0f} Ft",) if gain >= 1 else ()
        found.append(Proposal(action, gain, reasons))
    return best_first(or_pass(found, "no better train is expected to earn what it costs"))


def without(fleet: Fleet, face: str) -> Fleet:
    left = list(fleet)
    left.remove(face)
    return tuple(left)


def _swap(works: Works, fleet: Fleet, rest: Fleet) -> float:
    """The best that can be made of scrapping a train now and buying another one after the run."""
    run = equipped(works.table, works.minor, rest)
    cars = works.weights.fixed.cars_kept * works.table.phase.rail_cars[0]
    cash = works.table.state.cash[works.minor] + run.revenue // 2 + run.subsidy - cars
    lost = works.a_round(fleet) - works.a_round(rest) + works.to_the_end(fleet) - works.to_the_end(rest)
    prices = {face: works.least(face) for face in works.table.title.stacks}
    gains = [works.gain(rest, face, price) for face, price in prices.items() if price <= cash]
    return max(gains, default=-lost) - lost


def consent(question: Question, table: MagTable, task: Consent, weights: MagWeights) -> list[Proposal]:
    """A train is sold for more than its runs are worth."""
    seller = table.owner_of(task.offer.card)
    assert seller is not None
    works = Works(table, seller, weights)
    fleet = fleet_of(table, seller)
    face = next(train.face for train in table.trains_of(seller) if train.card == task.offer.card)
    lost = works.to_the_end(fleet) - works.to_the_end(without(fleet, face))
    replacing = works.price(face, works.least(face))
    lost = min(max(lost, 0.0), max(replacing, 0.0) + works.a_round(fleet))
    gain = task.offer.price * works.treasury - lost * weights.trains.consent_margin - weights.trains.margin
    price = task.offer.price
    dear = (f"the train is worth about {lost:.0f} Ft to you, and {price} Ft are offered",) if lost > price else ()
    cheap = (f"{price} Ft for a train that is worth about {lost:.0f} Ft to you",) if lost < price else ()
    return best_first([Proposal(Decline(), 0.0, dear), Proposal(Accept(), gain, cheap)])


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
        wanted = tuple(worth_buying(table, task.company, weights))
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
    for action in question.actions(AddTown):
        gain = running.best(with_town(table, action.card), minor).worth - plain
        found.append(Proposal(action, gain, (f"the run brings {gain} Ft more",)))
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
    cards = [train.card for train in table.trains_of(minor)]
    return max((_roughly(with_town(table, card), minor) for card in cards), default=0) - _roughly(table, minor)


def _roughly(table: MagTable, minor: str) -> int:
    own = sorted(table.trains_of(minor), key=lambda train: train.face, reverse=True)
    earned = lines(table, minor).earned(tuple(running.kind_of(table, train, ()) for train in own))
    return earned.revenue + earned.subsidy
