"""Who directs a major (18Mag VII.6, and the exchange for a director share in III.3.3)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import DirectorChanged, Paid, PriceMoved
from ostbahn.titles.mag.actions import BuyShare, PayDividend, SellShares
from ostbahn.titles.mag.state import LayTrack, PayOut
from tests.titles.mag.scenes import scene
from tests.titles.mag.share_scenes import (
    answer_all,
    cards_held,
    cash_of,
    director_of,
    events_of,
    is_offered,
    on_charter,
    percent_of,
    price_of,
    question_of,
    refusal_rule,
    stock_scene,
)


def sik(percents: dict[str, int], director: str, in_turn: str = "p1", order: str = "123") -> Game:
    """A Share Round with SIK shared out as said; the director's percentage includes the director share."""
    shares = {player: percent // 10 - (2 if player == director else 0) for player, percent in percents.items()}
    return stock_scene(
        in_turn,
        directors={"SIK": director},
        shares={"SIK": shares},
        cash=dict.fromkeys(("p1", "p2", "p3"), 400),
        order=tuple(f"p{seat}" for seat in order),
    )


# The first director


@pytest.mark.rule("18Mag S.4/2", "18Mag III.3.3/3")
def test_the_first_with_two_shares_must_exchange_them() -> None:
    """A and B have 10% of RÁBA each, and B buys a second share."""
    game = stock_scene("p2", shares={"RÁBA": {"p1": 1, "p2": 1}}, cash={"p2": 70})
    assert on_charter(game, "RÁBA") == 6
    record = game.apply(BuyShare("RÁBA"))
    assert director_of(game, "RÁBA") == "p2"
    assert (cards_held(game, "p2", "RÁBA"), cards_held(game, "p1", "RÁBA")) == ((1, 0), (0, 1))
    assert on_charter(game, "RÁBA") == 7, "one was bought and two came back"
    assert cash_of(game, "p2") == 0
    assert [(change.before, change.after) for change in events_of(DirectorChanged, [record])] == [(BANK, "p2")]
    assert not events_of(PriceMoved, [record])


@pytest.mark.rule("18Mag III.3.3/3")
def test_the_shares_of_the_exchange_are_for_sale_again() -> None:
    """All eight shares end up with players, because those two are sold once more."""
    game = stock_scene(
        players=4, shares={"SIK": {"p1": 1, "p2": 1, "p3": 1, "p4": 1}}, cash={f"p{n}": 400 for n in range(1, 5)}
    )
    game.apply(BuyShare("SIK"))
    assert on_charter(game, "SIK") == 5
    for _ in range(5):
        game.apply(BuyShare("SIK"))
    assert on_charter(game, "SIK") == 0
    assert sum(percent_of(game, f"p{n}", "SIK") for n in range(1, 5)) == 100


@pytest.mark.rule("18Mag S.4/2", "18Mag III.3.3/3")
def test_only_the_first_exchanges() -> None:
    game = sik({"p1": 20, "p2": 10}, "p1", in_turn="p2")
    game.apply(BuyShare("SIK"))
    assert director_of(game, "SIK") == "p1"
    assert cards_held(game, "p2", "SIK") == (0, 2)


@pytest.mark.rule("18Mag III.3.3/3")
def test_shares_are_bought_one_by_one() -> None:
    game = stock_scene(cash={"p1": 500})
    game.apply(BuyShare("SIK"))
    assert percent_of(game, "p1", "SIK") == 10
    assert refusal_rule(game, BuyShare("SIK"), by="p1") == "18Mag VII.2/1"


# Who comes to own more


@pytest.mark.rule("18Mag VII.6/1")
@pytest.mark.parametrize(
    ("director", "challenger", "follows"), [(20, 10, False), (20, 20, True), (30, 20, False), (30, 30, True)]
)
def test_more_than_the_director_is_needed_and_as_much_is_not_enough(
    director: int, challenger: int, follows: bool
) -> None:
    game = sik({"p1": director, "p2": challenger}, "p1", in_turn="p2")
    game.apply(BuyShare("SIK"))
    assert director_of(game, "SIK") == ("p2" if follows else "p1")


@pytest.mark.rule("18Mag VII.6/1")
def test_a_sale_of_the_director_can_make_somebody_else_the_largest() -> None:
    game = sik({"p1": 40, "p2": 30}, "p1")
    game.apply(SellShares("SIK", 10))
    assert director_of(game, "SIK") == "p1", "30% and 30%"
    lower = sik({"p1": 40, "p2": 30}, "p1")
    lower.apply(SellShares("SIK", 20))
    assert (director_of(lower, "SIK"), percent_of(lower, "p1", "SIK")) == ("p2", 20)


@pytest.mark.rule("18Mag VII.6/2")
def test_the_director_share_is_exchanged_for_two_shares() -> None:
    game = sik({"p1": 20, "p2": 20}, "p1", in_turn="p2")
    price = price_of(game, "SIK")
    record = game.apply(BuyShare("SIK"))
    assert cards_held(game, "p2", "SIK") == (1, 1)
    assert cards_held(game, "p1", "SIK") == (0, 2)
    assert price_of(game, "SIK") == price
    assert not events_of(PriceMoved, [record])
    assert [(paid.source, paid.target) for paid in events_of(Paid, [record])] == [("p2", BANK)]


@pytest.mark.rule("18Mag VII.6/2", "18Mag III.3.3/1")
def test_the_new_director_decides_from_now_on() -> None:
    game = scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 2}}, cash={"SIK": 50}, agenda=[PayOut("SIK")])
    assert question_of(game).decider == "p2"
    assert refusal_rule(game, PayDividend(0), by="p1") == "18Mag IV/2"


# Stepping down


@pytest.mark.rule("18Mag VII.6/3")
def test_only_a_sale_takes_the_post_from_its_holder() -> None:
    game = sik({"p1": 30, "p2": 20}, "p1")
    given_up = []
    for option in question_of(game):
        twin = game.copy()
        twin.apply(option.action)
        if director_of(twin, "SIK") != "p1":
            given_up.append(option.action)
    assert given_up == [SellShares("SIK", 20), SellShares("SIK", 30)]


@pytest.mark.rule("18Mag VII.6/3")
@pytest.mark.parametrize(("other", "answer"), [(20, "allowed"), (10, "18Mag VII.4/2")])
def test_another_player_must_have_20_percent(other: int, answer: str) -> None:
    game = sik({"p1": 30, "p2": other}, "p1")
    assert is_offered(game, SellShares("SIK", 10))
    for sale in (20, 30):
        assert refusal_rule(game, SellShares("SIK", sale)) == answer
        assert is_offered(game, SellShares("SIK", sale)) == (answer == "allowed")


@pytest.mark.rule("18Mag VII.6/3", "18Mag VII.4/4")
def test_what_the_old_director_gets_for_his_share_can_be_sold_at_once() -> None:
    game = sik({"p1": 30, "p2": 20}, "p1")
    charter = on_charter(game, "SIK")
    game.apply(SellShares("SIK", 20))
    assert cards_held(game, "p1", "SIK") == (0, 1)
    assert cards_held(game, "p2", "SIK") == (1, 0)
    assert on_charter(game, "SIK") == charter + 2
    assert (cash_of(game, "p1"), cash_of(game, "p2")) == (400 + 2 * 70, 400)


@pytest.mark.rule("18Mag VII.6/3")
@pytest.mark.parametrize("sale", [20, 30, 40])
def test_the_largest_of_the_others_takes_over(sale: int) -> None:
    game = sik({"p1": 40, "p2": 20, "p3": 30}, "p1")
    game.apply(SellShares("SIK", sale))
    assert director_of(game, "SIK") == "p3"
    assert (percent_of(game, "p1", "SIK"), percent_of(game, "p3", "SIK")) == (40 - sale, 30)


@pytest.mark.rule("18Mag VII.6/3")
def test_a_director_cannot_step_down_outside_share_rounds() -> None:
    game = scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": 1, "p2": 3}}, agenda=[LayTrack("1")])
    assert refusal_rule(game, SellShares("SIK", 20)) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VII.6/4")
@pytest.mark.parametrize(
    ("order", "director", "successor"),
    [("123", "p1", "p2"), ("123", "p2", "p3"), ("123", "p3", "p1"), ("132", "p1", "p3"), ("132", "p2", "p1")],
)
@pytest.mark.parametrize("sale", [10, 20, 30])
def test_among_equals_the_next_after_the_old_director_takes_over(
    order: str, director: str, successor: str, sale: int
) -> None:
    game = sik(dict.fromkeys(("p1", "p2", "p3"), 30), director, director, order)
    game.apply(SellShares("SIK", sale))
    assert director_of(game, "SIK") == successor


@pytest.mark.rule("18Mag VII.6/1", "18Mag VII.5/2")
def test_who_sold_a_directorship_cannot_buy_it_back_in_the_same_round() -> None:
    game = sik({"p1": 30, "p2": 20}, "p1")
    answer_all(game, SellShares("SIK", 30), Pass(), Pass(), Pass())
    assert question_of(game).decider == "p1"
    assert refusal_rule(game, BuyShare("SIK")) == "18Mag VII.5/2"
