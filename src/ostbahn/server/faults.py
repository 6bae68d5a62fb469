"""Errors of requests: each is a sentence for people and a status code for programs."""

from __future__ import annotations

from ostbahn.kernel.errors import OstbahnError, Refused
from ostbahn.table.access import NotHere, RequestFault


class KeyReplaced(NotHere):
    """A void link: the host has reassigned its seat, or made a new link."""

    status = 410

    def __init__(self, game: str) -> None:
        super().__init__(
            "this link no longer works: the host has given the seat to another player or a bot, or has made a new link."
            " If that was a mistake, ask the host for the new link of your seat"
        )
        self.game = game


class TooManyAttempts(RequestFault):
    """Too many attempts."""

    status = 429


class Busy(RequestFault):
    """The server is overloaded."""

    status = 503


class Damaged(RequestFault):
    """A stored game cannot be read."""

    status = 500

    def __init__(self, what: str) -> None:
        """what: the damage."""
        super().__init__(
            f"this game is damaged: {what}. Nothing of it was changed; whoever runs this server can put a copy of the"
            " database back"
        )
        self.what = what


def status_of(error: OstbahnError) -> int:
    """The HTTP status for an error; 409 for a refusal by a rule."""
    if isinstance(error, Refused):
        return 409
    return error.status if isinstance(error, RequestFault) else 400


def error_sentence(error: OstbahnError) -> str:
    """An error as a sentence above a form."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"
