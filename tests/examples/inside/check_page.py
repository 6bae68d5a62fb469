"""The title in the browser: from the form of a new game to the end, by clicks."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from ostbahn.interop import saves
from ostbahn.server.db.database import sqlite_url_in
from tests.server.browser.conftest import browser, running, visits
from tests.server.browser.player import Player, begin
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits
from tests.server.site import client, words

__all__ = ["browser", "running", "visits"]


def test_it_is_on_the_page_of_a_new_game_and_its_rules_can_be_read(tmp_path: Path) -> None:
    with client(sqlite_url_in(tmp_path)) as visitor:
        new = visitor.get("/new")
        assert 'value="18Wee/base"' in new.text
        assert "A little island" in words(new)
        assert "no track into the sea" in words(visitor.get("/rules/18Wee"))


def test_somebody_and_a_bot_play_to_the_end(running: Running, visits: Visits, tmp_path: Path) -> None:
    page = visits.person(running.address)
    address = begin(page, "18Wee/base", ["here", "G"])
    player = Player(page, 4, idle=0.3)
    assert player.play() > 20
    assert set(player.kinds) == {"stock_round", "lay_track", "operate_trains", "use_income", "purchase_trains"}
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    result = page.locator("#panel-result")
    expect(result.get_by_role("row")).to_have_count(3)
    with page.expect_download() as download:
        page.locator("#panel-question").get_by_role("link", name="Download the save").click()
    download.value.save_as(tmp_path / "save.json")
    game = saves.read(tmp_path / "save.json")
    assert game.over
    assert game.state.digest == running.digest(address)
