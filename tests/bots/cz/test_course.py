"""A company's turns until the end, worked out by hand for small futures.

Trains earn what is typical of them here and track does not grow; nobody buys a second train, and money stays what it
is: a test says where it wants that otherwise. Share prices begin at 60 K.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from ostbahn.titles.cz.opponents.calendar import round_forecast_of
from ostbahn.titles.cz.opponents.course import Prospect, ProspectInput, prospect_of
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_weights
from ostbahn.titles.cz.state import OperatingRound, PurchaseTrains, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.scenes import scene, stock_round, table_of

TYPICAL = {"2": 40, "3": 80, "4": 130, "5": 200, "2+2": 60, "3+3": 120, "4+4": 210, "5+5": 290}
TYPICAL |= {"3E": 160, "4E": 230, "5E": 330, "6E": 390, "8E": 480}
DEAR = 1000.0
"""No further train pays so much of its price back."""
FIRST_OF_D, FIRST_OF_E, FIRST_OF_H = 13, 17, 29
DEADLY = FIRST_OF_E + 1
"""The first 4-train is sold, and 2-trains are gone."""
PRICES = (40, 45, 50, 53, 55, 58, 60, 63, 65, 68, 70, 75, 80)
SPACE = PRICES.index(60)


def plain(**numbers: Any) -> CzWeights:
    """Weights with numbers of one's own, by their names; `becomes` is what money is worth in the end."""
    numbers = {
        "cash": numbers.pop("becomes", (1.0,)),
        "grace": 1,
        "growth": 0.0,
        "typical": TYPICAL,
        "further": (1.0, 0.5),
        "as_measured": (1.0, 0.5),
        "payback": DEAR,
        "keep_ahead": 0,
        "levy": 1.0,
        **numbers,
    }
    found = cz_weights()
    for table in ("future", "trains", "dealing"):
        part = getattr(found, table)
        mine = {name: value for name, value in numbers.items() if name in part.__struct_fields__}
        found = structs.replace(found, **{table: structs.replace(part, **mine)})
    return found


def outset(*gone: int, runs: int | None = None, phase: str = "a", **fields: Any) -> ProspectInput:
    """A small company; `gone` are the cards that have gone at each Operating Round, the first being the next one."""
    weights = plain(**{name: fields.pop(name) for name in list(fields) if name not in ProspectInput._fields})
    usual = {
        "ahead": round_forecast_of(cz_title(), weights, gone, gone[0], phase, ()),
        "company": "EKJ",
        "cash": 0,
        "space": SPACE,
        "faces": ("2",),
        "measured": None,
        "quality": 1.0,
        "runs": range(len(gone) if runs is None else runs),
        "buys_now": False,
    }
    return ProspectInput(**{**usual, **fields})


def future(*gone: int, **fields: Any) -> Prospect:
    return prospect_of(outset(*gone, **fields))


# Dividends and prices


def test_a_train_that_lives_pays_in_every_round_and_the_price_rises() -> None:
    """60, 65, 70, 80."""
    found = future(0, 0, 0)
    assert (found.dividends, found.price, found.next_revenue) == (3 * 40, 80, 40)
    assert (found.levies, found.due, found.treasury) == (0, 0, 0)


def test_large_companies_rise_twice_as_fast() -> None:
    assert future(FIRST_OF_D, FIRST_OF_D, company="Ug", faces=("3E",), phase="d").price == 90


def test_dividends_count_with_what_they_become() -> None:
    """After each of eight Stock Rounds the factor is one less, down to 1."""
    found = future(0, 0, 0, becomes=tuple(float(number) for number in range(9, 0, -1)))
    assert found.dividends == 40 * (8 + 7 + 6)


def test_track_grows_and_good_track_pays_more() -> None:
    assert future(0, 0, quality=1.5).dividends == 2 * 60
    assert future(0, 0, growth=0.5).dividends == 40 + 60


def test_further_trains_earn_less_than_the_first() -> None:
    assert future(FIRST_OF_D, faces=("2", "3")).dividends == 80 + 40 / 2


def test_the_next_runs_are_as_measured_later_ones_as_is_typical() -> None:
    assert future(0, 0, 0, measured=100).dividends == 100 + (100 + 40) / 2 + 40


def test_what_was_measured_with_other_trains_does_not_count() -> None:
    """Two 2-trains are measured, and scrapped before the second run; a 4-train takes their place."""
    found = future(FIRST_OF_E, DEADLY, faces=("2", "2"), measured=100, cash=0)
    assert found.dividends == 100 + 130


def test_without_any_run_to_come_all_stays_as_it_is() -> None:
    found = future(0, runs=0, cash=100, buys_now=True, faces=())
    assert found == Prospect(dividends=0, price=60, levies=0, treasury=100, next_revenue=0, due=0)


# Trains that die


def test_trains_that_are_scrapped_are_replaced_in_time() -> None:
    """A 4-train is 250 K."""
    found = future(FIRST_OF_E, DEADLY, DEADLY, cash=300)
    assert (found.dividends, found.treasury, found.levies) == (40 + 130 + 130, 50, 0)


def test_the_director_adds_what_is_missing() -> None:
    found = future(FIRST_OF_E, DEADLY, DEADLY, cash=200, levy=3.0)
    assert (found.levies, found.due, found.treasury) == (50 * 3, 50, 0)


def test_only_what_is_asked_for_after_the_next_run_is_due_now() -> None:
    found = future(FIRST_OF_E, FIRST_OF_E, DEADLY, cash=200)
    assert (found.levies, found.due) == (50, 0)


def test_after_the_last_run_nothing_is_bought() -> None:
    assert future(FIRST_OF_E, DEADLY, runs=1, cash=300).treasury == 300


def test_a_company_saves_before_its_last_train_dies() -> None:
    """It keeps 40 K, and for that its price falls once: 60, 55, 60."""
    found = future(FIRST_OF_E, DEADLY, cash=220, keep_ahead=1)
    assert (found.dividends, found.levies, found.treasury, found.price) == (130, 0, 10, 60)
    assert future(FIRST_OF_E, DEADLY, cash=220, keep_ahead=0).levies == 30


def test_a_company_that_has_the_money_already_does_not_save() -> None:
    assert future(FIRST_OF_E, DEADLY, cash=250, keep_ahead=1).dividends == 40 + 130


def test_the_price_does_not_fall_off_the_chart() -> None:
    """A company that can neither run nor buy: on an a-card there is nothing for a medium one."""
    found = future(0, 0, 0, company="BN", faces=(), space=2)
    assert (found.dividends, found.next_revenue, found.price) == (0, 0, 40)


# Trains that are bought


def test_who_still_buys_before_the_next_run_runs_with_the_new_train() -> None:
    late, now = (future(0, 0, 0, runs=2, faces=(), cash=70, buys_now=each) for each in (False, True))
    assert (late.next_revenue, late.dividends) == (0, 40)
    assert (now.next_revenue, now.dividends) == (40, 80)
    assert late.treasury == now.treasury == 0


def test_a_company_buys_trains_of_its_own_size() -> None:
    sizes = {"EKJ": 120, "BN": 180, "Ug": 250}
    gone = (FIRST_OF_D, FIRST_OF_D)
    left = {company: future(*gone, company=company, faces=(), cash=300, phase="d").treasury for company in sizes}
    assert left == {company: 300 - price for company, price in sizes.items()}


def test_a_further_train_is_bought_if_it_earns_enough_of_its_price() -> None:
    """A second 2-train for 70 K earns 20 K in each of four rounds."""
    gone = (0,) * 5
    bought, refused = (future(*gone, cash=139, payback=part) for part in (80 / 70, 81 / 70))
    assert (bought.treasury, bought.dividends) == (69, 5 * 40 + 4 * 20)
    assert (refused.treasury, refused.dividends) == (139, 5 * 40)


def test_what_is_above_the_limit_goes_and_the_best_stay() -> None:
    """From h on a small company may have one train."""
    found = future(FIRST_OF_H, faces=("3", "5", "4"), phase="h")
    assert found.dividends == 200


# What is kept is not mixed up


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({}, {"company": "BN"}, id="a company of another size"),
        pytest.param({}, {"cash": 1}, id="money"),
        pytest.param({}, {"space": SPACE + 1}, id="price"),
        pytest.param({}, {"faces": ("2", "2")}, id="trains"),
        pytest.param({}, {"measured": 0}, id="a run that brings nothing, and none that was measured"),
        pytest.param({}, {"measured": 41}, id="what they run for"),
        pytest.param({}, {"quality": 1.1}, id="track"),
        pytest.param({}, {"runs": 2}, id="rounds to come"),
        pytest.param({"faces": ()}, {"faces": (), "buys_now": True}, id="whether it still buys"),
        pytest.param({}, {"levy": 2.0}, id="weights that have the same hash"),
        pytest.param({}, {"growth": 0.1}, id="weights that have another hash"),
        pytest.param({"faces": ("2", "2")}, {"faces": ("2", "2"), "phase": "h"}, id="phase"),
    ],
)
def test_a_future_hangs_on_everything_that_it_begins_with(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Asked in turn, so that neither is taken for the other: a company that will have to replace its trains."""
    gone = (FIRST_OF_E, FIRST_OF_E, DEADLY)
    before, after = future(*gone, **one), future(*gone, **other)
    assert before != after
    assert (future(*gone, **one), future(*gone, **other)) == (before, after)


# What a table has to begin with


def turn(done: str | None = None, **fields: Any) -> CzBotView:
    """EKJ buys trains in the last Operating Round but two, and OFE comes after it; each has a 5-train."""
    usual = {
        "trains": {"EKJ": [("g1", "5")], "OFE": [("g2", "5")]},
        "agenda": [OperatingRound(("OFE",)), PurchaseTrains("EKJ")],
    }
    table = table_of(scene(phase="j", started={"EKJ": (60, "p1"), "OFE": (60, "p2")}, **{**usual, **fields}))
    table.state.agenda = (Timetable(len(table.title.boxes) - 2), *table.state.agenda[1:])
    return CzBotView(table, plain(), done)


def test_local_railways_of_a_company_count_as_money() -> None:
    more = turn(locals_of={"S1": "EKJ", "S2": "p1"}, local_price=40)
    assert more.prospect("EKJ").treasury == turn().prospect("EKJ").treasury + 40


def test_who_has_run_in_this_round_runs_once_less() -> None:
    view = turn()
    assert [view.prospect(company).dividends for company in ("EKJ", "OFE")] == [2 * 200, 3 * 200]


def test_whoever_is_done_buys_nothing_more_in_its_turn() -> None:
    """EKJ has no train and the money for one, which runs in both rounds to come or only in the last."""
    views = [turn(done, trains={}, cash={"EKJ": 350}) for done in (None, "OFE", "EKJ")]
    assert [view.prospect("EKJ").dividends for view in views] == [2 * 200, 2 * 200, 200]


def test_in_a_stock_round_the_same_rounds_are_to_come_for_everybody() -> None:
    view = turn(agenda=[stock_round("p1")])
    assert [view.prospect(company).dividends for company in ("EKJ", "OFE")] == [2 * 200] * 2
