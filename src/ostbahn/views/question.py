"""Views of the question: legal answers, offers on cards, routes, and effects of dividends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, Literal

from msgspec import structs

from ostbahn.interop.saves import encode_action
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Paid, PriceMoved
from ostbahn.kernel.steps import Decision
from ostbahn.text.formatting import printable, sentence_case
from ostbahn.text.speech import DONE_LABEL, Speech, TextRenderer, heading, question_words, text_renderer_of
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.models import MarkView, PlaceView, Scene, View, WhoView
from ostbahn.views.title_views import CandidateAnswer, TitleViews, first_field, views_of

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


def offer_views(views: TitleViews, question: Question) -> dict[str, tuple[OfferView, ...]]:
    """The offers for each company or item, in the order of the title's candidates."""
    candidates = list(views.candidates(question))
    if not candidates:
        return {}
    options = {option.action: (index, option) for index, option in enumerate(question.options)}
    by_subject: dict[str, list[OfferView]] = {}
    for (subject, _), group in groupby(candidates, key=lambda candidate: (candidate.subject, candidate.kind)):
        by_subject.setdefault(subject, []).extend(_offers_of_a_kind(views, question, list(group), options))
    return {subject: tuple(offers) for subject, offers in by_subject.items()}


def _offers_of_a_kind(
    views: TitleViews,
    question: Question,
    candidates: list[CandidateAnswer],
    options: Mapping[Action, tuple[int, Option]],
) -> Iterator[OfferView]:
    """One offer for each allowed candidate, then one for each reason of refusal."""
    refused: dict[RefusalView, list[CandidateAnswer]] = {}
    any_allowed = False
    for candidate in candidates:
        index, option = options.get(candidate.action, (None, None))
        if option is not None:
            any_allowed = True
            yield OfferView(
                kind=candidate.kind,
                words=candidate.words,
                short=candidate.short,
                price=candidate.price,
                index=index,
                span=span_view(option),
            )
        elif refusal := question.refusal(candidate.action):
            rule, text = refusal.rule.rpartition(" ")[2], views.short_reason(question, candidate, refusal)
            refused.setdefault(RefusalView(rule=rule, text=text), []).append(candidate)
    for reason, group in refused.items():
        first, several = group[0], len(group) > 1
        words = (first.rest if any_allowed else first.together) if several else first.words
        yield OfferView(kind=first.kind, words=words, price=first.price, refusal=reason)


def span_view(option: Option) -> SpanView | None:
    return None if option.span is None else SpanView(low=option.span.low, high=option.span.high)


PASSING: Final = "pass"
PLACES: Final = ("city", "hex")
"""Fields of an action that name a place on the board."""


def question_view(game: Game, answers: bool = True) -> QuestionView | None:
    """The present question; None when the game is over. answers: list them, for the player to move."""
    question = game.question
    if question is None:
        return None
    renderer, table, views = text_renderer_of(game), game.table, views_of(game)
    listed = answer_views(game) if answers else ()
    order = list(dict.fromkeys(views.groups.values()))
    company, chapters = question.company, renderer.chapters(question)
    head, matter = heading(game)
    return QuestionView(
        kind=question.kind,
        widget=views.widgets.get(question.kind, "answers"),
        decider=who_view(table, question.decider),
        company=company,
        company_name=table.name(company) if company is not None else "",
        mark=mark_view(table, company) if company is not None else None,
        asks_for=sentence_case(question_words(game)),
        heading=printable(head),
        matter=printable(matter),
        chapter=chapters[0],
        chapters=chapters,
        obvious=answers and question.obvious,
        groups=tuple(sorted({answer.group for answer in listed}, key=order.index)),
        answers=listed,
        scene=views.scene(question),
        offers=offer_views(views, question) if answers else {},
        auction=views.auction(question),
    )


def answer_views(game: Game) -> tuple[AnswerView, ...]:
    """All options in the engine's order; passing is labelled "Done" if the others are all rare actions."""
    question = game.question
    if question is None:
        return ()
    renderer, speech, views = text_renderer_of(game), Speech(game), views_of(game)
    listed = tuple(
        _answer_view(renderer, speech, views, question, index, option) for index, option in enumerate(question.options)
    )
    main = [answer for answer in listed if not answer.aside]
    if len(listed) > 1 and len(main) == 1 and main[0].kind == PASSING:
        return tuple(structs.replace(view, words=DONE_LABEL) if view is main[0] else view for view in listed)
    return listed


def _answer_view(
    renderer: TextRenderer, speech: Speech, views: TitleViews, question: Question, index: int, option: Option
) -> AnswerView:
    action, kind = option.action, tag_of(option.action)
    return AnswerView(
        index=index,
        action=encode_action(action),
        kind=kind,
        words=speech.label(option),
        remark=renderer.remark(question, action),
        group=views.heading(action) or views.groups[kind],
        span=span_view(option),
        place=first_field(action, PLACES),
        subject=views.subject(action),
        tile=views.tile(question, action),
        pick=views.pick(action) if kind in views.picked else None,
        aside=views.is_rare(question, action),
        how=views.distinction(action),
        cost=None if option.span is not None else views.cost(question, action),
    )


def tag_of(action: Action) -> str:
    return str(action.__struct_config__.tag)


# Data for the scripts of the page, kept short: there may be hundreds of lays


class AnswerData(View, frozen=True, kw_only=True, omit_defaults=True):
    """An answer for scripts, described by its tile, or in words if it lays none."""

    index: int
    action: Mapping[str, Any]
    place: str | None = None
    words: str = ""
    tile: str | None = None
    cost: int = 0
    how: str = ""


class TileData(View, frozen=True, kw_only=True):
    """A tile that can be laid."""

    colour: str
    left: int | None
    """How many are left; null for any number."""


class QuestionData(View, frozen=True, kw_only=True):
    """A question for scripts."""

    answers: tuple[AnswerData, ...]
    tiles: Mapping[str, TileData]


def question_data(game: Game, question: QuestionView) -> QuestionData:
    table = game.table
    tiles = dict.fromkeys(answer.tile for answer in question.answers if answer.tile is not None)
    return QuestionData(
        answers=tuple(_answer_data(answer) for answer in question.answers),
        tiles={
            tile: TileData(colour=table.title.tiles[tile].colour, left=table.state.supply.get(tile)) for tile in tiles
        },
    )


def _answer_data(answer: AnswerView) -> AnswerData:
    lays = answer.tile is not None
    return AnswerData(
        index=answer.index,
        action=answer.action,
        place=answer.place,
        words="" if lays else answer.words,
        tile=answer.tile,
        cost=(answer.cost or 0) if lays else 0,
        how=answer.how,
    )


def place_names(game: Game) -> dict[str, str]:
    return {hex_.id: hex_.printed.name for hex_ in game.table.title.map if hex_.printed.name}


def dividend_views(game: Game) -> tuple[DividendView, ...]:
    """The effect of each answer about income; empty at other questions."""
    question, views = game.question, views_of(game)
    if question is None or question.kind not in views.income_questions or question.company is None:
        return ()
    return tuple(
        _dividend_view(game, question, question.company, index, option)
        for index, option in enumerate(question.options)
        if tag_of(option.action) in views.income_answers
    )


def notable(dividends: Sequence[DividendView]) -> tuple[DividendView, ...]:
    """The amounts worth a button: the smallest payout for each resulting price, and the largest of all."""
    by_amount = sorted(dividends, key=_total_paid)
    smallest = {dividend.price_after: dividend for dividend in reversed(by_amount)}
    shown = {dividend.index: dividend for dividend in (*smallest.values(), *by_amount[-1:])}
    return tuple(sorted(shown.values(), key=_total_paid, reverse=True))


def _total_paid(dividend: DividendView) -> int:
    return dividend.to_bank + sum(receipt.amount for receipt in dividend.received)


def _dividend_view(game: Game, question: Question, company: str, index: int, option: Option) -> DividendView:
    table = game.table
    before, treasury = chart.price(table, company), table.state.cash[company]
    handler = game.rulebook.handlers[type(question.task)]
    step = handler.step_for(option.action) if isinstance(handler, Decision) else None
    if step is None:
        raise OstbahnError(f"{option.action} does not answer {question.task}")
    step.perform(table, question.task, option.action)
    received, after = Counter[str](), before
    for event in table.events:
        if isinstance(event, Paid):
            received[event.target] += event.amount
        elif isinstance(event, PriceMoved) and event.company == company:
            after = event.after
    to_bank = received.pop(BANK, 0)
    return DividendView(
        index=index,
        words=Speech(game).label(option),
        price_before=before,
        price_after=after,
        treasury_before=treasury,
        treasury_after=table.state.cash[company],
        received=tuple(
            ReceiptView(who=who_view(table, who), amount=amount)
            for who, amount in received.most_common()
            if who in table.state.players
        ),
        to_bank=to_bank,
    )
