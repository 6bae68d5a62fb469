"""The state of 18Mag, and the tasks of which its agenda is made."""

from __future__ import annotations

from msgspec import Struct

from ostbahn.eighteen.state import CompanyTask as CompanyTask
from ostbahn.eighteen.state import EndTurn as EndTurn
from ostbahn.eighteen.state import EstablishStation as EstablishStation
from ostbahn.eighteen.state import PurchaseTrains as PurchaseTrains
from ostbahn.eighteen.state import StockRound as StockRound
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.state import RngState, State, Task
from ostbahn.titles.mag.actions import Car, OfferForTrain
from ostbahn.titles.mag.table import MagTable as MagTable


class IstvanBoard(Struct, frozen=True):
    """What lies on István's board in the solo game (XI.1)."""

    cards: Lookup[str, int]
    """Minor to the number of its company card."""
    done: Lookup[str, int]
    """Minor to how many entries of its card are done."""
    share_card: str
    swaps: Lookup[str, str]
    """Minor to the train that it will buy for one that it has scrapped."""


class Rounds(Task, frozen=True, tag="rounds"):
    """Go on to the next round (IV, VI.1)."""

    turn: int
    """The Share Rounds so far; the first one is the draft."""
    round: int
    """The Operating Rounds of the present set that were begun; 0 before the first."""
    length: int
    """How many Operating Rounds the set has."""
    last: bool = False
    """Whether the game ends with this set."""


class Draft(Task, frozen=True, tag="draft"):
    """The first Share Round: everybody takes minors and shares (V)."""

    pick: int


class OperatingRound(Task, frozen=True, tag="operating_round"):
    minors: tuple[str, ...]
    """Minors that have not acted yet."""
    majors: tuple[str, ...] | None = None
    """Majors that have not acted yet; None while minors act."""


class LayTrack(CompanyTask, frozen=True, tag="lay_track"):
    laid: int = 0
    promoted: bool = False
    token: bool = False
    """Whether a terrain token has been declared (as 18xx.games has it)."""


class ScrapTrains(CompanyTask, frozen=True, tag="scrap_trains"):
    pass


class OperateWithCars(CompanyTask, frozen=True, tag="operate_trains"):
    cars: tuple[Car, ...] = ()
    """Rail cars bought for this run."""


class PlaceMarker(CompanyTask, frozen=True, tag="place_marker"):
    """A major may put a marker into any free city."""


class PayOut(CompanyTask, frozen=True, tag="pay_out"):
    """A major says what it pays."""


class Consent(CompanyTask, frozen=True, tag="consent"):
    """The owner of another minor must agree to what the minor offers."""

    player: str
    offer: OfferForTrain


class RemoveMinors(Task, frozen=True, tag="remove_minors"):
    """Some minors are taken out by lot before the draft (M.3)."""

    drawn: tuple[str, ...] = ()
    """Which ones, if they were drawn before the start prices."""


class DealCards(Task, frozen=True, tag="deal_cards"):
    """István gets his cards (XI.1)."""


class SoloDraft(Task, frozen=True, tag="solo_draft"):
    """The human takes minors, and then a share (XI.1/7, XI.1/8)."""


class PrintedTrack(Task, frozen=True, tag="printed_track"):
    """The track on the backs of István's cards is laid (XI.1/10)."""


class IstvanStock(Task, frozen=True, tag="istvan_stock"):
    """István's turn in a Share Round (XI.4)."""

    turn: StockRound


class IstvanTrack(CompanyTask, frozen=True, tag="istvan_track"):
    """A minor of István's looks for a city to promote (XI.2.1)."""


class IstvanPromotes(CompanyTask, frozen=True, tag="istvan_promotes"):
    """The human chooses among equally good promotions of István's."""


class IstvanStation(CompanyTask, frozen=True, tag="istvan_station"):
    pass


class IstvanScraps(CompanyTask, frozen=True, tag="istvan_scraps"):
    pass


class IstvanRuns(CompanyTask, frozen=True, tag="istvan_runs"):
    pass


class IstvanBuys(CompanyTask, frozen=True, tag="istvan_buys"):
    pass


RoundTask = Rounds | Draft | StockRound | OperatingRound
DealingTask = RemoveMinors | DealCards | SoloDraft | PrintedTrack
MinorTask = LayTrack | EstablishStation | ScrapTrains | OperateWithCars | PurchaseTrains | EndTurn | Consent
MajorTask = PlaceMarker | PayOut
IstvanTask = IstvanStock | IstvanTrack | IstvanPromotes | IstvanStation | IstvanScraps | IstvanRuns | IstvanBuys
MagTask = RoundTask | DealingTask | MinorTask | MajorTask | IstvanTask


class MagState(State, kw_only=True):
    round: str
    """PRE, SR 3, OR 5.2"""
    priority: str
    """Who has the PD card."""
    owners: Lookup[str, str]
    """Minor to player; the bank while it can be drafted, absent if it is out of the game."""
    package: Lookup[str, int]
    """Shares of each major that can still be drafted."""
    markers: Lookup[str, int]
    """Stations or markers on each charter."""
    terrain_tokens: Lookup[str, int]
    indicators: tuple[str, ...]
    """Train stacks with a round indicator tile on them: their first train begins a phase."""
    cards: Lookup[str, int]
    """How many trains of each stack have been numbered."""
    no_train: int
    """No-train-sold tokens on the stacks."""
    sold_train: bool
    """Whether a train was sold from a stack in this Operating Round."""
    phase_began: bool
    """Whether a phase began in this set, which ends with the present Operating Round."""
    declined: Lookup[str, int]
    """What was offered in this turn for a train, and declined."""
    chance: int | RngState
    """Where the game's chance stands."""
    istvan: IstvanBoard | None = None
    agenda: tuple[MagTask, ...]
