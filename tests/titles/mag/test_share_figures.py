"""Figures of 18Mag from which players decide about shares, and what stands on cards in the draft and Share Rounds."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyShare, DraftMinor, DraftShare, PayDividend, RunTrains, SellShares
from ostbahn.titles.mag.state import PayOut, Rounds
from ostbahn.views.models import CompanyView, PlayerView
from ostbahn.views.question import ItemView, QuestionView, question_view
from ostbahn.views.title_views import views_of
from tests.selling import most_by_selling
from tests.titles.mag.run_scenes import CITY_20, CITY_30, line, running
from tests.titles.mag.scenes import scene
from tests.titles.mag.share_scenes import (
    answer_all,
    finish_draft,
    new_mag_game,
    play_until,
    price_of,
    question_of,
    stock_scene,
)
from tests.titles.mag.solo_scenes import opening


def player(game: Game, seat: str) -> PlayerView:
    return next(view for view in views_of(game).players(None) if view.seat == seat)


def company(game: Game, id_: str) -> CompanyView:
    return next(view for view in views_of(game).companies() if view.id == id_)


def raised(game: Game) -> list[int | None]:
    return [player(game, seat).can_raise for seat in ("p1", "p2", "p3")]


def shown(game: Game) -> QuestionView:
    view = question_view(game)
    assert view is not None
    return view


def items(game: Game) -> tuple[ItemView, ...]:
    assert game.question is not None
    return views_of(game).items(game.question)


def brief(game: Game, subject: str) -> list[tuple[Any, ...]]:
    """Words, price, and why not."""
    found = []
    for offer in shown(game).offers[subject]:
        assert (offer.index is None) == (offer.refusal is not None)
        reason = "" if offer.refusal is None else f"{offer.refusal.text} ({offer.refusal.rule})"
        found.append((offer.words, offer.price, reason))
    return found


def exchange(seat: str = "p1", **fields: Any) -> Game:
    """SIK at 70: p1 directs it with 40%, p2 has 10%; RÁBA at 80: p3 directs it with 20%, p2 has 20%."""
    given: dict[str, Any] = {
        "prices": {"SIK": 70, "RÁBA": 80},
        "directors": {"SIK": "p1", "RÁBA": "p3"},
        "shares": {"SIK": {"p1": 2, "p2": 1}, "RÁBA": {"p2": 2}},
        "cash": {"p1": 100, "p2": 100, "p3": 100},
    }
    return stock_scene(seat, **{**given, **fields})


# What could be raised


@pytest.mark.rule("18Mag VII.4/2")
@pytest.mark.rule("18Mag VII.4/3")
def test_a_director_share_is_sold_only_if_somebody_can_take_it_over() -> None:
    """p1 keeps the director share of SIK, as nobody else has 20%; p3 hands that of RÁBA over to p2 and sells 20%."""
    assert raised(exchange()) == [2 * 70, 70 + 2 * 80, 2 * 80]


@pytest.mark.rule("18Mag S.4/1")
def test_what_was_sold_in_a_turn_is_not_sold_again_in_it() -> None:
    """p1 has sold 10% of SIK and holds 10% beside the director share, but only in another turn it can be sold."""
    game = exchange()
    game.apply(SellShares("SIK", 10))
    assert player(game, "p1").can_raise == 0
    game.apply(Pass())
    assert player(game, "p1").can_raise == price_of(game, "SIK")


@pytest.mark.parametrize("seat", ["p1", "p2", "p3"])
@pytest.mark.parametrize(
    "shares",
    [
        {"SIK": {"p1": 2, "p2": 1}, "RÁBA": {"p2": 2}},
        {"SIK": {"p1": 1, "p2": 3}, "RÁBA": {"p1": 2, "p3": 1}},
        {"SIK": {"p3": 2}, "RÁBA": {"p3": 3, "p2": 1}, "SNW": {"p1": 1, "p2": 1}},
    ],
)
def test_nobody_can_raise_more_or_less_by_really_selling(seat: str, shares: dict[str, dict[str, int]]) -> None:
    game = exchange(seat, shares=shares)
    assert player(game, seat).can_raise == most_by_selling(game)


@pytest.mark.rule("18Mag XI.4/8")
def test_the_automaton_never_sells() -> None:
    game = opening()
    automaton = next(view for view in views_of(game).players(None) if view.role == "automaton")
    assert automaton.holdings
    assert automaton.can_raise == 0


# What the last Operating Round brought


def payday(**fields: Any) -> Game:
    """An Operating Round up to the payout of SIK, which has 60 Ft: p1 directs it with 30%, p2 has 10%."""
    given: dict[str, Any] = {
        "cash": {"SIK": 60},
        "directors": {"SIK": "p1"},
        "shares": {"SIK": {"p1": 1, "p2": 1}},
        "prices": {"SIK": 80},
        "agenda": [Rounds(2, 0, 1)],
    }
    game = scene(**{**given, **fields})
    play_until(game, until=lambda question: isinstance(question.task, PayOut))
    return game


@pytest.mark.rule("18Mag VI.4.3/3")
def test_a_major_pays_a_tenth_for_every_tenth() -> None:
    """Nobody has track to run on, so 30% and 10% of 60 Ft are all that is earned."""
    game = payday()
    assert player(game, "p1").income_round == "OR 2.1"
    game.apply(PayDividend(60))
    assert [player(game, seat).last_income for seat in ("p1", "p2", "p3")] == [18, 6, 0]


@pytest.mark.rule("18Mag III.3.2/5")
def test_half_of_a_minors_run_is_its_owners_income() -> None:
    """Minor 3, the only one in the game, runs between two cities for 20 + 30 Ft."""
    tiles = line("F13", CITY_20, CITY_30)
    game = running("3", ["2"], tiles, {"F13.0": ["3"]}, agenda=[Rounds(2, 0, 1)])
    play_until(game, until=lambda question: question.kind == "operate_trains")
    assert player(game, "p1").last_income == 0
    game.apply(question_of(game).only(RunTrains)[0].action)
    assert [player(game, seat).last_income for seat in ("p1", "p2", "p3")] == [25, 0, 0]


@pytest.mark.rule("18Mag VI.4.3/4")
def test_a_major_that_pays_yields_its_dividend_at_the_new_price() -> None:
    """60 Ft for 80 Ft shares: 6 Ft each; what is kept yields nothing."""
    game = payday()
    assert (company(game, "SIK").last_dividend, company(game, "SIK").yield_percent) == (None, None)
    kept = game.copy()
    game.apply(PayDividend(60))
    view = company(game, "SIK")
    assert (view.last_dividend, view.yield_percent) == (6, round(600 / price_of(game, "SIK")))
    assert view.price_moved == price_of(game, "SIK") - 80
    kept.apply(PayDividend(0))
    view = company(kept, "SIK")
    assert (view.last_dividend, view.yield_percent, view.price_moved) == (0, 0, price_of(kept, "SIK") - 80)


@pytest.mark.rule("18Mag II.4/2")
def test_majors_start_at_the_prices_that_they_are_dealt() -> None:
    game = new_mag_game()
    dealt = {major: price_of(game, major) for major in game.table.title.companies}
    finish_draft(game)
    play_until(game, until=lambda question: question.kind == "stock_round")
    major = next(option.action.major for option in question_of(game) if isinstance(option.action, SellShares))
    game.apply(SellShares(major, 10))
    assert {view.id: view.start_price for view in views_of(game).companies() if view.kind == "major"} == dealt
    assert price_of(game, major) != dealt[major]


# What stands out, and what is left


@pytest.mark.rule("18Mag VI.4.3/5")
def test_marks_of_majors_and_minors() -> None:
    game = stock_scene(
        directors={"SIK": "p1"},
        shares={"SIK": {"p1": 4, "p2": 4}, "RÁBA": {"p3": 1}},
        trains={"1": ()},
        revenue={"1": 0},
    )
    marks = {view.id: view.marks for view in views_of(game).companies()}
    assert (marks["SIK"], marks["RÁBA"]) == (("sold out",), ("no director",))
    assert (marks["1"], marks["2"]) == (("no train",), ("first run next",))


@pytest.mark.rule("18Mag V/1")
def test_in_the_draft_shares_are_in_the_package_and_on_the_charter() -> None:
    game = new_mag_game()
    game.apply(DraftShare("SIK"))
    left = {
        view.id: [(place.holder.name, place.percent, place.certificates) for place in view.places]
        for view in views_of(game).companies()
    }
    assert left["RÁBA"] == [("the starting package", 10, 1), ("the charter", 90, 8)]
    assert left["SIK"] == [("the charter", 90, 8)]
    assert (company(game, "SIK").bank_percent, company(game, "1").bank_percent) == (90, None)


# What stands on cards


@pytest.mark.rule("18Mag V/6")
def test_minors_and_shares_are_drafted() -> None:
    """Who has as many minors as may be had must take a share."""
    game = new_mag_game()
    assert brief(game, "1") == [("Draft", None, "")]
    assert brief(game, "SIK") == [("Draft 10 %", None, "")]
    game.apply(DraftMinor("1"))
    first = items(game)[0]
    assert (first.id, first.holder is not None and first.holder.seat, first.words) == ("1", "p1", "home Pest")
    assert "1" not in shown(game).offers
    while len(player(game, question_of(game).decider).papers) < 4:
        game.apply(next(option.action for option in question_of(game) if isinstance(option.action, DraftMinor)))
    free = next(item.id for item in items(game) if item.holder is None)
    assert brief(game, free) == [("Draft", None, "you have 4 minors already (V/6)")]


@pytest.mark.rule("18Mag V/1")
def test_the_package_may_have_no_share_left() -> None:
    game = new_mag_game()
    game.apply(DraftShare("SIK"))
    assert brief(game, "SIK") == [("Draft 10 %", None, "none left to draft (V/1)")]


@pytest.mark.rule("18Mag VII.5/1")
def test_a_share_is_bought_at_its_price_if_one_can_pay() -> None:
    assert brief(exchange("p2"), "SIK") == [("Buy 10 %", 70, ""), ("Sell 10 %", 70, "")]
    assert brief(exchange("p2", cash={"p2": 69}), "SIK")[0] == ("Buy 10 %", 70, "you have only 69 Ft (VII.5/1)")


@pytest.mark.rule("18Mag VII.4/2")
def test_a_director_is_told_why_no_more_can_be_sold() -> None:
    assert brief(exchange(), "SIK")[1:] == [
        ("Sell 10 %", 70, ""),
        ("Sell 20 %", 140, ""),
        ("Sell more", 210, "must keep 20 % (VII.4/2)"),
    ]


@pytest.mark.rule("18Mag VII.5/2")
@pytest.mark.rule("18Mag S.4/1")
def test_what_was_sold_is_neither_bought_nor_sold_again() -> None:
    game = exchange()
    game.apply(SellShares("SIK", 10))
    now = price_of(game, "SIK")
    assert brief(game, "SIK") == [
        ("Buy 10 %", now, "sold in this round (VII.5/2)"),
        ("Sell", now, "sold in this turn already (S.4/1)"),
    ]


@pytest.mark.rule("18Mag VII.3/3")
def test_who_holds_as_much_as_is_allowed_cannot_buy_more() -> None:
    game = exchange(shares={"SIK": {"p1": 4}, "RÁBA": {"p2": 2}})
    limit = company(game, "SIK").holding_limit
    assert limit == 60
    assert brief(game, "SIK")[0] == ("Buy 10 %", 70, "at most 60 % (VII.3/3)")


@pytest.mark.rule("18Mag VII.1/2")
def test_a_purchase_is_answered_by_its_index() -> None:
    game = exchange("p2")
    (buy, *_) = shown(game).offers["SIK"]
    assert buy.index is not None
    assert question_of(game).options[buy.index].action == BuyShare("SIK")
    answer_all(game, BuyShare("SIK"))
