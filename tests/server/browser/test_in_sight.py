"""Whoever decides has everything in sight: question, answers and what they are decided from, without scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ostbahn.interop import saves
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.table.automatic import obvious_answer as settled_by_itself
from tests.server.browser.kinds import GOLDEN, ONE_OF_EACH, Kind, every_kind, one_of_each
from tests.server.browser.running import Running
from tests.server.browser.visits import LAPTOP, PHONE, Visits

SIZES = ((1440, 900), (1920, 1080))

HIDDEN = """() => {
  const wanted = {
    question: "#panel-question .asked, #panel-question .mat, #panel-question .step",
    answers: "#answers :is(.answer, form, .run, .routes-trains li), .offer, .offer-choice",
    players: "#table[data-show=shares] .player, #table[data-show=operating] .order-players li",
    market: "#table[data-show=shares] #panel-chart:not(.empty) svg",
    cards: "#table[data-show=shares] .company-card",
    outlook: "#table[data-show=shares] #panel-outlook dd",
    order: "#table[data-show=operating] .order-companies .now",
    map: "#board",
    log: "#tab-log",
  };
  const seen = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
      const style = getComputedStyle(frame);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const box = frame.getBoundingClientRect();
      if (left < box.left - 1 || top < box.top - 1 || right > box.right + 1 || bottom > box.bottom + 1) return false;
    }
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  const found = [];
  for (const [what, selector] of Object.entries(wanted)) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.closest("details:not([open]) > :not(summary), .hexes") || !element.checkVisibility()) continue;
      if (!seen(element)) found.push(`${what}: ${element.className} ${element.textContent.trim().slice(0, 60)}`);
    }
  }
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) found.push("the page scrolls");
  return found;
}"""
"""What is there but cannot be seen; tiles are chosen on the map, so the list of their hexes may scroll by itself."""

MAP = """() => {
  const frame = document.getElementById("board").getBoundingClientRect();
  return [...document.querySelectorAll("#board g.hex polygon:first-of-type")].filter((hex) => {
    const { left, top, right, bottom } = hex.getBoundingClientRect();
    return left < frame.left - 1 || top < frame.top - 1 || right > frame.right + 1 || bottom > frame.bottom + 1;
  }).length;
}"""


def test_no_kind_of_question_is_left_out() -> None:
    assert one_of_each() == ONE_OF_EACH


@pytest.mark.parametrize("kind", ONE_OF_EACH, ids=lambda kind: kind.name)
def test_what_is_decided_is_in_sight(running: Running, visits: Visits, kind: Kind) -> None:
    page = visits.person(running.table(every_kind()[kind]))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert page.evaluate(HIDDEN) == [], f"{kind.name} at {width}×{height}"
        assert page.evaluate(MAP) == 0, f"hexes beyond the map at {width}×{height}"


def settled(page: Page) -> None:
    """Until the board has taken the size of its frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_the_whole_map_is_seen_when_a_round_of_shares_ends(running: Running, visits: Visits, title: str) -> None:
    """There it was small, and is large from then on."""
    page = visits.person(running.table(last_pass(title)))
    page.set_viewport_size({"width": 1440, "height": 900})
    settled(page)
    page.locator(".answer.passing").click()
    expect(page.locator("#table")).to_have_attribute("data-show", "operating")
    settled(page)
    assert page.evaluate(MAP) == 0
    assert page.evaluate("document.querySelector('#board svg').getBoundingClientRect().width") > 900


def last_pass(title: str) -> Game:
    """A moment at which a Stock or Share Round ends when somebody passes."""
    for path in sorted(GOLDEN.glob(f"{title}-base-*.json")):
        game = saves.read(path)
        for number, record in enumerate(game.records[:-1]):
            moment, after = game.position(number), game.position(number + 1).question
            kinds = (moment.question and moment.question.kind, after and after.kind)
            if record.action == Pass() and kinds == ("stock_round", "lay_track") and settled_by_itself(moment) is None:
                return moment
    raise AssertionError("no round of shares ends by a pass")


def test_what_would_follow_is_in_sight_and_on_a_phone_with_the_market(running: Running, visits: Visits) -> None:
    """Eight companies without a train are more than one sees in most games."""
    address = running.table(saves.read(GOLDEN / "18CZ-base-6.json").position(372))
    page = visits.person(address, **LAPTOP)
    settled(page)
    assert [found for found in page.evaluate(HIDDEN) if found.startswith("outlook")] == []
    expect(page.locator("#panel-chart .ghost-marker")).to_have_count(2)
    expect(page.locator("#panel-outlook")).to_contain_text("VBW 4 for 250: Emil 205 + loan 45")
    phone = visits.person(address, **PHONE)
    expect(phone.locator("#panel-outlook")).to_be_hidden()
    phone.locator('[data-view="market"]').tap()
    expect(phone.locator("#panel-outlook")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
