"""Sale of shares (18CZ VII.6)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, director
from ostbahn.titles.cz.actions import BuyLocal, BuyShare, OfferForLocal, SellLocal, SellShares
from ostbahn.titles.cz.state import Timetable
from tests.titles.cz.looking import answer_all, asked, cash_of, percent_of, price_of, refused_by, stack_at
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

FIRST_SR, SECOND_SR = 0, 3
"""Boxes of the process track."""


def austrian_scene() -> Game:
    """kk at 100, all of it in players' hands: p1 directs it with 60%, p2 has 40%."""
    return scene(
        phase="d",
        cash=dict.fromkeys(("p1", "p2", "p3"), 1000),
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 4, "p2": 4}},
        agenda=[stock_round("p1")],
    )


@pytest.mark.rule("18CZ VII.6/1")
def test_the_bank_takes_back_any_number_of_shares() -> None:
    game = austrian_scene()
    answer_all(game, SellShares("kk", 40), Pass(), SellShares("kk", 40))
    assert percent_of(game, BANK, "kk") == 80
    assert price_of(game, "kk") == 90


@pytest.mark.rule("18CZ VII.6/1")
def test_shares_sold_are_on_sale_again_at_the_current_price() -> None:
    game = austrian_scene()
    answer_all(game, SellShares("kk", 40), Pass(), SellShares("kk", 40), Pass(), BuyShare("kk"))
    assert percent_of(game, "p3", "kk") == 10
    assert cash_of(game, "p3") == 1000 - 90


@pytest.mark.rule("18CZ VII.6/2")
def test_two_shares_of_twenty_percent_at_70_bring_140() -> None:
    game = scene(phase="b", started={"BN": (70, "p1")}, shares={"BN": {"p2": 2}}, agenda=[stock_round("p2")])
    game.apply(SellShares("BN", 40))
    assert cash_of(game, "p2") == 380 + 140
    assert percent_of(game, "p2", "BN") == 0


@pytest.mark.rule("18CZ VII.6/2")
@pytest.mark.parametrize("percent", [-10, 0, 5, 15, 50])
def test_only_whole_shares_that_one_has_are_sold(percent: int) -> None:
    game = austrian_scene()
    game.apply(Pass())
    assert refused_by(game, SellShares("kk", percent)) == "18CZ VII.6/2"


@pytest.mark.rule("18CZ VII.6/3")
@pytest.mark.parametrize(("percent", "received"), [(10, 100), (30, 300), (40, 400)])
def test_a_block_is_paid_at_the_price_before_the_fall(percent: int, received: int) -> None:
    game = austrian_scene()
    game.apply(SellShares("kk", percent))
    assert cash_of(game, "p1") == 1000 + received
    assert price_of(game, "kk") == 95


@pytest.mark.rule("18CZ VII.6/4")
@pytest.mark.parametrize(
    ("box", "name", "answer"), [(FIRST_SR, "SR 1", "18CZ VII.6/4"), (SECOND_SR, "SR 2", "allowed")]
)
def test_nothing_is_sold_in_the_very_first_stock_round(box: int, name: str, answer: str) -> None:
    game = scene(started={"EKJ": (60, "p2")}, shares={"EKJ": {"p1": 1}}, agenda=[Timetable(box)])
    assert state_of(game).round == name
    assert refused_by(game, SellShares("EKJ", 25)) == answer
    assert bool(asked(game).only(SellShares)) == (answer == "allowed")


@pytest.mark.rule("18CZ VII.6/4")
def test_nor_on_later_turns_of_the_first_stock_round() -> None:
    game = scene(started={"EKJ": (60, "p2")}, agenda=[Timetable(FIRST_SR)])
    answer_all(game, BuyShare("EKJ"), Pass(), Pass())
    assert refused_by(game, SellShares("EKJ", 25)) == "18CZ VII.6/4"


@pytest.mark.rule("18CZ VII.6/5")
@pytest.mark.parametrize("percent", [25, 50])
def test_a_sole_shareholder_cannot_sell_the_directors_certificate(percent: int) -> None:
    game = scene(started={"EKJ": (60, "p1")}, agenda=[stock_round("p1")])
    assert refused_by(game, SellShares("EKJ", percent)) == "18CZ VII.6/5"
    assert not asked(game).only(SellShares)


@pytest.mark.rule("18CZ VII.6/5")
def test_what_is_sold_are_always_ordinary_certificates() -> None:
    game = austrian_scene()
    sales = asked(game).only(SellShares, company="kk")
    assert len(sales) == 6, "with a successor even 60% can be sold"
    for option in sales:
        twin = game.copy()
        twin.apply(option.action)
        assert director(table_of(twin), "kk") in ("p1", "p2")
        assert percent_of(twin, "p2", "kk") == 40


@pytest.mark.rule("18CZ VII.6/6")
@pytest.mark.parametrize("first", [True, False])
def test_local_railways_stay_in_hand_during_a_stock_round(first: bool) -> None:
    game = scene(
        phase="b",
        started={"EKJ": (60, "p1")},
        shares={"EKJ": {"p1": 1}},
        cash={"EKJ": 240},
        locals_of={"S1": "p1", "L1": "p1"},
        agenda=[stock_round("p1", first)],
    )
    ways: list[Action] = [SellLocal("S1"), OfferForLocal("S1", 1), BuyLocal("S1")]
    assert [refused_by(game, way) for way in ways] == ["18CZ IV.2.a/1"] * 3
    for option in asked(game):
        twin = game.copy()
        twin.apply(option.action)
        assert state_of(twin).locals == {"S1": "p1", "L1": "p1"}


@pytest.mark.rule("18CZ VII.6/7")
@pytest.mark.parametrize("order", [("Sx", "Pr"), ("Pr", "Sx")])
def test_the_seller_chooses_the_order_of_the_sales(order: tuple[str, str]) -> None:
    game = scene(
        phase="d",
        started={"Sx": (100, "p1"), "Pr": (100, "p1")},
        shares={"Sx": {"p1": 1}, "Pr": {"p1": 1}},
        agenda=[stock_round("p1")],
    )
    answer_all(game, *(SellShares(company, 10) for company in order))
    assert stack_at(game, 95) == order
