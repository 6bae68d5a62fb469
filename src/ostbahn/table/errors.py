"""Why a table does not do what was asked: a line for people, and the HTTP status for programs."""

from __future__ import annotations

from typing import ClassVar

from ostbahn.kernel.errors import OstbahnError


class RequestFault(OstbahnError):
    """What was asked cannot be done."""

    status: ClassVar[int] = 400


class NotHere(RequestFault):
    """There is no such game, seat or page."""

    status = 404


class NotYours(RequestFault):
    """The key does not open this."""

    status = 403


class Stale(RequestFault):
    """The game has gone on since the page was made, or the same click came twice."""

    status = 409


class Unreadable(RequestFault):
    """What was sent cannot be what was meant."""

    status = 400
