"""Answering: a click acts and a note takes it back; what is grave is asked first; keys do all that clicks do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.text.speech import consequences
from ostbahn.titles.cz.actions import BuyTrain
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.views.question import question_view
from tests.server.browser.kinds import Kind, every_kind
from tests.server.browser.looking import answering, click_hex, confirm, drawing, some
from tests.server.browser.player import Player, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import DESKTOP, PHONE, Visits


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
    with answering(page):
        click_hex(page, hex_id, point["x"], point["y"])
    assert drawing(page, hex_id) != before
    expect(page.locator(".toast")).to_contain_text("station")


# Routes


def test_a_worse_run_is_refused_with_the_rule_and_the_best_one_comes_back(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "operate_trains", earns)))
    drawn = page.locator("#board .layer-routes path, #board .layer-routes polyline, #board .layer-routes line")
    expect(drawn).not_to_have_count(0)
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
    with answering(page):
        page.get_by_role("button", name="Run", exact=True).click()


def test_a_route_is_built_on_the_board(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "operate_trains", earns)))
    field = page.locator(".routes-tools input").first
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


# What is told before, and what is asked


def test_the_income_tells_what_becomes_of_it_and_a_click_acts(running: Running, visits: Visits) -> None:
    game = moment("18CZ", "use_income", lambda game, question: len(question) == 2)  # paying out or not, and no more
    page = visits.person(running.table(game))
    answers = page.locator("#answers .answer")
    expect(answers).to_have_count(2)
    expect(answers.first).to_contain_text(re.compile(r"\+\d+"))
    before, after = re.findall(r"price (\d+) → (\d+)", answers.first.inner_text())[0]
    assert before != after
    company = page.locator(".mat").get_attribute("data-company-card")
    with answering(page):
        answers.first.click()
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator(".toast")).to_contain_text("Paid out")
    expect(page.locator(f"#panel-companies [data-company-card={company}] .price")).to_contain_text(after)


def test_what_begins_a_phase_is_asked_first(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "purchase_trains", begins_a_phase)))
    phase, before = page.locator("#panel-head .phase").inner_text(), version(page)
    buy = page.locator("#answers").get_by_role("button", name=re.compile("^buy", re.IGNORECASE)).first
    buy.click()
    box = page.locator("#confirm")
    expect(box.locator("li.grave")).to_contain_text([re.compile("phase")])
    expect(page.locator("#confirm-yes")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(buy).to_be_focused()
    assert version(page) == before
    expect(page.locator("#panel-head .phase")).to_have_text(phase)
    buy.click()
    confirm(page)
    expect(page.locator("#panel-head .phase")).not_to_have_text(phase)


def test_trains_that_are_alike_are_one_choice(running: Running, visits: Visits) -> None:
    """Cards with another letter can become other trains, so these are told apart."""
    game = every_kind()[Kind("18CZ", "base", "return_trains")]
    view = question_view(game)
    assert view is not None
    kinds = {(answer.words, answer.remark) for answer in view.answers if not answer.aside}
    assert 1 < len(kinds) < len([answer for answer in view.answers if not answer.aside])
    page = visits.person(running.table(game))
    shown = page.locator("#answers > fieldset .answer")
    expect(shown).to_have_count(len(kinds))
    told = [f"{words}{remark}" for words, remark in sorted(kinds)]
    assert sorted(re.sub(r"\s+", "", text) for text in shown.all_text_contents()) == [
        re.sub(r"\s+", "", text) for text in told
    ]


@pytest.mark.parametrize("kind", ["lay_track", "use_income", "operate_trains"])
def test_what_is_seldom_wanted_is_in_the_drawer(running: Running, visits: Visits, kind: str) -> None:
    game = every_kind()[Kind("18CZ", "bohemia", kind)]
    view = question_view(game)
    assert view is not None
    asides = [answer for answer in view.answers if answer.aside]
    assert asides
    page = visits.person(running.table(game))
    drawer = page.locator("#answers details.also")
    expect(drawer.locator("summary")).to_have_text(f"Also possible {len(asides)}")
    inside = drawer.locator(".drawer")
    expect(inside).to_be_hidden()
    main = [answer for answer in view.answers if not answer.aside and answer.kind not in ("pass", "run_trains")]
    tiles = [answer for answer in main if answer.tile]
    wanted = {answer.group for answer in main if not answer.tile} | {answer.group for answer in tiles[:1]}
    shown = page.locator("#answers fieldset:visible legend").all_text_contents()
    assert set(shown) == wanted, "main answers are never folded away, and nothing else is in the way"
    chips = page.locator("#answers > fieldset .chip")
    expect(chips).to_have_count(len({answer.place for answer in tiles}))  # each hex once, whatever is laid there
    drawer.locator("summary").click()
    expect(inside).to_be_visible()
    assert set(inside.locator("legend").all_text_contents()) == {answer.group for answer in asides}


# Taking back


def test_a_note_takes_ones_last_move_back(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track", lambda game, question: len(game) > 60)))
    digest, number = running.digest(page.url), page.locator("#table").get_attribute("data-number") or ""
    ways: tuple[Callable[[], None], ...] = (
        lambda: page.locator(".toast").get_by_role("button", name="Undo").click(),
        lambda: page.locator("#undo").click(),
        lambda: page.keyboard.press("u"),
    )
    for take_back in ways:
        Player(page, seed=1, idle=0).step()
        assert running.digest(page.url) != digest
        take_back()
        expect(page.locator("#table")).to_have_attribute("data-number", number)
        assert running.digest(page.url) == digest


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_note_lies_over_nothing_that_is_decided(running: Running, visits: Visits, device: dict[str, Any]) -> None:
    page = visits.person(running.table(moment("18Mag", "operate_trains", earns)), **device)
    with answering(page):
        page.locator("#route-editor .run").click()
    note, desk = page.locator(".toast").bounding_box(), page.locator(".desk").bounding_box()
    assert note is not None
    assert desk is not None
    assert note["y"] >= desk["y"] + desk["height"] - 1
    assert note["y"] + note["height"] <= device["viewport"]["height"]


# Keys, and where they go


def test_an_answer_is_given_by_keys_alone_and_the_focus_stays_with_the_question(
    running: Running, visits: Visits
) -> None:
    page = visits.person(running.table(moment("18CZ", "use_income")))
    page.keyboard.press("j")
    for _ in range(6):
        if page.evaluate("document.activeElement.matches('#answers .answer')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#answers .answer')")
    with answering(page):
        page.keyboard.press("Enter")
    assert page.evaluate(WHERE_FOCUS) == "panel-question"
    with answering(page):
        page.keyboard.press("p")
    assert page.evaluate(WHERE_FOCUS) == "panel-question"


WHERE_FOCUS = "document.activeElement.closest('section, [role=tabpanel], dialog')?.id ?? document.activeElement.tagName"


def test_p_passes(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track")))
    line = page.locator("#panel-log .line[data-number]").first
    before = line.get_attribute("data-number") or "0"
    with answering(page):
        page.keyboard.press("p")
    passed = page.locator(f"#panel-log .line[data-number='{int(before) + 1}']")
    expect(passed).to_have_attribute("data-kind", "pass")


def test_the_log_stays_where_somebody_reads(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "lay_track", lambda game, question: len(game) > 60)))
    pane = page.locator("#pane-log")
    pane.evaluate("pane => pane.scrollTop = 200")
    read = pane.evaluate(READ_AT_TOP)
    with answering(page):
        page.keyboard.press("p")
    expect(pane.locator(f".line[data-number='{number(page)}']")).to_have_count(1)
    assert pane.evaluate(READ_AT_TOP) == read


def number(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-number") or "")


READ_AT_TOP = """pane => [...pane.querySelectorAll(".line[data-number]")]
  .find(line => line.getBoundingClientRect().top >= pane.getBoundingClientRect().top)?.dataset.number"""


def test_a_click_while_news_is_being_fetched_is_not_lost(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(moment("18CZ", "use_income")))
    held: list[Route] = []
    page.route("**/update", lambda route: held.append(route))
    say(page, "a moment")
    some(held, page)
    with answering(page):
        page.locator("#answers .answer").first.click()
        expect(page.locator("#table")).to_have_class("busy")
        for route in held:
            route.continue_()
        page.unroute("**/update")


def say(page: Page, words: str) -> None:
    page.get_by_role("tab", name="Chat").click()
    field = page.get_by_label("Message", exact=True)
    field.fill(words)
    field.press("Enter")
    expect(field).to_have_value("")


# Hints


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_hint_says_what_to_do_why_and_what_else_there_is(
    running: Running, visits: Visits, screen: dict[str, Any]
) -> None:
    page = visits.person(running.table(moment("18CZ", "stock_round")), **screen)
    page.keyboard.press("h")
    box = page.locator("#confirm")
    expect(page.locator("#confirm-words")).to_contain_text("N would")
    expect(box.locator("li", has_text="You end with about")).to_have_count(1)
    others = box.locator("li", has_text=re.compile("^Or .+: "))
    expect(page.locator("#confirm-yes")).to_be_visible()
    assert 1 <= others.count() <= 2
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight"), "all of it is in sight"
    before = version(page)
    with answering(page):
        page.locator("#confirm-yes").click()
    assert version(page) != before
