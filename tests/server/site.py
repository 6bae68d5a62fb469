"""The whole application for tests, as a browser sees it."""

from __future__ import annotations

import re
from html import unescape

from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from ostbahn.server.app import create_app
from ostbahn.server.services import services
from tests.server.tables import now

Client = TestClient[Litestar]


def client(url: str) -> Client:
    """A browser that has never been here; it does not follow redirects, since they are what is tested."""
    browser = TestClient(create_app(services(url, now)), base_url="http://testserver.local")
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
    found = re.fullmatch(r"/t/([\w-]{22})", answer.headers["location"])
    assert found, answer.headers["location"]
    return found[1]
