"""One sees what happens: moves of others one by one, what was missed, and what stays marked."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from ostbahn.interop.saves import encode_action
from ostbahn.kernel.game import Game
from ostbahn.table.access import Access
from ostbahn.table.room import LINK
from ostbahn.table.table_view import stops_after
from ostbahn.views.moves import MoveView, move_view
from tests.golden.games import golden_game
from tests.server.browser.player import Player, my_turn
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits
from tests.server.network import until
from tests.server.tables import keys, wanted

PAST = re.compile("at=")
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
NOTE = """() => {
  const table = document.getElementById("table"), bar = document.getElementById("replay");
  window.seen = [];
  window.passed = new Set();
  const note = () => window.seen.push({
    at: Number(table.dataset.at), words: bar.hidden ? "" : bar.innerText,
    on: table.classList.contains("replaying"), answers: document.querySelectorAll("#answers button").length});
  new MutationObserver((changes) => {
    for (const name of ["pulse", "flash", "flying", "float-amount"])
      if (document.querySelector(`.${name}`)) window.passed.add(name);
    if (changes.some(({target}) => target === table || target === bar)) note();
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
"""From now on every moment that is shown is noted, and what moves on the page."""
CALM = """number => {
  const table = document.getElementById("table");
  return table.dataset.at === number && !table.classList.contains("replaying");
}"""
DWELL = """() => {
  const usual = window.setTimeout;
  const dwells = () => document.getElementById("table").classList.contains("replaying");
  window.setTimeout = (act, time, ...more) => usual(act, time > 500 && dwells() ? 1e6 : time, ...more);
}"""
"""From now on a moment on the way stays until somebody does something, however long a test takes to do it."""
CHOOSE = """(select, pace) => {
  select.value = pace;
  select.dispatchEvent(new Event("change"));
}"""
"""Wherever on the page it stands."""
MIDDLE = """mark => {
  const {x, y, width, height} = mark.getBBox();
  return [x + width / 2, y + height / 2];
}"""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Show:
    """A game that has been played, given again answer by answer while others look on."""

    def __init__(self, running: Running, title: str, first: int) -> None:
        self.running = running
        self.game = golden_game(f"{title}-base-3")
        self.host = running.host(self.game.position(first))
        self.net = httpx.Client(base_url=running.address, timeout=60)

    @property
    def spectator(self) -> Access:
        return keys(self.running.services.game_service, self.host)["spectator"]

    @property
    def number(self) -> int:
        with self.running.services.game_service.holding(self.host.game) as room:
            return room.number

    def go(self, last: int) -> list[int]:
        """Go on until so many answers stand; returns the moments at which onlookers stop."""
        before = self.number
        while (number := self.number) < last:
            self.answer(encode_action(self.game.records[number].action))
        with self.running.services.game_service.holding(self.host.game) as room:
            return stops_after(room, self.spectator, before)

    def answer(self, action: dict[str, Any]) -> None:
        path = f"/api/t/{self.host.key}"
        sent = {"version": self.net.get(path).json()["version"], "action": action}
        self.net.post(f"{path}/answer", json=sent).raise_for_status()


def first(game: Game, wanted: str, after: int = 200) -> int:
    """The first answer from the middle of a game on with something to show."""
    for number in range(after, len(game)):
        view = move_view(game.position(number))
        if view is not None and getattr(view, wanted):
            return number
    raise AssertionError(f"nowhere {wanted}")


def moved(game: Game, number: int) -> MoveView:
    view = move_view(game.position(number))
    assert view is not None
    return view


def calm(page: Page, number: int) -> None:
    """All has been shown, and the page shows now."""
    page.wait_for_function(CALM, arg=str(number))


def pace(page: Page, name: str) -> None:
    page.locator("#pace").evaluate(CHOOSE, name)


def test_moves_of_others_are_shown_one_by_one(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "fast")
    page.evaluate(NOTE)
    stops = show.go(447)
    assert len(stops) > 4
    calm(page, show.number)
    seen = page.evaluate("window.seen")
    ats = [moment["at"] for moment in seen]
    assert ats == sorted(ats), "it never goes back"
    assert set(stops) <= set(ats)
    told = {number: moved(show.game, number).words for number in stops}
    for number, words in told.items():
        assert any(moment["at"] == number and words in moment["words"] for moment in seen)
    assert any(re.search(r"\d of \d", moment["words"]) for moment in seen)
    assert not any(moment["on"] and moment["answers"] for moment in seen)
    passed = page.evaluate("[...window.passed]")
    assert {"pulse", "flash", "float-amount"} <= set(passed)
    expect(page.locator(".pulse, .flying, .float-amount")).to_have_count(0)
    expect(page.locator("#replay")).to_be_hidden()
    expect(page).not_to_have_url(PAST)


def test_a_marker_goes_from_its_old_price_to_the_new_one(running: Running, visits: Visits) -> None:
    game = golden_game("18CZ-base-3")
    views = [moved(game, number) for number in range(200, len(game))]
    sold = next(view.number for view in views if view.kind == "sell_shares" and view.prices)
    show = Show(running, "18CZ", sold - 1)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "fast")
    page.evaluate(NOTE)
    company = moved(game, sold).prices[0].company
    marker = page.locator(f"#panel-chart g#marker-{company}")
    before = marker.locator("xpath=..").get_attribute("id")
    show.go(sold)
    calm(page, show.number)
    assert "flying" in page.evaluate("[...window.passed]")
    expect(page.locator(".flying")).to_have_count(0)
    expect(marker).to_have_count(1)
    assert marker.locator("xpath=..").get_attribute("id") != before


def after_all_bots(page: Page, running: Running, host: Access) -> None:
    """Whatever the page asks for reaches the server once all bots have answered: so there are several moves to show."""

    def wait(route: Route) -> None:
        until(lambda: asked(running, host) == "p1")
        route.continue_()

    page.route("**/update", wait)


def asked(running: Running, host: Access) -> str | None:
    with running.services.game_service.holding(host.game) as room:
        return room.turn


def test_the_question_comes_after_the_moves_of_bots_and_not_before(running: Running, visits: Visits) -> None:
    host = running.services.game_service.create_game(wanted("here", "R", "R", seed=4))
    page = visits.person(running.link(host), **MOVING)
    pace(page, "fast")
    page.evaluate(NOTE)
    after_all_bots(page, running, host)
    player = Player(page, seed=2)
    player.play(4)
    expect(page.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")
    seen = page.evaluate("window.seen")
    assert any(moment["on"] for moment in seen)
    assert not [moment for moment in seen if moment["on"] and moment["answers"]]


def test_who_is_asked_and_clicks_need_not_wait(running: Running, visits: Visits) -> None:
    host = running.services.game_service.create_game(wanted("here", "R", "R", seed=4))
    page = visits.person(running.link(host), **MOVING)
    pace(page, "slow")
    page.evaluate(NOTE)
    page.evaluate(DWELL)
    after_all_bots(page, running, host)
    while not page.locator("#table.replaying").count():
        assert my_turn(page)
        Player(page, seed=2).step()
        expect(page.locator("#table.replaying, #panel-question[data-my-turn=yes]")).to_have_count(1)
    expect(page.locator("#answers")).to_have_count(0)
    before = page.evaluate("window.seen.length")
    page.locator("#panel-question h2").click()
    expect(page.locator("#answers")).to_be_visible()
    assert not [moment for moment in page.evaluate("window.seen")[before:] if moment["on"] and moment["words"]]


@pytest.mark.parametrize("by", ["button", "key"])
def test_what_others_do_can_be_skipped(running: Running, visits: Visits, by: str) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "slow")
    page.evaluate(NOTE)
    page.evaluate(DWELL)
    stops = show.go(447)
    expect(page.locator("#replay")).to_contain_text("Skip")
    if by == "button":
        page.locator("#replay").get_by_role("button", name="Skip").click()
    else:
        page.keyboard.press("x")
    calm(page, show.number)
    expect(page.locator("#replay")).to_be_hidden()
    ats = {moment["at"] for moment in page.evaluate("window.seen")}
    assert not set(stops[2:-1]) & ats


def test_the_pace_is_remembered_and_off_goes_to_now_at_once(running: Running, visits: Visits) -> None:
    show = Show(running, "18Mag", 300)
    page = visits.person(running.link(show.spectator), **MOVING)
    expect(page.locator("#pace")).to_have_value("normal")
    pace(page, "off")
    page.reload()
    expect(page.locator("#pace")).to_have_value("off")
    page.evaluate(NOTE)
    show.go(310)
    calm(page, show.number)
    assert not any(moment["on"] for moment in page.evaluate("window.seen"))
    expect(page.locator("#replay")).to_be_hidden()


def test_who_wants_stillness_gets_marks_and_no_movement(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator))
    expect(page.locator("#pace")).to_have_value("off")
    page.evaluate(NOTE)
    show.go(435)
    calm(page, show.number)
    pace(page, "fast")
    stops = show.go(447)
    calm(page, show.number)
    assert set(stops) <= {moment["at"] for moment in page.evaluate("window.seen")}
    assert page.evaluate("[...window.passed]") == []


def test_somebody_who_looks_back_is_left_alone(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "slow")
    page.evaluate(DWELL)
    show.go(447)
    expect(page.locator("#table.replaying")).to_have_count(1)
    page.keyboard.press("[")
    expect(page.locator("#table.past")).to_have_count(1)
    expect(page.locator("#table.replaying")).to_have_count(0)
    expect(page.locator("#replay")).to_be_hidden()
    at = page.locator("#table").get_attribute("data-at")
    expect(page).to_have_url(re.compile(rf"\?at={at}$"))
    show.go(450)
    expect(page.locator("#table")).to_have_attribute("data-number", str(show.number))
    expect(page.locator("#table")).to_have_attribute("data-at", at or "")
    page.locator("#panel-question").get_by_role("button", name="Back to now").click()
    calm(page, show.number)
    expect(page).not_to_have_url(PAST)


def test_a_page_that_is_hidden_jumps_and_tells_afterwards_what_it_missed(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "slow")
    page.evaluate(HIDE, arg=True)
    stops = show.go(440)
    calm(page, show.number)
    expect(page.locator("#replay")).to_be_hidden()
    page.evaluate(HIDE, arg=False)
    expect(page.locator("#replay")).to_contain_text(f"Since you were here: {len(stops)} moves")


def test_who_comes_back_is_told_what_happened_and_can_watch_it(running: Running, visits: Visits) -> None:
    show = Show(running, "18Mag", 300)
    page = visits.person(running.link(show.spectator), **MOVING)
    pace(page, "fast")
    expect(page.locator("#replay")).to_be_hidden()
    address = page.url
    page.goto(running.address)
    stops = show.go(312)
    page.goto(address)
    bar = page.locator("#replay")
    expect(bar).to_contain_text(f"Since you were here: {len(stops)} moves")
    page.evaluate(NOTE)
    bar.get_by_role("button", name="Watch").click()
    page.wait_for_function("() => window.seen.some(({on}) => on)")
    calm(page, show.number)
    ats = [moment["at"] for moment in page.evaluate("window.seen")]
    assert {stops[0] - 1, *stops} <= set(ats)
    expect(bar).to_be_hidden()
    page.reload()
    expect(page.locator("#panel-question")).to_be_visible()
    expect(bar).to_be_hidden()


def test_what_was_missed_can_be_read_in_the_log(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    page = visits.person(running.link(show.spectator))
    expect(page.locator("#panel-log .line").first).to_be_visible()
    address = page.url
    page.goto(running.address)
    stops = show.go(440)
    page.goto(address)
    page.locator("#replay").get_by_role("button", name="List").click()
    lines = page.locator("#panel-log .line:visible")
    expect(lines).to_have_count(show.number - stops[0] + 1)
    expect(page.locator("#replay")).to_be_hidden()


def test_in_another_browser_it_is_told_from_ones_own_last_move_on(running: Running, visits: Visits) -> None:
    show = Show(running, "18CZ", 430)
    game_service = running.services.game_service
    with game_service.holding(show.host.game) as room:
        last = {record.by: number for number, record in enumerate(room.game.records, start=1)}
    seat = min(last, key=lambda seat: last[seat])
    game_service.assign_seat(show.host, seat, LINK)
    who = keys(game_service, show.host)[seat]
    with game_service.holding(show.host.game) as room:
        missed = stops_after(room, who, last[seat])
    assert len(missed) > 1
    page = visits.person(running.link(who))
    expect(page.locator("#replay")).to_contain_text(f"Since you were here: {len(missed)} moves")
    page.reload()
    expect(page.locator("#panel-question")).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden()


def test_the_last_move_stays_marked(running: Running, visits: Visits) -> None:
    game = golden_game("18CZ-base-3")
    laid = first(game, "hexes")
    view = moved(game, laid)
    page = visits.person(running.link(running.host(game.position(laid))))
    marks = page.locator("polygon.hint-last")
    expect(marks).to_have_count(len(view.hexes))
    where = marks.first.evaluate(MIDDLE)
    centre = page.locator(f"#hex-{view.hexes[0]}").get_attribute("transform") or ""
    assert [round(value) for value in where] == [round(float(value)) for value in re.findall(r"-?[\d.]+", centre)]
    expect(page.locator(f"[data-company-card='{view.companies[0]}']").first).to_have_class(re.compile("last-move"))
    now = int(page.locator("#table").get_attribute("data-number") or "")  # a step without a choice may have been passed
    for _ in range(now - laid + 1):
        page.keyboard.press("[")
    expect(page.locator("#table")).to_have_attribute("data-at", str(laid - 1))
    page.keyboard.press("]")
    expect(page.locator("#table")).to_have_attribute("data-at", str(laid))
    expect(marks).to_have_count(len(view.hexes))


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_in_history_every_run_is_drawn(running: Running, visits: Visits, title: str) -> None:
    game = golden_game(f"{title}-base-3")
    ran = first(game, "route")
    page = visits.person(f"{running.link(running.host(game.position(ran + 2)))}?at={ran - 1}")
    routes = page.locator(".layer-routes .route")
    expect(routes).to_have_count(0)
    page.keyboard.press("]")
    expect(page.locator("#table")).to_have_attribute("data-at", str(ran))
    expect(routes).not_to_have_count(0)
    page.keyboard.press("]")
    expect(page.locator("#table")).to_have_attribute("data-at", str(ran + 1))
    expect(routes).to_have_count(0)
