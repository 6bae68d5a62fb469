"""Dependencies of routes: services, and the visitor, identified by a cookie set with the first game or account."""

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
    is_key: Callable[[str], bool]  # whether a text is the key of a table


T = TypeVar("T")
Injected = NamedDependency[SkipValidation[T]]
"""The type of a route's parameter that Litestar injects by its name."""
InjectedAccounts = Injected[AccountServices]  # as `services`: one object has the services of all layers
AnyRequest = Request[Any, Any, Any]

COOKIE: Final = "ostbahn"
THEME: Final = "theme"  # the cookie with the chosen colours
DEVICE: Final = "device"  # the cookie of a browser that has logged in before (`accounts/logins.py`)
YEAR: Final = 365 * 24 * 60 * 60


class Guest(NamedTuple):
    """A visitor with a record in the database. cookie: to be set by the response, if they are new."""

    known: Visitor
    cookie: Cookie | None = None

    def greeted(self, response: Response[T]) -> Response[T]:
        """The response, with the cookie of a new visitor."""
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


InjectedVisitor = Injected[Visitor | None]  # as `visitor`: identified by their cookie


def known_by_cookie(request: AnyRequest, services: AccountServices) -> Visitor | None:
    return services.people.visitor(request.cookies.get(COOKIE))


async def visitor(request: AnyRequest, services: InjectedAccounts) -> Visitor | None:
    """The visitor, if their cookie is known (a Litestar dependency). Without a cookie it needs no thread."""

    def look_up() -> Visitor | None:
        known = known_by_cookie(request, services)
        if known is not None:
            services.browsers.note(known, request.headers.get("user-agent", "")[:LONGEST_FIELD])
        return known

    return await asyncio.to_thread(look_up) if COOKIE in request.cookies else None


def check_not_banned(known: Visitor | None) -> None:
    """Refuse visitors with a closed account."""
    if known is not None and known.banned:
        raise NotYours(f"whoever runs this server has closed your account: {known.banned}")


def cookie_of(request: AnyRequest, value: str, name: str = COOKIE) -> Cookie:
    """A cookie that identifies a visitor; set by HTTPS, it is sent by HTTPS only."""
    secure = request.url.scheme == "https"
    return Cookie(name, value=value, max_age=YEAR, httponly=True, secure=secure, samesite="lax")


def theme_in(request: AnyRequest) -> str:
    """The chosen theme; empty for the system's."""
    theme = request.cookies.get(THEME, "")
    return theme if theme in THEMES else ""


def go(path: str) -> Response[Any]:
    """Redirect after a form."""
    return Redirect(path, status_code=303)


@dataclass(frozen=True)
class Visit:
    """A request for a page, its visitor, and the services."""

    request: AnyRequest
    services: AccountServices
    visitor: Visitor | None

    @property
    def called(self) -> str:
        return "" if self.visitor is None else self.visitor.called

    def page(
        self, template: str, error: OstbahnError | None = None, *, status: int | None = None, **values: Any
    ) -> Response[str]:
        """A page in the visitor's theme. error: shown above the form; it also determines the status."""
        values["error"] = None if error is None else error_sentence(error)
        if status is None:
            status = 200 if error is None else status_of(error)
        text = self.services.renderer.page(template, theme_in(self.request), self.visitor, **values)
        return Response(text, status_code=status, media_type=MediaType.HTML)

    def guest(self) -> Guest:
        """The visitor, created if they are new."""
        if self.visitor is not None:
            return Guest(self.visitor)
        value, visitor = self.services.people.welcome()
        return Guest(visitor, cookie_of(self.request, value))


def visit(request: AnyRequest, services: InjectedAccounts, visitor: InjectedVisitor) -> Visit:
    """The `Visit` of a request (a Litestar dependency of pages)."""
    return Visit(request, services, visitor)


InjectedVisit = Injected[Visit]  # as `visit`: a request for a page
InjectedForm = Injected[FormMultiDict]  # as `form`: the form that was sent
