"""All ways of answering: on the board, in the palette, with routes, by keys; and what is told before."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Route, expect

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.telling.consequences import consequences
from ostbahn.titles.cz.actions import BuyTrain
from ostbahn.titles.mag.actions import PlaceStation
from tests.server.browser.looking import click_hex, confirm, drawing
from tests.server.browser.player import Player, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import Visits


def earns(game: Game, question: Question) -> bool:
    """Whether a train has somewhere to go."""
    return any(len(run.path) > 1 for run in getattr(question.options[0].action, "runs", ()))


def begins_a_phase(game: Game, question: Question) -> bool:
    return any(
        "phase" in each.text
        for option in question
        if isinstance(option.action, BuyTrain) and option.span is None
        for each in consequences(game, option.action)
    )


# Track


def turnable(page: Page) -> str:
    """A highlighted hex on which a tile can be laid in several ways."""
    for chip in page.locator("#answers .chip").all():
        if int(chip.locator("small").inner_text()) > 2:
            return chip.get_attribute("data-hex") or ""
    raise AssertionError("every tile fits in one way only")


def test_a_tile_is_laid_by_clicks_on_the_board(running: Running, visits: Visits) -> None:
    game = moment("18CZ", "lay_track", lambda game, question: len(question.options) > 20)
    page = visits.person(running.table(game))
    hex_id = turnable(page)
    assert page.locator("polygon.hint-can").count() == page.locator("#answers .chip").count()
    before = drawing(page, hex_id)
    click_hex(page, hex_id)
    palette = page.locator("#palette")
    expect(palette).to_be_visible()
    ghost = page.locator(".ghost image")
    shown = ghost.get_attribute("href") or ""
    palette.get_by_role("button", name="Turn right (R)").click()
    expect(ghost).not_to_have_attribute("href", shown)
    turned = re.search(r"/tile/(\w+)/(\d)", ghost.get_attribute("href") or "")
    assert turned
    palette.get_by_role("button", name="Lay this tile").click()
    page.wait_for_function(
        "([hex, before]) => document.getElementById(`hex-${hex}`).innerHTML !== before", arg=[hex_id, before]
    )
    expect(page.locator(f"#hex-{hex_id} > title")).to_contain_text(f"tile {turned[1]}")
    expect(page.locator("#panel-log .line p", has_text=f"on {hex_id}").first).to_be_visible()
    expect(palette).to_be_hidden()
    assert page.locator(".ghost").count() == 0


def test_the_palette_looks_the_same_on_either_side(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    looks = set()
    for side in ("left", "right"):
        page.locator("#palette").evaluate(
            "(palette, left) => palette.classList.toggle('palette-left', left)", side == "left"
        )
        looks.add(
            page.locator("#palette").evaluate(
                "palette => getComputedStyle(palette).opacity + getComputedStyle(palette).fontSize"
            )
        )
    assert len(looks) == 1


def test_a_hex_without_an_answer_says_why(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    offered = {chip.get_attribute("data-hex") for chip in page.locator("#answers .chip").all()}
    hex_id = next(each for each in ("G11", "E13", "C9", "H14", "D20") if each not in offered)
    click_hex(page, hex_id)
    expect(page.locator("#confirm")).to_contain_text("Why not here?")
    expect(page.locator("#confirm li")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()


# Stations


def cities_for(question: Question) -> list[str]:
    """Where a station may be placed."""
    return [option.action.city for option in question if isinstance(option.action, PlaceStation)]


def test_a_station_is_placed_by_a_click_on_its_city(running: Running, visits: Visits) -> None:
    game = moment("18Mag", "establish_station", lambda game, question: len(cities_for(question)) > 1)
    assert game.question is not None
    city = cities_for(game.question)[-1]
    page = visits.person(running.table(game))
    hex_id = city.split(".")[0]
    where = json.loads(page.locator("#city-data").inner_text())[hex_id]
    point = next(each for each in where if each["id"] == city)
    before = drawing(page, hex_id)
    click_hex(page, hex_id, point["x"], point["y"])
    expect(page.locator("#confirm .words")).to_contain_text(hex_id)
    confirm(page)
    assert drawing(page, hex_id) != before


# Routes


def test_a_worse_run_is_refused_with_the_rule_and_the_best_one_comes_back(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "operate_trains", earns)))
    assert page.locator("#board .layer-routes path, #board .layer-routes polyline, #board .layer-routes line").count()
    total = page.locator(".routes-sum").inner_text()
    assert "highest revenue" in total
    page.get_by_role("button", name=re.compile("^Clear the route of")).first.click()
    refused = page.locator(".routes-sum.refused")
    expect(refused).to_contain_text("(")
    reason = refused.inner_text()
    before = version(page)
    page.get_by_role("button", name="Run", exact=True).click()
    box = page.locator("#confirm")
    expect(box.locator(".words")).to_be_visible()
    assert box.locator(".words").inner_text() in reason
    expect(box.locator("li.grave")).to_contain_text("VIII.8/6: A company has to claim the best revenue possible")
    expect(page.locator("#confirm-yes")).to_have_count(0)
    assert version(page) == before
    box.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Best run").click()
    expect(page.locator(".routes-sum")).to_have_text(total)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)


def test_a_route_is_built_on_the_board(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "operate_trains", earns)))
    field = page.get_by_role("textbox", name=re.compile("^Route of")).first
    path = field.input_value().split()
    page.get_by_role("button", name=re.compile("^Clear the route of")).first.click()
    expect(field).to_have_value("")
    cities = json.loads(page.locator("#city-data").inner_text())
    for number, place in enumerate(path, start=1):
        hex_id = place.split(".")[0]
        point = next((each for each in cities.get(hex_id, ()) if each["id"] == place), {"x": 0, "y": 0})
        click_hex(page, hex_id, point["x"], point["y"])
        expect(field).to_have_value(" ".join(path[:number]))
    expect(page.locator(".routes-sum")).to_contain_text("highest revenue")


# What is told before


def test_a_dividend_tells_the_price_before_it_is_confirmed(running: Running, visits: Visits) -> None:
    game = moment("18CZ", "use_income", lambda game, question: len(question) == 2)  # paying out or not, and no more
    page = visits.person(running.table(game))
    told = page.locator("#answers .answer small")
    expect(told).to_have_count(2)
    before, after = re.findall(r"\d+", told.first.inner_text())[:2]
    assert before != after
    mark = page.locator("#panel-question h2").inner_text().split()[0]
    page.locator("#answers .answer").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    confirm(page)
    price = page.locator("#panel-companies tr", has=page.locator("th", has_text=mark)).first
    expect(price).to_contain_text(after)


def test_a_train_that_begins_a_phase_says_so_before_it_is_bought(running: Running, visits: Visits) -> None:
    game = moment("18CZ", "purchase_trains", begins_a_phase)
    page = visits.person(running.table(game))
    phase = page.locator("#panel-head .phase").inner_text()
    page.get_by_role("button", name=re.compile("^buy", re.IGNORECASE)).first.click()
    expect(page.locator("#confirm")).to_contain_text(re.compile(r"phase . begins"))
    expect(page.locator("#panel-head .phase")).to_have_text(phase)
    confirm(page)
    expect(page.locator("#panel-head .phase")).not_to_have_text(phase)


# Taking back


def test_ones_own_last_move_is_taken_back(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track", lambda game, question: len(game) > 60)))
    digest, number = running.digest(page.url), page.locator("#table").get_attribute("data-number") or ""
    Player(page, seed=1, idle=0).step()
    assert running.digest(page.url) != digest
    page.get_by_role("button", name="Take back my last move").click()
    expect(page.locator("#table")).to_have_attribute("data-number", number)
    assert running.digest(page.url) == digest


# Keys


def test_an_answer_is_chosen_and_confirmed_by_keys_alone(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "use_income")))
    before = version(page)
    page.keyboard.press("j")
    for _ in range(6):
        if page.evaluate("document.activeElement.matches('#answers .answer')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#answers .answer')")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm-yes")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm-yes")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)
    assert page.evaluate("document.activeElement !== document.body")


def test_a_tile_is_laid_by_keys_alone(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    before = version(page)
    page.keyboard.press("b")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)


def test_p_passes(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    before = version(page)
    page.keyboard.press("p")
    page.locator("#confirm-yes").or_(page.locator(f"#table:not([data-version='{before}'])")).first.wait_for()
    if version(page) == before:
        page.keyboard.press("Enter")
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)
    expect(page.locator("#panel-log .line", has_text="pass").first).to_be_visible()


def test_a_click_while_news_is_being_fetched_is_not_lost(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "use_income")))
    before = version(page)
    page.locator("#answers .answer").first.click()
    expect(page.locator("#confirm-yes")).to_be_visible()
    held: list[Route] = []
    page.route("**/update", lambda route: held.append(route))
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Message", exact=True).fill("a moment")
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    page.locator("#confirm-yes").click()
    expect(page.locator("#table")).to_have_class("busy")
    for route in held:
        route.continue_()
    page.unroute("**/update")
    page.wait_for_function("before => document.getElementById('table').dataset.version !== before", arg=before)
