"""The view models of what comes next as things stand: the end of a round of shares, forced purchases, train sales."""

from __future__ import annotations

from typing import Literal

from ostbahn.views.figure_models import OrderView
from ostbahn.views.models import MarkView, View, WhoView
from ostbahn.views.wealth_models import PartView

# The end of a round of shares


class MarkerView(View, frozen=True, kw_only=True):
    """A marker on the chart that will move."""

    company: str
    mark: MarkView
    before: int
    """The price on which it lies."""
    after: int
    """The price on which it will lie."""
    why: str
    """`sold out`"""
    rule: str = ""


class EarningView(View, frozen=True, kw_only=True):
    """What a company can share out in the next Operating Round."""

    company: str
    mark: MarkView
    amount: int
    source: Literal["run", "treasury"]
    """The best run of its present trains on the present track, or what lies in its treasury."""
    proven: bool = True
    """Whether no better run exists; else it is the best that a short search found."""


class NextIncomeView(View, frozen=True, kw_only=True):
    """What the next Operating Round would bring somebody."""

    seat: str
    name: str
    amount: int
    parts: tuple[PartView, ...]
    """By company, and what papers pay; together they are the amount."""


class EndedView(View, frozen=True, kw_only=True):
    """What would follow if everybody passed from now on."""

    round: str
    """What begins then: `OR 5.1`."""
    round_name: str
    markers: tuple[MarkerView, ...]
    """In the order in which they move."""
    order: tuple[WhoView, ...]
    """Of players in the Stock or Share Round after that, as far as it is known today."""
    order_changes: bool
    """Whether it is another one than now."""
    runs: tuple[OrderView, ...]
    """Companies as they act in the next Operating Round; empty if another round comes first."""
    earnings: tuple[EarningView, ...]
    incomes: tuple[NextIncomeView, ...]
    """In the order of players."""
    incomes_if: str
    """What has been taken for granted in them."""


# Trains


class MustBuyView(View, frozen=True, kw_only=True):
    """A company that has to buy a train, and who pays for it."""

    company: str
    mark: MarkView
    train: str
    """The cheapest that it could run, as stack and pool lie now."""
    price: int
    treasury: int
    lacks: int
    """What somebody else has to add."""
    payer: WhoView
    adds: int
    """From their own cash, after what they add for companies that act earlier."""
    borrows: int
    can_raise: int | None
    """What they could get by sales before, in this round; None where nothing is sold now."""
    enough: bool
    """Whether they can do without a loan, sales in this round included."""
    rule: str = ""


class LoserView(View, frozen=True, kw_only=True):
    """A company that loses trains."""

    company: str
    mark: MarkView
    trains: tuple[str, ...]
    """Faces that are scrapped."""
    over_limit: int
    """How many of those that are left are above the limit then."""
    without: bool
    """Whether it has no train then that it could run."""


class SaleView(View, frozen=True, kw_only=True):
    """A train that is sold, or leaves in another way, and what that scraps."""

    train: str
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class ComingView(View, frozen=True, kw_only=True):
    """The next trains whose sale changes something."""

    words: str
    """Which: `the next train`, `after 2 more trains`, `the first 4- or 6-train`."""
    before: int
    """How many trains are sold before; with 0 the next one can be such a train."""
    begins: str = ""
    """The phase that begins with any of them."""
    phase_name: str = ""
    """As people call it: `phase h`, `the grey phase`."""
    colour: str = ""
    """Of tiles in that phase."""
    limits: str = ""
    """Train limits that fall with it: `limit: small 2 trains`."""
    sales: tuple[SaleView, ...]
    """One of them happens: whoever buys chooses the train."""

    @property
    def felt(self) -> bool:
        """Whether a phase begins or somebody loses a train."""
        return bool(self.begins) or any(sale.losers for sale in self.sales)


class LeavingView(View, frozen=True, kw_only=True):
    """What leaves the stack unsold when the set of Operating Rounds ends, if nothing is sold until then."""

    words: str
    """`the next card, e2, goes abroad`"""
    begins: str = ""
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class OutlookView(View, frozen=True, kw_only=True):
    """What comes next as things stand. Nothing in it tells what a lot will decide."""

    ended: EndedView | None = None
    """If the round of shares ended now; None in other rounds, and where nobody may pass."""
    held_up: str = ""
    """Why it cannot end yet: `Anna has 13 certificates and must sell down to 12 first`."""
    held_up_rule: str = ""
    must_buy: tuple[MustBuyView, ...] = ()
    """In the order in which companies act."""
    coming: tuple[ComingView, ...] = ()
    """The nearest first, up to the next phase."""
    leaving: LeavingView | None = None
