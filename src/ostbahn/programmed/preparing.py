"""What can be prepared, as plain data that can be kept and sent; and what a title says of its answers for that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, director, holding, ordinary_certificates, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.kits.catalogue import kit_named, kit_of

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


class Thing(Struct, frozen=True):
    """Something that a prepared move can be about."""

    id: str
    words: str


class Offered(NamedTuple):
    """What somebody is asked to sell, and for how much."""

    thing: str
    price: int


class Preparing:
    """What a title says of its answers. Tables are those of the title.

    As it stands here it fits a plain title; a title that has more to say makes a class of its own from this one.
    """

    share_questions: frozenset[str] = frozenset(("stock_round",))
    """In which everybody passes, or buys, until the round is over."""
    floats: bool = False
    """Whether companies float some time after they were started."""
    routine: str = "lay, place and buy nothing, run for the most and pay out"
    """What a prepared turn does."""

    # Shares

    def purchase(self, table: Any, company: str) -> Action | None:
        """The answer that buys one share; None if the title has none."""
        try:
            found: Action = msgspec.convert(
                {"do": "buy_share", "company": company}, kit_named(table.title.name).actions
            )
        except msgspec.ValidationError:
            return None
        return found

    def on_sale(self, table: Any) -> list[str]:
        """Companies of which the bank has a share, at a price."""
        return [company for company in chart.companies_by_price(table) if ordinary_certificates(table, BANK, company)]

    def affordable(self, table: Any, seat: str) -> Collection[str]:
        """What somebody has the money for in a round of shares, by certificates, prices, cash and phase."""
        cash = table.state.cash[seat]
        return [company for company in self.on_sale(table) if chart.price(table, company) <= cash]

    def floated(self, table: Any) -> Collection[str]:
        return chart.companies_by_price(table)

    def at_risk(self, table: Any, seat: str) -> Collection[str]:
        """Companies that somebody directs, and of which another needs but one share to have more."""
        mine = [company for company in self.on_sale(table) if director(table, company) == seat]
        others = [player for player in table.state.players if player != seat]
        return [
            company
            for company in mine
            if any(
                holding(table, player, company) + share_unit(table, company) > holding(table, seat, company)
                for player in others
            )
        ]

    # Auctions

    def items(self, table: Any) -> Sequence[Thing]:
        """What is still to be auctioned."""
        return ()

    def bid(self, table: Any, task: Task, item: str, most: int) -> Action | None:
        """The least bid for an item, or leaving it where that is more than wanted; None if another one is up."""
        return None

    # Turns of companies

    def companies(self, table: Any, seat: str) -> list[str]:
        """Those for which somebody decides in Operating Rounds."""
        return [company for company in self.floated(table) if director(table, company) == seat]

    def income(self, table: Any, question: Question) -> Action | None:
        """The answer that pays a company's income out; None where none is asked for."""
        payouts = (option.action for option in question if option.action.__struct_config__.tag == "pay_out")
        return next(payouts, None)

    # Offers

    def things(self, table: Any, seat: str) -> Sequence[Thing]:
        """What others may make somebody an offer for."""
        return ()

    def offered(self, table: Any, task: Task) -> Offered | None:
        """The offer that a question is about."""
        return None


def preparing_of(game: Game) -> Preparing:
    return kit_of(game).preparing
