"""Records: an action and the typed events that it caused. The log, charts and audits read them.

These events are common to all titles; `events.py` of a title has its own. The text renderer of a title words them.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeVar

from msgspec import Struct

from ostbahn.kernel.actions import Action

__all__ = [
    "CertificateMoved",
    "ClaimBelieved",
    "DirectorChanged",
    "Event",
    "NotProven",
    "OfferDeclined",
    "Paid",
    "PhaseBegan",
    "PriceMoved",
    "Record",
    "Revenue",
    "RoundBegan",
    "StationPlaced",
    "TileLaid",
    "TrainMoved",
    "TurnBegan",
    "Wealth",
]

Topic = Literal["track", "stations", "trains", "shares", "money", "prices", "phases", "rounds", "other"]
"""What an event is about, to filter the log."""
PreviewLevel = Literal["hidden", "shown", "warning", "out_of_reach"]
"""What the preview of an answer shows of an event.

`hidden`: nothing. `shown`: the event. `warning`: the event, as a warning. `out_of_reach`: neither this event nor any
after it, since another turn begins or chance decides.
"""
Purpose = Literal[
    "shares",
    "dividends",
    "runs",
    "incomes",
    "papers",
    "capital",
    "trains",
    "track",
    "stations",
    "cars",
    "takeovers",
    "loans",
    "emergencies",
    "other",
]
"""What a payment is for, to total payments by purpose.

`runs`: train income of a company or its owner. `incomes`: income of private papers. `papers`: their purchase.
`emergencies`: what a Director pays for a train of their company.
"""
INCOME_PURPOSES: Final = ("dividends", "runs", "incomes")
PLACES: Final = ("stack", "pool", "scrap", "abroad")
"""Places of train cards that no company owns."""


class Event(Struct, frozen=True, gc=False, tag_field="event"):
    topic: ClassVar[Topic] = "other"
    parties: ClassVar[tuple[str, ...]] = ("company", "player", "source", "target", "before", "after")
    """Fields that name a company, a player or the bank, where an event has them."""

    @property
    def is_highlighted(self) -> bool:
        """Whether the log highlights it: it changes the game for all players, or ends it."""
        return False

    @property
    def preview(self) -> PreviewLevel:
        return "hidden"

    def is_warning_for(self, seat: str) -> bool:
        """Whether to warn this seat before it causes the event."""
        return self.preview == "warning"

    def is_implied_by(self, action: Action) -> bool:
        """Whether the answer itself already says that this happens."""
        return False


# Money and shares


class Paid(Event, frozen=True, tag="paid"):
    topic = "money"
    preview = "shown"
    source: str
    target: str
    amount: int
    why: str
    purpose: Purpose = "other"

    @property
    def income(self) -> bool:
        """Whether a player earns it by holdings: dividends, runs, papers."""
        return self.purpose in INCOME_PURPOSES


class PriceMoved(Event, frozen=True, tag="price_moved"):
    topic = "prices"
    preview = "shown"
    company: str
    before: int
    after: int
    why: str


class CertificateMoved(Event, frozen=True, tag="certificate_moved"):
    topic = "shares"
    company: str
    percent: int
    source: str
    target: str


class DirectorChanged(Event, frozen=True, tag="director_changed"):
    topic = "shares"
    is_highlighted = True
    preview = "warning"
    company: str
    before: str
    after: str

    def is_warning_for(self, seat: str) -> bool:
        """Warn only the director who loses the company."""
        return seat == self.before


class OfferDeclined(Event, frozen=True, tag="offer_declined"):
    topic = "money"
    player: str
    price: int


class Wealth(Event, frozen=True, tag="wealth"):
    is_highlighted = True
    player: str
    amount: int


# Track, stations and trains


class TileLaid(Event, frozen=True, tag="tile_laid"):
    topic = "track"
    hex: str
    tile: str
    rotation: int
    company: str

    def is_implied_by(self, action: Action) -> bool:
        return bool(getattr(action, "hex", None) == self.hex)


class StationPlaced(Event, frozen=True, tag="station_placed"):
    topic = "stations"
    city: str
    company: str

    def is_implied_by(self, action: Action) -> bool:
        """By its city, or by the hex of a home tile."""
        return self.city in (getattr(action, "city", None), f"{getattr(action, 'hex', None)}.0")


class TrainMoved(Event, frozen=True, tag="train_moved"):
    """A train card went from one place to another: `stack`, `pool`, `scrap`, `abroad` or a company."""

    topic = "trains"
    card: str
    face: str
    source: str
    target: str

    @property
    def is_highlighted(self) -> bool:
        return self.target == "scrap"

    @property
    def preview(self) -> PreviewLevel:
        if self.target not in PLACES or self.source == "stack":
            return "hidden"
        return "shown" if self.source in PLACES or self.target == "pool" else "warning"

    def is_implied_by(self, action: Action) -> bool:
        """By its card, or by the face of the train that comes from a stack."""
        card, face = getattr(action, "card", None), getattr(action, "face", None)
        return bool(card == self.card) if card is not None else self.source == "stack" and bool(face == self.face)


class Revenue(Event, frozen=True, tag="revenue"):
    topic = "trains"
    preview = "shown"
    company: str
    amount: int
    ways: tuple[tuple[str, ...], ...] = ()
    """The routes, where the engine ran the trains without an answer."""

    def is_implied_by(self, action: Action) -> bool:
        return hasattr(action, "runs")


class ClaimBelieved(Event, frozen=True, tag="claim_believed"):
    """A claimed revenue that the engine did not check."""

    topic = "trains"
    company: str
    revenue: int


class NotProven(Event, frozen=True, tag="not_proven"):
    """The search for the best run ran out of steps: a better run may exist, but none above the bound."""

    topic = "trains"
    company: str
    bound: int


# The course of the game


class PhaseBegan(Event, frozen=True, tag="phase_began"):
    topic = "phases"
    is_highlighted = True
    preview = "warning"
    phase: str


class RoundBegan(Event, frozen=True, tag="round_began"):
    topic = "rounds"
    preview = "out_of_reach"
    round: str


class TurnBegan(Event, frozen=True, tag="turn_began"):
    preview = "out_of_reach"
    company: str


EventT = TypeVar("EventT", bound=Event)


class Record(Struct, frozen=True, gc=False):
    by: str
    action: Action
    events: tuple[Event, ...]

    def only(self, kind: type[EventT]) -> list[EventT]:
        """The events of one kind: `record.only(Paid)`."""
        return [event for event in self.events if isinstance(event, kind)]
