"""The report of a finished game, by clicks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ostbahn.interop import files
from tests.golden.games import FOLDER
from tests.server.browser.looking import open_menu
from tests.server.browser.running import Running
from tests.server.browser.test_accessibility import check
from tests.server.browser.visits import Visits


@pytest.mark.parametrize(("theme", "wide"), [("light", 1440), ("dark", 390)])
def test_a_click_at_the_result_opens_the_report(running: Running, visits: Visits, theme: str, wide: int) -> None:
    game = files.open_game(FOLDER / "18CZ-moravia-2.json")
    size = {"width": wide, "height": 850}
    page = visits.person(running.table(game), color_scheme=theme, viewport=size)
    page.get_by_role("link", name="Report of the game").click()
    expect(page.get_by_role("heading", name="Who was ahead when")).to_be_visible(timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, "only charts and tables scroll"
    figures = page.locator("#worth .in-figures").first
    expect(figures.get_by_role("table")).to_be_hidden()
    figures.locator("summary").click()
    expect(figures.get_by_role("table")).to_be_visible()
    expect(figures.get_by_role("row").last).to_contain_text("2524 K")
    line = page.locator("#worth svg").first.locator("[stroke='var(--series-0)']").first
    assert (
        line.evaluate("each => getComputedStyle(each).stroke")
        == {
            "light": "rgb(0, 103, 165)",
            "dark": "rgb(92, 184, 240)",
        }[theme]
    )
    check(page)
    page.get_by_role("link", name="To the table").click()
    open_menu(page).get_by_role("link", name="Report", exact=True).click()
    expect(page.get_by_role("heading", name="Proven findings")).to_be_visible()
