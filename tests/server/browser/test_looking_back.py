"""The course of a game: its history, its log; and the colours in which it is seen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from ostbahn.kernel.game import Game
from tests.server.browser.looking import drawing, open_menu, some
from tests.server.browser.player import Player, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import Visits

PAST = re.compile("at=")


def late() -> Game:
    return moment("18CZ", "stock_round", lambda game, question: len(game) > 150)


def number(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-number") or "")


@pytest.mark.parametrize("key", ["x", "Escape"])
def test_a_key_leads_back_to_now(running: Running, visits: Visits, key: str) -> None:
    page = visits.person(running.table(late()))
    page.keyboard.press("[")
    expect(page.get_by_role("heading", name=f"After move {number(page) - 1} of {number(page)}")).to_be_visible()
    page.keyboard.press(key)
    expect(page.locator("#answers")).to_be_visible()
    expect(page).not_to_have_url(PAST)


def test_the_slider_shows_earlier_moments_and_leads_back(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    last = number(page)
    now = page.locator("#board > svg").inner_html()
    slider = page.get_by_role("slider", name="Moment of the game")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name=f"After move 0 of {last}")).to_be_visible()
    expect(page.locator("#panel-question #answers")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"\?at=0$"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name=f"After move 1 of {last}")).to_be_visible()
    page.locator("#history").get_by_role("button", name="Back to now").click()
    expect(page.locator("#answers")).to_be_visible()
    assert page.locator("#board > svg").inner_html() == now
    expect(page).not_to_have_url(PAST)


class SlowServer:
    """A server whose answers are on their way until the test lets them arrive."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.slow = True
        self.held: list[Route] = []
        page.route("**/update", lambda route: self.held.append(route) if self.slow else route.continue_())

    def arrive(self) -> None:
        """What was asked for by now; what is wanted since then is asked for afterwards."""
        some(self.held, self.page)
        self.let_in()

    def let_in(self) -> None:
        for route in self.held[:]:
            self.held.remove(route)
            with self.page.expect_response("**/update"):
                route.continue_()
        rest(self.page)

    def end(self) -> None:
        self.slow = False
        self.let_in()


def rest(page: Page) -> None:
    """Long enough for the page to ask for what is wanted, and to put in what has arrived."""
    page.wait_for_timeout(100)


def shown(page: Page, at: int) -> None:
    """Page, slider and address all say this moment, and nothing else comes after it."""
    last = number(page)
    expect(page.get_by_role("heading", name=f"After move {at} of {last}")).to_be_visible()
    rest(page)
    expect(page.get_by_role("heading", name=f"After move {at} of {last}")).to_be_visible()
    expect(page.locator(".history-told")).to_have_text(f"{at} of {last}")
    expect(slider(page)).to_have_value(str(at))
    expect(page).to_have_url(re.compile(rf"\?at={at}$"))


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Moment of the game")


@pytest.mark.parametrize("by", ["arrows", "buttons"])
def test_every_step_counts_while_answers_are_on_their_way(running: Running, visits: Visits, by: str) -> None:
    page = visits.person(f"{running.table(late())}?at=0")
    server = SlowServer(page)
    slider(page).focus()
    for step in range(5):
        if by == "buttons":
            page.get_by_role("button", name="One step on").click()
        else:
            page.keyboard.press("ArrowRight")
        rest(page)
        if step % 2:
            server.arrive()
    server.end()
    shown(page, 5)


def test_where_the_slider_was_let_go_is_shown_whatever_it_passed(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    server = SlowServer(page)
    box = slider(page).bounding_box()
    assert box is not None
    row = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 2, row)
    page.mouse.down()
    for part in (0.75, 0.5, 0.25):
        page.mouse.move(box["x"] + box["width"] * part, row)
        rest(page)
    page.mouse.up()
    release = int(slider(page).input_value())
    assert 0 < release < number(page) / 2
    server.arrive()
    expect(page.get_by_role("heading", name="After move")).to_be_visible()
    expect(slider(page)).to_have_value(str(release))
    server.end()
    shown(page, release)


def test_of_two_wishes_the_later_is_granted(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    later = page.evaluate(
        """() => {
            document.querySelector("#history button").click();
            const line = document.querySelectorAll("#panel-log [data-history]")[7];
            line.click();
            return Number(line.dataset.history);
        }"""
    )
    assert later > 0
    shown(page, later)


def test_a_moment_that_cannot_be_had_is_told_and_the_slider_goes_back(running: Running, visits: Visits) -> None:
    visits.excuse("/update")
    page = visits.person(f"{running.table(late())}?at=60")
    page.route("**/update", lambda route: route.abort())
    slider(page).press("ArrowRight")
    expect(page.locator("#trouble")).to_contain_text("cannot be reached")
    shown(page, 60)


def test_steps_that_come_faster_than_the_server_all_count(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    last = number(page)
    for _ in range(12):
        page.keyboard.press("[")
    expect(page.get_by_role("heading", name=f"After move {last - 12} of {last}")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("]")
    expect(page.locator("#answers")).to_be_visible()


def test_a_link_leads_to_a_moment(running: Running, visits: Visits) -> None:
    game = late()
    address = running.table(game)
    page = visits.person(f"{address}?at=60")
    expect(page.get_by_role("heading", name="After move 60 of")).to_be_visible()
    expect(page.locator(".history-told")).to_have_text(f"60 of {number(page)}")
    page.locator("#panel-question").get_by_role("button", name="Back to now").click()
    expect(page.locator("#answers")).to_be_visible()
    expect(page).to_have_url(address)


def test_the_log_leads_to_the_moment_of_a_line(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    line = page.locator("#panel-log .line[data-number]").nth(7)
    moved = line.get_attribute("data-number")
    line.locator("a.number").click()
    expect(page.get_by_role("heading", name=f"After move {moved} of")).to_be_visible()


def filters(page: Page) -> None:
    """Unfold what the log is filtered by; it is folded away, since few want it."""
    expect(page.get_by_label("About what")).to_be_hidden()
    page.locator("#pane-log summary", has_text="Filter").click()
    expect(page.get_by_label("About what")).to_be_visible()


def test_the_log_is_filtered_by_player_company_and_matter(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    found = page.locator("#log-found .line")
    filters(page)
    page.get_by_label("About what").select_option("track")
    expect(found).not_to_have_count(0)
    expect(page.locator("#panel-log")).to_be_hidden()
    everybody = found.count()
    page.get_by_label("About whom").select_option(label="Anna")
    fewer = "document.querySelectorAll('#log-found .line').length"
    page.wait_for_function(f"count => 0 < {fewer} && {fewer} < count", arg=everybody)  # none while they are fetched
    assert set(page.locator("#log-found .line[data-number] strong").all_inner_texts()) == {"Anna"}
    page.get_by_label("About what").select_option("")
    page.get_by_label("About whom").select_option("")
    expect(page.locator("#panel-log")).to_be_visible()
    before = page.locator("#panel-log .line").count()
    page.get_by_role("button", name="Earlier").click()
    page.wait_for_function("count => document.querySelectorAll('#panel-log .line').length > count", arg=before)


LINES = """list => [...document.querySelectorAll(`${list} .line[data-number]`)].map((line) => ({
  number: line.dataset.number,
  text: line.textContent.replace(/\\s+/g, " ").trim(),
  shown: [...line.querySelectorAll(".mention")].map(({dataset}) => dataset.showHex ?? dataset.showCompany),
}))"""


def test_lines_that_are_fetched_look_like_those_that_came_with_the_page(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    came = {line["number"]: line for line in page.evaluate(LINES, "#panel-log")}
    filters(page)
    page.get_by_label("About what").select_option("track")
    expect(page.locator("#log-found .line")).not_to_have_count(0)
    fetched = page.evaluate(LINES, "#log-found")
    both = [line for line in fetched if line["number"] in came]
    assert both
    assert both == [came[line["number"]] for line in both]
    assert any(line["shown"] for line in both)


def test_the_log_shows_what_happened_since_ones_last_move(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(late()))
    Player(page, seed=1).step()
    filters(page)
    page.get_by_label("since my last move").check()
    shown = page.locator("#panel-log .line:visible")
    assert shown.count() < 10
    page.get_by_label("since my last move").uncheck()
    assert shown.count() > 20


def test_another_theme_draws_the_board_anew_and_keeps_what_is_chosen(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    light, at = drawing(page, "E11"), version(page)
    hints = page.locator("polygon.hint-can").count()
    open_menu(page).get_by_label("Colours").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.wait_for_function("before => document.getElementById('hex-E11').innerHTML !== before", arg=light)
    assert page.locator("polygon.hint-can").count() == hints
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert drawing(page, "E11") != light
    page.locator("#answers .chip").first.click()
    expect(page.locator(".palette-tile img").first).to_have_attribute("src", re.compile("/dark/"))
    assert version(page) == at


def test_the_first_visit_is_in_the_colours_of_the_system(running: Running, visits: Visits) -> None:
    """The server draws before it can know them."""
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    light = drawing(page, "E11")
    page.wait_for_load_state("load")
    page.context.clear_cookies()
    page.emulate_media(color_scheme="dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.wait_for_function("before => document.getElementById('hex-E11').innerHTML !== before", arg=light)
