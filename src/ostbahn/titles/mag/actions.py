"""All actions of 18Mag."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ostbahn.kernel.actions import Accept, Action, Decline, Pass

Car = Literal["off_board", "plus", "mine"]


class DraftMinor(Action, frozen=True, tag="draft_minor"):
    """Take a minor in the first Share Round (V)."""

    minor: str


class DraftShare(Action, frozen=True, tag="draft_share"):
    """Take a 10% share in the first Share Round (V)."""

    major: str


class BuyShare(Action, frozen=True, tag="buy_share"):
    """Buy a 10% share from a major's charter (VII.5)."""

    major: str


class SellShares(Action, frozen=True, tag="sell_shares"):
    """Sell so many percent of a major to the bank (VII.4)."""

    major: str
    percent: int


class LayTile(Action, frozen=True, tag="lay_tile"):
    """Lay or promote track (VI.3.2, VI.3.3); a terrain token may pay for the terrain."""

    hex: str
    tile: str
    rotation: int
    token: bool = False
    track_for: str | None = None
    """Whose city gets the track of the yellow OO tile, where others have stations in both."""


class DeclareToken(Action, frozen=True, tag="declare_token"):
    """Spend a terrain token before the lay it is meant for (as 18xx.games has it)."""


class PlaceStation(Action, frozen=True, tag="place_station"):
    """Put a station (VI.3.4) or a major's marker (VI.4.2) into a city."""

    city: str


class ScrapTrain(Action, frozen=True, tag="scrap_train"):
    """Give a train back to its stack (VI.3.5)."""

    card: str


class BuyCar(Action, frozen=True, tag="buy_car"):
    """Buy a rail car for this run (VI.3.7)."""

    car: Car
    claim: int | None = None
    """The price that an imported file states."""


class TrainRun(Struct, frozen=True):
    """A train, its route and its rail cars."""

    card: str
    path: tuple[str, ...]
    cars: tuple[Car, ...] = ()


class RunTrains(Action, frozen=True, tag="run_trains"):
    """The routes of all trains that run (VI.3.6)."""

    runs: tuple[TrainRun, ...]
    claim: int | None = None
    """The revenue that an imported file states."""
    claimed_subsidy: int | None = None
    """The mine money that an imported file states."""


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """Buy a train from its stack (VI.3.8)."""

    face: str


class OfferForTrain(Action, frozen=True, tag="offer_for_train"):
    """Offer money for a train of another minor (III.3.2)."""

    card: str
    price: int


class PayDividend(Action, frozen=True, tag="pay_dividend"):
    """What a major pays out (VI.4.3)."""

    amount: int


# With modules of the expansion


class DraftSupporter(Action, frozen=True, tag="draft_supporter"):
    """Take a supporter in the first Share Round (M.5)."""

    supporter: str


class BuyDirectorShare(Action, frozen=True, tag="buy_director_share"):
    """Give in an ordinary share and pay the other half of the director's (M.4)."""

    major: str


class TakeFromRothschild(Action, frozen=True, tag="take_from_rothschild"):
    """Rothschild gives the minor money (M.5)."""


class AddTown(Action, frozen=True, tag="add_town"):
    """With the card of Magyar Államvasutak a train may visit one more town in this run (M.5)."""

    card: str


class LayByFeketehazy(LayTile, frozen=True, tag="lay_by_feketehazy"):
    """Lay or promote track whose terrain Feketeházy pays (M.5)."""


class PromoteBySina(LayTile, frozen=True, tag="promote_by_sina"):
    """Promote one more tile with the card of Sina (M.5)."""

    feketehazy: bool = False
    """Whether Feketeházy pays for its terrain."""


class PlaceByDdsg(PlaceStation, frozen=True, tag="place_by_ddsg"):
    """Place the station of the turn for half its price (M.5)."""


class BuyByKando(BuyTrain, frozen=True, tag="buy_by_kando"):
    """Buy a train from its stack at Kandó's price (M.5)."""


Reply = Pass | Accept | Decline
RoundAction = DraftMinor | DraftShare | BuyShare | SellShares | DraftSupporter | BuyDirectorShare
TrackAction = LayTile | DeclareToken | PlaceStation
TrainAction = ScrapTrain | BuyCar | RunTrains | BuyTrain | OfferForTrain | PayDividend
SupporterAction = TakeFromRothschild | AddTown | LayByFeketehazy | PromoteBySina | PlaceByDdsg | BuyByKando
MagAction = Reply | RoundAction | TrackAction | TrainAction | SupporterAction
