"""One table without a server: answers, undo, planning boards and exercises."""

from __future__ import annotations

from random import Random

import pytest

from ostbahn.interop.saves import encode_action
from ostbahn.kernel.errors import Refused
from ostbahn.kits.catalogue import new_game
from ostbahn.table.access import NotHere, NotYours, Stale, Unreadable
from ostbahn.table.application import KEY, TableApplication
from ostbahn.table.rendering import Page


@pytest.fixture
def table() -> TableApplication:
    return TableApplication(new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=7), {"p3": "R"})


def step(table: TableApplication, key: str = KEY, choice: int = 0) -> None:
    """Answer for the person who is to move; bots before them answer themselves."""
    while key == KEY and table.bot_turn():
        pass
    room = table.at(key)
    assert room.game.question is not None
    action = room.game.question.options[choice].action
    table.answer(encode_action(action), room.version, key)


def test_an_answer_is_for_the_version_that_was_seen(table: TableApplication) -> None:
    seen = table.room.version
    step(table)
    with pytest.raises(Stale):
        table.answer({"do": "pass"}, seen - 1 if seen else -1)
    with pytest.raises(Unreadable):
        table.answer({"do": "nonsense"}, table.room.version)


def test_people_do_not_answer_for_bots(table: TableApplication) -> None:
    while table.room.turn != "p3":
        step(table)
    with pytest.raises(NotYours):
        table.answer({"do": "pass"}, table.room.version)


def test_undo_takes_the_last_move_of_a_person_back(table: TableApplication) -> None:
    while table.bot_turn():
        pass
    before = table.room.game.state.digest
    step(table)
    table.undo(table.room.version)
    assert table.room.game.state.digest == before
    with pytest.raises(Refused):
        table.undo(table.room.version)


def test_a_plan_is_a_board_of_its_own(table: TableApplication) -> None:
    step(table)
    number = table.room.number
    key = table.plan(seed=3, name="Ahead")
    step(table, key)
    assert (table.room.number, table.at(key).number) == (number, number + 1)
    view = table.view(key)
    assert view.plan is not None
    assert (view.plan.name, view.plan.table, view.plan.answers) == ("Ahead", KEY, 1)
    assert table.compare(KEY, key).one.name == "The game"
    table.drop_plan(key)
    with pytest.raises(NotHere):
        table.at(key)


def test_a_planned_move_is_played_at_the_table(table: TableApplication) -> None:
    while table.bot_turn():
        pass
    key = table.plan(seed=3)
    step(table, key, choice=1)
    planned = table.at(key).game.records[-1].action
    table.play_plan(key, table.at(key).version)
    assert table.room.game.records[-1].action == planned
    with pytest.raises(NotHere):
        table.play_plan(KEY, table.room.version)


def test_an_update_tells_only_what_has_changed(table: TableApplication) -> None:
    step(table)
    first = table.update(Page())
    shown = Page(
        panels={name: html.partition('data-hash="')[2].partition('"')[0] for name, html in first.panels.items()}
    )
    assert set(table.update(shown).panels) < set(first.panels)


def test_exercises_that_do_not_exist_are_refused() -> None:
    table = TableApplication(new_game("18Mag", ["Anna", "Ben", "Cyril"], seed=1))
    chance = Random(1)
    for _ in range(30):
        assert table.room.game.question is not None
        step(table, choice=chance.randrange(len(table.room.game.question.options)))
    assert "The coach" in table.coach_page()
    with pytest.raises(NotHere):
        table.exercise_page(10_000)
