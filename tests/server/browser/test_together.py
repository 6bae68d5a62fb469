"""Several people at one table, each with a browser of his own."""

from __future__ import annotations

from playwright.sync_api import Dialog, Locator, Page, expect

from ostbahn.table.room import LINK
from tests.server.browser.looking import settled
from tests.server.browser.player import Player, begin, my_turn, put_away, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import Visits
from tests.server.tables import keys, wanted

ACT = """async ([key, version]) => {
  const sent = {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({version: Number(version), action: {do: "pass"}})};
  const answer = await fetch(`/api/t/${key}/answer`, sent);
  return [answer.status, (await answer.json()).error];
}"""


def key_of(page: Page) -> str:
    return page.url.split("/t/")[1]


def number(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-number") or "")


def see(page: Page, wanted: str) -> None:
    page.wait_for_function("wanted => document.getElementById('table').dataset.version === wanted", arg=wanted)


def open_card(page: Page) -> Locator:
    """The card with who plays, and the links of those who have not joined yet."""
    page.get_by_role("button", name="Players and links").first.click()
    card = page.locator("dialog#invite")
    expect(card).to_be_visible()
    return card


def spectators(card: Locator) -> str:
    return card.get_by_label("Link for spectators", exact=True).input_value()


def give(card: Locator, name: str, who: str) -> None:
    """Let somebody else play for a player."""
    row = card.locator(".invite-seat", has_text=name)
    row.get_by_text("Change player").click()
    row.get_by_label(f"{name} is played by").select_option(who)


def two_people(running: Running, visits: Visits) -> tuple[Page, Page, Page]:
    """Two with a link each to a seat, and one who looks on."""
    game_service = running.services.game_service
    links = keys(game_service, game_service.create_game(wanted(LINK, LINK, variant="bohemia")))
    for seat, name in (("p1", "Anna"), ("p2", "Boris")):
        game_service.name_seat(links[seat], seat, name)
    one, other, spectator = (visits.person(running.link(links[who])) for who in ("p1", "p2", "spectator"))
    return one, other, spectator


def test_each_sees_the_moves_of_the_other_and_cannot_move_for_him(running: Running, visits: Visits) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", [LINK, LINK])
    card = open_card(host)
    links = [row.get_by_role("textbox").input_value() for row in card.locator(".invite-seat").all()]
    one, other, spectator = (visits.person(link) for link in (*links, spectators(card)))
    put_away(one)
    put_away(other)
    players = {one: Player(one, seed=1), other: Player(other, seed=2)}
    moved = set()
    for _ in range(8):
        mover, waiting = (one, other) if my_turn(one) else (other, one)
        assert my_turn(mover)
        for page in (waiting, spectator):
            expect(page.locator("#panel-question")).to_have_attribute("data-my-turn", "no")
            expect(page.locator("#answers, #confirm[open], button[data-index], polygon.hint-can")).to_have_count(0)
        expect(mover.locator("button[data-index]")).not_to_have_count(0)
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
    assert error == "spectators only watch"
    waiting.reload()
    assert version(waiting) == before


def test_going_back_further_needs_the_consent_of_the_other(running: Running, visits: Visits) -> None:
    one, other, _ = two_people(running, visits)
    begun = version(one)
    for seed in range(4):
        mover, waiting = (one, other) if my_turn(one) else (other, one)
        Player(mover, seed=seed).step()
        see(waiting, version(mover))
    moves = number(one)
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
    with running.services.game_service.holding(host.game) as room:
        waiting = next(seat for seat in room.persons if seat != room.turn)
    running.services.game_service.assign_seat(host, waiting, LINK)
    other = visits.person(running.link(keys(running.services.game_service, host)[waiting]))
    put_away(other)
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
    log_view = one.locator("[data-view=log]")
    expect(log_view).to_contain_class("has-unread")  # on a phone the chat itself is not in sight
    expect(palette).to_be_visible()
    expect(one.locator(".palette-tile[aria-checked=true]")).to_have_attribute("aria-label", chosen)
    one.get_by_role("tab", name="Chat").click()
    expect(one.locator("#panel-chat")).to_be_visible()
    expect(log_view).not_to_contain_class("has-unread")


def test_what_is_pressed_at_the_table_stays_where_it_is_when_somebody_comes(running: Running, visits: Visits) -> None:
    one, other, _ = two_people(running, visits)
    button = one.locator("#panel-people .people-button")
    expect(button.locator(".here")).to_have_count(2)
    button.hover()
    one.mouse.down()
    with one.expect_response("**/update"):
        other.context.close()
    visits.contexts.remove(other.context)
    settled(one)
    expect(button.locator(".here")).to_have_count(2)
    one.mouse.up()
    expect(one.locator("dialog#invite")).to_be_visible()
    expect(button.locator(".here")).to_have_count(1)


def test_the_host_gives_a_seat_to_a_bot_which_goes_on(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "stock_round")))
    answered, turn = number(page), page.locator("#panel-players .deciding .who strong").inner_text()
    give(open_card(page), turn, "R")
    page.wait_for_function("before => Number(document.getElementById('table').dataset.number) > before", arg=answered)
    expect(page.locator("#panel-players .player", has_text=turn).locator(".badge")).to_have_text("bot R")
    expect(page.locator(f"#panel-log .line[data-number='{answered + 1}']")).to_contain_text(turn)


def test_all_read_in_the_log_that_the_host_has_taken_a_seat_over(running: Running, visits: Visits) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", ["here", LINK])
    card = open_card(host)
    link = card.locator(".invite-seat").nth(1).get_by_role("textbox", name="Link for").input_value()
    replaced, spectator = visits.person(link), visits.person(spectators(card))
    put_away(replaced)
    name = card.locator(".invite-seat strong").nth(1).inner_text()
    visits.excuse("410")
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    expect(card.locator("select[data-confirm]")).to_have_count(1)  # the host has heard who is here
    host.once("dialog", dismiss)
    give(card, name, "here")
    expect(replaced.get_by_role("alert")).to_have_count(0)
    assert asked == [
        f"{name} is here now and will lose this seat at once; their link will stop working. Change the player?"
    ]
    chosen = card.locator(".invite-seat").nth(1).get_by_label("is played by")
    expect(chosen).to_have_value("link")
    host.once("dialog", lambda dialog: dialog.accept())
    with host.expect_event("load"):
        chosen.select_option("here")
    for page in (host, spectator):
        notice = page.locator("#panel-log .beside")
        expect(notice).to_contain_text(f"from now on the host plays for {name}, in place of whoever had the link")
    expect(spectator.locator("#panel-players .player", has_text=name).locator(".badge")).to_have_text("host")
    expect(replaced.get_by_role("heading", level=1)).to_have_text("Another player has your seat now")
    expect(replaced.get_by_role("alert")).to_contain_text("this link no longer works")
    put_away(host)
    Player(host, seed=1).play(2)
    host.locator("#undo").click()
    expect(spectator.locator("#panel-log .beside").first).to_contain_text("1 answer is taken back")
    spectator.locator("#pane-log summary", has_text="Filter").click()
    spectator.get_by_label("About what").select_option("table")
    expect(spectator.locator("#log-found .beside")).to_have_count(2)


def test_the_host_hands_out_links_after_reloading_and_makes_a_new_one_for_who_has_lost_it(
    running: Running, visits: Visits
) -> None:
    host = visits.person(running.address)
    begin(host, "18CZ/bohemia", [LINK, LINK])
    host.reload()
    rows = open_card(host).locator(".invite-seat")
    fields = [row.get_by_role("textbox", name="Link for") for row in (rows.nth(0), rows.nth(1))]
    links = [field.input_value() for field in fields]
    pages = [visits.person(link) for link in links]
    for page in pages:
        put_away(page)
    mover = 0 if my_turn(pages[0]) else 1
    Player(pages[mover], seed=1).step()
    host.reload()
    open_card(host)
    expect(rows.nth(mover)).to_contain_text("joined")
    expect(fields[mover]).to_have_count(0)
    expect(rows.nth(1 - mover)).to_contain_text("not joined yet")
    expect(fields[1 - mover]).to_have_value(links[1 - mover])
    visits.excuse("410")
    host.on("dialog", lambda dialog: dialog.accept())
    rows.nth(mover).get_by_text("Change player").click()
    rows.nth(mover).get_by_role("button", name="New link").click()
    expect(pages[mover].get_by_role("alert")).to_contain_text("this link no longer works")
    expect(host.locator("#panel-log .beside")).to_contain_text("whoever has the new link plays for")
    fresh = fields[mover].input_value()
    assert fresh not in links
    again = visits.person(fresh)
    put_away(again)
    mine = again.locator("#panel-players .player", has=again.locator(".badge.you"))
    expect(mine).to_have_attribute("aria-label", rows.nth(mover).locator("strong").inner_text())
