"""What routes are given: services, and the visitor, by a cookie that is set with the first game or account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from litestar import MediaType, Request, Response
from litestar.datastructures import Cookie, FormMultiDict
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from litestar.response import Redirect

from ostbahn.kernel.errors import OstbahnError
from ostbahn.pictures.themes import THEMES
from ostbahn.server.accounts.logins import Attempts, Browsers, Devices
from ostbahn.server.accounts.people import AccountService, Visitor
from ostbahn.server.db.database import Database
from ostbahn.server.faults import error_sentence, status_of
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.table.access import NotYours
from ostbahn.table.rendering import Renderer


@dataclass(frozen=True, kw_only=True)
class AccountServices:
    database: Database
    clock: Callable[[], datetime]
    people: AccountService
    attempts: Attempts
    devices: Devices
    browsers: Browsers
    renderer: Renderer
    is_key: Callable[[str], bool]  # whether it opens a table


T = TypeVar("T")
Injected = NamedDependency[SkipValidation[T]]
"""What the application hands over to a route, by the name of the parameter."""
InjectedAccounts = Injected[AccountServices]
"""As `services`: the application hands over one object with the services of all layers."""
AnyRequest = Request[Any, Any, Any]

COOKIE: Final = "ostbahn"
THEME: Final = "theme"  # the cookie that says which colours somebody has chosen
DEVICE: Final = "device"  # the cookie of a browser that has logged in before (`accounts/logins.py`)
YEAR: Final = 365 * 24 * 60 * 60


class Guest(NamedTuple):
    """A visitor who is known from now on; somebody new gets their cookie with the answer."""

    known: Visitor
    cookie: Cookie | None = None

    def greeted(self, response: Response[T]) -> Response[T]:
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


InjectedVisitor = Injected[Visitor | None]  # as `visitor`: who is known by their cookie


def known_by_cookie(request: AnyRequest, services: AccountServices) -> Visitor | None:
    return services.people.visitor(request.cookies.get(COOKIE))


async def visitor(request: AnyRequest, services: InjectedAccounts) -> Visitor | None:
    """A Litestar dependency; somebody without a cookie need not wait for a thread."""

    def here() -> Visitor | None:
        known = known_by_cookie(request, services)
        if known is not None:
            services.browsers.note(known, request.headers.get("user-agent", "")[:LONGEST_FIELD])
        return known

    return await asyncio.to_thread(here) if COOKIE in request.cookies else None


def check_not_banned(known: Visitor | None) -> None:
    """Refuse a further table to somebody whose account was closed, as long as their browser is known."""
    if known is not None and known.banned:
        raise NotYours(f"whoever runs this server has closed your account: {known.banned}")


def cookie_of(request: AnyRequest, value: str, name: str = COOKIE) -> Cookie:
    """A cookie that tells who somebody is; where they came by HTTPS it never travels otherwise."""
    secure = request.url.scheme == "https"
    return Cookie(name, value=value, max_age=YEAR, httponly=True, secure=secure, samesite="lax")


def theme_in(request: AnyRequest) -> str:
    """The chosen colours; empty for those of the system."""
    theme = request.cookies.get(THEME, "")
    return theme if theme in THEMES else ""


def go(path: str) -> Response[Any]:
    """Redirect after a form."""
    return Redirect(path, status_code=303)


@dataclass(frozen=True)
class Visit:
    """A request for a page, and who makes it."""

    request: AnyRequest
    services: AccountServices
    visitor: Visitor | None

    @property
    def called(self) -> str:
        return "" if self.visitor is None else self.visitor.called

    def page(
        self, template: str, error: OstbahnError | None = None, *, status: int | None = None, **values: Any
    ) -> Response[str]:
        """A page in the colours of its visitor; an error gives it its status, and stands above its form."""
        values["error"] = None if error is None else error_sentence(error)
        if status is None:
            status = 200 if error is None else status_of(error)
        text = self.services.renderer.page(template, theme_in(self.request), self.visitor, **values)
        return Response(text, status_code=status, media_type=MediaType.HTML)

    def guest(self) -> Guest:
        """The visitor, made known if they were not."""
        if self.visitor is not None:
            return Guest(self.visitor)
        value, welcomed = self.services.people.welcome()
        return Guest(welcomed, cookie_of(self.request, value))


def visit(request: AnyRequest, services: InjectedAccounts, visitor: InjectedVisitor) -> Visit:
    """A Litestar dependency of pages."""
    return Visit(request, services, visitor)


InjectedVisit = Injected[Visit]  # as `visit`: a request for a page
InjectedForm = Injected[FormMultiDict]  # as `form`: what was sent
