"""The view models of what comes next as things stand: the end of a round of shares, forced purchases, train sales."""

from __future__ import annotations

from typing import Literal

from ostbahn.views.figure_models import OrderView
from ostbahn.views.models import MarkView, View, WhoView
from ostbahn.views.wealth_models import PartView

# The end of a round of shares


class MarkerView(View, frozen=True, kw_only=True):
    """A share price that will change."""

    company: str
    mark: MarkView
    before: int
    """The price now."""
    after: int
    """The price then."""
    why: str
    """Why: `sold out`."""
    rule: str = ""


class EarningView(View, frozen=True, kw_only=True):
    """What a company can share out in the next Operating Round."""

    company: str
    mark: MarkView
    amount: int
    source: Literal["run", "treasury"]
    """`run`: the best run of its present trains on the present track. `treasury`: what lies in its treasury."""
    proven: bool = True
    """Whether no better run exists; otherwise it is the best that a short search found."""


class NextIncomeView(View, frozen=True, kw_only=True):
    """What the next Operating Round would bring a player."""

    seat: str
    name: str
    amount: int
    parts: tuple[PartView, ...]
    """By company, and what papers pay. Together they are the amount."""


class EndedView(View, frozen=True, kw_only=True):
    """What would follow if everybody passed from now on."""

    round: str
    """The round that begins then: `OR 5.1`."""
    round_name: str
    markers: tuple[MarkerView, ...]
    """Share prices that change, in order."""
    order: tuple[WhoView, ...]
    """The order of players in the next round of shares, as far as it is known."""
    order_changes: bool
    """Whether that differs from the present order."""
    runs: tuple[OrderView, ...]
    """The companies in the order in which they act in the next Operating Round; empty if another round comes first."""
    earnings: tuple[EarningView, ...]
    incomes: tuple[NextIncomeView, ...]
    """What each player would receive."""
    incomes_if: str
    """What these figures assume."""


# Trains


class MustBuyView(View, frozen=True, kw_only=True):
    """A company that must buy a train, and who pays for it."""

    company: str
    mark: MarkView
    train: str
    """The cheapest train that it could run."""
    price: int
    treasury: int
    lacks: int
    """How much its treasury falls short."""
    payer: WhoView
    adds: int
    """What the payer adds in cash, after companies that act earlier."""
    borrows: int
    can_raise: int | None
    """What the payer could raise by selling shares in this round; null if nothing can be sold now."""
    enough: bool
    """Whether the payer can avoid a loan, sales in this round included."""
    rule: str = ""


class LoserView(View, frozen=True, kw_only=True):
    """A company that loses trains."""

    company: str
    mark: MarkView
    trains: tuple[str, ...]
    """The kinds of train that are scrapped."""
    over_limit: int
    """By how many trains it is above the train limit then."""
    without: bool
    """Whether it is left without a train that it can run."""


class SaleView(View, frozen=True, kw_only=True):
    """A train that is sold or leaves the stack, and what that scraps."""

    train: str
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class ComingView(View, frozen=True, kw_only=True):
    """The next trains whose sale changes something."""

    words: str
    """Which trains: `the next train`, `after 2 more trains`, `the first 4- or 6-train`."""
    before: int
    """How many trains are sold before it."""
    begins: str = ""
    """The phase that any of them begins; empty if none."""
    phase_name: str = ""
    """The name of that phase: `phase h`, `the grey phase`."""
    colour: str = ""
    """The colour of tiles in that phase."""
    limits: str = ""
    """Train limits that fall with it: `limit: small 2 trains`."""
    sales: tuple[SaleView, ...]
    """One of these happens: the buyer chooses the train."""

    @property
    def felt(self) -> bool:
        """Whether a phase begins or somebody loses a train."""
        return bool(self.begins) or any(sale.losers for sale in self.sales)


class LeavingView(View, frozen=True, kw_only=True):
    """What leaves the stack at the end of the set of Operating Rounds, if nothing is sold until then."""

    words: str
    """`the next card, e2, goes abroad`."""
    begins: str = ""
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class OutlookView(View, frozen=True, kw_only=True):
    """What comes next as things stand. It never reveals what chance will decide."""

    ended: EndedView | None = None
    """What follows if the round of shares ends now; null in other rounds, and where nobody may pass."""
    held_up: str = ""
    """Why it cannot end yet: `Anna has 13 certificates and must sell down to 12 first`; empty if it can."""
    held_up_rule: str = ""
    """The rule for that."""
    must_buy: tuple[MustBuyView, ...] = ()
    """Companies that must buy a train, in the order in which they act."""
    coming: tuple[ComingView, ...] = ()
    """The next trains whose sale changes something, the nearest first, up to the next phase."""
    leaving: LeavingView | None = None
