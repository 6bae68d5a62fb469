"""The turn of a minor and of a major of 18Mag step by step, and the order of companies."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyCar, BuyTrain, RunTrains, ScrapTrain
from ostbahn.titles.mag.state import Rounds
from ostbahn.views.title_views import views_of
from ostbahn.views.turns import order_view, turn_panel_view
from tests.titles.mag.run_scenes import CITY_20, CITY_30, TOWN_10, line
from tests.titles.mag.scenes import cards_of, scene
from tests.titles.mag.share_scenes import play_until, question_of


def steps(game: Game) -> list[tuple[str, str, str]]:
    mat = turn_panel_view(views_of(game))
    assert mat is not None
    return [(step.name, step.state, step.words) for step in mat.steps]


def a_round(**fields: Any) -> Game:
    """Minors 3 and 5 of p1 begin an Operating Round; 3 has two 2-trains, 200 Ft and a run of 50 Ft."""
    given: dict[str, Any] = {
        "owners": {"3": "p1", "5": "p2"},
        "cash": {"3": 200, "SIK": 30},
        "trains": {"3": ("2", "2"), "5": ("2",)},
        "tiles": line("F13", CITY_20, CITY_30),
        "stations": {"F13.0": ["3"]},
        "directors": {"SIK": "p1"},
        "agenda": [Rounds(2, 0, 1)],
    }
    return scene(**{**given, **fields})


@pytest.mark.rule("18Mag VI.3.1/1")
def test_a_minors_turn_begins_with_everything_ahead() -> None:
    """One of its stations was bought already, so the next one costs 80 Ft."""
    track, *others = steps(a_round())
    assert track[:2] == ("Track", "now")
    assert track[2].startswith("1 tile, 1 more for ")
    assert others == [
        ("Station", "ahead", "80 Ft: 1 station left"),
        ("Scrap", "ahead", "makes room for another train"),
        ("Run", "ahead", "2, 2"),
        ("Trains", "ahead", "2 of 2 trains; 2 for 80, 3 for 120, 4 for 200, 6 for 320 Ft"),
    ]


@pytest.mark.rule("18Mag VI.3.5/1")
@pytest.mark.rule("18Mag VI.3.8/1")
def test_what_a_minor_has_done_is_told() -> None:
    """It scraps a train, buys a rail car, runs with a town between two cities, and buys a 3-train for 120 Ft."""
    game = a_round(tiles=line("F13", CITY_20, TOWN_10, CITY_30))
    for answer in (Pass(), Pass(), ScrapTrain(cards_of(game, "3")[0]), Pass(), BuyCar("plus")):
        game.apply(answer)
    game.apply(question_of(game).only(RunTrains)[0].action)
    ran = steps(game)
    assert [(name, state) for name, state, _ in ran] == [
        ("Track", "skipped"),
        ("Station", "skipped"),
        ("Scrap", "done"),
        ("Run", "done"),
        ("Trains", "now"),
    ]
    assert (ran[2][2], ran[3][2]) == ("scrapped a 2-train", "plus car, 10 Ft; ran for 60 Ft")
    game.apply(BuyTrain("3"))
    assert steps(game)[4][2].startswith("bought a 3-train, 120 Ft; 2 of 2 trains; ")


@pytest.mark.rule("18Mag VI.4.1/1")
def test_a_major_places_a_marker_and_pays() -> None:
    game = a_round()
    play_until(game, until=lambda question: question.company == "SIK")
    assert steps(game) == [
        ("Marker", "now", "40 Ft: 2 markers left"),
        ("Income", "ahead", "30 Ft in the treasury"),
    ]


@pytest.mark.rule("18Mag VI.1/2")
@pytest.mark.rule("18Mag VI.4/1")
def test_minors_act_by_number_and_then_majors_by_price() -> None:
    game = a_round(prices={"SIK": 80})
    views = views_of(game)
    found = [(place.company, place.state) for place in order_view(views)]
    assert found[:3] == [("3", "now"), ("5", "ahead"), ("SIK", "ahead")]
    assert len(found) == 2 + 7
    play_until(game, until=lambda question: question.company == "SIK")
    found = [(place.company, place.state) for place in order_view(views_of(game))]
    assert found[:3] == [("3", "done"), ("5", "done"), ("SIK", "now")]
