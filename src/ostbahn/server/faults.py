"""What the server answers to what it will not do; each is a line for people and a status for programs."""

from __future__ import annotations

from ostbahn.kernel.errors import OstbahnError, Refused
from ostbahn.table.access import NotHere, RequestFault


class KeyReplaced(NotHere):
    """A link that opened a seat until the host gave it to somebody else, or made a new link."""

    status = 410

    def __init__(self, game: str) -> None:
        super().__init__(
            "this link no longer works: the host has given the seat to another player or a bot, or has made a new link."
            " If that was a mistake, ask the host for the new link of your seat"
        )
        self.game = game


class TooManyAttempts(RequestFault):
    """The same was tried too often."""

    status = 429


class Busy(RequestFault):
    """There is too much to do just now."""

    status = 503


class Damaged(RequestFault):
    """What was kept of a game cannot be read any more."""

    status = 500

    def __init__(self, what: str) -> None:
        super().__init__(
            f"this game is damaged: {what}. Nothing of it was changed; whoever runs this server can put a copy of the"
            " database back"
        )
        self.what = what


def status_of(error: OstbahnError) -> int:
    """The status of the response; 409 for what a rule refuses."""
    if isinstance(error, Refused):
        return 409
    return error.status if isinstance(error, RequestFault) else 400


def error_sentence(error: OstbahnError) -> str:
    """An error as a sentence above a form."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"
