"""The adapter of 18CZ for 18xx.games, with its traces of states and legal lays."""

from __future__ import annotations

from typing import Final

from ostbahn.interop.site_adapter import (
    SiteAdapter,
    TraceLine,
    company_line,
    lays_by_hex,
    player_line,
    station_places,
    table_line,
)
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.state import Task
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.actions import LayRedTile
from ostbahn.titles.cz.interop.exporter import CzExporter
from ostbahn.titles.cz.interop.importer import CzImporter
from ostbahn.titles.cz.interop.steps import company_in_turn
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import markers_left, next_price, station_cities
from ostbahn.titles.cz.track import is_promotion, lays, terrain_cost, unused_locals, waivers
from ostbahn.titles.cz.words.text_renderer import cz_table


def state_line(game: Game) -> TraceLine:
    table, question, state = cz_table(game), game.question, game.state
    actor = None if question is None else _company_of_task(table, question.task) or table.name(question.decider)
    players = {player: _player_line(table, player) for player in state.players}
    return table_line(
        game, actor, players, {company: _company_line(table, company) for company in table.state.start_prices}
    )


def _company_of_task(table: CzTable, task: Task) -> str | None:
    if not isinstance(task, CompanyTask):
        return None
    return company_in_turn(table, task.company) if isinstance(task, tasks.HomeCity) else task.company


def _locals_of(table: CzTable, owner: str) -> list[str]:
    return [local for local, who in table.state.locals.items() if who == owner]


def _player_line(table: CzTable, player: str) -> TraceLine:
    debt = table.state.debts.get(player, 0)
    return player_line(table, player, table.state.start_prices, _locals_of(table, player), debt=debt)


def _company_line(table: CzTable, company: str) -> TraceLine:
    return {
        **company_line(table, company, (train.face for train in table.state.trains.get(company, ()))),
        "director": table.name(director(table, company)),
        "price": chart.price(table, company),
        "locals": sorted(_locals_of(table, company)),
    }


def legal_line(game: Game, lingering: bool) -> TraceLine | None:
    table, question = cz_table(game), game.question
    if question is None or not isinstance(question.task, CompanyTask):
        return None
    task = question.task
    line: TraceLine = {"company": _company_of_task(table, task)}
    if lingering or isinstance(task, tasks.LayWaived):
        line["lays"] = {}
    if isinstance(task, tasks.LayTrack):
        open_ = (lay for lay in lays(table, task.company) if not (task.yellows and is_promotion(table, lay[0])))
        line["lays"] = lays_by_hex(table.title.tile_set, open_)
    if isinstance(task, tasks.RedHome):
        tile, red = table.title.home_tiles[task.company], question.actions(LayRedTile)
        line["lays"] = lays_by_hex(table.title.tile_set, ((lay.hex, tile, lay.rotation) for lay in red))
    if isinstance(task, tasks.HomeCity):
        line["stations"] = [[task.hex, 0]]
    if isinstance(task, tasks.EstablishStation) and not lingering and markers_left(table, task.company):
        line["stations"] = station_places(station_cities(table, task.company), next_price(table, task.company))
    powers = {local: _local_lays(table, task, local) for local in unused_locals(table, task.company)}
    if powers:
        line["local_lays"] = powers
    return line


def _local_lays(table: CzTable, task: CompanyTask, local: str) -> TraceLine:
    """Return lays of purple-edged tiles and, in the track step, lays at a waived cost."""
    possible = list(lays(table, task.company, table.title.locals[local].purple))
    for lay in lays(table, task.company) if isinstance(task, (tasks.LayTrack, tasks.LayWaived)) else ():
        promotion = isinstance(task, tasks.LayWaived) and is_promotion(table, lay[0])
        costs = terrain_cost(table, task.company, lay[0])
        if not promotion and costs and local in waivers(table, task.company, lay[0]):
            possible.append(lay)
    return lays_by_hex(table.title.tile_set, possible)


SITE_ADAPTER: Final = SiteAdapter(CzImporter, CzExporter, ("base", "bohemia"), state_line, legal_line)
