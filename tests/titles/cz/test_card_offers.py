"""What stands on the cards of 18CZ: what may be bought, sold and started, and why something may not."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import Bid, BuyLocal, NamePaper, OpenAuction, SellShares
from ostbahn.views.question import ItemView, OfferView, QuestionView, question_view
from ostbahn.views.title_views import views_of
from tests.titles.cz.looking import answer_all, asked
from tests.titles.cz.moravian import fresh
from tests.titles.cz.scenes import scene, stock_round


def shown(game: Game) -> QuestionView:
    view = question_view(game)
    assert view is not None
    return view


def items(game: Game) -> tuple[ItemView, ...]:
    assert game.question is not None
    return views_of(game).items(game.question)


def offers(game: Game, subject: str) -> tuple[OfferView, ...]:
    return shown(game).offers[subject]


def brief(game: Game, subject: str) -> list[tuple[Any, ...]]:
    """Words, price, and why not; what is allowed leads to the answer that says the same."""
    found = []
    for offer in offers(game, subject):
        assert (offer.index is None) == (offer.refusal is not None)
        reason = "" if offer.refusal is None else f"{offer.refusal.text} ({offer.refusal.rule})"
        found.append((offer.words, offer.price, reason))
    return found


def market(**fields: Any) -> Game:
    """BN at 70: p1 directs it with 60%, nobody else holds a share; p1 is asked."""
    given: dict[str, Any] = {
        "phase": "b",
        "started": {"BN": (70, "p1")},
        "shares": {"BN": {"p1": 1}},
        "agenda": [stock_round("p1")],
    }
    return scene(**{**given, **fields})


# Shares


def test_a_share_is_bought_at_its_price() -> None:
    game = market(agenda=[stock_round("p2")])
    (buy,) = offers(game, "BN")
    assert (buy.kind, buy.words, buy.price, buy.refusal) == ("buy", "Buy 20 %", 70, None)
    assert buy.index is not None
    assert shown(game).answers[buy.index].action == {"do": "buy_share", "company": "BN"}


@pytest.mark.rule("18CZ VII.4/5")
def test_who_holds_as_much_as_is_allowed_cannot_buy_more() -> None:
    assert brief(market(), "BN")[0] == ("Buy 20 %", 70, "at most 60 % (VII.4/5)")


@pytest.mark.rule("18CZ VII.4/1")
@pytest.mark.rule("18CZ VII.4/3")
def test_who_has_as_many_certificates_as_is_allowed_cannot_buy() -> None:
    """Twelve Local Railways and two certificates of BN are 14, the limit of three players."""
    railways = [f"{size}{number}" for size in "SM" for number in range(1, 7)]
    game = market(started={"BN": (70, "p1"), "OFE": (50, "p2")}, locals_of=dict.fromkeys(railways, "p1"))
    reason = "14 of 14 certificates (VII.4/1)"
    assert brief(game, "OFE") == [("Buy 25 %", 50, reason)]
    assert brief(game, "EKJ") == [("Start", 100, reason)]


@pytest.mark.rule("18CZ VII.5.b/6")
@pytest.mark.rule("18CZ VII.6/5")
def test_a_director_sells_what_is_beside_that_certificate_and_no_more() -> None:
    """Of 60% only 20% go: 40% and 60% would touch the certificate, for the same reason."""
    assert brief(market(), "BN")[1:] == [
        ("Sell 20 %", 70, ""),
        ("Sell more", 140, "must keep 40 % (VII.6/5)"),
    ]


@pytest.mark.rule("18CZ VII.6/4")
def test_in_the_first_stock_round_selling_is_shown_once_for_all_sizes() -> None:
    assert brief(market(agenda=[stock_round("p1", first=True)]), "BN")[1:] == [
        ("Sell", 70, "no sales in the first Stock Round (VII.6/4)")
    ]


def test_who_holds_nothing_is_not_told_why_they_cannot_sell() -> None:
    assert [offer.kind for offer in offers(market(agenda=[stock_round("p2")]), "BN")] == ["buy"]


@pytest.mark.rule("18CZ VII.3/8")
def test_what_was_sold_is_not_bought_again_in_the_round() -> None:
    game = market()
    game.apply(SellShares("BN", 20))
    assert brief(game, "BN")[0] == ("Buy 20 %", 68, "sold in this round (VII.3/8)")


@pytest.mark.rule("18CZ VII.3/7")
def test_who_owes_money_repays_it_before_buying() -> None:
    game = market(agenda=[stock_round("p2")], debts={"p2": 30})
    assert brief(game, "BN") == [("Buy 20 %", 70, "repay your debt of 30 K first (VII.3/7)")]


@pytest.mark.rule("18CZ VII.1/1")
def test_the_bank_may_have_nothing_left() -> None:
    game = market(shares={"BN": {"p1": 1, "p2": 2}}, agenda=[stock_round("p3")])
    assert brief(game, "BN") == [("Buy 20 %", 70, "none left (VII.1/1)")]


@pytest.mark.rule("18CZ VII.3/6")
def test_a_share_may_be_too_dear() -> None:
    game = market(agenda=[stock_round("p2")], cash={"p2": 69})
    assert brief(game, "BN") == [("Buy 20 %", 70, "you have only 69 K (VII.3/6)")]


# Starting companies


@pytest.mark.rule("18CZ VII.3/5")
def test_a_company_is_started_at_a_price_of_ones_choice_for_twice_as_much() -> None:
    """With 120 K at 50, 55 or 60, but neither at 65 nor at 70."""
    assert brief(market(cash={"p1": 120}), "EKJ") == [
        ("Start at 50", 100, ""),
        ("Start at 55", 110, ""),
        ("Start at 60", 120, ""),
        ("Start higher", 130, "you have only 120 K (VII.3/6)"),
    ]


@pytest.mark.rule("18CZ VII.3/3")
def test_a_company_that_is_not_open_says_when_it_will_be() -> None:
    assert brief(market(), "kk") == [("Start", 180, "opens with the first d-train (VII.3/3)")]


def test_only_who_may_answer_sees_offers() -> None:
    view = question_view(market(), answers=False)
    assert view is not None
    assert view.offers == {}


# Local Railways


@pytest.mark.rule("18CZ VI/2")
@pytest.mark.rule("18CZ VI/3")
def test_local_railways_are_things_to_buy() -> None:
    game = new_game("18CZ", ["Anna", "Boris", "Clara"], draw_order=False)
    game.apply(BuyLocal("S1"))
    known = {item.id: item for item in items(game)}
    assert len(known) == 18
    assert known["S1"].holder is not None
    assert known["S1"].holder.name == "Anna"
    assert (known["L6"].name, known["L6"].price, known["L6"].holder) == ("Taus – Tachau", 80, None)
    assert known["L6"].words.startswith("income: 20 K; ")
    assert brief(game, "L6") == [("Buy", 80, "")]
    assert "S1" not in shown(game).offers


@pytest.mark.rule("18CZ VI/3")
def test_a_local_railway_may_be_too_dear() -> None:
    game = new_game("18CZ", ["Anna", "Boris", "Clara"], draw_order=False)
    for local in ("L6", "S1", "S2", "S3", "S4", "L5", "L4", "S5", "S6", "M1", "M2", "L3"):
        game.apply(BuyLocal(local))
    assert asked(game).decider == "p1"  # 380 K less L6, L5, L4 and L3 are 90 K
    answer_all(game, BuyLocal("L2"))
    while asked(game).decider != "p1":
        game.apply(Pass())
    assert brief(game, "L1") == [("Buy", 55, "you have only 30 K (VI/3)")]


# The auction


@pytest.mark.rule("18CZ XI.2/19")
def test_before_a_paper_is_named_everything_on_sale_can_be() -> None:
    game = fresh()
    view = shown(game)
    assert set(view.offers) == {"3E", "MW", "S1", "M1", "L1"} == {item.id for item in items(game)}
    bid, name = offers(game, "MW")
    assert (bid.kind, bid.price, name.kind, name.price) == ("bid", 80, "name", None)
    assert bid.span is not None
    assert (bid.span.low, bid.span.high) == (80, 450)
    auction = view.auction
    assert auction is not None
    assert (auction.item, auction.high_bid, auction.minimum) == ("", None, None)
    assert [who.name for who in auction.still_in] == ["Ada", "Ben", "Cleo"]


@pytest.mark.rule("18CZ XI.2/22")
@pytest.mark.rule("18CZ XI.2/23")
def test_an_auction_says_who_bids_highest_and_who_is_out() -> None:
    """Ada opens S1 with 40 K, Ben passes, Cleo bids 50 K: Ada must bid 55 K or more."""
    game = fresh()
    answer_all(game, OpenAuction("S1", 40), Pass(), Bid(50))
    for may_answer in (True, False):
        view = question_view(game, answers=may_answer)
        assert view is not None
        auction = view.auction
        assert auction is not None
        assert (auction.item, auction.name, auction.high_bid, auction.minimum) == ("S1", "Wolframs – Teltsch", 50, 55)
        assert auction.high_bidder is not None
        assert auction.high_bidder.name == "Cleo"
        assert [who.name for who in auction.still_in] == ["Ada", "Cleo"]
        assert [who.name for who in auction.passed] == ["Ben"]
    assert brief(game, "S1") == [("Bid", 55, "")]


@pytest.mark.rule("18CZ XI.2/20")
def test_nobody_bids_more_than_they_have() -> None:
    game = fresh()
    game.apply(OpenAuction("S1", 447))
    assert brief(game, "S1") == [("Bid", 452, "you have only 450 K (XI.2/20)")]


@pytest.mark.rule("18CZ XI.2/19")
def test_a_paper_named_without_a_bid_can_be_had_for_its_minimum() -> None:
    game = fresh()
    game.apply(NamePaper("L1"))
    auction = shown(game).auction
    assert auction is not None
    assert (auction.high_bid, auction.high_bidder, auction.minimum) == (None, None, 65)
    assert [who.name for who in auction.passed] == ["Ada"]
