"""The state of 18Mag, and the tasks of its agenda."""

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
    """István's cards in the solo game, and his progress on them (XI.1)."""

    cards: Lookup[str, int]
    """Minor to the number of its company card."""
    done: Lookup[str, int]
    """Minor to the number of entries done on its card."""
    share_card: str
    swaps: Lookup[str, str]
    """Minor to the train that it will buy in place of a scrapped one."""


class Rounds(Task, frozen=True, tag="rounds"):
    """Go on to the next round (IV, VI.1)."""

    turn: int
    """Number of Share Rounds begun, including the draft."""
    round: int
    """Number of Operating Rounds begun in this set."""
    length: int
    """Number of Operating Rounds in the set."""
    last: bool = False
    """Whether the game ends with this set."""


class Draft(Task, frozen=True, tag="draft"):
    """The first Share Round: players draft minors and shares (V)."""

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
    """A major may place a marker in any free city."""


class PayOut(CompanyTask, frozen=True, tag="pay_out"):
    """A major decides how much it pays out."""


class Consent(CompanyTask, frozen=True, tag="consent"):
    """The owner of another minor accepts or declines an offer for its train."""

    player: str
    offer: OfferForTrain


class RemoveMinors(Task, frozen=True, tag="remove_minors"):
    """Random minors leave the game before the draft (M.3)."""

    drawn: tuple[str, ...] = ()
    """The minors drawn, if before the start prices."""


class DealCards(Task, frozen=True, tag="deal_cards"):
    """István gets his cards (XI.1)."""


class SoloDraft(Task, frozen=True, tag="solo_draft"):
    """The human drafts minors, then a share (XI.1/7, XI.1/8)."""


class PrintedTrack(Task, frozen=True, tag="printed_track"):
    """Lay the track printed on the backs of István's cards (XI.1/10)."""


class IstvanStock(Task, frozen=True, tag="istvan_stock"):
    """István's turn in a Share Round (XI.4)."""

    turn: StockRound


class IstvanTrack(CompanyTask, frozen=True, tag="istvan_track"):
    """One of István's minors promotes a city (XI.2.1)."""


class IstvanPromotes(CompanyTask, frozen=True, tag="istvan_promotes"):
    """The human chooses among István's equally good promotions."""


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
    """Holder of the priority deal card."""
    owners: Lookup[str, str]
    """Minor to player; the bank during the draft, absent once out of the game."""
    package: Lookup[str, int]
    """Shares of each major left to draft."""
    markers: Lookup[str, int]
    """Stations or markers left on each charter."""
    terrain_tokens: Lookup[str, int]
    indicators: tuple[str, ...]
    """Train stacks with a round indicator tile: their first train begins a phase."""
    cards: Lookup[str, int]
    """Number of the last train handed out from each stack."""
    no_train: int
    """Number of no-train-sold tokens on the stacks."""
    sold_train: bool
    """Whether a train was sold from a stack in this Operating Round."""
    phase_began: bool
    """Whether a phase began in this set, which then ends with the present Operating Round."""
    declined: Lookup[str, int]
    """Train to the price that was declined for it in this turn."""
    chance: int | RngState
    """State of the random generator."""
    istvan: IstvanBoard | None = None
    agenda: tuple[MagTask, ...]
