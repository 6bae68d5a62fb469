"""The state of 18CZ, and the tasks of which its agenda is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ostbahn.kernel.agenda import Task
from ostbahn.kernel.state import State
from ostbahn.kernel.table import Table
from ostbahn.titles.cz.actions import Offer
from ostbahn.titles.cz.title import CzTitle


class Markers(NamedTuple):
    """Station markers on a charter."""

    own: int
    """Its own: the first placed after the home station may be cheap."""
    taken: int
    """Taken over or returned in an acquisition: always at the full price."""


class Timetable(Task, frozen=True, tag="timetable"):
    """Go on to the next box of the process track."""

    box: int


class PreStock(Task, frozen=True, tag="pre_stock"):
    turn: int
    """Number of the turn in the snake."""
    passed: tuple[str, ...]
    """Players who passed since the last purchase."""


class StockRound(Task, frozen=True, tag="stock_round"):
    first: bool
    """Whether it is the very first one."""
    player: str
    passes: int = 0
    """Players who passed in a row."""
    sold: tuple[str, ...] = ()
    """Companies sold in this turn."""
    bans: tuple[tuple[str, str], ...] = ()
    """Player and company: sold in this round, so not to be bought again in it."""


class OperatingRound(Task, frozen=True, tag="operating_round"):
    waiting: tuple[str, ...]
    """Companies that have not acted yet."""


class CompanyTask(Task, frozen=True):
    company: str


class RedHome(CompanyTask, frozen=True, tag="red_home"):
    """A large company lays its red home tile."""


class HomeCity(CompanyTask, frozen=True, tag="home_city"):
    """A company chooses in which city of a hex its station stands."""

    hex: str


class LayTrack(CompanyTask, frozen=True, tag="lay_track"):
    first: bool
    """Whether it is the company's first turn."""
    yellows: int = 0


class EstablishStation(CompanyTask, frozen=True, tag="establish_station"):
    pass


class OperateTrains(CompanyTask, frozen=True, tag="operate_trains"):
    pass


class UseIncome(CompanyTask, frozen=True, tag="use_income"):
    revenue: int


class Acquire(CompanyTask, frozen=True, tag="acquire"):
    pass


class ReturnStation(CompanyTask, frozen=True, tag="return_station"):
    """Two stations in one hex after an acquisition: one goes back to the charter."""

    cities: tuple[str, ...]


class SettleTrains(CompanyTask, frozen=True, tag="settle_trains"):
    """Trains just taken over may be turned or scrapped."""

    cards: tuple[str, ...]


class PurchaseTrains(CompanyTask, frozen=True, tag="purchase_trains"):
    pass


class ReturnTrains(CompanyTask, frozen=True, tag="return_trains"):
    """A company above its train limit returns trains to the pool."""

    but: str | None = None
    """A card that must stay: the one just bought."""


class EndTurn(CompanyTask, frozen=True, tag="end_turn"):
    pass


class Consent(CompanyTask, frozen=True, tag="consent"):
    """Somebody else must agree to what the company offers."""

    player: str
    offer: Offer


CzTask = (
    Timetable
    | PreStock
    | StockRound
    | OperatingRound
    | RedHome
    | HomeCity
    | LayTrack
    | EstablishStation
    | OperateTrains
    | UseIncome
    | Acquire
    | ReturnStation
    | SettleTrains
    | PurchaseTrains
    | ReturnTrains
    | EndTurn
    | Consent
)


class CzState(State, kw_only=True):
    round: str
    """PRE, SR 3, OR 5.2"""
    local_price: int
    locals: Mapping[str, str]
    """Local Railway to owner: the bank while it lies on the sheet, absent once it is out of the game."""
    used_powers: tuple[str, ...]
    markers: Mapping[str, Markers]
    operated: tuple[str, ...]
    """Companies that have had their first turn."""
    closed: tuple[str, ...]
    debts: Mapping[str, int]
    penalties: Mapping[str, int]
    declined: Mapping[str, int]
    """What was offered in this turn for a thing, and declined."""
    agenda: tuple[CzTask, ...]


class CzTable(Table):
    """A table with 18CZ on it."""

    title: CzTitle
    state: CzState

    def size(self, company: str) -> str:
        return self.title.companies[company].size

    def ruled(self, ruling: str) -> str:
        """The value of a switch in this game."""
        return self.rulings[ruling]

    def phase_from(self, letter: str) -> bool:
        """Whether the phase of that letter has begun."""
        return self.state.phase >= letter
