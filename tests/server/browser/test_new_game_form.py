"""The form of a new game, with other ways to play than the first."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.server.browser.looking import some
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits


def test_a_game_that_is_chosen_before_the_script_is_there_counts(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    page.wait_for_load_state("networkidle")  # whoever leaves a page hangs up on what is on its way
    held: list[Route] = []
    page.route("**/new.js", lambda route: held.append(route))
    page.goto(f"{running.address}new", wait_until="commit")
    page.locator("label.choice:has(input[value='18Mag/two_player'])").click()
    expect(page.locator(".seat-rows > li")).to_have_count(3)
    some(held, page)[0].continue_()
    expect(page.locator(".seat-rows > li")).to_have_count(2)
