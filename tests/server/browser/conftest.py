"""A browser, and a small server of the page on which the modules are tried."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from ostbahn.kits.catalogue import new_game
from ostbahn.pictures import show
from tests.server.browser.running import Running
from tests.server.browser.visits import PATIENCE, Visits
from tests.static_files import FILES

TYPES = {".js": "text/javascript", ".css": "text/css"}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-features=PaintHolding,HttpsUpgrades,DestroyProfileOnBrowserClose,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
]
"""The last ones would draw two more pages for every window, in processes of their own; the others Playwright names."""
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without windows, and opens a page in a quarter of the time."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; without one these tests are skipped, and say so."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip("no Chromium on the path, so nothing was tried in a browser")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        except Error as error:
            pytest.skip(f"{found} did not start, so nothing was tried in a browser: {error.message.splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture
def visits_with_notices(browser: Browser) -> Iterator[Visits]:
    """The same where a browser can show notices, for which it has to be one with windows."""
    found = next(filter(None, map(shutil.which, PROGRAMS[1:])), None)
    if found is None:
        pytest.skip("no Chromium with windows on the path, so no notice was shown")
    started = browser.browser_type.launch(executable_path=found, args=ARGUMENTS)
    people = Visits(started)
    yield people
    started.close()
    assert people.complaints() == []


class Pages(BaseHTTPRequestHandler):
    """The page with a real board in it, the modules, and drawings of tiles."""

    protocol_version = "HTTP/1.1"
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=1)
    page = Path(__file__).with_name("page.html").read_text("utf-8").replace("BOARD", show.board(game).svg)

    def do_GET(self) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts == [""]:
            self.answer(self.page, "text/html")
        elif parts[0] == "static" and (file := FILES.get("/".join(parts[1:]))):
            self.answer(file.read_text("utf-8"), TYPES[file.suffix])
        elif parts[0] == "tile":
            self.answer(show.tile(self.game, parts[1], int(parts[2])).svg, "image/svg+xml")
        elif parts[0] == "events":
            self.answer("retry: 50\nevent: change\ndata: 3\n\n", "text/event-stream")
        else:
            self.send_error(404)

    def answer(self, body: str, kind: str) -> None:
        sent = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("Cache-Control", "max-age=600" if kind in TYPES.values() else "no-store")
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are no news."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def desktop(browser: Browser) -> Page:
    return browser.new_context(reduced_motion="reduce", viewport={"width": 1000, "height": 800}).new_page()


@pytest.fixture(scope="session")
def handset(browser: Browser) -> Page:
    settings: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
    return browser.new_context(reduced_motion="reduce", **settings).new_page()


def fresh(page: Page, site: str) -> Iterator[Page]:
    """The page as at a first visit; faults in it are faults of the test."""
    faults: list[str] = []

    def hear_error(error: Error) -> None:
        faults.append(str(error))

    page.on("pageerror", hear_error)
    page.context.clear_cookies()
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(site)
    page.wait_for_function("window.ready === true")
    yield page
    page.remove_listener("pageerror", hear_error)
    assert faults == []


@pytest.fixture
def page(desktop: Page, site: str) -> Iterator[Page]:
    yield from fresh(desktop, site)


@pytest.fixture
def phone(handset: Page, site: str) -> Iterator[Page]:
    yield from fresh(handset, site)


# The whole site


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    started = Running(tmp_path_factory.mktemp("site") / "data")
    yield started
    started.stop()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Browsers for people; at the end nothing may have gone wrong in any of them."""
    people = Visits(browser)
    yield people
    people.close()
    assert people.complaints() == []
