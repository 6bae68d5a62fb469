"""What pages do while the server, its database, or room for one more page is away: they say so, and come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Route, expect

from ostbahn.server.events.streams import OpenStreams
from ostbahn.server.settings import Settings
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import Services, create_services
from ostbahn.server.web.serving import Server, listening
from ostbahn.table.access import Access
from ostbahn.table.room import HERE
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits
from tests.server.network import until
from tests.server.postgres import Cluster, cluster
from tests.server.proxies import caddy
from tests.server.site import unlimited
from tests.server.tables import keys, now, step, wanted

AWAY = "The database cannot be read or written just now"


class Site(NamedTuple):
    """A server with PostgreSQL, behind Caddy."""

    address: str
    inside: Services
    database: Cluster

    def link(self, who: Access) -> str:
        return f"{self.address}/t/{who.key}"


@pytest.fixture
def site(tmp_path: Path, postgres: Cluster) -> Iterator[Site]:
    with cluster() as database, listening("127.0.0.1", 0) as listener:
        name = database.new()
        inside = create_services(database.url(name), now, data=database.data(name))
        server = Server(RequestMiddleware(unlimited(inside), Settings(), inside.metrics))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until(lambda: server.started)
        with caddy(tmp_path, f"127.0.0.1:{listener.getsockname()[1]}") as proxy:
            yield Site(proxy.address, inside, database)
        server.should_exit = True
        thread.join()


def excuse_outage(visits: Visits) -> None:
    for words in ("status 50", "status of 50", "ERR_"):
        visits.excuse(words)


def see_version(page: Page, version: int) -> None:
    page.wait_for_function("wanted => document.getElementById('table').dataset.version === wanted", arg=str(version))


def test_pages_wait_for_the_database_and_come_back_by_themselves(site: Site, visits: Visits) -> None:
    excuse_outage(visits)
    game_service = site.inside.game_service
    host = game_service.create_game(wanted())
    table, chatter = visits.person(site.link(host)), visits.person(site.link(keys(game_service, host)["spectator"]))
    board = visits.person(site.link(site.inside.plans.create(host, "", None)))
    for page in (table, chatter, board):
        expect(page.locator("#panel-question")).to_be_visible()
        page.evaluate("window.same = true")
    site.database.stop("immediate")
    chatter.evaluate("fetch(location.pathname.replace('/t/', '/api/t/') + '/log')")
    table.locator("#panel-question button[data-index]").first.click()
    confirm = table.locator("#confirm[open] button.primary")
    if confirm.is_visible():
        confirm.click()
    expect(table.locator("#trouble")).to_contain_text(AWAY)
    late = visits.person(site.link(host))
    lobby = visits.person(f"{site.address}/lobby")
    for page in (late, lobby):
        expect(page.get_by_role("alert")).to_contain_text(AWAY)
        expect(page.get_by_role("status")).to_contain_text("tries again by itself")
    site.database.start()
    expect(late.locator("#panel-question")).to_be_visible()
    expect(lobby.get_by_role("heading", name="Lobby")).to_be_visible()
    expect(table.locator("#trouble")).to_be_hidden()
    version = step(game_service, host)
    for page in (table, chatter):
        see_version(page, version)
    for page in (table, chatter, board):
        assert page.evaluate("window.same") is True, "nobody had to load a page anew that shows what it did"


def test_a_page_whose_seats_change_while_the_server_is_away_waits_with_loading(
    running: Running, visits: Visits
) -> None:
    excuse_outage(visits)
    game_service = running.services.game_service
    host = game_service.create_game(wanted("here", "link", "link"))
    page = visits.person(running.link(host))
    expect(page.locator("#panel-question")).to_be_visible()

    def away(route: Route) -> None:
        route.fulfill(status=503, body="no")

    page.route(running.link(host), away)
    game_service.assign_seat(host, "p2", HERE)
    expect(page.locator("#offline")).to_contain_text("Not connected. Trying again")
    expect(page.locator("#panel-question")).to_be_visible()
    page.evaluate("window.same = true")
    page.unroute(running.link(host))
    page.wait_for_function("() => window.same === undefined && document.getElementById('table') !== null")


def test_a_page_without_room_to_listen_says_so_and_asks_now_and_then(tmp_path: Path, visits: Visits) -> None:
    for words in ("status 429", "status of 429"):
        visits.excuse(words)
    started = Running(tmp_path / "data")
    started.server.request_middleware._streams = OpenStreams(2, per_key=1)
    host = started.services.game_service.create_game(wanted())
    first = visits.person(started.link(host))
    expect(first.locator("#panel-question")).to_be_visible()
    until(lambda: started.services.live_updates.presence.here())
    second = visits.person(started.address)
    second.clock.install()
    second.goto(started.link(host))
    expect(second.locator("#offline")).to_contain_text("This link has 1 pages with live updates open")
    expect(second.locator("#offline")).to_contain_text("asks for news every ten seconds")
    version = step(started.services.game_service, host)
    second.clock.fast_forward(10_000)
    see_version(second, version)
    first.close()
    until(lambda: not started.services.live_updates.presence.here())
    second.clock.fast_forward(10_000)
    expect(second.locator("#offline")).to_be_hidden()
    see_version(second, step(started.services.game_service, host))
    visits.close()
    started.stop()
