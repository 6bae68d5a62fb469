"""Where things are on the page of a table, and clicking on the board."""

from __future__ import annotations

from playwright.sync_api import Page

WHERE = """([hex, x, y]) => {
  const at = document.getElementById(`hex-${hex}`).getScreenCTM();
  return [at.a * x + at.e, at.d * y + at.f];
}"""


def place_of(page: Page, hex_id: str, x: float = 0, y: float = 0) -> tuple[float, float]:
    """Where a point of a hex is in the window, in units of the board from the hex's middle."""
    page.locator("#board").scroll_into_view_if_needed()
    across, down = page.evaluate(WHERE, [hex_id, x, y])
    return across, down


def click_hex(page: Page, hex_id: str, x: float = 0, y: float = 0) -> None:
    page.mouse.click(*place_of(page, hex_id, x, y))


def drawing(page: Page, hex_id: str) -> str:
    """How a hex is drawn, whatever can be done there."""
    told: str = page.locator(f"#hex-{hex_id}").evaluate("hex => hex.innerHTML")
    return told


def confirm(page: Page) -> None:
    """Confirm what is chosen, and wait until the table has it."""
    before = page.locator("#table").get_attribute("data-version")
    page.locator("#confirm-yes").click()
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)


def seen(page: Page) -> list[str]:
    """What the table shows, in words."""
    panels = ("head", "question", "players", "companies", "trains", "log", "chat")
    return [page.locator(f"#panel-{name}").inner_text() for name in panels]
