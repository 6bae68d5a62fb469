"""An account from its first day to its last, as somebody sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.browser.running import Running
from tests.server.browser.test_accessibility import check
from tests.server.browser.test_people import sideways
from tests.server.browser.visits import PHONE, Visits
from tests.server.endings import ending, person
from tests.server.tables import NAMES

NAME = "Leopoldine"
DARK: dict[str, Any] = PHONE | {"color_scheme": "dark"}


def looked_at(page: Page) -> None:
    check(page)
    assert sideways(page) <= 0


@pytest.fixture
def registered(running: Running, visits: Visits) -> Page:
    page = visits.person(f"{running.address}login", **DARK)
    page.get_by_label("Name").last.fill(NAME)
    page.get_by_label("Password").last.fill("eisenbahn")
    page.get_by_role("button", name="Create an account").click()
    page.get_by_role("link", name="I have written it down").click()
    page.wait_for_url(running.address)
    return page


def test_an_account_from_its_first_game_to_its_end(
    running: Running, visits: Visits, registered: Page, tmp_path: Path
) -> None:
    page, services = registered, running.services
    table = ending(services.game_service)
    services.my_games.keep(person(services.people, NAMES[3]), table.seats["p2"])

    # a game to its end
    page.goto(running.link(table.seats["p1"]))
    page.get_by_label("Your name").fill(NAME)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#panel-players")).to_contain_text(NAME)
    table.finish()
    page.reload()
    expect(page.locator("#panel-result")).to_be_visible()

    # the profile
    page.goto(f"{running.address}account")
    looked_at(page)
    page.get_by_label("everybody").check()
    page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_role("status")).to_have_text("Your choice is kept.")
    page.get_by_role("link", name="your profile").first.click()
    expect(page.get_by_role("heading", name="Past games")).to_be_visible()
    expect(page.locator(".past-game .mine")).to_contain_text(NAME)
    looked_at(page)
    stranger = visits.person(page.url)
    expect(stranger.get_by_role("heading", name=NAME, exact=True)).to_be_visible()

    # another browser, which is logged out with a new password
    stranger.goto(f"{running.address}login")
    stranger.get_by_label("Name").first.fill(NAME)
    stranger.get_by_label("Password").first.fill("eisenbahn")
    stranger.get_by_role("button", name="Log in").click()
    expect(stranger.get_by_role("link", name=NAME, exact=True)).to_be_visible()
    page.goto(f"{running.address}account")
    expect(page.locator(".browsers li")).to_have_count(2)
    page.get_by_label("Old password").fill("eisenbahn")
    page.get_by_label("New password").fill("dampflok")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status")).to_have_text("Your new password is set.")
    expect(page.locator(".browsers li")).to_have_count(1)
    stranger.reload()
    expect(stranger.get_by_role("link", name="Log in", exact=True)).to_be_visible()

    # leaving
    page.locator("#export-password").fill("dampflok")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").click()
    download.value.save_as(tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text("utf-8"))["account"]["name"] == NAME
    page.get_by_text("Delete this account").click()
    looked_at(page)
    page.locator("#delete-password").fill("dampflok")
    page.get_by_label("Type delete if you are sure").fill("delete")
    page.get_by_role("button", name="Delete my account").click()
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    page.goto(running.link(table.seats["p1"]))
    expect(page.locator("#panel-players")).to_contain_text("Somebody")
    assert NAME not in page.content()
