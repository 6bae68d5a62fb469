"""The terminal: where text goes, and how wide it may be."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

WIDTH_OF_FILES = 120
"""For output that goes into a file or a pipe, which has no width of its own."""


def screen() -> Console:
    """Made anew for each command, since tests replace stdout. Nothing in a text is taken for markup."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return Console(width=width, markup=False, highlight=False, emoji=False)


def say(console: Console, text: str, style: str | None = None) -> None:
    """A line of text; if it is too long, the terminal wraps it, and a name or path in it stays whole."""
    console.print(text, style=style, soft_wrap=True)


def put_lines(console: Console, lines: Iterable[Text]) -> None:
    """Drawings: not to be wrapped, even where they do not fit."""
    for line in lines:
        console.print(line, no_wrap=True, crop=False, overflow="ignore")


def printable(text: str) -> str:
    """Text of unknown origin on one line, without anything that a terminal would obey."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def seat_names(players: Iterable[str]) -> dict[str, str]:
    """What people call the seats; a file may come from anywhere, so nothing in it is left for a terminal to obey."""
    return {f"p{seat}": printable(name) for seat, name in enumerate(players, start=1)}


def simple(text: str) -> str:
    """Without case and accents, so that `plzen` finds Plzeň and `mavag` MÁVAG."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
