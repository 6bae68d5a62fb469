"""What can be prepared: plain data, which can be kept and sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Alarm = Literal["sale", "directorship", "affordable", "price", "float", "bought", "phase"]
"""Something that calls a prepared move off, if its owner wants that."""

ALARMS: Final[Mapping[Alarm, str]] = {
    "sale": "somebody sells what I hold",
    "directorship": "a directorship of mine is at risk, or I become director",
    "affordable": "something becomes affordable for me",
    "price": "the price of something I hold or buy changes",
    "float": "a company floats",
    "bought": "somebody else buys it",
    "phase": "a phase begins",
}
"""As the end of a sentence: `Cancel it if …`."""


class PreparedMove(Struct, frozen=True, kw_only=True, tag_field="prepare", forbid_unknown_fields=True):
    """What a player will answer when they are asked."""

    alarms: Annotated[tuple[Alarm, ...], Meta(max_length=len(ALARMS))] = ()


class PreparedPass(PreparedMove, frozen=True, tag="pass"):
    """Pass in the present Stock or Share Round."""

    until: Literal["round", "once"] = "round"
    """Pass until the `round` is over, or `once`."""


class PreparedPurchases(PreparedMove, frozen=True, tag="buy"):
    """Buy shares of a company, one in each turn of the present round."""

    company: str
    until: Literal["number", "percent", "floats"] = "number"
    """Stop after a `number` of shares, at a `percent` held, or when the company `floats`."""
    amount: int = 1
    """How many shares, or the percentage to hold in the end; ignored with `floats`."""


class PreparedBids(PreparedMove, frozen=True, tag="bid"):
    """Bid as little as possible for something that is auctioned, and leave the auction above a limit."""

    item: str
    most: int
    """The highest bid."""


class PreparedTurn(PreparedMove, frozen=True, tag="turn"):
    """A company's turn without anything new: lay and buy nothing, take the best run, pay out."""

    company: str = ""
    """The company, for its next turn; empty for all your companies until an Operating Round is over."""


class PreparedReplies(PreparedMove, frozen=True, tag="reply"):
    """Decline offers below a price, until an Operating Round is over."""

    below: int
    thing: str = ""
    """What is offered for; empty for anything."""
    accept: bool = False
    """Whether to accept an offer at this price or more; only for a certain thing."""


AnyMove = PreparedPass | PreparedPurchases | PreparedBids | PreparedTurn | PreparedReplies
IN_TURN: Final = (PreparedPass, PreparedPurchases, PreparedBids)
"""Those that answer one after the other in a round: what was prepared behind one that is called off falls with it."""
