"""Print rules of a title, with rulings and readings."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.data import Reading, Rule, Ruling
from ostbahn.terminal.screen import open_console
from ostbahn.text.rules import book_named, find_open, find_rules, presets_with


def show_rules(title: str, words: Sequence[str], only_rulings: bool) -> None:
    """Print all rules, or those that match an id or all words, and the rulings and readings on them."""
    book, console = book_named(title), open_console()
    rules: list[Rule] = [] if only_rulings else list(find_rules(book, words))
    rulings = find_open(book, book.all_rulings, words, rules)
    readings: list[Reading] = [] if only_rulings else find_open(book, book.readings.values(), words, rules)
    if not rules and not rulings and not readings:
        what = "ruling" if only_rulings else "rule"
        raise OstbahnError(f"no {what} of {book.name} has the id or speaks of {' '.join(words)!r}")
    for rule in rules:
        show_rule(console, rule)
    for ruling in rulings:
        _show_ruling(console, ruling)
    for reading in readings:
        heading = f"Reading {reading.id}  on {', '.join(reading.rules)}"
        _show(console, heading, reading.question, reading.reading, f"Followed in {reading.follows}")


def show_rule(console: Console, rule: Rule) -> None:
    effect = (f"Without effect here: {rule.without_effect}",) if rule.without_effect else ()
    source = (f"Source: {rule.source}",) if rule.source else ()
    _show(console, f"{rule.id}  {rule.chapter}", rule.text, *source, *effect)


def _show_ruling(console: Console, ruling: Ruling) -> None:
    about = f"  ({ruling.ambiguity})" if ruling.ambiguity else ""
    presets = {value: " and ".join(presets_with(ruling, value)) for value in ruling.values}
    values = "; ".join(f"{value} ({names})" if names else value for value, names in presets.items())
    places = (*(ruling.variants or ()), *(ruling.modules or ()))
    where = (f"Only in: {', '.join(places)}",) if places else ()
    heading = f"Ruling {ruling.id}  on {', '.join(ruling.rules)}{about}"
    _show(console, heading, ruling.question, ruling.explanation, f"Values: {values}", *where)


def _show(console: Console, heading: str, *texts: str) -> None:
    console.print(heading, style="bold")
    for text in texts:
        console.print(Padding(text, (0, 0, 0, 4), expand=False))
