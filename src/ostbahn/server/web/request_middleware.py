"""Forms are sent from our own pages only: another site must not act for somebody who is here."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Message, Receive, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ostbahn.server.accounts.rate_limits import network_of
from ostbahn.server.events.streams import OpenStreams, answer, key_in, refuse
from ostbahn.server.metrics import HandledRequest, Metrics
from ostbahn.server.ops.logs import REQUESTS
from ostbahn.server.settings import Settings
from ostbahn.table.access import NotYours

LOG: Final = logging.getLogger(REQUESTS)
EVENTS: Final = "/events"  # how addresses end where pages listen for as long as they are open
FOR_MACHINES: Final = ("/health/", "/metrics")  # what monitors ask for by whatever name they know the machine
REQUEST_ID: Final = "x-request-id"
SENT_ID: Final = re.compile(rb"[\w.-]{1,64}")
YEAR: Final = "max-age=31536000"
NOWHERE: Final = "(none)"  # the route of a request that leads nowhere
CUT_OFF: Final = 499  # in place of a status, where whoever asked hung up before there was an answer
RECONNECT: Final = b"retry: 1000\n\n"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, streams: OpenStreams | None = None) -> None:
        self._app: Any = app
        self._settings, self._metrics = settings, metrics
        self._streams = streams or OpenStreams()
        self._proxies = [ip_network(each) for each in settings.trust_proxy]
        # if nothing was said, it would believe every program of this machine
        self._inside: Any = (
            ProxyHeadersMiddleware(self._secured, list(settings.trust_proxy)) if self._proxies else self._secured
        )
        self._leaving = asyncio.Event()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        tracked_request = TrackedRequest(scope, self._request_id(scope), self._settings.https)
        listens = scope["path"].endswith(EVENTS)
        try:
            if not self._called_by_name(scope):
                text = {b"content-type": b"text/plain; charset=utf-8"}
                await answer(tracked_request.noting(send), 421, b"This server is not known by that name.\n", text)
            elif listens:
                await self._listen(scope, receive, tracked_request.noting(send))
            else:
                await self._inside(scope, receive, tracked_request.noting(send))
        except Exception:
            tracked_request.status = tracked_request.status or 500
            raise
        finally:
            self._note(tracked_request, listens)

    def leave(self) -> None:
        """The server ends: tell pages that listen to come back in a moment."""
        self._leaving.set()

    def _request_id(self, scope: Any) -> str:
        sent = dict(scope["headers"]).get(REQUEST_ID.encode(), b"")
        if self._proxies and SENT_ID.fullmatch(sent) and self._is_believed(scope):
            return str(sent.decode())
        return secrets.token_hex(8)

    def _is_believed(self, scope: Any) -> bool:
        client = scope.get("client")
        with suppress(ValueError):
            return client is not None and any(ip_address(client[0]) in network for network in self._proxies)
        return False

    def _called_by_name(self, scope: Any) -> bool:
        """Whether it is meant: else a page of somebody else could be this one under their name."""
        hosts = self._settings.hosts
        if not hosts or scope["path"].startswith(FOR_MACHINES):
            return True
        said = [value for name, value in scope["headers"] if name == b"host"]
        return len(said) == 1 and host_in(said[0].decode("latin-1")) in hosts

    async def _secured(self, scope: Any, receive: Any, send: Any) -> None:
        if self._settings.https:  # whatever the way from the proxy is
            scope["scheme"] = "https"
        if not scope["path"].endswith(EVENTS):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")  # by now that of which a proxy speaks
        key, address = key_in(scope["path"]), network_of(client[0] if client else "")
        if why := self._streams.refusal(key, address):
            await refuse(send, why)
            return
        with self._streams.counted(key, address):
            await self._app(scope, receive, send)

    async def _listen(self, scope: Any, receive: Any, send: Send) -> None:
        begun = ended = False

        async def sending(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        self._metrics.listening(1)
        listening = asyncio.ensure_future(self._inside(scope, receive, sending))
        personal_data = asyncio.ensure_future(self._leaving.wait())
        try:
            await asyncio.wait({listening, personal_data}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                await listening
            else:
                await _stopped(listening)
                if begun and not ended:
                    await send({"type": "http.response.body", "body": RECONNECT, "more_body": False})
        finally:
            await _stopped(listening)
            personal_data.cancel()
            self._metrics.listening(-1)

    def _note(self, tracked_request: TrackedRequest, listens: bool) -> None:
        seconds = time.perf_counter() - tracked_request.begun
        method = tracked_request.scope["method"] if tracked_request.scope["method"] in METHODS else "other"
        route = tracked_request.scope.get("path_template") or NOWHERE
        status = tracked_request.status or CUT_OFF
        if not listens or status == 429:
            self._metrics.answered(HandledRequest(method, route, status, seconds))
        if LOG.isEnabledFor(logging.INFO):
            told = {"method": method, "route": route, "status": status, "milliseconds": round(1000 * seconds)}
            LOG.info(
                "%s %s %d in %d ms (%s)",
                *told.values(),
                tracked_request.request,
                extra={**told, "request": tracked_request.request},
            )


class TrackedRequest:
    """A request while it is answered."""

    def __init__(self, scope: Any, request: str, https: bool) -> None:
        self.scope, self.request = scope, request
        self.begun = time.perf_counter()
        self.status = 0
        self._https = https

    def noting(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                headers: Any = MutableScopeHeaders.from_message(message)
                headers[REQUEST_ID] = self.request
                if self._https:
                    headers["strict-transport-security"] = YEAR
            await send(message)

        return sending


def host_in(said: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = said.rpartition(":")
    bare = name if colon and port.isdigit() else said
    return bare.strip("[]").lower().rstrip(".")


async def _stopped(task: asyncio.Future[Any]) -> None:
    """End it, and let it tidy up."""
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task


SAFE: Final = ("GET", "HEAD", "OPTIONS")
API: Final = "/api/"


async def reject_cross_site_forms(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse forms of other sites (a guard); the interface knows no cookies. Asynchronous, so needs no thread."""
    if connection.scope.get("method") in SAFE or connection.url.path.startswith(API):
        return
    headers = connection.headers
    site: str | None = headers.get("host", "")
    if origin := headers.get("origin"):
        try:
            site = urlsplit(origin).netloc
        except ValueError:  # nothing that could be a page
            site = None
    if headers.get("sec-fetch-site") == "cross-site" or site != headers.get("host", ""):
        raise NotYours("this form was sent from another site, so nothing was done")
