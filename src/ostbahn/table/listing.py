"""Lists of answers, offers and companies for templates: grouped, and without what the page shows elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ostbahn.kernel.map.board import hex_of
from ostbahn.table.plans import PlanView
from ostbahn.table.table_view import TableView
from ostbahn.text.words import plural
from ostbahn.views.models import CompanyState, CompanyView
from ostbahn.views.question import PASSING, AnswerView, DividendView, ItemView, OfferView, SpanView, notable
from ostbahn.views.routes import RUN
from ostbahn.views.wealth import SheetView

MOST_BUTTONS: Final = 6
"""Places shown as buttons with words; more are listed by name."""
MOST_AMOUNTS: Final = 8
"""Amounts shown as buttons; if there are more, only the notable ones are."""
MANY: Final = 8
CROWDED: Final = 20
"""Numbers of company cards, and of items, beyond which the page packs them closer."""
STATES: Final[Mapping[CompanyState, str]] = {
    "operating": "active",
    "started": "active",
    "not started": "waiting",
    "unavailable": "waiting",
    "closed": "gone",
    "out of the game": "gone",
}


class PictureChip(Struct, frozen=True):
    """A place in a list: a hex whose tiles are chosen on the board, or an answer."""

    place: str
    words: str
    about: str
    index: int | None = None
    title: str = ""


class ListOption(Struct, frozen=True):
    """An answer in a list to choose from."""

    index: int
    words: str
    span: SpanView | None = None


class AnswerChoice(Struct, frozen=True):
    """Answers in a drop-down list."""

    label: str
    asks: str
    button: str
    options: tuple[ListOption, ...]
    about: str = ""


class Button(Struct, frozen=True):
    """An answer with its own button, or with a price to type."""

    answer: AnswerView
    dividend: DividendView | None
    in_line: bool = False
    """Whether it is one of many amounts."""


class AnswerGroup(Struct, frozen=True):
    """Answers under one heading."""

    name: str
    chips: tuple[PictureChip, ...] = ()
    prices: AnswerChoice | None = None
    """Answers of which you choose one and type its price."""
    buttons: tuple[Button, ...] = ()
    choices: tuple[AnswerChoice, ...] = ()


class ListedAnswers(Struct, frozen=True):
    """The answers listed beside the board."""

    groups: tuple[AnswerGroup, ...]
    passing: tuple[Button, ...]
    also: tuple[AnswerGroup, ...]
    """Answers that are nearly always possible and rarely wanted."""
    number_also: int


def answers_of(view: TableView, places: Mapping[str, str]) -> ListedAnswers:
    """Group the answers that appear neither on a card nor in the route editor. places: names of hexes."""
    question = view.question
    if question is None:
        return ListedAnswers((), (), (), 0)
    on_cards = {offer.index for offers in question.offers.values() for offer in offers}
    main, passing, also = list[AnswerView](), list[AnswerView](), list[AnswerView]()
    for answer in question.answers:
        if answer.index not in on_cards and not (view.routes is not None and answer.kind == RUN):
            (also if answer.aside else passing if answer.kind == PASSING else main).append(answer)
    return ListedAnswers(
        groups=_group_answers(main, question.groups, places, view.dividends),
        passing=tuple(Button(answer, None) for answer in passing),
        also=_group_answers(also, question.groups, places, view.dividends),
        number_also=len(also),
    )


def _group_answers(
    answers: Iterable[AnswerView], names: Iterable[str], places: Mapping[str, str], dividends: Sequence[DividendView]
) -> tuple[AnswerGroup, ...]:
    """One group for all tiles, which are chosen at their hexes; then the other groups by name."""
    tiles = [answer for answer in answers if answer.tile is not None]
    grouped = {name: [answer for answer in answers if answer.group == name and answer.tile is None] for name in names}
    by_index = {dividend.index: dividend for dividend in dividends}
    lays = (AnswerGroup(tiles[0].group, chips=_hex_chips(tiles, places)),) if tiles else ()
    return (*lays, *(_make_group(name, members, places, by_index) for name, members in grouped.items() if members))


def _make_group(
    name: str, answers: Sequence[AnswerView], places: Mapping[str, str], dividends: Mapping[int, DividendView]
) -> AnswerGroup:
    if len(answers) > MOST_BUTTONS and answers[0].place is not None:
        return AnswerGroup(name, chips=_city_chips(answers, places))
    if answers[0].pick is not None:
        return AnswerGroup(name, choices=_choices_by_subject(answers))
    if len(answers) > MOST_AMOUNTS and dividends:
        return _amount_group(name, answers, dividends)
    priced = [answer for answer in answers if answer.span is not None]
    several = len(priced) > 1
    buttons = _without_duplicates(answer for answer in answers if not (several and answer.span is not None))
    return AnswerGroup(
        name,
        prices=_price_choice(name, priced) if several else None,
        buttons=tuple(Button(answer, dividends.get(answer.index)) for answer in buttons),
    )


def _hex_chips(tiles: Sequence[AnswerView], places: Mapping[str, str]) -> tuple[PictureChip, ...]:
    """Link each hex where a tile can be laid, with `AnswerView.how` if all its tiles share it."""
    hows_by_hex: dict[str, set[str]] = {}
    for answer in tiles:
        hows_by_hex.setdefault(answer.place or "", set()).add(answer.how)
    return tuple(
        PictureChip(hex_, places.get(hex_, hex_), next(iter(hows)) if len(hows) == 1 else "")
        for hex_, hows in sorted(hows_by_hex.items())
    )


def _city_chips(answers: Sequence[AnswerView], places: Mapping[str, str]) -> tuple[PictureChip, ...]:
    """Link each answer by the name of its hex, or by its words if several share a hex."""
    with_place = [(answer, answer.place or "") for answer in answers]
    answers_per_hex = Counter(hex_of(place) for _, place in with_place)
    return tuple(
        PictureChip(
            place,
            answer.words if answers_per_hex[hex_of(place)] > 1 else places.get(hex_of(place), answer.words),
            "",
            answer.index,
            f"{answer.words}: {answer.remark}" if answer.remark else answer.words,
        )
        for answer, place in with_place
    )


def _choices_by_subject(answers: Iterable[AnswerView]) -> tuple[AnswerChoice, ...]:
    """One drop-down list for each subject."""
    by_subject: dict[str | None, list[AnswerView]] = {}
    for answer in answers:
        by_subject.setdefault(answer.subject, []).append(answer)
    choices = []
    for _, members in sorted(by_subject.items(), key=lambda item: item[0] or ""):
        pick = members[0].pick
        assert pick is not None
        options = tuple(ListOption(answer.index, answer.pick.option) for answer in members if answer.pick is not None)
        choices.append(AnswerChoice(pick.label, pick.asks, pick.button, options, pick.about))
    return tuple(choices)


def _amount_group(name: str, answers: Sequence[AnswerView], dividends: Mapping[int, DividendView]) -> AnswerGroup:
    """Notable amounts as buttons in a line, the others in a drop-down list."""
    notable_indices = {dividend.index for dividend in notable(tuple(dividends.values()))}
    prices = {index: f", price {dividend.price_after}" for index, dividend in dividends.items()}
    buttons = [answer for answer in answers if answer.index in notable_indices]
    others = [answer for answer in answers if answer.index not in notable_indices]
    options = tuple(ListOption(answer.index, f"{answer.words}{prices.get(answer.index, '')}") for answer in others)
    return AnswerGroup(
        name,
        buttons=tuple(Button(answer, dividends[answer.index], in_line=True) for answer in buttons),
        choices=(AnswerChoice("Another amount", "Another amount", "Choose", options),),
    )


def _price_choice(name: str, answers: Iterable[AnswerView]) -> AnswerChoice:
    options = (
        ListOption(answer.index, f"{answer.words}, {answer.remark}" if answer.remark else answer.words, answer.span)
        for answer in answers
    )
    return AnswerChoice("", name, "Offer", tuple(options))


def _without_duplicates(answers: Iterable[AnswerView]) -> Iterable[AnswerView]:
    """Keep one of several answers that read the same, such as cards with the same train."""
    unique: dict[tuple[str, str, str | None], AnswerView] = {}
    for answer in answers:
        unique.setdefault((answer.words, answer.remark, answer.place), answer)
    return unique.values()


# On cards


class CardOffer(Struct, frozen=True):
    """One offer on a card as a button, or several of a kind as a drop-down list."""

    kind: str
    words: str
    offers: tuple[OfferView, ...]


def grouped_offers(offers: Iterable[OfferView]) -> list[CardOffer]:
    """Group allowed offers of a kind into one list; refused ones follow singly."""
    grouped: list[CardOffer] = []
    allowed = [offer for offer in offers if offer.index is not None]
    for kind in dict.fromkeys(offer.kind for offer in allowed):
        members = tuple(offer for offer in allowed if offer.kind == kind)
        if len(members) > 1 and members[0].short:
            grouped.append(CardOffer(kind, members[0].words.replace(members[0].short, "").strip(), members))
        else:
            grouped += (CardOffer(kind, offer.words, (offer,)) for offer in members)
    return grouped + [CardOffer(offer.kind, offer.words, (offer,)) for offer in offers if offer.index is None]


def card_remarks(company: CompanyView) -> str:
    """The text at the foot of a company's card; its first mark is at the head."""
    tokens = company.terrain_tokens or 0
    words = [
        *company.marks[1:],
        company.state_words if company.state == "started" else "",
        f"sells {company.sells}" if company.sells else "",
        plural(tokens, "terrain token") if tokens else "",
        *(paper.name for paper in company.papers),
        *company.notes,
    ]
    return "; ".join(filter(None, words))


def companies_shown(
    companies: Sequence[CompanyView], things: Sequence[ItemView], offers: Mapping[str, Sequence[OfferView]]
) -> dict[str, object]:
    """Sort companies and items to buy by their place on the page. offers: by id of company or item."""
    item_ids = {item.id for item in things}
    by_state: dict[str, list[CompanyView]] = {}
    for company in companies:
        by_state.setdefault(STATES[company.state], []).append(company)
    traded = [company for company in by_state.get("active", ()) if company.shares]
    waiting = [company for company in by_state.get("waiting", ()) if company.id not in item_ids]
    return {
        "things": [_item_values(item, offers.get(item.id, ())) for item in things],
        "traded": traded,
        "waiting": waiting,
        "startable": any(company.id in offers for company in waiting),
        "owned": [] if things else [company for company in by_state.get("active", ()) if not company.shares],
        "gone": by_state.get("gone", ()),
        "many": len(traded) > MANY or bool(traded and things),
        "crowded": len(things) > CROWDED,
    }


def _item_values(item: ItemView, offers: Sequence[OfferView]) -> dict[str, object]:
    """`at_once`: a single offer at a fixed price, with its button beside the name. `barred`: all offers are refused."""
    at_once = len(offers) == 1 and offers[0].index is not None and offers[0].span is None
    barred = bool(offers) and all(offer.index is None for offer in offers)
    return {"item": item, "offers": offers, "at_once": at_once, "barred": barred}


# Figures and words


def income_totals(sheet: SheetView) -> dict[str, int]:
    """The income of each player over all rounds; only players with cash have a column."""
    seats = [row.seat for row in sheet.rows if row.cash is not None]
    return {seat: sum(income.received.get(seat, 0) for income in sheet.incomes) for seat in seats}


def plan_words(plan: PlanView) -> str:
    """How a planning board compares with its game, in words."""
    if plan.broke:
        left = f"{plan.usable} of its {plural(plan.left, 'further answer')} can still be given"
        return f"Broken: {plan.broke}. {left if plan.usable else 'Nothing of it can be given any more'}."
    if plan.now < plan.fork:
        return f"The game was taken back to move {plan.now}."
    if plan.answers == 0:
        return "Play on for all sides; nobody sees it."
    if plan.followed == plan.answers:
        return "The game has gone all the way with it."
    if plan.followed:
        return f"The game has gone with {plan.followed} of {plan.answers} answers."
    return f"{plural(plan.answers, 'answer')} planned."
