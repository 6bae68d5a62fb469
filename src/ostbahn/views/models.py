"""The view models of the table: players, companies, trains, the round, and the log.

All are plain data that msgspec turns into JSON as they are; words are ready to be shown, figures are raw, and names
that people chose are made printable but not escaped. The other models stand with what makes them: `question`,
`routes`, `turns`, `outlook`, `wealth`, `moves`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ostbahn.kernel.records import Topic


class View(Struct, frozen=True, kw_only=True):
    """Plain data about a game."""


class MarkView(View, frozen=True, kw_only=True):
    """How a company looks: letters in ink on a colour, both as #rrggbb."""

    letters: str
    colour: str
    ink: str


class WhoView(View, frozen=True, kw_only=True):
    """A player, another holder of certificates without a seat, or the bank."""

    seat: str
    """`p1` and so on; `bank` for the bank; the name of a holder without a seat."""
    name: str


class PlaceView(View, frozen=True, kw_only=True):
    """A hex or a city on the board."""

    id: str
    """`E11` for a hex, `E11.1` for a city in it."""
    hex: str
    """The hex: `E11`."""
    name: str
    """Its name, or its hex where it has none."""


# Players


class HoldingView(View, frozen=True, kw_only=True):
    """What a player holds of a company."""

    company: str
    name: str
    mark: MarkView
    percent: int
    certificates: int
    """How many certificates; the Director's counts as one."""
    is_director: bool
    price: int
    """The present price of one share."""
    value: int
    """What the holding is worth at that price."""


When = Literal["done", "now", "ahead"]
Scene = Literal["shares", "operating", "over"]
"""What is being decided: shares and what else players buy, a company's turn, or nothing any more."""
HolderKind = Literal["bank", "player", "bystander"]


class PaperView(View, frozen=True, kw_only=True):
    """A private railway, private paper or minor that a player holds."""

    id: str
    name: str
    label: str = ""
    """The letter and number on it; empty without them."""
    kind: str
    """What the title calls such a thing."""
    size: str = ""
    """The size of company that may own it; empty where that does not matter."""
    income: int = 0
    """What it pays in an Operating Round; for a minor, what its last run brought its owner."""
    price: int = 0
    """Its printed price, or its minimum bid."""
    value: int = 0
    """What it counts for its owner at the end, as of now."""
    power_used: bool = False
    """Whether its one-time power has been used."""
    words: str = ""
    """All of this in one line."""
    mark: MarkView | None = None
    """How a minor looks; null for others."""


Role = Literal["player", "automaton", "bystander"]


class PlayerView(View, frozen=True, kw_only=True):
    """A player at the table. Players are listed in playing order."""

    seat: str
    name: str
    role: Role
    """`player`, `automaton` (played by the rules of the game) or `bystander` (holds certificates, but has no seat and
    no money)."""
    place: int | None
    """Their place in playing order, from 1; null for a bystander."""
    has_priority: bool
    """Whether they would be first in the next Stock or Share Round."""
    priority_words: str
    """`priority deal`, `first in playing order`; empty without."""
    deciding: bool
    """Whether they are to move."""
    cash: int | None
    debt: int = 0
    penalty: int = 0
    """What a loan costs them at the end, besides the debt."""
    holdings: tuple[HoldingView, ...]
    """Their shares, the highest price first."""
    papers: tuple[PaperView, ...]
    certificates: int
    certificate_limit: int | None
    over_limit: bool = False
    worth: int | None
    """What they are worth now, counted as at the end of the game."""
    rank: int | None
    """1 for the richest; equals share a rank."""
    can_raise: int | None = None
    """What they could raise beyond their cash by selling all shares that they may sell: for each company the largest
    sale that the rules allow in one turn of a round of shares, at the present price (prices fall only after a sale).
    What a director must keep, papers and minors are left out. 0 for an automaton that never sells; null for those
    without money of their own."""
    last_income: int | None = None
    """What their holdings brought them in `income_round`; null before the first."""
    income_round: str = ""
    """The Operating Round that `last_income` is from: `OR 5.2`; empty before the first."""
    notes: tuple[str, ...] = ()
    """What else lies before them, such as the cards of an automaton."""


# Companies


class TrainView(View, frozen=True, kw_only=True):
    """A train card that is not in the stack."""

    card: str
    face: str
    size: str = ""
    """The size of company that can run it; empty where that does not matter."""
    runs: bool = True
    """Whether its owner can run it."""
    scrapped_by: str = ""
    """`scrapped by the first 4-train (cards e)`; empty if nothing can scrap it any more."""
    cards_till: int | None = None
    """How many more cards must leave the stack before that can happen; null if it cannot."""
    guest: bool = False
    """Whether it is only lent for the next run (the 3E-train of a private paper)."""


class ShareView(View, frozen=True, kw_only=True):
    """Who holds how much of a company. Together they are 100%."""

    holder: WhoView
    kind: HolderKind
    """`player`, `bystander` or `bank`."""
    percent: int
    certificates: int
    is_director: bool = False


CompanyState = Literal["unavailable", "not started", "started", "operating", "closed", "out of the game"]


class CompanyView(View, frozen=True, kw_only=True):
    """A company. What it does not have is null or empty."""

    id: str
    name: str
    kind: str
    """The size or kind of company, as the title calls it."""
    mark: MarkView
    state: CompanyState
    """Whether it can start, has started, operates or is closed."""
    state_words: str
    """`opens with the first d-train`, `has not floated: 30% sold, 50% wanted`"""
    opens_in_phase: str | None = None
    director: WhoView | None = None
    """The director, or the owner where there are no shares; null without one."""
    price: int | None = None
    """Its share price; null before it starts."""
    start_prices: tuple[int, ...] = ()
    """The prices at which it can start, until it has."""
    treasury: int | None = None
    """The company's money; null before it has any."""
    trains: tuple[TrainView, ...] = ()
    train_limit: int | None = None
    markers_left: int | None = None
    marker_price: int | None = None
    """What the next station or marker costs; null if it has none left."""
    homes: tuple[PlaceView, ...] = ()
    """Its home, or the hexes among which a large company chooses its home."""
    stations: tuple[PlaceView, ...] = ()
    shares: tuple[ShareView, ...] = ()
    """Who holds its shares: players first, the director leading, and the bank last."""
    holding_limit: int | None = None
    start_price: int | None = None
    """The price at which it started; null before."""
    price_moved: int = 0
    """How far the price has moved since the beginning of the last Operating Round, or of the present one: by the last
    income decision and all sales since. For a company that started later, since its start price."""
    marks: tuple[str, ...] = ()
    """What stands out: `sold out`, `no train`, `unfloated`, `first run next`, `no director`, `always pays out`."""
    bank_percent: int | None = None
    """How many percent can still be bought; null where there are no shares."""
    places: tuple[ShareView, ...] = ()
    """Where unsold shares lie, if there is more than one place."""
    last_revenue: int | None = None
    """What it ran for last; for a major, what it paid last."""
    last_dividend: int | None = None
    yield_percent: int | None = None
    """The last dividend in percent of today's price, rounded."""
    papers: tuple[PaperView, ...] = ()
    """What it owns besides trains."""
    terrain_tokens: int | None = None
    sells: str = ""
    """What a major sells to earn money; empty for others."""
    operating_place: int | None = None
    """Its place among the companies that have still to act in this Operating Round, from 1; 0 if it acts now."""
    in_turn: bool = False
    notes: tuple[str, ...] = ()
    """What else to know, such as the card of an automaton."""


# Trains and phases


class FaceView(View, frozen=True, kw_only=True):
    """A kind of train that a card can be bought as."""

    face: str
    price: int
    buyers: str
    """Who can buy it: `small companies`, `minors`."""
    reach: str
    """How far it runs: `3 cities and 3 towns`, `6 cities, leaves towns out`."""
    scraps: tuple[str, ...]
    """The kinds of train, still in the game, that its first sale scraps."""
    gone: bool
    """Whether this kind is scrapped itself and no longer sold."""


class StackView(View, frozen=True, kw_only=True):
    """Train cards that are sold together: those with one letter, or those of one stack."""

    id: str
    left: int | None
    """How many cards are left; null without end."""
    top: bool
    """Whether a train can be bought from it now."""
    next_card: str
    """The card on top; empty where cards have no numbers."""
    faces: tuple[FaceView, ...]
    begins: str | None
    """The phase that its first train will begin; null if that has happened."""
    words: str
    """`begins phase e (green tiles); scraps 2-trains`"""
    seller: str = ""
    """The company that sells it; empty for the bank."""
    tokens: int = 0
    """How many no-train-sold tokens lie on it."""


class PhaseView(View, frozen=True, kw_only=True):
    """A phase of the game."""

    id: str
    colour: str
    """The best colour of tiles that may be laid in it."""
    state: When
    train_limits: Mapping[str, int]
    """How many trains a company may own, by size of company."""
    words: tuple[str, ...]
    """What is new in it, a sentence each."""
    operating_rounds: int | None = None
    """How many Operating Rounds a set has, where that depends on the phase."""
    final: bool = False


class TrainsView(View, frozen=True, kw_only=True):
    """The trains for sale, the pool, and the phases that trains begin."""

    currency: str
    stacks: tuple[StackView, ...]
    """The stacks in the order in which they are sold, from the present one on."""
    pool: tuple[TrainView, ...]
    pool_prices: Mapping[str, int]
    """The price of each card in the pool."""
    scrapped: tuple[str, ...]
    """The kinds of train that are out of the game."""
    phases: tuple[PhaseView, ...]
    notes: tuple[str, ...]
    """Exports, no-train-sold tokens and rail cars, in words."""


# The round


BoxKind = Literal["opening", "shares", "operating", "between", "end"]


class BoxView(View, frozen=True, kw_only=True):
    """A step on the way through the game, such as a round."""

    id: str
    """`SR 3`, `OR 5.2`, `export 3`"""
    kind: BoxKind
    """What kind of step it is."""
    words: str
    detail: str
    """What to know about it."""
    state: When


class RoundView(View, frozen=True, kw_only=True):
    """The title, the round and the phase."""

    title: str
    variant: str
    name: str
    """Title and variant as people say them."""
    modules: tuple[str, ...]
    """The ids of the modules of an expansion that are played."""
    module_names: tuple[str, ...]
    """Their names."""
    currency: str
    number: int
    """How many answers have been given."""
    over: bool
    round: str
    """`OR 5.2`"""
    round_name: str
    """`Operating Round 5.2`"""
    phase: str
    phase_name: str
    phase_colour: str
    """The colour of tiles: yellow, green, brown or grey."""
    headline: tuple[str, ...]
    """The phase and what else tells the moment, in short pieces."""
    boxes: tuple[BoxView, ...]
    """The way through the game, as far as it is known."""
    next: str
    """What comes after this round, in words."""
    priority: WhoView | None
    """Who would be first in the next Stock or Share Round."""
    priority_words: str
    waiting: tuple[str, ...]
    """The companies that have still to act in this Operating Round, in order."""
    in_turn: str | None
    """The company that acts now; null if none does."""
    scene: Scene
    """What is being decided: `shares`, `operating` (a company acts) or `over`."""


# The log


class TextPart(View, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a text: plain words, or a hex or company that they mention."""

    text: str
    hex: str | None = None
    """The hex that the text means."""
    company: str | None = None
    """The company that the text means."""
    mark: MarkView | None = None
    """How that company looks."""


class LogEvent(View, frozen=True, kw_only=True):
    """A consequence of an answer."""

    kind: str
    """The kind of event: `paid`, `price_moved`, `tile_laid`, `revenue`, `floated` and so on."""
    topic: Topic
    text: str
    parts: tuple[TextPart, ...]
    companies: tuple[str, ...]
    """The companies that it is about."""
    seats: tuple[str, ...]
    """The seats that it is about."""
    grave: bool
    """Whether it changes the game for everybody: a phase, scrapped trains, a new director, a closed company."""
    folded: bool
    """Whether only this list mentions it, neither the answer nor its summary."""


SectionKind = Literal["round", "turn", "end"]


class LogSection(View, frozen=True, kw_only=True):
    """A round or turn that began after an answer, and what happened in it automatically."""

    kind: SectionKind
    """`round`, `turn` or `end`."""
    company: str | None
    """The company whose turn it is; null for a round."""
    mark: MarkView | None
    words: str
    """`Operating round 2.1`, or the company's name."""
    brief: str
    """What happened in it, in short."""
    brief_parts: tuple[TextPart, ...]


class NoticeView(View, frozen=True, kw_only=True):
    """Something that happened at the table outside the game."""

    version: int
    """The version of the game that it made."""
    kind: Literal["seat", "undo", "name"]
    """`seat`: someone else plays a seat. `undo`: answers were undone. `name`: a player changed their name."""
    seat: str
    """The seat in question, or that of whoever undid."""
    by_name: str
    words: str
    note: str
    """Who agreed, and who was not asked."""


class LogLine(View, frozen=True, kw_only=True):
    """An answer and its consequences. Line 0 is what happened before the first answer."""

    number: int
    """The number of the answer. `?at=` this number shows the table after it."""
    by: str
    by_name: str
    company: str | None
    """The company for which it was given; null if for none."""
    company_name: str = ""
    """The name of that company; empty without one."""
    mark: MarkView | None = None
    kind: str
    """The `do` of the action; `opening` for line 0."""
    topics: tuple[Topic, ...]
    words: str
    """What was done: `laid 57 in Praha for 10 K`."""
    parts: tuple[TextPart, ...]
    brief: str
    """Its consequences in short: `Anna +66, Ben +12 · price 65 → 70`; empty if the words say it all."""
    brief_parts: tuple[TextPart, ...]
    grave: bool
    """Whether one of the consequences changes the game for everybody."""
    after: tuple[LogSection, ...]
    """The rounds and turns that began after it."""
    events: tuple[LogEvent, ...]
    """All consequences, in order."""
    how: str = ""
    """Who answered: `person`, `bot`, `prepared` or `obvious` (there was only one answer); empty if unknown."""
    note: str = ""
    """What was noted beside it, such as that a bot failed."""
    notices: tuple[NoticeView, ...] = ()
    """What happened outside the game before the next answer."""
