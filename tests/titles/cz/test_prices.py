"""Share-price changes (18CZ IX)."""

from __future__ import annotations

import pytest

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PriceMoved
from ostbahn.titles.cz.actions import BuyShare, PayOut, RunTrains, SellShares, Withhold
from ostbahn.titles.cz.state import OperateTrains, UseIncome
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.looking import all_pass, answer_all, cash_of, events_of, price_of, stack_at
from tests.titles.cz.scenes import scene, stock_round, table_of

LOWER = (40, 50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 132, 144, 158, 172, 188, 204, 222, 240, 260, 290, 320, 350)
UPPER = (45, 53, 58, 63, 68, 75, 85, 95, 105, 115, 126, 138, 151, 165, 180, 196, 213, 231, 250, 275, 305, 335, 370)


def with_income(company: str, start: int, price: int, revenue: int = 100) -> Game:
    """A company at a price that has just run its trains."""
    return scene(
        phase="d",
        started={company: (start, "p1")},
        shares={"kk": {"p1": 3}, "BN": {"p1": 1}},
        prices={company: price},
        agenda=[UseIncome(company, revenue)],
    )


def selling(price: int, company: str = "kk", start: int = 90) -> Game:
    """A Stock Round in which p1 may sell up to 40% of a company."""
    return scene(
        phase="d",
        started={company: (start, "p1")},
        shares={"kk": {"p1": 4}, "BN": {"p2": 2}},
        prices={company: price},
        agenda=[stock_round("p1" if company == "kk" else "p2")],
    )


def sold_out(price: int, in_bank: int = 0) -> Game:
    """A Stock Round in which all of kk, or all but so many shares, are in players' hands."""
    return scene(
        phase="d",
        started={"kk": (90, "p1")},
        shares={"kk": {"p1": 4, "p2": 4 - in_bank}},
        prices={"kk": price},
        agenda=[stock_round("p1")],
    )


# IX.1


@pytest.mark.rule("18CZ IX.1/1")
@pytest.mark.parametrize("space", [0, 1, 7, 22, 44, 45])
def test_the_price_is_the_number_under_the_marker(space: int) -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        prices={"EKJ": cz_title().prices[space]},
        agenda=[stock_round("p2")],
    )
    assert chart.position(table_of(game), "EKJ") == space
    game.apply(BuyShare("EKJ"))
    assert cash_of(game, "p2") == 380 - (*LOWER, *UPPER)[space // 2 + len(LOWER) * (space % 2)]


@pytest.mark.rule("18CZ IX.1/2")
def test_the_chart_has_two_rows_of_rising_prices() -> None:
    prices = cz_title().prices
    assert len(prices) == 46
    assert list(prices) == sorted(prices)
    assert prices[0::2] == LOWER
    assert prices[1::2] == UPPER


# IX.2


@pytest.mark.rule("18CZ IX.2/1", "18CZ IX.2/2")
@pytest.mark.parametrize(
    ("company", "start", "before", "after"),
    [
        ("EKJ", 60, 60, 65),
        ("EKJ", 60, 63, 68),
        ("EKJ", 60, 350, 350),
        ("BN", 60, 90, 100),
        ("BN", 60, 370, 370),
        ("kk", 90, 90, 110),
        ("kk", 90, 95, 115),
        ("kk", 90, 320, 350),
        ("kk", 90, 335, 370),
        ("kk", 90, 350, 350),
        ("kk", 90, 370, 370),
    ],
)
def test_a_dividend_moves_the_price_right_in_its_row(company: str, start: int, before: int, after: int) -> None:
    game = with_income(company, start, before)
    game.apply(PayOut())
    assert price_of(game, company) == after


@pytest.mark.rule("18CZ IX.2/3", "18CZ IX.2/4")
@pytest.mark.parametrize(
    ("before", "after"), [(60, 55), (63, 58), (53, 45), (50, 40), (370, 335), (350, 320), (40, 40), (45, 45)]
)
@pytest.mark.parametrize(("company", "start"), [("EKJ", 60), ("BN", 60), ("kk", 90)])
def test_revenue_withheld_moves_the_price_left_in_its_row(company: str, start: int, before: int, after: int) -> None:
    game = with_income(company, start, before)
    game.apply(Withhold())
    assert price_of(game, company) == after


@pytest.mark.rule("18CZ IX.2/3")
@pytest.mark.parametrize("trains", [[], [("a1", "2")]], ids=["no train", "no route"])
@pytest.mark.parametrize(("before", "after"), [(60, 55), (53, 45), (45, 45)])
def test_no_revenue_moves_the_price_left(trains: list[tuple[str, str]], before: int, after: int) -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        prices={"EKJ": before},
        stations={"D4.0": ["EKJ"]},
        trains={"EKJ": trains},
        agenda=[OperateTrains("EKJ")],
    )
    game.apply(RunTrains(()))
    assert price_of(game, "EKJ") == after


# IX.3, sales


@pytest.mark.rule("18CZ IX.3/1")
@pytest.mark.parametrize(("before", "after"), [(60, 58), (58, 55), (100, 95), (95, 90), (370, 350), (350, 335)])
@pytest.mark.parametrize("percent", [10, 30])
def test_a_sale_moves_the_price_to_the_next_lower_one(before: int, after: int, percent: int) -> None:
    game = selling(before)
    game.apply(SellShares("kk", percent))
    assert price_of(game, "kk") == after


@pytest.mark.rule("18CZ IX.3/1")
@pytest.mark.parametrize(("ruling", "after"), [("company and turn", 95), ("block", 90)])
def test_two_sales_of_one_company_in_a_turn_move_it_once(ruling: str, after: int) -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 4}},
        rulings={"price_drop_per": ruling},
        agenda=[stock_round("p1")],
    )
    answer_all(game, SellShares("kk", 10), SellShares("kk", 10))
    assert price_of(game, "kk") == after


@pytest.mark.rule("18CZ IX.3/1")
def test_a_sale_in_another_turn_moves_the_price_again() -> None:
    game = selling(100)
    answer_all(game, SellShares("kk", 10), Pass(), Pass(), Pass(), SellShares("kk", 10))
    assert price_of(game, "kk") == 90


@pytest.mark.rule("18CZ IX.3/2")
@pytest.mark.parametrize(("before", "after"), [(40, 40), (45, 40)])
def test_a_sale_moves_no_marker_from_the_lowest_price(before: int, after: int) -> None:
    game = selling(before)
    record = game.apply(SellShares("kk", 10))
    assert price_of(game, "kk") == after
    assert bool(events_of(PriceMoved, record.events)) == (before != after)


# IX.3, sold out


@pytest.mark.rule("18CZ IX.3/3", "18CZ IX.3/4")
@pytest.mark.parametrize(("before", "after"), [(60, 63), (63, 65), (90, 95), (335, 350), (350, 370), (370, 370)])
def test_a_sold_out_company_rises_to_the_next_higher_price(before: int, after: int) -> None:
    game = sold_out(before)
    answer_all(game, Pass(), Pass())
    assert price_of(game, "kk") == before, "not before the round is over"
    game.apply(Pass())
    assert price_of(game, "kk") == after


@pytest.mark.rule("18CZ IX.3/3")
def test_one_share_in_the_bank_keeps_the_price() -> None:
    game = sold_out(60, in_bank=1)
    all_pass(game)
    assert game.over
    assert price_of(game, "kk") == 60


@pytest.mark.rule("18CZ IX.3/3")
def test_the_last_share_bought_in_the_round_makes_it_sold_out() -> None:
    game = sold_out(60, in_bank=1)
    answer_all(game, Pass(), Pass(), BuyShare("kk"))
    all_pass(game)
    assert price_of(game, "kk") == 63


# IX.3, stacks


@pytest.mark.rule("18CZ IX.3/5")
def test_a_marker_moved_by_being_sold_out_goes_beneath() -> None:
    game = scene(
        started={"EKJ": (60, "p1"), "OFE": (60, "p2"), "BCB": (60, "p3")},
        shares={"EKJ": {"p2": 2}},
        prices={"OFE": 63, "BCB": 60},
        agenda=[stock_round("p1")],
    )
    all_pass(game)
    assert stack_at(game, 63) == ("OFE", "EKJ")
    assert stack_at(game, 60) == ("BCB",)


@pytest.mark.rule("18CZ IX.3/3", "18CZ IX.3/5")
def test_companies_sold_out_together_move_in_operating_order() -> None:
    game = scene(
        started={"EKJ": (60, "p1"), "OFE": (60, "p1"), "BCB": (60, "p1")},
        shares={company: {"p2": 2} for company in ("EKJ", "OFE", "BCB")},
        prices={"EKJ": 60, "OFE": 60, "BCB": 63},
        agenda=[stock_round("p1")],
    )
    all_pass(game)
    assert stack_at(game, 65) == ("BCB",)
    assert stack_at(game, 63) == ("EKJ", "OFE")


@pytest.mark.rule("18CZ IX.3/5")
@pytest.mark.parametrize(
    ("answer", "before", "after"), [(PayOut(), 60, 65), (Withhold(), 60, 55)], ids=["dividend", "withheld"]
)
def test_a_marker_moved_in_an_operating_round_goes_beneath(answer: PayOut | Withhold, before: int, after: int) -> None:
    game = scene(
        started={"OFE": (after, "p2"), "EKJ": (60, "p1")},
        prices={"EKJ": before},
        agenda=[UseIncome("EKJ", 100)],
    )
    game.apply(answer)
    assert stack_at(game, after) == ("OFE", "EKJ")


@pytest.mark.rule("18CZ IX.3/5")
def test_a_marker_moved_by_a_sale_goes_beneath() -> None:
    game = scene(
        started={"OFE": (60, "p2"), "EKJ": (60, "p1")},
        shares={"EKJ": {"p3": 1}},
        prices={"OFE": 58},
        agenda=[stock_round("p3")],
    )
    game.apply(SellShares("EKJ", 25))
    assert stack_at(game, 58) == ("OFE", "EKJ")


@pytest.mark.rule("18CZ IX.3/5")
@pytest.mark.parametrize(
    ("answer", "end"),
    [(PayOut(), 350), (PayOut(), 370), (Withhold(), 40), (Withhold(), 45)],
    ids=["right end below", "right end above", "left end below", "left end above"],
)
def test_a_marker_that_cannot_move_keeps_its_place(answer: PayOut | Withhold, end: int) -> None:
    game = scene(
        started={"EKJ": (60, "p1"), "OFE": (60, "p2")},
        prices={"EKJ": end, "OFE": end},
        agenda=[UseIncome("EKJ", 100)],
    )
    game.apply(answer)
    assert stack_at(game, end) == ("EKJ", "OFE")


@pytest.mark.rule("18CZ IX.3/5")
def test_markers_at_the_ends_of_the_chart_keep_their_places_in_a_stock_round() -> None:
    game = scene(
        started={"EKJ": (60, "p1"), "OFE": (60, "p2"), "BCB": (60, "p1"), "MW": (60, "p2")},
        shares={"EKJ": {"p2": 2}, "BCB": {"p3": 1}},
        prices={"EKJ": 370, "OFE": 370, "BCB": 40, "MW": 40},
        agenda=[stock_round("p3")],
    )
    game.apply(SellShares("BCB", 25))
    all_pass(game)
    assert stack_at(game, 370) == ("EKJ", "OFE")
    assert stack_at(game, 40) == ("BCB", "MW")
