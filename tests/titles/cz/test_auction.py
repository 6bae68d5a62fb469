"""The auction of private papers before the first Stock Round of Moravia-Silesia (18CZ XI.2/18 to XI.2/26)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.interop.saves import dump, load
from ostbahn.kernel.actions import Pass, Span
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, RoundBegan
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import Bid, BuyLocal, NamePaper, OpenAuction, StartCompany
from ostbahn.titles.cz.events import NoPaperSold
from ostbahn.titles.cz.state import Auction, Bidding, StockRound, Timetable
from tests.titles.cz.asking import asked, payments
from tests.titles.cz.looking import answer_all, cash_of, events_of, refused_by
from tests.titles.cz.moravian import PAPERS, answers, fresh, moravia, sold_one
from tests.titles.cz.scenes import state_of, table_of

MINIMA = {"3E": 60, "MW": 80, "S1": 35, "M1": 50, "L1": 65}
"""Those of our board."""


def opening(**fields: Any) -> Game:
    """The auctions are about to begin, with other means than usual."""
    papers = dict.fromkeys(MINIMA, "bank")
    return moravia(started={}, agenda=[Timetable(0), Auction()], locals_of=papers, **fields)


def papers_of(game: Game, owner: str) -> set[str]:
    return {paper for paper, other in state_of(game).locals.items() if other == owner}


def unwanted(game: Game, paper: str) -> None:
    """Somebody names a paper, and nobody bids."""
    game.apply(NamePaper(paper))
    for _ in range(len(state_of(game).order) - 1):
        game.apply(Pass())


def bought(game: Game, paper: str, price: int) -> None:
    """The opener bids, and nobody else."""
    game.apply(OpenAuction(paper, price))
    while isinstance(asked(game).task, Bidding):
        game.apply(Pass())


# What is for sale


@pytest.mark.rule("18CZ XI.2/18")
@pytest.mark.parametrize("players", [2, 3])
def test_five_papers_are_for_sale_before_anything_else(players: int) -> None:
    game = fresh(players)
    assert isinstance(asked(game).task, Auction)
    assert papers_of(game, "bank") == set(state_of(game).locals) == PAPERS
    papers = table_of(game).title.locals
    assert sorted(papers[name].size for name in ("S1", "M1", "L1")) == ["large", "medium", "small"]
    assert refused_by(game, BuyLocal("S1")) == "18CZ XI.2/19", "there is no sheet with prices"
    assert refused_by(game, StartCompany("kk", 60)) == "18CZ XI.2/19"


@pytest.mark.rule("18CZ XI.2/18", "18CZ XI.2/19")
@pytest.mark.parametrize(("paper", "least"), MINIMA.items())
def test_a_paper_is_opened_at_its_minimum_or_above(paper: str, least: int) -> None:
    game = fresh()
    assert refused_by(game, OpenAuction(paper, least - 1)) == "18CZ XI.2/19"
    for price in (least, least + 1, least + 3, 450):
        assert refused_by(game, OpenAuction(paper, price)) == "allowed"
    (option,) = [option for option in asked(game).only(OpenAuction) if option.action == OpenAuction(paper, least)]
    assert option.span == Span(least, 450)


@pytest.mark.rule("18CZ XI.2/19")
def test_one_names_a_paper_with_a_bid_or_without_but_names_one() -> None:
    game = fresh()
    assert set(answers(game, NamePaper)) == {NamePaper(paper) for paper in PAPERS}
    assert refused_by(game, Pass()) == "18CZ XI.2/19"
    assert refused_by(game, OpenAuction("S2", 100)) == "18CZ XI.2/19"
    assert refused_by(game, NamePaper("S2")) == "18CZ XI.2/19"
    bought(game, "S1", 35)
    assert refused_by(game, OpenAuction("S1", 100)) == "18CZ XI.2/19", "it is sold"
    assert refused_by(game, NamePaper("S1")) == "18CZ XI.2/19"


# Bidding


@pytest.mark.rule("18CZ XI.2/19")
def test_bids_go_round_in_playing_order_until_nobody_bids_higher() -> None:
    game = fresh()
    game.apply(OpenAuction("MW", 80), "p1")
    game.apply(Bid(90), "p2")
    game.apply(Bid(95), "p3")
    game.apply(Bid(120), "p1")
    game.apply(Pass(), "p2")
    game.apply(Bid(125), "p3")
    game.apply(Bid(130), "p1")
    assert isinstance(asked(game).task, Bidding)
    game.apply(Pass(), "p3")
    assert isinstance(asked(game).task, Auction)
    assert papers_of(game, "p1") == {"MW"}


@pytest.mark.rule("18CZ XI.2/19")
def test_the_playing_order_counts_and_not_the_seats() -> None:
    game = opening(order=("p3", "p1", "p2"))
    for paper, price, player, following in (("S1", 35, "p3", "p1"), ("M1", 50, "p1", "p2"), ("L1", 65, "p2", "p3")):
        assert asked(game).decider == player
        game.apply(OpenAuction(paper, price))
        assert asked(game).decider == following
        game.apply(Pass())
        game.apply(Pass())


@pytest.mark.rule("18CZ XI.2/19")
def test_if_the_opener_does_not_bid_others_may() -> None:
    game = fresh()
    game.apply(NamePaper("M1"), "p1")
    assert refused_by(game, Bid(49)) == "18CZ XI.2/19"
    game.apply(Pass(), "p2")
    game.apply(Bid(50), "p3")
    assert papers_of(game, "p3") == {"M1"}, "the others have passed"
    assert cash_of(game, "p3") == 400


@pytest.mark.rule("18CZ XI.2/19", "18CZ XI.2/23")
def test_who_names_a_paper_without_a_bid_has_passed() -> None:
    game = fresh()
    answer_all(game, NamePaper("M1"), Bid(50), Bid(60))
    assert asked(game).decider == "p2"
    game.apply(Bid(65), "p2")
    assert asked(game).decider == "p3"
    game.apply(Pass(), "p3")
    assert papers_of(game, "p2") == {"M1"}


@pytest.mark.rule("18CZ XI.2/19")
def test_a_paper_without_a_bid_stays_for_sale() -> None:
    game = fresh()
    unwanted(game, "L1")
    assert papers_of(game, "bank") == PAPERS
    assert asked(game).decider == "p2"
    bought(game, "L1", 65)
    assert papers_of(game, "p2") == {"L1"}


@pytest.mark.rule("18CZ XI.2/19", "18CZ XI.2/21")
def test_nobody_bids_or_opens_out_of_turn() -> None:
    game = fresh()
    assert refused_by(game, OpenAuction("S1", 35), "p2") == "18CZ XI.2/21"
    game.apply(OpenAuction("S1", 35))
    assert refused_by(game, Bid(40), "p3") == "18CZ XI.2/19"
    assert refused_by(game, Bid(40), "p1") == "18CZ XI.2/19"
    assert refused_by(game, OpenAuction("M1", 50), "p2") == "18CZ XI.2/19", "one paper after the other"


@pytest.mark.rule("18CZ XI.2/20")
def test_the_winner_pays_the_bank_what_he_bid() -> None:
    game = fresh()
    answer_all(game, OpenAuction("3E", 61), Bid(72), Pass())
    record = game.apply(Pass())
    assert payments(record.events) == [Paid("p2", "bank", 72, "the 3E-train", "papers")]
    assert [cash_of(game, player) for player in ("p1", "p2", "p3")] == [450, 378, 450]
    assert state_of(game).locals["3E"] == "p2"


@pytest.mark.rule("18CZ XI.2/20")
def test_nobody_bids_more_than_he_has() -> None:
    game = opening(cash={"p1": 62, "p2": 64, "p3": 70})
    assert refused_by(game, OpenAuction("3E", 63)) == "18CZ XI.2/20"
    assert {action.paper for action in answers(game, OpenAuction) if isinstance(action, OpenAuction)} == {
        "3E",
        "S1",
        "M1",
    }
    game.apply(OpenAuction("3E", 60))
    assert refused_by(game, Bid(65)) == "18CZ XI.2/20"
    assert not answers(game, Bid), "64 K are too little to overbid"
    game.apply(Pass())
    assert refused_by(game, Bid(71)) == "18CZ XI.2/20"
    assert [option.span for option in asked(game).only(Bid)] == [Span(65, 70)]


@pytest.mark.rule("18CZ XI.2/22")
def test_a_bid_is_five_more_at_least() -> None:
    game = fresh()
    game.apply(OpenAuction("S1", 40))
    for price in (0, 35, 40, 41, 44):
        assert refused_by(game, Bid(price)) == "18CZ XI.2/22"
    for price in (45, 46, 52):
        assert refused_by(game, Bid(price)) == "allowed"
    game.apply(Bid(52))
    assert refused_by(game, Bid(56)) == "18CZ XI.2/22"
    assert refused_by(game, Bid(57)) == "allowed"


@pytest.mark.rule("18CZ XI.2/23")
def test_a_pass_is_final_for_the_paper_but_not_for_the_next() -> None:
    game = fresh()
    game.apply(OpenAuction("S1", 35), "p1")
    game.apply(Pass(), "p2")
    game.apply(Bid(40), "p3")
    assert refused_by(game, Bid(45), "p2") == "18CZ XI.2/19"
    game.apply(Bid(45), "p1")
    assert asked(game).decider == "p3", "p2 is left out"
    game.apply(Pass(), "p3")
    game.apply(OpenAuction("M1", 50), "p2")
    game.apply(Bid(55), "p3")
    game.apply(Bid(60), "p1")
    game.apply(Bid(65), "p2")


# Who opens


@pytest.mark.rule("18CZ XI.2/21")
def test_the_right_to_open_goes_round_whoever_wins() -> None:
    game = fresh()
    openers = []
    for paper, winner in (("S1", 2), ("M1", 1), ("L1", 0), ("3E", 1), ("MW", 2)):
        openers.append(asked(game).decider)
        game.apply(OpenAuction(paper, 80))
        for place in (1, 2):
            game.apply(Bid(85) if place == winner else Pass())
        if winner:
            while isinstance(asked(game).task, Bidding):
                game.apply(Pass())
    assert openers == ["p1", "p2", "p3", "p1", "p2"]


@pytest.mark.rule("18CZ XI.2/21")
def test_it_goes_round_without_a_bid_as_well() -> None:
    game = fresh()
    bought(game, "S1", 35)
    unwanted(game, "M1")
    unwanted(game, "M1")
    assert asked(game).decider == "p1"
    bought(game, "L1", 65)
    assert asked(game).decider == "p2"


# The end of the auctions


@pytest.mark.rule("18CZ XI.2/24")
def test_with_the_last_paper_the_first_stock_round_begins() -> None:
    game = fresh()
    for paper, least in MINIMA.items():
        assert state_of(game).round == "AUC"
        bought(game, paper, least)
    assert isinstance(asked(game).task, StockRound)
    assert state_of(game).round == "SR 1"
    assert events_of(RoundBegan, game.records[-1].events) == [RoundBegan("SR 1")]


@pytest.mark.rule("18CZ XI.2/24")
@pytest.mark.parametrize("players", [2, 3])
def test_if_everybody_in_succession_opened_in_vain_the_rest_is_out(players: int) -> None:
    game = fresh(players)
    bought(game, "S1", 35)
    for _ in range(players - 1):
        unwanted(game, "MW")
    assert isinstance(asked(game).task, Auction)
    bought(game, "M1", 50)
    for _ in range(players - 1):
        unwanted(game, "MW")
    assert isinstance(asked(game).task, Auction), "a sale began the count anew"
    unwanted(game, "3E")
    assert isinstance(asked(game).task, StockRound)
    assert set(state_of(game).locals) == {"S1", "M1"}


@pytest.mark.rule("18CZ XI.2/25")
@pytest.mark.parametrize("order", [("p1", "p2", "p3"), ("p3", "p1", "p2")])
def test_player_1_wins_if_nothing_is_sold(order: tuple[str, ...]) -> None:
    """Even if he is the poorest of all."""
    game = opening(order=order, cash={order[0]: 100})
    for paper in ("S1", "MW"):
        unwanted(game, paper)
        assert not game.over
    unwanted(game, "S1")
    assert game.over
    assert table_of(game).winners() == [order[0]]
    assert NoPaperSold(order[0]) in game.records[-1].events


@pytest.mark.rule("18CZ XI.2/26")
def test_the_poorest_is_first_in_the_first_stock_round_and_equals_stay_in_order() -> None:
    game = fresh()
    bought(game, "S1", 50)
    bought(game, "MW", 150)
    bought(game, "L1", 100)
    for _ in range(3):
        unwanted(game, "3E")
    assert [cash_of(game, player) for player in ("p1", "p2", "p3")] == [400, 300, 350]
    assert state_of(game).order == ("p2", "p3", "p1")
    assert asked(game).decider == "p2"
    assert state_of(sold_one(fresh())).order == ("p1", "p2", "p3")
    assert state_of(sold_one(opening(order=("p3", "p2", "p1"), cash={"p3": 550}))).order == ("p3", "p2", "p1")


@pytest.mark.rule("18CZ XI.2/19", "18CZ XI.2/26")
def test_a_save_restores_an_auction_under_way() -> None:
    game = new_game("18CZ", ["Ada", "Ben"], variant="moravia", seed=5)
    game.apply(OpenAuction("3E", 60))
    game.apply(Bid(75))
    again = load(dump(game))
    assert state_of(again) == state_of(game)
    assert asked(again).task == asked(game).task
