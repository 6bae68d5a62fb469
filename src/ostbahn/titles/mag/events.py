"""Events of 18Mag, beyond those that every title has."""

from __future__ import annotations

from ostbahn.kernel.actions import Action
from ostbahn.kernel.records import Event
from ostbahn.titles.mag.actions import DeclareToken, PayDividend


class MinorUnused(Event, frozen=True, tag="minor_unused"):
    """No player drafted a minor in the first Share Round (V)."""

    company: str


class TerrainTokenGiven(Event, frozen=True, tag="terrain_token_given"):
    """A minor gives up a terrain token instead of paying for terrain (VI.3.2)."""

    topic = "track"
    preview = "shown"
    company: str

    def is_implied_by(self, action: Action) -> bool:
        return isinstance(action, DeclareToken) or bool(getattr(action, "token", False))


class PaidOut(Event, frozen=True, tag="paid_out"):
    """Total dividend of a major (VI.4.3)."""

    topic = "money"
    company: str
    amount: int

    def is_implied_by(self, action: Action) -> bool:
        return isinstance(action, PayDividend)


class NoTrainSold(Event, frozen=True, tag="no_train_sold"):
    """An Operating Round ended without the sale of a train (VI.4.3)."""

    topic = "trains"
    preview = "shown"
    tokens: int
    """Tokens on the stacks after this round."""


class SupporterUsed(Event, frozen=True, tag="supporter_used"):
    """A supporter helps a minor; each helps once in an Operating Round (M.5)."""

    supporter: str
    company: str

    def is_implied_by(self, action: Action) -> bool:
        return True


# István


class CompanyCardDealt(Event, frozen=True, tag="company_card_dealt"):
    """One of István's minors got its company card (XI.1)."""

    company: str
    card: int


class CardEntryDone(Event, frozen=True, tag="card_entry_done"):
    """An entry on a company card was carried out (XI.2.2)."""

    company: str
    entry: int


class CardEntrySkipped(Event, frozen=True, tag="card_entry_skipped"):
    """An entry on a company card was impossible and is skipped (XI.2.2)."""

    company: str
    entry: int
