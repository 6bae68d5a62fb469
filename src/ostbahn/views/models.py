"""The view models of the table: players, companies, trains, the round, and the log.

All are plain data that msgspec turns into JSON as they are; words are ready to be shown, figures are raw, and names
that people chose are made printable but not escaped. What is asked and answered is in
`question_models`, what figures are put together from all of them in `figure_models`, wealth and the result in
`wealth_models`.
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
    """Somebody who decides or holds something: a seat, a bystander or the bank."""

    seat: str
    """`p1` and so on; `bank` for the bank, and the name of a bystander."""
    name: str


class PlaceView(View, frozen=True, kw_only=True):
    """A hex or a city on the board."""

    id: str
    """`E11`, or `E11.1` where a city is meant."""
    hex: str
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
    """How many; the Director's is one."""
    is_director: bool
    price: int
    """Today's price of one share."""
    value: int
    """What the holding is worth at that price."""


When = Literal["done", "now", "ahead"]
Scene = Literal["shares", "operating", "over"]
"""What is being decided: shares and what else players buy, a company's turn, or nothing any more."""
HolderKind = Literal["bank", "player", "bystander"]


class PaperView(View, frozen=True, kw_only=True):
    """Something beside shares that somebody holds: a private railway, a paper, a minor."""

    id: str
    name: str
    label: str = ""
    """Letter and number by which people speak of it, where it has some."""
    kind: str
    """What the title calls it."""
    size: str = ""
    """The size of company that may own it."""
    income: int = 0
    """What it pays in an Operating Round; of a minor what its last run brought the owner."""
    price: int = 0
    """What it cost on the sheet, or its minimum bid."""
    value: int = 0
    """What it counts at the reckoning today."""
    power_used: bool = False
    """Whether what it can do once has been done."""
    words: str = ""
    """All of that in a line."""
    mark: MarkView | None = None
    """Of a minor."""


Role = Literal["player", "automaton", "bystander"]


class PlayerView(View, frozen=True, kw_only=True):
    """Somebody at the table, in playing order."""

    seat: str
    name: str
    role: Role
    """An automaton is played by the rules; a bystander holds certificates only, without seat and money."""
    place: int | None
    """Their place in playing order, from 1; a bystander has none."""
    has_priority: bool
    """Whether they begin the next Stock or Share Round as things stand."""
    priority_words: str
    """`priority deal`, `first in playing order`; empty without."""
    deciding: bool
    """Whether they are asked now."""
    cash: int | None
    debt: int = 0
    penalty: int = 0
    """What a loan costs at the reckoning beside the debt."""
    holdings: tuple[HoldingView, ...]
    """Highest price first."""
    papers: tuple[PaperView, ...]
    certificates: int
    certificate_limit: int | None
    over_limit: bool = False
    worth: int | None
    """What they are worth today, as the reckoning counts."""
    rank: int | None
    """1 for the richest; equals share a rank."""
    can_raise: int | None = None
    """What they could get beyond their cash by selling all shares that they may sell, as things stand.

    It is reckoned as a turn of theirs in the present round of shares, or in one that began now, whoever is asked in
    fact: of every company the largest sale that the rules allow at once, at today's price. A price falls only after a
    sale, so no sale of another company brings less for it. What a Director must keep is left out, and whatever is not
    sold in such a turn: papers, minors. An automaton that never sells could raise 0. None: has no money of their own.
    """
    last_income: int | None = None
    """What their holdings brought them in `income_round`: dividends, papers, minors; None before the first."""
    income_round: str = ""
    """The Operating Round that is being played or was played last: `OR 5.2`; empty before the first."""
    notes: tuple[str, ...] = ()
    """What else lies before them: the cards of an automaton."""


# Companies


class TrainView(View, frozen=True, kw_only=True):
    """A train card outside the stack."""

    card: str
    face: str
    size: str = ""
    """The size of company that can run it, where that matters."""
    runs: bool = True
    """Whether the company that has it can run it."""
    scrapped_by: str = ""
    """`scrapped by the first 4-train (cards e)`; empty if nothing scraps it any more."""
    cards_till: int | None = None
    """After how many more cards from the stack that can happen, at the earliest."""
    guest: bool = False
    """Whether it has only been given for the next run (the 3E-train of a private paper)."""


class ShareView(View, frozen=True, kw_only=True):
    """Who holds how much of a company; all of them together are 100%."""

    holder: WhoView
    kind: HolderKind
    percent: int
    certificates: int
    is_director: bool = False


CompanyState = Literal["unavailable", "not started", "started", "operating", "closed", "out of the game"]


class CompanyView(View, frozen=True, kw_only=True):
    """A company. What it does not have yet, or never has, is None or empty."""

    id: str
    name: str
    kind: str
    """The size or sort of company, as the title calls it."""
    mark: MarkView
    state: CompanyState
    state_words: str
    """`opens with the first d-train`, `has not floated: 30% sold, 50% wanted`"""
    opens_in_phase: str | None = None
    director: WhoView | None = None
    """The director, or the owner where there are no shares."""
    price: int | None = None
    start_prices: tuple[int, ...] = ()
    """At which it can start, while it has not."""
    treasury: int | None = None
    trains: tuple[TrainView, ...] = ()
    train_limit: int | None = None
    markers_left: int | None = None
    marker_price: int | None = None
    """What the next station or marker costs; None without one."""
    homes: tuple[PlaceView, ...] = ()
    """Its home, or the hexes among which a large company chooses it."""
    stations: tuple[PlaceView, ...] = ()
    shares: tuple[ShareView, ...] = ()
    """Players first, the director leading; the bank last."""
    holding_limit: int | None = None
    start_price: int | None = None
    """The price at which its shares began."""
    price_moved: int = 0
    """Today's price less the one at the beginning of the last Operating Round, the present one if there is one.

    So it is what the last income decision and all sales since have done, in the same time as `last_income` of players.
    A company that has started since then is compared with its starting price.
    """
    marks: tuple[str, ...] = ()
    """What stands out: `sold out`, `no train`, `unfloated`, `first run next`, `no director`, `always pays out`."""
    bank_percent: int | None = None
    """What can still be bought of it; None where there are no shares."""
    places: tuple[ShareView, ...] = ()
    """The same by the places where shares are left, where there is one at all."""
    last_revenue: int | None = None
    """What it ran for last; of a major what it paid last."""
    last_dividend: int | None = None
    """What one share got when its income was decided on last, 0 where it was kept; None before that."""
    yield_percent: int | None = None
    """The last dividend in percent of today's price, rounded."""
    papers: tuple[PaperView, ...] = ()
    """What it holds beside trains."""
    terrain_tokens: int | None = None
    sells: str = ""
    """What a major lives on."""
    operating_place: int | None = None
    """Its place in the order of this Operating Round among those that have not acted, from 1; 0 is the one in turn."""
    in_turn: bool = False
    notes: tuple[str, ...] = ()
    """What else there is to say: the card of an automaton."""


# Trains and phases


class FaceView(View, frozen=True, kw_only=True):
    """A face on which a train card can be bought."""

    face: str
    price: int
    buyers: str
    """`small companies`, `minors`"""
    reach: str
    """`3 cities and 3 towns`, `6 cities, leaves towns out`"""
    scraps: tuple[str, ...]
    """Faces that its first sale scraps and that are still in the game."""
    gone: bool
    """Whether this face itself is scrapped and no longer sold."""


class StackView(View, frozen=True, kw_only=True):
    """Train cards that are sold together: those of one letter, or of one stack."""

    id: str
    left: int | None
    """None: without end."""
    top: bool
    """Whether a train can be bought from it now."""
    next_card: str
    """The card on top, where cards have numbers."""
    faces: tuple[FaceView, ...]
    begins: str | None
    """The phase that its first train begins, if that is still to come."""
    words: str
    """`begins phase e (green tiles); scraps 2-trains`"""
    seller: str = ""
    """The company that sells it, if not the bank."""
    tokens: int = 0
    """No-train-sold tokens on it."""


class PhaseView(View, frozen=True, kw_only=True):
    id: str
    colour: str
    """The highest colour of tiles."""
    state: When
    train_limits: Mapping[str, int]
    """By size of company."""
    words: tuple[str, ...]
    """What is new in it, a sentence each."""
    operating_rounds: int | None = None
    """In a set, where that depends on the phase."""
    final: bool = False


class TrainsView(View, frozen=True, kw_only=True):
    currency: str
    stacks: tuple[StackView, ...]
    """In the order in which they are sold, from the present one on."""
    pool: tuple[TrainView, ...]
    pool_prices: Mapping[str, int]
    """By card."""
    scrapped: tuple[str, ...]
    """Faces that are out of the game."""
    phases: tuple[PhaseView, ...]
    notes: tuple[str, ...]
    """Exports, no-train-sold tokens, rail cars, in words."""


# The round


class BoxView(View, frozen=True, kw_only=True):
    """A step on the way through the game."""

    id: str
    """`SR 3`, `OR 5.2`, `export 3`"""
    kind: Literal["opening", "shares", "operating", "between", "end"]
    words: str
    detail: str
    """What to know about it."""
    state: When


class RoundView(View, frozen=True, kw_only=True):
    title: str
    variant: str
    name: str
    """Title and variant as people say them."""
    modules: tuple[str, ...]
    """Of an expansion, those that are played."""
    module_names: tuple[str, ...]
    """The same as people call them."""
    currency: str
    number: int
    """How many answers stand."""
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
    """Who begins the next Stock or Share Round as things stand."""
    priority_words: str
    waiting: tuple[str, ...]
    """Companies that have still to act in this Operating Round, in order."""
    in_turn: str | None
    """The company whose turn it is."""
    scene: Scene
    """Which arrangement a page takes."""


# The log


class TextPart(View, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a text: plain words, or a hex or company that it mentions and that can be shown."""

    text: str
    hex: str | None = None
    company: str | None = None
    mark: MarkView | None = None
    """Of the company."""


class LogEvent(View, frozen=True, kw_only=True):
    """Something that came of an answer."""

    kind: str
    """Its tag: paid, price_moved, tile_laid, revenue, floated, …"""
    topic: Topic
    text: str
    parts: tuple[TextPart, ...]
    """The text, cut at the hexes and companies in it."""
    companies: tuple[str, ...]
    seats: tuple[str, ...]
    grave: bool
    """Whether it changes the game for everybody: a phase, scrapped trains, a new director, a closed company."""
    folded: bool
    """Whether neither the answer nor what stands beside it in short tells it, so that one finds it only here."""


SectionKind = Literal["round", "turn", "end"]


class LogSection(View, frozen=True, kw_only=True):
    """A round or turn that began after an answer, with what happened in it by itself."""

    kind: SectionKind
    company: str | None
    """Whose turn."""
    mark: MarkView | None
    words: str
    """`Operating round 2.1`, or the company's name."""
    brief: str
    """What happened in it, in short."""
    brief_parts: tuple[TextPart, ...]


class NoticeView(View, frozen=True, kw_only=True):
    """What happened at the table beside the game."""

    version: int
    kind: Literal["seat", "undo", "name"]
    """Somebody else plays a seat from now on, answers were taken back, or somebody said what they are called."""
    seat: str
    """Whose seat, or who took back."""
    by_name: str
    words: str
    note: str
    """Who agreed, and who was not asked."""


class LogLine(View, frozen=True, kw_only=True):
    """An answer and what came of it; number 0 is what happened before the first one."""

    number: int
    """The state after it is `game.at(number)`."""
    by: str
    by_name: str
    company: str | None
    """For which company it was given; nobody answers to an offer for a company."""
    company_name: str = ""
    """As people call it; empty without one."""
    mark: MarkView | None = None
    kind: str
    """The tag of the action; `opening` for number 0."""
    topics: tuple[Topic, ...]
    words: str
    """What was done: `laid 57 in Praha for 10 K`."""
    parts: tuple[TextPart, ...]
    brief: str
    """What came of it, in short: `Anna +66, Ben +12 · price 65 → 70`; empty if the words say it all."""
    brief_parts: tuple[TextPart, ...]
    grave: bool
    """Whether something among it changes the game for everybody."""
    after: tuple[LogSection, ...]
    """What then began, as far as there is something to tell of it."""
    events: tuple[LogEvent, ...]
    """All that came of it, in order."""
    how: str = ""
    """person, bot, prepared or obvious, where that is known."""
    note: str = ""
    """What was noted beside it: that a bot failed."""
    notices: tuple[NoticeView, ...] = ()
    """What happened at the table after it, before the next answer that stands."""
