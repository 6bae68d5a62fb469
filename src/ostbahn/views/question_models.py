"""The view models of what is asked: questions and their answers, routes, and what a dividend would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ostbahn.views.models import MarkView, PlaceView, Scene, View, WhoView

Widget = Literal["track", "stations", "routes", "offer", "answers"]
"""How a page lets a question be answered."""


class SpanView(View, frozen=True, kw_only=True):
    """A range of prices to choose from, both ends included."""

    low: int
    high: int


class PickView(View, frozen=True, kw_only=True):
    """How an answer stands in a list of answers that differ in one thing only: a price, or how much is sold."""

    label: str
    """The label of the list: `Sell` and the company."""
    asks: str
    """What is chosen, for screen readers."""
    option: str
    """The words for this answer in the list."""
    button: str
    about: str
    """What to know about all of them."""


class AnswerView(View, frozen=True, kw_only=True):
    """A legal answer."""

    index: int
    """Its place among the answers, from 0."""
    action: Mapping[str, Any]
    """What to send: `{"do": "lay_tile", "hex": "D4", …}`. With a span it has the lowest price."""
    kind: str
    """The `do` of the action."""
    words: str
    remark: str
    """What to know besides; empty if nothing."""
    group: str
    """The heading under which it is listed."""
    span: SpanView | None = None
    """The range in which you may set `action.price`; null where there is nothing to choose."""
    place: str | None = None
    """The hex or city that it is about; null if none."""
    subject: str | None = None
    """The company, card or other thing that it is about; null if none."""
    tile: str | None = None
    """The tile that it lays; null if none."""
    pick: PickView | None = None
    """How it stands in a list of similar answers; null if it stands alone."""
    aside: bool = False
    """Whether it is nearly always possible and rarely wanted."""
    how: str = ""
    """What sets it apart from another answer that does the same, such as whose help it uses; usually empty."""
    cost: int | None = None
    """What it costs you or your company; null where nothing is paid or the price is free."""


class RefusalView(View, frozen=True, kw_only=True):
    """Why something is not allowed."""

    rule: str
    """The id of the rule: `VII.4/1`."""
    text: str
    """The reason, in a sentence."""


class OfferView(View, frozen=True, kw_only=True):
    """A button on the card of a company or thing, whether or not it is allowed now."""

    kind: str
    """`buy`, `sell`, `start`, `draft`, `bid`, or `name` (put a thing up without a bid)."""
    words: str
    """`Buy 10 %`, `Start at 70`; several that are refused for one reason are `Start`, or `Sell more` beside others."""
    short: str = ""
    """What sets it apart from its neighbours on the card: `20 %`, `70`."""
    price: int | None = None
    """What it costs, or what a sale brings; the lowest price with a span."""
    index: int | None = None
    """The index of its answer; null if it is refused."""
    refusal: RefusalView | None = None
    """Why it is refused; null if it is allowed."""
    span: SpanView | None = None


class ItemView(View, frozen=True, kw_only=True):
    """A private railway, paper or minor that can be bought or drafted."""

    id: str
    name: str
    words: str
    """What to know about it."""
    label: str = ""
    """The letter and number on it; empty without them."""
    price: int | None = None
    """Its printed price, or its minimum bid."""
    mark: MarkView | None = None
    holder: WhoView | None = None
    """Who has it already; null if nobody."""


class AuctionView(View, frozen=True, kw_only=True):
    """An open auction. Before a thing is named, `item` and `name` are empty."""

    item: str
    """The id of the thing, as in `items`."""
    name: str
    words: str
    """What to know about it."""
    high_bid: int | None
    high_bidder: WhoView | None
    still_in: tuple[WhoView, ...]
    """Those who may still bid, the highest bidder included, in the order in which they are asked."""
    passed: tuple[WhoView, ...]
    minimum: int | None
    """The lowest bid allowed now; null if no bid is."""


class QuestionView(View, frozen=True, kw_only=True):
    """The question that the game asks: who decides, what about, and every legal answer."""

    kind: str
    """What kind of question it is: `lay_track`, `stock_round` and so on."""
    widget: Widget
    decider: WhoView
    company: str | None
    """The company that you decide for; null if for none."""
    company_name: str
    """The name of that company; empty without one."""
    mark: MarkView | None
    asks_for: str
    """What is asked, in short: `Lay track`."""
    heading: str
    """Who is asked what: `Anna for ABC: lay track`."""
    matter: str
    """What to know about it: the offer, or the money and trains of the company."""
    chapter: str
    """The chapter of the rulebook that says most about it."""
    chapters: tuple[str, ...]
    """All chapters that it is about, that one first."""
    obvious: bool
    """Whether there is only one answer."""
    groups: tuple[str, ...]
    """The headings of the answers, in the order in which they are shown."""
    answers: tuple[AnswerView, ...]
    """Every legal answer; empty unless you are asked."""
    scene: Scene
    """What is being decided: `shares`, `operating` or `over`."""
    offers: Mapping[str, tuple[OfferView, ...]] = {}
    """In rounds of shares, the buttons on the card of each company or item, by id, refused ones included; empty unless
    you are asked. Answers that are about none of them, such as passing, are in `answers` alone."""
    auction: AuctionView | None = None


# Routes


class StopView(View, frozen=True, kw_only=True):
    """A place that pays, on the way of a train."""

    place: PlaceView
    value: int
    """What it pays, bonuses included."""
    counted: bool
    """Whether it counts; towns that an E-train leaves out do not."""


class BonusView(View, frozen=True, kw_only=True):
    """What a train earns besides its stops."""

    words: str
    """What it is for: `from … to …`."""
    value: int


class RouteView(View, frozen=True, kw_only=True):
    """A train and its way; the path is empty for a train that does not run."""

    card: str
    face: str
    path: tuple[str, ...]
    """Cities (`E11.0`) and hexes of plain track in order."""
    stops: tuple[StopView, ...]
    revenue: int
    subsidy: int
    """What is paid besides, without being revenue."""
    cars: tuple[str, ...]
    """The rail cars that were bought for it."""
    bonuses: tuple[BonusView, ...]
    """The part of the revenue that is paid for the whole way."""
    colour: int
    """The number of the colour that it is drawn in, from 0."""
    refusal: RefusalView | None = None
    """Why this way is not allowed; null if it is."""


class RoutesView(View, frozen=True, kw_only=True):
    """The trains of a company and how they run, or would run."""

    company: str
    company_name: str
    routes: tuple[RouteView, ...]
    """One for each train that can run, in the order of the charter."""
    revenue: int
    subsidy: int
    most: int
    """The highest sum of revenue and subsidy that was found."""
    bound: int
    """No run brings more than this. If it exceeds `most`, the search stopped early; any run that brings `most` is
    allowed."""
    legal: bool
    """Whether you may answer with these routes."""
    refusal: RefusalView | None
    """Why not: a route that is not allowed, shared track, or a better run that exists."""
    action: Mapping[str, Any]
    """The action that runs the trains like this."""
    cars: tuple[str, ...] = ()
    """The rail cars that were bought for this run."""


# Dividends


class ReceiptView(View, frozen=True, kw_only=True):
    """What a player receives."""

    who: WhoView
    amount: int


class DividendView(View, frozen=True, kw_only=True):
    """What one of the answers about income would do."""

    index: int
    """The index of the answer."""
    words: str
    price_before: int
    price_after: int
    treasury_before: int
    treasury_after: int
    received: tuple[ReceiptView, ...]
    """What players receive, the highest amount first."""
    to_bank: int
    """What the bank receives for shares that nobody holds."""
