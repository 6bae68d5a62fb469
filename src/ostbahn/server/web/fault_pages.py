"""Responses to errors: JSON under /api, elsewhere a page; never a stack trace."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, InternalServerException
from msgspec import Struct
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ostbahn.kernel.errors import OstbahnError, Refused, shortened
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.visitors import AnyRequest, known_by_cookie, theme_in
from ostbahn.server.faults import KeyReplaced, status_of
from ostbahn.server.web.request_middleware import API, SAFE
from ostbahn.server.web.services import Services
from ostbahn.views.catalogue import rule_text

LOG: Final = logging.getLogger(__name__)
AWAY: Final = (
    "The database cannot be read or written just now. What you did may or may not have been kept: the table shows it as"
    " soon as it can be read again."
)
"""Sending an answer again is safe, since it names a version of the game."""
TWICE: Final = (
    "The same was done at the same moment from another page, or something that it needs is gone. Load the page again to"
    " see how it is now."
)
WORDS: Final = {
    404: "There is nothing at this address.",
    405: "This address cannot be used in that way.",
    413: "That was too much: a saved game has at most 5 MB, and everything else far less.",
    429: "Too many attempts; wait a minute.",
}

RETRY_LATER: Final = {429: "60", 503: "10"}
"""Default seconds of the `Retry-After` header, by status."""

Handler = Callable[[AnyRequest, Any], Response[Any]]


class Fault(Struct, frozen=True, omit_defaults=True):
    """Why the server did not do what you asked. Every error of the JSON interface has this form."""

    error: str
    """What is wrong and what would be right, for people."""
    rule: str | None = None
    """The rule that refuses the action: its title and id; absent if no rule is involved."""
    rule_text: str | None = None
    """That rule in words."""


def handlers() -> dict[int | type[Exception], Handler]:
    """The response to each kind of error."""

    def respond(request: AnyRequest, status: int, fault: Fault, headers: dict[str, str] | None = None) -> Response[Any]:
        headers = dict(headers or {})
        if status in RETRY_LATER:
            headers.setdefault("Retry-After", headers.get("RateLimit-Reset", RETRY_LATER[status]))
        if request.url.path.startswith(API):
            return Response(fault, status_code=status, media_type=MediaType.JSON, headers=headers)
        values = {"phrase": HTTPStatus(status).phrase, "fault": fault, "returns": _returns(request, status)}
        services: Services = request.app.state.services
        visitor, theme = _visitor(services, request), theme_in(request)
        page = services.renderer.page("error.html", theme, visitor, status=status, **values)
        return Response(page, status_code=status, media_type=MediaType.HTML, headers=headers)

    def ostbahn(request: AnyRequest, error: OstbahnError) -> Response[Any]:
        return respond(request, status_of(error), fault_of(error))

    def http(request: AnyRequest, error: HTTPException) -> Response[Any]:
        if isinstance(error, InternalServerException):  # Litestar raises it if the client hangs up while sending
            return respond(request, 400, Fault("The request broke off before all of it was sent."))
        return respond(request, error.status_code, Fault(_http_words(error)), error.headers)

    def nested(request: AnyRequest, error: RecursionError) -> Response[Any]:
        return respond(request, 400, Fault("What was sent is nested too deeply to be read."))

    def garbled(request: AnyRequest, error: UnicodeDecodeError) -> Response[Any]:
        return respond(request, 400, Fault("What was sent is not text in UTF-8."))

    def away(request: AnyRequest, error: Exception) -> Response[Any]:
        LOG.error("%s: the database does not answer", _route(request), exc_info=error)
        return respond(request, 503, Fault(AWAY), {"Retry-After": "2"})  # a restart takes about as long

    def twice(request: AnyRequest, error: IntegrityError) -> Response[Any]:
        LOG.warning("%s: rows contradict each other, so nothing was kept", _route(request), exc_info=error)
        return respond(request, 409, Fault(TWICE))

    def other(request: AnyRequest, error: Exception) -> Response[Any]:
        LOG.error("%s failed", _route(request), exc_info=error)
        return respond(request, 500, Fault("This is a fault of Ostbahn itself; the server's log says more."))

    return {
        KeyReplaced: _replaced,
        OstbahnError: ostbahn,
        HTTPException: http,
        RecursionError: nested,
        UnicodeDecodeError: garbled,
        OperationalError: away,
        InterfaceError: away,
        PoolTimeout: away,
        IntegrityError: twice,
        Exception: other,
    }


def _route(request: AnyRequest) -> str:
    """The request for the log: its path may contain the key of a seat."""
    return f"{request.method} {request.scope.get('path_template', '?')}"


def _visitor(services: Services, request: AnyRequest) -> Visitor | None:
    """The visitor, if found; an error in the search must not hide the first one."""
    with suppress(Exception):
        return known_by_cookie(request, services)
    return None


def _replaced(request: AnyRequest, error: KeyReplaced) -> Response[Any]:
    """The response to a void link: what happened, and whether the player may watch."""
    fault, status = fault_of(error), error.status
    if request.url.path.startswith(API):
        return Response(fault, status_code=status, media_type=MediaType.JSON)
    services: Services = request.app.state.services
    watch = f"/lobby/{error.game}/watch" if services.lobby.listing(error.game).watchable else ""
    who = _visitor(services, request)
    page = services.renderer.page("replaced.html", theme_in(request), who, fault=fault, watch=watch)
    return Response(page, status_code=status, media_type=MediaType.HTML)


def _returns(request: AnyRequest, status: int) -> str | None:
    """Where an error page reloads: its own address (empty), the form that was sent, or None where it would not help."""
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        return None
    if request.method in SAFE:
        return ""
    came = urlsplit(request.headers.get("referer", ""))
    return came.path if came.netloc == request.headers.get("host") else None


def fault_of(error: OstbahnError) -> Fault:
    """The `Fault` for an error, with the rule that it cites."""
    if not isinstance(error, Refused):
        return Fault(str(error))
    refusal = error.refusal
    title, _, _ = refusal.rule.partition(" ")
    return Fault(
        shortened(refusal.text), refusal.rule or None, rule_text(title, refusal.rule) if refusal.rule else None
    )


def _http_words(error: HTTPException) -> str:
    """The message for an error of the framework, with the bad values."""
    if error.status_code in WORDS:
        return WORDS[error.status_code]
    values = error.extra if isinstance(error.extra, list) else []
    parts = [f"{value.get('key', 'it')}: {value.get('message', '')}" for value in values if isinstance(value, dict)]
    return shortened("; ".join(parts) or error.detail)
