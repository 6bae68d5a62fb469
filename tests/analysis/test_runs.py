"""Best runs stop by stop, and what one more tile or station would add."""

from __future__ import annotations

import pytest

from ostbahn.analysis.runs import best_run, run_with_station, run_with_tile
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.kernel.routes.optimiser import clear_caches
from ostbahn.titles.cz.state import OperateTrains
from tests.titles.cz.scenes import scene


def bcb() -> Game:
    """BCB in Pardubice (E15) with a 3-train; track to Hradec Králové (D16) and to the west."""
    return scene(
        phase="c",
        started={"BCB": (60, "p1")},
        tiles={"E15": ("6", 1), "D16": ("6", 0)},
        stations={"E15.0": ["BCB"]},
        trains={"BCB": [("c1", "3")]},
        agenda=[OperateTrains("BCB")],
    )


def test_a_run_is_told_stop_by_stop() -> None:
    run = best_run(bcb(), "BCB")
    assert (run.revenue, run.bound, run.proven) == (40, 40, True)
    (route,) = run.routes
    assert route.face == "3"
    assert {(stop.id, value, counted) for stop, value, counted in route.paid_stops()} == {
        ("D16.0", 20, True),
        ("E15.0", 20, True),
    }


def test_a_budget_ends_the_search_for_routes() -> None:
    clear_caches()
    run = best_run(bcb(), "BCB", StepBudget(0, free_steps=0))
    assert not run.proven
    assert run.revenue < 40 <= run.bound


def test_what_a_tile_would_add() -> None:
    """E13 has two towns: the one on the track to the east joins the run with 10 K."""
    game = bcb()
    assert run_with_tile(game, "BCB", "E13", "55", 0).revenue == 50
    assert best_run(game, "BCB").revenue == 40, "the game itself is as it was"


def test_what_a_station_would_add() -> None:
    """Others' stations close E15 for BCB's second city; with a station of its own it could pass."""
    game = scene(
        phase="e",
        started={"BCB": (60, "p1"), "EKJ": (60, "p2")},
        tiles={"E15": ("6", 1), "D16": ("6", 0), "E13": ("55", 0)},
        stations={"D16.0": ["BCB"], "E15.0": ["EKJ"]},
        trains={"BCB": [("c1", "3")]},
        agenda=[OperateTrains("BCB")],
    )
    assert best_run(game, "BCB").revenue == 40
    assert run_with_station(game, "BCB", "E15.0").revenue == 50


def test_a_company_that_does_not_operate_has_no_run() -> None:
    with pytest.raises(BadSetup, match="OFE is not a company that operates here; those that do: BCB"):
        best_run(bcb(), "OFE")
