"""What a page lists of answers, offers and companies: grouped, chosen from, and left out where it stands elsewhere.

Templates print this as it is.
"""

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
"""Places that are buttons with words; more are listed by name."""
MOST_AMOUNTS: Final = 8
"""Amounts that are buttons; of more only the notable ones are."""
MANY: Final = 8
CROWDED: Final = 20
"""Cards of companies, and things to buy, beyond which they stand closer together."""
STATES: Final[Mapping[CompanyState, str]] = {
    "operating": "active",
    "started": "active",
    "not started": "waiting",
    "unavailable": "waiting",
    "closed": "gone",
    "out of the game": "gone",
}


class PictureChip(Struct, frozen=True):
    """A place in a list of many: a hex whose tiles are chosen on the board, or an answer."""

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
    """Answers of which one is chosen from a list."""

    label: str
    asks: str
    button: str
    options: tuple[ListOption, ...]
    about: str = ""


class Button(Struct, frozen=True):
    """An answer on a button of its own, or with a price to type."""

    answer: AnswerView
    dividend: DividendView | None
    in_line: bool = False
    """Whether it is one of many amounts."""


class AnswerGroup(Struct, frozen=True):
    """Answers under one heading."""

    name: str
    chips: tuple[PictureChip, ...] = ()
    prices: AnswerChoice | None = None
    """Several things of which one is chosen together with a price."""
    buttons: tuple[Button, ...] = ()
    choices: tuple[AnswerChoice, ...] = ()


class ListedAnswers(Struct, frozen=True):
    """What can be answered beside the board."""

    groups: tuple[AnswerGroup, ...]
    passing: tuple[Button, ...]
    also: tuple[AnswerGroup, ...]
    """What is nearly always possible and rarely wanted."""
    number_also: int


def answers_of(view: TableView, places: Mapping[str, str]) -> ListedAnswers:
    """All that stands neither on a card nor in the editor of routes. places: names of hexes."""
    question = view.question
    if question is None:
        return ListedAnswers((), (), (), 0)
    on_cards = {offer.index for offers in question.offers.values() for offer in offers}
    main, passing, also = list[AnswerView](), list[AnswerView](), list[AnswerView]()
    for answer in question.answers:
        if answer.index not in on_cards and not (view.routes is not None and answer.kind == RUN):
            (also if answer.aside else passing if answer.kind == PASSING else main).append(answer)
    return ListedAnswers(
        groups=_groups(main, question.groups, places, view.dividends),
        passing=tuple(Button(answer, None) for answer in passing),
        also=_groups(also, question.groups, places, view.dividends),
        number_also=len(also),
    )


def _groups(
    answers: Iterable[AnswerView], names: Iterable[str], places: Mapping[str, str], dividends: Sequence[DividendView]
) -> tuple[AnswerGroup, ...]:
    """Tiles of all kinds are chosen at their hexes, so these are one list."""
    tiles = [answer for answer in answers if answer.tile is not None]
    grouped = {name: [each for each in answers if each.group == name and each.tile is None] for name in names}
    by_index = {dividend.index: dividend for dividend in dividends}
    lays = (AnswerGroup(tiles[0].group, chips=_hexes(tiles, places)),) if tiles else ()
    return (*lays, *(_group(name, same, places, by_index) for name, same in grouped.items() if same))


def _group(
    name: str, answers: Sequence[AnswerView], places: Mapping[str, str], dividends: Mapping[int, DividendView]
) -> AnswerGroup:
    if len(answers) > MOST_BUTTONS and answers[0].place is not None:
        return AnswerGroup(name, chips=_cities(answers, places))
    if answers[0].pick is not None:
        return AnswerGroup(name, choices=_picks(answers))
    if len(answers) > MOST_AMOUNTS and dividends:
        return _amounts(name, answers, dividends)
    priced = [answer for answer in answers if answer.span is not None]
    several = len(priced) > 1
    buttons = _unlike(answer for answer in answers if not (several and answer.span is not None))
    return AnswerGroup(
        name,
        prices=_prices(name, priced) if several else None,
        buttons=tuple(Button(answer, dividends.get(answer.index)) for answer in buttons),
    )


def _hexes(tiles: Sequence[AnswerView], places: Mapping[str, str]) -> tuple[PictureChip, ...]:
    """Beside a hex stands in which way its tiles are laid, if there is no other."""
    ways: dict[str, set[str]] = {}
    for answer in tiles:
        ways.setdefault(answer.place or "", set()).add(answer.how)
    return tuple(
        PictureChip(hex_, places.get(hex_, hex_), next(iter(how)) if len(how) == 1 else "")
        for hex_, how in sorted(ways.items())
    )


def _cities(answers: Sequence[AnswerView], places: Mapping[str, str]) -> tuple[PictureChip, ...]:
    """By name, unless several are in one hex."""
    spots = [(answer, answer.place or "") for answer in answers]
    number = Counter(hex_of(place) for _, place in spots)
    return tuple(
        PictureChip(
            place,
            answer.words if number[hex_of(place)] > 1 else places.get(hex_of(place), answer.words),
            "",
            answer.index,
            f"{answer.words}: {answer.remark}" if answer.remark else answer.words,
        )
        for answer, place in spots
    )


def _picks(answers: Iterable[AnswerView]) -> tuple[AnswerChoice, ...]:
    by_subject: dict[str | None, list[AnswerView]] = {}
    for answer in answers:
        by_subject.setdefault(answer.subject, []).append(answer)
    choices = []
    for _, same in sorted(by_subject.items(), key=lambda item: item[0] or ""):
        pick = same[0].pick
        assert pick is not None
        options = tuple(ListOption(answer.index, answer.pick.option) for answer in same if answer.pick is not None)
        choices.append(AnswerChoice(pick.label, pick.asks, pick.button, options, pick.about))
    return tuple(choices)


def _amounts(name: str, answers: Sequence[AnswerView], dividends: Mapping[int, DividendView]) -> AnswerGroup:
    """The notable ones as buttons in a line, all others in a list."""
    seen = {dividend.index for dividend in notable(tuple(dividends.values()))}
    prices = {index: f", price {dividend.price_after}" for index, dividend in dividends.items()}
    others = tuple(
        ListOption(each.index, f"{each.words}{prices.get(each.index, '')}")
        for each in answers
        if each.index not in seen
    )
    return AnswerGroup(
        name,
        buttons=tuple(Button(each, dividends[each.index], in_line=True) for each in answers if each.index in seen),
        choices=(AnswerChoice("Another amount", "Another amount", "Choose", others),),
    )


def _prices(name: str, answers: Iterable[AnswerView]) -> AnswerChoice:
    options = (
        ListOption(each.index, f"{each.words}, {each.remark}" if each.remark else each.words, each.span)
        for each in answers
    )
    return AnswerChoice("", name, "Offer", tuple(options))


def _unlike(answers: Iterable[AnswerView]) -> Iterable[AnswerView]:
    """Trains that are alike are one choice, whichever card it is."""
    unlike: dict[tuple[str, str, str | None], AnswerView] = {}
    for answer in answers:
        unlike.setdefault((answer.words, answer.remark, answer.place), answer)
    return unlike.values()


# On cards


class CardOffer(Struct, frozen=True):
    """Offers of a kind on a card: a button, or several of which one is chosen from a list."""

    kind: str
    words: str
    offers: tuple[OfferView, ...]


def on_card(offers: Iterable[OfferView]) -> list[CardOffer]:
    """What is allowed in the order of its kinds, and what is refused after it."""
    listed: list[CardOffer] = []
    allowed = [offer for offer in offers if offer.index is not None]
    for kind in dict.fromkeys(offer.kind for offer in allowed):
        same = tuple(offer for offer in allowed if offer.kind == kind)
        if len(same) > 1 and same[0].short:
            listed.append(CardOffer(kind, same[0].words.replace(same[0].short, "").strip(), same))
        else:
            listed += (CardOffer(kind, offer.words, (offer,)) for offer in same)
    return listed + [CardOffer(offer.kind, offer.words, (offer,)) for offer in offers if offer.index is None]


def card_remarks(company: CompanyView) -> str:
    """What stands at the foot of a card, but for the mark that stands at its head."""
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
    """Companies and things to buy, by where they stand on the page. offers: by company and thing."""
    named = {thing.id for thing in things}
    by_state: dict[str, list[CompanyView]] = {}
    for company in companies:
        by_state.setdefault(STATES[company.state], []).append(company)
    traded = [company for company in by_state.get("active", ()) if company.shares]
    waiting = [company for company in by_state.get("waiting", ()) if company.id not in named]
    return {
        "things": [_thing(item, offers.get(item.id, ())) for item in things],
        "traded": traded,
        "waiting": waiting,
        "startable": any(company.id in offers for company in waiting),
        "owned": [] if things else [company for company in by_state.get("active", ()) if not company.shares],
        "gone": by_state.get("gone", ()),
        "many": len(traded) > MANY or bool(traded and things),
        "crowded": len(things) > CROWDED,
    }


def _thing(item: ItemView, offers: Sequence[OfferView]) -> dict[str, object]:
    """With one offer at one price its button stands beside its name; it is barred if all is refused."""
    at_once = len(offers) == 1 and offers[0].index is not None and offers[0].span is None
    barred = bool(offers) and all(offer.index is None for offer in offers)
    return {"item": item, "offers": offers, "at_once": at_once, "barred": barred}


# Figures and words


def income_totals(sheet: SheetView) -> dict[str, int]:
    """What each player has received in all rounds of the sheet; those without cash have no column."""
    seats = [row.seat for row in sheet.rows if row.cash is not None]
    return {seat: sum(income.received.get(seat, 0) for income in sheet.incomes) for seat in seats}


def plan_words(plan: PlanView) -> str:
    """How a planning board stands to its game."""
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
