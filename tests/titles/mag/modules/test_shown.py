"""What players see of modules: supporters on cards and in steps, the director share of CIWL, bonuses of routes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import TakeFromRothschild
from ostbahn.titles.mag.state import EstablishStation, PlaceMarker, PurchaseTrains, StockRound
from ostbahn.views.log import LogLines
from ostbahn.views.question import answer_views, offer_views
from ostbahn.views.routes import routes_view
from ostbahn.views.title_views import views_of
from ostbahn.views.turns import round_view
from tests.titles.mag.modules.playing import helped, with_modules
from tests.titles.mag.scenes import scene

GOLDEN = Path(__file__).parents[3] / "golden"
WITH_CIWL = "18Mag-base-4-standard_divs-new_minors_challenge-new_major-supporters.json"


def words_of(game: Game, company: str, stage: str) -> str:
    return views_of(game).step_forecast(company, stage)


def in_turn(*supporters: str, task: Any) -> Game:
    return helped(*supporters, owners={"3": "p1"}, cash={"3": 200}, agenda=[task], round="OR 1.1")


@pytest.mark.rule("18Mag M.5/2")
def test_a_supporter_who_has_helped_is_marked_on_the_card_of_the_player() -> None:
    game = in_turn("KK", "SMFvR", task=PurchaseTrains("3"))
    game.apply(TakeFromRothschild())
    papers = {paper.label: paper for paper in views_of(game).players(None)[0].papers if paper.kind == "supporter"}
    assert {label: paper.power_used for label, paper in papers.items()} == {"Kandó": False, "Rothschild": True}
    assert "has helped in this operating round" in papers["Rothschild"].words


def test_the_steps_of_a_turn_say_who_can_help() -> None:
    assert "one with Kandó for 70, 105, 180, 290 Ft" in words_of(in_turn("KK", task=PurchaseTrains("3")), "3", "Trains")
    assert "40 Ft, 20 Ft with the DDSG" in words_of(in_turn("DDSG", task=EstablishStation("3")), "3", "Station")
    assert "Kandó" not in words_of(in_turn("DDSG", task=PurchaseTrains("3")), "3", "Trains")


@pytest.mark.rule("18Mag M.5/2")
def test_no_supporter_helps_a_major() -> None:
    game = in_turn("DDSG", task=PlaceMarker("SIK"))
    assert "DDSG" not in words_of(game, "SIK", "Marker")


def test_a_train_of_kando_says_how_and_what_it_costs() -> None:
    game = in_turn("KK", task=PurchaseTrains("3"))
    answers = {answer.kind: answer for answer in answer_views(game) if answer.subject == "2"}
    usual, helped_ = answers["buy_train"], answers["buy_by_kando"]
    assert (usual.how, helped_.how) == ("", "with Kandó")
    assert (usual.cost, helped_.cost) == (80, 70)


def test_supporters_are_drafted_from_cards_of_their_own() -> None:
    game = with_modules("supporters")
    views, question = views_of(game), game.question
    assert question is not None
    items = {item.id: item for item in views.items(question)}
    assert items["DDSG"].words == "supporter: the station of a turn for half its price"
    offers = offer_views(views, question)
    assert [offer.words for offer in offers["DDSG"]] == ["Draft"]
    assert offers["DDSG"][0].index is not None


@pytest.mark.rule("18Mag M.4/7")
def test_the_director_share_of_ciwl_stands_on_its_card() -> None:
    game = scene(
        modules=("new_major",),
        shares={"CIWL": {"p1": 1, "p2": 1, "p3": 1}},
        cash={"p1": 500},
        agenda=[StockRound("p1")],
    )
    question = game.question
    assert question is not None
    words = [offer.words for offer in offer_views(views_of(game), question)["CIWL"] if offer.index is not None]
    assert "20 % into the 40 % director share" in words


@pytest.fixture(scope="module")
def from_red_to_red() -> Game:
    """Before the first run of a golden game for which the bank pays CIWL."""
    game = saves.read(GOLDEN / WITH_CIWL)
    number = next(
        number
        for number, record in enumerate(game.records)
        if any(getattr(event, "why", "") == "sleeping cars from red to red" for event in record.events)
    )
    return game.position(number + 1)


@pytest.mark.rule("18Mag M.4/8", "18Mag M.4/9")
def test_a_route_says_what_it_earns_from_red_to_red_and_the_log_who_else_is_paid(from_red_to_red: Game) -> None:
    game = from_red_to_red
    line = LogLines(game).line(len(game))
    assert "; the bank paid CIWL " in line.words
    before = game.position(len(game) - 1)
    view = routes_view(before)
    assert view is not None
    bonuses = [bonus for route in view.routes for bonus in route.bonuses]
    assert {bonus.words for bonus in bonuses} == {"red to red"}
    for route in view.routes:
        stops = sum(stop.value for stop in route.stops if stop.counted)
        assert route.revenue + route.subsidy == stops + sum(bonus.value for bonus in route.bonuses)


def test_it_is_said_which_modules_are_played() -> None:
    game = with_modules("supporters", "standard_divs")
    assert round_view(game).module_names == ("Standard dividends", "Supporters")
    assert LogLines(game).line(0).words == "the game is set up with standard dividends, supporters"
