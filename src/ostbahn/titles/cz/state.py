"""The state of 18CZ, and the tasks on its agenda."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.eighteen.state import CompanyTask as CompanyTask
from ostbahn.eighteen.state import EndTurn as EndTurn
from ostbahn.eighteen.state import EstablishStation as EstablishStation
from ostbahn.eighteen.state import OperateTrains as OperateTrains
from ostbahn.eighteen.state import PurchaseTrains as PurchaseTrains
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.state import RngState, State, Task, Train
from ostbahn.titles.cz.actions import Offer
from ostbahn.titles.cz.table import CzTable as CzTable


class Markers(NamedTuple):
    own: int
    """Own markers: the first placed after the home station may be cheap."""
    taken: int
    """Markers taken over or returned in an acquisition, always at the full price."""


class Timetable(Task, frozen=True, tag="timetable"):
    """Go on to the next box of the process track."""

    box: int


class PreStock(Task, frozen=True, tag="pre_stock"):
    turn: int
    """Index of the turn in the snake order."""
    passed: tuple[str, ...]
    """Players who passed since the last purchase."""


class Auction(Task, frozen=True, tag="auction"):
    """The private papers of Moravia-Silesia are sold (XI.2)."""

    opener: int = 0
    """Index of the opener in playing order."""
    unwanted: int = 0
    """How many openings in a row brought no bid."""


class Bidding(Task, frozen=True, tag="bidding"):
    paper: str
    player: str
    bid: int = 0
    """Standing bid, 0 if none."""
    bidder: str | None = None
    out: tuple[str, ...] = ()
    """Players who have passed."""


class BuildHome(Task, frozen=True, tag="build_home"):
    """The owner of the Mährische Westbahn may build on its home hex before it pays (XI.2/33)."""


class StockRound(Task, frozen=True, tag="stock_round"):
    first: bool
    """Whether it is the very first one."""
    player: str
    passes: int = 0
    """Players who passed in a row."""
    sold: tuple[str, ...] = ()
    """Companies sold in this turn."""
    bans: tuple[tuple[str, str], ...] = ()
    """Player and company: sold in this round, so no longer buyable in it."""


class OperatingRound(Task, frozen=True, tag="operating_round"):
    waiting: tuple[str, ...]
    """Companies that have not acted yet."""


class RedHome(CompanyTask, frozen=True, tag="red_home"):
    """A large company lays its red home tile."""


class HomeCity(CompanyTask, frozen=True, tag="home_city"):
    """A company chooses in which city of a hex its station stands."""

    hex: str


class LayTrack(CompanyTask, frozen=True, tag="lay_track"):
    first: bool
    """Whether it is the company's first turn."""
    yellows: int = 0


class LayWaived(CompanyTask, frozen=True, tag="lay_waived"):
    """After a promotion in its first turn, a company may lay a tile whose cost is waived, if the ruling allows it."""


class VaclavJoins(Task, frozen=True, tag="vaclav_joins"):
    """Vaclav gets the companies that he should have by now (XI.1)."""


class VaclavRuns(CompanyTask, frozen=True, tag="vaclav_runs"):
    """A company of Vaclav's runs for the most and pays out (XI.1)."""


class UseIncome(CompanyTask, frozen=True, tag="use_income"):
    revenue: int


class Acquire(CompanyTask, frozen=True, tag="acquire"):
    pass


class ReturnStation(CompanyTask, frozen=True, tag="return_station"):
    """Two stations in one hex after an acquisition: one goes back to the charter."""

    cities: tuple[str, ...]


class JoinStations(CompanyTask, frozen=True, tag="join_stations"):
    """The same choice, if a ruling delays the target's closing until then."""

    target: str
    cities: tuple[str, ...]


class SettleTrains(CompanyTask, frozen=True, tag="settle_trains"):
    """Trains just taken over may be turned or scrapped."""

    cards: tuple[str, ...]


class ReturnTrains(CompanyTask, frozen=True, tag="return_trains"):
    """A company above its train limit returns trains to the pool."""

    but: str | None = None
    """A card that must stay: the one just bought."""


class Consent(CompanyTask, frozen=True, tag="consent"):
    """Another player must agree to a company's offer."""

    player: str
    offer: Offer


RoundTask = Timetable | PreStock | Auction | Bidding | BuildHome | StockRound | OperatingRound
TrackTask = RedHome | HomeCity | LayTrack | LayWaived | EstablishStation
IncomeTask = OperateTrains | UseIncome | VaclavJoins | VaclavRuns
TakeOverTask = Acquire | ReturnStation | JoinStations | SettleTrains
TrainTask = PurchaseTrains | ReturnTrains
OtherTask = EndTurn | Consent
CzTask = RoundTask | TrackTask | IncomeTask | TakeOverTask | TrainTask | OtherTask


class CzState(State, kw_only=True):
    start_prices: Lookup[str, int]
    floated: tuple[str, ...]
    cards_gone: int
    """How many train cards have left the bank's stack."""
    pool: tuple[Train, ...]
    scrapped: tuple[str, ...]
    """Train faces that are out of the game."""
    round: str
    """PRE (in Moravia-Silesia AUC), SR 3, OR 5.2"""
    local_price: int
    locals: Lookup[str, str]
    """Local Railway to owner: the bank while it lies on the sheet, absent once it is out of the game."""
    used_powers: tuple[str, ...]
    markers: Lookup[str, Markers]
    operated: tuple[str, ...]
    """Companies that have had their first turn."""
    closed: tuple[str, ...]
    debts: Lookup[str, int]
    penalties: Lookup[str, int]
    declined: Lookup[str, int]
    """Last price declined in this turn, by the thing offered for."""
    chance: int | RngState
    """State of the game's random generator."""
    guest: str | None = None
    """The company that has been given the 3E-train of a private paper for its next run (XI.2)."""
    winner: str | None = None
    """The player who has won by a rule instead of wealth (XI.2/25)."""
    agenda: tuple[CzTask, ...]
