"""What can be played, and what can be chosen for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from ostbahn.kits.catalogue import CATALOGUE, entry_of, rulebook
from ostbahn.kits.data import Ruling
from ostbahn.kits.kit import Entry, Module


class ChoiceView(Struct, frozen=True):
    """A choice in a variant. The first value holds unless you choose."""

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
    """The id of the question in the list of ambiguities; null if it is not there."""


class ModuleView(Struct, frozen=True):
    """A module of an expansion."""

    id: str
    name: str
    about: str
    players: tuple[int, ...]
    """The numbers of players with which it can be played."""
    excludes: tuple[str, ...]
    rulings: tuple[RulingView, ...]
    """Open questions that come up only with it."""


class EntryView(Struct, frozen=True, kw_only=True):
    """A title and variant that can be played."""

    title: str
    variant: str
    name: str
    about: str
    note: str
    seatless: str
    """Who takes part without a seat."""
    players: tuple[int, ...]
    """The numbers of players it can be played with."""
    options: tuple[ChoiceView, ...]
    modules: tuple[ModuleView, ...]
    rulings: tuple[RulingView, ...]
    """Open questions of the rulebook, each with its values."""
    own_board: bool
    own_deck: bool


@cache
def catalogue_view() -> tuple[EntryView, ...]:
    return tuple(map(_entry_view, CATALOGUE))


def name_of(title: str, variant: str, modules: Sequence[str] = ()) -> str:
    """What people call a way to play, `with` its modules."""
    names = module_names(title, variant, modules)
    return entry_of(title, variant).name + (f" with {', '.join(name.lower() for name in names)}" if names else "")


def module_names(title: str, variant: str, modules: Sequence[str]) -> tuple[str, ...]:
    """What people call modules; one that is no longer there goes by its id."""
    known = entry_of(title, variant).modules
    return tuple(known[id_].name if id_ in known else id_ for id_ in modules)


def _entry_view(entry: Entry) -> EntryView:
    book = rulebook(entry.title, entry.variant, entry.players[0]).title
    rulings = book.rulings.values()
    return EntryView(
        title=entry.title,
        variant=entry.variant,
        name=entry.name,
        about=entry.about,
        note=entry.note,
        seatless=entry.seatless,
        players=entry.players,
        options=tuple(ChoiceView(name, choice.values, choice.about) for name, choice in entry.options.items()),
        modules=tuple(_module_view(id_, module, book.all_rulings) for id_, module in entry.modules.items()),
        rulings=tuple(map(ruling_view, rulings)),
        own_board=entry.own_board,
        own_deck=entry.own_deck,
    )


def _module_view(id_: str, module: Module, rulings: Iterable[Ruling]) -> ModuleView:
    own = [ruling for ruling in rulings if ruling.modules is not None and id_ in ruling.modules]
    return ModuleView(id_, module.name, module.about, module.players, module.excludes, tuple(map(ruling_view, own)))


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
