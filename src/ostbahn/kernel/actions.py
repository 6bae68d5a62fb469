"""Actions: immutable, serialisable answers to a question; and options, as a question lists them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct, structs


class Action(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """An answer. Who gives it, and for whom, follows from the question.

    Nothing that never changes can come to hold itself, so the collector of garbage need not look at it.
    """


class Pass(Action, frozen=True, tag="pass"):
    """Leave it: nothing (more) is wanted in this step."""


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
    """Something that may be answered. With a span the price is free within it; the action shows its lowest."""

    action: Action
    span: Span | None = None

    def with_price(self, price: int) -> Action:
        if self.span is None:
            raise ValueError(f"{self.action} has no free price: answer with the option itself")
        if type(price) is not int:
            raise TypeError(f"{price!r} is not a price: give a whole number from {self.span.low} to {self.span.high}")
        return structs.replace(self.action, price=price)


def action_of(answer: Action | Option) -> Action:
    """The action of an answer, which may be an option; where its price is free, the lowest is taken."""
    if isinstance(answer, Option):
        return answer.action
    if not isinstance(answer, Action):  # somebody who checks no types
        raise TypeError(f"{answer!r} is not an answer: give an option of game.question, or the action of one")
    return answer


def checked_types(action: Action) -> Action:
    """The same action; no rule asks whether a price is a whole number, and a save could not be read again."""
    try:
        return msgspec.convert(msgspec.to_builtins(action), type(action))
    except (msgspec.ValidationError, TypeError) as fault:
        raise TypeError(f"{action!r} is not an answer: {fault}") from None
