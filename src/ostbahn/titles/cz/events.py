"""Events of 18CZ, besides those of every title."""

from __future__ import annotations

from ostbahn.kernel.actions import Action
from ostbahn.kernel.records import Event
from ostbahn.titles.cz.actions import AssignTrain, ChooseReturn

# Companies


class Floated(Event, frozen=True, tag="floated"):
    """Half of a company is sold (VII.5)."""

    topic = "shares"
    preview = "shown"
    company: str


class Closed(Event, frozen=True, tag="closed"):
    """A company was taken over and leaves the game (VIII.9)."""

    topic = "shares"
    is_highlighted = True
    preview = "warning"
    company: str


class StationReturned(Event, frozen=True, tag="station_returned"):
    """A station goes back to the charter of a company that took over another one (VIII.9)."""

    topic = "stations"
    preview = "shown"
    company: str

    def is_implied_by(self, action: Action) -> bool:
        return isinstance(action, ChooseReturn)


class LoanTaken(Event, frozen=True, tag="loan_taken"):
    """A Director borrows for emergency financing (VIII.11)."""

    topic = "money"
    is_highlighted = True
    preview = "warning"
    player: str
    amount: int


# Local Railways, and the private papers of Moravia-Silesia in their place


class PowerUsed(Event, frozen=True, tag="power_used"):
    """A Local Railway gave its power (IV.1)."""

    topic = "track"
    parties = ("local",)
    preview = "shown"
    local: str

    def is_implied_by(self, action: Action) -> bool:
        return self.local in (getattr(action, "local", None), getattr(action, "waiver", None))


class LocalRailwayGone(Event, frozen=True, tag="local_railway_gone"):
    """A Local Railway or private paper leaves the game (IV.1, XI.2)."""

    parties = ("local",)
    is_highlighted = True
    preview = "shown"
    local: str


class PaperSold(Event, frozen=True, tag="paper_sold"):
    """The auction of a private paper is over (XI.2)."""

    topic = "money"
    parties = ("paper",)
    preview = "shown"
    paper: str


class NoPaperSold(Event, frozen=True, tag="no_paper_sold"):
    """Nobody wanted a private paper, and that ends the game: this player wins (XI.2)."""

    is_highlighted = True
    preview = "warning"
    player: str


class TrainGiven(Event, frozen=True, tag="train_given"):
    """A company may use the 3E-train of a private paper for one run (XI.2)."""

    topic = "trains"
    preview = "shown"
    company: str

    def is_implied_by(self, action: Action) -> bool:
        return isinstance(action, AssignTrain)


class MarkerGained(Event, frozen=True, tag="marker_gained"):
    """A company gets a station marker instead of the station of the Mährische Westbahn (XI.2)."""

    topic = "stations"
    preview = "shown"
    company: str


# Bohemia


class JoinedVaclav(Event, frozen=True, tag="joined_vaclav"):
    """A company drawn by lot starts as one of Vaclav's (XI.1)."""

    topic = "shares"
    is_highlighted = True
    preview = "out_of_reach"
    company: str
    price: int
