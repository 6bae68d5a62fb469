"""The small closed family of errors; each says what was wrong, where, and what would be right."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BadData",
    "BadFile",
    "BadPackage",
    "BadSetup",
    "GameOver",
    "OstbahnError",
    "Refusal",
    "Refused",
    "shortened",
]

LONGEST: Final = 600
"""Characters of a message: some quote untrusted input."""


def shortened(text: str) -> str:
    """Cut the middle out of a long text: the fault stands at its start, the remedy at its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 + 3 :]}"


class Refusal:
    """Why an action is illegal, in words a player understands, and the rule it breaks.

    A plain class: listings make thousands of them, and the command line starts without msgspec.
    """

    __slots__ = ("rule", "text")

    def __init__(self, rule: str, text: str) -> None:
        self.rule = rule
        self.text = text

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text

    def __repr__(self) -> str:
        return f"Refusal(rule={self.rule!r}, text={self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and self.rule == other.rule and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.rule, self.text))

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, str]]:
        """Bots' processes send refusals back."""
        return Refusal, (self.rule, self.text)


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
