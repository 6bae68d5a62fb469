"""What a checker of accessibility finds on the pages, in light and dark colours."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from ostbahn.kernel.game import Game
from ostbahn.text.speech import consequences
from ostbahn.views.question import question_view
from tests.server.browser.looking import redrawn
from tests.server.browser.running import Running, finished, moment
from tests.server.browser.visits import Visits

GRAVE = ("serious", "critical")
themes = pytest.mark.parametrize("theme", ["light", "dark"])


def check(page: Page) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    told = [
        f"{each['id']}: {each['help']}: {node['target']} {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"][:3]
    ]
    assert told == [], "\n".join(told)


@themes
@pytest.mark.parametrize("path", ["", "new", "lobby", "login", "forgot", "rules/18CZ"])
def test_pages_can_be_used_by_everybody(running: Running, visits: Visits, path: str, theme: str) -> None:
    check(visits.person(f"{running.address}{path}", color_scheme=theme))


@themes
@pytest.mark.parametrize(
    ("title", "kind"), [("18CZ", "stock_round"), ("18CZ", "operate_trains"), ("18Mag", "stock_round")]
)
def test_the_table_can_be_used_by_everybody(
    running: Running, visits: Visits, title: str, kind: str, theme: str
) -> None:
    page = visits.person(running.table(moment(title, kind, lambda game, _: len(game) > 100)), color_scheme=theme)
    redrawn(page, theme)
    check(page)


@themes
def test_the_palette_can_be_used_by_everybody(running: Running, visits: Visits, theme: str) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")), color_scheme=theme)
    redrawn(page, theme)
    page.locator("#answers .chip").first.click()
    expect(page.locator("#palette")).to_be_visible()
    check(page)


def grave_answers(game: Game) -> list[int]:
    """Those that are asked once more before they are given, as far as they have a button of their own."""
    question, view = game.question, question_view(game)
    assert question is not None
    assert view is not None
    clicked = [answer.index for answer in view.answers if not (answer.aside or answer.span or answer.pick)]
    return [
        index for index in clicked if any(each.grave for each in consequences(game, question.options[index].action))
    ]


@themes
def test_the_confirmation_can_be_used_by_everybody(running: Running, visits: Visits, theme: str) -> None:
    game = moment("18CZ", "purchase_trains", lambda game, _: bool(grave_answers(game)))
    page = visits.person(running.table(game), color_scheme=theme)
    redrawn(page, theme)
    page.locator(f"#answers button[data-index='{grave_answers(game)[0]}']").click()
    expect(page.locator("#confirm-yes")).to_be_visible()
    expect(page.locator("#confirm li.grave")).not_to_have_count(0)
    check(page)


@themes
def test_the_end_can_be_used_by_everybody(running: Running, visits: Visits, theme: str) -> None:
    page = visits.person(running.table(finished("18CZ")), color_scheme=theme)
    redrawn(page, theme)
    expect(page.locator("#panel-result svg")).to_be_visible()
    check(page)
