"""CIWL: shares of 20 %, its director share, and trains from red to red (18Mag M.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Revenue
from ostbahn.titles.mag.actions import (
    BuyCar,
    BuyDirectorShare,
    BuyShare,
    DraftShare,
    PayDividend,
    PlaceStation,
    RunTrains,
    SellShares,
    TrainRun,
)
from ostbahn.titles.mag.state import OperateWithCars, PayOut, PlaceMarker, StockRound
from tests.titles.mag.modules.playing import with_modules
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    GENTLE,
    SHARP,
    STRAIGHT,
    TOWN_10,
    best_income,
    gains,
    line,
    path_of_line,
    proposed_run,
    run,
    running,
    turned,
)
from tests.titles.mag.scenes import scene, state_of, table_of
from tests.titles.mag.share_scenes import (
    cards_held,
    cash_of,
    director_of,
    events_of,
    finish_draft,
    is_offered,
    on_charter,
    percent_of,
    price_of,
    question_of,
    refusal_rule,
)

CIWL = "CIWL"


def share_round(player: str = "p1", players: int = 3, **fields: Any) -> Game:
    money = dict.fromkeys(("p1", "p2", "p3"), 1000)
    fields = {"cash": money, "prices": {CIWL: 75}, "round": "SR 2", **fields}
    return scene(modules=["new_major"], players=players, agenda=[StockRound(player)], **fields)


# Shares


@pytest.mark.rule("18Mag M.4/1")
def test_ciwl_has_a_director_share_and_three_others() -> None:
    table = table_of(with_modules("new_major"))
    assert table.title.companies[CIWL].certificates == (40, 20, 20, 20)
    assert list(table.title.companies)[-1] == CIWL


@pytest.mark.rule("18Mag M.4/1")
def test_nobody_holds_more_than_sixty_percent() -> None:
    game = share_round(directors={CIWL: "p1"}, shares={CIWL: {"p1": 1}})
    assert percent_of(game, "p1", CIWL) == 60
    assert refusal_rule(game, BuyShare(CIWL)) == "18Mag VII.3/3"


@pytest.mark.rule("18Mag M.4/2")
def test_the_price_buys_a_fifth_and_the_director_share_is_worth_two() -> None:
    game = share_round()
    game.apply(BuyShare(CIWL))
    assert (cash_of(game, "p1"), percent_of(game, "p1", CIWL)) == (925, 20)
    holder = share_round(directors={CIWL: "p1"}, shares={CIWL: {"p2": 1}})
    assert table_of(holder).wealth("p1") == 1000 + 2 * 75
    assert table_of(holder).wealth("p2") == 1000 + 75


@pytest.mark.rule("18Mag M.4/2")
def test_shares_are_sold_in_fifths() -> None:
    game = share_round(directors={CIWL: "p1"}, shares={CIWL: {"p1": 1}})
    assert refusal_rule(game, SellShares(CIWL, 10)) == "18Mag III.3.3/3"
    assert refusal_rule(game, SellShares(CIWL, 40)) == "18Mag VII.4/2", "it would take the director share"
    game.apply(SellShares(CIWL, 20))
    assert (cash_of(game, "p1"), percent_of(game, "p1", CIWL), price_of(game, CIWL)) == (1075, 40, 70)


@pytest.mark.rule("18Mag M.4/3")
def test_a_share_gets_a_fifth_and_the_price_moves_by_all() -> None:
    game = scene(
        modules=["new_major"],
        cash={CIWL: 60},
        directors={CIWL: "p1"},
        shares={CIWL: {"p2": 1}},
        agenda=[PayOut(CIWL)],
    )
    game.apply(PayDividend(60))
    assert [cash_of(game, who) for who in ("p1", "p2", CIWL)] == [24, 12, 0]
    assert price_of(game, CIWL) == 80, "two spaces for 60 Ft"


@pytest.mark.rule("18Mag M.4/4")
def test_its_markers_cost_forty_and_eighty() -> None:
    game = scene(
        modules=["new_major"], cash={CIWL: 120}, directors={CIWL: "p1"}, agenda=[PlaceMarker(CIWL), PlaceMarker(CIWL)]
    )
    assert state_of(game).markers[CIWL] == 2
    game.apply(PlaceStation("C12.0"))
    assert cash_of(game, CIWL) == 80
    game.apply(PlaceStation("C16.0"))
    assert (cash_of(game, CIWL), state_of(game).markers[CIWL]) == (0, 0)


@pytest.mark.rule("18Mag M.4/5")
@pytest.mark.parametrize(("players", "each", "left"), [(3, 1, 2), (4, 1, 4), (5, 2, 6), (6, 2, 4)])
def test_its_shares_are_drafted_like_others(players: int, each: int, left: int) -> None:
    game = with_modules("new_major", players=players)
    assert state_of(game).package[CIWL] == each
    before = sum(state_of(game).package.values())
    finish_draft(game, {"p1": [DraftShare(CIWL)]})
    assert percent_of(game, "p1", CIWL) == 20
    picked = sum(isinstance(action, DraftShare) for _, action in game.actions())
    assert before - picked == left
    quotas = {3: 2, 4: 1, 5: 2, 6: 2}
    assert picked == quotas[players] * players, "a share of 20 % is one share"


@pytest.mark.rule("18Mag M.4/5", "18Mag M.4/6")
def test_two_drafted_shares_make_a_director() -> None:
    game = with_modules("new_major", players=5)
    finish_draft(game, {"p2": [DraftShare(CIWL), DraftShare(CIWL)]})
    assert director_of(game, CIWL) == "p2"
    assert cards_held(game, "p2", CIWL) == (1, 0)
    assert on_charter(game, CIWL) == 3


# The director share


@pytest.mark.rule("18Mag M.4/6")
def test_two_shares_are_exchanged_at_once() -> None:
    game = share_round(shares={CIWL: {"p1": 1}})
    game.apply(BuyShare(CIWL))
    assert cards_held(game, "p1", CIWL) == (1, 0)
    assert (cash_of(game, "p1"), on_charter(game, CIWL)) == (925, 3)


@pytest.mark.rule("18Mag M.4/6")
def test_the_director_share_is_not_for_sale_while_others_are() -> None:
    game = share_round(shares={CIWL: {"p1": 1, "p2": 1}})
    assert refusal_rule(game, BuyDirectorShare(CIWL)) == "18Mag M.4/6"
    led = share_round(directors={CIWL: "p2"}, shares={CIWL: {"p1": 1}})
    assert refusal_rule(led, BuyDirectorShare(CIWL)) == "18Mag M.4/6"


@pytest.mark.rule("18Mag M.4/7")
def test_who_has_one_of_three_gives_it_in_and_pays_the_other_half() -> None:
    game = share_round(shares={CIWL: {"p1": 1, "p2": 1, "p3": 1}})
    assert refusal_rule(game, BuyShare(CIWL)) == "18Mag VII.5/1"
    assert is_offered(game, BuyDirectorShare(CIWL))
    game.apply(BuyDirectorShare(CIWL))
    assert cards_held(game, "p1", CIWL) == (1, 0)
    assert (cash_of(game, "p1"), on_charter(game, CIWL)) == (925, 1)
    assert question_of(game).decider == "p2", "it was the purchase of the turn"
    assert price_of(game, CIWL) == 75


@pytest.mark.rule("18Mag M.4/7")
def test_who_has_none_cannot_pay_or_sold_one_takes_no_director_share() -> None:
    held = {CIWL: {"p1": 1, "p2": 2}}
    assert refusal_rule(share_round("p3", shares=held), BuyDirectorShare(CIWL)) == "18Mag M.4/7"
    poor = share_round(shares={CIWL: {"p1": 1, "p2": 1, "p3": 1}}, cash={"p1": 74})
    assert refusal_rule(poor, BuyDirectorShare(CIWL)) == "18Mag M.4/7"
    banned = scene(
        modules=["new_major"],
        cash={"p1": 1000},
        shares={CIWL: {"p1": 1, "p2": 1, "p3": 1}},
        agenda=[StockRound("p1", bans=(("p1", CIWL),))],
    )
    assert refusal_rule(banned, BuyDirectorShare(CIWL)) == "18Mag VII.5/2"
    assert refusal_rule(banned, BuyDirectorShare("SIK")) == "18Mag M.4/6"
    assert refusal_rule(banned, BuyDirectorShare("XYZ")) == "18Mag III.3.3/3"


WHOLE_PRICE = {"last_director_share": "sold at the price of the whole"}
"""As on 18xx.games."""


def last_share(player: str = "p1", shares: Mapping[str, int] = {"p1": 1, "p2": 1, "p3": 1}, **fields: Any) -> Game:
    """Players hold all shares of CIWL but the director's, and the site's ruling holds."""
    return share_round(player, shares={CIWL: shares}, rulings=WHOLE_PRICE, **fields)


@pytest.mark.rule("18Mag M.4/6", "18Mag M.4/7")
@pytest.mark.parametrize(("shares", "had"), [({"p1": 1, "p2": 1, "p3": 1}, 1), ({"p2": 2, "p3": 1}, 0)])
def test_by_the_site_anybody_buys_the_director_share_at_its_whole_price(shares: dict[str, int], had: int) -> None:
    game = last_share(shares=shares)
    assert is_offered(game, BuyDirectorShare(CIWL))
    game.apply(BuyDirectorShare(CIWL))
    assert cash_of(game, "p1") == 1000 - 2 * 75
    assert cards_held(game, "p1", CIWL) == (1, had), "no share is given in"
    assert on_charter(game, CIWL) == 0
    assert director_of(game, CIWL) == "p1"
    assert question_of(game).decider == "p2", "it was the purchase of the turn"


@pytest.mark.rule("18Mag M.4/7")
def test_the_whole_price_must_be_there() -> None:
    assert is_offered(last_share(cash={"p1": 150}), BuyDirectorShare(CIWL))
    short = last_share(cash={"p1": 149})
    refusal = short.refusal(BuyDirectorShare(CIWL))
    assert refusal is not None
    assert refusal.rule == "18Mag M.4/7"
    assert refusal.text.startswith("the director share costs 150 Ft and Anna has only 149 Ft")
    assert not is_offered(short, BuyDirectorShare(CIWL))


@pytest.mark.rule("18Mag VII.3/1", "18Mag VII.3/3")
def test_a_director_share_that_is_sold_whole_obeys_the_limits() -> None:
    """Where a share is given in, a player holds as many certificates as before, and 40 % in the end."""
    two = {"p1": 2, "p2": 1}
    assert refusal_rule(last_share(shares=two), BuyDirectorShare(CIWL)) == "18Mag VII.3/3"
    assert not is_offered(last_share(shares=two), BuyDirectorShare(CIWL))
    many = {CIWL: {"p1": 1, "p2": 1, "p3": 1}, **{major: {"p1": 4} for major in ("RÁBA", "G&C", "SNW", "SIK")}}
    assert is_offered(share_round(shares=many, rulings=WHOLE_PRICE), BuyDirectorShare(CIWL)), "the eighteenth"
    full = {**many, "SzKÉV": {"p1": 1}}
    game = share_round(shares=full, rulings=WHOLE_PRICE)
    assert refusal_rule(game, BuyDirectorShare(CIWL)) == "18Mag VII.3/1"
    assert not is_offered(game, BuyDirectorShare(CIWL))
    assert is_offered(share_round(shares=full), BuyDirectorShare(CIWL)), "there one is given in"


@pytest.mark.rule("18Mag VII.5/2", "18Mag M.4/6")
def test_what_was_sold_or_has_a_director_is_not_sold_whole_either() -> None:
    banned = scene(
        modules=["new_major"],
        cash={"p1": 1000},
        shares={CIWL: {"p2": 2, "p3": 1}},
        agenda=[StockRound("p1", bans=(("p1", CIWL),))],
        rulings=WHOLE_PRICE,
    )
    assert refusal_rule(banned, BuyDirectorShare(CIWL)) == "18Mag VII.5/2"
    assert refusal_rule(last_share(shares={"p2": 1, "p3": 1}), BuyDirectorShare(CIWL)) == "18Mag M.4/6"
    led = last_share(shares={"p2": 2, "p3": 1}, directors={CIWL: "p3"})
    assert refusal_rule(led, BuyDirectorShare(CIWL)) == "18Mag M.4/6"


def test_a_director_is_outdone_by_three_shares() -> None:
    game = share_round("p2", directors={CIWL: "p1"}, shares={CIWL: {"p2": 2}})
    game.apply(BuyShare(CIWL))
    assert director_of(game, CIWL) == "p2"
    assert (percent_of(game, "p1", CIWL), percent_of(game, "p2", CIWL)) == (40, 60)
    assert cards_held(game, "p1", CIWL) == (0, 2)


# From red to red

LINE = {"C8": turned(CITY_30, "W", "E"), **line("C10", *[STRAIGHT] * 6), "C22": turned(GENTLE, "W", "NE")}
"""From Bécs by Pozsony to Galicia, which lies north-east of C22."""
WHOLE = ("C6.0", *path_of_line(LINE), "B23.0")
BONUS = {"yellow": 30, "green": 30, "brown": 50, "grey": 50}


def transit(trains: tuple[str, ...] = ("3",), phase: str = "green", **fields: Any) -> Game:
    """Minor 3 with a station in Pozsony."""
    stations = {"C8.0": ["3"]}
    return running("3", trains, LINE, stations, modules=["new_major"], phase=phase, **fields)


@pytest.mark.rule("18Mag M.4/8", "18Mag M.4/9")
@pytest.mark.parametrize("phase", BONUS)
def test_a_train_from_red_to_red_earns_more_and_ciwl_as_much_besides(phase: str) -> None:
    game, plain = transit(phase=phase), running("3", ("3",), LINE, {"C8.0": ["3"]}, phase=phase)
    more = BONUS[phase]
    assert best_income(game)[0] == best_income(plain)[0] + more
    before = game.copy()
    game.apply(run(game, WHOLE))
    revenue = state_of(game).revenue["3"]
    assert gains(before, game) == {BANK: -revenue - more, "p1": revenue // 2, "3": revenue // 2, CIWL: more}


@pytest.mark.rule("18Mag M.4/8")
def test_a_train_with_one_red_area_earns_nothing_on_top() -> None:
    game = transit(("2",))
    assert best_income(game) == (70, 0)
    before = game.copy()
    game.apply(proposed_run(game))
    assert CIWL not in gains(before, game)


@pytest.mark.rule("18Mag M.4/9")
def test_two_trains_from_red_to_red_count_twice() -> None:
    south = {
        "H3": turned(STRAIGHT, "W", "E"),
        "H5": turned(CITY_20, "W", "E"),
        **line("H7", *[STRAIGHT] * 4),
        "H15": turned(SHARP, "W", "SW"),
        "I14": turned(CITY_30, "NE", "SE"),
    }
    game = running(
        "3", ("3", "4"), {**LINE, **south}, {"C8.0": ["3"], "H5.0": ["3"]}, modules=["new_major"], phase="green"
    )
    # Bécs 40, Pozsony 30, Galicia 40; Trieszt 30, Zágráb 20, Újvidék 30, Belgrád 20
    assert best_income(game) == (110 + 30 + 100 + 30, 0)
    before = game.copy()
    game.apply(proposed_run(game))
    assert gains(before, game)[CIWL] == 60


@pytest.mark.rule("18Mag M.4/10")
def test_the_bonus_of_raba_is_added() -> None:
    game = transit(strict=True, cash={"3": 10})
    game.apply(BuyCar("off_board"))
    before = game.copy()
    game.apply(proposed_run(game))
    assert events_of(Revenue, game.records)[-1].amount == 30 + 40 + 40 + 20 + 30 == 160
    assert gains(before, game) == {BANK: -190, "p1": 80, "3": 80, CIWL: 30}


@pytest.mark.rule("18Mag M.4/8")
def test_a_plus_train_runs_from_red_to_red_too() -> None:
    """Asked of the stops that pay, this has broken elsewhere."""
    towns = {"C12": turned(TOWN_10, "W", "E"), "C16": turned(TOWN_10, "W", "E")}
    game = running(
        "3",
        ("3",),
        {**LINE, **towns},
        {"C8.0": ["3"]},
        modules=["new_major"],
        phase="green",
        strict=True,
        cash={"3": 100},
    )
    assert best_income(game) == (80, 0), "Bécs, Pozsony, a town"
    game.apply(BuyCar("plus"))
    assert best_income(game) == (40 + 30 + 10 + 10 + 40 + 30, 0)


@pytest.mark.rule("18Mag M.4/8")
def test_the_highest_revenue_is_demanded_with_it() -> None:
    game = transit(strict=True)
    assert refusal_rule(game, RunTrains(run(game, ("C6.0", "C8.0")).runs)) == "18Mag VI.3.7/4"
    assert isinstance(question_of(game).task, OperateWithCars)


@pytest.mark.rule("18Mag M.4/9")
def test_ciwl_is_paid_for_a_run_that_is_believed() -> None:
    """Two trains share one plus car, which 18xx.games lets pass: the run is paid as claimed, and CIWL as ever."""
    towns = {"C12": turned(TOWN_10, "W", "E"), "C16": turned(TOWN_10, "W", "E")}
    game = running(
        "3",
        ("3", "3"),
        {**LINE, **towns},
        {"C8.0": ["3"]},
        cars=["plus"],
        modules=["new_major"],
        phase="green",
        rulings={"claimed_revenue": "believed"},
    )
    whole = ("C6.0", "C8.0", "C10", "C12.0", "C14", "C16.0", "C18", "C20", "C22", "B23.0")
    both = (TrainRun("3-1", whole), TrainRun("3-2", ("C6.0", "C8.0")))
    before = game.copy()
    game.apply(RunTrains(both, 240, 0))
    assert gains(before, game) == {BANK: -240 - BONUS["green"], "p1": 120, "3": 120, CIWL: BONUS["green"]}
    without = before.copy()
    without.apply(RunTrains((TrainRun("3-1", ("C6.0", "C8.0")), TrainRun("3-2", ("C6.0", "C8.0"))), 240, 0))
    assert CIWL not in gains(before, without), "no train runs from red to red"
