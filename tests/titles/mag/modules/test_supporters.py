"""Supporters: who drafts them, when they help, and what each does beside track (18Mag M.5)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import (
    AddTown,
    BuyByKando,
    BuyCar,
    BuyTrain,
    Car,
    DraftMinor,
    DraftSupporter,
    PlaceByDdsg,
    PlaceStation,
    ScrapTrain,
    TakeFromRothschild,
)
from ostbahn.titles.mag.state import (
    EndTurn,
    EstablishStation,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PlaceMarker,
    PurchaseTrains,
    ScrapTrains,
)
from tests.titles.mag.modules.playing import SUPPORTERS, helped, helpers, with_modules
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    CITY_40,
    STRAIGHT,
    TOWN_10,
    best_income,
    gains,
    line,
    path_of_line,
    proposed_run,
    refusal_of_run,
    revenue_of,
    turned,
)
from tests.titles.mag.scenes import cards_of, state_of
from tests.titles.mag.share_scenes import draft_of, finish_draft, is_offered, question_of, refusal_rule
from tests.titles.mag.track_scenes import cities

# The draft


@pytest.mark.rule("18Mag M.5/1")
@pytest.mark.parametrize(("players", "each", "left"), [(3, 2, 0), (4, 1, 2), (5, 1, 1), (6, 1, 0)])
def test_supporters_are_drafted_with_minors_and_shares(players: int, each: int, left: int) -> None:
    game = with_modules("supporters", players=players)
    finish_draft(game)
    assert draft_of(game) is None
    owners = Counter(helpers(game).supporters.values())
    assert owners.pop(BANK, 0) == left
    assert set(owners.values()) == {each}
    picks = Counter(type(action) for _, action in game.actions())
    assert picks[DraftMinor] == {3: 12, 4: 12, 5: 10, 6: 12}[players], "the quotas of minors stay"


@pytest.mark.rule("18Mag M.5/1")
def test_a_supporter_is_taken_once_and_only_so_many() -> None:
    game = with_modules("supporters", players=4)
    assert {option.action for option in question_of(game) if isinstance(option.action, DraftSupporter)} == set(
        map(DraftSupporter, SUPPORTERS)
    )
    game.apply(DraftSupporter("KK"))
    assert refusal_rule(game, DraftSupporter("KK")) == "18Mag M.5/1"
    assert refusal_rule(game, DraftSupporter("XY")) == "18Mag M.5/1"
    for minor in ("1", "2", "3"):
        game.apply(DraftMinor(minor))
    for minor in ("4", "5", "6"):
        game.apply(DraftMinor(minor))
    assert question_of(game).decider == "p1"
    assert refusal_rule(game, DraftSupporter("FJ")) == "18Mag M.5/1"


# When they help


@pytest.mark.rule("18Mag M.5/2")
def test_each_helps_one_minor_of_its_owner_in_an_operating_round() -> None:
    game = helped("SMFvR", agenda=[OperatingRound(("2", "4", "7"))])
    seen = {}
    while question_of(game).company in ("2", "4", "7"):
        minor = question_of(game).company or ""
        if is_offered(game, TakeFromRothschild()) and minor not in seen:
            game.apply(TakeFromRothschild())
            seen[minor] = "helped"
            assert refusal_rule(game, TakeFromRothschild()) == "18Mag M.5/2"
        elif Pass() in question_of(game):
            game.apply(Pass())
        else:
            game.apply(question_of(game).options[0].action)
    assert seen == {"4": "helped"}, "2 belongs to somebody else, 7 comes later in the same round"


@pytest.mark.rule("18Mag M.5/2")
def test_in_the_next_round_they_help_again() -> None:
    used = helped("SMFvR", agenda=[LayTrack("1")], used={"SMFvR": "OR 2.1"}, round="OR 2.1")
    assert refusal_rule(used, TakeFromRothschild()) == "18Mag M.5/2"
    later = helped("SMFvR", agenda=[LayTrack("1")], used={"SMFvR": "OR 2.1"}, round="OR 2.2")
    assert is_offered(later, TakeFromRothschild())


@pytest.mark.rule("18Mag M.5/2")
def test_they_do_nothing_for_minors_of_others_and_none_for_majors() -> None:
    game = helped(*SUPPORTERS, agenda=[PurchaseTrains("2")], cash={"2": 500})
    assert refusal_rule(game, BuyByKando("2")) == "18Mag M.5/2"
    major = helped(*SUPPORTERS, agenda=[PlaceMarker("SIK")], directors={"SIK": "p1"}, cash={"SIK": 500})
    assert refusal_rule(major, PlaceByDdsg("C12.0")) == "18Mag VI.4.1/1"


@pytest.mark.rule("18Mag M.5/2")
def test_a_card_that_nobody_took_helps_nobody() -> None:
    game = helped(agenda=[PurchaseTrains("1")], cash={"1": 500})
    assert refusal_rule(game, BuyByKando("2")) == "18Mag M.5/2"


# Kandó


KANDO = {"2": (70, "LdStEG", 40), "3": (105, "MÁVAG", 60), "4": (180, "LdStEG", 100), "6": (290, "MÁVAG", 160)}


@pytest.mark.rule("18Mag M.5/3")
@pytest.mark.parametrize("face", KANDO)
def test_kando_makes_every_kind_of_train_cheaper_and_its_seller_loses_nothing(face: str) -> None:
    price, seller, part = KANDO[face]
    game = helped("KK", agenda=[PurchaseTrains("1")], cash={"1": 1000})
    before = game.copy()
    game.apply(BuyByKando(face))
    assert gains(before, game) == {"1": -price, seller: part, BANK: price - part}
    assert [card.partition("-")[0] for card in cards_of(game, "1")] == ["2", face]
    assert refusal_rule(game, BuyByKando(face)) in ("18Mag M.5/2", "18Mag VI.3.8/4")


@pytest.mark.rule("18Mag M.5/3")
@pytest.mark.parametrize("face", KANDO)
def test_kando_helps_who_can_pay_only_the_lower_price(face: str) -> None:
    price = KANDO[face][0]
    game = helped("KK", agenda=[PurchaseTrains("1")], cash={"1": price})
    assert refusal_rule(game, BuyTrain(face)) == "18Mag VI.3.8/3"
    assert is_offered(game, BuyByKando(face))
    game.apply(BuyByKando(face))
    assert state_of(game).cash["1"] == 0
    short = helped("KK", agenda=[PurchaseTrains("1")], cash={"1": price - 1})
    assert refusal_rule(short, BuyByKando(face)) == "18Mag VI.3.8/3"


@pytest.mark.rule("18Mag M.5/3")
def test_a_train_of_kando_begins_a_phase_as_any_other() -> None:
    game = helped("KK", agenda=[PurchaseTrains("1")], cash={"1": 105})
    game.apply(BuyByKando("3"))
    assert state_of(game).phase == "green"
    full = helped("KK", agenda=[PurchaseTrains("1")], cash={"1": 105}, trains={"1": ("2", "2")})
    assert refusal_rule(full, BuyByKando("3")) == "18Mag VI.3.8/4"


# Rothschild


@pytest.mark.rule("18Mag M.5/5")
@pytest.mark.parametrize("step", [LayTrack, EstablishStation, ScrapTrains, OperateWithCars, PurchaseTrains])
def test_rothschild_gives_ten_at_any_time_of_the_turn(step: Any) -> None:
    game = helped("SMFvR", agenda=[step("1")])
    before = game.copy()
    assert is_offered(game, TakeFromRothschild())
    game.apply(TakeFromRothschild())
    assert gains(before, game) == {"1": 10, BANK: -10}
    assert isinstance(question_of(game).task, step), "the step goes on"


# DDSG


PAIR = {"E10": turned(CITY_20, "W", "E"), "E8": turned(STRAIGHT, "W", "E"), "E6": turned(CITY_20, "E")}


@pytest.mark.rule("18Mag M.5/7")
@pytest.mark.parametrize(("placed", "price", "part"), [((), 20, 10), (("C12.0",), 40, 20)])
def test_the_ddsg_halves_the_price_of_a_station(placed: tuple[str, ...], price: int, part: int) -> None:
    stations = {city: ["3"] for city in placed}
    game = helped("DDSG", player="p3", agenda=[EstablishStation("3")], tiles=PAIR, stations=stations, cash={"3": price})
    assert refusal_rule(game, PlaceStation("E6.0")) == "18Mag VI.3.4/3", "there is money for the half only"
    assert cities(game) == {"E6.0"}
    before = game.copy()
    game.apply(PlaceByDdsg("E6.0"))
    assert gains(before, game) == {"3": -price, "SzKÉV": part, BANK: price - part}
    assert "3" in state_of(game).board.stations["E6.0"]
    assert not isinstance(question_of(game).task, EstablishStation), "it was the station of the turn"


@pytest.mark.rule("18Mag M.5/7")
def test_a_station_of_the_ddsg_obeys_all_other_rules() -> None:
    game = helped("DDSG", player="p3", agenda=[EstablishStation("3")], tiles=PAIR, cash={"3": 19})
    assert refusal_rule(game, PlaceByDdsg("E6.0")) == "18Mag VI.3.4/3"
    assert refusal_rule(game, PlaceByDdsg("C16.0")) == "18Mag VI.3.4/5"


# Magyar Államvasutak


TOWNS = line("F9", TOWN_10, CITY_20, TOWN_10, TOWN_10, TOWN_10, TOWN_10, CITY_40)
"""A city with a station, a town to its west, four to its east, and a city beyond them."""


def running_with(
    trains: tuple[str, ...] = ("2",), tiles: Any = TOWNS, strict: bool = True, supporters: tuple[str, ...] = ("MA",)
) -> Game:
    lenient = {} if strict else {"highest_revenue": "not demanded", "unused_rail_car": "allowed"}
    return helped(
        *supporters,
        owners={"3": "p1"},
        trains={"3": trains},
        tiles=tiles,
        stations={"F11.0": ["3"]},
        cash={"3": 100},
        agenda=[OperateWithCars("3")],
        rulings=lenient,
    )


@pytest.mark.rule("18Mag M.5/8")
def test_a_train_visits_one_more_town() -> None:
    game = running_with()
    assert best_income(game) == (30, 0)
    game.apply(AddTown("2-1"))
    assert best_income(game) == (40, 0)
    assert [train.face for train in state_of(game).trains["3"]] == ["2"], "the train itself is what it was"


@pytest.mark.rule("18Mag M.5/8")
def test_it_is_a_town_and_no_city() -> None:
    tiles = line("F11", CITY_20, CITY_20, CITY_20)
    game = running_with(tiles=tiles, strict=False)
    game.apply(AddTown("2-1"))
    assert refusal_of_run(game, path_of_line(tiles)) == "18Mag VI.3.6/2"
    assert best_income(game) == (40, 0)


@pytest.mark.rule("18Mag M.5/8")
def test_the_main_number_may_be_spent_on_towns() -> None:
    game = running_with(("3",), strict=False)
    game.apply(AddTown("3-1"))
    assert revenue_of(game, path_of_line(line("F11", CITY_20, TOWN_10, TOWN_10, TOWN_10))) == 50, (
        "a city and three towns"
    )


@pytest.mark.rule("18Mag M.5/8")
def test_the_train_is_named_before_it_runs_and_the_town_is_gone_afterwards() -> None:
    for step in (LayTrack, EstablishStation, ScrapTrains, OperateWithCars):
        assert is_offered(helped("MA", agenda=[step("1")]), AddTown("2-1"))
    assert refusal_rule(helped("MA", agenda=[PurchaseTrains("1")]), AddTown("2-1")) == "18Mag VI.3.1/1"
    assert refusal_rule(helped("MA", agenda=[OperateWithCars("1")]), AddTown("2-2")) == "18Mag M.5/8"
    game = running_with()
    game.apply(AddTown("2-1"))
    game.apply(proposed_run(game))
    assert helpers(game).longer is None
    assert not isinstance(state_of(game).agenda[-1], EndTurn)


@pytest.mark.rule("18Mag M.5/8")
def test_with_a_scrapped_train_its_town_is_gone() -> None:
    game = helped(
        "MA",
        owners={"3": "p1"},
        trains={"3": ("2", "2")},
        tiles=TOWNS,
        stations={"F11.0": ["3"]},
        agenda=[OperateWithCars("3"), ScrapTrains("3")],
    )
    game.apply(AddTown("2-2"))
    game.apply(ScrapTrain("2-2"))
    game.apply(Pass())
    assert best_income(game) == (30, 0)


@pytest.mark.rule("18Mag M.5/9")
def test_town_and_plus_car_on_one_train_make_n_and_n_plus_one() -> None:
    game = running_with(strict=False)
    game.apply(AddTown("2-1"))
    game.apply(BuyCar("plus"))
    five = path_of_line(line("F9", TOWN_10, CITY_20, TOWN_10, TOWN_10, TOWN_10))
    assert revenue_of(game, five, cars=[["plus"]]) == 60, "2+3: five places"
    six = path_of_line(line("F9", TOWN_10, CITY_20, TOWN_10, TOWN_10, TOWN_10, TOWN_10))
    assert refusal_of_run(game, six, cars=[["plus"]]) == "18Mag VI.3.7/10"
    assert best_income(game) == (60, 0)


@pytest.mark.rule("18Mag M.5/9")
@pytest.mark.parametrize("longer", ["2-1", "3-1"])
def test_the_town_on_one_train_and_the_plus_car_on_the_other(longer: str) -> None:
    """Whichever train has the town, the car may go to the other one; this is broken elsewhere."""
    game = running_with(("2", "3"), strict=False)
    game.apply(AddTown(longer))
    game.apply(BuyCar("plus"))
    west, east = (
        path_of_line(line("F9", TOWN_10, CITY_20)),
        path_of_line(line("F11", CITY_20, TOWN_10, TOWN_10, TOWN_10)),
    )
    other = {"2-1": "3-1", "3-1": "2-1"}[longer]
    order = cards_of(game, "3")
    assert order == ["2-1", "3-1"]
    for first, second in permutations((west, east)):
        ways = dict(zip(order, (first, second), strict=True))
        cars: list[list[Car]] = [["plus"] if card == other else [] for card in order]
        limit = {longer: int(longer[0]) + 1, other: 2 * int(other[0])}
        legal = all(len(path) <= limit[card] for card, path in ways.items())
        assert (refusal_of_run(game, *ways.values(), cars=cars) == "allowed") == legal


@pytest.mark.rule("18Mag M.5/9")
def test_a_plus_car_must_show_beyond_the_town_of_the_card() -> None:
    short = line("F9", TOWN_10, CITY_30, TOWN_10)
    game = running_with(tiles=short)
    assert is_offered(game, BuyCar("plus"))
    game.apply(AddTown("2-1"))
    assert refusal_rule(game, BuyCar("plus")) == "18Mag VI.3.7/5", "the train has room for all three without it"
    late = running_with(tiles=short)
    late.apply(BuyCar("plus"))
    assert refusal_rule(late, AddTown("2-1")) == "18Mag M.5/8"
