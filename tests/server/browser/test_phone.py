"""The table in one hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.browser.looking import FETCHED, settled
from tests.server.browser.player import Toucher, begin
from tests.server.browser.running import Running, finished, moment
from tests.server.browser.visits import PHONE, Visits


def check_width(page: Page) -> None:
    """The page itself does not scroll sideways; wide tables do so within their frames."""
    wide = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
             .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
             .filter(each => !each.closest(".scroll, svg, .visually-hidden, #board"))
             .map(each => each.outerHTML.slice(0, 120))"""
    )
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390], wide[:5]


@pytest.mark.parametrize("path", ["", "new", "login", "import", "rules/18CZ"])
def test_pages_fit_a_phone(running: Running, visits: Visits, path: str) -> None:
    check_width(visits.person(f"{running.address}{path}", **PHONE))


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_game_is_begun_and_played_on_a_phone(running: Running, visits: Visits, title: str) -> None:
    page = visits.person(running.address, **PHONE)
    begin(page, f"{title}/base", ["here", "R", "R"])
    player = Toucher(page, seed=1)
    for _ in range(6):
        check_width(page)
        assert player.step()


@pytest.mark.parametrize("kind", ["lay_track", "operate_trains", "purchase_trains", "stock_round"])
def test_questions_fit_a_phone(running: Running, visits: Visits, kind: str) -> None:
    game = moment("18CZ", kind, lambda game, question: len(game) > 150)
    page = visits.person(running.table(game), **PHONE)
    check_width(page)
    assert Toucher(page, seed=1).step()
    check_width(page)


def test_the_end_of_a_game_fits_a_phone(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(finished("18CZ")), **PHONE)
    expect(page.locator("#panel-result svg")).to_be_visible()
    check_width(page)
    lead = page.locator("#panel-result .lead").bounding_box()
    assert lead is not None
    assert lead["width"] > 300


def test_the_palette_fits_a_phone_with_all_its_buttons(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")), **PHONE)
    page.wait_for_function(FETCHED, arg="/gains")
    settled(page)
    page.locator("#answers .chip").first.tap()
    palette = page.locator("#palette")
    expect(palette).to_be_visible()
    frame = palette.bounding_box()
    assert frame is not None
    assert frame["x"] >= 0
    assert frame["x"] + frame["width"] <= 390
    assert frame["y"] >= 0
    assert frame["y"] + frame["height"] <= 844
    for name in ("Lay this tile", "Cancel"):
        expect(palette.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    check_width(page)


SIDEWAYS = {**PHONE, "viewport": {"width": 844, "height": 390}}
COVERED = """([box, under]) => {
    const [a, b] = [box, under].map((each) => document.querySelector(each).getBoundingClientRect());
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return Math.max(0, wide) * Math.max(0, high) / (b.width * b.height);
}"""
"""How much of something lies under a box."""
CROWDED = """() => {
    const controls = [...document.querySelectorAll(".foot :is(button, input)")];
    const boxes = controls.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
    return boxes.slice(1).filter((box, at) => box.left < boxes[at].right).length;
}"""
"""Controls of the foot that lie over the one before."""


@pytest.mark.parametrize(
    ("kind", "decided_from"),
    [("stock_round", ["#panel-question .asked", "#panel-players .deciding"]), ("lay_track", ["#board", ".mat h2"])],
)
@pytest.mark.parametrize("screen", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_a_hint_is_at_hand_on_a_phone_and_covers_nothing_that_is_decided_from(
    running: Running, visits: Visits, screen: dict[str, Any], kind: str, decided_from: list[str]
) -> None:
    page = visits.person(running.table(moment("18CZ", kind, lambda game, question: len(game) > 150)), **screen)
    button = page.get_by_role("button", name="Hint", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate(CROWDED) == 0
    button.tap()
    box = page.get_by_role("dialog", name=re.compile("^N would|^S would"))
    expect(box).to_be_in_viewport(ratio=1)
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight"), "all of it is in sight"
    for under in decided_from:
        assert page.evaluate(COVERED, ["#confirm", under]) == 0, under
