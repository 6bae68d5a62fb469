"""Best runs on boards made at random, with tiles of the game and trains of all sizes, against other solvers."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.routes.network import Link, Network
from ostbahn.titles.cz.running import as_train, best, network, rides_of, runnable, stop_at
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import cz_title
from tests.kernel import brute_force, integer_programme
from tests.kernel.trails import random_board
from tests.titles.cz.scenes import scene, table_of

pytestmark = pytest.mark.slow

TITLE = cz_title()
PRINTED = {hex_.id: hex_.printed for hex_ in TITLE.map}
COMPANIES = ("KFN", "BCB", "Ug")
LARGE = 3000
"""From so many paths on, brute force takes too long."""
READINGS = TITLE.rulings["e_train_stops"].values


def table_with(seed: int, company: str) -> CzTable:
    """A company with one to three trains on a board, in a phase in which red tiles are worth something."""
    board = random_board(Random(seed), PRINTED, TITLE.tiles, COMPANIES)
    chance = Random(f"{seed} {company}")
    faces = [face for face, spec in TITLE.train_faces.items() if spec.size == TITLE.companies[company].size]
    trains = [(f"t{number}", chance.choice(faces)) for number in range(chance.randint(1, 3))]
    return table_of(
        scene(
            phase=chance.choice("dgi"),
            trains={company: trains},
            tiles=board.tiles,
            stations=board.stations,
            rulings={"e_train_stops": chance.choice(READINGS)},
        )
    )


def whole_network(table: CzTable, company: str) -> Network:
    """All locations and track of the board, whether the company can come there or not."""
    tracks = TITLE.surveyor.tracks(table.state.board)
    names = sorted({name for track in tracks for name in (track.start, track.end)})
    places = [name.split(".") for name in names]
    stops = [stop_at(table, company, TITLE.map[hex_id], int(node)) for hex_id, node in places]
    links = [Link(names.index(track.start), names.index(track.end), track.sides, track.hexes) for track in tracks]
    return Network(tuple(stops), tuple(links))


def compare(seed: int, seen: Counter[str]) -> None:
    for company in COMPANIES:
        table = table_with(seed, company)
        trains = [as_train(table, train) for train in runnable(table, company)]
        told = best(table, company)
        where = f"board {seed}, {company}"
        rides = rides_of(table, company, told.routes)
        assert not isinstance(rides, Refusal), f"{where}: {rides}"
        assert sum(ride.revenue for ride in rides) == told.revenue == told.bound, where
        net = whole_network(table, company)
        small = sum(1 for _ in islice(brute_force.paths(net), LARGE)) < LARGE
        assert told.revenue == (brute_force if small else integer_programme).most(net, trains), where
        seen["small"] += small
        seen["out of reach"] += len(net.stops) > len(network(table, company).stops)
        seen["trains"] += len(trains)
        seen["runs"] += len(told.routes)
        seen[f"runs of {company}"] += len(told.routes)


@pytest.mark.rule("18CZ VIII.8/6")
@pytest.mark.parametrize("part", range(2))
def test_the_best_run_on_a_random_board_is_what_others_find(part: int) -> None:
    seen = Counter[str]()
    for seed in range(part * 60, part * 60 + 60):
        compare(seed, seen)
    assert seen["trains"] > seen["runs"] > 50
    assert seen["small"] > 150, "most are solved by brute force"
    assert seen["out of reach"] > 50, "what cannot be reached is left out, and nothing else"
    assert all(seen[f"runs of {company}"] > 5 for company in COMPANIES)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_the_best_runs_on_thousands_of_random_boards(part: int) -> None:
    seen = Counter[str]()
    for seed in range(1000 + part * 500, 1500 + part * 500):
        compare(seed, seen)
