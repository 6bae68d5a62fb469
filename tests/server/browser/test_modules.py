"""18Mag with modules of its expansion, by clicks: chosen in the form, drafted from cards, used in turns."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from tests.server.browser.kinds import GOLDEN
from tests.server.browser.looking import click_hex
from tests.server.browser.player import Player, begin, round_name
from tests.server.browser.running import Running
from tests.server.browser.visits import PHONE, Visits

ALL = ("standard_divs", "new_minors_challenge", "new_major", "supporters")
"""All that can be played together."""
SIMPLE = "18Mag-base-3-new_minors_simple-new_major-supporters"


def offering(*kinds: str) -> Game:
    """The first moment of a golden game at which all these kinds of answers are offered."""
    game = saves.read(GOLDEN / f"{SIMPLE}.json")
    for moment in map(game.position, range(len(game))):
        options = moment.question.options if moment.question else []
        if set(kinds) <= {option.action.__struct_config__.tag for option in options}:
            return moment
    raise AssertionError(f"{', '.join(kinds)} are never offered together")


def test_a_module_that_excludes_another_bars_it_in_the_form(running: Running, visits: Visits) -> None:
    page = visits.person(f"{running.address}new?game=18Mag/base")
    challenge, simple, supporters = (
        page.locator(f"input[name='module.{module}']")
        for module in ("new_minors_challenge", "new_minors_simple", "supporters")
    )
    simple.click()
    expect(challenge).to_be_disabled()
    expect(page.locator("#about-new_minors_challenge")).to_contain_text("Not together with Simple new minors.")
    simple.click()
    expect(challenge).to_be_enabled()
    page.locator("#rulings summary").click()
    expect(page.locator("#ruling-sina_fresh_tile")).to_have_count(0)
    supporters.click()
    expect(page.locator("#ruling-sina_fresh_tile")).to_be_visible()


def test_three_at_one_screen_draft_with_all_modules(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    begin(page, "18Mag/base", ["here"] * 3, modules=ALL)
    expect(page.locator("#panel-head .modules")).to_have_text("+ 4 modules")
    expect(page.locator("#panel-log")).to_contain_text("with standard dividends, challenging new minors, new major")
    card = page.locator("[data-item=KK]")
    expect(card).to_contain_text("one train from its stack for less (2 for 70, 3 for 105, 4 for 180, 6 for 290 Ft)")
    card.get_by_role("button", name="Draft").click()
    expect(page.locator("#panel-players .papers", has_text="Kandó")).to_have_count(1)
    player = Player(page, seed=3)
    while round_name(page).startswith("First"):
        assert player.step()
    for papers in page.locator("#panel-players .papers").all_inner_texts():
        taken = [paper.isdecimal() for paper in papers.split(" · ")]
        assert (taken.count(True), taken.count(False)) == (5, 2), "five minors and two supporters for everybody"


def test_a_station_by_the_ddsg_stands_beside_the_usual_one(running: Running, visits: Visits) -> None:
    """M.5/7"""
    page = visits.person(running.table(offering("place_by_ddsg", "place_station")))
    groups = page.locator("#answers fieldset legend").all_inner_texts()
    assert [group.casefold() for group in groups] == ["stations", "stations with the ddsg"]
    page.locator("[data-group='Stations with the DDSG'] button").first.click()
    expect(page.locator("#panel-log")).to_contain_text("with the DDSG for 20 Ft")


def test_a_click_on_a_city_asks_which_of_two_ways_is_meant(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(offering("place_by_ddsg", "place_station")))
    place = page.locator("#answers [data-place]").first.get_attribute("data-place") or ""
    click_hex(page, place.split(".")[0])
    expect(page.locator("#confirm")).to_contain_text("In which way?")
    page.locator("#confirm").get_by_role("button", name="DDSG").click()
    expect(page.locator("#panel-log")).to_contain_text("with the DDSG for 20 Ft")


@pytest.mark.parametrize(
    ("kind", "words", "told"),
    [
        ("lay_by_feketehazy", "Feketeházy pays the terrain", "its terrain paid by Feketeházy"),
        ("promote_by_sina", "one more by Sina", "with the card of Sina"),
    ],
)
def test_a_tile_says_with_whose_help_it_is_laid(
    running: Running, visits: Visits, kind: str, words: str, told: str
) -> None:
    """M.5/4, M.5/6"""
    game = offering(kind)
    page = visits.person(running.table(game))
    assert game.question is not None
    hexes = {
        getattr(each.action, "hex", "") for each in game.question.options if each.action.__struct_config__.tag == kind
    }
    page.locator(f"#answers .chip[data-hex='{min(hexes)}']").click()
    expect(page.locator("#palette")).to_be_visible()
    way = page.locator("#palette label", has_text=words).first
    if way.count():
        way.click()
    else:
        expect(page.locator("#palette .palette-words")).to_contain_text(words)
    page.locator(".palette-confirm").click()
    expect(page.locator("#panel-log")).to_contain_text(told)


def test_one_more_town_is_offered_at_the_run_with_what_it_brings(running: Running, visits: Visits) -> None:
    """M.5/8"""
    page = visits.person(running.table(offering("add_town", "run_trains")))
    town = page.locator("[data-group=Supporters] button").first
    expect(town).to_contain_text("best run:")
    town.click()
    expect(page.locator("#panel-log")).to_contain_text("gave a 2-train one more town by Magyar Államvasutak")


def test_on_a_phone_the_draft_has_supporters_too(running: Running, visits: Visits) -> None:
    page = visits.person(running.table(saves.read(GOLDEN / f"{SIMPLE}.json").position(0)), **PHONE)
    page.locator("[data-item=DDSG]").get_by_role("button", name="Draft").tap()
    expect(page.locator("#panel-players .papers", has_text="DDSG")).to_have_count(1)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_whole_game_with_all_modules_by_clicks(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    begin(page, "18Mag/base", ["here"] * 3, modules=ALL)
    Player(page, seed=5, idle=0.4).play()
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
