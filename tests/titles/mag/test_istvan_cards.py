"""István's company cards: stations, scrapping, running and buying trains (18Mag XI.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid, PhaseBegan
from ostbahn.titles.mag.events import CardEntryDone, CardEntrySkipped
from ostbahn.titles.mag.state import LayTrack
from tests.titles.mag.share_scenes import question_of
from tests.titles.mag.solo_scenes import (
    BUY_2,
    BUY_3,
    FEE,
    HIM,
    SOUTH,
    SWAP_3,
    UP,
    acting,
    board_of_his,
    cash_of,
    deck_text,
    done,
    events,
    faces,
    moved,
    opening,
    payments,
    printed,
    state_of,
    stationed,
    with_entries,
)

EAST = printed(9)
"""Nyíregyháza B15, Debrecen C14 and Szolnok C10, the home and the targets of minor 2."""
SKIPPED = {"istvan_closed_station": "it is skipped"}


def station(hex_id: str) -> dict[str, str]:
    return {"do": "station", "hex": hex_id}


# The order of the entries


@pytest.mark.rule("18Mag XI.2.2/1")
def test_nothing_is_done_before_the_entry_above_it() -> None:
    """100 Ft and 10 Ft a turn would do for the station, and for a 2-train, but the 3-train comes first."""
    game = acting(BUY_3, station("C14"), BUY_2, turns=1, tiles=EAST, cash={"2": 100})
    assert (done(game, "2"), cash_of(game, "2")) == (0, 110)
    assert (stationed(game, "2"), moved(game, "2")) == ([], [])


@pytest.mark.rule("18Mag XI.2.2/1", "18Mag XI.2.2/13")
def test_an_entry_is_done_once() -> None:
    game = acting(BUY_2, turns=4, trains={"2": ()}, cash={"2": 500})
    assert (done(game, "2"), faces(game, "2")) == (1, ["2"])
    assert cash_of(game, "2") == 500 - 80 - 3 * FEE


@pytest.mark.rule("18Mag XI.2.2/2")
def test_a_station_that_is_reached_when_trains_are_bought_waits_for_the_next_turn() -> None:
    first, second = (acting(BUY_2, station("C14"), turns=turns, tiles=EAST, cash={"2": 200}) for turns in (1, 2))
    assert (faces(first, "2"), stationed(first, "2")) == (["2", "2"], [])
    assert stationed(second, "2") == ["C14"]


@pytest.mark.rule("18Mag XI.2.2/2")
def test_entries_of_one_turn_follow_its_steps() -> None:
    """The station is placed first, then a train is scrapped, and another bought after the run."""
    game = acting(station("C14"), SWAP_3, tiles=EAST, cash={"2": FEE + 40 + 120})
    assert (done(game, "2"), cash_of(game, "2")) == (2, 0)
    assert (stationed(game, "2"), faces(game, "2")) == (["C14"], ["3"])


@pytest.mark.rule("18Mag XI.2.2/1", "18Mag XI.2.2/6")
def test_two_purchases_can_be_made_in_one_step() -> None:
    game = acting(BUY_2, BUY_3, trains={"2": ()}, cash={"2": 200})
    assert (faces(game, "2"), cash_of(game, "2")) == (["2", "3"], 0)


@pytest.mark.rule("18Mag XI.2.2/13")
@pytest.mark.parametrize("phase", ["yellow", "green", "brown"])
def test_a_card_that_is_done_buys_nothing(phase: str) -> None:
    game = acting(BUY_2, turns=3, phase=phase, done={"2": 1}, trains={"2": ()}, cash={"2": 500})
    assert (faces(game, "2"), cash_of(game, "2")) == ([], 500)
    assert stationed(game, "2") == []


@pytest.mark.rule("18Mag XI.2.2/13", "18Mag XI.2.2/3")
def test_on_a_red_card_the_standing_order_remains() -> None:
    game = acting(BUY_2, red=True, turns=2, done={"2": 1}, trains={"2": ()}, cash={"2": 500})
    assert (faces(game, "2"), cash_of(game, "2")) == (["2"], 500 - 80 - FEE)


# The standing order


@pytest.mark.rule("18Mag XI.2.2/3")
def test_a_minor_without_a_train_buys_a_2_train_first() -> None:
    game = acting(BUY_3, red=True, trains={"2": ()}, cash={"2": 80})
    assert (faces(game, "2"), cash_of(game, "2"), done(game, "2")) == (["2"], 0, 0)
    assert payments(game, source="2") == [("2", "LdStEG", 20), ("2", BANK, 60)]


@pytest.mark.rule("18Mag XI.2.2/3")
def test_with_less_money_nothing_at_all_is_bought() -> None:
    """70 Ft are enough for the station and for a train of another minor."""
    for entry in (UP, station("C14")):
        game = acting(entry, red=True, turns=2, his={"2": 5, "4": 8}, tiles=EAST, trains={"2": ()}, cash={"2": 70})
        assert (faces(game, "2"), cash_of(game, "2"), done(game, "2")) == ([], 70, 0)


@pytest.mark.rule("18Mag XI.2.2/3")
def test_a_station_waits_for_the_train_although_its_step_comes_earlier() -> None:
    game = acting(station("C14"), red=True, tiles=EAST, trains={"2": ()}, cash={"2": 120})
    assert (faces(game, "2"), stationed(game, "2"), cash_of(game, "2")) == (["2"], [], 40)


@pytest.mark.rule("18Mag XI.2.2/3")
def test_after_the_2_train_the_card_goes_on() -> None:
    game = acting(UP, red=True, his={"2": 5, "4": 8}, trains={"2": ()}, cash={"2": 110})
    assert (faces(game, "2"), cash_of(game, "2"), done(game, "2")) == (["2", "2"], 0, 1)


@pytest.mark.rule("18Mag XI.2.2/3")
def test_only_red_cards_have_the_standing_order() -> None:
    game = acting(BUY_3, trains={"2": ()}, cash={"2": 100})
    assert (faces(game, "2"), cash_of(game, "2")) == ([], 100)


# RÁBA


def at_sopron(tiles: Mapping[str, tuple[str, int]], **particulars: Any) -> Game:
    """Minor 11, which has one 2-train and buys nothing."""
    return acting(minor="11", mine=("2",), tiles=tiles, **particulars)


def services(game: Game) -> list[str]:
    return [event.why for event in events(game, Paid) if event.target == "RÁBA"]


BECS = {"B3": ("6", 0), "C2": ("3", 2)}
"""Bécs for 30, Sopron for 20 and a town in the south: the bonus brings 20 more, a plus-train 10."""


@pytest.mark.rule("18Mag XI.2.2/4")
def test_the_bonus_is_bought_where_it_earns_more() -> None:
    game = at_sopron(BECS)
    assert payments(game, target="RÁBA") == [("11", "RÁBA", 10)]
    assert "off-board" in services(game)[0]
    assert state_of(game).revenue["11"] == 70
    assert (cash_of(game, "11"), cash_of(game, HIM)) == (50 - FEE - 10 + 35, 35)


@pytest.mark.rule("18Mag XI.2.2/4")
def test_a_plus_train_is_bought_where_it_earns_more_even_if_the_gain_is_no_more_than_the_price() -> None:
    """Györ, Sopron and the town, but not Bécs: 50 instead of 40."""
    game = at_sopron({"B5": ("57", 1), "B3": ("6", 4), "C2": ("3", 2)})
    assert payments(game, target="RÁBA") == [("11", "RÁBA", 10)]
    assert "plus" in services(game)[0]
    assert state_of(game).revenue["11"] == 50


@pytest.mark.rule("18Mag XI.2.2/4")
def test_if_both_earn_the_same_it_is_the_bonus() -> None:
    """With a second town behind the first, a plus-train would bring 70 as well."""
    game = at_sopron({"B3": ("6", 0), "C2": ("58", 3), "D3": ("8", 0), "E2": ("3", 2)})
    assert state_of(game).revenue["11"] == 70
    assert "off-board" in services(game)[0]


@pytest.mark.rule("18Mag XI.2.2/4")
def test_without_gain_or_without_money_he_does_without() -> None:
    assert services(at_sopron({"B3": ("6", 2), "B5": ("57", 1)}, trains={"11": ()})) == []
    poor = at_sopron(BECS, cash={"11": FEE + 9})
    assert (services(poor), state_of(poor).revenue["11"]) == ([], 50)
    assert services(acting(tiles=EAST)) == [], "there is neither a town nor a red area"


@pytest.mark.rule("18Mag XI.2.2/4")
def test_in_the_brown_phase_the_service_costs_20_and_brings_30() -> None:
    """Bécs is worth 50 by then. Nothing is promoted, because Sopron is brown."""
    game = at_sopron({"B3": ("611", 2)}, phase="brown", cash={"11": 20})
    assert payments(game, target="RÁBA") == [("11", "RÁBA", 20)]
    assert state_of(game).revenue["11"] == 50 + 40 + 30


# A further station


@pytest.mark.rule("18Mag XI.2.2/5")
def test_a_card_can_give_a_fourth_station() -> None:
    deck = deck_text({number: {"setup": [{"do": "extra_token"}]} for number in (8, 9, 10)})
    for seed in range(8):
        game = opening(seed, "medium", "long", deck)
        for minor in board_of_his(game).cards:
            extra = minor in ("1", "2", "3")
            assert state_of(game).markers[minor] == (3 if extra else 2)
            assert len(state_of(game).board.stations_of(minor)) == 1


@pytest.mark.rule("18Mag XI.2.2/5")
def test_the_fourth_station_costs_80() -> None:
    targets = [station(hex_id) for hex_id in ("C14", "C10", "C8")]
    game = acting(*targets, turns=3, markers={"2": 3}, trains={"2": ()}, tiles=printed(8, 9), cash={"2": 200})
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", amount) for amount in (20, 40, 40)]
    assert (stationed(game, "2"), cash_of(game, "2")) == (["C14", "C10", "C8"], 0)


def with_token_in_szolnok() -> Game:
    """A game in which minor 1 is István's and has its fourth station in Szolnok from the start."""
    deck = deck_text({8: {"setup": [{"do": "extra_token", "hex": "C10"}]}})
    return next(game for game in (opening(seed, deck=deck) for seed in range(50)) if "1" in board_of_his(game).cards)


@pytest.mark.rule("18Mag XI.2.2/5")
def test_the_fourth_station_can_stand_on_a_hex_from_the_start() -> None:
    game = with_token_in_szolnok()
    assert "1" in state_of(game).board.stations["C10.0"]
    assert state_of(game).markers["1"] == 2
    assert cash_of(game, "1") == 50, "it is free"


@pytest.mark.rule("18Mag XI.2.2/5", "18Mag XI.2.2/7")
def test_a_station_that_stood_from_the_start_makes_the_others_no_dearer() -> None:
    """The first station that is bought costs 40, the last one 80."""
    targets = [station("C14"), station("C8")]
    deck = with_entries(*targets, setup=[{"do": "extra_token", "hex": "C10"}])
    stands = {"C10.0": ["2"]}
    game = acting(*targets, turns=2, deck=deck, stations=stands, trains={"2": ()}, tiles=printed(8, 9), cash={"2": 120})
    assert stationed(game, "2") == ["C14", "C8"]
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", 20), ("2", "SzKÉV", 40)]


# Buying from the bank


@pytest.mark.rule("18Mag XI.2.2/6")
@pytest.mark.parametrize(("cash", "bought"), [(FEE + 119, False), (FEE + 120, True)])
def test_a_train_is_bought_with_the_first_money(cash: int, bought: bool) -> None:
    game = acting(BUY_3, cash={"2": cash})
    assert faces(game, "2") == (["2", "3"] if bought else ["2"])
    assert payments(game, target="LdStEG") == ([("2", "LdStEG", 30)] if bought else [])
    assert [event.phase for event in events(game, PhaseBegan)] == (["green"] if bought else [])


@pytest.mark.rule("18Mag XI.2.2/6")
def test_a_train_needs_room() -> None:
    game = acting(BUY_3, turns=2, trains={"2": ["2", "2"]}, cash={"2": 500})
    assert (moved(game, "2"), faces(game, "2")) == ([], ["2", "2"])


@pytest.mark.rule("18Mag XI.2.2/6")
def test_the_income_of_the_run_counts() -> None:
    """Minor 7 gets 25 Ft before it buys."""
    game = acting(BUY_3, minor="7", tiles=SOUTH, cash={"7": FEE + 95})
    assert (faces(game, "7"), cash_of(game, "7"), cash_of(game, HIM)) == (["2", "3"], 0, 25)


# Stations


@pytest.mark.rule("18Mag XI.2.2/7")
def test_stations_cost_40_and_80_and_half_goes_to_szkev() -> None:
    game = acting(station("C14"), station("C10"), turns=2, tiles=EAST, trains={"2": ()}, cash={"2": 120})
    expected = [("2", "SzKÉV", 20), ("2", BANK, 20), ("2", "SzKÉV", 40), ("2", BANK, 40)]
    assert payments(game, source="2") == expected
    assert state_of(game).board.stations_of("2") == ["B15.0", "C14.0", "C10.0"]
    assert state_of(game).markers["2"] == 0


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/2")
def test_one_station_is_placed_in_a_turn() -> None:
    game = acting(station("C14"), station("C10"), tiles=EAST, cash={"2": 500})
    assert (stationed(game, "2"), done(game, "2")) == (["C14"], 1)


def hindered(case: str, **particulars: Any) -> Game:
    """Two turns of minor 2, whose station in Debrecen is hindered by something for the time being."""
    tiles, stations, cash = dict(EAST), {}, {"2": 200}
    if case == "full":
        stations = {"C14.0": ["6"]}
    elif case == "unconnected":
        del tiles["B15"]
    elif case == "money":
        cash = {"2": FEE + 9}
    return acting(
        station("C14"), BUY_2, **{"turns": 2, "tiles": tiles, "stations": stations, "cash": cash, **particulars}
    )


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
@pytest.mark.parametrize("case", ["full", "unconnected", "money"])
def test_a_station_waits_until_it_is_possible(case: str) -> None:
    game = hindered(case)
    assert (done(game, "2"), stationed(game, "2"), faces(game, "2")) == (0, [], ["2"])
    assert question_of(game).task == LayTrack("11")


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
@pytest.mark.parametrize("case", ["full", "unconnected", "money"])
def test_by_the_other_ruling_a_city_that_is_closed_is_skipped_but_not_one_that_is_too_dear(case: str) -> None:
    game = hindered(case, rulings=SKIPPED)
    assert stationed(game, "2") == []
    assert (done(game, "2"), faces(game, "2")) == ((0, ["2"]) if case == "money" else (2, ["2", "2"]))
    told = [*events(game, CardEntrySkipped), *events(game, CardEntryDone)]
    assert told == ([] if case == "money" else [CardEntrySkipped("2", 1), CardEntryDone("2", 2)])
