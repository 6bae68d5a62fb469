"""What S plans in a Stock Round: it spends what is scarce, money or certificates, where that brings most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from ostbahn.bots.policies import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import BuyShare, RepayDebt, SellShares, StartCompany
from ostbahn.titles.cz.opponents import shares
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.shares import (
    BuyingPower,
    Investment,
    PortfolioPlan,
    SaleOption,
    company_of,
    plan_at_prices,
    planned_proposals,
)
from ostbahn.titles.cz.opponents.weights import cz_search_weights
from ostbahn.titles.cz.state import Timetable
from tests.titles.cz.asking import asked
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

IDLE = 2.0
THIRD_SR, LAST_SR = 6, 24
"""Boxes of the process track."""


def share(company: str, worth: float, cost: float, certificates: int = 1) -> Investment:
    return Investment(BuyShare(company), worth, cost, cost, certificates, ())


def held(company: str, worth: float, money: int, certificates: int = 1) -> SaleOption:
    return SaleOption(SellShares(company, 10 * certificates), worth, money, certificates)


def best_plan(
    chances: Sequence[Investment], sales: Sequence[SaleOption], means: BuyingPower, own: set[str]
) -> PortfolioPlan:
    return shares.best_plan(chances, sales, means, own, cz_search_weights().fixed.shares)


def bought(plan: PortfolioPlan) -> set[str]:
    return {company_of(chance.action) for chance in plan.purchases}


def sold(plan: PortfolioPlan) -> set[str]:
    return {sale.action.company for sale in plan.sales}


# What is scarce is spent where it brings most


CHEAP_AND_DEAR = (share("cheap", 500, 100), share("small", 480, 100), share("dear", 800, 200))
"""Per K the first two bring most, per certificate the last."""


@pytest.mark.parametrize(
    ("money", "room", "expected"),
    [
        pytest.param(200, 10, {"cheap", "small"}, id="money is scarce"),
        pytest.param(200, 1, {"dear"}, id="certificates are scarce"),
        pytest.param(300, 2, {"cheap", "dear"}, id="both are"),
        pytest.param(400, 3, {"cheap", "small", "dear"}, id="neither is"),
    ],
)
def test_what_is_scarce_goes_where_it_brings_most(money: int, room: int, expected: set[str]) -> None:
    assert bought(best_plan(CHEAP_AND_DEAR, (), BuyingPower(money, room, IDLE), set())) == expected


def test_money_stays_in_hand_where_it_grows_as_much_as_shares() -> None:
    chances = (share("slow", 199, 100), share("fast", 201, 100))
    plan = best_plan(chances, (), BuyingPower(1000, 10, IDLE), set())
    assert bought(plan) == {"fast"}
    assert plan.value == pytest.approx(1)


def test_nothing_to_do_is_worth_nothing() -> None:
    assert best_plan((), (), BuyingPower(100, 3, IDLE), set()) == PortfolioPlan(0.0, (), ())


def test_shares_are_sold_for_better_ones() -> None:
    chances, sales = (share("good", 900, 100),), (held("weak", 210, 100), held("strong", 1500, 100))
    plan = best_plan(chances, sales, BuyingPower(0, 0, IDLE), set())
    assert (sold(plan), bought(plan)) == ({"weak"}, {"good"})
    assert plan.value == pytest.approx(900 - 210)


def test_shares_are_not_sold_to_buy_what_is_no_better() -> None:
    chances, sales = (share("as good", 500, 100),), (held("mine", 500, 100),)
    assert best_plan(chances, sales, BuyingPower(0, 0, IDLE), set()) == PortfolioPlan(0.0, (), ())


def test_shares_that_are_worth_less_than_their_money_are_sold_even_if_nothing_is_bought() -> None:
    plan = best_plan((), (held("doomed", 50, 100),), BuyingPower(0, 5, IDLE), set())
    assert sold(plan) == {"doomed"}
    assert plan.value == pytest.approx(100 * IDLE - 50)


def test_a_certificate_is_freed_where_only_the_place_is_missing() -> None:
    chances, sales = (share("good", 900, 100),), (held("weak", 250, 100), held("strong", 1500, 100))
    plan = best_plan(chances, sales, BuyingPower(1000, 0, IDLE), set())
    assert (sold(plan), bought(plan)) == ({"weak"}, {"good"})


def test_what_is_sold_is_not_bought_again() -> None:
    chances, sales = (share("same", 900, 100), share("other", 300, 100)), (held("same", 50, 100),)
    plan = plan_at_prices(chances, sales, BuyingPower(500, 5, IDLE), set(), IDLE, 0.0)
    assert (sold(plan), bought(plan)) == ({"same"}, {"other"})


def test_of_a_company_one_start_and_one_block_at_most() -> None:
    starts = [
        Investment(StartCompany("EKJ", price), 1000 + price, 2 * price, 2 * price, 1, ()) for price in (50, 60, 70)
    ]
    blocks = [held("weak", 10.0 * number, 50 * number, number) for number in (1, 2, 3)]
    plan = best_plan(starts, blocks, BuyingPower(1000, 10, IDLE), set())
    assert len(plan.purchases) == 1
    assert [sale.certificates for sale in plan.sales] == [3], "the block that costs most to keep"


# A company of one's own that has still to be floated


def test_a_company_of_ones_own_is_floated_before_anything_else() -> None:
    chances = (share("better", 2000, 200), share("own", 500, 200))
    means = BuyingPower(200, 10, IDLE)
    assert bought(best_plan(chances, (), means, {"own"})) == {"own"}
    assert bought(best_plan(chances, (), means, set())) == {"better"}


def test_it_is_floated_even_where_the_money_would_grow_more_in_hand() -> None:
    plan = best_plan((share("own", 100, 200), share("better", 900, 100)), (), BuyingPower(300, 10, IDLE), {"own"})
    assert [company_of(chance.action) for chance in plan.purchases] == ["own", "better"]


def test_what_cannot_be_paid_for_does_not_keep_others_away() -> None:
    plan = best_plan((share("own", 900, 500), share("other", 900, 100)), (), BuyingPower(300, 10, IDLE), {"own"})
    assert bought(plan) == {"other"}


def test_others_are_sold_to_float_it_but_never_it_itself() -> None:
    sales = (held("own", 0, 100), held("weak", 210, 100))
    plan = best_plan((share("own", 900, 100),), sales, BuyingPower(0, 5, IDLE), {"own"})
    assert (sold(plan), bought(plan)) == ({"weak"}, {"own"})


# Any plan at all


def some_market(rng: Random) -> tuple[list[Investment], list[SaleOption], BuyingPower]:
    chances = [
        share(f"c{number}", rng.randint(50, 900), rng.randint(40, 200), rng.choice((1, 1, 2))) for number in range(6)
    ]
    sales = [held(f"c{number}", rng.randint(50, 900), rng.randint(40, 200)) for number in (4, 5, 6)]
    return chances, sales, BuyingPower(rng.randint(-50, 400), rng.randint(0, 4), IDLE)


def subsets(things: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
    return chain.from_iterable(combinations(things, number) for number in range(len(things) + 1))


def gain(plan: PortfolioPlan, means: BuyingPower) -> float | None:
    """What a plan brings over doing nothing, None where it is not allowed; reckoned in another way than there."""
    spent = sum(chance.cost for chance in plan.purchases) - sum(sale.money for sale in plan.sales)
    places = sum(chance.certificates for chance in plan.purchases) - sum(sale.certificates for sale in plan.sales)
    short = plan.purchases and (spent > means.money or places > means.room)
    if short or sold(plan) & bought(plan) or len(bought(plan)) < len(plan.purchases):
        return None
    return sum(chance.worth for chance in plan.purchases) - sum(sale.worth for sale in plan.sales) - spent * means.idle


def all_plans(chances: Sequence[Investment], sales: Sequence[SaleOption]) -> Iterator[PortfolioPlan]:
    return (PortfolioPlan(0.0, gone, taken) for gone in subsets(sales) for taken in subsets(chances))


@pytest.mark.parametrize("seed", range(12))
def test_every_plan_is_allowed_and_worth_what_it_says(seed: int) -> None:
    rng = Random(seed)
    chances, sales, means = some_market(rng)
    own = {rng.choice(chances).action}
    for money, room in ((0.5, 0.0), (2.0, 0.0), (2.0, 300.0), (9.0, 60.0)):
        for mine in (set(), {company_of(action) for action in own}):
            plan = plan_at_prices(chances, sales, means, mine, money, room)
            assert gain(plan, means) == pytest.approx(plan.value)


def test_it_comes_near_the_best_that_there_is() -> None:
    """Trying all prices is not trying all plans; but it may not lose much against that, and never pretend more."""
    found = possible = 0.0
    for seed in range(25):
        chances, sales, means = some_market(Random(seed))
        plan = best_plan(chances, sales, means, set())
        best = max(amount for each in all_plans(chances, sales) if (amount := gain(each, means)) is not None)
        assert 0 <= plan.value <= best + 1e-6
        found, possible = found + plan.value, possible + best
    assert found > 0.95 * possible


# At the table


def at_box(game: Game, box: int) -> Game:
    """The same position with the rest of the process track ahead, from a box on."""
    agenda = (Timetable(box), *state_of(game).agenda[1:])
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(game.state, agenda=agenda))


def asked_at(box: int = THIRD_SR + 1, **fields: Any) -> Game:
    """p1 in a Stock Round of phase d; the box is the one after it."""
    return at_box(scene(**{"phase": "d", "agenda": [stock_round("p1")], **fields}), box)


def proposed(game: Game) -> list[Proposal]:
    """What S thinks of; each of it can be done."""
    found = planned_proposals(asked(game), game, CzBotView(table_of(game), cz_search_weights()))
    for proposal in found:
        refusal = asked(game).refusal(proposal.action)
        assert refusal is None, f"{proposal.action} is proposed, but {refusal}"
    return found


UNFLOATED: dict[str, Any] = {
    "started": {"BN": (60, "p1"), "EKJ": (60, "p2")},
    "prices": {"EKJ": 60},
    "trains": {"EKJ": [("c1", "3")]},
    "stations": {"D4.0": ["EKJ"]},
    "tiles": {"D4": ("57", 1), "D2": ("57", 1)},
}
"""BN lacks one share of 60 K, and EKJ's shares are for sale."""


def test_the_last_money_floats_ones_own_company() -> None:
    assert proposed(asked_at(**UNFLOATED, cash={"p1": 60}))[0].action == BuyShare("BN")


def test_it_is_floated_although_another_company_could_be_started_that_grows_more() -> None:
    """BN lacks one share of 70 K; OFE would be a whole company for 100 K."""
    fields: dict[str, Any] = {"box": 21, "cash": {"p1": 130}}
    mine, others = (asked_at(started={"BN": (70, who), "EKJ": (60, "p2")}, **fields) for who in ("p1", "p3"))
    assert proposed(mine)[0].action == BuyShare("BN")
    assert isinstance(proposed(others)[0].action, StartCompany)


def test_a_large_company_is_floated_as_a_whole_or_not_at_all() -> None:
    """Sx lacks three shares of 90 K."""
    first = [proposed(asked_at(started={"Sx": (90, "p1")}, cash={"p1": cash}))[0].action for cash in (269, 270)]
    assert first[0] != BuyShare("Sx")
    assert first[1] == BuyShare("Sx")


def test_money_that_does_not_float_it_is_free_for_others() -> None:
    game = asked_at(**{**UNFLOATED, "prices": {"BN": 90}}, cash={"p1": 80})
    assert [each.action for each in proposed(game)] == [BuyShare("EKJ"), Pass()]


def test_money_for_it_is_not_spent_on_anything_else() -> None:
    """110 K would buy either; whatever is bought, what is left floats BN."""
    for cash in range(60, 180, 10):
        game = asked_at(**UNFLOATED, cash={"p1": cash})
        game.apply(proposed(game)[0].action)
        left = state_of(game).cash["p1"]
        assert "BN" in state_of(game).floated or left >= 60


@pytest.mark.parametrize(
    ("means", "reason"),
    [
        (
            BuyingPower(1000, 0, IDLE),
            "room among your certificates for shares of dear, which are expected to bring more",
        ),
        (BuyingPower(10, 5, IDLE), "120 K for shares of dear, where money is expected to grow faster"),
    ],
)
def test_a_sale_says_whether_it_is_for_money_or_for_room(means: BuyingPower, reason: str) -> None:
    plan = PortfolioPlan(50.0, (held("old", 90, 120),), (share("dear", 400, 120),))
    (step,) = shares._next_steps(CzBotView(table_of(asked_at()), cz_search_weights()), plan, means, set())
    assert step.reasons == (reason,)


def test_whoever_has_too_many_certificates_sells() -> None:
    """Fourteen is the limit at a table of three."""
    large = ("Sx", "Pr", "By")
    game = asked_at(
        started=dict.fromkeys(large, (90, "p1")), shares={company: {"p1": 4} for company in large}, cash={"p1": 900}
    )
    assert isinstance(proposed(game)[0].action, SellShares)
    assert Pass() not in {each.action for each in proposed(game)}


def test_debts_are_repaid_before_anything_is_bought() -> None:
    game = asked_at(started={"EKJ": (60, "p2")}, cash={"p1": 400}, debts={"p1": 100})
    assert [each.action for each in proposed(game)] == [RepayDebt()]


def test_without_money_and_shares_nothing_but_passing_is_thought_of() -> None:
    game = asked_at(started={"EKJ": (60, "p2")}, cash={"p1": 0})
    assert [each.action for each in proposed(game)] == [Pass()]


@pytest.mark.parametrize("cash", [0, 60, 130, 250, 500, 1000])
@pytest.mark.parametrize("box", [THIRD_SR + 1, LAST_SR + 1])
def test_whatever_is_proposed_can_be_done_and_is_better_than_nothing(cash: int, box: int) -> None:
    game = asked_at(
        box=box,
        started={"BN": (60, "p1"), "EKJ": (60, "p2"), "Sx": (90, "p1"), "Pr": (100, "p3")},
        shares={"BN": {"p1": 1}, "Sx": {"p1": 3, "p2": 1}, "Pr": {"p3": 3, "p1": 2}},
        trains={"Sx": [("d1", "3E")], "EKJ": [("c1", "3")]},
        cash={"p1": cash},
    )
    found = proposed(game)
    assert Pass() in {each.action for each in found}
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert all(each.score <= found[0].score for each in found)


def test_a_company_that_was_started_is_floated_before_another_one_is_started() -> None:
    """At all prices and with any money that is enough for a share of it."""
    for box, price, cash in product((7, 17, 21), (60, 80, 100), range(200, 700, 100)):
        game = asked_at(box=box, started={"BN": (price, "p1"), "EKJ": (60, "p2")}, cash={"p1": cash})
        assert proposed(game)[0].action == BuyShare("BN"), (box, price, cash)


def test_a_poor_company_of_ones_own_does_not_keep_one_from_buying_good_shares() -> None:
    plan = best_plan((share("own", 100, 200), share("good", 250, 100)), (), BuyingPower(300, 10, 2.0), {"own"})
    assert [company_of(chance.action) for chance in plan.purchases] == ["good"]
