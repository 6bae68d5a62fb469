"""The rules and rulings of a title, by id or by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.padding import Padding

from ostbahn.kernel.errors import OstbahnError
from ostbahn.telling.text import simple
from ostbahn.titles.catalogue import CATALOGUE, rulebook
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.data import Rule, Ruling
from ostbahn.titles.mag.title import MagTitle


def title_named(name: str) -> str:
    """A title as the catalogue writes it."""
    return next((entry.title for entry in CATALOGUE if entry.title.casefold() == name.casefold()), name)


def show_rules(console: Console, title: str, words: Sequence[str], only_rulings: bool) -> None:
    """Every rule, or those with an id, or those that speak of all the words; and the rulings on them."""
    book = rulebook(title_named(title)).title
    rules: list[Rule] = [] if only_rulings else list(find_rules(book, words))
    rulings = list(find_rulings(book, words, rules))
    if not rules and not rulings:
        what = "ruling" if only_rulings else "rule"
        raise OstbahnError(f"no {what} of {book.name} has the id or speaks of {' '.join(words)!r}")
    for rule in rules:
        show_rule(console, rule)
    for ruling in rulings:
        _show_ruling(console, ruling)


def find_rules(book: CzTitle | MagTitle, words: Sequence[str]) -> Iterator[Rule]:
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


def find_rulings(book: CzTitle | MagTitle, words: Sequence[str], rules: Iterable[Rule]) -> Iterator[Ruling]:
    """Rulings that speak of the words; and where a single rule was asked for, those on it."""
    found = [rule.id for rule in rules]
    for ruling in book.rulings.values():
        text = f"{ruling.id} {ruling.question} {ruling.explanation} {' '.join(ruling.rules)} {' '.join(ruling.values)}"
        if _speaks_of(text, words) or (len(found) == 1 and found[0] in ruling.rules):
            yield ruling


def _speaks_of(text: str, words: Iterable[str]) -> bool:
    text = simple(text)
    return all(simple(word) in text for word in words)


def show_rule(console: Console, rule: Rule) -> None:
    console.print(f"{rule.id}  {rule.chapter}", style="bold")
    console.print(Padding(rule.text, (0, 0, 0, 4), expand=False))
    if rule.without_effect:
        console.print(Padding(f"Without effect here: {rule.without_effect}", (0, 0, 0, 4), expand=False))


def _show_ruling(console: Console, ruling: Ruling) -> None:
    console.print(f"Ruling {ruling.id}  on {', '.join(ruling.rules)}", style="bold")
    values = [
        f"{value} ({' and '.join(preset for preset, chosen in _presets(ruling) if chosen == value)})"
        if any(chosen == value for _, chosen in _presets(ruling))
        else value
        for value in ruling.values
    ]
    for text in (ruling.question, ruling.explanation, f"Values: {'; '.join(values)}"):
        console.print(Padding(text, (0, 0, 0, 4), expand=False))


def _presets(ruling: Ruling) -> tuple[tuple[str, str], ...]:
    return ("rulebook", ruling.default), ("18xx.games", ruling.site)
