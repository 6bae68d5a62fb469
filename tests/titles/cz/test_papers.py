"""The private papers of Moravia-Silesia: the 3E-train, Local Railways, and the end of all of them (18CZ XI.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.analysis.runs import best_run
from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import (
    AssignTrain,
    BuyShare,
    BuyTrain,
    LayPurpleTile,
    LayTile,
    OfferForLocal,
    RunTrains,
    SellLocal,
    Withhold,
)
from ostbahn.titles.cz.state import (
    EndTurn,
    LayTrack,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    StockRound,
    Timetable,
)
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.building import lay, on, purple
from tests.titles.cz.lines import CITY_20, CITY_30, RED, TOWN_10
from tests.titles.cz.looking import all_pass, cash_of, refused_by
from tests.titles.cz.moravian import (
    AT_HOME,
    BOX,
    PAPERS,
    answers,
    before,
    both,
    from_red_to_red,
    incomes,
    path,
    row,
    running,
)
from tests.titles.cz.scenes import state_of, stock_round, table_of

GIVE = AssignTrain("3E")
TRAINS = {"kk": [("a1", "2")], "Ug": [("a2", "2")]}
CROSSING = ("SW", "W", "NE", "E")


# The 3E-train


def with_express(**fields: Any) -> Game:
    """A turn of kk, whose Director p1 has the 3E; its line leads over two towns and a city to another red tile."""
    line = from_red_to_red(TOWN_10, CITY_20, TOWN_10)
    return both(
        **{
            "phase": "d",
            "locals_of": {"3E": "p1"},
            "trains": {"kk": [("d1", "3")], "Ug": [("d2", "3")]},
            "tiles": line,
            "stations": AT_HOME,
            "agenda": [OperateTrains("kk")],
            **fields,
        }
    )


@pytest.mark.rule("18CZ XI.2/28")
@pytest.mark.parametrize("phase", ["a", "d", "e"])
def test_the_3e_is_given_at_any_moment_of_the_turn(phase: str) -> None:
    game = with_express(phase=phase, agenda=[OperatingRound(("kk",))], tiles={}, stations={})
    for kind in ("red_home", "lay_track", "establish_station", "operate_trains", "purchase_trains"):
        assert asked(game).kind == kind
        assert GIVE in answers(game, AssignTrain)
        assert refused_by(game, GIVE) == "allowed"
        if kind != "purchase_trains":
            game.apply(idle(game))
    game.apply(GIVE)
    assert state_of(game).locals == {}


@pytest.mark.rule("18CZ VIII.3/2", "18CZ XI.2/28")
@pytest.mark.parametrize(("ruled", "kinds"), [("refused", []), ("allowed", ["lay_waived"])])
def test_in_a_first_turn_with_a_promotion_it_is_given_too(ruled: str, kinds: list[str]) -> None:
    """Here the ruling on tiles that Local Railways pay for after a promotion comes up as well."""
    game = with_express(agenda=[LayTrack("kk", first=True)], rulings={"waived_lay_after_promotion": ruled})
    laid = state_of(game).board.tiles
    game.apply(next(found for found in answers(game, LayTile) if isinstance(found, LayTile) and found.hex in laid))
    assert ([] if game.over else [asked(game).kind]) == kinds
    if kinds:
        game.apply(GIVE)
        assert asked(game).kind == "lay_waived", "a Local Railway may still be bought"


@pytest.mark.rule("18CZ XI.2/28", "18CZ XI.2/31")
def test_given_after_the_run_it_waits_for_the_next_one() -> None:
    game = with_express(agenda=[OperatingRound(("kk",)), OperatingRound(("kk",)), EndTurn("kk"), OperateTrains("kk")])
    game.apply(answers(game, RunTrains)[0])
    assert asked(game).kind == "use_income"
    game.apply(GIVE)
    assert state_of(game).revenue["kk"] == 60, "what has been earned stays as it is"
    game.apply(Withhold())
    while asked(game).kind != "operate_trains":
        game.apply(idle(game))
    (run,) = answers(game, RunTrains)
    game.apply(run)
    assert state_of(game).revenue["kk"] == 60 + 180
    game.apply(Withhold())
    while asked(game).kind != "operate_trains":
        game.apply(idle(game))
    game.apply(answers(game, RunTrains)[0])
    assert state_of(game).revenue["kk"] == 60, "it makes one run"


@pytest.mark.rule("18CZ XI.2/29")
def test_while_it_waits_it_takes_no_place_and_meets_no_duty() -> None:
    full = [(f"d{number}", "3") for number in (1, 3, 4)]
    game = with_express(trains={"kk": full, "Ug": [("d2", "3")]}, agenda=[PurchaseTrains("kk")])
    game.apply(GIVE)
    game.apply(BuyTrain("d2", "3"))
    assert asked(game).kind == "purchase_trains", "nothing has to be returned"
    assert refused_by(game, BuyTrain("d3", "3")) == "18CZ VIII.10/5"
    game = with_express(trains={}, agenda=[PurchaseTrains("kk")])
    game.apply(GIVE)
    assert refused_by(game, Pass()) == "18CZ VIII.10/1"


@pytest.mark.rule("18CZ XI.2/11", "18CZ XI.2/28")
@pytest.mark.parametrize(("ruled", "running"), [("lost", ["g1"]), ("kept", ["g1", "3E"])])
def test_whether_the_first_4_plus_4_ends_a_3e_that_waits(ruled: str, running: list[str]) -> None:
    game = buying_a_blue_train(
        rulings={"waiting_3e_when_papers_close": ruled},
        locals_of={"3E": "p1"},
        trains={},
        tiles=from_red_to_red(TOWN_10, CITY_20, TOWN_10),
        stations=AT_HOME,
        agenda=[OperatingRound(("kk",)), EndTurn("kk"), PurchaseTrains("kk")],
    )
    game.apply(GIVE)
    game.apply(BuyTrain("g1", "4+4"))
    while asked(game).kind != "operate_trains":
        game.apply(idle(game))
    (run,) = answers(game, RunTrains)
    assert isinstance(run, RunTrains)
    assert [train.card for train in run.runs] == running


@pytest.mark.rule("18CZ XI.2/28")
def test_only_the_director_gives_it_and_only_in_the_companys_own_turn() -> None:
    assert refused_by(with_express(locals_of={"3E": "p2"}), GIVE) == "18CZ XI.2/28"
    assert refused_by(with_express(locals_of={"3E": "p3"}), GIVE) == "18CZ XI.2/28"
    assert refused_by(with_express(locals_of={}), GIVE) == "18CZ XI.2/28"
    of_ug = with_express(agenda=[OperateTrains("Ug")], shares={"kk": {"p1": 3}, "Ug": {"p2": 3, "p1": 2}})
    assert refused_by(of_ug, GIVE) == "18CZ XI.2/28", "shares are not enough"
    assert refused_by(of_ug, GIVE, "p1") == "18CZ V/6"
    assert refused_by(with_express(locals_of={"S1": "p1"}), AssignTrain("S1")) == "18CZ XI.2/28"


@pytest.mark.rule("18CZ XI.2/28")
@pytest.mark.parametrize("operating", ["kk", "Ug"])
def test_it_goes_to_the_company_that_operates_and_to_no_other_of_its_owner(operating: str) -> None:
    """The English printings say "a company", the Italian one says which (A63)."""
    owned = {"kk": (60, "p1"), "Ug": (60, "p1")}
    shares = {"kk": {"p1": 3}, "Ug": {"p1": 3}}
    game = with_express(started=owned, shares=shares, agenda=[OperateTrains(operating)])
    assert answers(game, AssignTrain) == [GIVE], "there is one way to give it"
    game.apply(GIVE)
    assert state_of(game).guest == operating


@pytest.mark.rule("18CZ XI.2/28")
def test_it_is_not_sold_brings_no_income_and_is_lost_with_the_first_4_plus_4() -> None:
    assert refused_by(with_express(), OfferForLocal("3E", 10)) == "18CZ XI.2/28"
    game = both(locals_of={"3E": "p1", "S1": "p2"}, trains=TRAINS, agenda=[Timetable(BOX[50])])
    assert cash_of(game, "p1") == 450
    assert cash_of(game, "p2") == 455
    game = buying_a_blue_train(locals_of={"3E": "p1"})
    game.apply(BuyTrain("g1", "4+4"))
    assert state_of(game).locals == {}
    game = with_express(phase="g", locals_of={})
    assert refused_by(game, GIVE) == "18CZ XI.2/28"


@pytest.mark.rule("18CZ XI.2/29")
def test_it_takes_no_place_of_the_train_limit() -> None:
    four = [(f"d{number}", "3") for number in (1, 2, 3, 4)]
    game = with_express(trains={"kk": four})
    game.apply(GIVE)
    assert asked(game).kind == "operate_trains", "nothing has to be returned"
    game = with_express(trains={"kk": four[:3]}, agenda=[PurchaseTrains("kk"), OperateTrains("kk")])
    game.apply(GIVE)
    game.apply(answers(game, RunTrains)[0])
    game.apply(Withhold())
    assert refused_by(game, BuyTrain("d2", "3")) == "allowed"


@pytest.mark.rule("18CZ XI.2/29")
def test_it_does_not_meet_the_duty_to_own_a_train() -> None:
    game = with_express(trains={}, agenda=[PurchaseTrains("kk"), OperateTrains("kk")])
    game.apply(GIVE)
    game.apply(answers(game, RunTrains)[0])
    assert state_of(game).revenue["kk"] == 30 + 20 + 30 + 100
    game.apply(Withhold())
    assert refused_by(game, Pass()) == "18CZ VIII.10/1"


@pytest.mark.rule("18CZ XI.2/30")
def test_it_leaves_out_towns_adds_bonuses_and_shares_track() -> None:
    """The 3 calls at home, in the town and in the city; the 3E runs over all of it and on to the other red tile."""
    game = with_express()
    whole = path(from_red_to_red(TOWN_10, CITY_20, TOWN_10))
    assert refused_by(game, running(("d1", whole[:3]), ("3E", whole))) == "18CZ XI.2/7", "it has not been given"
    game.apply(GIVE)
    assert refused_by(game, running(("d1", whole[:3]))) == "18CZ VIII.8/6", "it has to run"
    game.apply(running(("d1", whole[:3]), ("3E", whole)))
    assert state_of(game).revenue["kk"] == (30 + 10 + 20) + (30 + 20 + 30 + 50 + 50)
    game.apply(Withhold())
    assert cash_of(game, "kk") == 1000 + 240


@pytest.mark.rule("18CZ XI.2/30")
def test_own_trains_keep_off_each_others_track_as_ever() -> None:
    game = with_express(trains={"kk": [("d1", "3"), ("d3", "3")]})
    game.apply(GIVE)
    whole = path(from_red_to_red(TOWN_10, CITY_20, TOWN_10))
    both_trains = running(("d1", whole[:3]), ("d3", whole[:2]), ("3E", whole))
    assert refused_by(game, both_trains) == "18CZ VIII.7/17"


@pytest.mark.rule("18CZ XI.2/30")
def test_the_study_of_runs_knows_it() -> None:
    game = with_express()
    game.apply(GIVE)
    found = best_run(game, "kk")
    assert found.revenue == 240
    assert {route.face: route.revenue for route in found.routes} == {"3": 60, "3E": 180}


@pytest.mark.rule("18CZ XI.2/31")
@pytest.mark.parametrize("tiles", [from_red_to_red(TOWN_10, CITY_20, TOWN_10), {"E17": on("8895", "E", "SE")}])
def test_after_its_one_run_it_is_out_of_the_game(tiles: dict[str, tuple[str, int]]) -> None:
    """Even if there was nowhere to run."""
    game = with_express(tiles=tiles, agenda=[OperateTrains("kk"), OperateTrains("kk")])
    game.apply(GIVE)
    game.apply(answers(game, RunTrains)[0])
    if asked(game).kind == "use_income":
        game.apply(Withhold())
    assert asked(game).kind == "operate_trains"
    assert refused_by(game, GIVE) == "18CZ XI.2/28"
    (again,) = answers(game, RunTrains)
    assert isinstance(again, RunTrains)
    assert "3E" not in [run.card for run in again.runs]
    state = state_of(game)
    assert state.locals == {}
    assert "3E" not in [train.face for trains in (*state.trains.values(), state.pool) for train in trains]


# Local Railways, and the end of all papers


def buying_a_blue_train(**fields: Any) -> Game:
    return both(**{"trains": {"kk": [("e1", "4")]}, "agenda": [PurchaseTrains("kk")], **before("g"), **fields})


def with_locals(owner: str, **fields: Any) -> Game:
    """A turn of kk, whose line ends before a hill; all Local Railways belong to somebody."""
    return both(
        **{
            "phase": "d",
            "local_price": 60,
            "locals_of": dict.fromkeys(("S1", "M1", "L1"), owner),
            "trains": TRAINS,
            "tiles": row(RED["kk"], *[CITY_20] * 4),
            "stations": AT_HOME,
            "agenda": [LayTrack("kk", first=False)],
            **fields,
        }
    )


@pytest.mark.rule("18CZ XI.2/36")
@pytest.mark.parametrize("owner", ["p3", "kk"])
def test_local_railways_pay_as_ever(owner: str) -> None:
    game = with_locals(owner, agenda=[Timetable(BOX[60])])
    assert incomes(game) == {"income of S1": 5, "income of M1": 10, "income of L1": 20}
    assert cash_of(game, owner) == {"p3": 450, "kk": 1000}[owner] + 35


@pytest.mark.rule("18CZ XI.2/36")
def test_every_company_may_buy_each_of_them() -> None:
    game = with_locals("p2")
    for local, price in (("S1", 1), ("M1", 30), ("L1", 60)):
        game.apply(OfferForLocal(local, price))
        game.apply(Accept(), "p2")
    assert set(state_of(game).locals.values()) == {"kk"}
    assert (cash_of(game, "kk"), cash_of(game, "p2")) == (909, 541)
    assert refused_by(with_locals("p2"), OfferForLocal("L1", 61)) == "18CZ IV.1/8"


@pytest.mark.rule("18CZ XI.2/36")
def test_companies_use_their_powers() -> None:
    game = with_locals("kk")
    assert refused_by(game, lay("E27", "7", "W", "SW", waiver="S1")) == "18CZ IV.1/21"
    game.apply(purple("S1", "E19", "14p", "W", "NW", "E", "SE"))
    assert refused_by(game, LayPurpleTile("S1", "E21", "15p", 0)) == "18CZ IV.1/15"
    game.apply(lay("E27", "7", "W", "SW", waiver="M1"))
    assert cash_of(game, "kk") == 1000
    assert state_of(game).used_powers == ("S1", "M1")
    assert refused_by(with_locals("p1"), lay("E27", "7", "W", "SW", waiver="M1")) == "18CZ IV.1/17"


@pytest.mark.rule("18CZ XI.2/36")
def test_companies_sell_them_to_the_bank() -> None:
    game = with_locals("kk")
    game.apply(SellLocal("M1"))
    assert cash_of(game, "kk") == 1060
    assert set(state_of(game).locals) == {"S1", "L1"}
    assert refused_by(with_locals("p1"), SellLocal("M1")) == "18CZ IV.1/24"


@pytest.mark.rule("18CZ XI.2/11", "18CZ XI.2/28", "18CZ XI.2/35", "18CZ XI.2/36")
@pytest.mark.parametrize("how", ["bought", "exported"])
def test_the_first_4_plus_4_closes_all_papers_whoever_has_them(how: str) -> None:
    game = buying_a_blue_train(
        locals_of={"3E": "p1", "MW": "p3", "S1": "p2", "M1": "kk", "L1": "Ug"},
        used_powers=("M1",),
        tiles={"F22": on(CITY_30, *CROSSING)},
        stations={"F22.0": ["MW", "Ug"]},
        agenda=[Timetable(BOX[65] + 1), PurchaseTrains("kk")],
    )
    if how == "bought":
        assert set(state_of(game).locals) == PAPERS
        game.apply(BuyTrain("g1", "4+4"))
        assert asked(game).kind == "purchase_trains"
    else:
        game.apply(Pass())
        assert isinstance(asked(game).task, StockRound)
    state = state_of(game)
    assert (state.phase, dict(state.locals), state.used_powers) == ("g", {}, ())
    assert dict(state.board.stations) == {"F22.0": ("Ug",)}
    while not isinstance(asked(game).task, StockRound):
        game.apply(idle(game))
    all_pass(game)
    assert state_of(game).round == "OR 4.1"
    assert incomes(game) == {}
    assert asked(game).kind != "build_home"


@pytest.mark.rule("18CZ XI.2/35", "18CZ XI.2/11")
def test_a_station_that_was_bought_with_mw_outlives_the_papers() -> None:
    game = buying_a_blue_train(
        locals_of={"MW": "p1"},
        tiles={"F22": on(CITY_20, "W", "E")},
        stations={"F22.0": ["MW"]},
        agenda=[PurchaseTrains("kk")],
    )
    game.apply(OfferForLocal("MW", 10))
    game.apply(BuyTrain("g1", "4+4"))
    assert dict(state_of(game).board.stations) == {"F22.0": ("kk",)}


@pytest.mark.rule("18CZ XI.2/2")
@pytest.mark.parametrize("paper", ["3E", "MW", "L1"])
def test_every_paper_is_a_certificate(paper: str) -> None:
    """p1 holds six of kk and six of Ug."""
    held = {"kk": {"p1": 5}, "Ug": {"p1": 5}}
    started = {"kk": (60, "p1"), "Ug": (60, "p1"), "Sx": (60, "p2")}
    for owner, rule in (("p2", "allowed"), ("p1", "18CZ VII.4/1")):
        game = both(started=started, shares=held, locals_of={paper: owner}, agenda=[stock_round("p1")])
        assert refused_by(game, BuyShare("Sx")) == rule


@pytest.mark.rule("18CZ X.2/2")
def test_in_the_end_mw_counts_like_a_local_railway_and_the_3e_nothing() -> None:
    game = both(started={}, shares={}, locals_of={"3E": "p1", "MW": "p2", "S1": "p3"}, local_price=120)
    assert game.over
    assert table_of(game).standings() == {"p1": 450, "p2": 570, "p3": 570}
