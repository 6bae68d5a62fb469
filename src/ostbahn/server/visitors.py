"""Whoever looks at a page, known by a cookie; there is none before somebody has a game or an account."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple, TypeVar

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.people import Visitor
from ostbahn.server.services import Services

T = TypeVar("T")
GivenServices = NamedDependency[SkipValidation[Services]]
AnyRequest = Request[Any, Any, Any]

COOKIE: Final = "ostbahn"
YEAR: Final = 365 * 24 * 60 * 60


class Guest(NamedTuple):
    """A visitor who is known from now on; somebody new gets his cookie with the answer."""

    known: Visitor
    cookie: Cookie | None = None

    def greeted(self, response: Response[T]) -> Response[T]:
        """The answer, with the cookie that it has to carry."""
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


async def visitor(request: AnyRequest, services: NamedDependency[SkipValidation[Services]]) -> Visitor | None:
    """Whose request it is, as far as he has been here (a Litestar dependency)."""
    cookie = request.cookies.get(COOKIE)
    return await asyncio.to_thread(services.people.visitor, cookie) if cookie else None


async def guest(request: AnyRequest, services: GivenServices) -> Guest:
    """The same, but somebody new is made known (a Litestar dependency)."""
    known = await visitor(request, services)
    if known is not None:
        return Guest(known)
    value, welcomed = await asyncio.to_thread(services.people.welcome)
    return Guest(welcomed, cookie_of(request, value))


def cookie_of(request: AnyRequest, value: str) -> Cookie:
    """The cookie by which somebody is known; where he came by HTTPS it never travels otherwise."""
    secure = request.url.scheme == "https"
    return Cookie(COOKIE, value=value, max_age=YEAR, httponly=True, secure=secure, samesite="lax")
