"""The small closed family of errors; each says what was wrong, where, and what would be right."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

LONGEST: Final = 600
"""Characters of a message: some quote untrusted input."""


def shortened(text: str) -> str:
    """Cut the middle out of a long text: the fault stands at its start, the remedy at its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 + 3 :]}"


class Refusal(Struct, frozen=True, gc=False):
    """Why an action is illegal, in words a player understands, and the rule it breaks."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class OstbahnError(Exception):
    """Base of all expected errors; the text is one line for users."""

    def __init__(self, text: str = "") -> None:
        super().__init__(shortened(text))


class Refused(OstbahnError):
    """An illegal action; the game is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def rule(self) -> str:
        return self.refusal.rule


class GameOver(Refused):
    """A question was asked for, or an answer given, after the game has ended."""

    def __init__(self) -> None:
        super().__init__(Refusal("", "the game is over"))


class BadSetup(OstbahnError):
    """An invalid set-up: number of players, names, rulings."""


class BadFile(OstbahnError):
    """A file that is damaged, of another format or from a later version."""


class BadData(OstbahnError):
    """A title's data file with a fault; names the file and the field."""


class BadPackage(OstbahnError):
    """A title of another package that cannot be used; names the package."""
