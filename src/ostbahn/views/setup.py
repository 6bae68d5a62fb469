"""What can be played, and what can be chosen for it."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ostbahn.kits.catalogue import CATALOGUE, entry_of, rulebook
from ostbahn.kits.data import Ruling
from ostbahn.kits.kit import Entry


class ChoiceView(Struct, frozen=True):
    """Something that has to be chosen in a variant; the first value is taken if nothing is said."""

    name: str
    values: tuple[str, ...]
    about: str


class RulingView(Struct, frozen=True):
    """A question that the rulebook leaves open, and how it can be ruled."""

    id: str
    question: str
    values: tuple[str, ...]
    default: str
    site: str
    """How 18xx.games rules."""
    explanation: str
    rules: tuple[str, ...]
    ambiguity: str | None
    """The id of the question in the list of ambiguities, if it is there."""


class EntryView(Struct, frozen=True, kw_only=True):
    """A way to play."""

    title: str
    variant: str
    name: str
    about: str
    note: str
    seatless: str
    """Who takes part but has no seat."""
    players: tuple[int, ...]
    options: tuple[ChoiceView, ...]
    rulings: tuple[RulingView, ...]
    own_board: bool
    own_deck: bool


@cache
def catalogue_view() -> tuple[EntryView, ...]:
    return tuple(map(_entry_view, CATALOGUE))


def name_of(title: str, variant: str) -> str:
    """What people call a way to play."""
    return entry_of(title, variant).name


def _entry_view(entry: Entry) -> EntryView:
    rulings = rulebook(entry.title, entry.variant, entry.players[0]).title.rulings.values()
    return EntryView(
        title=entry.title,
        variant=entry.variant,
        name=entry.name,
        about=entry.about,
        note=entry.note,
        seatless=entry.seatless,
        players=entry.players,
        options=tuple(ChoiceView(name, choice.values, choice.about) for name, choice in entry.options.items()),
        rulings=tuple(map(ruling_view, rulings)),
        own_board=entry.own_board,
        own_deck=entry.own_deck,
    )


def ruling_view(ruling: Ruling) -> RulingView:
    return RulingView(
        id=ruling.id,
        question=ruling.question,
        values=ruling.values,
        default=ruling.default,
        site=ruling.site,
        explanation=ruling.explanation,
        rules=ruling.rules,
        ambiguity=ruling.ambiguity,
    )
