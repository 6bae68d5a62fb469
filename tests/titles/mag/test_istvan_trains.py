"""István's trains: exchanges, trade among his minors, and card 16 from beginning to end (18Mag XI.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan
from ostbahn.titles.mag.actions import OfferForTrain
from ostbahn.titles.mag.state import EndTurn, PurchaseTrains, Rounds
from tests.titles.mag.share_scenes import is_offered, refusal_rule
from tests.titles.mag.solo_scenes import (
    BUY_3,
    FEE,
    HIM,
    PLAIN,
    SOUTH,
    SWAP_3,
    SWAP_4,
    UP,
    UP_OR_DOWN,
    acting,
    board_of_his,
    cash_of,
    deck,
    done,
    events,
    faces,
    moved,
    payments,
    printed,
    solo_scene,
    state_of,
    stationed,
    with_entries,
)

AT_ONCE = {"istvan_scraps": "whenever above the threshold"}


def bought(game: Game, minor: str) -> list[str]:
    """Trains that came from the stacks to a minor."""
    return [face for face, source, target in moved(game, minor) if source == "stack" and target == minor]


def scrapped(game: Game, minor: str) -> list[str]:
    return [face for face, source, target in moved(game, minor) if source == minor and not target.isdecimal()]


# Exchanges


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.2.2/9")
@pytest.mark.parametrize(("entry", "cash", "face"), [(SWAP_3, 96, "3"), (SWAP_4, 176, "4")])
def test_above_the_threshold_a_2_train_is_exchanged(entry: dict[str, Any], cash: int, face: str) -> None:
    """The other 2-train earns 50, so half of it completes the price and 1 Ft is left."""
    game = acting(entry, minor="7", tiles=SOUTH, trains={"7": ["2", "2"]}, cash={"7": FEE + cash})
    assert (scrapped(game, "7"), bought(game, "7")) == (["2"], [face])
    assert (faces(game, "7"), cash_of(game, "7"), done(game, "7")) == (["2", face], 1, 1)
    assert (state_of(game).revenue["7"], cash_of(game, HIM)) == (50, 25)
    assert [event.phase for event in events(game, PhaseBegan)] == ["green"]


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.2.2/9")
@pytest.mark.parametrize(("entry", "cash"), [(SWAP_3, 95), (SWAP_4, 175)])
@pytest.mark.parametrize("rulings", [{}, AT_ONCE], ids=["default", "at once"])
def test_with_exactly_the_threshold_nothing_happens(entry: dict[str, Any], cash: int, rulings: dict[str, str]) -> None:
    game = acting(entry, minor="7", tiles=SOUTH, trains={"7": ["2", "2"]}, cash={"7": FEE + cash}, rulings=rulings)
    assert (moved(game, "7"), done(game, "7"), faces(game, "7")) == ([], 0, ["2", "2"])


@pytest.mark.rule("18Mag XI.2.2/8")
def test_even_the_only_train_is_exchanged() -> None:
    """Nothing runs then."""
    game = acting(SWAP_3, minor="7", tiles=SOUTH, cash={"7": FEE + 120})
    assert (faces(game, "7"), cash_of(game, "7"), state_of(game).revenue["7"]) == (["3"], 0, 0)


@pytest.mark.rule("18Mag XI.2.2/8")
def test_the_exchange_waits_until_the_price_can_be_paid_after_the_run() -> None:
    """119 Ft are above the threshold, but without its only train minor 7 would earn nothing."""
    waits = acting(SWAP_3, minor="7", tiles=SOUTH, cash={"7": FEE + 119})
    assert (moved(waits, "7"), state_of(waits).revenue["7"]) == ([], 50)
    assert cash_of(waits, "7") == 119 + 25
    follows = acting(SWAP_3, minor="7", turns=2, tiles=SOUTH, cash={"7": FEE + 119})
    assert (faces(follows, "7"), cash_of(follows, "7")) == (["3"], 144 - FEE - 120)


@pytest.mark.rule("18Mag XI.2.2/8")
def test_by_the_other_ruling_the_train_is_scrapped_and_the_purchase_stays_open() -> None:
    game = acting(SWAP_3, minor="7", tiles=SOUTH, cash={"7": FEE + 119}, rulings=AT_ONCE)
    assert (scrapped(game, "7"), bought(game, "7"), faces(game, "7")) == (["2"], [], [])
    assert (done(game, "7"), cash_of(game, "7"), state_of(game).revenue["7"]) == (0, 119, 0)
    later = acting(
        SWAP_3, minor="7", trains={"7": ()}, swaps=board_of_his(game).swaps, cash={"7": 120}, rulings=AT_ONCE
    )
    assert (faces(later, "7"), cash_of(later, "7"), done(later, "7")) == (["3"], 0, 1)
    assert not board_of_his(later).swaps


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.2.2/4")
def test_the_help_of_raba_counts_for_what_can_be_paid() -> None:
    """From Sopron to Bécs for 70 with the bonus: 96 - 10 + 35 is just enough."""
    tiles = {"B3": ("6", 2)}
    game = acting(SWAP_3, minor="11", mine=("2",), tiles=tiles, trains={"11": ["2", "2"]}, cash={"11": FEE + 96})
    assert (faces(game, "11"), cash_of(game, "11")) == (["2", "3"], 1)


@pytest.mark.rule("18Mag XI.2.2/8")
def test_only_a_2_train_is_scrapped() -> None:
    game = acting(SWAP_3, trains={"2": ["3", "2"]}, cash={"2": 500})
    assert (scrapped(game, "2"), faces(game, "2")) == (["2"], ["3", "3"])
    without = acting(SWAP_3, turns=2, trains={"2": ["3"]}, cash={"2": 500})
    assert moved(without, "2") == []


@pytest.mark.rule("18Mag XI.2.2/8")
def test_two_exchanges_take_two_turns() -> None:
    """A train is scrapped before the run and bought after it."""
    game = acting(SWAP_3, SWAP_4, trains={"2": ["2", "2"]}, cash={"2": 500})
    assert (done(game, "2"), faces(game, "2")) == (1, ["2", "3"])


@pytest.mark.rule("18Mag XI.2.2/3", "18Mag XI.2.2/8")
@pytest.mark.parametrize("rulings", [{}, AT_ONCE], ids=["default", "at once"])
def test_an_exchange_under_way_comes_before_the_standing_order(rulings: dict[str, str]) -> None:
    """The only train is scrapped; 200 Ft would pay for a 2-train as well, but it is not without a train."""
    game = acting(SWAP_3, red=True, turns=2, cash={"2": FEE + 200}, rulings=rulings)
    assert (scrapped(game, "2"), bought(game, "2")) == (["2"], ["3"])


@pytest.mark.rule("18Mag XI.2.2/3", "18Mag XI.2.2/8")
def test_without_money_for_the_exchange_the_standing_order_buys_a_2_train_meanwhile() -> None:
    """The only train is scrapped and 110 Ft are there; the new 2-train earns what the 3-train costs."""
    first = acting(SWAP_3, red=True, minor="7", tiles=SOUTH, cash={"7": FEE + 110}, rulings=AT_ONCE)
    assert (scrapped(first, "7"), bought(first, "7"), cash_of(first, "7")) == (["2"], ["2"], 30)
    assert (done(first, "7"), board_of_his(first).swaps) == (0, {"7": "3"}), "the exchange is still under way"
    later = acting(SWAP_3, red=True, minor="7", tiles=SOUTH, turns=8, cash={"7": FEE + 110}, rulings=AT_ONCE)
    assert (scrapped(later, "7"), faces(later, "7"), done(later, "7")) == (["2"], ["2", "3"], 1)


@pytest.mark.rule("18Mag XI.2.2/1", "18Mag XI.2.2/6")
def test_a_purchase_after_an_exchange_is_made_as_soon_as_there_is_room_and_money() -> None:
    """The exchange is done completely in the step in which trains are bought, so the next entry can begin there."""
    game = acting(SWAP_3, BUY_3, cash={"2": FEE + 240})
    assert (done(game, "2"), faces(game, "2"), cash_of(game, "2")) == (2, ["3", "3"], 0)


# Trade among his own minors


def trading(entry: Mapping[str, Any], minor: str, **particulars: Any) -> Game:
    """István has minors 2, 4 and 7, and one of them has a turn."""
    return acting(entry, minor=minor, **{"his": {"2": 5, "4": 5, "7": 5}, "mine": ("11", "6"), **particulars})


@pytest.mark.rule("18Mag XI.2.2/10")
def test_a_2_train_is_bought_from_the_next_higher_minor_for_30() -> None:
    game = trading(UP, "2", cash={"2": FEE + 30})
    assert moved(game, "2") == [("2", "4", "2")]
    assert payments(game, target="4") == [("2", "4", 30)]
    assert (done(game, "2"), cash_of(game, "2"), faces(game, "4")) == (1, 0, [])


@pytest.mark.rule("18Mag XI.2.2/10")
def test_the_next_one_that_has_a_2_train_sells() -> None:
    game = trading(UP, "2", trains={"4": ["3"]})
    assert moved(game, "2") == [("2", "7", "2")]


@pytest.mark.rule("18Mag XI.2.2/10")
def test_the_highest_skips_the_entry() -> None:
    game = trading(UP, "7", cash={"7": 200})
    assert (done(game, "7"), moved(game, "7"), cash_of(game, "7")) == (1, [], 200 - FEE)


@pytest.mark.rule("18Mag XI.2.2/10")
@pytest.mark.parametrize(
    "hindrance",
    [{"trains": {"2": ["3"], "7": ["3"]}}, {"trains": {"4": ["2", "3"]}}, {"cash": {"4": FEE + 29}}],
    ids=["seller", "room", "money"],
)
def test_without_seller_room_or_money_the_entry_waits(hindrance: dict[str, Any]) -> None:
    """Minor 7 will have another 2-train, by its own card, and minor 2 may buy one of minor 4."""
    deck = with_entries(UP, number=PLAIN)
    cards = {"2": PLAIN, "4": PLAIN, "7": 9}
    game = trading(UP, "4", his=cards, deck=deck, **hindrance)
    assert (done(game, "4"), moved(game, "4")) == (0, [])


@pytest.mark.rule("18Mag XI.2.2/10")
def test_istvan_buys_from_nobody_else() -> None:
    """Minor 4 has the highest number of his; those of the human do not count."""
    game = acting(UP, minor="4", his={"2": 5, "4": 5}, mine=("11", "6", "7"))
    assert (done(game, "4"), moved(game, "4")) == (1, [])


@pytest.mark.rule("18Mag XI.2.2/10")
def test_the_human_cannot_buy_trains_of_istvan() -> None:
    agenda = [Rounds(2, 1, 1), EndTurn("11"), PurchaseTrains("11")]
    game = solo_scene(his={"2": 9}, mine=("11", "6"), agenda=agenda)
    cards = {minor: state_of(game).trains[minor][0].card for minor in ("2", "6")}
    assert refusal_rule(game, OfferForTrain(cards["2"], 30)) == "18Mag XI.2.2/10"
    assert not is_offered(game, OfferForTrain(cards["2"], 1))
    game.apply(OfferForTrain(cards["6"], 1))
    assert faces(game, "11") == ["2", "2"], "with his own minors the human may trade"


@pytest.mark.rule("18Mag XI.2.2/11")
def test_up_or_down_tries_higher_minors_first() -> None:
    game = trading(UP_OR_DOWN, "4", cash={"4": FEE + 80})
    assert (moved(game, "4"), payments(game, target="7")) == ([("2", "7", "4")], [("4", "7", 30)])


@pytest.mark.rule("18Mag XI.2.2/11")
@pytest.mark.parametrize(
    ("minor", "trains", "seller"), [("7", {}, "4"), ("7", {"4": ["3"]}, "2"), ("4", {"7": ["3"]}, "2")]
)
def test_otherwise_the_nearest_lower_one_sells_for_80(minor: str, trains: dict[str, Any], seller: str) -> None:
    game = trading(UP_OR_DOWN, minor, trains=trains, cash={minor: FEE + 80})
    assert moved(game, minor) == [("2", seller, minor)]
    assert payments(game, target=seller) == [(minor, seller, 80)]
    assert (done(game, minor), cash_of(game, minor)) == (1, 0)


@pytest.mark.rule("18Mag XI.2.2/11")
def test_the_highest_does_not_skip_this_entry_and_waits_for_80() -> None:
    game = trading(UP_OR_DOWN, "7", cash={"7": FEE + 79})
    assert (done(game, "7"), moved(game, "7")) == (0, [])


# Card 16


@pytest.mark.rule("18Mag XI.2.2/12")
def test_card_16_is_as_the_rulebook_shows_it() -> None:
    card = deck().companies[16]
    assert (card.colour, card.minor, card.provenance, card.standing) == ("red", 2, "printed", ("no_train_buy_2",))
    assert [entry.do for entry in card.actions] == ["buy_2_up", "swap_over", "swap_over", "station", "station"]
    assert card.actions[0].price == 30
    assert [entry.threshold for entry in card.actions[1:3]] == [95, 95]
    assert [(entry.city, entry.hex) for entry in card.actions[3:]] == [("Debreczen", "C14"), ("Szolnok", "C10")]
    assert card.setup == ()


@pytest.mark.rule("18Mag XI.2.2/12", "18Mag XI.2.2/1")
@pytest.mark.parametrize(
    ("turns", "trains", "stations"),
    [
        (1, ["2", "2"], []),
        (2, ["2", "3"], []),
        (3, ["3", "3"], []),
        (4, ["3", "3"], ["C14"]),
        (5, ["3", "3"], ["C14", "C10"]),
        (6, ["3", "3"], ["C14", "C10"]),
    ],
)
def test_card_16_is_carried_out_step_by_step(turns: int, trains: list[str], stations: list[str]) -> None:
    """No tile is left in the supply, so that nobody is asked about promotions in between."""
    tiles = printed(16)
    supply = dict.fromkeys(state_of(acting()).supply, 0)
    game = solo_scene(
        his={"2": 16, "4": 18}, turns=["2"] * turns, tiles=tiles, cash={"2": 600}, supply=supply, mine=("11",)
    )
    assert (faces(game, "2"), stationed(game, "2"), done(game, "2")) == (trains, stations, min(turns, 5))
    assert payments(game, target="4") == [("2", "4", 30)]


@pytest.mark.rule("18Mag XI.2.2/12", "18Mag XI.2.2/3")
def test_card_16_begins_with_the_standing_order() -> None:
    game = solo_scene(his={"2": 16, "4": 18}, turns=["2"], trains={"2": ()}, cash={"2": 110})
    assert moved(game, "2") == [("2", "stack", "2"), ("2", "4", "2")]
    assert (done(game, "2"), cash_of(game, "2")) == (1, 0)
