"""Reports of games at tables: a page, a PDF and files with figures, each made once and told to nobody too early."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest

from ostbahn.bots.worker_pool import BotWorkerPool
from ostbahn.extras import MissingExtra
from ostbahn.interop import files
from ostbahn.kernel.game import Game
from ostbahn.review.reports import frames
from ostbahn.server.faults import Busy
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.reviews import pages, service
from ostbahn.server.web.services import Services, create_services
from ostbahn.table.access import Access
from tests.server.loops import run
from tests.server.site import Client, unlimited, words
from tests.server.tables import now, step

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = files.open_game(GOLDEN / "18CZ-moravia-2.json")


@pytest.fixture
def inside(url: str) -> Services:
    return create_services(url, now)


@pytest.fixture
def browser(inside: Services) -> Iterator[Client]:
    from litestar.testing import TestClient

    with TestClient(unlimited(inside), base_url="http://testserver.local") as browser:
        yield browser


@pytest.fixture
def over(inside: Services) -> Access:
    return inside.game_service.import_game(GAME)


def test_a_table_has_its_report_as_a_page_and_as_pdf(browser: Client, over: Access) -> None:
    page = browser.get(f"/t/{over.key}/report")
    assert page.status_code == 200
    assert "Anna wins with 2524 K" in words(page)
    assert "Who was ahead when" in words(page)
    assert f"/t/{over.key}/report.pdf" in page.text
    assert 'data-theme="dark"' in browser.get(f"/t/{over.key}/report", headers={"Cookie": "theme=dark"}).text
    printed = browser.get(f"/t/{over.key}/report.pdf")
    assert printed.headers["content-type"] == "application/pdf"
    assert printed.content.startswith(b"%PDF-")


def test_the_table_leads_to_it(browser: Client, over: Access) -> None:
    assert browser.get(f"/t/{over.key}").text.count(f'href="/t/{over.key}/report"') == 2, (
        "in the menu and at the result"
    )


@pytest.mark.parametrize("name", frames.SCHEMAS)
def test_figures_can_be_fetched(browser: Client, over: Access, name: str) -> None:
    table = browser.get(f"/api/t/{over.key}/figures/{name}.parquet")
    assert table.headers["content-disposition"] == f'attachment; filename="{name}.parquet"'
    read = pl.read_parquet(BytesIO(table.content))
    text = browser.get(f"/api/t/{over.key}/figures/{name}.csv")
    assert text.headers["content-type"].startswith("text/csv")
    assert len(text.text.splitlines()) == read.height + 1 > 1


def test_the_page_offers_all_tables_that_there_are() -> None:
    assert tuple(frames.SCHEMAS) == pages.FIGURE_TABLES
    assert tuple(pages.FILE_TYPES) == frames.FORMS


@pytest.mark.parametrize("file", ["payments.xls", "secrets.csv", "payments", "..csv"])
def test_other_files_are_not_there(browser: Client, over: Access, file: str) -> None:
    assert browser.get(f"/api/t/{over.key}/figures/{file}").status_code == 404


def test_a_report_is_made_once_for_a_version(inside: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(all_: bool, game: Game) -> service.RenderedReport:
        made.append(len(game))
        return service.RenderedReport(body=f"{all_}")

    monkeypatch.setattr(service, "page_of", counted)
    who = inside.game_service.import_game(GAME.position(50))
    for _ in range(3):
        assert run(inside.reports.page(who.game)).body == "True"
    step(inside.game_service, who)
    run(inside.reports.page(who.game))
    assert len(made) == 2
    assert made[0] < made[1]


def test_without_hints_whoever_still_plays_is_told_only_the_records(inside: Services) -> None:
    running, over = (inside.game_service.import_game(game) for game in (GAME.position(30), GAME))
    for who in (running, over):
        with inside.game_service.holding(who.game) as room:
            room.hints = False
    assert 'id="forecast"' not in run(inside.reports.page(running.game)).body
    assert 'id="findings"' not in run(inside.reports.page(running.game)).body
    assert 'id="forecast"' in run(inside.reports.page(over.game)).body


def test_too_many_who_wait_are_told_so(inside: Services, over: Access) -> None:
    inside.reports._executor.pending = service.MOST_WAITING
    with pytest.raises(Busy, match="try again in a minute"):
        run(inside.reports.page(over.game))


def test_it_is_made_where_bots_think(url: str) -> None:
    """In another process, so that nobody's page waits for it."""
    thinkers = BotWorkerPool(1)
    inside = create_services(url, now, SeatedBots(thinkers=thinkers))
    try:
        who = inside.game_service.import_game(GAME.position(20))
        assert run(inside.reports.figures(who.game, "phases", "csv")).startswith(b"number,round,phase")
    finally:
        inside.reports.close()
        thinkers.close()


def test_a_server_without_the_libraries_says_which_are_missing(
    browser: Client, over: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where bots think in another process, from which only what was made comes back."""

    def missing(*_: object) -> bytes:
        raise MissingExtra('reports need the analysis extra: pip install "ostbahn[analysis]"')

    monkeypatch.setattr("ostbahn.review.reports.report.pdf_of", missing)
    monkeypatch.setattr(frames, "to_dataframe", missing)
    for path in (f"/t/{over.key}/report.pdf", f"/api/t/{over.key}/figures/phases.csv"):
        answer = browser.get(path)
        assert answer.status_code == 404, path
        assert "ostbahn[analysis]" in unescape(answer.text)


def test_files_that_cannot_be_made_here_are_not_offered(
    browser: Client, over: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = ("report.pdf", "figures/phases.csv", "figures/phases.parquet")
    page = browser.get(f"/t/{over.key}/report").text
    assert [link for link in links if link not in page] == []
    monkeypatch.setattr(pages, "find_spec", lambda name: None)
    page = browser.get(f"/t/{over.key}/report").text
    assert "<svg" in page
    assert [link for link in links if link in page] == []
