"""The actions of 18Wee, and its events besides those of every title."""

from __future__ import annotations

from ostbahn.eighteen.actions import RunTrains as RunTrains
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.records import Event


class StartCompany(Action, frozen=True, tag="start_company"):
    company: str
    price: int


class BuyShare(Action, frozen=True, tag="buy_share"):
    company: str


class SellShare(Action, frozen=True, tag="sell_share"):
    company: str


class LayTile(Action, frozen=True, tag="lay_tile"):
    hex: str
    tile: str
    rotation: int


class PayOut(Action, frozen=True, tag="pay_out"):
    pass


class Withhold(Action, frozen=True, tag="withhold"):
    pass


class BuyTrain(Action, frozen=True, tag="buy_train"):
    face: str


WeeAction = StartCompany | BuyShare | SellShare | LayTile | RunTrains | PayOut | Withhold | BuyTrain | Pass


class Founded(Event, frozen=True, tag="founded"):
    topic = "shares"
    is_highlighted = True
    company: str
    player: str
