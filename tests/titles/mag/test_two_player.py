"""18Mag for two players (18Mag X)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import (
    BuyCar,
    BuyShare,
    BuyTrain,
    Car,
    DraftMinor,
    DraftShare,
    PayDividend,
)
from ostbahn.titles.mag.state import (
    EndTurn,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PurchaseTrains,
    Rounds,
    StockRound,
)
from ostbahn.titles.mag.title import mag_title
from ostbahn.titles.mag.two_player import two_player_title
from tests.titles.mag.run_scenes import (
    CITY_20,
    TOWN_10,
    best_income,
    gains,
    in_set,
    play_to,
    price_of,
    question_of,
    refusal_rule,
    rounds_of,
    turned,
)
from tests.titles.mag.scenes import scene, state_of

TITLE = two_player_title()
MINORS = ("1", "2", "3", "4", "6", "7", "11")
MAJORS = {"LdStEG", "SIK", "SzKÉV", "RÁBA"}


def fresh(seed: int = 1) -> Game:
    return new_game("18Mag", ["Ada", "Ben"], variant="two_player", seed=seed, draw_order=False)


def for_two(**fields: Any) -> Game:
    return scene(variant="two_player", players=2, **fields)


def buying(*, cash: int = 1000, **fields: Any) -> Game:
    return for_two(agenda=[PurchaseTrains("1")], trains={"1": []}, cash={"1": cash}, **fields)


# What there is


@pytest.mark.rule("18Mag X/1")
def test_two_play_on_the_smaller_map() -> None:
    game = fresh()
    assert state_of(game).players == ("p1", "p2")
    hexes = set(TITLE.map.hexes)
    assert {"a11", "A2", "C8", "F11", "D5", "E6"} <= hexes
    assert len(hexes) < len(set(mag_title().map.hexes))
    assert not {"H27", "I2", "J15", "B23", "H1"} & hexes
    for names in (["Ada"], ["Ada", "Ben", "Cleo"]):
        with pytest.raises(BadSetup, match=r"18Mag X/1"):
            new_game("18Mag", names, variant="two_player")


@pytest.mark.rule("18Mag X/1")
def test_the_main_rules_hold_otherwise() -> None:
    """A minor's turn has the same steps, trains never become obsolete, and two is the most that a minor has."""
    game = for_two(agenda=[OperatingRound(("1",))], trains={"1": ["2", "2"]}, phase="brown", cash={"1": 500})
    kinds = []
    while question_of(game).company == "1":
        kinds.append(question_of(game).kind)
        if isinstance(question_of(game).task, PurchaseTrains):
            assert refusal_rule(game, BuyTrain("2")) == "18Mag VI.3.8/4"
        game.apply(Pass() if Pass() in question_of(game) else question_of(game).options[-1].action)
    assert kinds == ["lay_track", "establish_station", "scrap_trains", "operate_trains", "purchase_trains"]


@pytest.mark.rule("18Mag X/2", "18Mag X/3")
def test_seven_minors_and_their_homes() -> None:
    homes = dict(zip(MINORS, ("C8.1", "B15.0", "C6.0", "E10.0", "A12.0", "E6.1", "B3.0"), strict=True))
    game = fresh()
    assert set(state_of(game).owners) == set(MINORS)
    assert {minor for minor, number in state_of(game).terrain_tokens.items() if number == 1} == {"6", "7"}
    assert sum(state_of(game).terrain_tokens.values()) == 2
    for minor, home in homes.items():
        game = fresh()
        game.apply(DraftMinor(minor))
        assert state_of(game).board.stations == {home: (minor,)}
    assert TITLE.map["C8"].printed.city_names == ("Buda", "Pest")
    assert TITLE.map["E6"].printed.city_names == ("Pécs", "Mohács")


@pytest.mark.rule("18Mag X/2")
@pytest.mark.parametrize("minor", ["5", "8", "9", "10", "12", "13"])
def test_the_other_minors_do_not_take_part(minor: str) -> None:
    assert refusal_rule(fresh(), DraftMinor(minor)) == "18Mag X/13"


@pytest.mark.rule("18Mag X/4")
def test_four_majors_and_no_mines() -> None:
    game = fresh()
    assert set(state_of(game).certificates) == MAJORS
    for gone in ("G&C", "SNW", "MÁVAG"):
        assert refusal_rule(game, DraftShare(gone)) == "18Mag X/13"
    assert not [node for hex_ in TITLE.map for node in hex_.printed.nodes if node.kind == "mine"]


@pytest.mark.rule("18Mag X/5")
def test_there_are_no_6_trains_and_ldsteg_sells_the_others() -> None:
    game = buying()
    assert [option.action for option in question_of(game).only(BuyTrain)] == [
        BuyTrain("2"),
        BuyTrain("3"),
        BuyTrain("4"),
    ]
    assert refusal_rule(game, BuyTrain("6")) in ("18Mag X/5", "18Mag VI.3.8/2")


@pytest.mark.rule("18Mag X/6", "18Mag VI.4.3/10")
@pytest.mark.parametrize(("face", "price", "part"), [("2", 80, 20), ("3", 120, 30), ("4", 200, 50)])
def test_ldsteg_gets_a_quarter(face: str, price: int, part: int) -> None:
    assert refusal_rule(buying(cash=price - 1), BuyTrain(face)) == "18Mag VI.3.8/3"
    game = buying(cash=price)
    before = game.copy()
    game.apply(BuyTrain(face))
    assert gains(before, game) == {"1": -price, "LdStEG": part, "bank": price - part}


# RÁBA


SZEGED = {"E10": turned(CITY_20, "NW", "SE"), "D9": turned(TOWN_10, "NW", "SE")}
"""The home of minor 4, between Belgrád and a town."""


def at_szeged(*trains: str, **fields: Any) -> Game:
    return for_two(**{"agenda": [OperateWithCars("4")], "trains": {"4": trains}, "tiles": SZEGED, **fields})


@pytest.mark.rule("18Mag X/7")
@pytest.mark.parametrize(
    ("phase", "price", "red", "bonus"), [("yellow", 10, 10, 20), ("green", 10, 20, 20), ("brown", 20, 30, 30)]
)
def test_raba_offers_the_bonus_or_a_plus_train(phase: str, price: int, red: int, bonus: int) -> None:
    bought = {}
    cars: tuple[Car, Car] = ("off_board", "plus")
    for car, other in permutations(cars):
        game = at_szeged("2", phase=phase)
        before = game.copy()
        game.apply(BuyCar(car))
        assert gains(before, game) == {"4": -price, "RÁBA": price}
        assert refusal_rule(game, BuyCar(other)) == "18Mag X/7"
        assert refusal_rule(game, BuyCar(car)) in ("18Mag X/7", "18Mag S.3.1/2")
        assert not question_of(game).only(BuyCar)
        bought[car] = best_income(game)
    assert bought == {"off_board": (20 + red + bonus, 0), "plus": (20 + red + 10, 0)}


@pytest.mark.rule("18Mag X/7")
@pytest.mark.parametrize("site", [False, True])
def test_two_trains_do_not_get_both(site: bool) -> None:
    game = at_szeged("2", "2", site=site, cash={"4": 100})
    game.apply(BuyCar("off_board"))
    assert refusal_rule(game, BuyCar("plus")) == "18Mag X/7"
    assert best_income(game) == (20 + 10 + 20 + 20 + 10, 0), "the bonus for one of them"


@pytest.mark.rule("18Mag X/4", "18Mag X/7")
def test_nobody_sells_access_to_mines() -> None:
    for site in (False, True):
        game = at_szeged("2", site=site)
        assert refusal_rule(game, BuyCar("mine")) in ("18Mag X/4", "18Mag III.3.3/5")


# Chart and payouts


@pytest.mark.rule("18Mag X/8")
def test_the_chart_ends_at_300() -> None:
    assert TITLE.prices == mag_title().prices[:24]
    assert (TITLE.prices[0], TITLE.prices[-1]) == (55, 300)
    for start in (280, 300):
        game = for_two(directors={"SIK": "p1"}, cash={"SIK": 500}, prices={"SIK": start}, agenda=[PayOut("SIK")])
        game.apply(PayDividend(500))
        assert price_of(game, "SIK") == 300


TABLE_10 = [(0, 95), (10, 100), (20, 110), (40, 110), (50, 120), (80, 120), (90, 130), (120, 130), (130, 140)]


@pytest.mark.rule("18Mag X/9")
@pytest.mark.parametrize(("amount", "price"), [*TABLE_10, (30, 110), (210, 140), (900, 140)])
def test_table_10(amount: int, price: int) -> None:
    game = for_two(directors={"SIK": "p1"}, cash={"SIK": 900}, prices={"SIK": 100}, agenda=[PayOut("SIK")])
    game.apply(PayDividend(amount))
    assert price_of(game, "SIK") == price


@pytest.mark.rule("18Mag X/9", "18Mag VI.4.3/5")
def test_table_10_moves_majors_without_a_director_too() -> None:
    agenda = [OperatingRound((), ("RÁBA", "SIK")), EndTurn("1"), PurchaseTrains("1")]
    game = for_two(agenda=agenda, cash={"RÁBA": 90}, prices={"RÁBA": 100, "SIK": 100}, shares={"RÁBA": {"p2": 1}})
    before = game.copy()
    game.apply(Pass())
    assert gains(before, game) == {"RÁBA": -90, "p2": 9, "bank": 81}
    assert (price_of(game, "RÁBA"), price_of(game, "SIK")) == (130, 95)


# Phases


def last_steps(phase: str, rounds: Rounds, **fields: Any) -> Game:
    """Minors 1 and 2 may buy, then the majors act, which have no directors."""
    game = for_two(
        phase=phase,
        agenda=[OperatingRound(()), EndTurn("2"), PurchaseTrains("2"), EndTurn("1"), PurchaseTrains("1")],
        trains={"1": [], "2": []},
        cash={"1": 1000, "2": 1000},
        **fields,
    )
    return in_set(game, rounds)


@pytest.mark.rule("18Mag X/11", "18Mag X/12")
@pytest.mark.parametrize(("first", "second"), [("3", "4"), ("4", "3")])
def test_the_second_stack_begins_brown_and_the_end(first: str, second: str) -> None:
    game = last_steps("yellow", Rounds(2, 1, 1))
    assert PhaseBegan("green") in game.apply(BuyTrain(first)).events
    game.apply(Pass())
    assert PhaseBegan("brown") in game.apply(BuyTrain(second)).events
    play_to(game, "end")
    assert rounds_of(game) == ["SR 3", "OR 3.1", "OR 3.2", "OR 3.3"]
    assert game.over


@pytest.mark.rule("18Mag X/11")
@pytest.mark.parametrize("rounds", [Rounds(4, 1, 2), Rounds(4, 2, 2)])
def test_the_round_in_progress_is_finished_first(rounds: Rounds) -> None:
    game = last_steps("green", rounds)
    game.apply(BuyTrain("4"))
    game.apply(Pass())
    assert question_of(game).company == "2"
    play_to(game, "end")
    assert rounds_of(game) == ["SR 5", "OR 5.1", "OR 5.2", "OR 5.3"]


@pytest.mark.rule("18Mag X/12")
@pytest.mark.parametrize(("phase", "number"), [("yellow", 1), ("green", 2), ("brown", 3)])
def test_how_many_operating_rounds_a_set_has(phase: str, number: int) -> None:
    game = last_steps(phase, Rounds(2, 1, 1))
    for _ in range(2):
        game.apply(BuyTrain("2"))
        game.apply(Pass())
    play_to(game, "SR 4")
    wanted = ["SR 3", *(f"OR 3.{number}" for number in range(1, number + 1))]
    assert rounds_of(game) == (wanted if phase == "brown" else [*wanted, "SR 4"])
    assert game.over is (phase == "brown")


@pytest.mark.rule("18Mag X/11", "18Mag VI.4.3/8")
@pytest.mark.parametrize(
    ("advance", "three", "four"),
    [("its tile is used up", "green", "brown"), ("every unopened stack can", "brown", "brown")],
)
def test_tokens_advance_the_phase_of_two_as_well(advance: str, three: str, four: str) -> None:
    rulings = {"no_train_sold_advance": advance}
    game = last_steps("yellow", Rounds(2, 1, 1), no_train=2, rulings=rulings)
    play_to(game, "OR 3.1")
    assert state_of(game).phase == "green"
    while not isinstance(question_of(game).task, PurchaseTrains):
        game.apply(Pass() if Pass() in question_of(game) else question_of(game).options[-1].action)
    for face, phase in ("3", three), ("4", four):
        twin = game.copy()
        twin.apply(BuyTrain(face))
        assert state_of(twin).phase == phase
    game = last_steps("green", Rounds(4, 1, 2), no_train=2, rulings=rulings)
    play_to(game, "end")
    assert rounds_of(game) == ["SR 5", "OR 5.1", "OR 5.2", "OR 5.3"]


# The draft


@pytest.mark.rule("18Mag X/13", "18Mag X/14")
def test_eight_papers_are_taken_in_the_order_of_a_snake() -> None:
    game = fresh()
    assert state_of(game).package == dict.fromkeys(MAJORS, 1)
    papers = [DraftMinor("1"), DraftShare("SIK"), DraftMinor("2"), DraftMinor("3"), DraftShare("RÁBA")]
    papers += [DraftMinor("4"), DraftMinor("6"), DraftMinor("7")]
    takers = []
    for paper in papers:
        takers.append(question_of(game).decider)
        game.apply(paper)
    assert takers == ["p1", "p2", "p2", "p1", "p1", "p2", "p2", "p1"]
    state = state_of(game)
    assert state.owners == {"1": "p1", "3": "p1", "7": "p1", "2": "p2", "4": "p2", "6": "p2"}, "11 is out"
    held = {major: {holder for holder in holders if holder != "bank"} for major, holders in state.certificates.items()}
    assert held == {"SIK": {"p2"}, "RÁBA": {"p1"}, "SzKÉV": set(), "LdStEG": set()}
    assert state.priority == "p1"
    assert state.round == "OR 1.1"


@pytest.mark.rule("18Mag X/13")
def test_nobody_takes_a_fourth_minor_or_a_second_share() -> None:
    game = fresh()
    for paper in (DraftShare("SIK"), DraftMinor("1"), DraftMinor("2")):
        game.apply(paper)
    assert refusal_rule(game, DraftShare("RÁBA")) == "18Mag V/6"
    for paper in (DraftMinor("3"), DraftMinor("4"), DraftMinor("6")):
        game.apply(paper)
    assert question_of(game).decider == "p2"
    assert refusal_rule(game, DraftMinor("7")) == "18Mag V/6"
    assert refusal_rule(game, Pass()) == "18Mag V/3"


@pytest.mark.rule("18Mag X/15")
@pytest.mark.parametrize(("szkev", "rule"), [(0, "allowed"), (1, "18Mag VII.3/1")])
def test_ten_certificates_are_the_limit(szkev: int, rule: str) -> None:
    shares = {"RÁBA": {"p1": 4}, "SIK": {"p1": 3}, "SzKÉV": {"p1": szkev}}
    directors = {"RÁBA": "p1", "SIK": "p1"}
    game = for_two(agenda=[StockRound("p1")], shares=shares, directors=directors, cash={"p1": 500})
    assert refusal_rule(game, BuyShare("LdStEG")) == rule
