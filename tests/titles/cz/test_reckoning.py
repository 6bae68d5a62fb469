"""The end of the game and the reckoning (18CZ X)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import TurnBegan, Wealth
from ostbahn.titles.cz.actions import BuyTrain, PayOut
from ostbahn.titles.cz.state import EndTurn, PurchaseTrains, Timetable, UseIncome
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.looking import asked, events_of, price_of
from tests.titles.cz.scenes import scene, state_of, table_of

OR_110, OR_120 = 26, 27
"""Boxes of the process track."""


def idle_companies(box: int) -> Game:
    """Two companies with trains and nowhere to run, before an Operating Round."""
    return scene(
        started={"EKJ": (60, "p1"), "OFE": (55, "p2")},
        trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]},
        stations={"D4.0": ["EKJ"], "C25.0": ["OFE"]},
        agenda=[Timetable(box)],
    )


def turns_to_the_end(game: Game) -> list[str]:
    """Do nothing that is not demanded; whose turns there were on the way."""
    began = events_of(TurnBegan, game.opening)
    for _ in range(100):
        if game.question is None:
            return [event.company for event in began]
        action = Pass() if Pass() in game.question else game.question.options[0].action
        began += events_of(TurnBegan, game.apply(action).events)
    raise AssertionError("the game does not end")


def final(**fields: Any) -> Game:
    """A game whose last Operating Round is about to end with EKJ's turn; nothing happens in it any more."""
    game = scene(phase="d", local_price=120, agenda=[EndTurn("EKJ")], **fields)
    assert game.over
    return game


# X.1


@pytest.mark.rule("18CZ X.1/1")
def test_the_game_ends_after_all_turns_of_the_last_operating_round() -> None:
    game = idle_companies(OR_120)
    assert state_of(game).local_price == 120
    assert turns_to_the_end(game) == ["EKJ", "OFE"]
    assert game.over
    assert game.question is None


@pytest.mark.rule("18CZ X.1/1")
def test_the_round_before_the_last_is_followed_by_another() -> None:
    game = idle_companies(OR_110)
    assert turns_to_the_end(game) == ["EKJ", "OFE"] * 2
    assert cz_title().boxes[-1] == state_of(game).local_price == 120


@pytest.mark.rule("18CZ X.1/2")
def test_neither_a_drained_bank_nor_the_highest_price_ends_the_game() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 4, "p2": 4}},
        prices={"kk": 370},
        cash={"p3": 1_000_000},
        agenda=[Timetable(OR_110), UseIncome("kk", 500_000)],
    )
    game.apply(PayOut())
    assert price_of(game, "kk") == 370
    assert state_of(game).cash[BANK] < -1_500_000
    assert asked(game).company == "kk"
    assert state_of(game).local_price == 110


@pytest.mark.rule("18CZ X.1/2")
def test_a_player_who_cannot_pay_does_not_end_the_game() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 3}},
        cash={"p1": 0},
        agenda=[Timetable(OR_110), PurchaseTrains("kk")],
    )
    game.apply(BuyTrain("d2", "3E"))
    assert state_of(game).debts == {"p1": 250}
    game.apply(Pass())
    assert asked(game).company == "kk"
    assert state_of(game).round == "OR 8.2"


# X.2


@pytest.mark.rule("18CZ X.2/1")
def test_treasury_and_trains_of_companies_count_for_nobody() -> None:
    def companies(**riches: Any) -> Game:
        return final(started={"EKJ": (60, "p1"), "OFE": (60, "p2")}, **riches)

    poor = companies()
    rich = companies(cash={"EKJ": 5000}, trains={"EKJ": [("a1", "2"), ("d1", "3")]}, locals_of={"L1": "EKJ"})
    assert table_of(rich).standings() == table_of(poor).standings() == {"p1": 500, "p2": 500, "p3": 380}


@pytest.mark.rule("18CZ X.2/2")
def test_wealth_is_what_one_has_less_what_one_owes() -> None:
    game = final(
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 2}},
        cash={"p1": 100},
        locals_of={"S1": "p1"},
        debts={"p1": 60},
        penalties={"p1": 60},
    )
    assert table_of(game).standings()["p1"] == 100 + 400 + 120 - 120 == 500


@pytest.mark.rule("18CZ X.2/2")
@pytest.mark.parametrize(
    ("fields", "worth"),
    [
        ({"cash": {"p1": 77}}, 77),
        ({"started": {"EKJ": (60, "p1")}, "prices": {"EKJ": 196}}, 392),
        ({"started": {"EKJ": (60, "p1")}, "shares": {"EKJ": {"p1": 1}}, "prices": {"EKJ": 204}}, 612),
        ({"started": {"BN": (80, "p1")}, "shares": {"BN": {"p1": 1}}, "prices": {"BN": 120}}, 360),
        ({"started": {"kk": (90, "p2")}, "shares": {"kk": {"p1": 1}}, "prices": {"kk": 110}}, 110),
        ({"locals_of": {"S1": "p1"}}, 120),
        ({"locals_of": {"S1": "p1", "L6": "p1", "M1": "p2"}}, 240),
        ({"cash": {"p1": 50}, "debts": {"p1": 30}, "penalties": {"p1": 30}}, -10),
        ({"cash": {"p1": 50}, "penalties": {"p1": 30}}, 20),
        ({"penalties": {"p1": 30}, "debts": {"p2": 40}}, -30),
    ],
    ids=["cash", "Director", "small", "medium", "large", "Local Railway", "two", "debt", "repaid", "another's debt"],
)
def test_each_part_of_a_players_wealth(fields: dict[str, Any], worth: int) -> None:
    game = final(**{"cash": {"p1": 0}, **fields} if "cash" not in fields else fields)
    assert table_of(game).standings()["p1"] == worth


@pytest.mark.rule("18CZ X.2/2")
def test_local_railways_are_worth_120_when_the_last_round_is_over() -> None:
    game = scene(locals_of={"S1": "p3", "M6": "p3"}, cash={"p3": 5}, agenda=[Timetable(OR_120)])
    assert Wealth("p3", 5 + 5 + 10 + 240) in game.opening


@pytest.mark.rule("18CZ X.2/3")
def test_the_greatest_wealth_wins() -> None:
    game = final(cash={"p1": 800, "p2": 900, "p3": 1000})
    assert table_of(game).winners() == ["p3"]
    assert list(table_of(game).standings().items()) == [("p3", 1000), ("p2", 900), ("p1", 800)]


@pytest.mark.rule("18CZ X.2/3")
def test_wealth_and_not_cash_decides() -> None:
    game = final(cash={"p1": 900, "p2": 700, "p3": 0}, started={"EKJ": (60, "p2")}, prices={"EKJ": 120})
    assert table_of(game).winners() == ["p2"]


@pytest.mark.rule("18CZ X.2/3")
def test_equals_share_the_win() -> None:
    game = final(cash={"p1": 900, "p2": 800, "p3": 900})
    assert table_of(game).winners() == ["p1", "p3"]
