"""Trace lines of 18CZ: the state, and what was legal."""

from __future__ import annotations

from ostbahn.interop.site import TraceLine, by_hex
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.state import Task
from ostbahn.titles.cz.actions import LayRedTile
from ostbahn.titles.cz.importing.steps import in_turn
from ostbahn.titles.cz.state import (
    CompanyTask,
    CzTable,
    EstablishStation,
    HomeCity,
    LayTrack,
    LayWaived,
    RedHome,
)
from ostbahn.titles.cz.stations import markers_left, next_price, station_cities
from ostbahn.titles.cz.track import is_promotion, lays, terrain_cost, unused_locals, waivers


def state_line(game: Game) -> TraceLine:
    table = game.table
    assert isinstance(table, CzTable)
    state, question = table.state, game.question
    actor = None if question is None else _in_turn(table, question.task) or table.name(question.decider)
    return {
        "round": state.round,
        "phase": state.phase,
        "actor": actor,
        "players": {table.name(player): _player(table, player) for player in state.players},
        "companies": {company: _company(table, company) for company in state.start_prices},
        "tiles": {hex_id: list(laid) for hex_id, laid in state.board.tiles.items()},
    }


def _in_turn(table: CzTable, task: Task) -> str | None:
    """The company that acts."""
    if not isinstance(task, CompanyTask):
        return None
    return in_turn(table, task.company) if isinstance(task, HomeCity) else task.company


def _player(table: CzTable, player: str) -> TraceLine:
    state = table.state
    shares = {company: holding(table, player, company) for company in state.start_prices}
    return {
        "cash": state.cash[player],
        "shares": {company: percent for company, percent in shares.items() if percent},
        "locals": sorted(local for local, owner in state.locals.items() if owner == player),
        "minors": [],
        "debt": state.debts.get(player, 0),
    }


def _company(table: CzTable, company: str) -> TraceLine:
    state = table.state
    return {
        "cash": state.cash[company],
        "trains": sorted(train.face for train in state.trains.get(company, ())),
        "stations": sorted(hex_of(city) for city in state.board.stations_of(company)),
        "director": table.name(director(table, company)),
        "price": chart.price(table, company),
        "locals": sorted(local for local, owner in state.locals.items() if owner == company),
    }


def legal_line(game: Game, lingering: bool = False) -> TraceLine | None:
    table, question = game.table, game.question
    assert isinstance(table, CzTable)
    if question is None or not isinstance(question.task, CompanyTask):
        return None
    task = question.task
    line: TraceLine = {"company": _in_turn(table, task)}
    if lingering or isinstance(task, LayWaived):
        line["lays"] = {}
    if isinstance(task, LayTrack):
        open_ = (lay for lay in lays(table, task.company) if not (task.yellows and is_promotion(table, lay[0])))
        line["lays"] = by_hex(table.title.tile_set, open_)
    if isinstance(task, RedHome) and question is not None:
        red = [option.action for option in question if isinstance(option.action, LayRedTile)]
        tile = table.title.home_tiles[task.company]
        line["lays"] = by_hex(table.title.tile_set, ((lay.hex, tile, lay.rotation) for lay in red))
    if isinstance(task, HomeCity):
        line["stations"] = [[task.hex, 0]]
    if isinstance(task, EstablishStation) and not lingering and markers_left(table, task.company):
        price = next_price(table, task.company)
        found = {hex_of(city) for city in station_cities(table, task.company)}
        line["stations"] = [[hex_id, price] for hex_id in sorted(found)]
    powers = {local: _local_lays(table, task, local) for local in unused_locals(table, task.company)}
    if powers:
        line["local_lays"] = powers
    return line


def _local_lays(table: CzTable, task: CompanyTask, local: str) -> TraceLine:
    """Purple-edged tiles, and in the track step tiles at a waived cost."""
    purple = list(lays(table, task.company, table.title.locals[local].purple))
    waived = (
        lay
        for lay in (lays(table, task.company) if isinstance(task, (LayTrack, LayWaived)) else ())
        if not (isinstance(task, LayWaived) and is_promotion(table, lay[0]))
        and terrain_cost(table, task.company, lay[0])
        and local in waivers(table, task.company, lay[0])
    )
    return by_hex(table.title.tile_set, [*purple, *waived])
