"""What happens in 18Mag alone, beside the events of every title."""

from __future__ import annotations

from ostbahn.kernel.actions import Action
from ostbahn.kernel.records import Event
from ostbahn.titles.mag.actions import DeclareToken, PayDividend


class MinorUnused(Event, frozen=True, tag="minor_unused"):
    """Nobody took a minor in the first Share Round (V)."""

    company: str


class TerrainTokenGiven(Event, frozen=True, tag="terrain_token_given"):
    """A minor gives up a terrain token instead of paying for terrain (VI.3.2)."""

    topic = "track"
    ahead = "told"
    company: str

    def named_by(self, action: Action) -> bool:
        return isinstance(action, DeclareToken) or bool(getattr(action, "token", False))


class PaidOut(Event, frozen=True, tag="paid_out"):
    """A major pays out so much in all (VI.4.3)."""

    topic = "money"
    company: str
    amount: int

    def named_by(self, action: Action) -> bool:
        return isinstance(action, PayDividend)


class NoTrainSold(Event, frozen=True, tag="no_train_sold"):
    """An Operating Round went by without the sale of a train (VI.4.3)."""

    topic = "trains"
    ahead = "told"
    tokens: int
    """How many tokens lie there for such rounds."""


class SupporterUsed(Event, frozen=True, tag="supporter_used"):
    """A supporter helps a minor, and nobody else in this Operating Round (M.5)."""

    supporter: str
    company: str

    def named_by(self, action: Action) -> bool:
        return True


# István


class CompanyCardDealt(Event, frozen=True, tag="company_card_dealt"):
    """A minor of István's got the card by which it plays (XI.1)."""

    company: str
    card: int


class CardEntryDone(Event, frozen=True, tag="card_entry_done"):
    """What an entry on a company card says was done (XI.2.2)."""

    company: str
    entry: int


class CardEntrySkipped(Event, frozen=True, tag="card_entry_skipped"):
    """What an entry on a company card says cannot be done, and the next one counts (XI.2.2)."""

    company: str
    entry: int
