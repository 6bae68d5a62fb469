"""What keeps the bots of 18Mag cheap, and that nothing else is decided by it."""

from __future__ import annotations

import pytest

from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.opponents.policy import proposals, search_proposals
from ostbahn.titles.mag.opponents.runs import fleet_of, greedy_runs_of, greedy_runs_on, income_with_cars, with_lay
from ostbahn.titles.mag.opponents.shares import PayoutPlan
from ostbahn.titles.mag.opponents.weights import mag_weights
from ostbahn.titles.mag.opponents.worth import MagBotView
from ostbahn.titles.mag.state import MagTable


@pytest.fixture(scope="module")
def laying() -> list[Game]:
    """Moments of a game of rules of thumb at which track is laid."""
    game, bot, found = new_game("18Mag", ("Anna", "Boris", "Clara"), seed=4), GreedyBot(), []
    while game.question is not None and len(game) < 400:
        if game.question.kind == "lay_track":
            found.append(game.copy())
        game.apply(bot.choose(game.question, game))
    return found


def asked(game: Game) -> tuple[Question, MagTable, str]:
    question, table = game.question, game.table
    assert question is not None
    assert question.company is not None
    assert isinstance(table, MagTable)
    return question, table, question.company


def lays(question: Question) -> list[LayTile]:
    return [option.action for option in question if isinstance(option.action, LayTile)]


def test_a_lay_that_was_thought_of_is_not_worked_out_again_when_it_is_made(laying: list[Game]) -> None:
    game = laying[-1].copy()
    question, table, minor = asked(game)
    lay = lays(question)[0]
    tried = greedy_runs_of(with_lay(table, minor, lay), minor)
    game.apply(lay)
    made = game.table
    assert isinstance(made, MagTable)
    assert greedy_runs_of(made, minor) is tried


def test_what_is_remembered_is_what_would_be_worked_out(laying: list[Game]) -> None:
    for game in laying[::8]:
        question, table, minor = asked(game)
        tables = [table, *(with_lay(table, minor, lay) for lay in lays(question)[:5])]
        remembered = [income_with_cars(each, minor, fleet_of(each, minor)) for each in tables]
        greedy_runs_on.cache_clear()
        fresh = [MagTable(each.title, each.state, each.rulings, each.players) for each in tables]
        for each in fresh:
            each.state.board = each.state.board.with_stations(each.state.board.stations)
        assert [income_with_cars(each, minor, fleet_of(each, minor)) for each in fresh] == remembered


def test_a_search_tries_no_two_lays_that_promise_the_same(laying: list[Game]) -> None:
    alike = 0
    for game in laying:
        question, _, _ = asked(game)
        every, few = (propose(question, game, mag_weights()) for propose in (proposals, search_proposals))
        assert few[0] == every[0]
        assert {round(each.score, 1) for each in few} == {round(each.score, 1) for each in every}
        scores = [round(each.score, 1) for each in few if isinstance(each.action, LayTile)]
        assert len(scores) == len(set(scores))
        alike += len(every) - len(few)
    assert alike


@pytest.mark.parametrize("cash", [0, 9, 10, 20, 30, 50, 60, 110, 145, 210, 400])
def test_payouts_move_the_marker_as_the_table_says(laying: list[Game], cash: int) -> None:
    table = laying[-1].table
    assert isinstance(table, MagTable)
    plan = PayoutPlan(MagBotView(table, mag_weights()), "MÁVAG", "p1")
    choices = plan.choices(cash)
    assert choices[0][0] == 0
    assert choices[-1][0] == cash // 10 * 10
    for amount, spaces in choices:
        row = next(row for row in table.title.payouts if row.up_to is None or amount <= row.up_to)
        assert spaces == row.spaces
