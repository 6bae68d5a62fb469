"""Figures of 18CZ from which players decide about shares: worked out by hand, and by really selling."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import PayOut, RunTrains, SellShares, Withhold
from ostbahn.titles.cz.state import EstablishStation, LayTrack, StockRound, Timetable, UseIncome
from ostbahn.views.models import CompanyView, PlayerView
from ostbahn.views.title_views import views_of
from tests.selling import most_by_selling
from tests.titles.cz.lines import CITY_20, CITY_30, line
from tests.titles.cz.looking import answer_all, asked
from tests.titles.cz.scenes import scene, stock_round

SECOND_OR = 4
"""Its box on the process track."""


def player(game: Game, seat: str) -> PlayerView:
    return next(view for view in views_of(game).players(None) if view.seat == seat)


def company(game: Game, id_: str) -> CompanyView:
    return next(view for view in views_of(game).companies() if view.id == id_)


def raised(game: Game) -> list[int | None]:
    return [player(game, seat).can_raise for seat in ("p1", "p2", "p3")]


def austria(**fields: Any) -> Game:
    """kk at 100: p1 directs it with 60%, p2 has 40%; BN at 70: p2 directs it with 60%, p3 has 20%."""
    given: dict[str, Any] = {
        "phase": "d",
        "started": {"kk": (100, "p1"), "BN": (70, "p2")},
        "shares": {"kk": {"p1": 4, "p2": 4}, "BN": {"p2": 1, "p3": 1}},
        "agenda": [stock_round("p1")],
    }
    return scene(**{**given, **fields})


# What could be raised


@pytest.mark.rule("18CZ VII.6/3")
def test_a_block_brings_todays_price_however_large_it_is() -> None:
    """p1 sells six shares of kk at 100. p2 sells four of them, and one of BN at 70: two are the Director's."""
    assert raised(austria()) == [600, 400 + 70, 70]


@pytest.mark.rule("18CZ VII.5.b/6")
def test_a_director_without_a_successor_keeps_that_certificate() -> None:
    """Nobody but p1 has the 20% of kk that its Director's certificate is."""
    game = austria(shares={"kk": {"p1": 4, "p2": 1}, "BN": {"p2": 1, "p3": 1}})
    assert raised(game) == [400, 100 + 70, 70]


@pytest.mark.rule("18CZ VII.6/4")
def test_in_the_very_first_stock_round_nothing_can_be_raised() -> None:
    assert raised(austria(agenda=[stock_round("p1", first=True)])) == [0, 0, 0]


def test_in_an_operating_round_it_is_what_a_stock_round_would_bring() -> None:
    assert raised(austria(agenda=[LayTrack("kk", first=False)])) == [600, 470, 70]


@pytest.mark.rule("18CZ IX.3/1")
def test_after_a_sale_the_rest_brings_the_lower_price() -> None:
    """kk falls from 100 to 95 with the first sale of p1, who has 50% left; the others can sell at 95 only."""
    game = austria()
    game.apply(SellShares("kk", 10))
    assert raised(game) == [5 * 95, 4 * 95 + 70, 70]


@pytest.mark.rule("18CZ IV.1/12")
def test_local_railways_raise_nothing() -> None:
    assert raised(austria(locals_of={"S1": "p1", "L1": "p3"})) == [600, 470, 70]


def test_a_bystander_has_no_money_to_raise() -> None:
    game = scene(players=2, variant="bohemia", agenda=[stock_round("p1")])
    assert [view.can_raise for view in views_of(game).players(None)] == [0, 0, None]


@pytest.mark.parametrize("seat", ["p1", "p2", "p3"])
@pytest.mark.parametrize("ruling", ["company and turn", "block"])
@pytest.mark.parametrize(
    "shares",
    [
        {"kk": {"p1": 4, "p2": 4}, "BN": {"p2": 1, "p3": 1}},
        {"kk": {"p1": 2, "p2": 1, "p3": 1}, "BN": {"p2": 1, "p1": 1}},
        {"kk": {"p1": 1, "p2": 3}, "BN": {"p3": 2}},
        {"kk": {"p2": 2, "p3": 2}, "BN": {"p1": 2, "p2": 1}},
    ],
)
def test_nobody_can_raise_more_or_less_by_really_selling(
    seat: str, ruling: str, shares: dict[str, dict[str, int]]
) -> None:
    """All orders and sizes of sales are tried, whether or not each sale lets the price fall."""
    game = austria(shares=shares, agenda=[stock_round(seat)], rulings={"price_drop_per": ruling})
    assert player(game, seat).can_raise == most_by_selling(game)


# What the last Operating Round brought


def second_round(**fields: Any) -> Game:
    """Operating Round 2.1 begins: BN runs for 50 K; p1 has 60% of it and S1, p2 has 20% and L1."""
    given: dict[str, Any] = {
        "phase": "b",
        "started": {"BN": (70, "p1")},
        "shares": {"BN": {"p1": 1, "p2": 1}},
        "trains": {"BN": [("b1", "2+2")]},
        "tiles": line("G3", CITY_30, CITY_20),
        "stations": {"G3.0": ["BN"]},
        "locals_of": {"S1": "p1", "L1": "p2"},
        "agenda": [Timetable(SECOND_OR)],
    }
    return scene(**{**given, **fields})


def run(game: Game, *then: Action) -> Game:
    """Nothing is built, the trains run, and then."""
    while isinstance(asked(game).task, LayTrack | EstablishStation):
        game.apply(Pass())
    answer_all(game, asked(game).only(RunTrains)[0].action, *then)
    return game


def incomes(game: Game) -> list[int | None]:
    return [player(game, seat).last_income for seat in ("p1", "p2", "p3")]


def test_before_the_first_operating_round_nobody_has_an_income() -> None:
    assert (player(austria(), "p1").last_income, player(austria(), "p1").income_round) == (None, "")


@pytest.mark.rule("18CZ IV.1/5")
def test_local_railways_are_income_from_the_beginning_of_the_round() -> None:
    game = second_round()
    assert incomes(game) == [5, 20, 0]
    assert player(game, "p1").income_round == "OR 2.1"


@pytest.mark.rule("18CZ VIII.8/14")
def test_dividends_are_income() -> None:
    """60% of 50 K for p1, 20% for p2."""
    assert incomes(run(second_round(), PayOut())) == [5 + 30, 20 + 10, 0]


@pytest.mark.rule("18CZ VIII.8/17")
def test_what_is_kept_is_nobodys_income() -> None:
    assert incomes(run(second_round(), Withhold())) == [5, 20, 0]


def test_income_stays_that_of_the_last_operating_round_while_shares_are_traded() -> None:
    """The next round after the only one of its set is Stock Round 3, in which p1 sells a share."""
    game = run(second_round(), PayOut())
    while not isinstance(asked(game).task, StockRound):
        game.apply(Pass())
    game.apply(SellShares("BN", 20))
    assert views_of(game).round == "SR 3"
    assert incomes(game) == [35, 30, 0]
    assert player(game, "p1").income_round == "OR 2.1"


# What a company yields


@pytest.mark.rule("18CZ IX.2/1")
def test_a_dividend_in_percent_of_the_price_that_it_leads_to() -> None:
    """A share of 20% gets 10 K of 50 K, and the price rises from 70 to 80: 12.5%, rounded up."""
    view = company(run(second_round(), PayOut()), "BN")
    assert (view.last_revenue, view.last_dividend, view.price, view.yield_percent) == (50, 10, 80, 13)
    assert (view.start_price, view.price_moved) == (70, 10)


@pytest.mark.rule("18CZ IX.2/3")
def test_a_company_that_keeps_its_income_yields_nothing() -> None:
    view = company(run(second_round(), Withhold()), "BN")
    assert (view.last_revenue, view.last_dividend, view.price, view.yield_percent) == (50, 0, 65, 0)
    assert view.price_moved == -5


def test_before_the_income_is_decided_on_there_is_no_dividend() -> None:
    view = company(run(second_round()), "BN")
    assert (view.last_revenue, view.last_dividend, view.yield_percent, view.price_moved) == (50, None, None, 0)


@pytest.mark.rule("18CZ IX.2/3")
def test_a_company_that_earns_nothing_pays_nothing_without_being_asked() -> None:
    game = run(second_round(trains={}))
    assert not isinstance(asked(game).task, UseIncome)
    assert company(game, "BN").last_dividend == 0


@pytest.mark.rule("18CZ VIII.8/15")
def test_the_dividend_of_a_share_is_rounded_up() -> None:
    """EKJ pays 50 K: 12.5 K for a share of 25%."""
    game = second_round(
        started={"EKJ": (50, "p1")}, shares={}, trains={"EKJ": [("a1", "2")]}, stations={"G3.0": ["EKJ"]}
    )
    assert company(run(game, PayOut()), "EKJ").last_dividend == 13


@pytest.mark.rule("18CZ IX.3/1")
def test_prices_have_moved_since_the_last_operating_round_began() -> None:
    """BN rises from 70 to 80 for its dividend; then p1 sells it, and it falls to 75."""
    game = run(second_round(), PayOut())
    while not isinstance(asked(game).task, StockRound):
        game.apply(Pass())
    game.apply(SellShares("BN", 20))
    view = company(game, "BN")
    assert (view.price, view.price_moved) == (75, 5)


@pytest.mark.rule("18CZ XI.1/13")
def test_vaclavs_companies_pay_without_being_asked() -> None:
    """He holds the Director's half of EKJ, which earns 50 K; p2 has 25%, and 13 K of it."""
    game = second_round(
        players=2,
        variant="bohemia",
        phase="a",
        started={"EKJ": (50, "Vaclav")},
        shares={"EKJ": {"p2": 1}},
        trains={"EKJ": [("a1", "2")]},
        stations={"G3.0": ["EKJ"]},
        floated=("EKJ",),
        locals_of={},
    )
    assert asked(game).company == "EKJ"
    game.apply(asked(game).options[0].action)
    while asked(game).company == "EKJ":
        game.apply(Pass())
    view = company(game, "EKJ")
    assert view.marks == ("always pays out",)
    assert (view.last_revenue, view.last_dividend, player(game, "p2").last_income) == (50, 13, 13)


# What stands out, and what is left


def test_marks_of_companies() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1"), "BN": (70, "p2"), "ATE": (70, "p3"), "Sx": (90, "p3"), "EKJ": (50, "p1")},
        shares={"kk": {"p1": 4, "p2": 4}, "BN": {"p2": 1}, "ATE": {"p3": 1}, "EKJ": {"p1": 1}},
        trains={"kk": [("d1", "3E")], "BN": [("a1", "2")], "EKJ": [("a2", "2")]},
        revenue={"kk": 100, "BN": 0},
        agenda=[stock_round("p1")],
    )
    marks = {view.id: view.marks for view in views_of(game).companies() if view.price is not None}
    assert marks == {
        "kk": ("sold out",),
        "BN": ("no train it can run",),
        "ATE": ("no train", "first run next"),
        "Sx": ("unfloated",),
        "EKJ": ("first run next",),
    }


def test_what_is_left_in_the_bank() -> None:
    left = {view.id: view for view in views_of(austria()).companies()}
    assert [left[id_].bank_percent for id_ in ("kk", "BN", "Pr")] == [0, 20, 100]
    assert left["kk"].places == ()
    (place,) = left["BN"].places
    assert (place.holder.name, place.percent, place.certificates) == ("the bank", 20, 1)
