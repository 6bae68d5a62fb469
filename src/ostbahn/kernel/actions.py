"""Actions: immutable, serialisable answers to a question; and options, as a question lists them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct, structs

__all__ = ["Accept", "Action", "Decline", "Option", "Pass", "Span", "action_of", "checked_types"]


class Action(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """An answer. The question says who gives it, and for which company.

    Immutable, so it cannot be part of a cycle and needs no garbage collection (`gc=False`).
    """


class Pass(Action, frozen=True, tag="pass"):
    """Pass: skip or end this step."""


class Accept(Action, frozen=True, tag="accept"):
    """Agree to the offer."""


class Decline(Action, frozen=True, tag="decline"):
    """Turn the offer down."""


class Span(Struct, frozen=True, gc=False):
    """A range of prices, both ends allowed."""

    low: int
    high: int

    def __iter__(self) -> Iterator[int]:
        """Its ends."""
        return iter((self.low, self.high))


class Option(Struct, frozen=True, gc=False):
    """A legal answer. With a span, any price within it is legal; the action has the lowest."""

    action: Action
    span: Span | None = None

    def __repr__(self) -> str:
        return repr(self.action) if self.span is None else f"{self.action!r} at {self.span.low} to {self.span.high}"

    def with_price(self, price: int) -> Action:
        if self.span is None:
            raise ValueError(f"{self.action} has no free price: answer with the option itself")
        if type(price) is not int:
            raise TypeError(f"{price!r} is not a price: give a whole number from {self.span.low} to {self.span.high}")
        return structs.replace(self.action, price=price)


def action_of(answer: Action | Option) -> Action:
    """The action of an answer or option; of an option with a free price, the one with the lowest."""
    if isinstance(answer, Option):
        return answer.action
    if not isinstance(answer, Action):  # callers without type checking
        raise TypeError(f"{answer!r} is not an answer: give an option of game.question, or the action of one")
    return answer


def checked_types(action: Action) -> Action:
    """The same action, after checking its field types: a wrong type would make the save unreadable."""
    try:
        return msgspec.convert(msgspec.to_builtins(action), type(action))
    except (msgspec.ValidationError, TypeError) as fault:
        raise TypeError(f"{action!r} is not an answer: {fault}") from None
