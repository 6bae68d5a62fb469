"""Acquisition of a smaller company (18CZ VIII.9); its trains are in test_acquisition_trains.py."""

from __future__ import annotations

import pytest

from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Span
from ostbahn.titles.cz.actions import (
    BuyShare,
    ChooseReturn,
    LayTile,
    OfferAcquisition,
    PayOut,
    PlaceStation,
    RunTrains,
    StartCompany,
    TrainRun,
)
from ostbahn.titles.cz.state import (
    Acquire,
    EndTurn,
    EstablishStation,
    LayTrack,
    Markers,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    UseIncome,
)
from tests.titles.cz.lines import CITY_20, CITY_30, line, turned
from tests.titles.cz.scenes import state_of, stock_round, table_of
from tests.titles.cz.takeovers import asked, buying, cash_of, finish, rule_against, take_over

# Who may take over whom, and when


@pytest.mark.rule("18CZ VIII.9/1")
@pytest.mark.parametrize(
    ("buyer", "target", "price", "rule"),
    [
        ("BN", "EKJ", 60, "allowed"),
        ("kk", "EKJ", 60, "allowed"),
        ("kk", "BN", 70, "allowed"),
        ("BN", "NWB", 70, "18CZ VIII.9/1"),
        ("BN", "kk", 100, "18CZ VIII.9/1"),
        ("EKJ", "OFE", 60, "18CZ VIII.9/1"),
        ("EKJ", "BN", 70, "18CZ VIII.9/1"),
        ("kk", "Ug", 100, "18CZ VIII.9/1"),
    ],
)
def test_larger_companies_take_over_smaller_ones(buyer: str, target: str, price: int, rule: str) -> None:
    game = buying(buyer, target)
    assert rule_against(game, OfferAcquisition(target, price)) == rule
    assert bool(asked(game).only(OfferAcquisition, company=target)) is (rule == "allowed")


@pytest.mark.rule("18CZ VIII.9/1")
def test_a_company_does_not_take_over_itself() -> None:
    assert rule_against(buying(), OfferAcquisition("BN", 70)) == "18CZ VIII.9/1"


@pytest.mark.rule("18CZ VIII.9/1")
def test_only_a_floated_company_is_taken_over() -> None:
    game = buying("kk", "BN", shares={})
    assert "BN" not in state_of(game).floated
    assert rule_against(game, OfferAcquisition("BN", 70)) == "18CZ VIII.9/1"
    assert not asked(game).only(OfferAcquisition)


@pytest.mark.rule("18CZ VIII.9/1")
def test_take_overs_come_between_income_and_trains() -> None:
    game = buying(agenda=[PurchaseTrains("BN"), Acquire("BN"), UseIncome("BN", 50)])
    offer = OfferAcquisition("EKJ", 60)
    assert rule_against(game, offer) == "18CZ VIII.3/1"
    game.apply(PayOut())
    assert rule_against(game, offer) == "allowed"
    game.apply(Pass())
    assert asked(game).kind == "purchase_trains"
    assert rule_against(game, offer) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.9/1")
def test_a_company_takes_over_as_many_as_it_likes() -> None:
    game = buying("kk", "EKJ", others=["OFE", "NWB"], shares={})
    for target, price in (("EKJ", 60), ("OFE", 60), ("NWB", 70)):
        take_over(game, target, price)
        assert asked(game).kind == "acquire"
    assert state_of(game).closed == ("EKJ", "OFE", "NWB")
    assert cash_of(game, "kk") == [1000 - 120 - 120 - 210]


@pytest.mark.rule("18CZ VIII.9/2")
def test_the_other_director_is_asked() -> None:
    game = buying(target_cash=30)
    before = state_of(game)
    game.apply(OfferAcquisition("EKJ", 60))
    assert asked(game).decider == "p2"
    assert rule_against(game, Accept(), by="p1") == "18CZ VIII.9/2"
    assert rule_against(game, OfferAcquisition("EKJ", 61)) == "18CZ VIII.9/2"
    assert state_of(game).cash == before.cash
    game.apply(Accept(), by="p2")
    assert state_of(game).closed == ("EKJ",)


@pytest.mark.rule("18CZ VIII.9/2")
def test_a_declined_offer_changes_nothing() -> None:
    game = buying(target_cash=30, trains={"EKJ": [("a1", "2")]}, locals_of={"S1": "EKJ"}, stations={"D4.0": ["EKJ"]})
    before = state_of(game)
    game.apply(OfferAcquisition("EKJ", 60))
    game.apply(Decline())
    after = state_of(game)
    for field in ("cash", "certificates", "chart", "floated", "board", "markers", "trains", "pool", "locals", "closed"):
        assert getattr(after, field) == getattr(before, field), field
    assert asked(game).decider == "p1"
    assert asked(game).kind == "acquire"


@pytest.mark.rule("18CZ VIII.9/2")
def test_after_a_refusal_only_a_better_offer_is_heard() -> None:
    game = buying()
    game.apply(OfferAcquisition("EKJ", 60))
    game.apply(Decline())
    assert rule_against(game, OfferAcquisition("EKJ", 60)) == "18CZ VIII.9/2"
    assert rule_against(game, OfferAcquisition("EKJ", 59)) == "18CZ VIII.9/2"
    assert rule_against(game, OfferAcquisition("EKJ", 61)) == "allowed"
    (option,) = asked(game).only(OfferAcquisition)
    assert option.span == Span(61, 90)


@pytest.mark.rule("18CZ VIII.9/2")
def test_in_the_next_turn_a_declined_offer_may_be_made_again() -> None:
    game = buying(agenda=[EndTurn("BN"), Acquire("BN")] * 2)
    game.apply(OfferAcquisition("EKJ", 60))
    game.apply(Decline())
    game.apply(Pass())
    assert rule_against(game, OfferAcquisition("EKJ", 30)) == "allowed"


@pytest.mark.rule("18CZ VIII.9/2")
@pytest.mark.parametrize(
    ("directors", "rulings"),
    [({"EKJ": "p1"}, {}), ({}, {"consent": "taken for granted"})],
    ids=["one player", "ruling"],
)
def test_one_answer_is_enough_where_nobody_else_must_agree(directors: dict[str, str], rulings: dict[str, str]) -> None:
    game = buying(directors=directors, rulings=rulings)
    game.apply(OfferAcquisition("EKJ", 60))
    assert state_of(game).closed == ("EKJ",)


@pytest.mark.rule("18CZ VIII.9/3")
def test_one_take_over_is_finished_before_the_next() -> None:
    game = buying(
        others=["OFE"],
        tiles={"E11": ("8891", 1)},
        stations={"E11.1": ["BN"], "E11.2": ["EKJ"]},
        trains={"EKJ": [("a1", "2")]},
    )
    offer = OfferAcquisition("OFE", 60)
    game.apply(OfferAcquisition("EKJ", 60))
    assert rule_against(game, offer) == "18CZ VIII.9/2"
    game.apply(Accept())
    assert asked(game).kind == "return_station"
    assert rule_against(game, offer) == "18CZ VIII.3/1"
    game.apply(ChooseReturn("E11.2"))
    assert asked(game).kind == "settle_trains"
    assert rule_against(game, offer) == "18CZ VIII.9/16"
    game.apply(Pass())
    assert rule_against(game, offer) == "allowed"


# The price


@pytest.mark.rule("18CZ VIII.9/4")
@pytest.mark.parametrize(("price", "low", "high"), [(60, 30, 90), (53, 27, 79), (75, 38, 112), (40, 20, 60)])
def test_the_price_is_half_to_one_and_a_half_times_the_current_one(price: int, low: int, high: int) -> None:
    game = buying(price=price)
    rules = [rule_against(game, OfferAcquisition("EKJ", offer)) for offer in (low - 1, low, high, high + 1)]
    assert rules == ["18CZ VIII.9/4", "allowed", "allowed", "18CZ VIII.9/4"]
    (option,) = asked(game).only(OfferAcquisition)
    assert option.span == Span(low, high)


@pytest.mark.rule("18CZ VIII.9/4")
def test_the_larger_companys_director_names_the_price() -> None:
    game = buying()
    assert asked(game).decider == "p1"
    assert rule_against(game, OfferAcquisition("EKJ", 60), by="p2") == "18CZ V/6"


@pytest.mark.rule("18CZ VIII.9/5")
def test_every_share_of_a_player_is_paid_from_the_treasury() -> None:
    game = buying(shares={"p2": 1, "p3": 1}, cash=300)
    before = cash_of(game, "p2", "p3", "p1")
    take_over(game, price=60)
    assert cash_of(game, "p2", "p3", "p1") == [before[0] + 180, before[1] + 60, before[2]]
    assert cash_of(game, "BN") == [60]


@pytest.mark.rule("18CZ VIII.9/5")
def test_the_directors_certificate_of_a_medium_company_is_two_shares() -> None:
    game = buying("kk", "BN", shares={"p2": 1, "p3": 1})
    before = cash_of(game, "p2", "p3")
    take_over(game, "BN", 35)
    assert cash_of(game, "p2", "p3") == [before[0] + 3 * 35, before[1] + 35]


@pytest.mark.rule("18CZ VIII.9/6")
def test_shares_in_the_bank_are_not_paid() -> None:
    game = buying(shares={"p3": 1}, cash=180)
    bank = cash_of(game, "bank")
    take_over(game, price=60)
    assert cash_of(game, "BN") == [0]
    assert cash_of(game, "bank") == bank


@pytest.mark.rule("18CZ VIII.9/7")
def test_the_targets_money_does_not_help_to_pay() -> None:
    game = buying(shares={"p3": 1}, cash=179, target_cash=300)
    assert rule_against(game, OfferAcquisition("EKJ", 60)) == "18CZ VIII.9/7"
    assert rule_against(game, OfferAcquisition("EKJ", 59)) == "allowed"
    (option,) = asked(game).only(OfferAcquisition)
    assert option.span == Span(30, 59)


@pytest.mark.rule("18CZ VIII.9/7")
def test_nobody_else_helps_to_pay_either() -> None:
    game = buying(cash=59)
    assert rule_against(game, OfferAcquisition("EKJ", 30)) == "18CZ VIII.9/7"
    assert not asked(game).only(OfferAcquisition)


# What comes along


@pytest.mark.rule("18CZ VIII.9/8")
def test_treasury_and_local_railways_come_along() -> None:
    owners = {"S1": "EKJ", "S2": "EKJ", "S3": "p2", "M1": "BN"}
    game = buying(cash=200, target_cash=300, locals_of=owners)
    take_over(game, price=60)
    assert cash_of(game, "BN", "EKJ") == [200 - 120 + 300, 0]
    assert state_of(game).locals == {"S1": "BN", "S2": "BN", "S3": "p2", "M1": "BN"}


@pytest.mark.rule("18CZ VIII.9/8")
def test_a_used_power_stays_used() -> None:
    game = buying(locals_of={"S1": "EKJ"}, used_powers=("S1",))
    take_over(game)
    assert state_of(game).used_powers == ("S1",)


THREE_CITIES = line("G3", CITY_20, CITY_20, CITY_20)
END_TO_END = ("G3.0", "G5.0", "G7.0")


def taken_in_the_middle(after: OperateTrains) -> Game:
    """BN takes over EKJ, which has the only station in G5; then somebody runs trains."""
    game = buying(
        others=["MW"],
        tiles=THREE_CITIES,
        stations={"G5.0": ["EKJ"], "G3.0": ["MW"]},
        trains={"BN": [("d1", "3+3")], "MW": [("c1", "3")]},
        agenda=[after, Acquire("BN")],
        rulings={"highest_revenue": "not demanded"},
    )
    take_over(game)
    finish(game)
    return game


@pytest.mark.rule("18CZ VIII.9/9")
def test_the_stations_serve_the_larger_company() -> None:
    game = taken_in_the_middle(OperateTrains("BN"))
    assert state_of(game).board.stations == {"G5.0": ("BN",), "G3.0": ("MW",)}
    game.apply(RunTrains((TrainRun("d1", END_TO_END),)))
    assert state_of(game).revenue["BN"] == 60


@pytest.mark.rule("18CZ VIII.9/9")
def test_the_stations_still_close_cities_to_others() -> None:
    game = taken_in_the_middle(OperateTrains("MW"))
    assert rule_against(game, RunTrains((TrainRun("c1", END_TO_END),))) == "18CZ VIII.6/2"
    assert rule_against(game, RunTrains((TrainRun("c1", END_TO_END[:2]),))) == "allowed"


CITIES = line("G3", *[CITY_20] * 8)


def station_prices(game: Game, cities: list[str]) -> list[int]:
    """What the company pays for one station after the other."""
    paid = []
    for city in cities:
        before = cash_of(game, "BN")[0]
        game.apply(PlaceStation(city))
        paid.append(before - cash_of(game, "BN")[0])
    return paid


@pytest.mark.rule("18CZ VIII.9/10")
def test_unplaced_markers_come_along_for_100() -> None:
    game = buying(
        tiles=CITIES,
        stations={"G3.0": ["BN"], "G5.0": ["EKJ"]},
        agenda=[*[EstablishStation("BN")] * 5, Acquire("BN")],
    )
    take_over(game)
    finish(game)
    assert station_prices(game, ["G7.0", "G9.0", "G11.0", "G13.0"]) == [100] * 4  # two of BN, two of EKJ
    assert rule_against(game, PlaceStation("G15.0")) == "18CZ VIII.6/4"


@pytest.mark.rule("18CZ VIII.9/10")
@pytest.mark.parametrize(
    ("ruling", "first"), [("by stations on the map", 40), ("always 100", 100)], ids=["default", "18xx.games"]
)
def test_a_company_that_never_operated_brings_all_its_markers(ruling: str, first: int) -> None:
    game = buying(
        tiles=CITIES,
        stations={"G3.0": ["BN"]},
        agenda=[*[EstablishStation("BN")] * 6, Acquire("BN")],
        rulings={"marker_price_after_acquisition": ruling},
    )
    take_over(game)
    finish(game)
    five = ["G5.0", "G7.0", "G9.0", "G11.0", "G13.0"]
    assert station_prices(game, five) == [first, 100, 100, 100, 100]  # two of BN, three of EKJ
    assert rule_against(game, PlaceStation("G15.0")) == "18CZ VIII.6/4"


@pytest.mark.rule("18CZ VIII.9/10")
def test_markers_that_a_company_took_over_itself_come_along_too() -> None:
    """BN takes EKJ, then kk takes OFE and BN: all have their three markers, and kk two of its own."""
    game = buying("kk", "BN", others=["EKJ", "OFE"], target_cash=500, agenda=[Acquire("kk"), Acquire("BN")])
    take_over(game, "EKJ")
    game.apply(Pass())
    take_over(game, "OFE")
    take_over(game, "BN", 70)
    assert state_of(game).markers == {"kk": Markers(own=2, taken=9)}


@pytest.mark.rule("18CZ VIII.9/10")
def test_the_home_of_a_company_that_never_operated_is_free_for_others() -> None:
    game = buying(
        tiles=line("D2", CITY_20, CITY_20),
        stations={"D2.0": ["BN"]},
        agenda=[EstablishStation("BN"), Acquire("BN"), EstablishStation("BN")],
    )
    assert rule_against(game, PlaceStation("D4.0")) == "18CZ VIII.6/8"
    game.apply(Pass())
    take_over(game)
    finish(game)
    assert rule_against(game, PlaceStation("D4.0")) == "allowed"


PRAHA_AND_G = {"E11": ("8891", 1), **CITIES}


@pytest.mark.rule("18CZ VIII.9/11")
@pytest.mark.parametrize(("back", "stays"), [("E11.1", "E11.2"), ("E11.2", "E11.1")])
def test_of_two_stations_in_one_hex_one_goes_back(back: str, stays: str) -> None:
    game = buying(
        tiles=PRAHA_AND_G,
        stations={"E11.1": ["BN"], "G3.0": ["BN"], "E11.2": ["EKJ"]},
        agenda=[*[EstablishStation("BN")] * 5, Acquire("BN")],
    )
    take_over(game)
    assert asked(game).decider == "p1"
    assert {option.action for option in asked(game)} == {ChooseReturn("E11.1"), ChooseReturn("E11.2")}
    assert rule_against(game, ChooseReturn("G3.0")) == "18CZ VIII.9/11"
    game.apply(ChooseReturn(back))
    finish(game)
    assert state_of(game).board.stations == {stays: ("BN",), "G3.0": ("BN",)}
    # One marker of BN, two of EKJ and the one that came back.
    assert station_prices(game, ["G5.0", "G7.0", "G9.0", "G11.0"]) == [100] * 4
    assert rule_against(game, PlaceStation("G13.0")) == "18CZ VIII.6/4"


@pytest.mark.rule("18CZ VIII.9/11", "18CZ VIII.9/17")
@pytest.mark.parametrize(("back", "stays"), [("E11.1", "E11.2"), ("E11.2", "E11.1")])
def test_by_ruling_the_company_closes_only_when_no_hex_has_two_stations(back: str, stays: str) -> None:
    game = buying(
        tiles=PRAHA_AND_G,
        stations={"E11.1": ["BN"], "G3.0": ["BN"], "E11.2": ["EKJ"]},
        rulings={"closing_of_an_acquired_company": "when no hex has two stations"},
        trains={"EKJ": [("d1", "3")]},
        target_cash=30,
    )
    take_over(game)
    state = state_of(game)
    assert asked(game).kind == "join_stations"
    assert (state.closed, state.board.stations["E11.2"]) == ((), ("EKJ",))
    assert (state.cash["EKJ"], state.trains.get("EKJ", ())) == (0, ())
    assert rule_against(game, ChooseReturn("G3.0")) == "18CZ VIII.9/11"
    game.apply(ChooseReturn(back))
    state = state_of(game)
    assert state.closed == ("EKJ",)
    assert state.board.stations == {stays: ("BN",), "G3.0": ("BN",)}
    assert sum(state.markers["BN"]) == 1 + 2 + 1
    assert asked(game).kind == "settle_trains"


@pytest.mark.rule("18CZ VIII.9/11")
def test_of_two_stations_in_one_city_one_goes_back_unasked() -> None:
    game = buying(
        tiles=line("G3", CITY_30, *[CITY_20] * 7),
        stations={"G3.0": ["EKJ", "BN"], "G5.0": ["EKJ"]},
        agenda=[*[EstablishStation("BN")] * 5, Acquire("BN")],
    )
    take_over(game)
    finish(game)
    assert state_of(game).board.stations == {"G3.0": ("BN",), "G5.0": ("BN",)}
    # Two markers of BN, one of EKJ and the one that came back.
    assert station_prices(game, ["G7.0", "G9.0", "G11.0", "G13.0"]) == [100] * 4
    assert rule_against(game, PlaceStation("G15.0")) == "18CZ VIII.6/4"


@pytest.mark.rule("18CZ VIII.9/9", "18CZ VIII.9/11")
def test_a_station_on_the_bare_oo_hex_moves_into_a_city_with_its_tile() -> None:
    game = buying("kk", "ATE", stations={"B8": ["ATE"]}, agenda=[LayTrack("kk", False), Acquire("kk")])
    take_over(game, "ATE", 70)
    finish(game)
    markers = state_of(game).markers["kk"]
    game.apply(LayTile("B8", *turned("8885", "SW", "NW")))
    assert asked(game).kind == "home_city"
    assert asked(game).decider == "p1"
    game.apply(asked(game).options[0].action)
    assert state_of(game).board.stations_of("kk") == ["B8.0"]
    assert state_of(game).markers["kk"] == markers


# What becomes of the smaller company


@pytest.mark.rule("18CZ VIII.9/17")
def test_marker_and_certificates_leave_the_game() -> None:
    game = buying(shares={"p2": 1, "p3": 1}, others=["OFE"], agenda=[stock_round("p3"), Acquire("BN")])
    assert [money.count_certificates(table_of(game), player) for player in ("p2", "p3")] == [3, 1]
    take_over(game)
    finish(game)
    assert [money.count_certificates(table_of(game), player) for player in ("p2", "p3")] == [1, 0]
    assert chart.position(table_of(game), "EKJ") is None
    assert chart.price(table_of(game), "OFE") == 60
    assert "EKJ" not in state_of(game).floated
    assert rule_against(game, BuyShare("EKJ")) == "18CZ VIII.9/17"
    assert rule_against(game, StartCompany("EKJ", 60)) == "18CZ VIII.9/17"
    assert not asked(game).only(company="EKJ")


@pytest.mark.rule("18CZ VIII.9/17")
def test_a_company_that_is_gone_is_not_taken_over_again() -> None:
    game = buying()
    take_over(game)
    assert rule_against(game, OfferAcquisition("EKJ", 60)) == "18CZ VIII.9/17"


@pytest.mark.rule("18CZ VIII.9/18")
@pytest.mark.parametrize("stations", [{}, {"J14.0": ["kk"], "D4.0": ["EKJ"]}], ids=["no station", "far apart"])
def test_no_connection_is_needed(stations: dict[str, list[str]]) -> None:
    tiles = {"J14": ("8895", 0), "D4": turned(CITY_20, "W", "E")}
    game = buying("kk", "EKJ", tiles=tiles, stations=stations)
    take_over(game)
    assert state_of(game).closed == ("EKJ",)


@pytest.mark.rule("18CZ VIII.9/19")
def test_the_target_has_no_turn_any_more() -> None:
    agenda = [OperatingRound(("EKJ", "OFE")), EndTurn("BN"), Acquire("BN")]
    undisturbed = buying(others=["OFE"], agenda=agenda)
    undisturbed.apply(Pass())
    assert asked(undisturbed).company == "EKJ"
    game = buying(others=["OFE"], agenda=agenda)
    take_over(game)
    finish(game)
    assert asked(game).company == "OFE"
