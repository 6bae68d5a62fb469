"""The whole application for tests, as a browser sees it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from ostbahn.server.accounts import rate_limits
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import Services, services
from tests.server.postgres import data_of
from tests.server.tables import now

Client = TestClient[Litestar]
LIFTED = (
    rate_limits.GAMES,
    rate_limits.TALK,
    rate_limits.SEATS,
    rate_limits.LOBBY,
    rate_limits.PLANS,
    rate_limits.WIRES,
)


def unlimited(inside: Services) -> Litestar:
    """The application for tests, which do at one address what others do at hundreds."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in LIFTED:
            patch.setattr(limit, "rate_limit", ("minute", 1_000_000))
        return create_app(inside)


def client(url: str) -> Client:
    """A browser that has never been here; it does not follow redirects, since they are what is tested."""
    browser = TestClient(unlimited(services(url, now, data=data_of(url))), base_url="http://testserver.local")
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
