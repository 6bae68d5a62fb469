"""Nothing is lost: neither when a page is loaded again nor when the server is started again."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.server.browser.looking import open_menu, seen
from tests.server.browser.player import READY, Player, begin, version
from tests.server.browser.running import Running, moment, served
from tests.server.browser.visits import Visits


def test_a_page_that_is_loaded_again_shows_the_same(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "purchase_trains")))
    Player(page, seed=1).play(3)
    before = seen(page)
    page.reload()
    assert seen(page) == before
    Player(page, seed=1).step()


def test_a_page_goes_on_by_itself_when_the_server_is_started_again(visits: Visits, tmp_path: Path) -> None:
    first = Running(tmp_path / "data")
    page = visits.person(first.address)
    begin(page, "18CZ/base", ["here", "R", "here"])
    player = Player(page, seed=3)
    player.play(6)
    page.wait_for_function(READY)  # a bot may have been asked meanwhile
    before, at = seen(page), int(version(page))
    visits.excuse("ERR_")
    first.stop()
    expect(page.locator("#table")).to_have_class("offline")
    page.keyboard.press("u")
    expect(page.locator("#trouble")).to_contain_text("may not have been sent")
    again = Running(tmp_path / "data", first.port)
    try:
        expect(page.locator("#table")).not_to_have_class("offline")
        expect(page.locator("#trouble")).to_be_hidden()
        assert seen(page) == before
        player.play(3)
        assert int(version(page)) >= at + 3
        page.goto(again.address)
        expect(page.locator(".games .game")).to_have_count(1)
    finally:
        visits.close()
        again.stop()


def test_the_command_says_where_it_is_and_serves_a_game(visits: Visits, tmp_path: Path) -> None:
    with served(tmp_path / "data") as address:
        page = visits.person(address)
        begin(page, "18Mag/solo", ["here"])
        assert Player(page, seed=3).play(2) == 2
        visits.close()


def test_notes_are_kept(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18Mag", "stock_round")))
    field = page.get_by_label("Only you can read this.")
    open_menu(page).get_by_role("button", name="My notes").click()
    field.fill("Boris wants LdStEG")
    expect(page.locator("#note-state")).to_have_text("Kept.")
    page.get_by_role("button", name="Close").click()
    expect(field).to_be_hidden()
    page.reload()
    open_menu(page).get_by_role("button", name="My notes").click()
    expect(field).to_be_visible()
    expect(field).to_have_value("Boris wants LdStEG")
