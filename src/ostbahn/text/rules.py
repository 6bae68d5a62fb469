"""The rules of a title, the rulings on them and how they are read: found by id, by chapter or by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from ostbahn.kits.catalogue import CATALOGUE, DEFAULT, SITE, rulebook
from ostbahn.kits.data import Reading, Rule, Ruling
from ostbahn.kits.kit import Book
from ostbahn.text.searching import ranked, searched, wanted

VARIANT: Final = 0.75
"""What a rule of a variant or an expansion is worth to somebody who looks for words, since most play without it."""
OpenT = TypeVar("OpenT", Reading, Ruling)
"""A question that the rulebook leaves open."""


def title_named(name: str) -> str:
    """A title as the catalogue writes it."""
    return next((entry.title for entry in CATALOGUE if entry.title.casefold() == name.casefold()), name)


def first_title() -> str:
    """The one that is meant where none is named."""
    return next(iter(CATALOGUE)).title


def book_named(name: str) -> Book:
    """A title by its name, however it is written."""
    return rulebook(title_named(name)).title


def find_rules(book: Book, words: Sequence[str]) -> Iterator[Rule]:
    """By ids (`VIII.6/5`), by chapters (`VIII.6`), by an ambiguity in them (`A10`), or by words in chapter and text.

    Words may be in any order and form; those that speak most of them come first.
    """
    by_id = [_by_id(book, word) for word in words]
    if by_id and all(by_id):
        yield from {rule.id: rule for rules in by_id for rule in rules}.values()
        return
    if (ambiguity := _ambiguity(book, words)) is not None:
        yield from (rule for rule in book.rules.values() if rule.id in ambiguity.rules)
        return
    rules = list(book.rules.values())
    texts = [searched(f"{rule.id} {rule.chapter}", rule.text) for rule in rules]
    found = ranked(texts, words, [VARIANT if rule.variant != "base" or rule.source else 1.0 for rule in rules])
    yield from (rules[number] for number in found)


def _by_id(book: Book, word: str) -> list[Rule]:
    wanted = word.removeprefix(f"{book.name} ").casefold()
    return [rule for rule in book.rules.values() if _is_in(rule.id.casefold(), wanted)]


def _is_in(rule: str, wanted: str) -> bool:
    """Whether a rule is the wanted one, or in the wanted chapter."""
    return rule == wanted or rule.startswith((f"{wanted}/", f"{wanted}."))


def _ambiguity(book: Book, words: Sequence[str]) -> Reading | Ruling | None:
    """What was decided on an ambiguity, if that is what is looked for. The letter is a capital: a11 is a hex."""
    wanted = words[0] if len(words) == 1 else ""
    return book.readings.get(wanted) or next((each for each in book.all_rulings if each.ambiguity == wanted), None)


def find_rulings(book: Book, words: Sequence[str], rules: Iterable[Rule]) -> Iterator[Ruling]:
    """Rulings that speak of the words; and where a single rule was asked for, those on it."""
    return _open(book, book.all_rulings, words, rules)


def find_readings(book: Book, words: Sequence[str], rules: Iterable[Rule]) -> Iterator[Reading]:
    """The same for what is no switch."""
    return _open(book, book.readings.values(), words, rules)


def _open(book: Book, questions: Iterable[OpenT], words: Sequence[str], rules: Iterable[Rule]) -> Iterator[OpenT]:
    found, ambiguity = [rule.id for rule in rules], _ambiguity(book, words)
    for question in questions:
        if ambiguity is not None:
            wanted = question == ambiguity
        else:
            wanted = _speaks_of(_text(question), words) or (len(found) == 1 and found[0] in question.rules)
        if wanted:
            yield question


def _text(question: Reading | Ruling) -> str:
    """Where words are looked for; an ambiguity is found by its whole id only."""
    if isinstance(question, Reading):
        return " ".join((question.question, *question.rules, question.reading))
    return " ".join((question.id, question.question, *question.rules, question.explanation, *question.values))


def _speaks_of(text: str, words: Sequence[str]) -> bool:
    found = searched("", text)
    return all(found.score(word) > 0 for word in wanted(words))


def presets_with(ruling: Ruling, value: str) -> tuple[str, ...]:
    """The presets that rule so."""
    return tuple(preset for preset, chosen in ((DEFAULT, ruling.default), (SITE, ruling.site)) if chosen == value)
