"""What need not be asked, and why it is passed over."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.table.automatic import ObviousAnswer, obvious_answer
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.state import Acquire, EstablishStation, LayTrack, OperateTrains, PurchaseTrains
from ostbahn.titles.mag.state import OperateWithCars as MagOperateTrains
from ostbahn.titles.mag.state import ScrapTrains
from ostbahn.views.question import answer_views
from ostbahn.views.title_views import views_of
from tests.golden.games import golden_game
from tests.titles.cz.lines import CITY_20, line
from tests.titles.cz.scenes import scene
from tests.titles.mag.scenes import scene as mag_scene

NO_STATION = ObviousAnswer(Pass(), "no station can be placed")


def turn(*tasks: Any, **fields: Any) -> Game:
    """EKJ, Anna's, at home in Karlovy Vary with Cheb beside it; Boris owns a Local Railway that it may buy."""
    given = {
        "started": {"EKJ": (60, "p1")},
        "tiles": line("D2", CITY_20, CITY_20),
        "stations": {"D4.0": ["EKJ"]},
        "trains": {"EKJ": [("a1", "2")]},
        "cash": {"EKJ": 20},
        "locals_of": {"S1": "p2"},
        "used_powers": ("S1",),
        "phase": "b",
    }
    return scene(**{**given, "agenda": list(reversed(tasks)), **fields})


def test_asides_alone_are_no_question() -> None:
    """An offer for a Local Railway can be made at the next question too."""
    game = turn(EstablishStation("EKJ"), OperateTrains("EKJ"))
    assert {type(option.action) for option in game.ask()} == {cz.OfferForLocal, Pass}
    assert obvious_answer(game) == NO_STATION


def test_the_last_chance_is_asked_about_and_passing_is_called_done() -> None:
    game = turn(PurchaseTrains("EKJ"))
    assert {type(option.action) for option in game.ask()} == {cz.OfferForLocal, Pass}
    assert obvious_answer(game) is None
    found = {answer.kind: (answer.aside, answer.words) for answer in answer_views(game)}
    assert found["pass"] == (False, "Done")
    assert found["offer_for_local"][0]


def test_an_aside_that_brings_the_money_for_a_station_is_a_decision() -> None:
    """BCB has 20 K in Pardubice; a Local Railway that it sells brings 40 K, and so much costs one in Hradec Králové."""
    game = turn(
        EstablishStation("BCB"),
        OperateTrains("BCB"),
        started={"BCB": (60, "p1")},
        tiles={"E15": ("6", 1), "D16": ("5", 5)},
        stations={"E15.0": ["BCB"]},
        trains={"BCB": [("a1", "2")]},
        cash={"BCB": 20},
        locals_of={"S1": "BCB"},
    )
    assert {type(option.action) for option in game.ask()} == {cz.SellLocal, Pass}
    assert obvious_answer(game) is None


def test_a_power_that_opens_a_lay_is_a_decision() -> None:
    """Nothing can be paid, but a Local Railway that Anna has waives the cost of a hill or river."""
    game = turn(
        LayTrack("EKJ", first=False), OperateTrains("EKJ"), cash={"EKJ": 1}, locals_of={"S1": "p1"}, used_powers=()
    )
    assert obvious_answer(game) is None


def test_a_single_answer_is_given_with_its_reason() -> None:
    game = turn(Acquire("EKJ"), PurchaseTrains("EKJ"), locals_of={})
    assert obvious_answer(game) == ObviousAnswer(Pass(), "no company can be taken over")


def test_a_run_is_shown_and_no_run_is_not() -> None:
    game = turn(OperateTrains("EKJ"), PurchaseTrains("EKJ"), locals_of={})
    assert obvious_answer(game) is None
    game = turn(OperateTrains("EKJ"), PurchaseTrains("EKJ"), trains={})
    assert obvious_answer(game) == ObviousAnswer(cz.RunTrains(()), "there is no train to run")


def test_scrapping_is_asked_about_since_it_cannot_be_done_later() -> None:
    game = mag_scene(agenda=[MagOperateTrains("3"), ScrapTrains("3")])
    assert obvious_answer(game) is None
    answers = {answer.kind: answer for answer in answer_views(game)}
    assert answers["scrap_train"].aside
    assert answers["pass"].words == "Done"


def test_where_there_is_a_choice_nothing_is_obvious_answer() -> None:
    assert obvious_answer(new_game("18CZ", ["Anna", "Ben", "Cyril"])) is None


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "name",
    [
        "18CZ-base-4",
        "18CZ-bohemia-2",
        "18CZ-moravia-3",
        "18Mag-base-3",
        "18Mag-two_player-2",
        "18Mag-solo-1-medium-long",
    ],
)
def test_in_whole_games_nobody_loses_anything_by_not_being_asked(name: str) -> None:
    """What could be done beside can be done when they are asked again, and would not have opened another answer."""
    played, passed_over = golden_game(name), 0
    for number in range(len(played)):
        game = played.position(number)
        question, views = game.ask(), views_of(game)
        asides = [option for option in question.options if views.is_rare(question, option.action)]
        if (found := obvious_answer(game)) is None or not asides:
            continue
        passed_over += 1
        assert len(question.options) == len(asides) + 1
        then = game.copy()
        while (found := obvious_answer(then)) is not None:
            then.apply(found.action)
        assert (then.ask().decider, then.ask().company) == (question.decider, question.company)
        assert all(option.action in then.ask() for option in asides)
        for option in asides:
            tried = game.copy()
            tried.apply(option.action)
            after = tried.ask()
            if after.task == question.task:
                assert sum(not views_of(tried).is_rare(after, each.action) for each in after.options) == 1
    assert passed_over or name.startswith("18Mag"), "nothing was passed over, so the test has shown nothing"
