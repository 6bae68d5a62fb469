"""The rules and rulings of a title: found by id, by chapter or by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ostbahn.telling.text import simple
from ostbahn.titles.catalogue import CATALOGUE, DEFAULT, SITE, rulebook
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.data import Rule, Ruling
from ostbahn.titles.mag.title import MagTitle

Book = CzTitle | MagTitle


def title_named(name: str) -> str:
    """A title as the catalogue writes it."""
    return next((entry.title for entry in CATALOGUE if entry.title.casefold() == name.casefold()), name)


def book_named(name: str) -> Book:
    """A title by its name, however it is written."""
    return rulebook(title_named(name)).title


def find_rules(book: Book, words: Sequence[str]) -> Iterator[Rule]:
    """By id (`VIII.6/5`), by chapter (`VIII.6`), or by words in chapter and text."""
    if len(words) == 1:
        wanted = words[0].removeprefix(f"{book.name} ").casefold()
        by_id = [rule for rule in book.rules.values() if _is_in(rule.id.casefold(), wanted)]
        if by_id:
            yield from by_id
            return
    for rule in book.rules.values():
        if _speaks_of(f"{rule.id} {rule.chapter} {rule.text}", words):
            yield rule


def _is_in(rule: str, wanted: str) -> bool:
    """Whether a rule is the wanted one, or in the wanted chapter."""
    return rule == wanted or rule.startswith((f"{wanted}/", f"{wanted}."))


def find_rulings(book: Book, words: Sequence[str], rules: Iterable[Rule]) -> Iterator[Ruling]:
    """Rulings that speak of the words; and where a single rule was asked for, those on it."""
    found = [rule.id for rule in rules]
    for ruling in book.rulings.values():
        text = f"{ruling.id} {ruling.question} {ruling.explanation} {' '.join(ruling.rules)} {' '.join(ruling.values)}"
        if _speaks_of(text, words) or (len(found) == 1 and found[0] in ruling.rules):
            yield ruling


def _speaks_of(text: str, words: Iterable[str]) -> bool:
    text = simple(text)
    return all(simple(word) in text for word in words)


def presets_with(ruling: Ruling, value: str) -> tuple[str, ...]:
    """The presets that rule so."""
    return tuple(preset for preset, chosen in ((DEFAULT, ruling.default), (SITE, ruling.site)) if chosen == value)
