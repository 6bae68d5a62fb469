"""Acquisition of a smaller company (18CZ VIII.9)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.eighteen.operating import CompanyDecision
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK, director, holdings, pay, share_unit
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.records import TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import ListedStep, PassStep, Step
from ostbahn.titles.cz.actions import ChooseReturn, Offer, OfferAcquisition, ScrapTrain, TurnTrain
from ostbahn.titles.cz.events import Closed, StationReturned
from ostbahn.titles.cz.offers import lowest_offer, propose, repeated_offer_refusal
from ostbahn.titles.cz.phases import above_limit, scrap, train_limit
from ostbahn.titles.cz.state import Acquire, CzTable, JoinStations, Markers, ReturnStation, ReturnTrains, SettleTrains
from ostbahn.titles.cz.stock import not_in_play_refusal
from ostbahn.titles.cz.title import RANKS


def shares_out(table: CzTable, company: str) -> dict[str, int]:
    """Return how many shares of a company each player holds; a Director's certificate is two (VIII.9/5)."""
    unit = share_unit(table, company)
    return {player: percent // unit for player, percent in holdings(table, company).items()}


def price_span(table: CzTable, company: str) -> Span:
    """Half to one and a half times the current price, in whole K (VIII.9/4)."""
    price = chart.price(table, company)
    return Span(-(-price // 2), price * 3 // 2)


class OfferTakeOver(Step[CzTable, Acquire, OfferAcquisition]):
    """Medium companies take small ones, large companies small and medium ones (VIII.9/1)."""

    action = OfferAcquisition

    def answers(self, table: CzTable, task: Acquire) -> Iterator[Option]:
        for target in table.state.floated:
            low, high = price_span(table, target)
            shares = sum(shares_out(table, target).values())
            if shares:
                high = min(high, table.state.cash[task.company] // shares)
            low = lowest_offer(table, OfferAcquisition(target, low), low)
            offer = OfferAcquisition(target, low)
            if low <= high and self.refusal(table, task, offer) is None:
                yield Option(offer, Span(low, high))

    def refusal(self, table: CzTable, task: Acquire, action: OfferAcquisition) -> Refusal | None:
        buyer, target = task.company, action.company
        if refusal := not_in_play_refusal(table, target):
            return refusal
        size, own = table.size(target), table.size(buyer)
        if RANKS[size] >= RANKS[own]:
            return table.refuse("VIII.9/1", f"{buyer} is a {own} company and cannot take over the {size} {target}")
        if target not in table.state.floated:
            return table.refuse("VIII.9/1", f"{target} has not floated yet")
        low, high = price_span(table, target)
        if not low <= action.price <= high:
            return table.refuse("VIII.9/4", f"the price per share of {target} is {low} K to {high} K")
        cost = action.price * sum(shares_out(table, target).values())
        if cost > table.state.cash[buyer]:
            return table.refuse(
                "VIII.9/7", f"that costs {cost} K and {buyer} has only {table.state.cash[buyer]} K of its own"
            )
        return repeated_offer_refusal(table, action)

    def perform(self, table: CzTable, task: Acquire, action: OfferAcquisition) -> None:
        owner = director(table, action.company)
        assert owner is not None, f"{action.company} has no Director"
        propose(table, task.company, owner, action, take_over)


# Effects of a take-over


def take_over(table: CzTable, buyer: str, offer: Offer) -> None:
    """Pay the shareholders, take everything that the target has, and close it (VIII.9/5 to VIII.9/17)."""
    assert isinstance(offer, OfferAcquisition)
    target = offer.company
    for player, shares in shares_out(table, target).items():
        pay(table, buyer, player, shares * offer.price, f"shares of {target}", "takeovers")
    state = table.state
    pay(table, target, buyer, state.cash[target], f"treasury of {target}", "takeovers")
    state.locals = {local: buyer if owner == target else owner for local, owner in state.locals.items()}
    trains = table.trains_of(target)
    for train in trains:
        table.give_train(buyer, table.take_train(target, train.card))
        table.note(TrainMoved(train.card, train.face, target, buyer))
    table.push(SettleTrains(buyer, tuple([train.card for train in trains])))
    shared_hex_cities = _cities_in_shared_hex(table, buyer, target)
    if shared_hex_cities and table.ruled("closing_of_an_acquired_company") == "when no hex has two stations":
        table.push(JoinStations(buyer, target, shared_hex_cities))
    else:
        _absorb(table, buyer, target)


def _absorb(table: CzTable, buyer: str, target: str) -> None:
    """Close the target; the buyer gets its stations, and its unplaced markers at the full price (VIII.9/10)."""
    own, taken = table.state.markers[buyer]
    taken += sum(table.state.markers[target])
    full_price = table.ruled("marker_price_after_acquisition") == "always 100"
    markers = {**table.state.markers, buyer: Markers(0, own + taken) if full_price else Markers(own, taken)}
    del markers[target]
    table.state.markers = markers
    close(table, target)
    _take_stations(table, buyer, target)


def _cities_in_shared_hex(table: CzTable, buyer: str, target: str) -> tuple[str, ...]:
    """Return two different cities of one hex in which buyer and target each have a station, if any."""
    board = table.state.board
    for mine in board.stations_of(buyer):
        for theirs in board.stations_of(target):
            if hex_of(mine) == hex_of(theirs) and mine != theirs:
                return mine, theirs
    return ()


def _take_stations(table: CzTable, buyer: str, target: str) -> None:
    """Give the target's stations to the buyer, who returns one of two in a hex (VIII.9/9, VIII.9/11)."""
    board = table.state.board
    own_hexes = {hex_of(city) for city in board.stations_of(buyer)}
    shared_hexes = [hex_of(city) for city in board.stations_of(target) if hex_of(city) in own_hexes]
    stations = {
        city: tuple(buyer if company == target else company for company in companies)
        for city, companies in board.stations.items()
    }
    table.state.board = board.with_stations(stations)
    for hex_id in shared_hexes:
        cities_here = [city for city in stations if hex_of(city) == hex_id]
        cities = [city for city in cities_here for company in stations[city] if company == buyer]
        if cities[0] == cities[1]:
            return_station(table, buyer, cities[0])
        else:
            table.push(ReturnStation(buyer, tuple(cities)))


def return_station(table: CzTable, company: str, city: str) -> None:
    """Take a station off the map; its marker may be placed again at the full price."""
    board = table.state.board
    companies = list(board.stations[city])
    companies.remove(company)
    stations = {**board.stations, city: tuple(companies)}
    if not companies:
        del stations[city]
    table.state.board = board.with_stations(stations)
    markers = table.state.markers[company]
    table.state.markers = {**table.state.markers, company: markers._replace(taken=markers.taken + 1)}
    table.note(StationReturned(company))


def close(table: CzTable, company: str) -> None:
    """Remove a company with its marker and certificates from the game (VIII.9/17)."""
    state = table.state
    chart.remove_marker(table, company)
    state.certificates = {other: held for other, held in state.certificates.items() if other != company}
    state.trains = {other: held for other, held in state.trains.items() if other != company}
    state.start_prices = {other: price for other, price in state.start_prices.items() if other != company}
    state.revenue = {other: last for other, last in state.revenue.items() if other != company}
    state.floated = tuple(other for other in state.floated if other != company)
    state.closed = (*state.closed, company)
    table.note(Closed(company))


class ReturnStationStep(ListedStep[CzTable, ReturnStation | JoinStations, ChooseReturn]):
    """The Director returns one of two stations in a hex to the charter (VIII.9/11)."""

    action = ChooseReturn

    def candidates(self, table: CzTable, task: ReturnStation | JoinStations) -> list[ChooseReturn]:
        return [ChooseReturn(city) for city in dict.fromkeys(task.cities)]

    def refusal(self, table: CzTable, task: ReturnStation | JoinStations, action: ChooseReturn) -> Refusal | None:
        if action.city not in task.cities:
            places = " or ".join(table.place(city) for city in dict.fromkeys(task.cities))
            return table.refuse("VIII.9/11", f"{task.company} takes back a station from {places}")
        return None

    def perform(self, table: CzTable, task: ReturnStation | JoinStations, action: ChooseReturn) -> None:
        table.pop()
        return_station(table, task.company, action.city)


class JoinStationsStep(ReturnStationStep):
    """The same choice, after which the target closes, if the ruling delays its closing until then."""

    def perform(self, table: CzTable, task: ReturnStation | JoinStations, action: ChooseReturn) -> None:
        assert isinstance(task, JoinStations)
        table.pop()
        _absorb(table, task.company, task.target)
        table.state.agenda = tuple(
            other
            for other in table.state.agenda
            if not (isinstance(other, ReturnStation) and action.city in other.cities)
        )
        return_station(table, task.company, action.city)


# Trains just taken over


class TrainsSettled(CompanyDecision[CzTable]):
    order_rule = "VIII.9/16"
    asks_for = "keep, turn or scrap the trains taken over"

    def is_settled(self, table: CzTable, task: SettleTrains) -> bool:
        return not any(train.card in task.cards for train in table.state.trains.get(task.company, ()))


def taken_train(table: CzTable, task: SettleTrains, card: str) -> Train | Refusal:
    """Return a train just taken over; no other can be turned or scrapped (VIII.9/16)."""
    for train in table.state.trains[task.company]:
        if train.card == card and card in task.cards:
            return train
    return table.refuse("VIII.9/16", f"this is not one of the trains that {task.company} just took over")


class TurnTrainStep(ListedStep[CzTable, SettleTrains, TurnTrain]):
    """Turn a train to a larger face of its card for the price difference (VIII.9/13 to VIII.9/15)."""

    action = TurnTrain

    def candidates(self, table: CzTable, task: SettleTrains) -> Iterator[TurnTrain]:
        for train in table.state.trains[task.company]:
            for face in table.title.stack.spec[train.letter].faces:
                yield TurnTrain(train.card, face)

    def refusal(self, table: CzTable, task: SettleTrains, action: TurnTrain) -> Refusal | None:
        train = taken_train(table, task, action.card)
        if isinstance(train, Refusal):
            return train
        title, company = table.title, task.company
        faces = title.stack.spec[train.letter].faces
        if action.face not in faces:
            return table.refuse("VIII.9/13", f"the card shows {' and '.join(faces)}, not {action.face}")
        old, new = (RANKS[title.train_faces[face].size] for face in (train.face, action.face))
        if new <= old:
            return table.refuse("VIII.9/13", f"a {action.face}-train is not larger than a {train.face}-train")
        own = RANKS[table.size(company)]
        if new > own or (new < own and table.ruled("turn_acquired_train_into") == "own size"):
            return table.refuse("VIII.9/13", f"{company} may not make a {action.face}-train of it")
        if action.face in table.state.scrapped:
            return table.refuse("VIII.12/20", f"{action.face}-trains have been scrapped")
        return table.cannot_afford("VIII.9/14", company, turning_cost(table, train, action.face), "turning")

    def perform(self, table: CzTable, task: SettleTrains, action: TurnTrain) -> None:
        company = task.company
        train = table.take_train(company, action.card)
        cost = turning_cost(table, train, action.face)
        pay(table, company, BANK, cost, f"turning a {train.face}-train", "trains")
        table.give_train(company, Train(action.card, action.face))
        table.note(TrainMoved(action.card, action.face, company, company))
        # Turning counts as a sale of the new face, so it scraps what a purchase would.
        scrap(table, set(table.title.train_faces[action.face].scraps))


def turning_cost(table: CzTable, train: Train, face: str) -> int:
    prices = table.title.stack.spec[train.letter].faces
    return max(0, prices[face] - prices[train.face])


class ScrapTrainStep(ListedStep[CzTable, SettleTrains, ScrapTrain]):
    """Scrap an acquired train; it does not go to the pool (VIII.9/12)."""

    action = ScrapTrain

    def candidates(self, table: CzTable, task: SettleTrains) -> list[ScrapTrain]:
        return [ScrapTrain(train.card) for train in table.state.trains[task.company]]

    def refusal(self, table: CzTable, task: SettleTrains, action: ScrapTrain) -> Refusal | None:
        train = taken_train(table, task, action.card)
        return train if isinstance(train, Refusal) else None

    def perform(self, table: CzTable, task: SettleTrains, action: ScrapTrain) -> None:
        train = table.take_train(task.company, action.card)
        table.note(TrainMoved(train.card, train.face, task.company, "scrap"))


class KeepTrains(PassStep[CzTable, SettleTrains]):
    """Keep the other trains, within the train limit (VIII.9/12)."""

    def refusal(self, table: CzTable, task: SettleTrains, action: Pass) -> Refusal | None:
        company = task.company
        if not above_limit(table, company) or table.ruled("above_limit_after_acquisition") != "scrap acquired trains":
            return None
        text = f"{company} may keep {train_limit(table, company)} trains: scrap some of those it just took over"
        return table.refuse("VIII.9/12", text)

    def perform(self, table: CzTable, task: SettleTrains, action: Pass) -> None:
        table.pop()
        if not above_limit(table, task.company):
            return
        acquire_task = table.pop() if table.ruled("surplus_trains_returned") == "after further acquisitions" else None
        table.push(ReturnTrains(task.company))
        if acquire_task is not None:
            table.push(acquire_task)
