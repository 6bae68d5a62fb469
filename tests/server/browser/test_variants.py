"""Every other way to play, begun from the form and played on a little."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.server.browser.player import Player, begin, version
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits

ANSWERS = 10


@pytest.mark.parametrize(
    ("game", "seats"), [("18CZ/bohemia", 2), ("18CZ/moravia", 3), ("18Mag/two_player", 2), ("18Mag/solo", 1)]
)
def test_a_variant_is_begun_and_played_on(running: Running, visits: Visits, game: str, seats: int) -> None:
    page = visits.person(running.address)
    begin(page, game, ["here"] * seats)
    expect(page.locator("#panel-players .player")).to_have_count(seats + (game in ("18CZ/bohemia", "18Mag/solo")))
    assert Player(page, seed=2).play(ANSWERS) == ANSWERS
    assert int(version(page)) >= ANSWERS


def test_a_game_that_is_chosen_before_the_script_is_there_counts(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    page.wait_for_load_state("networkidle")  # whoever leaves a page hangs up on what is on its way
    held: list[Route] = []
    page.route("**/new.js", lambda route: held.append(route))
    page.goto(f"{running.address}new", wait_until="commit")
    page.locator("label.choice:has(input[value='18Mag/two_player'])").click()
    expect(page.locator(".seat-rows > li")).to_have_count(3)
    held[0].continue_()
    expect(page.locator(".seat-rows > li")).to_have_count(2)
