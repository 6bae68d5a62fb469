"""Every picture that a page asks for is there: those in its text, and those that its scripts fetch at a click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from litestar.testing import TestClient

from ostbahn.kits.catalogue import CATALOGUE
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.web.services import Services, create_services
from tests.golden.games import GOLDEN, USUAL, golden_game
from tests.lengths import others_in_soak
from tests.server.postgres import data_of
from tests.server.site import Client, unlimited
from tests.server.tables import now
from tests.static_files import SCRIPTS

CLICKED = {"data-picture": "{}", "data-show-company": "charter/{}"}
"""Attributes of what opens a picture at a click, and the picture in the gallery."""
FETCHED = ("tiles",)
"""Pictures that scripts put into the page by themselves."""


@pytest.fixture
def inside(url: str) -> Services:
    return create_services(url, now, data=data_of(url))


@pytest.fixture
def browser(inside: Services) -> Iterator[Client]:
    with TestClient(unlimited(inside), base_url="http://testserver.local") as browser:
        yield browser


def addresses(page: str, key: str) -> set[str]:
    """The pictures of a page of a table."""
    found = {unescape(address) for address in re.findall(r'\b(?:src|srcset)="([^"]+)"', page)}
    found |= {f"/t/{key}/pictures/{what}" for what in FETCHED}
    for attribute, what in CLICKED.items():
        values = re.findall(rf'\b{attribute}="([^"]+)"', page)
        assert values, f"nothing on the page has {attribute}"
        found |= {f"/t/{key}/pictures/{what.format(unescape(value))}" for value in values}
    return found


def missing(browser: Client, wanted: set[str]) -> dict[str, str]:
    """Those that are not there, and what the server says of them."""
    answers = {address: browser.get(address) for address in sorted(wanted)}
    return {address: answer.text[:200] for address, answer in answers.items() if answer.status_code != 200}


@pytest.mark.parametrize("name", others_in_soak([golden.name for golden in GOLDEN], USUAL))
def test_every_picture_of_a_table_and_of_a_planning_board_is_there(
    inside: Services, browser: Client, name: str
) -> None:
    game = golden_game(name)
    table = NewTable(
        title=game.setup.title,
        variant=game.setup.variant,
        seats=tuple(NewSeat(player, "here") for player in game.setup.players),
        ask_all=True,
    )
    key = inside.game_service.create_game(table, game.position(len(game) // 2)).key
    board = browser.post(f"/api/t/{key}/plans", json={}).json()["key"]
    for where in (key, board):
        page = browser.get(f"/t/{where}").text
        assert missing(browser, addresses(page, where)) == {}


def test_every_picture_of_the_other_pages_is_there(browser: Client) -> None:
    titles = dict.fromkeys(entry.title for entry in CATALOGUE)
    for path in ("/", "/new", "/lobby", "/login", "/import", *(f"/rules/{title}" for title in titles)):
        page = browser.get(path).text
        found = {unescape(address) for address in re.findall(r'\b(?:src|srcset)="([^"]+)"', page)}
        assert missing(browser, found) == {}, path


def test_scripts_ask_for_no_other_pictures_of_a_table() -> None:
    """What they put together is what the tests above follow; another way to ask needs a line there."""
    scripts = [path.read_text() for path in SCRIPTS.values()]
    asked = {what for script in scripts for what in re.findall(r"viewer\.(?:show|inline)\(([^;]*)\);", script)}
    assert asked == {
        "`charter/${shown.dataset.showCompany}`, shown.title || shown.dataset.showCompany",
        '".tiles-left", "tiles"',
    }


def test_the_legend_explains_the_signs_of_its_own_map(browser: Client) -> None:
    """Each variant has its own: a lake and mines are in 18Mag alone, and Moravia-Silesia has no river to pay for."""
    told = {}
    for entry in CATALOGUE:
        answer = browser.get(f"/pictures/{entry.title}/{entry.variant}/light/legend")
        assert answer.status_code == 200, answer.text
        told[entry.title, entry.variant] = re.findall(r"<desc>(.*?)</desc>", answer.text)[0]
    assert all("City:" in words and "Town:" in words for words in told.values())
    assert {way for way, words in told.items() if "Lake:" in words} == {way for way in told if way[0] == "18Mag"}
    assert {way for way, words in told.items() if "Mine:" in words} == {("18Mag", "base")}
    assert {way for way, words in told.items() if "Purple edge:" in words} == {way for way in told if way[0] == "18CZ"}
    assert "River: The first tile here costs 10 K." in told["18CZ", "base"]
    assert "River" not in told["18CZ", "moravia"]
