"""The Mährische Westbahn, a private paper of Moravia-Silesia with a station and a building right (18CZ XI.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Pass, Span
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import (
    LayTile,
    OfferForLocal,
    OpenAuction,
    PlaceStation,
)
from ostbahn.titles.cz.state import (
    BuildHome,
    EstablishStation,
    LayTrack,
    Markers,
    StockRound,
    Timetable,
)
from tests.titles.cz.asking import asked
from tests.titles.cz.building import lay, lays, on
from tests.titles.cz.lines import CITY_20, CITY_30
from tests.titles.cz.looking import all_pass, cash_of, refused_by
from tests.titles.cz.moravian import (
    AT_HOME,
    BOX,
    HOME_AND_CITIES,
    both,
    fresh,
    incomes,
)
from tests.titles.cz.scenes import state_of

TRAINS = {"kk": [("a1", "2")], "Ug": [("a2", "2")]}
CROSSING = ("SW", "W", "NE", "E")


def stations_of(game: Game) -> dict[str, tuple[str, ...]]:
    return dict(state_of(game).board.stations)


def round_begins(box: int = BOX[60], **fields: Any) -> Game:
    """An Operating Round begins, in which MW belongs to p3."""
    return both(**{"phase": "d", "locals_of": {"MW": "p3"}, "trains": TRAINS, "agenda": [Timetable(box)], **fields})


def at_prerov(tile: str = CITY_20, *sides: str, **fields: Any) -> dict[str, Any]:
    """MW's station on a tile in Přerov; kk is at home in the row to the north of it."""
    tiles = {"F22": on(tile, *(sides or ("W", "E")))}
    return {**fields, "tiles": {**HOME_AND_CITIES, **tiles}, "stations": {**AT_HOME, "F22.0": ["MW"]}}


@pytest.mark.rule("18CZ XI.2/32")
def test_whoever_buys_mw_puts_its_only_station_on_its_home_hex() -> None:
    game = fresh()
    game.apply(OpenAuction("MW", 80))
    game.apply(Pass())
    assert stations_of(game) == {}
    game.apply(Pass())
    assert stations_of(game) == {"F22.0": ("MW",)}
    for paper in ("3E", "S1", "M1", "L1"):
        game.apply(OpenAuction(paper, 80))
        game.apply(Pass())
        game.apply(Pass())
    assert stations_of(game) == {"F22.0": ("MW",)}
    assert "MW" not in state_of(game).certificates
    assert "MW" not in state_of(game).markers


@pytest.mark.rule("18CZ XI.2/33")
def test_its_owner_may_lay_and_promote_its_home_tile_free_of_charge() -> None:
    game = round_begins(phase="a", stations={"F22.0": ["MW"]})
    assert (asked(game).task, asked(game).decider) == (BuildHome(), "p3")
    assert {tile for _, tile, _ in lays(game)} == {"5", "6", CITY_20}
    cash = dict(state_of(game).cash)
    game.apply(lay("F22", "6", "SW", "NW"))
    assert state_of(game).board.tiles["F22"] == on("6", "SW", "NW")
    assert all(state_of(game).cash[who] == cash[who] for who in ("p1", "p2", "kk", "Ug"))
    game = round_begins(phase="d", **at_prerov())
    assert {hex_id for hex_id, _, _ in lays(game)} == {"F22"}
    game.apply(lay("F22", CITY_30, *CROSSING))
    assert stations_of(game)["F22.0"] == ("MW",)


@pytest.mark.rule("18CZ XI.2/33")
def test_it_builds_at_home_only_with_tiles_that_are_open_and_left() -> None:
    game = round_begins(phase="a", **at_prerov())
    assert refused_by(game, lay("F22", CITY_30, *CROSSING)) == "18CZ XI.2/13"
    assert not lays(game)
    game = round_begins(phase="d", **at_prerov())
    assert refused_by(game, lay("E21", CITY_30, *CROSSING)) == "18CZ XI.2/33"
    assert refused_by(game, lay("F22", "14p", "W", "NW", "E", "SE")) == "18CZ VIII.5/5"
    assert refused_by(game, lay("F22", CITY_30, *CROSSING), "p1") == "18CZ XI.2/33"
    supply = {**state_of(game).supply, CITY_30: 0}
    game = round_begins(phase="d", supply=supply, **at_prerov())
    assert refused_by(game, lay("F22", CITY_30, *CROSSING)) == "18CZ II/3"


@pytest.mark.rule("18CZ XI.2/33")
def test_that_is_no_companys_building() -> None:
    game = round_begins(phase="d", **at_prerov())
    game.apply(lay("F22", CITY_30, *CROSSING))
    assert isinstance(asked(game).task, LayTrack)
    game.apply(lay("E21", CITY_30, *CROSSING))
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ XI.2/33")
def test_it_may_build_in_each_operating_round_and_leave_it() -> None:
    game = round_begins(box=BOX[60], phase="a", started={}, shares={}, cash={}, trains={}, stations={"F22.0": ["MW"]})
    for round_ in ("OR 3.1", "OR 3.2"):
        assert (state_of(game).round, asked(game).kind) == (round_, "build_home")
        game.apply(Pass())
    assert isinstance(asked(game).task, StockRound)
    all_pass(game)
    assert (state_of(game).round, asked(game).kind) == ("OR 4.1", "build_home")
    assert asked(round_begins(locals_of={"S1": "p3"})).kind != "build_home", "without MW nobody is asked"


@pytest.mark.rule("18CZ XI.2/33")
def test_it_builds_before_the_papers_pay() -> None:
    game = round_begins(phase="a", locals_of={"MW": "p3", "S1": "p1"}, stations={"F22.0": ["MW"]})
    assert isinstance(asked(game).task, BuildHome)
    assert incomes(game) == {}
    game.apply(lay("F22", CITY_20, "W", "E"))
    assert incomes(game) == {"income of S1": 5, "income of MW": 20}


@pytest.mark.rule("18CZ XI.2/34")
@pytest.mark.parametrize(
    ("there", "answer", "income"),
    [
        ((), Pass(), 0),
        ((), lay("F22", CITY_20, "W", "E"), 20),
        ((CITY_20, "W", "E"), Pass(), 20),
        ((CITY_20, "W", "E"), lay("F22", CITY_30, *CROSSING), 30),
        ((CITY_30, *CROSSING), Pass(), 30),
    ],
)
def test_its_income_is_what_its_city_is_then_worth(there: tuple[str, ...], answer: LayTile | Pass, income: int) -> None:
    fields = at_prerov(*there) if there else {"stations": {"F22.0": ["MW"]}}
    game = round_begins(phase="d", **fields)
    assert cash_of(game, "p3") == 450
    game.apply(answer)
    assert cash_of(game, "p3") == 450 + income


def offer_for_westbahn(**fields: Any) -> Game:
    """kk may buy MW from its own Director in the Operating Round of 60."""
    given = {"phase": "d", "locals_of": {"MW": "p1"}, "local_price": 60, "trains": TRAINS}
    return both(**{**given, "agenda": [LayTrack("kk", first=False)], **at_prerov(), **fields})


@pytest.mark.rule("18CZ XI.2/35")
def test_a_company_pays_from_1_to_the_price_of_local_railways() -> None:
    game = offer_for_westbahn()
    (option,) = asked(game).only(OfferForLocal)
    assert option.span == Span(1, 60)
    assert refused_by(game, OfferForLocal("MW", 0)) == refused_by(game, OfferForLocal("MW", 61)) == "18CZ XI.2/35"
    assert refused_by(offer_for_westbahn(phase="a"), OfferForLocal("MW", 60)) == "18CZ XI.2/9"
    game.apply(OfferForLocal("MW", 60))
    assert (cash_of(game, "kk"), cash_of(game, "p1")) == (940, 510)


@pytest.mark.rule("18CZ XI.2/35")
def test_its_owner_decides_whether_to_sell() -> None:
    game = offer_for_westbahn(locals_of={"MW": "p2"})
    game.apply(OfferForLocal("MW", 30))
    assert (asked(game).kind, asked(game).decider) == ("consent", "p2")
    assert stations_of(game)["F22.0"] == ("MW",)
    game.apply(Accept())
    assert stations_of(game)["F22.0"] == ("kk",)


@pytest.mark.rule("18CZ XI.2/35", "18CZ XI.2/5")
def test_its_station_becomes_one_more_of_the_buyers() -> None:
    game = offer_for_westbahn(agenda=[EstablishStation("kk"), EstablishStation("kk")])
    game.apply(OfferForLocal("MW", 60))
    assert state_of(game).locals == {}, "it is closed"
    assert stations_of(game) == {"E17.0": ("kk",), "F22.0": ("kk",)}
    assert state_of(game).markers["kk"] == Markers(own=2, taken=0)
    game.apply(PlaceStation("E19.0"))
    game.apply(PlaceStation("E21.0"))
    assert cash_of(game, "kk") == 1000 - 60 - 40 - 100
    assert asked(round_begins(locals_of={}, **at_prerov())).kind != "build_home"


@pytest.mark.rule("18CZ XI.2/35")
def test_with_its_station_the_buyer_builds_and_runs_from_prerov() -> None:
    game = offer_for_westbahn()
    assert refused_by(game, lay("F24", "9", "W", "E")) == "18CZ VIII.4/8"
    game.apply(OfferForLocal("MW", 60))
    assert lay("F24", "9", "W", "E") in asked(game)


@pytest.mark.rule("18CZ XI.2/35")
def test_a_buyer_that_is_there_already_gets_one_more_marker_instead() -> None:
    there = at_prerov(CITY_30, *CROSSING)
    there["stations"] = {**AT_HOME, "F22.0": ["MW", "kk"]}
    game = offer_for_westbahn(**there, agenda=[EstablishStation("kk"), EstablishStation("kk")])
    assert state_of(game).markers["kk"] == Markers(own=1, taken=0)
    game.apply(OfferForLocal("MW", 60))
    assert stations_of(game) == {"E17.0": ("kk",), "F22.0": ("kk",)}
    assert state_of(game).markers["kk"] == Markers(own=1, taken=1)
    game.apply(PlaceStation("E19.0"))
    game.apply(PlaceStation("E21.0"))
    assert cash_of(game, "kk") == 1000 - 60 - 100 - 100
    assert state_of(game).markers["kk"] == Markers(own=0, taken=0)
