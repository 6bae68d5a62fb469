"""Share-price changes (18CZ IX)."""

from __future__ import annotations

import pytest

from ostbahn.kernel import chart
from ostbahn.titles.cz.actions import PayOut
from ostbahn.titles.cz.state import UseIncome
from tests.titles.cz.scenes import scene, table_of


@pytest.mark.rule("18CZ IX.2/1", "18CZ IX.2/2")
@pytest.mark.parametrize(
    ("company", "start", "before", "after"),
    [
        ("EKJ", 60, 60, 65),
        ("EKJ", 60, 63, 68),
        ("EKJ", 60, 350, 350),
        ("kk", 90, 90, 110),
        ("kk", 90, 95, 115),
        ("kk", 90, 320, 350),
        ("kk", 90, 335, 370),
        ("kk", 90, 370, 370),
    ],
)
def test_a_dividend_moves_the_price_right_in_its_row(company: str, start: int, before: int, after: int) -> None:
    shares = {"kk": {"p1": 3}}
    game = scene(
        phase="d",
        started={company: (start, "p1")},
        shares=shares,
        prices={company: before},
        agenda=[UseIncome(company, 100)],
    )
    game.apply(PayOut())
    assert chart.price(table_of(game), company) == after
