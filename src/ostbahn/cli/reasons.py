"""Why something cannot be done: what the referee says to every tile or station that one might have meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ostbahn.cli.asking import asked
from ostbahn.cli.remarks import cz_table
from ostbahn.kernel.actions import Action
from ostbahn.kernel.board import city_id
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import BuyShare, LayTile, OfferAcquisition, PlaceStation, StartCompany
from ostbahn.titles.cz.state import Acquire, CzTable, EstablishStation, LayTrack, StockRound

MOST = 6
"""Reasons that are told at most."""


def reasons(game: Game, what: str) -> list[str]:
    """Why a hex or a company does not (or not only) stand among the answers; empty if there is nothing to say."""
    table, question = cz_table(game), asked(game)
    tries = list(_tries(table, game, what))
    refusals = Counter(refusal for action in tries if (refusal := question.refusal(action)) is not None)
    if not tries:
        return []
    legal = len(tries) - sum(refusals.values())
    lines = [f"{what}: {legal} of {len(tries)} possibilities are allowed."]
    return lines + [f"  {_times(count)}{refusal}" for refusal, count in refusals.most_common(MOST)]


def _times(count: int) -> str:
    return f"{count} times: " if count > 1 else ""


def _tries(table: CzTable, game: Game, what: str) -> Iterator[Action]:
    """All that somebody can mean who names a hex or a company at this question."""
    task = asked(game).task
    hex_ = table.title.map.hexes.get(what.upper())
    company = next((name for name in table.title.companies if name.casefold() == what.casefold()), None)
    if hex_ is not None and isinstance(task, LayTrack):
        fitting = table.title.fitting(hex_, table.state.board.tiles.get(hex_.id))
        lays = [(tile, rotation) for tile, rotations in fitting.items() for rotation in rotations]
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
        yield OfferAcquisition(company, 1)
