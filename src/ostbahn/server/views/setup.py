"""What can be played, and what can be chosen for it."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct

from ostbahn.kits.catalogue import CATALOGUE, rulebook
from ostbahn.kits.data import Ruling
from ostbahn.kits.kit import Entry

NAMES: Final = {
    ("18CZ", "base"): "18CZ",
    ("18CZ", "bohemia"): "18CZ: Bohemia",
    ("18CZ", "moravia"): "18CZ: Moravia-Silesia",
    ("18Mag", "base"): "18Mag",
    ("18Mag", "two_player"): "18Mag for two",
    ("18Mag", "solo"): "18Mag solo",
}


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
    return NAMES[title, variant]


def _entry_view(entry: Entry) -> EntryView:
    rulings = rulebook(entry.title, entry.variant, entry.players[0]).title.rulings.values()
    return EntryView(
        title=entry.title,
        variant=entry.variant,
        name=name_of(entry.title, entry.variant),
        about=entry.about,
        note=entry.note,
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
