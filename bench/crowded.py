"""Well-connected boards of 18CZ for the router: random lays of one company, and its stations.

A board hangs on the number of lays and a seed alone. Lays follow the rules but for money: real promotions, only where
the company has track. So boards look like the end of a long game in which everybody built for the same railway.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import count, cycle, islice
from random import Random

from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.map.hexes import opposite
from ostbahn.kernel.routes.optimiser import best_run, clear_caches
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import DEFAULT, SITE, rulings_of
from ostbahn.titles.cz.actions import LayTile
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.cz.running import as_train, network
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.cz.track import TrackBuilding, lays

COMPANY = "kk"
STATIONS = 4
"""As many as a large company has."""
TRIED = 3
"""Of so many lays that are drawn the one is made that joins most track, as builders would."""
SEATS = ("A", "B", "C")
PHASE = "j"
RED = {"I17": "8895", "B18": "8897", "A7": "8896", "F2": "8898", "I23": "8894"}
"""Home tiles of the large companies."""


BOARDS = 200
LAYS = (100, 125, 150, 170)
FEWEST = 45
"""Tiles on a board; where fewer lie nothing more could be laid, and it is left out."""
FLEETS = (*([kind] * trains for trains in (2, 3, 4) for kind in ("5E", "6E", "8E", "5+5", "5")), ["6E", "6E", "5E"])
"""Two to four trains of each late kind, and what a large company has in the end."""


def opened(preset: str = DEFAULT) -> CzTable:
    """A table in the last phase on which nothing is built but red tiles."""
    title = cz_title()
    setup = Setup(title="18CZ", variant="base", players=SEATS, rulings=rulings_of(title.rulings, preset))
    rulebook = CzRulebook(title)
    state = rulebook.initial_state(setup)
    faces = title.tile_set.faces
    red = {
        hex_id: next((tile, turn) for turn in range(6) if not faces[tile][turn].exits & ~title.map[hex_id].marked)
        for hex_id, tile in RED.items()
    }
    state.board, state.phase = Board(red, {"I17.0": (COMPANY,)}), PHASE
    return rulebook.table(setup, state)


def crowded(number: int, seed: int, endless: bool = False, preset: str = DEFAULT) -> CzTable:
    """A table after so many lays; fewer only where nothing more can be laid. endless: tiles never run out."""
    table, chance = opened(preset), Random(f"{number} lays, {seed}")
    if endless:
        table.state.supply = dict.fromkeys(table.state.supply, number)
    pauses = {number * part // STATIONS for part in range(1, STATIONS)}
    for made in range(number):
        found = list(lays(table, COMPANY))
        if not found:
            break
        tried = [chance.choice(found) for _ in range(TRIED)]
        TrackBuilding().lay(table, COMPANY, LayTile(*max(tried, key=lambda each: _joined(table, *each))))
        if made in pauses:
            _station(table, chance)
    while len(table.state.board.stations_of(COMPANY)) < STATIONS and _station(table, chance):
        pass
    return table


def _joined(table: CzTable, hex_id: str, tile: str, rotation: int) -> int:
    """How many sides of a tile would meet track of a neighbour."""
    tile_set, hex_ = table.title.tile_set, table.title.map[hex_id]
    exits = tile_set.faces[tile][rotation].exits
    return sum(
        1
        for side, there in enumerate(hex_.neighbours)
        if there is not None
        and exits >> side & 1
        and table.state.board.face(tile_set, there).exits >> opposite(side) & 1
    )


def _station(table: CzTable, chance: Random) -> bool:
    """A station in one of the free cities that the company reaches."""
    board = table.state.board
    free = sorted(_free(table))
    if free:
        table.state.board = board.with_stations({**board.stations, chance.choice(free): (COMPANY,)})
    return bool(free)


def _free(table: CzTable) -> Iterator[str]:
    title, board = table.title, table.state.board
    for city, (hex_, node) in title.surveyor.reach(board, COMPANY).nodes.items():
        if city not in board.stations and board.face(title.tile_set, hex_).nodes[node].kind == "city":
            yield city


def cases(endless: bool = False, preset: str = DEFAULT) -> Iterator[tuple[CzTable, list[str]]]:
    """Boards and fleets."""
    seeds = count()
    for number, fleet in zip(cycle(LAYS), cycle(FLEETS), strict=False):
        boards = (crowded(number, seed, endless, preset) for seed in seeds)
        yield next(table for table in boards if len(table.state.board.tiles) >= FEWEST), fleet


def figures(
    name: str = "crowded", boards: int = BOARDS, endless: bool = False, preset: str = DEFAULT
) -> dict[str, float]:
    """Best runs on crowded boards, each from nothing, by the budget of the game; processor time."""
    spent, proven, links = [], 0, []
    for table, fleet in islice(cases(endless, preset), boards):
        net = network(table, COMPANY)
        trains = [as_train(table, Train(f"t{number}", face)) for number, face in enumerate(fleet)]
        clear_caches()
        start = time.process_time()
        proven += best_run(net, trains).proven
        spent.append((time.process_time() - start) * 1e3)
        links.append(len(net.links))
    spent.sort()
    return {
        f"routes_{name}_p50_ms": statistics.median(spent),
        f"routes_{name}_p99_ms": spent[len(spent) * 99 // 100 - 1],
        f"routes_{name}_max_ms": spent[-1],
        f"routes_{name}_proven": float(proven),
        f"routes_{name}_boards": float(len(spent)),
        f"routes_{name}_links": statistics.median(links),
    }


def all_figures() -> dict[str, float]:
    """By the rulebook, by the rulings of 18xx.games, and where tiles never run out, which makes far denser boards."""
    site = figures("crowded_site", BOARDS // 2, preset=SITE)
    return figures() | site | figures("endless", BOARDS // 2, endless=True)


if __name__ == "__main__":
    for name, value in all_figures().items():
        print(f"{name:<32}{value:,.1f}")
