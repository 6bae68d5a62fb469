"""At which steps of 18Mag 18xx.games waits for an action, and which it skips by itself."""

from __future__ import annotations

from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain
from ostbahn.titles.mag.running import network
from ostbahn.titles.mag.state import (
    EstablishStation,
    LayTrack,
    MagTable,
    OperateTrains,
    PayOut,
    PlaceMarker,
    PurchaseTrains,
)
from ostbahn.titles.mag.stations import next_price, station_cities
from ostbahn.titles.mag.trains import trains_of


def waits(table: MagTable, question: Question) -> bool:
    """Whether the site would wait here for whoever is asked."""
    match question.task:
        case LayTrack(company=minor, laid=laid):
            # The site looks at the money for the extra tile, and not for a place where one could be laid.
            if laid >= table.title.lays_in_turn:
                return False  # nor does it wait for a supporter who could still promote a tile
            return not laid or table.state.cash[minor] >= table.title.services["extra_tile"].price
        case EstablishStation(company=minor):
            left, cash = table.state.markers[minor], table.state.cash[minor]
            affordable = left and next_price(table, minor) <= cash
            return bool(affordable) and next(station_cities(table, minor), None) is not None
        case OperateTrains(company=minor):
            return bool(trains_of(table, minor)) and any(stop.own for stop in network(table, minor).stops)
        case PurchaseTrains():
            return any(isinstance(option.action, BuyTrain | OfferForTrain) for option in question)
        case PlaceMarker() | PayOut():
            return len(question) > 1
        case _:
            return True
