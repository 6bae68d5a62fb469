"""The map is the instrument: tiles are chosen, turned and laid at the hex, and everything on it can be read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ostbahn.kernel.game import Game
from tests.server.browser.kinds import Kind, every_kind
from tests.server.browser.looking import FETCHED, answering, click_hex, drawing, place_of, settled
from tests.server.browser.player import version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import LAPTOP, PHONE, SCREEN, TABLET, Visits

Box = dict[str, float]
GHOST = ".layer-ghost .ghost[data-tile]"
desktops = pytest.mark.parametrize("screen", [LAPTOP, SCREEN], ids=["1440x900", "1920x1080"])
handhelds = pytest.mark.parametrize("screen", [TABLET, PHONE], ids=["820x1180", "390x844"])


def much_track(title: str) -> Game:
    """Late in a game, with tiles for many hexes."""
    return every_kind()[Kind(title, "base", "lay_track")]


def lays(page: Page) -> dict[str, dict[str, list[int]]]:
    """How each tile may be turned, hex by hex, in the order in which the page has them."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for answer in json.loads(page.locator("#question-data").inner_text())["answers"]:
        if answer.get("tile"):
            turns = found[answer["place"]][answer["tile"]]
            turns.extend({answer["action"]["rotation"]} - set(turns))
    return found


def turnable(page: Page) -> str:
    """A hex whose first tile can be laid in several ways."""
    return next(hex_id for hex_id, tiles in lays(page).items() if len(next(iter(tiles.values()))) > 1)


def box(page: Page, what: str) -> Box:
    found = page.locator(what).bounding_box()
    assert found is not None
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def hex_box(page: Page, hex_id: str) -> Box:
    found: Box = page.locator(f"#hex-{hex_id} > polygon").first.evaluate(
        "hex => { const {x, y, width, height} = hex.getBoundingClientRect(); return {x, y, width, height} }"
    )
    return found


def within(inner: Box, outer: Box) -> bool:
    return (
        inner["x"] >= outer["x"] - 1
        and inner["y"] >= outer["y"] - 1
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    )


def gap(one: Box, other: Box) -> float:
    """How many pixels are between two boxes; less than nothing if they overlap."""
    across = max(one["x"] - other["x"] - other["width"], other["x"] - one["x"] - one["width"])
    down = max(one["y"] - other["y"] - other["height"], other["y"] - one["y"] - one["height"])
    return max(across, down)


def outermost(page: Page) -> list[str]:
    """Hexes at the rims of what is offered, where there is least room beside them, and one amidst."""
    at = {hex_id: place_of(page, hex_id) for hex_id in lays(page)}
    assert len(at) > 10
    order = [sorted(at, key=lambda hex_id: at[hex_id][axis]) for axis in (0, 1)]
    return list(dict.fromkeys(found for hexes in order for found in (hexes[0], hexes[-1], hexes[len(hexes) // 2])))


# With a mouse


@desktops
def test_the_tiles_stand_at_the_hex_and_within_the_map(
    running: Running, visits: Visits, screen: dict[str, Any]
) -> None:
    page = visits.person(running.table(much_track("18Mag")), **screen)
    page.wait_for_function(FETCHED, arg="/gains")
    settled(page)
    board, palette = box(page, "#board"), page.locator("#palette")
    before = version(page)
    for hex_id in outermost(page):
        click_hex(page, hex_id)
        expect(palette).to_be_visible()
        stands, hex_ = box(page, "#palette"), hex_box(page, hex_id)
        assert within(stands, board), hex_id
        assert -1 < gap(stands, hex_) < 40, f"{hex_id} is covered, or far away"
        expect(page.locator(".palette-tile")).to_have_count(len(lays(page)[hex_id]))
        page.keyboard.press("Escape")
        expect(palette).to_be_hidden()
    assert version(page) == before


def test_a_click_on_the_hex_turns_and_the_sign_lays(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track", lambda _, question: len(question.options) > 20)))
    hex_id = turnable(page)
    tile, turns = next(iter(lays(page)[hex_id].items()))
    assert page.locator("polygon.hint-can").count() == page.locator("#answers .chip").count()
    before = drawing(page, hex_id)
    click_hex(page, hex_id)
    told = page.locator(".palette-turns")
    expect(told).to_have_text(f"1 of {len(turns)}")
    ghost = page.locator(GHOST)
    first = ghost.get_attribute("data-rotation") or ""
    click_hex(page, hex_id)
    expect(told).to_have_text(f"2 of {len(turns)}")
    expect(ghost).not_to_have_attribute("data-rotation", first)
    with answering(page):
        page.locator(".ghost-lay circle").click(force=True)
    assert drawing(page, hex_id) != before
    expect(page.locator(f"#hex-{hex_id} > title")).to_contain_text(f"tile {tile}")
    expect(page.locator("#panel-log .line[data-kind=lay_tile]").first).to_be_visible()
    expect(page.locator("#palette")).to_be_hidden()
    expect(ghost).to_have_count(0)
    expect(page.locator(".toast")).to_be_visible()


def test_each_tile_tells_its_cost_and_what_the_best_run_gains(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(much_track("18Mag")))
    gains = page.locator(".hexes .chip .gain:not(:empty)")
    expect(gains.first).to_have_text(re.compile(r"^\+\d+$"))
    amounts = [int(each) for each in gains.all_inner_texts()]
    assert amounts == sorted(amounts, reverse=True), "the best places come first"
    page.locator("#answers .chip").first.click()
    expect(page.locator(".palette-gain").first).to_have_text(re.compile(r"^\+\d+"))
    for cost in page.locator(".palette-cost").all_inner_texts():
        assert re.fullmatch(r"free|costs \d+", cost)
    shown = [re.findall(r"\d+", gain)[0] for gain in page.locator(".palette-gain").all_inner_texts()]
    assert str(amounts[0]) in shown


def test_the_ghost_hides_no_station(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(much_track("18Mag")))
    told = {hex_id: page.locator(f"#hex-{hex_id} > title").text_content() or "" for hex_id in lays(page)}
    hex_id = next(hex_id for hex_id, words in told.items() if "stations:" in words)
    stations = re.findall(r"stations: ([^;]*)", told[hex_id])[0].split(", ")
    written = page.locator(f"#hex-{hex_id} text").all_text_contents()
    shown = {text for text in written if any(station.startswith(text) for station in stations)}
    assert shown
    click_hex(page, hex_id)
    for tile in lays(page)[hex_id]:
        expect(page.locator(f".palette-tile[data-tile='{tile}']")).to_have_attribute("aria-checked", "true")
        expect(page.locator(GHOST)).to_have_attribute("data-tile", tile)
        assert shown <= set(page.locator(f"{GHOST} text").all_text_contents())
        page.keyboard.press("ArrowRight")


def test_a_hex_without_an_answer_says_why(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    offered = set(lays(page))
    hex_id = next(each for each in ("G11", "E13", "C9", "H14", "D20") if each not in offered)
    click_hex(page, hex_id)
    expect(page.locator("#confirm")).to_contain_text("Why not here?")
    expect(page.locator("#confirm li")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()


# With keys


def test_a_tile_is_laid_by_keys_alone(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    page.keyboard.press("b")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_visible()
    ways = page.locator(".palette-turns").text_content() or ""
    page.keyboard.press("r")
    expect(page.locator(".palette-turns")).to_have_text(ways.replace("1 of", "2 of") if ways != "1 of 1" else ways)
    with answering(page):
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement !== document.body"), "whoever works by keys goes on from here"


# With a finger


@handhelds
def test_the_hex_stays_in_view_above_the_sheet_and_nothing_is_laid_blind(
    running: Running, visits: Visits, screen: dict[str, Any]
) -> None:
    page = visits.person(running.table(much_track("18CZ")), **screen)
    page.wait_for_function(FETCHED, arg="/gains")
    settled(page)
    board, before = box(page, "#board"), version(page)
    window = {"x": 0, "y": 0, **screen["viewport"]}
    for hex_id in outermost(page)[:4]:
        page.get_by_role("button", name="Whole map").tap()
        settled(page)
        page.touchscreen.tap(*place_of(page, hex_id))
        expect(page.locator("#palette")).to_be_visible()
        settled(page)
        sheet, hex_ = box(page, "#palette"), hex_box(page, hex_id)
        assert within(sheet, window)
        assert within(hex_, board), f"{hex_id} is out of view"
        assert hex_["y"] + hex_["height"] <= sheet["y"] + 1, f"{hex_id} lies under the sheet"
        for name in ("Lay this tile", "Cancel"):
            expect(page.locator("#palette").get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        assert version(page) == before
        page.locator(".palette-cancel").tap()
        settled(page)
    page.touchscreen.tap(*place_of(page, hex_id))
    with answering(page):
        page.locator(".palette-confirm").tap()


# What can be read


SMALL = """least => [...document.querySelectorAll("#board svg text")]
  .filter(text => text.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && text.textContent.trim())
  .map(text => {
    const {a, b} = text.getScreenCTM();
    return [text.textContent, parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b)];
  }).filter(([, pixels]) => pixels < least)"""


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_everything_written_on_the_map_can_be_read(running: Running, visits: Visits, title: str) -> None:
    """Measured as it is on the screen, in an operating round."""
    page = visits.person(running.table(much_track(title)), **LAPTOP)
    settled(page)
    assert page.locator("#board svg text").count() > 80
    assert page.evaluate(SMALL, 10) == []


def test_a_company_that_is_pointed_at_lights_its_network(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(much_track("18CZ")))
    lit = page.locator(".layer-network > *")
    expect(lit).to_have_count(0)
    page.locator(".order-companies .now button").hover()
    expect(lit).not_to_have_count(0)
    page.mouse.move(400, 400)
    expect(lit).to_have_count(0)
