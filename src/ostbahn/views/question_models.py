"""The view models of what is asked: questions and their answers, routes, and what a dividend would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ostbahn.views.models import MarkView, PlaceView, Scene, View, WhoView

Widget = Literal["track", "stations", "routes", "offer", "answers"]
"""How a page lets a question be answered."""


class SpanView(View, frozen=True, kw_only=True):
    """Prices of one's choice, both ends allowed."""

    low: int
    high: int


class PickView(View, frozen=True, kw_only=True):
    """How an answer stands in a list of those that differ in one thing only: a price, or how much is sold."""

    label: str
    """`Sell` and the company"""
    asks: str
    """What is chosen, for those who cannot see the label."""
    option: str
    """What this one stands for."""
    button: str
    about: str
    """What to know about all of them."""


class AnswerView(View, frozen=True, kw_only=True):
    """Something that may be answered."""

    index: int
    """Its place among the options, from 0."""
    action: Mapping[str, Any]
    """As it stands in a save: `{"do": "lay_tile", "hex": "D4", …}`; with a span it shows the lowest price."""
    kind: str
    """The tag of the action."""
    words: str
    remark: str
    """What to know beside it; empty where its words say all."""
    group: str
    """The heading under which a page lists it."""
    span: SpanView | None = None
    """The prices between which `action["price"]` is free."""
    place: str | None = None
    """The hex or city on the board that it is about."""
    subject: str | None = None
    """The company, card or other thing that it is about."""
    tile: str | None = None
    """The tile that it would lay."""
    pick: PickView | None = None
    """Where answers like it are better chosen from one list."""
    aside: bool = False
    """Whether it is nearly always possible and seldom wanted, so that a page keeps it apart: "Also possible"."""
    how: str = ""
    """What sets it apart from another answer that does the same: with whose help; empty in the ordinary way."""
    cost: int | None = None
    """What it costs the one who answers, or their company; None where nothing is paid or the price is free."""


class RefusalView(View, frozen=True, kw_only=True):
    rule: str
    text: str


class OfferView(View, frozen=True, kw_only=True):
    """Something that stands as a button on a card, whether or not it is allowed."""

    kind: str
    """`buy`, `sell`, `start`, `draft`, `bid` or `name`, which puts a thing up without a bid."""
    words: str
    """`Buy 10 %`, `Start at 70`; several that are refused for one reason are `Start`, or `Sell more` beside others."""
    short: str = ""
    """What sets it apart from others of its kind on the card: `20 %`, `70`."""
    price: int | None = None
    """What it costs, or what a sale brings; the lowest with a span, or where several are refused together."""
    index: int | None = None
    """Of the answer; None if it is refused."""
    refusal: RefusalView | None = None
    """Why not, in few words, with the rule without its title: `VII.4/1`."""
    span: SpanView | None = None


class ItemView(View, frozen=True, kw_only=True):
    """Something that can be bought or taken and is no company with shares: a private railway, a paper, a minor."""

    id: str
    name: str
    words: str
    """What to know about it."""
    label: str = ""
    """Letter and number by which people speak of it, where it has some."""
    price: int | None = None
    """On the sheet, or the minimum bid."""
    mark: MarkView | None = None
    holder: WhoView | None = None
    """Who has it already."""


class AuctionView(View, frozen=True, kw_only=True):
    """An auction, open to all; before a thing is named `item` and `name` are empty."""

    item: str
    """Its id among the items."""
    name: str
    words: str
    """What to know about it."""
    high_bid: int | None
    high_bidder: WhoView | None
    still_in: tuple[WhoView, ...]
    """Those who may still bid, the highest bidder included, in the order in which they are asked."""
    passed: tuple[WhoView, ...]
    minimum: int | None
    """The lowest bid that would be accepted now."""


class QuestionView(View, frozen=True, kw_only=True):
    """What is being asked."""

    kind: str
    """The tag of the task: lay_track, stock_round, …"""
    widget: Widget
    decider: WhoView
    company: str | None
    company_name: str
    """As people call it; empty without one."""
    mark: MarkView | None
    asks_for: str
    """`Lay track`"""
    heading: str
    """`Anna for ABC: lay track`"""
    matter: str
    """What to know about it: the offer, or the company's money and trains."""
    chapter: str
    """Of the rulebook."""
    obvious: bool
    """Whether there is only one thing to answer."""
    groups: tuple[str, ...]
    """All headings of the answers, in the order in which they are shown."""
    answers: tuple[AnswerView, ...]
    scene: Scene
    """Which arrangement a page takes."""
    offers: Mapping[str, tuple[OfferView, ...]] = {}
    """By the id of a company or item, what stands on its card in rounds of shares, what is refused included; only for
    those who may answer. Answers that are about none of them, such as passing, are in `answers` alone."""
    auction: AuctionView | None = None


# Routes


class StopView(View, frozen=True, kw_only=True):
    """A revenue location on a train's way."""

    place: PlaceView
    value: int
    """What it pays, bonus included."""
    counted: bool
    """Towns that an E-train leaves out are not."""


class BonusView(View, frozen=True, kw_only=True):
    """Something that a train earns beside its stops."""

    words: str
    """`from … to …`"""
    value: int


class RouteView(View, frozen=True, kw_only=True):
    """A train and its way; one that stays at home has no path."""

    card: str
    face: str
    path: tuple[str, ...]
    stops: tuple[StopView, ...]
    revenue: int
    subsidy: int
    """What is paid beside, and is no revenue."""
    cars: tuple[str, ...]
    """What was bought to go with it."""
    bonuses: tuple[BonusView, ...]
    """What of the revenue is paid for the whole way and by none of its stops."""
    colour: int
    """Which of the colours for routes it is drawn in, from 0."""
    refusal: RefusalView | None = None
    """Why this way is none, by itself."""


class RoutesView(View, frozen=True, kw_only=True):
    """The trains of a company as they run, or would run."""

    company: str
    company_name: str
    routes: tuple[RouteView, ...]
    """One for each train that can run, in the order of the charter."""
    revenue: int
    subsidy: int
    most: int
    """The highest sum of both that was found."""
    bound: int
    """No run brings more. Where this exceeds `most` the search was given up; whatever brings `most` is allowed."""
    legal: bool
    """Whether these routes may be answered."""
    refusal: RefusalView | None
    """Why not: a route that is none, shared track, or a better run that exists."""
    action: Mapping[str, Any]
    """The answer to send."""
    cars: tuple[str, ...] = ()
    """What was bought for this run."""


# Dividends


class ReceiptView(View, frozen=True, kw_only=True):
    who: WhoView
    amount: int


class DividendView(View, frozen=True, kw_only=True):
    """What one answer about income would do."""

    index: int
    """Of the answer in the question."""
    words: str
    price_before: int
    price_after: int
    treasury_before: int
    treasury_after: int
    received: tuple[ReceiptView, ...]
    """Players, the one who gets most first."""
    to_bank: int
    """What goes to the bank for shares that nobody holds."""
