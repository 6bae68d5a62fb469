"""What somebody may have meant in 18CZ who asks why a hex or a company cannot be chosen."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Action
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.acquisition import price_span
from ostbahn.titles.cz.actions import BuyShare, LayTile, OfferAcquisition, PlaceStation, StartCompany
from ostbahn.titles.cz.state import Acquire, CzTable, EstablishStation, LayTrack, StockRound


def tries(table: CzTable, question: Question, what: str) -> Iterator[Action]:
    """All that somebody can mean who names a hex or a company at this question."""
    task = question.task
    hex_ = table.title.map.hexes.get(what.upper())
    company = next((name for name in table.title.companies if name.casefold() == what.casefold()), None)
    if hex_ is not None and isinstance(task, LayTrack):
        fitting = table.title.fitting(hex_, table.state.board.tiles.get(hex_.id))
        tiles = table.title.tile_set
        lays = [(tile, turn) for tile, rotations in fitting.items() for turn in tiles.distinct(tile, rotations)]
        for tile, rotation in lays or [("9", 0)]:
            yield LayTile(hex_.id, tile, rotation)
    elif hex_ is not None and isinstance(task, EstablishStation):
        for node in range(len(table.state.board.face(table.title.tile_set, hex_).nodes) or 1):
            yield PlaceStation(city_id(hex_.id, node))
    elif company is not None and isinstance(task, StockRound):
        yield BuyShare(company)
        for price in table.title.companies[company].spec.start_prices:
            yield StartCompany(company, price)
    elif company is not None and isinstance(task, Acquire):
        yield OfferAcquisition(company, price_span(table, company).low if company in table.state.floated else 1)
