"""Forms are sent from our own pages only: another site must not act for somebody who is here."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from ostbahn.table.access import NotYours

SAFE: Final = ("GET", "HEAD", "OPTIONS")
API: Final = "/api/"


async def from_our_pages(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse what a page of another site sends. The interface needs no such care: it knows keys and no cookies.

    It waits for nothing; it is asynchronous since it would have to wait for a thread otherwise, at every request.
    """
    if connection.scope.get("method") in SAFE or connection.url.path.startswith(API):
        return
    headers = connection.headers
    origin, host = headers.get("origin"), headers.get("host", "")
    if headers.get("sec-fetch-site") == "cross-site" or (origin and _host_in(origin) != host):
        raise NotYours("this form was sent from another site, so nothing was done")


def _host_in(origin: str) -> str | None:
    """Whose page it is; None if it says nothing that could be one."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None
