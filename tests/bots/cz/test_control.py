"""Companies that change hands, and treasuries that go with them (18CZ VII.5.b)."""

from __future__ import annotations

import pytest
from msgspec import structs

from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import BuyShare, PlaceStation
from ostbahn.titles.cz.opponents import track
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.shares import investments_of, sales_of
from ostbahn.titles.cz.opponents.weights import cz_search_weights
from ostbahn.titles.cz.state import Timetable
from tests.titles.cz.asking import asked
from tests.titles.cz.scenes import scene, stock_round, table_of
from tests.titles.cz.test_stations import IN_A_ROW, station_step

FOURTH_SR = 9
"""A box of the process track."""


def rich(treasury: int, purse: int, others: int = 0, own: int = 3) -> Game:
    """Sx stands at 90 K and belongs to p1, who has its Director's certificate and some shares more."""
    return scene(
        phase="e",
        started={"Sx": (90, "p1"), "Pr": (90, "p2")},
        shares={"Sx": {"p1": own, "p2": others}, "Pr": {"p2": 3}},
        cash={"Sx": treasury, "p1": 100, "p2": purse, "p3": 0},
        trains={"Sx": [("e1", "3E")], "Pr": [("e2", "3E")]},
        agenda=[stock_round()],
    )


def kept(game: Game) -> dict[int, float]:
    """What shares of Sx are worth to p1 if they are kept, by how many percent would be sold."""
    view = CzBotView(table_of(game), cz_search_weights())
    return {sale.action.percent: sale.worth for sale in sales_of(asked(game), view) if sale.action.company == "Sx"}


def test_what_keeps_a_full_treasury_is_worth_that_treasury_beside_its_shares() -> None:
    """p2 has money for three shares: if p1 keeps 30 % or more nothing is at stake, with 20 % the company is."""
    poor, full = kept(rich(0, 280)), kept(rich(900, 280))
    more = {percent: full[percent] - poor[percent] for percent in full}
    assert set(more) == {10, 20, 30}
    assert more[30] - more[20] > 600
    assert abs(more[20] - more[10]) < 300


def test_nothing_is_at_stake_where_nobody_can_buy() -> None:
    safe, in_danger = kept(rich(900, 80)), kept(rich(900, 280))
    assert in_danger[30] - safe[30] == pytest.approx(900)
    assert in_danger[20] == pytest.approx(safe[20])


def bought(game: Game) -> float:
    view = CzBotView(table_of(game), cz_search_weights())
    return next(each.worth for each in investments_of(asked(game), view, []) if each.action == BuyShare("Sx"))


def test_the_share_that_takes_a_company_over_is_worth_its_treasury_too() -> None:
    def chance(own: int) -> float:
        game = scene(
            phase="e",
            started={"Sx": (90, "p1")},
            shares={"Sx": {"p1": own, "p2": 2, "p3": 4 - own}},
            cash={"Sx": 900, "p2": 200},
            trains={"Sx": [("e1", "3E")]},
            agenda=[stock_round("p2")],
        )
        return bought(game)

    assert chance(0) - chance(2) > 600


def test_what_a_station_takes_from_a_train_its_director_has_to_put_back() -> None:
    """EKJ has no train, and the next one costs it 120 K; a station costs 40 K."""

    def best(treasury: int) -> float:
        game = station_step("EKJ", IN_A_ROW, {"D4.0": ["EKJ"]}, phase="d", trains={}, cash={"EKJ": treasury, "p1": 300})
        state = structs.replace(game.state, agenda=(Timetable(FOURTH_SR), *game.state.agenda[1:]))
        game = Game.from_state(game.rulebook, game.setup, state)
        found = track.stations_proposed(asked(game), game, CzBotView(table_of(game), cz_search_weights()))
        return max(each.score for each in found if isinstance(each.action, PlaceStation))

    assert best(160) - best(120) >= 40
    assert best(1000) > 0 > best(160), "who has enough for all trains to come may build"
