"""Prepared moves by clicks: two people programme a Stock Round."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from ostbahn.kernel.actions import Pass
from ostbahn.table.room import LINK
from ostbahn.titles.cz.actions import BuyShare, StartCompany
from tests.server.browser.running import Running
from tests.server.browser.visits import PHONE, Visits
from tests.server.tables import keys, standing, wanted


def at_the_stock_round(running: Running, visits: Visits) -> tuple[Page, Page]:
    """Anna, who is asked and directs VBW, and Boris, who waits, at a telephone."""
    game_service = running.services.game_service
    host = game_service.create_game(wanted(LINK, LINK, variant="bohemia"))
    links = keys(game_service, host)
    for seat, name in (("p1", "Anna"), ("p2", "Boris")):
        game_service.name_seat(links[seat], seat, name)
    for seat, action in (("p1", Pass()), ("p2", Pass()), ("p1", StartCompany("VBW", 50)), ("p2", BuyShare("VBW"))):
        game_service.answer(game_service.access(links[seat].key), standing(game_service, host)[0], action)
    return visits.person(running.link(links["p1"])), visits.person(running.link(links["p2"]), **PHONE)


def dialog(page: Page) -> Locator:
    page.get_by_role("button", name="Prepare").click()
    found = page.locator("dialog#prepare")
    expect(found.get_by_role("heading", name="Prepare a move")).to_be_visible()
    return found


def kind(shown: Locator, name: str) -> Locator:
    """The form of a kind, unfolded."""
    fold = shown.locator("details.kind", has=shown.page.locator(f"summary:text-is('{name}')"))
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    return fold


def prepare(form: Locator) -> None:
    form.get_by_role("button", name="Prepare").click()
    expect(form.page.locator("dialog#prepare")).to_be_hidden()
    expect(form.page.locator("#table.busy")).to_have_count(0)


def last_lines(page: Page) -> Locator:
    return page.locator("#panel-log .line[data-number] .deed")


def pass_by_click(page: Page) -> None:
    page.locator("#answers").get_by_role("button", name="Pass").click()


def test_a_stock_round_is_programmed(running: Running, visits: Visits) -> None:
    anna, boris = at_the_stock_round(running, visits)
    passing = kind(dialog(boris), "Pass")
    expect(passing.get_by_label("somebody sells what I hold")).to_be_checked()
    expect(passing.get_by_label("the price of something I hold or buy changes")).not_to_be_checked()
    prepare(passing)
    buying = kind(dialog(boris), "Buy shares")
    buying.get_by_role("combobox").select_option("VBW")
    buying.get_by_label("How many").fill("1")
    prepare(buying)
    expect(boris.locator("#prepare-open .count")).to_have_text("2")

    pass_by_click(anna)
    expect(last_lines(anna).nth(0)).to_contain_text("Boris bought a share of")
    expect(last_lines(anna).nth(0)).to_contain_text("(prepared)")
    expect(boris.locator("#toasts")).to_contain_text("Done – buy 1 share of VBW: you have bought 1.")
    expect(anna.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")
    expect(anna.locator("#panel-prepared .standing, #panel-prepared .count, .called-off")).to_have_count(0)
    assert "until the round is over" not in anna.content()

    pass_by_click(anna)
    expect(anna.locator("#panel-head")).to_contain_text("Operating round 1.1")
    expect(boris.locator("#toasts")).to_contain_text("pass until the round is over: the round is over.")
    expect(boris.locator("#prepare-open .count")).to_have_count(0)


def test_an_alarm_says_why_and_its_owner_is_asked(running: Running, visits: Visits) -> None:
    anna, boris = at_the_stock_round(running, visits)
    buying = kind(dialog(boris), "Buy shares")
    buying.get_by_role("combobox").select_option("VBW")
    buying.get_by_label("up to a percentage").check()
    expect(buying.get_by_label("To hold (%)")).to_have_value("50")
    buying.get_by_label("somebody else buys it").check()
    prepare(buying)
    anna.locator("#panel-companies [data-company-card='VBW']").get_by_role("button", name="Buy").click()
    told = boris.locator(".called-off")
    expect(told).to_contain_text("Cancelled: buy VBW up to 50 %. Anna bought 25 % of VBW.")
    expect(boris.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")
    told.get_by_role("button", name="Take note").click()
    expect(told).to_have_count(0)
    shown = dialog(boris)
    prepare(kind(shown, "Pass"))
    expect(anna.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")


def test_what_was_prepared_is_cancelled_by_a_click(running: Running, visits: Visits) -> None:
    anna, boris = at_the_stock_round(running, visits)
    prepare(kind(dialog(boris), "Pass"))
    dialog(boris).get_by_role("button", name="Cancel: pass until the round is over").click()
    expect(boris.locator("dialog#prepare .standing-list")).to_have_count(0)
    boris.locator("dialog#prepare").get_by_role("button", name="Close").click()
    expect(boris.locator("#prepare-open .count")).to_have_count(0)
    pass_by_click(anna)
    expect(boris.locator("#panel-question")).to_have_attribute("data-my-turn", "yes")
