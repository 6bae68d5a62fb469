"""People who visit the site, each with a browser of his own; whatever goes wrong in one of them is noticed."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, Response

PATIENCE: float = 60_000
"""Milliseconds, far more than a page takes; how long it does take is for bench/web.py to say."""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1360, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
SCREEN: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}


class Visits:
    """All browsers of a test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []
        self.excused: list[str] = []

    def person(self, address: str, **settings: Any) -> Page:
        """Somebody new, who opens an address."""
        chosen = {"reduced_motion": "reduce", **DESKTOP, **settings}
        context = self.browser.new_context(**chosen)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        self.watch(page, address.split("/")[2])
        page.goto(address)
        return page

    def excuse(self, words: str) -> None:
        """A fault that the test brings about on purpose: part of its words."""
        self.excused.append(words)

    def watch(self, page: Page, host: str) -> None:
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        page.on("response", self._response)
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: self._request(request, host))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def _page_error(self, error: Error) -> None:
        self.faults.append(f"error in the page: {error}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"status {response.status}: {response.request.method} {response.url}")

    def _failed(self, request: Request) -> None:
        """A page that is left hangs up on what is on its way: no fault. A server that breaks off reads otherwise."""
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.method} {request.url} {request.failure}")

    def _request(self, request: Request, host: str) -> None:
        if request.url.split(":")[0] in ("http", "https", "ws", "wss") and request.url.split("/")[2] != host:
            self.faults.append(f"another host: {request.url}")

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()

    def complaints(self) -> list[str]:
        return [fault for fault in self.faults if not any(words in fault for words in self.excused)]
