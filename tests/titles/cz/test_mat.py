"""The turn of a company of 18CZ step by step, and the order of companies."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import BuyTrain, LayTile, OfferAcquisition, PayOut, RunTrains
from ostbahn.titles.cz.state import Timetable
from ostbahn.views.title_views import views_of
from ostbahn.views.turns import order_view, turn_panel_view
from tests.titles.cz.lines import CITY_20, CITY_30, STRAIGHT, line, turned
from tests.titles.cz.looking import answer_all, asked
from tests.titles.cz.scenes import scene, stock_round

SECOND_OR = 4
"""Its box on the process track."""


def steps(game: Game) -> list[tuple[str, str, str]]:
    mat = turn_panel_view(views_of(game))
    assert mat is not None
    return [(step.name, step.state, step.words) for step in mat.steps]


def order(game: Game) -> list[tuple[str, str]]:
    return [(place.company, place.state) for place in order_view(views_of(game))]


def second_round(**fields: Any) -> Game:
    """Operating Round 2.1: BN at 70 with 300 K runs a 2+2 for 50 K; then it is the turn of EKJ at 50, with 90 K."""
    given: dict[str, Any] = {
        "phase": "c",
        "cash": {"BN": 300, "EKJ": 90},
        "started": {"BN": (70, "p1"), "EKJ": (50, "p2")},
        "shares": {"BN": {"p1": 1, "p2": 1}},
        "trains": {"BN": [("b1", "2+2")], "EKJ": [("a1", "2")]},
        "tiles": line("G3", CITY_30, CITY_20),
        "stations": {"G3.0": ["BN"], "D4.0": ["EKJ"]},
        "agenda": [Timetable(SECOND_OR)],
    }
    return scene(**{**given, **fields})


@pytest.mark.rule("18CZ VIII.3/1")
def test_a_turn_begins_with_everything_ahead() -> None:
    """Of three markers one stands at home, so the next costs 40 K. EKJ has 50% out: 25 K a share are 50 K at least."""
    assert steps(second_round()) == [
        ("Track", "now", "1 yellow tile or 1 promotion"),
        ("Station", "ahead", "40 K: 2 markers left"),
        ("Run", "ahead", "2+2"),
        ("Income", "ahead", ""),
        ("Take over", "ahead", "EKJ possible"),
        ("Trains", "ahead", "1 of 3 trains; next: 2+2 for 80 K"),
    ]


@pytest.mark.rule("18CZ VIII.3/1")
def test_what_was_done_stays_and_what_was_left_is_skipped() -> None:
    game = second_round()
    answer_all(game, LayTile("G7", *turned(STRAIGHT, "W", "E")), Pass())
    run = asked(game).only(RunTrains)[0].action
    game.apply(run)
    assert steps(game)[:4] == [
        ("Track", "done", "laid 9 in G7"),
        ("Station", "skipped", ""),
        ("Run", "done", "ran for 50 K"),
        ("Income", "now", "50 K: 10 K a share, or keep it"),
    ]
    game.apply(PayOut())
    assert steps(game)[3:5] == [("Income", "done", "paid out 50 K"), ("Take over", "now", "EKJ possible")]


@pytest.mark.rule("18CZ VIII.9/1")
def test_a_company_taken_over_with_its_trains() -> None:
    """Two shares at 40 K; the 2-train comes along and may be scrapped or kept."""
    game = second_round()
    answer_all(game, Pass(), Pass())
    answer_all(game, asked(game).only(RunTrains)[0].action, PayOut(), OfferAcquisition("EKJ", 40), Accept())
    assert steps(game)[4] == ("Take over", "now", "took over EKJ, a 2-train from EKJ, 80 K; nobody it could pay for")
    assert order(game) == [("BN", "now")]


@pytest.mark.rule("18CZ VIII.10/1")
def test_who_must_buy_a_train_is_told_what_it_costs_the_director() -> None:
    """The next card is a 2+2 for 80 K, and BN has 20 K."""
    game = second_round(cash={"BN": 20}, trains={})
    assert steps(game)[-1][2] == "0 of 3 trains; must buy: 2+2 for 80 K, 60 K from the Director"
    assert steps(game)[2] == ("Run", "ahead", "no train to run")


@pytest.mark.rule("18CZ VIII.10/7")
def test_trains_that_were_bought_are_told_with_their_price() -> None:
    game = second_round()
    answer_all(game, Pass(), Pass())
    answer_all(game, asked(game).only(RunTrains)[0].action, PayOut(), Pass())
    game.apply(BuyTrain("c2", "2+2"))
    name, state, words = steps(game)[-1]
    assert (name, state) == ("Trains", "now")
    assert words.startswith("bought a 2+2-train, 80 K; 2 of 3 trains; ")


@pytest.mark.rule("18CZ VIII.4/4")
def test_in_its_first_turn_a_company_lays_two_yellow_tiles() -> None:
    game = second_round(started={"EKJ": (50, "p2")}, shares={}, stations={}, tiles={})
    assert steps(game)[0] == ("Track", "now", "2 yellow tiles or 1 promotion")
    lay = asked(game).only(LayTile)[0].action
    assert isinstance(lay, LayTile)
    game.apply(lay)
    name, state, words = steps(game)[0]
    assert (name, state) == ("Track", "now")
    assert words.startswith(f"laid {lay.tile} in ")
    assert words.endswith("; 1 more yellow tile")


@pytest.mark.rule("18CZ VIII.9/1")
def test_a_small_company_has_nobody_to_take_over() -> None:
    game = second_round(started={"EKJ": (50, "p2")}, shares={}, trains={"EKJ": [("a1", "2")]})
    assert [name for name, _, _ in steps(game)] == ["Track", "Station", "Run", "Income", "Trains"]


@pytest.mark.rule("18CZ XI.1/14")
def test_vaclavs_companies_neither_take_over_nor_buy() -> None:
    game = second_round(
        players=2,
        variant="bohemia",
        started={"BN": (70, "Vaclav")},
        shares={"BN": {"Vaclav": 1}},
        floated=("BN",),
        trains={"BN": [("b1", "2+2")]},
    )
    assert steps(game)[1:] == [
        ("Station", "ahead", "free: 2 markers left"),
        ("Run", "ahead", "2+2"),
        ("Income", "ahead", "always paid out"),
    ]


def test_the_order_of_companies_goes_by_price_and_says_who_has_acted() -> None:
    game = second_round()
    assert order(game) == [("BN", "now"), ("EKJ", "ahead")]
    answer_all(game, Pass(), Pass())
    answer_all(game, asked(game).only(RunTrains)[0].action, PayOut(), Pass(), Pass())
    assert order(game) == [("BN", "done"), ("EKJ", "now")]
    mat = turn_panel_view(views_of(game))
    assert mat is not None
    assert mat.company == "EKJ"


def test_outside_of_operating_rounds_there_is_no_turn() -> None:
    views = views_of(scene(agenda=[stock_round("p1")]))
    assert (turn_panel_view(views), order_view(views)) == (None, ())
