"""Planning by clicks: two tiles ahead on a board of one's own, and the first of them for real."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from tests.server.browser.looking import answering, click_hex, settled
from tests.server.browser.running import Running, moment
from tests.server.browser.test_accessibility import check
from tests.server.browser.test_track import lays
from tests.server.browser.visits import PHONE, Visits

BOARD = re.compile(r"/t/[\w-]+\.[\w-]+$")
TABLE = re.compile(r"/t/[\w-]+$")


def two_tiles(game: Game, question: Question) -> bool:
    """Whether another tile may be laid after the first."""
    after = game.copy()
    after.apply(question.options[0].action)
    return len(question.options) > 20 and after.question is not None and after.question.kind == question.kind


def lay_a_tile(page: Page) -> str:
    """The first that is offered, at its hex."""
    settled(page)
    hex_id = next(iter(lays(page)))
    click_hex(page, hex_id)
    with answering(page):
        page.locator(".ghost-lay circle").click(force=True)
    return hex_id


def test_two_tiles_are_planned_and_the_first_is_played(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18Mag", "lay_track", two_tiles)))
    table, before = page.url, running.digest(page.url)
    page.locator("#panel-tools").get_by_role("button", name="Plan", exact=True).click()
    page.wait_for_url(BOARD)
    board = page.url
    hexes = [lay_a_tile(page), lay_a_tile(page)]
    expect(page.locator(".plan-told")).to_contain_text("2 answers planned")
    page.keyboard.press("u")
    expect(page.locator(".plan-told")).to_contain_text("1 answer planned")
    page.keyboard.press("y")
    expect(page.locator(".plan-told")).to_contain_text("2 answers planned")
    assert running.digest(table) == before, "the game knows nothing of it"
    page.get_by_role("link", name="Back to the game").click()
    page.wait_for_url(TABLE)
    expect(page.locator("#panel-log")).not_to_contain_text("Plan")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="My plans").click()
    page.get_by_role("link", name=re.compile("Plan from move")).click()
    page.wait_for_url(BOARD)
    assert page.url == board
    page.get_by_role("button", name="Plans, compare").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#comparison")).to_contain_text("Best run")
    check(page)
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name=re.compile("Play for real: Lay")).click()
    page.wait_for_url(TABLE)
    assert running.digest(table) != before
    expect(page.locator("#panel-log .line").first).to_be_attached()
    who = running.services.game_service.access(table.split("/t/")[1])
    with running.services.game_service.holding(who.game) as room:
        assert getattr(room.game.records[-1].action, "hex", None) == hexes[0]
    page.goto(board)
    expect(page.locator(".plan-told")).to_contain_text("The game has gone with 1 of 2 answers")


def test_a_plan_that_breaks_says_so_at_once_and_bots_play_on(running: Running, visits: Visits) -> None:
    """While somebody plans, the game goes on at another browser."""
    here = visits.person(running.table(moment("18Mag", "lay_track", two_tiles)), color_scheme="dark", **PHONE)
    there = visits.person(here.url)
    here.keyboard.press("f")
    here.wait_for_url(BOARD)
    lay_a_tile(here)
    with answering(there):
        there.keyboard.press("p")
    expect(here.locator(".plan-broke")).to_contain_text("Broken: At move")
    check(here)
    with answering(here):
        here.get_by_role("button", name="Bring it up to date").click()
    expect(here.locator(".plan-broke")).to_have_count(0)
    here.locator("#plan-bot").select_option("R")
    with answering(here):
        here.get_by_role("button", name="answer once").click()
    here.get_by_role("button", name="Plans, compare").click()
    here.locator("#plans summary").click()
    here.get_by_role("button", name="Throw away").click()
    here.wait_for_url(TABLE)
