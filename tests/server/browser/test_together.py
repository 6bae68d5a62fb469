"""Several people at one table, each with a browser of his own."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from ostbahn.server.play.plans import LINK
from tests.server.browser.player import Player, begin, my_turn, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import Visits
from tests.server.tables import keys, plan

ACT = """async ([key, version]) => {
  const sent = {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({version: Number(version), action: {do: "pass"}})};
  const answer = await fetch(`/api/t/${key}/answer`, sent);
  return [answer.status, (await answer.json()).error];
}"""


def key_of(page: Page) -> str:
    return page.url.split("/t/")[1]


def see(page: Page, wanted: str) -> None:
    page.wait_for_function("wanted => document.getElementById('table').dataset.version === wanted", arg=wanted)


def two_people(running: Running, visits: Visits) -> tuple[Page, Page, Page]:
    """Two with a link each to a seat, and one who looks on."""
    house = running.services.house
    links = keys(house, house.open(plan(LINK, LINK, variant="bohemia")))
    one, other, spectator = (visits.person(running.link(links[who])) for who in ("p1", "p2", "spectator"))
    return one, other, spectator


def test_each_sees_the_moves_of_the_other_and_cannot_move_for_him(running: Running, visits: Visits) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", [LINK, LINK])
    host.get_by_role("tab", name="Seats").click()
    links = [link.get_attribute("href") or "" for link in host.locator("#pane-seats .seat-link").all()]
    one, other, spectator = (visits.person(f"{running.address.rstrip('/')}{link}") for link in links)
    players = {one: Player(one, seed=1), other: Player(other, seed=2)}
    moved = set()
    for _ in range(8):
        mover, waiting = (one, other) if my_turn(one) else (other, one)
        assert my_turn(mover)
        for page in (waiting, spectator):
            expect(page.locator("#panel-question")).to_have_attribute("data-my-turn", "no")
            expect(
                page.locator("#answers, #confirm, #panel-question button[data-index], polygon.hint-can")
            ).to_have_count(0)
        players[mover].step()
        moved.add(mover)
        for page in (waiting, spectator):
            see(page, version(mover))
    assert moved == {one, other}


def test_a_move_for_somebody_else_is_refused_with_the_reason(running: Running, visits: Visits) -> None:
    one, other, spectator = two_people(running, visits)
    waiting = other if my_turn(one) else one
    before = version(waiting)
    visits.excuse("status of 4")
    visits.excuse("status 4")
    status, error = waiting.evaluate(ACT, [key_of(waiting), before])
    assert status in (409, 422, 403)
    assert "decides now" in error
    status, error = spectator.evaluate(ACT, [key_of(spectator), before])
    assert status == 403
    assert error == "spectators look on"
    waiting.reload()
    assert version(waiting) == before


def test_going_back_further_needs_the_consent_of_the_other(running: Running, visits: Visits) -> None:
    one, other, _ = two_people(running, visits)
    begun = version(one)
    for number in range(4):
        mover, waiting = (one, other) if my_turn(one) else (other, one)
        Player(mover, seed=number).step()
        see(waiting, version(mover))
    moves = int(one.locator("#table").get_attribute("data-number") or "")
    one.locator("#panel-log [data-history]").last.click()
    expect(one.get_by_role("heading", name="After move 0 of")).to_be_visible()
    one.get_by_role("button", name="Ask all to go back here").click()
    asked = other.locator("#panel-tools .proposal")
    expect(asked).to_contain_text("would like to go back to move 0")
    expect(one.locator("#panel-tools .proposal")).to_contain_text("Still to agree")
    asked.get_by_role("button", name="Decline").click()
    expect(one.locator("#panel-tools .proposal")).to_have_count(0)
    expect(one.locator("#table")).to_have_attribute("data-number", str(moves))
    one.locator("#panel-log [data-history]").last.click()
    one.get_by_role("button", name="Ask all to go back here").click()
    asked.get_by_role("button", name="Agree").click()
    for page in (one, other):
        expect(page.locator("#table")).to_have_attribute("data-number", "0")
    assert int(version(one)) > int(begun)
    assert my_turn(one) != my_turn(other)


def test_chat_reaches_the_other_and_disturbs_nobody_who_is_answering(running: Running, visits: Visits) -> None:
    host = running.host(moment("18CZ", "lay_track"))
    with running.services.house.holding(host.game) as room:
        waiting = next(seat for seat in room.persons if seat != room.turn)
    running.services.house.seat(host, waiting, LINK)
    other = visits.person(running.link(keys(running.services.house, host)[waiting]))
    one = visits.person(running.link(host))
    one.locator("#answers .chip").first.click()
    palette = one.locator("#palette")
    expect(palette).to_be_visible()
    one.locator(".palette-tile").last.click()
    chosen = one.locator(".palette-tile[aria-checked=true]").get_attribute("aria-label") or ""
    other.get_by_role("tab", name="Chat").click()
    other.get_by_label("Message", exact=True).fill("Not there, please!")
    other.get_by_role("button", name="Send").click()
    expect(other.locator("#panel-chat")).to_contain_text("Not there, please!")
    expect(other.get_by_label("Message", exact=True)).to_have_value("")
    expect(one.locator("#panel-chat")).to_contain_text("Not there, please!")
    expect(palette).to_be_visible()
    expect(one.locator(".palette-tile[aria-checked=true]")).to_have_attribute("aria-label", chosen)
    one.get_by_role("tab", name="Chat").click()
    expect(one.locator("#panel-chat")).to_be_visible()


def test_the_host_gives_a_seat_to_a_bot_which_goes_on(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "stock_round")))
    before, turn = version(page), page.locator("#panel-head .turn .name").inner_text()
    page.get_by_role("tab", name="Seats").click()
    page.get_by_label(f"Who plays for {turn}").select_option("R")
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)
    expect(page.locator("#panel-head li", has_text=turn).locator(".badge")).to_contain_text("bot R")


def test_all_read_in_the_log_that_the_host_has_taken_a_seat_over(running: Running, visits: Visits) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", ["here", LINK])
    host.get_by_role("tab", name="Seats").click()
    links = [link.get_attribute("href") or "" for link in host.locator("#pane-seats .seat-link").all()]
    replaced, spectator = (visits.person(f"{running.address.rstrip('/')}{link}") for link in links)
    names = [name.inner_text() for name in host.locator("#panel-head .seats .name").all()]
    visits.excuse("404")
    host.get_by_label(f"Who plays for {names[1]}").select_option("here")
    for page in (host, spectator):
        notice = page.locator("#panel-log .beside")
        expect(notice).to_contain_text(f"from now on the host plays for {names[1]}, in place of whoever had the link")
    expect(spectator.locator("#panel-head .seats")).to_contain_text("host")
    expect(replaced.get_by_role("alert")).to_contain_text("this link is void")
    Player(host, seed=1).play(2)
    host.get_by_role("button", name="Take back my last move").click()
    expect(spectator.locator("#panel-log .beside").first).to_contain_text("1 answer is taken back")
    spectator.get_by_label("About what").select_option("table")
    expect(spectator.locator("#log-found .beside")).to_have_count(2)


def test_the_host_hands_out_links_after_reloading_and_makes_a_new_one_for_who_has_lost_it(
    running: Running, visits: Visits
) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", [LINK, LINK])
    visits.excuse("ERR_ABORTED")  # whoever reloads does not wait for all that is on its way
    host.reload()
    host.get_by_role("tab", name="Seats").click()
    rows = host.locator("#pane-seats tbody tr")
    links = [row.locator(".seat-link").get_attribute("href") or "" for row in rows.all()]
    pages = [visits.person(f"{running.address.rstrip('/')}{link}") for link in links[:2]]
    mover = 0 if my_turn(pages[0]) else 1
    Player(pages[mover], seed=1).step()
    host.reload()
    host.get_by_role("tab", name="Seats").click()
    expect(rows.nth(mover)).to_contain_text("in use")
    expect(rows.nth(mover).locator(".seat-link")).to_have_count(0)
    expect(rows.nth(1 - mover).locator(".seat-link")).to_have_count(1)
    visits.excuse("404")
    host.on("dialog", lambda dialog: dialog.accept())
    rows.nth(mover).get_by_role("button", name="new link").click()
    expect(pages[mover].get_by_role("alert")).to_contain_text("this link is void")
    expect(host.locator("#panel-log .beside")).to_contain_text("whoever has the new link plays for")
    host.get_by_role("tab", name="Seats").click()
    fresh = rows.nth(mover).locator(".seat-link").get_attribute("href") or ""
    assert fresh not in links
    again = visits.person(f"{running.address.rstrip('/')}{fresh}")
    expect(again.locator("#panel-head .mine .badge.you")).to_be_visible()
