"""The coach in the browser: from a finished game to an exercise that is solved, and on from there."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.golden.games import golden_game
from tests.server.browser.looking import open_menu
from tests.server.browser.running import Running
from tests.server.browser.test_accessibility import check
from tests.server.browser.visits import Visits


def test_an_exercise_of_a_finished_game_is_solved_by_clicks(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(golden_game("18CZ-bohemia-2")))
    page.get_by_role("link", name="Ask the coach").click()
    expect(page.get_by_role("heading", name="Proven")).to_be_visible()
    expect(page.get_by_role("heading", name="Estimated")).to_be_visible()
    check(page)
    page.get_by_role("link", name=re.compile("lay track")).first.click()
    answer = page.get_by_label("Your answer")
    expect(answer).to_be_visible()
    check(page)
    laid = next(text for text in answer.locator("option").all_inner_texts() if text.startswith("Lay"))
    answer.select_option(label=laid)
    page.get_by_role("button", name="Try it", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("That does not do it")
    waived = [text for text in answer.locator("option").all_inner_texts() if "waives the cost" in text]
    played = page.locator(".lead").inner_text().split(" laid ")[1].split(" for ")[0]
    answer.select_option(label=next(text for text in waived if f"Lay {played}," in text))
    page.get_by_role("button", name="Try it", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Yes")
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()


def test_one_plays_on_from_the_moment_that_the_table_shows(running: Running, visits: Visits) -> None:
    page = visits.person(f"{running.table(golden_game('18CZ-moravia-2'))}?at=200")
    page.keyboard.press("[")
    expect(page.get_by_role("heading", name=re.compile("After move 199 of"))).to_be_visible()
    open_menu(page).get_by_role("link", name="Play on from here").click()
    expect(page.get_by_text("after move 199")).to_be_visible()
    page.get_by_label("The others are").select_option("R")
    page.get_by_role("button", name="Play on").click()
    expect(page.locator("#answers")).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("data-number", re.compile(r"^(199|2\d\d)$"))
