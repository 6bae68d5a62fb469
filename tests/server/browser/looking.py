"""Where things are on the page of a table, and clicking on the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Route, expect

WHERE = """([hex, x, y]) => {
  const at = document.getElementById(`hex-${hex}`).getScreenCTM();
  return [at.a * x + at.e, at.d * y + at.f];
}"""
MOVED = "before => document.getElementById('table').dataset.version !== before"
FETCHED = "path => performance.getEntriesByType('resource').some(({name}) => name.endsWith(path))"
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def place_of(page: Page, hex_id: str, x: float = 0, y: float = 0) -> tuple[float, float]:
    """Where a point of a hex is in the window, in units of the board from the hex's middle."""
    across, down = page.evaluate(WHERE, [hex_id, x, y])
    return across, down


def click_hex(page: Page, hex_id: str, x: float = 0, y: float = 0) -> None:
    settled(page)
    page.mouse.click(*place_of(page, hex_id, x, y))


def drawing(page: Page, hex_id: str) -> str:
    """How a hex is drawn, whatever can be done there."""
    told: str = page.locator(f"#hex-{hex_id}").evaluate("hex => hex.innerHTML")
    return told


@contextmanager
def answering(page: Page) -> Iterator[None]:
    """What is done within brings the table a new version, for which it waits."""
    before = page.locator("#table").get_attribute("data-version")
    yield
    page.wait_for_function(MOVED, arg=before)
    expect(page.locator("#table.busy")).to_have_count(0)


def confirm(page: Page) -> None:
    """Confirm what was asked once more, and wait until the table has it."""
    with answering(page):
        page.locator("#confirm-yes").click()


def open_menu(page: Page) -> Locator:
    """The menu, in which all is that is seldom wanted."""
    page.get_by_role("button", name="Menu", exact=True).click()
    menu = page.locator("#menu")
    expect(menu).to_be_visible()
    return menu


def settled(page: Page) -> None:
    """Until what has changed is drawn, and the board has taken the size of its frame."""
    page.evaluate(FRAMES)


def redrawn(page: Page, theme: str) -> None:
    """Until a page that came in light colours, as at every first visit, has those that its owner wants."""
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    if theme != "light":
        page.wait_for_function(FETCHED, arg="/update")
    settled(page)


def some(held: list[Route], page: Page) -> list[Route]:
    """What the page has asked for and the test holds back; waits for the first of it."""
    while not held:
        page.wait_for_timeout(10)
    return held


def seen(page: Page) -> list[str]:
    """What the table shows, in words; what is asked, as its own data has it."""
    parts = ("#panel-head", "#question-data", "#panel-players", "#panel-companies", "#panel-trains", "#panel-log")
    return [page.locator(part).text_content() or "" for part in parts]
