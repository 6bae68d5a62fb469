"""Everything that can be answered in 18CZ."""

from __future__ import annotations

from typing import ClassVar

from ostbahn.eighteen.actions import RunTrains as RunTrains
from ostbahn.eighteen.actions import TrainRun as TrainRun
from ostbahn.kernel.actions import Accept, Action, Decline, Pass


class BuyLocal(Action, frozen=True, tag="buy_local"):
    """Buy a Local Railway from the sheet at its printed price (VI)."""

    local: str


class OpenAuction(Action, frozen=True, tag="open_auction"):
    """Put a private paper up for auction with a first bid (XI.2)."""

    paper: str
    price: int


class NamePaper(Action, frozen=True, tag="name_paper"):
    """Put a private paper up for auction without bidding for it (XI.2)."""

    paper: str


class Bid(Action, frozen=True, tag="bid"):
    """Bid for the private paper that is being auctioned (XI.2)."""

    price: int


class AssignTrain(Action, frozen=True, tag="assign_train"):
    """Give the train of a private paper to the company in turn (XI.2)."""

    paper: str


class StartCompany(Action, frozen=True, tag="start_company"):
    """Buy a Director's certificate and name the starting price (VII.5)."""

    company: str
    price: int


class BuyShare(Action, frozen=True, tag="buy_share"):
    """Buy an ordinary certificate from the bank (VII.3)."""

    company: str


class SellShares(Action, frozen=True, tag="sell_shares"):
    """Sell so many percent of a company to the bank (VII.6)."""

    company: str
    percent: int


class RepayDebt(Action, frozen=True, tag="repay_debt"):
    """Pay back the whole loan (VIII.11)."""


class LayRedTile(Action, frozen=True, tag="lay_red_tile"):
    """A large company's home (VIII.4)."""

    hex: str
    rotation: int


class ChooseCity(Action, frozen=True, tag="choose_city"):
    """Where the home station stands if the home hex has two cities (VIII.6)."""

    city: str


class LayTile(Action, frozen=True, tag="lay_tile"):
    """Lay or promote track (VIII.4, VIII.5); a Local Railway may waive the cost (IV.1)."""

    hex: str
    tile: str
    rotation: int
    waiver: str | None = None


class LayPurpleTile(Action, frozen=True, tag="lay_purple_tile"):
    """Lay a purple-edged tile by a Local Railway's power (IV.1)."""

    local: str
    hex: str
    tile: str
    rotation: int


class OfferForLocal(Action, frozen=True, tag="offer_for_local"):
    """Buy a Local Railway from a player (IV.1)."""

    consent_rule: ClassVar[str] = "IV.1/10"
    local: str
    price: int


class SellLocal(Action, frozen=True, tag="sell_local"):
    """Sell a Local Railway to the bank (IV.1)."""

    local: str


class PlaceStation(Action, frozen=True, tag="place_station"):
    """Put a station marker into a city (VIII.6)."""

    city: str


class PayOut(Action, frozen=True, tag="pay_out"):
    """Pay the income as a dividend (VIII.8)."""


class Withhold(Action, frozen=True, tag="withhold"):
    """Keep the income in the treasury (VIII.8)."""


class OfferAcquisition(Action, frozen=True, tag="offer_acquisition"):
    """Take over a smaller company at a price per share (VIII.9)."""

    consent_rule: ClassVar[str] = "VIII.9/2"
    company: str
    price: int


class ChooseReturn(Action, frozen=True, tag="choose_return"):
    """Which of two stations in one hex goes back to the charter (VIII.9)."""

    city: str


class TurnTrain(Action, frozen=True, tag="turn_train"):
    """Turn a train that was just taken over to a larger face (VIII.9)."""

    card: str
    face: str


class ScrapTrain(Action, frozen=True, tag="scrap_train"):
    """Scrap a train that was just taken over (VIII.9)."""

    card: str


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """Buy a card from the bank's stack or the train pool (VIII.10)."""

    card: str
    face: str


class OfferForTrain(Action, frozen=True, tag="offer_for_train"):
    """Buy a train from another company (VIII.10)."""

    consent_rule: ClassVar[str] = "VIII.10/9"
    card: str
    price: int


class ReturnTrain(Action, frozen=True, tag="return_train"):
    """Give a train above the limit back to the pool (VIII.12)."""

    card: str


Offer = OfferForLocal | OfferForTrain | OfferAcquisition
Reply = Pass | Accept | Decline
RoundAction = BuyLocal | OpenAuction | NamePaper | Bid | StartCompany | BuyShare | SellShares | RepayDebt
TrackAction = LayRedTile | ChooseCity | LayTile | LayPurpleTile | PlaceStation
TrainAction = RunTrains | TurnTrain | ScrapTrain | BuyTrain | ReturnTrain | AssignTrain
CompanyAction = PayOut | Withhold | SellLocal | ChooseReturn
CzAction = Offer | Reply | RoundAction | TrackAction | TrainAction | CompanyAction
