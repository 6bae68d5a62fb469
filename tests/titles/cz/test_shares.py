"""Purchase of shares and the certificate limit (18CZ VII.3, VII.4)."""

from __future__ import annotations

from itertools import islice

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import start_game
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    OfferForLocal,
    RepayDebt,
    SellShares,
    StartCompany,
)
from ostbahn.titles.cz.state import PurchaseTrains, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.looking import answer_all, asked, cash_of, director_of, percent_of, refused_by
from tests.titles.cz.scenes import scene, setup_for, state_of, stock_round

EXPORT_BEFORE_SR_3 = 5
THIRD_SR = 6
"""Boxes of the process track."""
RICH = {"p1": 2000, "p2": 2000, "p3": 2000}


def locals_for(player: str, number: int) -> dict[str, str]:
    return dict.fromkeys(islice(cz_title().locals, number), player)


# VII.3, what is for sale


@pytest.mark.rule("18CZ VII.3/1")
def test_only_small_companies_are_for_sale_in_the_first_stock_round() -> None:
    game = start_game(setup_for(3))
    answer_all(game, Pass(), Pass(), Pass())
    assert state_of(game).round == "SR 1"
    assert refused_by(game, StartCompany("BN", 60)) == "18CZ VII.3/1"
    assert refused_by(game, StartCompany("kk", 90)) == "18CZ VII.3/1"
    for name, company in cz_title().companies.items():
        assert bool(asked(game).only(StartCompany, company=name)) == (company.size == "small")
    game.apply(StartCompany("EKJ", 60))
    assert director_of(game, "EKJ") == "p1"


OPENINGS = [
    ("a", 5, "b1", StartCompany("NWB", 60), "18CZ VII.3/2"),
    ("c", 13, "d1", StartCompany("Sx", 90), "18CZ VII.3/3"),
]


@pytest.mark.rule("18CZ VII.3/2", "18CZ VII.3/3")
@pytest.mark.parametrize(("phase", "gone", "card", "start", "rule"), OPENINGS)
def test_larger_companies_stay_closed_while_the_card_lies_on_the_stack(
    phase: str, gone: int, card: str, start: StartCompany, rule: str
) -> None:
    game = scene(phase=phase, cards_gone=gone, agenda=[stock_round("p1")])
    assert cz_title().stack.card(gone) == card
    assert refused_by(game, start) == rule
    assert not asked(game).only(StartCompany, company=start.company)


@pytest.mark.rule("18CZ VII.3/2", "18CZ VII.3/3")
@pytest.mark.parametrize(("phase", "gone", "card", "start", "rule"), OPENINGS)
def test_larger_companies_open_when_the_card_is_bought(
    phase: str, gone: int, card: str, start: StartCompany, rule: str
) -> None:
    game = scene(
        phase=phase,
        cards_gone=gone,
        started={"EKJ": (60, "p1")},
        cash={"EKJ": 240},
        agenda=[stock_round("p1"), PurchaseTrains("EKJ")],
    )
    answer_all(game, BuyTrain(card, "2" if phase == "a" else "3"), Pass())
    game.apply(start)
    assert director_of(game, start.company) == "p1"


@pytest.mark.rule("18CZ VII.3/2", "18CZ VII.3/3")
@pytest.mark.parametrize(("phase", "gone", "card", "start", "rule"), OPENINGS)
def test_larger_companies_open_when_the_card_is_exported(
    phase: str, gone: int, card: str, start: StartCompany, rule: str
) -> None:
    game = scene(phase=phase, cards_gone=gone, agenda=[Timetable(EXPORT_BEFORE_SR_3)])
    assert state_of(game).round == "SR 3"
    assert state_of(game).cards_gone == gone + 1
    assert start in asked(game)


@pytest.mark.rule("18CZ VII.3/4")
@pytest.mark.parametrize(("company", "price", "percent"), [("EKJ", 60, 50), ("BN", 80, 40), ("kk", 110, 20)])
def test_the_first_certificate_is_the_directors(company: str, price: int, percent: int) -> None:
    game = scene(phase="d", agenda=[stock_round("p1")])
    assert refused_by(game, BuyShare(company)) == "18CZ IV.2.a/2"
    game.apply(StartCompany(company, price))
    assert percent_of(game, "p1", company) == percent
    assert director_of(game, company) == "p1"
    assert refused_by(game, StartCompany(company, price)) == "18CZ VII.3/4"


@pytest.mark.rule("18CZ VII.3/5")
@pytest.mark.parametrize(
    ("company", "red_blue_or_green", "other", "rule"),
    [
        ("EKJ", 70, 80, "18CZ VII.5/3"),
        ("BN", 80, 50, "18CZ VII.5/4"),
        ("BN", 100, 110, "18CZ VII.5/4"),
        ("kk", 90, 80, "18CZ VII.5/5"),
    ],
)
def test_the_starting_price_is_one_of_the_sizes_colour(
    company: str, red_blue_or_green: int, other: int, rule: str
) -> None:
    game = scene(phase="d", agenda=[stock_round("p1")])
    assert refused_by(game, StartCompany(company, other)) == rule
    game.apply(StartCompany(company, red_blue_or_green))
    assert cash_of(game, "p1") == 380 - 2 * red_blue_or_green


@pytest.mark.rule("18CZ VII.3/6")
def test_a_directors_certificate_must_be_paid_in_full() -> None:
    game = scene(cash={"p1": 119}, agenda=[stock_round("p1")])
    assert refused_by(game, StartCompany("EKJ", 60)) == "18CZ VII.3/6"
    assert [option.action for option in asked(game).only(StartCompany, company="EKJ")] == [
        StartCompany("EKJ", 50),
        StartCompany("EKJ", 55),
    ]
    game.apply(StartCompany("EKJ", 55))
    assert cash_of(game, "p1") == 9


@pytest.mark.rule("18CZ VII.3/6")
@pytest.mark.parametrize(("cash", "answer"), [(67, "18CZ VII.3/6"), (68, "allowed")])
def test_a_share_must_be_paid_in_full(cash: int, answer: str) -> None:
    game = scene(started={"EKJ": (60, "p1")}, prices={"EKJ": 68}, cash={"p2": cash}, agenda=[stock_round("p2")])
    assert refused_by(game, BuyShare("EKJ")) == answer


@pytest.mark.rule("18CZ VII.3/7")
@pytest.mark.parametrize("purchase", [BuyShare("EKJ"), StartCompany("OFE", 50)])
def test_a_debtor_buys_nothing_before_the_debt_is_repaid(purchase: Action) -> None:
    """Nor does a debtor start a company. Reported to 18xx.games: #4568."""
    game = scene(
        started={"EKJ": (60, "p2")},
        cash={"p1": 500},
        debts={"p1": 10},
        penalties={"p1": 10},
        agenda=[stock_round("p1")],
    )
    assert refused_by(game, purchase) == "18CZ VII.3/7"
    game.apply(RepayDebt())
    assert cash_of(game, "p1") == 490
    assert purchase in asked(game)


# VII.3, having sold


def prussian_scene() -> Game:
    """p2 directs Pr with 50%, p1 has 20% of it; another Stock Round follows."""
    return scene(
        phase="d",
        started={"Pr": (100, "p2"), "EKJ": (60, "p3")},
        shares={"Pr": {"p2": 3, "p1": 2}},
        agenda=[Timetable(THIRD_SR), stock_round("p1")],
    )


@pytest.mark.rule("18CZ VII.3/8")
def test_whoever_sold_a_company_does_not_buy_it_in_the_same_round() -> None:
    game = prussian_scene()
    game.apply(SellShares("Pr", 10))
    assert refused_by(game, BuyShare("Pr")) == "18CZ VII.3/8"
    assert BuyShare("EKJ") in asked(game)
    answer_all(game, Pass(), Pass())
    assert BuyShare("Pr") in asked(game), "the ban is the seller's alone"
    game.apply(Pass())
    assert asked(game).decider == "p1"
    assert refused_by(game, BuyShare("Pr")) == "18CZ VII.3/8"
    assert not asked(game).only(BuyShare, company="Pr")


@pytest.mark.rule("18CZ VII.3/9")
def test_the_ban_ends_with_the_round() -> None:
    game = prussian_scene()
    answer_all(game, SellShares("Pr", 10), Pass(), Pass(), Pass(), Pass())
    assert state_of(game).round == "SR 3"
    assert asked(game).decider == "p1"
    game.apply(BuyShare("Pr"))
    assert percent_of(game, "p1", "Pr") == 20


@pytest.mark.rule("18CZ VII.3/10")
@pytest.mark.parametrize(
    "deal",
    [
        [SellShares("Pr", 10), Pass()],
        [BuyShare("EKJ")],
        [StartCompany("OFE", 50)],
        [SellShares("Pr", 20), BuyShare("EKJ")],
    ],
)
def test_a_deal_guarantees_another_turn(deal: list[Action]) -> None:
    game = prussian_scene()
    answer_all(game, *deal, Pass(), Pass())
    assert asked(game).decider == "p1"
    assert state_of(game).round != "SR 3"
    game.apply(Pass())
    assert state_of(game).round == "SR 3"


# VII.3, floating


@pytest.mark.rule("18CZ VII.3/11", "18CZ VII.3/12")
@pytest.mark.parametrize(
    ("company", "price", "further", "capital"), [("EKJ", 60, 0, 240), ("BN", 80, 1, 400), ("kk", 110, 3, 1100)]
)
def test_half_of_the_shares_float_a_company_at_once(company: str, price: int, further: int, capital: int) -> None:
    game = scene(phase="d", cash=RICH, agenda=[stock_round("p1")])
    purchases: list[Action] = [StartCompany(company, price), *[BuyShare(company)] * further]
    for purchase in purchases:
        assert company not in state_of(game).floated
        assert cash_of(game, company) == 0
        game.apply(purchase)
    assert company in state_of(game).floated
    assert cash_of(game, company) == capital


@pytest.mark.rule("18CZ VII.3/11")
def test_shares_sold_back_do_not_count_for_floating() -> None:
    game = scene(
        phase="d", cash=RICH, started={"kk": (100, "p1")}, shares={"kk": {"p2": 2}}, agenda=[stock_round("p2")]
    )
    answer_all(game, SellShares("kk", 20), Pass(), BuyShare("kk"), BuyShare("kk"))
    assert "kk" not in state_of(game).floated, "60% were bought, but only 40% are in players' hands"
    answer_all(game, Pass(), BuyShare("kk"))
    assert "kk" in state_of(game).floated


@pytest.mark.rule("18CZ VII.3/11")
def test_a_floated_company_stays_floated_and_is_paid_once() -> None:
    game = scene(phase="d", started={"kk": (100, "p1")}, shares={"kk": {"p2": 3}}, agenda=[stock_round("p2")])
    answer_all(game, SellShares("kk", 30), Pass())
    assert "kk" in state_of(game).floated
    game.apply(BuyShare("kk"))
    answer_all(game, BuyShare("kk"), Pass(), BuyShare("kk"))
    assert percent_of(game, "p1", "kk") + percent_of(game, "p3", "kk") == 50
    assert cash_of(game, "kk") == 0


# VII.4


@pytest.mark.rule("18CZ VII.4/1", "18CZ VII.4/2", "18CZ VII.4/3")
@pytest.mark.parametrize(("players", "limit"), [(3, 14), (4, 12), (5, 10), (6, 9)])
@pytest.mark.parametrize("purchase", [BuyShare("EKJ"), StartCompany("OFE", 50)])
def test_the_certificate_limit(players: int, limit: int, purchase: Action) -> None:
    def holding(certificates: int) -> Game:
        return scene(
            players=players,
            started={"EKJ": (60, "p2")},
            locals_of=locals_for("p1", certificates),
            agenda=[stock_round("p1")],
        )

    assert purchase in asked(holding(limit - 1))
    assert refused_by(holding(limit), purchase) == "18CZ VII.4/1"


@pytest.mark.rule("18CZ VII.4/3")
def test_a_local_railway_sold_to_a_company_frees_a_place() -> None:
    def before_the_round(*actions: Action) -> Game:
        game = scene(
            phase="b",
            started={"EKJ": (60, "p1")},
            cash={"EKJ": 100},
            trains={"EKJ": [("a1", "2")]},
            locals_of=locals_for("p1", 13),
            agenda=[stock_round("p1"), PurchaseTrains("EKJ")],
        )
        answer_all(game, *actions, Pass())
        return game

    assert refused_by(before_the_round(), BuyShare("EKJ")) == "18CZ VII.4/1"
    assert BuyShare("EKJ") in asked(before_the_round(OfferForLocal("S1", 1)))


@pytest.mark.rule("18CZ VII.4/4")
@pytest.mark.parametrize(("others", "answer"), [(12, "allowed"), (13, "18CZ VII.4/1")])
def test_a_directors_certificate_counts_once(others: int, answer: str) -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1"), "EKJ": (60, "p2")},
        locals_of=locals_for("p1", others),
        agenda=[stock_round("p1")],
    )
    assert refused_by(game, BuyShare("EKJ")) == answer


@pytest.mark.rule("18CZ VII.4/5", "18CZ VII.4/6")
@pytest.mark.parametrize(
    ("company", "price", "allowed", "percent", "rule"),
    [
        ("EKJ", 60, 1, 75, "18CZ VII.4/6"),
        ("BN", 80, 1, 60, "18CZ VII.4/5"),
        ("kk", 100, 4, 60, "18CZ VII.4/5"),
    ],
)
def test_nobody_holds_too_much_of_one_company(company: str, price: int, allowed: int, percent: int, rule: str) -> None:
    game = scene(
        phase="d",
        cash=RICH,
        started={company: (price, "p1")},
        shares={company: {"p1": allowed - 1}},
        agenda=[stock_round("p1")],
    )
    game.apply(BuyShare(company))
    assert percent_of(game, "p1", company) == percent
    assert BuyShare(company) in asked(game), "somebody else may go on"
    answer_all(game, Pass(), Pass())
    assert refused_by(game, BuyShare(company)) == rule
    assert not asked(game).only(BuyShare, company=company)


@pytest.mark.rule("18CZ VII.4/7")
def test_whoever_loses_a_directorship_sells_down_to_the_limit() -> None:
    game = scene(
        players=4,
        phase="d",
        started={"kk": (100, "p1"), "EKJ": (60, "p3")},
        shares={"kk": {"p2": 2}},
        locals_of=locals_for("p1", 11),
        agenda=[stock_round("p2")],
    )
    answer_all(game, BuyShare("kk"), Pass(), Pass())
    assert director_of(game, "kk") == "p2"
    assert asked(game).decider == "p1"
    assert refused_by(game, Pass()) == "18CZ VII.4/7"
    assert refused_by(game, BuyShare("EKJ")) == "18CZ VII.4/1"
    assert {type(option.action) for option in asked(game)} == {SellShares}
    game.apply(SellShares("kk", 10))
    assert Pass() in asked(game)


@pytest.mark.rule("18CZ VII.4/7")
def test_by_ruling_they_may_pass_above_the_limit_but_not_buy() -> None:
    game = scene(
        players=4,
        phase="d",
        started={"kk": (100, "p1"), "EKJ": (60, "p3")},
        shares={"kk": {"p1": 1}},
        locals_of=locals_for("p1", 11),
        agenda=[stock_round("p1")],
        rulings={"above_certificate_limit": "may pass"},
    )
    assert refused_by(game, BuyShare("EKJ")) == "18CZ VII.4/1"
    assert refused_by(game, Pass()) == "allowed"
