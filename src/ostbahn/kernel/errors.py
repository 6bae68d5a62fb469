"""The small closed family of errors; each says what was wrong, where, and what would be right."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

LONGEST: Final = 600
"""Letters of an error: nobody reads more, and some quote what strangers have sent."""


def shortened(text: str) -> str:
    """What is too long without its middle: what was wrong comes first, and what would be right last."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 + 3 :]}"


class Refusal(Struct, frozen=True, gc=False):
    """Why an action is not allowed, in words a player understands, with the rule it rests on."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class OstbahnError(Exception):
    """Whatever Ostbahn refuses to do; the text is one line for people."""

    def __init__(self, text: str = "") -> None:
        super().__init__(shortened(text))


class Refused(OstbahnError):
    """An action that the rules do not allow now; the game is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def rule(self) -> str:
        return self.refusal.rule


class BadSetup(OstbahnError):
    """A game that cannot be set up so: number of players, names, rulings."""


class BadFile(OstbahnError):
    """A file that is broken, foreign or from a later version."""


class BadData(OstbahnError):
    """A title's data file with a fault; names the file and the field."""


class BadPackage(OstbahnError):
    """A title of another package that cannot be used; names the package."""
