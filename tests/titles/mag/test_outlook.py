"""What comes next in 18Mag: what holds a Share Round up, incomes of minors and majors."""

from __future__ import annotations

import pytest

from ostbahn.titles.mag.words.text_renderer import mag_table
from ostbahn.views.outlook import outlook_view
from tests.golden.games import golden_game


@pytest.mark.rule("18Mag VII.3/1")
def test_a_round_cannot_end_while_somebody_must_sell() -> None:
    """It is told who and why, and what is known all the same."""
    game = golden_game("18Mag-base-5")
    held = [view for view in map(outlook_view, map(game.position, range(len(game)))) if view.held_up]
    assert held
    for view in held:
        assert "must sell down to 11 first" in view.held_up
        assert (view.ended, view.held_up_rule) == (None, "VII.3/1")


def test_a_draft_does_not_end_by_passing() -> None:
    view = outlook_view(golden_game("18Mag-base-4").position(2))
    assert (view.ended, view.held_up) == (None, "")


@pytest.mark.rule("18Mag III.3.2/5", "18Mag VI.4.3/3")
def test_owners_get_half_of_a_run_and_holders_a_tenth_for_each_share() -> None:
    game = golden_game("18Mag-base-3")
    moment = next(game.position(n) for n in range(len(game) // 2, len(game)) if outlook_view(game.position(n)).ended)
    table, ended = mag_table(moment), outlook_view(moment).ended
    assert ended is not None
    earned = {each.company: each for each in ended.earnings}
    parts = {(income.seat, part.name): part.amount for income in ended.incomes for part in income.parts}
    minors = [minor for minor in earned if minor in table.title.minors]
    majors = [major for major in earned if major in table.title.companies]
    assert minors
    assert majors
    for minor in minors:
        assert parts.get((table.state.owners[minor], minor), 0) == earned[minor].amount // 2
    for major in majors:
        assert earned[major].amount == table.state.cash[major]
        shares = {seat: table.state.certificates[major].count(seat) for seat in table.state.order}
        for seat, number in shares.items():
            if table.state.certificates[major][0] != seat:
                assert parts.get((seat, major), 0) == earned[major].amount * number // 10


@pytest.mark.rule("18Mag VIII.3/2", "18Mag VII.2/2")
def test_sold_out_majors_rise_and_the_priority_deal_goes_left_of_who_acted_last() -> None:
    """In the last golden Share Round of six Fanny bought last; players sit in the order Fanny, Ben, Cyril, ..."""
    ended = outlook_view(golden_game("18Mag-base-6").position(1045)).ended
    assert ended is not None
    assert [(each.company, each.before, each.after) for each in ended.markers] == [
        ("G&C", 280, 300),
        ("MÁVAG", 192, 208),
        ("LdStEG", 95, 100),
        ("SNW", 85, 90),
    ]
    assert {each.rule for each in ended.markers} == {"VIII.3/2"}
    assert [who.name for who in ended.order] == ["Ben", "Cyril", "Anna", "Dora", "Emil", "Fanny"]
