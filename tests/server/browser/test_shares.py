"""Shares: what can be had stands on its card with its price, and what cannot be had says why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ostbahn.kernel.game import Game
from ostbahn.views.question import OfferView, question_view
from tests.server.browser.kinds import Kind, every_kind
from tests.server.browser.looking import answering
from tests.server.browser.player import Player, version
from tests.server.browser.running import Running, moment
from tests.server.browser.visits import LAPTOP, PHONE, SCREEN, TABLET, Visits

each_size = pytest.mark.parametrize(
    "screen", [LAPTOP, SCREEN, TABLET, PHONE], ids=["1440x900", "1920x1080", "820x1180", "390x844"]
)


def offers(game: Game) -> dict[str, tuple[OfferView, ...]]:
    view = question_view(game)
    assert view is not None
    return dict(view.offers)


def offered(game: Game, kind: str) -> dict[str, list[OfferView]]:
    """By company what of a kind can be done."""
    found = {
        company: [offer for offer in several if offer.kind == kind and offer.index is not None]
        for company, several in offers(game).items()
    }
    return {company: several for company, several in found.items() if several}


def with_offers(title: str, *kinds: str) -> Game:
    """A stock round in which all of these can be done, and something cannot."""
    return moment(
        title,
        "stock_round",
        lambda game, question: len(game) > 30 and all(offered(game, kind) for kind in kinds) and bool(refused(game)),
    )


def refused(game: Game) -> list[tuple[str, OfferView]]:
    return [(company, offer) for company, several in offers(game).items() for offer in several if offer.index is None]


def card(page: Page, company: str) -> Any:
    return page.locator(f"#panel-companies [data-company-card='{company}']").first


def cash(page: Page) -> int:
    """Of whoever decides."""
    told = page.locator("#panel-players .player.deciding dd").first.text_content() or ""
    return int(re.findall(r"-?\d+", told)[0])


@each_size
def test_a_share_is_bought_on_its_card_and_a_note_takes_it_back(
    running: Running, visits: Visits, screen: dict[str, Any]
) -> None:
    game = with_offers("18CZ", "buy")
    company, (offer, *_) = next(iter(offered(game, "buy").items()))
    page = visits.person(running.table(game), **screen)
    before, digest, number = cash(page), running.digest(page.url), page.locator("#table").get_attribute("data-number")
    decides = page.locator("#panel-players .player.deciding").get_attribute("data-player")
    button = card(page, company).locator(f"button[data-index='{offer.index}']")
    expect(button).to_have_text(f"{offer.words}{offer.price}")
    with answering(page):
        button.click()
    holds = page.locator(f"#panel-players [data-player={decides}] dd").first
    expect(holds).to_contain_text(str(before - (offer.price or 0)))
    note = page.locator(".toast")
    expect(note).to_contain_text("Bought")
    expect(note).to_be_in_viewport(ratio=1)
    with answering(page):
        note.get_by_role("button", name="Undo").click()
    expect(page.locator("#table")).to_have_attribute("data-number", number or "")
    assert running.digest(page.url) == digest


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_what_is_refused_is_there_and_says_why(running: Running, visits: Visits, title: str) -> None:
    game = every_kind()[Kind(title, "base", "stock_round")]
    page = visits.person(running.table(game), **LAPTOP)
    before = version(page)
    grey = page.locator("#panel-companies .offers .refused")
    expect(grey).to_have_count(len(refused(game)))
    for company, offer in refused(game)[:3]:
        assert offer.refusal is not None
        told = card(page, company).locator(".refused", has_text=offer.refusal.text).first
        expect(told).to_contain_text(offer.refusal.rule)
        expect(told).to_have_attribute("aria-disabled", "true")
        told.click(force=True)  # it can be clicked, but says that it is of no use
        for words in (offer.words, offer.refusal.text, offer.refusal.rule):
            expect(page.locator(".toast")).to_contain_text(words)
        expect(page.locator(".toast button")).to_have_count(0)
    assert version(page) == before


def test_shares_are_sold_from_a_list(running: Running, visits: Visits) -> None:
    game = every_kind()[Kind("18Mag", "base", "stock_round")]
    company, several = next((name, each) for name, each in offered(game, "sell").items() if len(each) > 1)
    page = visits.person(running.table(game), **LAPTOP)
    before = cash(page)
    decides = page.locator("#panel-players .player.deciding").get_attribute("data-player")
    form = card(page, company).locator("form.offer-choice")
    expect(form.locator("option")).to_have_text([f"{each.short} · {each.price}" for each in several])
    form.locator("select").select_option(str(several[1].index))
    at = version(page)
    form.get_by_role("button", name="Sell").click()
    Player(page, seed=1).see_through(at)
    holds = page.locator(f"#panel-players [data-player={decides}] dd").first
    expect(holds).to_contain_text(str(before + (several[1].price or 0)))
    price = card(page, company).locator(".price")
    expect(price).not_to_contain_text(str((several[1].price or 0) // 2))


def test_a_company_is_started_at_a_price_of_choice(running: Running, visits: Visits) -> None:
    game = with_offers("18CZ", "start")
    company, several = next(iter(offered(game, "start").items()))
    chosen = several[-1]
    page = visits.person(running.table(game), **LAPTOP)
    row = card(page, company)
    expect(row).to_have_class(re.compile("waiting-company"))
    button = row.locator(f"[data-index='{chosen.index}']")
    with answering(page):
        button.click()
    started = page.locator(f"article.company-card[data-company-card='{company}']")
    expect(started.locator(".price")).to_contain_text(chosen.short)
    expect(page.locator(f"#marker-{company}")).to_have_count(1)


def test_a_button_that_is_pointed_at_tells_what_comes_of_it(running: Running, visits: Visits) -> None:
    game = with_offers("18CZ", "start")
    _, several = next(iter(offered(game, "start").items()))
    page = visits.person(running.table(game), **LAPTOP)
    before, tip = version(page), page.locator("#tip")
    button = page.locator(f"#panel-companies [data-index='{several[0].index}']")
    button.hover()
    expect(tip.locator("li")).not_to_have_count(0)
    expect(tip).to_be_in_viewport(ratio=1)
    expect(tip).to_contain_text(re.compile(r"float|capital|treasury"))
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    button.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(tip).to_be_visible()
    assert version(page) == before
