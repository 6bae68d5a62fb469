"""Actions: immutable, serialisable answers to a question."""

from __future__ import annotations

from msgspec import Struct


class Action(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, gc=False):
    """An answer. Who gives it, and for whom, follows from the question."""


class Pass(Action, frozen=True, tag="pass"):
    """Leave it: nothing (more) is wanted in this step."""


class Accept(Action, frozen=True, tag="accept"):
    """Agree to the offer."""


class Decline(Action, frozen=True, tag="decline"):
    """Turn the offer down."""
