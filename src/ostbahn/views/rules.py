"""The rules of a title, to be looked up."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ostbahn.text.rules import book_named, find_rules
from ostbahn.views.setup import RulingView, ruling_view


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
    """`VIII.6/5` is in chapter VIII.6. The chapter of the best rule comes first."""
    together: dict[tuple[str, str], list[RuleView]] = {}
    for rule in rules:
        together.setdefault((rule.id.rpartition("/")[0], rule.chapter), []).append(rule)
    return [ChapterView(id_, name, tuple(found)) for (id_, name), found in together.items()]


def rule_views(title: str, words: str) -> list[RuleView]:
    """Rules with an id, of a chapter, or that speak of the words, best first; without words every rule."""
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
                ReadingView(reading.id, reading.question, reading.reading, reading.follows)
                for reading in book.readings.values()
                if rule.id in reading.rules
            ),
            without_effect=rule.without_effect,
        )
        for rule in find_rules(book, words.removeprefix(f"{book.name} ").split())
    ]


def rule_text(title: str, rule_id: str) -> str | None:
    """The text of a rule, whose id may have its title before it."""
    book = book_named(title)
    rule = book.rules.get(rule_id.removeprefix(f"{book.name} "))
    return None if rule is None else rule.text
