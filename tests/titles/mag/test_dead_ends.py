"""Entries of István's cards that can never be carried out any more are skipped, and nothing else is (18Mag XI.2.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.titles.mag.events import CardEntrySkipped
from tests.titles.mag.solo_scenes import (
    BUY_2,
    BUY_3,
    PLAIN,
    SOUTH,
    SWAP_3,
    UP,
    UP_OR_DOWN,
    acting,
    board_of_his,
    deck,
    done,
    events,
    faces,
    printed,
    stationed,
    with_entries,
)

EAST = printed(9)
"""Nyíregyháza B15, the home of minor 2, Debrecen C14 and Szolnok C10."""
GREEN = {**EAST, "B15": ("15", 0), "C14": ("15", 0), "C10": ("15", 2)}
"""The same with two places in each city."""
WAITS = {"istvan_impossible_entry": "it waits"}
AT_ONCE = {"istvan_scraps": "whenever above the threshold"}


def at(hex_id: str) -> dict[str, str]:
    return {"do": "station", "hex": hex_id}


def after(entry: dict[str, Any], **particulars: Any) -> Game:
    """A turn of minor 2 whose card has this entry and then nothing that could be done at once."""
    return acting(entry, SWAP_3, **{"tiles": EAST, "cash": {"2": 90}, **particulars})


def skipped(game: Game, minor: str = "2") -> int:
    told = [event for event in events(game, CardEntrySkipped) if event.company == minor]
    assert len(told) <= done(game, minor)
    return len(told)


# Stations


FOR_GOOD: dict[str, dict[str, Any]] = {
    "no marker": {"markers": {"2": 0}},
    "there already": {"tiles": GREEN, "stations": {"C14.0": ["2"]}},
    "full, green": {"tiles": GREEN, "mine": ("11", "6"), "stations": {"C14.0": ["11", "6"]}},
    "full, brown": {
        "tiles": {**GREEN, "C14": ("611", 0)},
        "mine": ("11", "6"),
        "stations": {"C14.0": ["11", "RÁBA"]},
    },
    "no train and no money": {"trains": {"2": ()}, "cash": {"2": 39}},
}


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
@pytest.mark.parametrize("case", FOR_GOOD)
def test_a_station_that_can_never_be_placed_is_skipped(case: str) -> None:
    game = after(at("C14"), **FOR_GOOD[case])
    assert (skipped(game) > 0, stationed(game, "2")) == (True, [])
    waits = after(at("C14"), rulings=WAITS, **FOR_GOOD[case])
    assert (skipped(waits), done(waits, "2"), stationed(waits, "2")) == (0, 0, [])


FOR_NOW: dict[str, dict[str, Any]] = {
    "full, yellow": {"mine": ("11", "6"), "stations": {"C14.0": ["11"]}},
    "no track": {"tiles": {name: tile for name, tile in EAST.items() if name != "B15"}},
    "no money": {"cash": {"2": 39}},
}


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
@pytest.mark.parametrize("case", FOR_NOW)
def test_a_station_that_can_still_be_placed_is_waited_for(case: str) -> None:
    game = after(at("C14"), **FOR_NOW[case])
    assert (skipped(game), done(game, "2"), stationed(game, "2")) == (0, 0, [])


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
def test_budapest_has_places_for_four_in_the_end() -> None:
    """The green tile has three and is full; the brown one has one more."""
    tiles = {"E6": ("L32", 1), "D7": ("9", 0), "C8": ("209", 0)}
    particulars: dict[str, Any] = {"minor": "7", "mine": ("1", "3", "4", "6"), "tiles": tiles}
    waits = acting(at("C8"), **{**particulars, "stations": {"C8.0": ["3", "4"]}})
    assert (skipped(waits, "7"), done(waits, "7")) == (0, 0)
    brown = {**particulars, "tiles": {**tiles, "C8": ("L35", 0)}, "stations": {"C8.0": ["3", "4", "6"]}}
    assert skipped(acting(at("C8"), **brown), "7") == 1


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
@pytest.mark.parametrize(
    ("others", "tile", "given_up"),
    [(["11", "6"], ("15", 0), True), (["11"], ("6", 1), False), (["11", "2"], ("15", 0), False)],
    ids=["for good", "until it is green", "own station"],
)
def test_a_city_behind_one_that_is_full_for_good_is_given_up(
    others: list[str], tile: tuple[str, int], given_up: bool
) -> None:
    """From Nyíregyháza to Szolnok it goes through Debrecen."""
    tiles = {**EAST, "B15": ("15", 0), "C14": tile, "C10": ("15", 2)}
    game = after(at("C10"), tiles=tiles, mine=("11", "6"), stations={"C14.0": others}, cash={"2": 30})
    assert skipped(game) == (1 if given_up else 0)


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
def test_a_red_area_does_not_lead_on() -> None:
    """From Szeged track leads to Belgrád, and from there to Pécs: no connection, so one is waited for."""
    tiles = {"E10": ("57", 2), "F9": ("4", 1), "F7": ("8", 2), "E6": ("L32", 3)}
    game = acting(at("E6"), minor="4", tiles=tiles, cash={"4": 100})
    assert (skipped(game, "4"), done(game, "4")) == (0, 0)


@pytest.mark.rule("18Mag XI.2.2/7", "18Mag XI.2.2/1")
def test_a_first_entry_that_one_station_closes_for_good_does_not_freeze_a_card() -> None:
    """Minor 2 is at home in Nyíregyháza, and one station more fills it: minor 6 goes on with its exchange."""
    tiles = {**printed(12), "B15": ("15", 0)}
    particulars: dict[str, Any] = {"minor": "6", "mine": ("2", "11"), "tiles": tiles, "cash": {"6": 200}}
    frozen, goes_on = (
        acting(at("B15"), SWAP_3, stations={"B15.0": ["11"]}, rulings=rulings, **particulars) for rulings in (WAITS, {})
    )
    assert (done(frozen, "6"), faces(frozen, "6")) == (0, ["2"])
    assert (done(goes_on, "6"), faces(goes_on, "6")) == (2, ["3"])


# Trains


ALL = len(deck().companies[9].actions)


def of_three(entry: dict[str, Any], minor: str, **particulars: Any) -> Game:
    """István has minors 2, 4 and 7. One has a turn with a card of its own; the other cards are empty."""
    his = {"2": 9, "4": 9, "7": 9} | {minor: PLAIN}
    defaults = {
        "his": his,
        "deck": with_entries(entry, SWAP_3, number=PLAIN),
        "done": {other: ALL for other in his if other != minor},
        "mine": ("11", "6"),
    }
    return acting(minor=minor, **{**defaults, **particulars})


@pytest.mark.rule("18Mag XI.2.2/10", "18Mag XI.2.2/1")
def test_a_2_train_that_no_higher_minor_will_ever_have_is_skipped() -> None:
    """Minors 4 and 7 have exchanged theirs, and their cards are done."""
    exchanged = {"4": ["3"], "7": ["3", "3"]}
    assert skipped(of_three(UP, "2", trains=exchanged)) == 1
    assert skipped(of_three(UP, "2", trains=exchanged, rulings=WAITS)) == 0
    for number in (9, 16):
        his = {"2": PLAIN, "4": number, "7": 9}
        game = of_three(UP, "2", his=his, trains=exchanged, done={"4": 0, "7": ALL})
        assert (skipped(game), done(game, "2")) == (0, 0), "minor 4 begins with a 2-train, from the bank or of minor 7"


@pytest.mark.rule("18Mag XI.2.2/3", "18Mag XI.2.2/10")
@pytest.mark.parametrize(
    ("card", "trains", "money", "waits"),
    [(16, [], 80, True), (16, [], 79, False), (16, ["3"], 80, False), (9, [], 80, False)],
)
def test_a_2_train_of_the_standing_order_is_waited_for(card: int, trains: list[str], money: int, waits: bool) -> None:
    """The card of minor 4 is done. With a red one it will have a 2-train if it has the money and no train at all."""
    his, entries = {"2": PLAIN, "4": card}, {"4": len(deck().companies[card].actions)}
    game = of_three(UP, "2", his=his, trains={"4": trains}, done=entries, cash={"4": money})
    assert skipped(game) == (0 if waits else 1)


@pytest.mark.rule("18Mag XI.2.2/11", "18Mag XI.2.2/1")
def test_a_2_train_of_a_higher_or_lower_minor_that_none_will_have_is_skipped() -> None:
    nobody = {"2": ["3"], "7": ["3"]}
    assert skipped(of_three(UP_OR_DOWN, "4", trains=nobody), "4") == 1
    one = of_three(UP_OR_DOWN, "4", trains={"7": ["3"]})
    assert (skipped(one, "4"), done(one, "4")) == (0, 0), "minor 2 has one, and 80 Ft may come"


@pytest.mark.rule("18Mag XI.2.2/11", "18Mag XI.2.2/1")
@pytest.mark.parametrize(("money", "bought", "given_up"), [(79, False, True), (80, True, False)])
def test_without_a_train_a_2_train_of_a_lower_minor_must_be_paid_at_once(
    money: int, bought: bool, given_up: bool
) -> None:
    game = of_three(UP_OR_DOWN, "4", trains={"4": (), "7": ["3"]}, cash={"4": money})
    assert faces(game, "4") == (["2"] if bought else [])
    assert (skipped(game, "4") > 0) == given_up


@pytest.mark.rule("18Mag XI.2.2/6", "18Mag XI.2.2/1")
def test_a_train_for_which_there_will_never_be_room_is_skipped() -> None:
    """Two trains stay where they are, unless another minor of his may buy one."""
    full = {"4": ["2", "3"]}
    for entry in (BUY_3, UP, UP_OR_DOWN):
        assert skipped(of_three(entry, "4", trains=full, cash={"4": 50}), "4") == 1
        assert skipped(of_three(entry, "4", trains=full, cash={"4": 50}, rulings=WAITS), "4") == 0


@pytest.mark.rule("18Mag XI.2.2/6", "18Mag XI.2.2/10")
@pytest.mark.parametrize(("trains", "done", "waits"), [("23", 0, True), ("23", 1, False), ("33", 0, False)])
def test_room_is_waited_for_while_another_minor_may_buy_a_2_train(trains: str, done: int, waits: bool) -> None:
    """The card of minor 2 begins with a 2-train of a higher minor."""
    cards = with_entries(BUY_3, number=PLAIN)
    game = acting(minor="4", his={"2": 16, "4": PLAIN}, deck=cards, trains={"4": list(trains)}, done={"2": done})
    assert skipped(game, "4") == (0 if waits else 1)


@pytest.mark.rule("18Mag XI.2.2/6", "18Mag XI.2.2/1")
@pytest.mark.parametrize(("red", "trains", "given_up"), [(False, [], True), (False, ["2"], False), (True, [], False)])
def test_a_train_that_can_never_be_paid_is_skipped(red: bool, trains: list[str], given_up: bool) -> None:
    """With 90 Ft and no train there will never be 120 Ft; but the standing order would buy a 2-train first."""
    game = acting(BUY_3, BUY_2, red=red, tiles=EAST, trains={"2": trains}, cash={"2": 90})
    assert skipped(game) == (1 if given_up else 0)
    assert faces(game, "2") == ["2"], "the one that it had, that comes next on the card, or of the standing order"


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.2.2/1")
@pytest.mark.parametrize(
    ("trains", "red", "given_up"),
    [(["3"], False, True), (["3"], True, True), ([], False, True), (["2"], False, False), (["2", "3"], False, False)],
)
def test_an_exchange_without_a_2_train_is_skipped(trains: list[str], red: bool, given_up: bool) -> None:
    game = acting(SWAP_3, at("C14"), red=red, tiles=EAST, trains={"2": trains}, cash={"2": 50})
    assert skipped(game) == (1 if given_up else 0)
    assert stationed(game, "2") == (["C14"] if given_up else [])


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.2.2/3", "18Mag XI.2.2/1")
def test_an_exchange_that_was_begun_and_can_never_be_paid_is_given_up() -> None:
    """The only train was scrapped for 119 Ft, by the ruling; without the standing order nothing more comes in."""
    game = acting(SWAP_3, BUY_2, minor="7", tiles=SOUTH, turns=2, cash={"7": 10 + 119}, rulings=AT_ONCE)
    assert (skipped(game, "7"), faces(game, "7"), board_of_his(game).swaps) == (1, ["2"], {})


@pytest.mark.rule("18Mag XI.2.2/3")
def test_without_train_or_money_a_red_card_skips_nothing() -> None:
    game = acting(BUY_3, red=True, turns=2, trains={"2": ()}, cash={"2": 79})
    assert (skipped(game), done(game, "2"), faces(game, "2")) == (0, 0, [])
