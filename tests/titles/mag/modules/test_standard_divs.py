"""Standard dividends: everything or nothing (18Mag M.2)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import PayDividend
from ostbahn.titles.mag.state import OperatingRound, PayOut
from tests.titles.mag.scenes import scene
from tests.titles.mag.share_scenes import cash_of, price_of, question_of, refusal_rule


def paying(cash: int, variant: str = "base") -> Game:
    players = 2 if variant == "two_player" else 3
    return scene(
        modules=["standard_divs"],
        variant=variant,
        players=players,
        cash={"SIK": cash},
        directors={"SIK": "p1"},
        agenda=[PayOut("SIK")],
    )


def amounts(question: Question) -> list[int]:
    return [option.action.amount for option in question if isinstance(option.action, PayDividend)]


@pytest.mark.rule("18Mag M.2/1")
@pytest.mark.parametrize(("cash", "offers"), [(0, [0]), (7, [0]), (10, [0, 10]), (128, [0, 120]), (250, [0, 250])])
@pytest.mark.parametrize("variant", ["base", "two_player"])
def test_a_director_pays_all_that_is_a_multiple_of_ten_or_nothing(cash: int, offers: list[int], variant: str) -> None:
    game = paying(cash, variant)
    assert amounts(question_of(game)) == offers
    for amount in range(-10, cash + 20):
        assert (refusal_rule(game, PayDividend(amount)) == "allowed") == (amount in offers)
    assert refusal_rule(game, PayDividend(-10)) == "18Mag M.2/1"


@pytest.mark.rule("18Mag M.2/1")
def test_what_is_no_multiple_of_ten_stays_in_the_treasury() -> None:
    game = paying(128)
    game.apply(PayDividend(120))
    assert cash_of(game, "SIK") == 8
    assert cash_of(game, "p1") == 24


@pytest.mark.rule("18Mag M.2/2")
def test_a_major_without_a_director_pays_everything() -> None:
    game = scene(
        modules=["standard_divs"],
        cash={"SIK": 120, "RÁBA": 50},
        directors={"RÁBA": "p1"},
        shares={"SIK": {"p2": 1}},
        prices={"SIK": 80, "RÁBA": 60},
        agenda=[OperatingRound((), ("SIK", "RÁBA"))],
    )
    assert question_of(game).company == "RÁBA", "nobody is asked about SIK"
    assert (cash_of(game, "SIK"), cash_of(game, "p2")) == (0, 12)


@pytest.mark.rule("18Mag M.2/3")
@pytest.mark.parametrize(("amount", "price"), [(0, 65), (10, 70), (50, 75), (100, 80), (200, 85), (250, 90)])
def test_prices_move_by_the_same_table(amount: int, price: int) -> None:
    game = paying(amount or 130)
    game.apply(PayDividend(amount))
    assert price_of(game, "SIK") == price
