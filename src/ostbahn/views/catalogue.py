"""Views of the titles and variants, their options, and their rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct, convert

from ostbahn.kits.catalogue import CATALOGUE, entry_of, rulebook
from ostbahn.kits.data import Ruling
from ostbahn.kits.kit import CatalogueEntry, Module
from ostbahn.text.rules import book_named, find_rules


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
    """The display name of a variant, `with` its modules."""
    names = module_names(title, variant, modules)
    return entry_of(title, variant).name + (f" with {', '.join(name.lower() for name in names)}" if names else "")


def module_names(title: str, variant: str, modules: Sequence[str]) -> tuple[str, ...]:
    """The display names of modules; a module that no longer exists is named by its id."""
    known = entry_of(title, variant).modules
    return tuple(known[id_].name if id_ in known else id_ for id_ in modules)


def _entry_view(entry: CatalogueEntry) -> EntryView:
    book = rulebook(entry.title, entry.variant, entry.players[0]).title
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
        rulings=tuple(map(ruling_view, book.rulings.values())),
        own_board=entry.own_board,
        own_deck=entry.own_deck,
    )


def _module_view(id_: str, module: Module, rulings: Iterable[Ruling]) -> ModuleView:
    own = [ruling for ruling in rulings if ruling.modules is not None and id_ in ruling.modules]
    return ModuleView(id_, module.name, module.about, module.players, module.excludes, tuple(map(ruling_view, own)))


def ruling_view(ruling: Ruling) -> RulingView:
    return convert(ruling, RulingView, from_attributes=True)


class ReadingView(Struct, frozen=True):
    """A question that the rulebook leaves open, and how we read it. It cannot be switched."""

    id: str
    question: str
    reading: str
    follows: str
    """Where in the program."""


class RuleView(Struct, frozen=True, kw_only=True):
    """A rule, in our words."""

    id: str
    """Its id, by which refusals cite it: `VIII.6/5`."""
    chapter: str
    text: str
    variant: str
    """Where it holds: `base` is everywhere, unless a variant says otherwise."""
    module: str | None = None
    """The module that brings it; null for a rule of the game itself."""
    source: str | None = None
    """Where it is known from, if not from the rulebook."""
    rulings: tuple[RulingView, ...]
    """Questions that it leaves open."""
    readings: tuple[ReadingView, ...]
    """Questions that it leaves open and that are settled."""
    without_effect: str | None = None
    """Why a computer has nothing to do for it; null for other rules."""


class ChapterView(Struct, frozen=True):
    """Rules that stand together, as far as they were looked for."""

    id: str
    name: str
    rules: tuple[RuleView, ...]


def chapter_views(rules: Iterable[RuleView]) -> list[ChapterView]:
    """Group rules by chapter (`VIII.6/5` is in chapter VIII.6), keeping their order."""
    by_chapter: dict[tuple[str, str], list[RuleView]] = {}
    for rule in rules:
        by_chapter.setdefault((rule.id.rpartition("/")[0], rule.chapter), []).append(rule)
    return [ChapterView(id_, name, tuple(members)) for (id_, name), members in by_chapter.items()]


def rule_views(title: str, words: str) -> list[RuleView]:
    """The rules that match the words (`find_rules`), best first; every rule without words."""
    book = book_named(title)
    rulings = tuple(map(ruling_view, book.all_rulings))
    return [
        RuleView(
            id=rule.id,
            chapter=rule.chapter,
            text=rule.text,
            variant=rule.variant,
            module=rule.module,
            source=rule.source,
            rulings=tuple(ruling for ruling in rulings if rule.id in ruling.rules),
            readings=tuple(
                convert(reading, ReadingView, from_attributes=True)
                for reading in book.readings.values()
                if rule.id in reading.rules
            ),
            without_effect=rule.without_effect,
        )
        for rule in find_rules(book, words.removeprefix(f"{book.name} ").split())
    ]


def rule_text(title: str, rule_id: str) -> str | None:
    """The text of a rule. The id may begin with the name of the title."""
    book = book_named(title)
    rule = book.rules.get(rule_id.removeprefix(f"{book.name} "))
    return None if rule is None else rule.text
