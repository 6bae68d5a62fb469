"""Files that people write for a title, boards and decks: TOML, held to limits before it is read.

A reader of TOML takes time and memory for every table within a table, and a file of strangers may have thousands.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from ostbahn.kernel.errors import BadData

LONGEST: Final = 60_000
"""Characters in a file; ours have 5,000 to 15,000."""
LONGEST_LINE: Final = 2000
"""Characters in a line, and so in a key; ours have at most 240. `tomllib` takes time by the square of a key's dots."""
DEEPEST: Final = 6
"""How many brackets may be open at once, and how many dots a key may have."""
DIGITS: Final = 9
"""That a number may have."""
LONGEST_NAME: Final = 40
HIGHEST: Final = 1000
"""No price, cost or value on a board or a card is higher."""
KEPT: Final = 16
"""How many titles, each made of another file, are remembered at a time."""

PARTS: Final = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.?)*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:[^"\\\n]|\\[^\n])*"?|\'[^\'\n]*\'?|[\[\]{}=,.\n]',
    re.DOTALL,
)
"""Comments and texts, which count for nothing, and the signs that make tables within tables.

What has begun as one of them is one, closed or not: otherwise the rest would be read again from every place. A text of
several lines ends with up to five quotes, and only there does a backslash lead to the next line: else what stands
behind would be taken for a part of a text."""


def read_toml(what: str, text: str) -> dict[str, Any]:
    """What is in a file; `what` is its name in words of people."""
    if len(text) > LONGEST:
        raise BadData(f"{what} has {len(text)} characters, and at most {LONGEST} are read")
    _check_lines(what, text)
    _check_depth(what, text)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadData(f"{what} is no TOML file: {fault}") from None
    if _is_too_large(tables):
        raise BadData(f"{what} has a number of more than {DIGITS} digits")
    return tables


def _check_lines(what: str, text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            raise BadData(f"{what}, line {number} has {len(line)} characters, and at most {LONGEST_LINE} are read")


def _check_depth(what: str, text: str) -> None:
    open_, dots = 0, 0
    for part in PARTS.finditer(text):
        sign = part[0]
        if sign == ".":
            dots += 1
        elif sign in "[]{}=,\n":
            open_, dots = max(open_ + (sign in "[{") - (sign in "]}"), 0), 0
        if open_ > DEEPEST or dots > DEEPEST:
            line = text.count("\n", 0, part.start()) + 1
            raise BadData(
                f"{what}, line {line}: this is nested too deeply; nothing in it needs more than {DEEPEST} levels"
            )


def _is_too_large(value: object) -> bool:
    if isinstance(value, dict | list):
        return any(map(_is_too_large, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and abs(value) >= 10**DIGITS


def is_name(text: str) -> bool:
    """Whether a page can show it as the name of something."""
    return bool(text.strip()) and len(text) <= LONGEST_NAME and text.isprintable()
