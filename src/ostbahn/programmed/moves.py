"""Programmed moves as plain data for storage and JSON, and the kit part that says which answers can be programmed."""

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

StopCondition = Literal["sale", "directorship", "affordable", "price", "float", "bought", "phase"]
"""An event that cancels a programmed move, if its owner has ticked it."""

STOP_CONDITIONS: Final[Mapping[StopCondition, str]] = {
    "sale": "somebody sells what I hold",
    "directorship": "a directorship of mine is at risk, or I become director",
    "affordable": "something becomes affordable for me",
    "price": "the price of something I hold or buy changes",
    "float": "a company floats",
    "bought": "somebody else buys it",
    "phase": "a phase begins",
}
"""As the end of a sentence: `Cancel it if …`."""


class ProgrammedMove(Struct, frozen=True, kw_only=True, tag_field="prepare", forbid_unknown_fields=True):
    """What a player will answer when it is their turn."""

    alarms: Annotated[tuple[StopCondition, ...], Meta(max_length=len(STOP_CONDITIONS))] = ()


class ProgrammedPass(ProgrammedMove, frozen=True, tag="pass"):
    """Pass in the present Stock or Share Round."""

    until: Literal["round", "once"] = "round"
    """Pass until the `round` is over, or `once`."""


class ProgrammedPurchases(ProgrammedMove, frozen=True, tag="buy"):
    """Buy shares of a company, one in each turn of the present round."""

    company: str
    until: Literal["number", "percent", "floats"] = "number"
    """Stop after a `number` of shares, at a `percent` held, or when the company `floats`."""
    amount: int = 1
    """How many shares, or the percentage to hold in the end; ignored with `floats`."""


class ProgrammedBids(ProgrammedMove, frozen=True, tag="bid"):
    """Bid as little as possible for something that is auctioned, and leave the auction above a limit."""

    item: str
    most: int
    """The highest bid."""


class ProgrammedTurn(ProgrammedMove, frozen=True, tag="turn"):
    """A company's turn without anything new: lay and buy nothing, take the best run, pay out."""

    company: str = ""
    """The company, for its next turn; empty for all your companies until an Operating Round is over."""


class ProgrammedReplies(ProgrammedMove, frozen=True, tag="reply"):
    """Decline offers below a price, until an Operating Round is over."""

    below: int
    thing: str = ""
    """What is offered for; empty for anything."""
    accept: bool = False
    """Whether to accept an offer at this price or more; only for a certain thing."""


AnyProgrammedMove = ProgrammedPass | ProgrammedPurchases | ProgrammedBids | ProgrammedTurn | ProgrammedReplies
SEQUENTIAL_MOVES: Final = (ProgrammedPass, ProgrammedPurchases, ProgrammedBids)
"""Moves that answer in sequence during a round: when one is cancelled, those programmed after it are too."""


class MoveSubject(Struct, frozen=True):
    """Something that a programmed move can be about."""

    id: str
    words: str


class PendingOffer(NamedTuple):
    """What a player is asked to sell, and for how much."""

    thing: str
    price: int


class ProgrammableMoves:
    """Which answers of a title can be programmed; fits a plain title, and others override its methods.

    The tables are those of the title.
    """

    share_questions: frozenset[str] = frozenset(("stock_round",))
    """Kinds of questions in which players buy shares or pass until the round is over."""
    floats: bool = False
    """Whether companies float some time after they were started."""
    routine: str = "lay, place and buy nothing, run for the most and pay out"
    """What a programmed turn does, in words."""

    # Shares

    def purchase(self, table: Any, company: str) -> Action | None:
        """The action that buys one share; None if the title has no such action."""
        try:
            action: Action = msgspec.convert(
                {"do": "buy_share", "company": company}, kit_named(table.title.name).actions
            )
        except msgspec.ValidationError:
            return None
        return action

    def on_sale(self, table: Any) -> list[str]:
        """Companies of which the bank has a share, at a price."""
        return [company for company in chart.companies_by_price(table) if ordinary_certificates(table, BANK, company)]

    def affordable(self, table: Any, seat: str) -> Collection[str]:
        """What a player has the money for in a Stock Round; may depend on certificates, prices, cash and phase only."""
        cash = table.state.cash[seat]
        return [company for company in self.on_sale(table) if chart.price(table, company) <= cash]

    def floated(self, table: Any) -> Collection[str]:
        return chart.companies_by_price(table)

    def at_risk(self, table: Any, seat: str) -> Collection[str]:
        """Companies of a director which another player would take over by buying one more share."""
        directed = [company for company in self.on_sale(table) if director(table, company) == seat]
        others = [player for player in table.state.players if player != seat]
        return [
            company
            for company in directed
            if any(
                holding(table, player, company) + share_unit(table, company) > holding(table, seat, company)
                for player in others
            )
        ]

    # Auctions

    def auction_items(self, table: Any) -> Sequence[MoveSubject]:
        """What is still to be auctioned."""
        return ()

    def bid(self, table: Any, task: Task, item: str, most: int) -> Action | None:
        """The lowest bid for an item, or leaving the auction if that exceeds `most`; None if another item is up."""
        return None

    # Turns of companies

    def companies(self, table: Any, seat: str) -> list[str]:
        """Companies that a player operates."""
        return [company for company in self.floated(table) if director(table, company) == seat]

    def income(self, table: Any, question: Question) -> Action | None:
        """The answer that pays a company's income out; None where none is asked for."""
        payouts = (option.action for option in question if option.action.__struct_config__.tag == "pay_out")
        return next(payouts, None)

    # Offers

    def offerable_items(self, table: Any, seat: str) -> Sequence[MoveSubject]:
        """What other players can make an offer for."""
        return ()

    def pending_offer(self, table: Any, task: Task) -> PendingOffer | None:
        """The offer that a task asks about."""
        return None


def programmable_of(game: Game) -> ProgrammableMoves:
    return kit_of(game).programmable
