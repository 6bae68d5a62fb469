"""The middleware before Litestar: host names, proxies, request ids, logs, metrics, and the end of event streams.

Also the guard against forms of other sites.
"""

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
EVENTS: Final = "/events"  # the end of the path of an event stream
FOR_MACHINES: Final = ("/health/", "/metrics")  # monitors may use any host name
REQUEST_ID: Final = "x-request-id"
SENT_ID: Final = re.compile(rb"[\w.-]{1,64}")
YEAR: Final = "max-age=31536000"
NOWHERE: Final = "(none)"  # for requests without a route
CUT_OFF: Final = 499  # for clients that hung up before the response
RECONNECT: Final = b"retry: 1000\n\n"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, streams: OpenStreams | None = None) -> None:
        self._app: Any = app
        self._settings, self._metrics = settings, metrics
        self._streams = streams or OpenStreams()
        self._proxies = [ip_network(network) for network in settings.trust_proxy]
        # only with proxies: by default it trusts every program on this machine
        self._inner: Any = (
            ProxyHeadersMiddleware(self._secured, list(settings.trust_proxy)) if self._proxies else self._secured
        )
        self._stopping = asyncio.Event()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        tracked = TrackedRequest(scope, self._request_id(scope), self._settings.https)
        is_stream = scope["path"].endswith(EVENTS)
        try:
            if not self._has_known_host(scope):
                text = {b"content-type": b"text/plain; charset=utf-8"}
                await answer(tracked.wrap(send), 421, b"This server is not known by that name.\n", text)
            elif is_stream:
                await self._stream(scope, receive, tracked.wrap(send))
            else:
                await self._inner(scope, receive, tracked.wrap(send))
        except Exception:
            tracked.status = tracked.status or 500
            raise
        finally:
            self._log(tracked, is_stream)

    def end_streams(self) -> None:
        """End all event streams, so that pages reconnect in a moment; called when the server stops."""
        self._stopping.set()

    def _request_id(self, scope: Any) -> str:
        sent = dict(scope["headers"]).get(REQUEST_ID.encode(), b"")
        if self._proxies and SENT_ID.fullmatch(sent) and self._is_from_proxy(scope):
            return str(sent.decode())
        return secrets.token_hex(8)

    def _is_from_proxy(self, scope: Any) -> bool:
        client = scope.get("client")
        with suppress(ValueError):
            return client is not None and any(ip_address(client[0]) in network for network in self._proxies)
        return False

    def _has_known_host(self, scope: Any) -> bool:
        """Whether the Host header is one of ours (against DNS rebinding)."""
        hosts = self._settings.hosts
        if not hosts or scope["path"].startswith(FOR_MACHINES):
            return True
        values = [value for name, value in scope["headers"] if name == b"host"]
        return len(values) == 1 and host_in(values[0].decode("latin-1")) in hosts

    async def _secured(self, scope: Any, receive: Any, send: Any) -> None:
        if self._settings.https:  # even if the proxy connects by HTTP
            scope["scheme"] = "https"
        if not scope["path"].endswith(EVENTS):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")  # as forwarded by the proxy
        key, address = key_in(scope["path"]), network_of(client[0] if client else "")
        if reason := self._streams.refusal(key, address):
            await refuse(send, reason)
            return
        with self._streams.counted(key, address):
            await self._app(scope, receive, send)

    async def _stream(self, scope: Any, receive: Any, send: Send) -> None:
        has_begun = has_ended = False

        async def tracked_send(message: Message) -> None:
            nonlocal has_begun, has_ended
            has_begun = True
            has_ended = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        self._metrics.stream_opened(1)
        response = asyncio.ensure_future(self._inner(scope, receive, tracked_send))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({response, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if response.done():
                await response
            else:
                await _cancel(response)
                if has_begun and not has_ended:
                    await send({"type": "http.response.body", "body": RECONNECT, "more_body": False})
        finally:
            await _cancel(response)
            stopping.cancel()
            self._metrics.stream_opened(-1)

    def _log(self, tracked: TrackedRequest, is_stream: bool) -> None:
        seconds = time.perf_counter() - tracked.start
        method = tracked.scope["method"] if tracked.scope["method"] in METHODS else "other"
        route = tracked.scope.get("path_template") or NOWHERE
        status = tracked.status or CUT_OFF
        if not is_stream or status == 429:
            self._metrics.request_handled(HandledRequest(method, route, status, seconds))
        if LOG.isEnabledFor(logging.INFO):
            fields = {"method": method, "route": route, "status": status, "milliseconds": round(1000 * seconds)}
            LOG.info(
                "%s %s %d in %d ms (%s)",
                *fields.values(),
                tracked.request,
                extra={**fields, "request": tracked.request},
            )


class TrackedRequest:
    """A request in progress: its id, start and status."""

    def __init__(self, scope: Any, request: str, https: bool) -> None:
        self.scope, self.request = scope, request
        self.start = time.perf_counter()
        self.status = 0
        self._https = https

    def wrap(self, send: Send) -> Send:
        async def tracked_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                headers: Any = MutableScopeHeaders.from_message(message)
                headers[REQUEST_ID] = self.request
                if self._https:
                    headers["strict-transport-security"] = YEAR
            await send(message)

        return tracked_send


def host_in(header: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = header.rpartition(":")
    bare = name if colon and port.isdigit() else header
    return bare.strip("[]").lower().rstrip(".")


async def _cancel(task: asyncio.Future[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task


SAFE: Final = ("GET", "HEAD", "OPTIONS")
API: Final = "/api/"


async def reject_cross_site_forms(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse forms of other sites (a guard; not for the API, which uses no cookies). Async, so it needs no thread."""
    if connection.scope.get("method") in SAFE or connection.url.path.startswith(API):
        return
    headers = connection.headers
    site: str | None = headers.get("host", "")
    if origin := headers.get("origin"):
        try:
            site = urlsplit(origin).netloc
        except ValueError:  # not an address
            site = None
    if headers.get("sec-fetch-site") == "cross-site" or site != headers.get("host", ""):
        raise NotYours("this form was sent from another site, so nothing was done")
