"""István's majors, and his turns in Share Rounds (18Mag XI.3, XI.4)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import CertificateMoved, DirectorChanged, PriceMoved, StationPlaced
from ostbahn.titles.mag.actions import BuyShare, SellShares
from ostbahn.titles.mag.state import OperatingRound, PlaceMarker, Rounds, StockRound
from tests.titles.mag.share_scenes import is_offered, question_of, refusal_rule
from tests.titles.mag.solo_scenes import (
    HIM,
    ME,
    cash_of,
    deck,
    deck_text,
    events,
    held,
    payments,
    solo_scene,
    state_of,
    table_of,
)

UNBOUND = {"istvan_certificate_limit": "no"}
EXAMPLE: dict[str, Any] = {
    "prices": {"SzKÉV": 120, "RÁBA": 75, "SIK": 80, "LdStEG": 65},
    "directors": {"SzKÉV": HIM, "SIK": HIM, "LdStEG": HIM},
    "shares": {"SzKÉV": {HIM: 2}, "RÁBA": {HIM: 1}, "LdStEG": {HIM: 1}},
}
"""40% SzKÉV, 10% RÁBA, 20% SIK and 30% LdStEG, in seven certificates."""


def share_round(first: str = HIM, **particulars: Any) -> Game:
    """A Share Round begins; with István first, his turn is over when the human is asked."""
    return solo_scene(his={"2": 9}, agenda=[Rounds(2, 1, 1)], priority=first, **particulars)


def pass_on(game: Game) -> Game:
    """The human passes until the round is over."""
    while isinstance(question_of(game).task, StockRound):
        game.apply(Pass(), ME)
    return game


def wishes(*pairs: tuple[str, int]) -> str:
    """A deck whose share card A has this order."""
    return deck_text(shares={"A": {"order": [{"major": major, "max_percent": most} for major, most in pairs]}})


# Majors that he directs


def paying(major: str, amount: int, **particulars: Any) -> Game:
    """A major of István's has its turn, then SIK, which the human directs."""
    other = "SIK" if major != "SIK" else "SzKÉV"
    return solo_scene(
        his={"2": 9},
        agenda=[Rounds(2, 1, 1), OperatingRound((), (major, other))],
        directors={major: HIM, other: ME},
        cash={major: amount},
        prices={major: 100},
        **particulars,
    )


@pytest.mark.rule("18Mag XI.3/1")
@pytest.mark.parametrize(("amount", "price"), [(90, 130), (0, 95), (10, 100), (200, 140)])
def test_a_major_of_istvan_pays_out_everything(amount: int, price: int) -> None:
    game = paying("SzKÉV", amount, shares={"SzKÉV": {HIM: 1, ME: 2}})
    assert question_of(game).task == PlaceMarker("SIK"), "only the human is asked, about his own major"
    assert cash_of(game, "SzKÉV") == 0
    assert (cash_of(game, HIM), cash_of(game, ME)) == (amount * 3 // 10, amount // 5)
    assert chart.price(table_of(game), "SzKÉV") == price


@pytest.mark.rule("18Mag XI.3/1")
@pytest.mark.parametrize("major", ["SzKÉV", "SIK", "RÁBA", "LdStEG"])
def test_a_major_of_istvan_never_places_a_marker(major: str) -> None:
    game = paying(major, 500)
    assert not events(game, StationPlaced)
    assert state_of(game).markers[major] == 2


# The certificate limit


@pytest.mark.rule("18Mag XI.4/1")
@pytest.mark.parametrize(("number", "buys"), [(4, True), (5, False)])
def test_istvan_passes_with_eight_certificates(number: int, buys: bool) -> None:
    """Three director shares and four or five others."""
    shares = {"SzKÉV": {HIM: 2}, "SIK": {HIM: number - 2}}
    directors = {"SzKÉV": HIM, "SIK": HIM, "LdStEG": HIM}
    game = share_round(shares=shares, directors=directors, cash={HIM: 500})
    assert money.count_certificates(table_of(game), HIM) == 8
    assert payments(game, source=HIM) == ([(HIM, BANK, 70)] if buys else [])


@pytest.mark.rule("18Mag XI.4/1")
def test_by_the_other_ruling_the_limit_does_not_bind_istvan() -> None:
    shares, directors = {"SzKÉV": {HIM: 2}, "SIK": {HIM: 3}}, {"SzKÉV": HIM, "SIK": HIM, "LdStEG": HIM}
    game = share_round(shares=shares, directors=directors, cash={HIM: 500}, rulings=UNBOUND)
    assert money.count_certificates(table_of(game), HIM) == 9


@pytest.mark.rule("18Mag XI.4/1")
@pytest.mark.parametrize("rulings", [{}, UNBOUND], ids=["default", "unbound"])
def test_the_human_is_bound_by_eight(rulings: dict[str, str]) -> None:
    shares, directors = {"SzKÉV": {ME: 2}, "SIK": {ME: 2}}, {"SzKÉV": ME, "SIK": ME, "LdStEG": ME}
    game = share_round(ME, shares=shares, directors=directors, cash={ME: 500}, rulings=rulings)
    assert is_offered(game, BuyShare("RÁBA")), "with seven"
    game.apply(BuyShare("RÁBA"))
    assert money.count_certificates(table_of(game), ME) == 8
    assert [option for option in question_of(game) if isinstance(option.action, BuyShare)] == []
    assert refusal_rule(game, BuyShare("RÁBA")) == "18Mag VII.3/1"


# The share card


@pytest.mark.rule("18Mag XI.4/3")
def test_share_card_a_is_as_the_rulebook_shows_it() -> None:
    card = deck().shares["A"]
    assert (card.start_share, card.provenance) == ("SzKÉV", "printed")
    order = [(wish.major, wish.max_percent) for wish in card.order]
    assert order == [("SzKÉV", 60), ("RÁBA", 20), ("SIK", 50), ("LdStEG", 40)]


@pytest.mark.rule("18Mag XI.4/2", "18Mag XI.4/4")
def test_example_80_ft_buy_raba() -> None:
    game = pass_on(share_round(**EXAMPLE, cash={HIM: 80}))
    assert (held(game, HIM), cash_of(game, HIM)) == ((40, 20, 20, 30), 5)


@pytest.mark.rule("18Mag XI.4/2", "18Mag XI.4/5")
def test_example_70_ft_buy_ldsteg() -> None:
    game = pass_on(share_round(**EXAMPLE, cash={HIM: 70}))
    assert (held(game, HIM), cash_of(game, HIM)) == ((40, 10, 20, 40), 5)


@pytest.mark.rule("18Mag XI.4/6")
def test_example_190_ft_buy_szkev_and_ldsteg() -> None:
    game = pass_on(share_round(**EXAMPLE, cash={HIM: 190}, rulings=UNBOUND))
    assert (held(game, HIM), cash_of(game, HIM)) == ((50, 10, 20, 40), 5)


@pytest.mark.rule("18Mag XI.4/7")
def test_example_400_ft_buy_szkev_twice_and_raba_and_sik() -> None:
    game = pass_on(share_round(**EXAMPLE, cash={HIM: 400}, rulings=UNBOUND))
    assert (held(game, HIM), cash_of(game, HIM)) == ((60, 20, 30, 30), 5)


@pytest.mark.rule("18Mag XI.4/1", "18Mag XI.4/6", "18Mag XI.4/7")
@pytest.mark.parametrize("cash", [190, 400])
def test_the_limit_stops_the_last_examples_after_one_share(cash: int) -> None:
    game = pass_on(share_round(**EXAMPLE, cash={HIM: cash}))
    assert (held(game, HIM), cash_of(game, HIM)) == ((50, 10, 20, 30), cash - 120)


@pytest.mark.rule("18Mag XI.4/2")
def test_he_buys_one_share_in_a_turn_and_looks_again_from_the_top() -> None:
    """After the human has bought, too; with 10 Ft less he could not have had a third."""
    game = share_round(cash={HIM: 210, ME: 70})
    assert held(game, HIM) == (10, 0, 0, 0)
    game.apply(BuyShare("SIK"), ME)
    assert held(game, HIM) == (20, 0, 0, 0)
    pass_on(game)
    assert (held(game, HIM), cash_of(game, HIM)) == ((30, 0, 0, 0), 0)


@pytest.mark.rule("18Mag XI.4/2")
def test_he_passes_if_there_is_nothing_for_him() -> None:
    game = share_round(cash={HIM: 69})
    task = question_of(game).task
    assert isinstance(task, StockRound)
    assert (task.player, task.passes, task.last) == (ME, 1, None)
    game.apply(Pass())
    assert not isinstance(question_of(game).task, StockRound), "both have passed"
    assert state_of(game).priority == HIM


@pytest.mark.rule("18Mag XI.4/2")
@pytest.mark.parametrize(
    ("particulars", "expected"),
    [
        ({"directors": {"SzKÉV": HIM}, "shares": {"SzKÉV": {HIM: 4}}}, (60, 10, 0, 0)),
        ({"directors": {"SzKÉV": ME}, "shares": {"SzKÉV": {ME: 8}}}, (0, 10, 0, 0)),
        ({"directors": {"RÁBA": HIM}, "prices": {"SzKÉV": 110}}, (0, 20, 10, 0)),
        ({"prices": {"SzKÉV": 110, "RÁBA": 110, "SIK": 110}}, (0, 0, 0, 10)),
        (
            {
                "directors": {"RÁBA": HIM, "SIK": HIM},
                "shares": {"SIK": {HIM: 3}},
                "prices": {"SzKÉV": 110, "LdStEG": 110},
            },
            (0, 20, 50, 0),
        ),
    ],
    ids=["maximum of 60", "sold out", "maximum of 20", "too dear", "nothing"],
)
def test_the_topmost_major_that_he_can_have(particulars: dict[str, Any], expected: tuple[int, ...]) -> None:
    assert held(share_round(cash={HIM: 100}, **particulars), HIM) == expected


@pytest.mark.rule("18Mag XI.4/2")
def test_the_order_is_that_of_the_card() -> None:
    turned = wishes(("LdStEG", 10), ("SIK", 20), ("RÁBA", 10), ("SzKÉV", 10))
    game = pass_on(share_round(cash={HIM: 280}, deck=turned))
    assert held(game, HIM) == (0, 10, 20, 10)
    moves = [event.company for event in events(game, CertificateMoved) if event.percent == 10 and event.target == HIM]
    assert moves == ["LdStEG", "SIK", "SIK", "RÁBA"]


@pytest.mark.rule("18Mag XI.4/2")
def test_the_share_is_paid_to_the_bank_and_the_price_stays() -> None:
    game = share_round(cash={HIM: 100})
    assert payments(game, source=HIM) == [(HIM, BANK, 70)]
    assert not [event for event in events(game, PriceMoved) if event.company == "SzKÉV" and "dividend" not in event.why]


@pytest.mark.rule("18Mag XI.4/2")
def test_the_second_share_makes_him_director() -> None:
    game = share_round(cash={HIM: 100}, shares={"SzKÉV": {HIM: 1, ME: 1}})
    assert money.director(table_of(game), "SzKÉV") == HIM
    assert money.count_certificates(table_of(game), HIM) == 1


@pytest.mark.rule("18Mag XI.4/2")
def test_with_more_than_the_human_he_takes_the_directorship_over() -> None:
    game = share_round(cash={HIM: 100}, directors={"SzKÉV": ME}, shares={"SzKÉV": {HIM: 2}})
    assert money.director(table_of(game), "SzKÉV") == HIM
    assert [(event.before, event.after) for event in events(game, DirectorChanged)] == [(ME, HIM)]
    assert (held(game, HIM)[0], held(game, ME)[0]) == (30, 20)


@pytest.mark.rule("18Mag XI.4/8")
def test_istvan_does_not_sell() -> None:
    """He has no money, only shares, and a directorship falls to him; his turns bring him nothing."""
    game = share_round(
        ME, cash={ME: 0}, directors={"SzKÉV": HIM, "SIK": ME}, shares={"SzKÉV": {HIM: 4}, "SIK": {HIM: 2, ME: 2}}
    )
    game.apply(SellShares("SIK", 30), ME)
    assert money.director(table_of(game), "SIK") == HIM
    pass_on(game)
    assert held(game, HIM) == (60, 0, 20, 0)
    assert cash_of(game, HIM) == 0
