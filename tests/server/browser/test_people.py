"""Everything around the table, as people come to it: the first minute, the lobby, invitations, names, accounts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from ostbahn.kits.catalogue import CATALOGUE
from ostbahn.table.room import LINK
from tests.server.browser.looking import open_menu
from tests.server.browser.player import put_away
from tests.server.browser.running import Running
from tests.server.browser.test_accessibility import check
from tests.server.browser.visits import DESKTOP, PHONE, Visits
from tests.server.tables import keys, wanted

SIZES: dict[str, dict[str, Any]] = {
    "1440x900": {"viewport": {"width": 1440, "height": 900}},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}},
    "820x1180": {"viewport": {"width": 820, "height": 1180}},
    "390x844": PHONE,
}
each_size = pytest.mark.parametrize("size", SIZES)
devices = pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
phones_in_soak = pytest.mark.parametrize(
    "device", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)], ids=["desktop", "phone"]
)
"""For pages that are laid out on a phone as those of other tests are."""
PAGE: int = 400_000
"""Bytes of a page with all that it fetches."""


def sideways(page: Page) -> int:
    """How much wider a page is than its window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


def mine(page: Page) -> Locator:
    """The player whom one plays oneself."""
    return page.locator("#panel-players .player", has=page.locator(".badge.you"))


# The first minute


@each_size
def test_the_first_page_offers_every_game_at_once(running: Running, visits: Visits, size: str) -> None:
    page = visits.person(running.address, **SIZES[size])
    expect(page.get_by_role("button", name="Play", exact=False)).to_have_count(2 * len(CATALOGUE))
    expect(page.locator(".way img").first).to_have_js_property("complete", True)
    assert page.locator(".way img").first.evaluate("image => image.naturalWidth") > 0
    expect(page.get_by_role("button", name="Play 18CZ now", exact=True)).to_be_in_viewport()
    if size in ("1440x900", "1920x1080"):
        for button in page.locator(".way .primary").all():
            expect(button).to_be_in_viewport()
    assert sideways(page) <= 0
    check(page)


def test_the_first_page_is_small(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    page.wait_for_load_state("networkidle")
    sizes = "performance.getEntries().filter(each => each.transferSize).map(each => each.transferSize)"
    assert sum(page.evaluate(sizes)) < PAGE


@devices
def test_one_click_begins_a_game_against_bots(running: Running, visits: Visits, device: dict[str, Any]) -> None:
    page = visits.person(running.address, **device)
    page.get_by_role("button", name="Play 18CZ Bohemia now").click()
    page.wait_for_url("**/t/*")
    expect(mine(page)).to_contain_text("Anna")
    expect(page.locator("#panel-players")).to_contain_text("bot (level 5)")
    expect(page.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")
    expect(page.locator("dialog#invite")).not_to_be_visible()


def test_one_click_lets_bots_play(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    page.get_by_role("button", name="Watch bots play 18Mag for two").click()
    page.wait_for_url("**/t/*")
    page.wait_for_function("() => Number(document.getElementById('table').dataset.number) > 1")
    expect(mine(page)).to_have_count(0)
    expect(open_menu(page)).to_contain_text("You look on.")


def test_pictures_follow_the_colours_that_are_chosen(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    image = page.locator(".way img").first
    expect(image).to_have_attribute("src", f"/pictures/18CZ/base/light/board?v={release(page)}")
    page.get_by_label("Colours").select_option("dark")
    expect(image).to_have_attribute("src", f"/pictures/18CZ/base/dark/board?v={release(page)}")


def release(page: Page) -> str:
    address = page.locator("link[rel=stylesheet]").first.get_attribute("href") or ""
    return address.split("/")[2]


def test_the_others_are_chosen_at_once(running: Running, visits: Visits) -> None:
    page = visits.person(f"{running.address}new")
    listed = page.get_by_label("List this table in the lobby")
    expect(listed).not_to_be_visible()
    page.locator("label:has(> input[name=others][value=link])").click()
    assert [each.input_value() for each in page.locator("select.who").all()] == ["here", "link", "link"]
    expect(listed).to_be_visible()
    page.locator("label:has(> input[name=others][value=bots])").click()
    assert [each.input_value() for each in page.locator("select.who").all()] == ["here", "5", "5"]


def test_all_others_can_be_bots_of_one_kind(running: Running, visits: Visits) -> None:
    page = visits.person(f"{running.address}new")
    bots = page.locator("input[name=others][value=bots]")
    expect(bots).to_be_checked()
    page.get_by_label("Which bots the others are").select_option("2")
    assert [each.input_value() for each in page.locator("select.who").all()] == ["here", "2", "2"]
    page.get_by_label("Who plays seat 2").select_option("link")
    expect(bots).not_to_be_checked()
    page.get_by_label("Who plays seat 2").select_option("raider")
    expect(bots).to_be_checked()
    page.locator("label:has(> input[name=players][value='4'])").click()
    expect(page.get_by_label("Who plays seat 4")).to_have_value("2")
    assert [each.input_value() for each in page.locator("select.who").all()] == ["here", "raider", "2", "2"]


# My games


@phones_in_soak
def test_a_game_is_removed_after_a_question_and_put_back(
    running: Running, visits: Visits, device: dict[str, Any]
) -> None:
    page = visits.person(running.address, **device)
    page.get_by_role("button", name="Play 18Mag solo now").click()
    page.wait_for_url("**/t/*")
    page.goto(running.address)
    game = page.locator("#mine > .games .game")
    expect(game).to_have_count(1)
    game.get_by_text("Remove from list").click()
    expect(game.get_by_text("you can put it back")).to_be_visible()
    expect(game).to_have_count(1)
    check(page)
    game.get_by_role("button", name="Remove").click()
    expect(game).to_have_count(0)
    page.get_by_text("Removed games").click()
    page.get_by_role("button", name="Put").click()
    expect(game).to_have_count(1)


# Inviting


def begun(running: Running, visits: Visits, device: dict[str, Any], *more: str, name: str = "") -> Page:
    """A host at a table for two friends; further boxes of the form are ticked."""
    page = visits.person(f"{running.address}new", permissions=["clipboard-read", "clipboard-write"], **device)
    page.get_by_label("Seat 1", exact=True).fill("Ida")
    page.locator("label:has(> input[name=others][value=link])").click()
    for box in more:
        page.get_by_label(box).check()
    page.locator("#more summary").click()
    page.get_by_label("Name of the game").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("heading", name="Invite your friends")).to_be_visible()
    return page


@devices
def test_the_host_invites_and_sees_who_joins(running: Running, visits: Visits, device: dict[str, Any]) -> None:
    host = begun(running, visits, device)
    card = host.locator("#invite")
    expect(card).to_contain_text("You play Ida")
    expect(host).not_to_have_url(re.compile("#invite$"))  # whoever loads the page again has seen it
    check(host)
    rows = card.locator(".invite-seat")
    rows.nth(1).get_by_role("button", name="Copy link").click()
    expect(card.get_by_role("status")).to_have_text("Link copied.")
    link = host.evaluate("navigator.clipboard.readText()")
    assert link == rows.nth(1).get_by_role("textbox", name="Link for").input_value()
    rows.nth(2).get_by_text("QR code").click()
    expect(rows.nth(2).locator(".qr img")).to_be_visible()
    expect(rows.nth(2).locator(".qr img")).to_have_js_property("complete", True)

    there = host.locator("#panel-people .presence.here")
    expect(there).to_have_count(1)
    guest = visits.person(link, **device)
    asked = guest.locator("#invite")
    expect(asked.get_by_role("heading", name="Take your seat")).to_be_visible()
    expect(asked).to_contain_text("with Ida")
    check(guest)
    asked.get_by_label("Your name").fill("Petra")
    asked.get_by_role("button", name="Sit down").click()
    expect(mine(guest)).to_contain_text("Petra")
    expect(asked).not_to_be_visible()

    expect(rows.nth(1)).to_contain_text("Petra")
    expect(rows.nth(1)).to_contain_text("joined, here now")
    expect(there).to_have_count(2)
    expect(rows.nth(1).get_by_role("textbox", name="Link for")).to_have_count(0)
    expect(rows.nth(2).locator(".qr img")).to_be_visible()
    expect(host.locator("#panel-players")).to_contain_text("Petra")
    expect(host.locator("#panel-log .beside")).to_contain_text("Petra: sits down in the seat of")
    guest.context.close()
    visits.contexts.remove(guest.context)
    expect(rows.nth(1)).to_contain_text("joined, away")
    expect(there).to_have_count(1)


def test_what_is_pressed_stays_where_it_is_when_somebody_comes(running: Running, visits: Visits) -> None:
    host = begun(running, visits, DESKTOP)
    rows = host.locator(".invite-seat")
    link = rows.nth(1).get_by_role("textbox", name="Link for").input_value()
    rows.nth(2).get_by_text("QR code").hover()
    host.mouse.down()
    with host.expect_response("**/invite"):
        visits.person(link)
    host.mouse.up()
    expect(rows.nth(2).locator(".qr img")).to_be_visible()


def test_that_a_link_was_copied_stays_told_when_somebody_comes(running: Running, visits: Visits) -> None:
    host = begun(running, visits, DESKTOP)
    rows = host.locator(".invite-seat")
    link = rows.nth(1).get_by_role("textbox", name="Link for").input_value()
    guest = visits.person(link)
    rows.nth(2).get_by_role("button", name="Copy link").click()
    expect(host.locator("#invite .copied")).to_have_text("Link copied.")
    guest.get_by_label("Your name").fill("Petra")
    guest.get_by_role("button", name="Sit down").click()
    expect(rows.nth(1)).to_contain_text("joined, here now")
    expect(host.locator("#invite .copied")).to_have_text("Link copied.")


def test_a_guest_may_look_first_and_is_asked_again_elsewhere(running: Running, visits: Visits) -> None:
    game_service = running.services.game_service
    link = running.link(keys(game_service, game_service.create_game(wanted("here", LINK, LINK)))["p2"])
    guest = visits.person(link)
    put_away(guest)
    guest.reload()
    expect(guest.locator("#table")).to_be_visible()
    expect(guest.locator("#invite")).not_to_be_visible()
    expect(visits.person(link).locator("#invite")).to_be_visible()


def test_a_name_that_is_taken_is_told_and_another_is_taken(running: Running, visits: Visits) -> None:
    game_service = running.services.game_service
    guest = visits.person(running.link(keys(game_service, game_service.create_game(wanted("here", LINK, LINK)))["p2"]))
    visits.excuse("400")
    guest.get_by_label("Your name").fill("Anna")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.get_by_role("alert")).to_have_text("Two players have the same name.")
    guest.get_by_label("Your name").fill("Annika")
    guest.get_by_role("button", name="Sit down").click()
    expect(mine(guest)).to_contain_text("Annika")


def test_the_host_lets_a_bot_play_from_the_card(running: Running, visits: Visits) -> None:
    host = begun(running, visits, DESKTOP)
    row = host.locator(".invite-seat").nth(2)
    row.get_by_text("Change player").click()
    row.get_by_label("is played by").select_option("S")
    expect(row).to_contain_text("bot S")
    expect(host.locator("#invite")).to_be_visible()
    expect(host.locator("#panel-players")).to_contain_text("bot S")


def test_a_card_is_there_without_scripts_too(running: Running, visits: Visits) -> None:
    game_service = running.services.game_service
    found = keys(game_service, game_service.create_game(wanted("here", LINK, LINK)))
    visits.excuse(".js csp")
    guest = visits.person(f"{running.link(found['p2'])}/invite", java_script_enabled=False)
    guest.get_by_label("Your name").fill("Petra")
    guest.get_by_role("button", name="Sit down").click()
    guest.wait_for_url("**/t/*")
    with game_service.holding(found["p2"].game) as room:
        assert room.game.setup.players == ("Anna", "Petra", "Clara")


# The lobby


@phones_in_soak
def test_strangers_join_and_watch_by_the_lobby(running: Running, visits: Visits, device: dict[str, Any]) -> None:
    name = f"Evening of {device['viewport']['width']}"
    host = begun(running, visits, device, "List this table in the lobby", "Anybody may watch", name=name)
    guest = visits.person(f"{running.address}lobby", **device)
    check(guest)
    assert sideways(guest) <= 0
    guest.get_by_role("link", name=f"Join {name}").click()
    expect(guest.get_by_label("Your name")).to_be_visible()
    check(guest)
    guest.get_by_label("Your name").fill("Petra")
    guest.get_by_role("button", name="Take a seat").click()
    expect(mine(guest)).to_contain_text("Petra")
    expect(guest.locator("#invite")).not_to_be_visible()
    expect(host.locator(".invite-seat").nth(1)).to_contain_text("Petra")
    spectator = visits.person(f"{running.address}lobby", **device)
    table = spectator.locator(".open-table", has_text=name)
    expect(table).to_contain_text("1 free seat")
    table.get_by_role("link", name="Watch").click()
    spectator.wait_for_url("**/t/*")
    expect(mine(spectator)).to_have_count(0)
    expect(open_menu(spectator)).to_contain_text("You look on.")
    expect(host.locator("#invite")).to_contain_text("1 looks on now")


# Accounts


@phones_in_soak
def test_whoever_forgot_their_password_comes_in_by_the_code(
    running: Running, visits: Visits, device: dict[str, Any]
) -> None:
    name = f"Ida {device['viewport']['width']}"
    page = visits.person(f"{running.address}login", **device)
    page.get_by_label("Name").last.fill(name)
    page.get_by_label("Password").last.fill("eisenbahn")
    page.get_by_role("button", name="Create an account").click()
    code = page.locator("#recovery-code").inner_text()
    check(page)
    page.get_by_role("link", name="I have written it down").click()
    page.wait_for_url(running.address)
    page.get_by_role("link", name=name).click()
    page.wait_for_url("**/account")
    check(page)
    elsewhere = visits.person(f"{running.address}login", **device)
    elsewhere.get_by_role("link", name="Forgot your password?").click()
    elsewhere.get_by_label("Name").fill(name)
    elsewhere.get_by_label("Recovery code").fill(code.lower())
    elsewhere.get_by_label("New password").fill("dampflok")
    elsewhere.get_by_role("button", name="Set new password").click()
    assert elsewhere.locator("#recovery-code").inner_text() != code
    expect(elsewhere.get_by_role("link", name=name)).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
