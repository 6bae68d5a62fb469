"""Refusals: why an action is not allowed."""

from __future__ import annotations


class Refusal:
    """Why an action is not allowed, in words a player understands, with the rule it rests on.

    Listings make thousands of them that nobody reads, so it is as plain as can be.
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
        """Other processes, in which bots think, send them back."""
        return Refusal, (self.rule, self.text)
