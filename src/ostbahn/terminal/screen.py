"""The terminal: where text goes, and how wide it may be."""

from __future__ import annotations

import os
import sys
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
