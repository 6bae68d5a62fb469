"""The rules and rulings of a title, printed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding

from ostbahn.kernel.errors import OstbahnError
from ostbahn.telling.rules import book_named, find_rules, find_rulings, presets_with
from ostbahn.titles.data import Rule, Ruling


def show_rules(console: Console, title: str, words: Sequence[str], only_rulings: bool) -> None:
    """Every rule, or those with an id, or those that speak of all the words; and the rulings on them."""
    book = book_named(title)
    rules: list[Rule] = [] if only_rulings else list(find_rules(book, words))
    rulings = list(find_rulings(book, words, rules))
    if not rules and not rulings:
        what = "ruling" if only_rulings else "rule"
        raise OstbahnError(f"no {what} of {book.name} has the id or speaks of {' '.join(words)!r}")
    for rule in rules:
        show_rule(console, rule)
    for ruling in rulings:
        _show_ruling(console, ruling)


def show_rule(console: Console, rule: Rule) -> None:
    console.print(f"{rule.id}  {rule.chapter}", style="bold")
    console.print(Padding(rule.text, (0, 0, 0, 4), expand=False))
    if rule.without_effect:
        console.print(Padding(f"Without effect here: {rule.without_effect}", (0, 0, 0, 4), expand=False))


def _show_ruling(console: Console, ruling: Ruling) -> None:
    console.print(f"Ruling {ruling.id}  on {', '.join(ruling.rules)}", style="bold")
    values = "; ".join(_with_presets(ruling, value) for value in ruling.values)
    for text in (ruling.question, ruling.explanation, f"Values: {values}"):
        console.print(Padding(text, (0, 0, 0, 4), expand=False))


def _with_presets(ruling: Ruling, value: str) -> str:
    presets = presets_with(ruling, value)
    return f"{value} ({' and '.join(presets)})" if presets else value
