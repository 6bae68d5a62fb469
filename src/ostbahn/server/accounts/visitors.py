"""Whoever looks at a page, known by a cookie, and the colours they want; and what routes may ask for by name.

There is no cookie before somebody has a game or an account.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple, TypeVar

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.pictures.themes import THEMES
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.services import AccountServices, GivenAccounts
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.table.access import NotYours

T = TypeVar("T")
AnyRequest = Request[Any, Any, Any]

COOKIE: Final = "ostbahn"
THEME: Final = "theme"
"""The cookie that says which colours somebody has chosen."""
DEVICE: Final = "device"
"""The cookie of a browser that has logged in before (`accounts/devices.py`)."""
YEAR: Final = 365 * 24 * 60 * 60


class Guest(NamedTuple):
    """A visitor who is known from now on; somebody new gets their cookie with the answer."""

    known: Visitor
    cookie: Cookie | None = None

    def greeted(self, response: Response[T]) -> Response[T]:
        """The answer, with the cookie that it has to carry."""
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


GivenVisitor = NamedDependency[SkipValidation[Visitor | None]]
"""As `visitor`: who is known by their cookie."""
GivenGuest = NamedDependency[SkipValidation[Guest]]
"""As `guest`: the same, made known if they were not."""


def known_by_cookie(request: AnyRequest, services: AccountServices) -> Visitor | None:
    """Whose request it is, as far as they have been here."""
    return services.people.visitor(request.cookies.get(COOKIE))


async def visitor(request: AnyRequest, services: GivenAccounts) -> Visitor | None:
    """The same as a dependency of Litestar; somebody without a cookie need not wait for a thread."""
    return await asyncio.to_thread(_here, request, services) if COOKIE in request.cookies else None


def _here(request: AnyRequest, services: AccountServices) -> Visitor | None:
    known = known_by_cookie(request, services)
    if known is not None:
        services.browsers.note(known, request.headers.get("user-agent", "")[:LONGEST_FIELD])
    return known


def check_welcome(known: Visitor | None) -> None:
    """Whose account was closed sits down at no further table, as long as their browser is known."""
    if known is not None and known.banned:
        raise NotYours(f"whoever runs this server has closed your account: {known.banned}")


async def guest(request: AnyRequest, services: GivenAccounts) -> Guest:
    """The same, but somebody new is made known (a Litestar dependency)."""
    known = await visitor(request, services)
    if known is not None:
        return Guest(known)
    value, welcomed = await asyncio.to_thread(services.people.welcome)
    return Guest(welcomed, cookie_of(request, value))


def cookie_of(request: AnyRequest, value: str, name: str = COOKIE) -> Cookie:
    """The cookie by which somebody is known; where they came by HTTPS it never travels otherwise."""
    secure = request.url.scheme == "https"
    return Cookie(name, value=value, max_age=YEAR, httponly=True, secure=secure, samesite="lax")


async def remember_device(request: AnyRequest, services: AccountServices, answer: Response[Any], name: str) -> None:
    """Give a browser that is logged in the cookie by which its next attempts to log in are its own."""
    answer.set_cookie(cookie_of(request, await asyncio.to_thread(services.devices.cookie, name), DEVICE))


def theme_in(request: AnyRequest) -> str:
    """Empty where nothing was chosen: the page then follows the system."""
    theme = request.cookies.get(THEME, "")
    return theme if theme in THEMES else ""
