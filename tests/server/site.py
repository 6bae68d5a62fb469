"""The whole application for tests, as a browser sees it."""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from html import unescape
from typing import cast

import pytest
from httpx import Response
from litestar import Litestar
from litestar.datastructures import State
from litestar.events import SimpleEventEmitter
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.stores.registry import StoreRegistry
from litestar.testing import TestClient

from ostbahn.server.accounts import rate_limits
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import Services, create_services
from tests.server.postgres import data_of
from tests.server.tables import now

Client = TestClient[Litestar]
LIFTED = (
    rate_limits.GAMES,
    rate_limits.CHAT,
    rate_limits.SEATS,
    rate_limits.LOBBY,
    rate_limits.PLANS,
    rate_limits.NOTIFICATION_SETTINGS,
)
LIMITS = [limit for limit in vars(rate_limits).values() if isinstance(limit, RateLimitConfig)]


def unlimited(inside: Services) -> Litestar:
    """The application for tests, which do at one address what others do at hundreds."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in LIFTED:
            patch.setattr(limit, "rate_limit", ("minute", 1_000_000))
        return limited(inside)


def limited(inside: Services) -> Litestar:
    """The application as it is served.

    Routes take most of the time that an application takes to be made, and are the same in all of them. So they are
    made once; what an application remembers is its own.
    """
    routes = _routes(*(limit.rate_limit for limit in LIMITS))
    app = copy(routes)
    app.state = State({"services": inside})
    app.stores = StoreRegistry()
    app.event_emitter = SimpleEventEmitter([])
    app.asgi_router = copy(routes.asgi_router)
    app.asgi_router.app = app
    app.asgi_handler = app._create_asgi_handler()
    return app


@cache
def _routes(*limits: object) -> Litestar:
    """An application without any services, for these limits, which its routes keep."""
    return create_app(cast(Services, None))


def client(url: str) -> Client:
    """A browser that has never been here; it does not follow redirects, since they are what is tested."""
    browser = TestClient(unlimited(create_services(url, now, data=data_of(url))), base_url="http://testserver.local")
    browser.follow_redirects = False
    return browser


def words(answer: Response) -> str:
    """The text of a page."""
    body = re.sub(r"<(script|style|head).*?</\1>", " ", answer.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def alert(answer: Response) -> str:
    """What a page says to be wrong."""
    found = re.search(r'role="alert"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert found, "the page says that nothing is wrong"
    return unescape(found[1]).strip()


def key_in(answer: Response) -> str:
    """The key of the table to which an answer leads."""
    assert answer.status_code == 303, alert(answer)
    found = re.fullmatch(r"/t/([\w-]{22})(#invite)?", answer.headers["location"])
    assert found, answer.headers["location"]
    return found[1]
