"""Stations of minors, and markers of majors."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, best_first, or_pass
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import PlaceByDdsg, PlaceStation
from ostbahn.titles.mag.opponents.cards import station_price
from ostbahn.titles.mag.opponents.horizon import cash_value_later, rounds_after, treasury_value
from ostbahn.titles.mag.opponents.majors import gift
from ostbahn.titles.mag.opponents.runs import Earned, equipped, fleet_of, with_station
from ostbahn.titles.mag.opponents.track import later_fleet
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import EstablishStation, MagTable, PlaceMarker
from ostbahn.titles.mag.stations import next_price


def city_value(table: MagTable, city: str) -> int:
    hex_id, _, node = city.partition(".")
    place = table.state.board.face(table.title.tile_set, table.title.map[hex_id]).nodes[int(node)]
    return place.value if isinstance(place.value, int) else 0


def proposals(question: Question, table: MagTable, task: EstablishStation, weights: MagWeights) -> list[Proposal]:
    """A station is worth what it adds to the runs that come, first of all where others would close the way."""
    minor = task.company
    cheapest = question.only(PlaceByDdsg) or question.only(PlaceStation)
    places = [option.action for option in cheapest if isinstance(option.action, PlaceStation)]
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
    places = [option.action for option in question if isinstance(option.action, PlaceStation)]
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
        for run in running.best(table, minor).runs:
            for place in run.path:
                if "." in place:
                    found[place] = found.get(place, 0) + 1
    return found


def closes(table: MagTable, city: str) -> bool:
    """Whether the marker would take the last free place of a city."""
    hex_id, _, node = city.partition(".")
    slots = table.state.board.face(table.title.tile_set, table.title.map[hex_of(hex_id)]).nodes[int(node)].slots
    return len(table.state.board.stations.get(city, ())) + 1 >= slots
