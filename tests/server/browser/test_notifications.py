"""Being told and time, in a browser: the page of wishes, the bell, clocks that run, votes, and push messages."""

from __future__ import annotations

import msgspec
from playwright.sync_api import Page, expect

from ostbahn.table.slots import TableClock
from tests.server.browser.running import Running
from tests.server.browser.test_accessibility import check
from tests.server.browser.visits import PHONE, Visits
from tests.server.tables import keys, wanted

LISTENING = """
() => {
  window.tones = 0;
  const before = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.tones += 1; return before.call(this); };
}
"""


def test_clocks_votes_and_the_bell(running: Running, visits: Visits) -> None:
    game_service = running.services.game_service
    clock = TableClock(kind="move", seconds=300)
    found = keys(
        game_service, game_service.create_game(msgspec.structs.replace(wanted("here", "link", "here"), clock=clock))
    )
    game_service.name_seat(found["p2"], "p2", "Boris")
    anna = visits.person(running.link(found["host"]))
    boris = visits.person(running.link(found["p2"]), **PHONE)
    runs = anna.locator(".clock.runs")
    expect(runs).to_contain_text("4:")
    first = runs.inner_text()
    expect(runs).not_to_have_text(first)
    expect(boris.locator('[data-player="p2"] .clock')).to_have_text("5:00")
    # a vote, on a phone and on a desk
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Clock and votes").click()
    expect(anna.get_by_role("button", name="Stop the clocks")).to_be_visible()
    check(anna)
    anna.get_by_role("button", name="Stop the clocks").click()
    expect(boris.locator(".vote")).to_contain_text("Anna, Clara would like this: the clocks stand still for a while")
    boris.locator(".vote").get_by_role("button", name="Agree").click()
    expect(boris.locator(".vote")).to_have_count(0)
    expect(anna.locator(".clock.runs")).to_have_count(0)
    # a tone when it becomes one's turn, and only then
    boris.evaluate(LISTENING)
    check(boris)  # the strip of players is wider than a phone, and scrolls
    boris.get_by_role("button", name="When it is my turn").click()
    expect(boris.get_by_label("Play a short tone")).to_be_visible()
    check(boris)
    boris.get_by_label("Play a short tone").check()
    tones(boris, 2)  # how it sounds
    boris.get_by_label("Tell me of this game").check()
    boris.get_by_role("button", name="Close").locator("visible=true").click()
    anna.get_by_role("button", name="Pass").first.click()
    tones(boris, 4)
    expect(boris.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")


def tones(page: Page, number: int) -> None:
    page.wait_for_function("number => window.tones === number", arg=number)


def test_the_page_of_wishes_and_push_messages(running: Running, visits_with_notices: Visits) -> None:
    page = visits_with_notices.person(f"{running.address}told", timezone_id="Europe/Prague")
    check(page)
    expect(page.get_by_label("in the time zone")).to_have_value("Europe/Prague")
    page.get_by_label("A game is over").check()
    page.get_by_label("In all my games").check()
    with page.expect_event("load"):
        page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_label("A game is over")).to_be_checked()
    expect(page.get_by_label("In all my games")).to_be_checked()
    # no push server can be reached from here, so the browser is handed a message as if one had come
    context = page.context
    context.grant_permissions(["notifications"], origin=running.address.rstrip("/"))
    devtools = context.new_cdp_session(page)
    registered: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registered.extend(each["registrationId"] for each in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)")
    while not registered:
        page.wait_for_timeout(10)
    message = msgspec.json.encode(
        {"title": "Your turn", "body": "It is your turn.", "path": "/t/x", "tag": "t"}
    ).decode()
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": running.address.rstrip("/"), "registrationId": registered[-1], "data": message},
    )
    shown = (
        "navigator.serviceWorker.ready.then(ready => ready.getNotifications())"
        ".then(notes => notes.map(note => [note.title, note.body, note.data.path]))"
    )
    while not page.evaluate(shown):  # a promise is true before it is kept, so nothing else can wait for it
        page.wait_for_timeout(20)
    assert page.evaluate(shown) == [["Your turn", "It is your turn.", "/t/x"]]
