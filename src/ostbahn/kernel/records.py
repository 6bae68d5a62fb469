"""Records: an action and what came of it. The log, charts and audits read these; nobody parses sentences."""

from __future__ import annotations

from msgspec import Struct

from ostbahn.kernel.actions import Action


class Event(Struct, frozen=True, tag_field="event"):
    """Something that happened in consequence of an action."""


class Paid(Event, frozen=True, tag="paid"):
    source: str
    target: str
    amount: int
    why: str


class PriceMoved(Event, frozen=True, tag="price_moved"):
    company: str
    before: int
    after: int
    why: str


class CertificateMoved(Event, frozen=True, tag="certificate_moved"):
    company: str
    percent: int
    source: str
    target: str


class DirectorChanged(Event, frozen=True, tag="director_changed"):
    company: str
    before: str
    after: str


class TileLaid(Event, frozen=True, tag="tile_laid"):
    hex: str
    tile: str
    rotation: int
    company: str


class StationPlaced(Event, frozen=True, tag="station_placed"):
    city: str
    company: str


class TrainMoved(Event, frozen=True, tag="train_moved"):
    """A train card went from one place to another: `stack`, `pool`, `scrap`, `abroad` or a company."""

    card: str
    face: str
    source: str
    target: str


class PhaseBegan(Event, frozen=True, tag="phase_began"):
    phase: str


class RoundBegan(Event, frozen=True, tag="round_began"):
    round: str


class Noted(Event, frozen=True, tag="noted"):
    """Whatever else the log should tell: a short key and whom it concerns."""

    what: str
    who: str
    amount: int = 0


class Record(Struct, frozen=True):
    """One answer and its consequences."""

    by: str
    action: Action
    events: tuple[Event, ...]
