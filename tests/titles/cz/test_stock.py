"""Stock Rounds: what a turn is, and whose it is (18CZ VII.1, VII.2)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import CertificateMoved, Paid
from ostbahn.titles.cz.actions import BuyShare, PayOut, SellShares, StartCompany
from ostbahn.titles.cz.state import Timetable, UseIncome
from tests.titles.cz.looking import answer_all, asked, cash_of, events_of, percent_of, refused_by
from tests.titles.cz.scenes import scene, state_of, stock_round

SECOND_SR, THIRD_SR = 3, 6
"""Boxes of the process track."""


def prussian_scene(player: str = "p2") -> Game:
    """Pr at 100: p1 directs it with 40%, p2 has 30%; EKJ at 60 is p3's."""
    return scene(
        phase="d",
        started={"Pr": (100, "p1"), "EKJ": (60, "p3")},
        shares={"Pr": {"p1": 2, "p2": 3}},
        agenda=[stock_round(player)],
    )


@pytest.mark.rule("18CZ VII.1/1")
def test_every_deal_is_one_between_the_player_and_the_bank() -> None:
    game = prussian_scene()
    for option in asked(game):
        twin = game.copy()
        events = twin.apply(option.action).events
        moved = events_of(CertificateMoved, events)
        assert all({deal.source, deal.target} == {BANK, "p2"} for deal in moved)
        assert all(BANK in (deal.source, deal.target) for deal in events_of(Paid, events))
        assert bool(moved) == (option.action != Pass())


@pytest.mark.rule("18CZ VII.1/1")
def test_shares_in_other_players_hands_cannot_be_bought() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 4, "p2": 4}},
        agenda=[stock_round("p3")],
    )
    assert refused_by(game, BuyShare("kk")) == "18CZ VII.1/1"


@pytest.mark.rule("18CZ VII.1/2")
def test_the_bank_asks_the_current_price() -> None:
    game = scene(started={"EKJ": (60, "p1")}, prices={"EKJ": 68}, agenda=[stock_round("p2")])
    before = cash_of(game, "p2")
    game.apply(BuyShare("EKJ"))
    assert before - cash_of(game, "p2") == 68


@pytest.mark.rule("18CZ VII.1/3")
@pytest.mark.parametrize("blocks", [[30], [10, 10, 10], [20, 10]])
def test_many_sales_and_one_purchase_make_a_turn(blocks: list[int]) -> None:
    game = prussian_scene()
    answer_all(game, *(SellShares("Pr", percent) for percent in blocks))
    assert percent_of(game, "p2", "Pr") == 0
    assert asked(game).decider == "p2"
    game.apply(BuyShare("EKJ"))
    assert percent_of(game, "p2", "EKJ") == 25
    assert refused_by(game, StartCompany("OFE", 50), by="p2") == "18CZ VII.2/1"
    assert asked(game).decider == "p3"


@pytest.mark.rule("18CZ VII.1/4")
@pytest.mark.parametrize("purchase", [BuyShare("EKJ"), StartCompany("OFE", 50)])
def test_nothing_is_sold_after_a_purchase(purchase: BuyShare | StartCompany) -> None:
    game = prussian_scene()
    assert SellShares("Pr", 10) in asked(game)
    game.apply(purchase)
    assert refused_by(game, SellShares("Pr", 10), by="p2") == "18CZ VII.2/1"


@pytest.mark.rule("18CZ VII.1/5")
def test_whoever_passed_may_act_later_in_the_round() -> None:
    game = scene(agenda=[stock_round("p1")])
    answer_all(game, Pass(), StartCompany("EKJ", 60), Pass())
    assert asked(game).decider == "p1"
    game.apply(BuyShare("EKJ"))
    assert percent_of(game, "p1", "EKJ") == 25


@pytest.mark.rule("18CZ VII.1/5", "18CZ VII.2/2")
def test_turns_without_a_deal_are_passes() -> None:
    game = prussian_scene("p1")
    answer_all(game, Pass(), Pass())
    assert not game.over
    game.apply(Pass())
    assert game.over


@pytest.mark.rule("18CZ VII.2/1")
def test_the_lowest_card_begins_and_the_turn_goes_round_without_snaking() -> None:
    game = scene(players=4, order=("p3", "p1", "p4", "p2"), agenda=[Timetable(SECOND_SR)])
    deciders = []
    for action in (StartCompany("EKJ", 50), Pass(), Pass(), Pass(), StartCompany("OFE", 50), Pass()):
        deciders.append(asked(game).decider)
        game.apply(action)
    assert deciders == ["p3", "p1", "p4", "p2", "p3", "p1"]


@pytest.mark.rule("18CZ VII.2/2")
def test_the_round_ends_when_all_have_passed_one_after_another() -> None:
    game = scene(agenda=[stock_round("p1")])
    answer_all(game, Pass(), Pass(), StartCompany("EKJ", 60), Pass(), Pass())
    assert asked(game).decider == "p3"
    game.apply(Pass())
    assert game.over


@pytest.mark.rule("18CZ VII.2/2")
def test_passes_that_are_not_in_a_row_do_not_end_the_round() -> None:
    game = prussian_scene("p1")
    answer_all(game, Pass(), Pass(), BuyShare("Pr"), Pass(), SellShares("Pr", 10), Pass(), Pass(), Pass())
    assert asked(game).decider == "p2"


@pytest.mark.rule("18CZ VII.2/3")
def test_after_the_round_the_richest_comes_first() -> None:
    game = scene(cash={"p1": 100, "p2": 40, "p3": 70}, agenda=[stock_round("p1")])
    answer_all(game, Pass(), Pass(), Pass())
    assert state_of(game).order == ("p1", "p3", "p2")


@pytest.mark.rule("18CZ VII.2/3")
def test_only_cash_in_hand_counts_for_the_order() -> None:
    game = scene(
        cash={"p1": 100, "p2": 40, "p3": 70},
        started={"EKJ": (70, "p2")},
        locals_of={"L6": "p2", "L5": "p2"},
        debts={"p1": 90},
        agenda=[stock_round("p1")],
    )
    answer_all(game, Pass(), Pass(), Pass())
    assert state_of(game).order == ("p1", "p3", "p2")


@pytest.mark.rule("18CZ VII.2/4")
@pytest.mark.parametrize(
    ("old", "cash", "new"),
    [
        (("p2", "p1", "p3"), {"p1": 50, "p2": 50, "p3": 90}, ("p3", "p2", "p1")),
        (("p3", "p2", "p1"), {"p1": 50, "p2": 50, "p3": 50}, ("p3", "p2", "p1")),
        (("p1", "p3", "p2"), {"p1": 20, "p2": 60, "p3": 60}, ("p3", "p2", "p1")),
    ],
)
def test_equal_cash_keeps_the_old_order(old: tuple[str, ...], cash: dict[str, int], new: tuple[str, ...]) -> None:
    game = scene(order=old, cash=cash, agenda=[stock_round(old[0])])
    answer_all(game, Pass(), Pass(), Pass())
    assert state_of(game).order == new


@pytest.mark.rule("18CZ VII.2/5")
def test_money_from_operating_rounds_does_not_change_the_order() -> None:
    game = scene(
        cash={"p1": 100, "p2": 40, "p3": 70},
        started={"EKJ": (60, "p2")},
        agenda=[Timetable(THIRD_SR), UseIncome("EKJ", 500), stock_round("p1")],
    )
    answer_all(game, Pass(), Pass(), Pass(), PayOut())
    assert cash_of(game, "p2") == max(state_of(game).cash.values())
    assert state_of(game).round == "SR 3"
    assert asked(game).decider == "p1"
    assert state_of(game).order == ("p1", "p3", "p2")
