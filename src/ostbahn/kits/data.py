"""Reads data files of titles, and boards and decks of users: within limits, with errors that name the field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from ostbahn.kernel.errors import BadData
from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS
from ostbahn.kernel.map.printed import PrintedHex, Tile
from ostbahn.kernel.map.tiles import COLOURS

MAX_LENGTH: Final = 60_000
"""Characters in a file; built-in ones have 5,000 to 15,000."""
MAX_LINE_LENGTH: Final = 2000
"""Characters in a line; built-in ones have at most 240. `tomllib` takes time by the square of the dots in a key."""
MAX_DEPTH: Final = 6
"""Brackets open at once, and dots in a key."""
MAX_DIGITS: Final = 9
"""Digits of a number."""
MAX_NAME_LENGTH: Final = 40
MAX_PRICE: Final = 1000
"""The highest price, cost or value on a board or card."""
MAX_CACHED_TITLES: Final = 16
"""Titles cached that were made from users' files."""

PARTS: Final = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.?)*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:[^"\\\n]|\\[^\n])*"?|\'[^\'\n]*\'?|[\[\]{}=,.\n]',
    re.DOTALL,
)
"""Comments and strings, which are skipped, and the signs that nest tables.

An unclosed string matches too: otherwise the rest would be scanned again from every place. A multi-line string ends
with up to five quotes, and only in it may a backslash stand before a line break."""


def read_toml(what: str, text: str) -> dict[str, Any]:
    """Parse TOML within limits; errors call the file `what`."""
    if len(text) > MAX_LENGTH:
        raise BadData(f"{what} has {len(text)} characters, and at most {MAX_LENGTH} are read")
    _check_lines(what, text)
    _check_depth(what, text)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadData(f"{what} is no TOML file: {fault}") from None
    if _is_too_large(tables):
        raise BadData(f"{what} has a number of more than {MAX_DIGITS} digits")
    return tables


def _check_lines(what: str, text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > MAX_LINE_LENGTH:
            raise BadData(f"{what}, line {number} has {len(line)} characters, and at most {MAX_LINE_LENGTH} are read")


def _check_depth(what: str, text: str) -> None:
    open_, dots = 0, 0
    for part in PARTS.finditer(text):
        sign = part[0]
        if sign == ".":
            dots += 1
        elif sign in "[]{}=,\n":
            open_, dots = max(open_ + (sign in "[{") - (sign in "]}"), 0), 0
        if open_ > MAX_DEPTH or dots > MAX_DEPTH:
            line = text.count("\n", 0, part.start()) + 1
            raise BadData(
                f"{what}, line {line}: this is nested too deeply; nothing in it needs more than {MAX_DEPTH} levels"
            )


def _is_too_large(value: object) -> bool:
    if isinstance(value, dict | list):
        return any(map(_is_too_large, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and abs(value) >= 10**MAX_DIGITS


def is_name(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_NAME_LENGTH and text.isprintable()


T = TypeVar("T")


class Spec(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a data file; unknown fields are errors."""


def read_data(title: str, package: str, file: str, kind: type[T]) -> T:
    """Read a data file of a title; errors name the file and the field."""
    where = f"{title} data, {file}"
    try:
        text = resources.files(package).joinpath("data", file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadData(f"{where}: the file cannot be read: {fault}") from None
    return decode_data(where, text, kind)


def decode_data(where: str, text: str, kind: type[T]) -> T:
    """Decode the text of a data file; errors name `where` it comes from and the field."""
    try:
        return msgspec.toml.decode(text, type=kind, strict=False)
    except msgspec.ValidationError as fault:
        raise BadData(f"{where}: {_with_keys(str(fault), tomllib.loads(text), kind)}") from None
    except msgspec.DecodeError as fault:
        raise BadData(f"{where}: {fault}") from None


def _with_keys(fault: str, document: dict[str, Any], kind: type[T]) -> str:
    """Replace each `[...]` of msgspec in a fault by the key that, left alone in its table, gives the same fault."""
    *parts, _ = fault.partition("`$")[2].split("[...]")
    keys: list[str] = []
    node: Any = document
    for part in parts:
        for step in re.findall(r"\w+", part):
            node = node[int(step) if isinstance(node, list) else step]
        for key, value in list(node.items()):
            node.clear()
            node[key] = value
            if _validation_fault(document, kind) == fault:
                keys.append(key)
                node = value
                break
    for key in keys:
        fault = fault.replace("[...]", f".{key}", 1)
    return fault


def _validation_fault(document: dict[str, Any], kind: type[T]) -> str:
    try:
        msgspec.convert(document, kind, strict=False)
    except msgspec.ValidationError as fault:
        return str(fault)
    return ""


@contextmanager
def errors_in_data(title: str, file: str) -> Iterator[None]:
    """Report a `ValueError` as an error in this data file."""
    try:
        yield
    except ValueError as fault:
        raise BadData(f"{title} data, {file}: {fault}") from None


def check_known(field: str, names: Iterable[object], known: Collection[object]) -> None:
    """Raise `ValueError` for an unknown name; in a `__post_init__`, msgspec reports it as an error in the file."""
    for name in names:
        if name not in known:
            raise ValueError(f"{field}: there is no {name}; there are {', '.join(map(str, known)) or 'none'}")


def check_tiles(tiles: Mapping[str, Tile]) -> None:
    for name, tile in tiles.items():
        check_known(f"tiles.{name}.colour", [tile.colour], (*COLOURS, "red"))
        check_known(f"tiles.{name}.rotations", tile.rotations or (), range(6))
        check_known(f"tiles.{name}.back", [tile.back] if tile.back else (), tiles)
        _check_track(f"tiles.{name}.track", tile)


def check_hexes(hexes: Mapping[str, PrintedHex], rows: str = ROWS) -> None:
    for name, hex_ in hexes.items():
        if name[:1] not in rows or re.fullmatch("[0-9]+", name[1:]) is None:
            raise ValueError(f"hexes.{name}: a hex is named by its row and its number, as in A7; the rows are {rows}")
        sides = [*hex_.stubs, *hex_.barriers, *(side for shore in hex_.shores for side in shore)]
        check_known(f"hexes.{name}: stubs, barriers and shores", sides, DIRECTIONS)
        _check_track(f"hexes.{name}.track", hex_)


def _check_track(field: str, drawn: Tile | PrintedHex) -> None:
    ends = (end for piece in drawn.track for end in piece)
    check_known(field, ends, (*DIRECTIONS, *range(len(drawn.nodes))))


class Rule(Spec, frozen=True):
    """A rule in our words."""

    id: str
    chapter: str
    text: str
    variant: str = "base"
    module: str | None = None
    """The module that adds it, if any."""
    source: str | None = None
    """Its source, if not the rulebook."""
    without_effect: str | None = None
    """Why the engine ignores it, if it does."""


class RulesFile(Spec, frozen=True):
    rule: tuple[Rule, ...]


class Ruling(Spec, frozen=True):
    """A switch for a question that the rulebook leaves open, or answers differently from 18xx.games."""

    id: str
    question: str
    rules: tuple[str, ...]
    values: tuple[str, ...]
    default: str
    site: str
    explanation: str
    variants: tuple[str, ...] | None = None
    """The variants it applies to; None for all."""
    modules: tuple[str, ...] | None = None
    """The modules one of which it needs; None if it needs none."""
    ambiguity: str | None = None
    """The id of the question in the list of ambiguities: `A11`."""
    before: str | None = None
    """The value for games older than the ruling; None for the default."""


class RulingsFile(Spec, frozen=True):
    ruling: tuple[Ruling, ...]


class Reading(Spec, frozen=True):
    """A question that the rulebook leaves open, and how we read it, without a switch."""

    id: str
    """Its id in the list of ambiguities: `A10`."""
    question: str
    rules: tuple[str, ...]
    reading: str
    follows: str
    """Where the code follows it: `phases.py: export`, or a data file and a key."""


class ReadingsFile(Spec, frozen=True):
    reading: tuple[Reading, ...]


def rulings_in(rulings: Sequence[Ruling], variant: str, modules: Sequence[str] = ()) -> list[Ruling]:
    """The rulings that apply to a variant with these modules."""
    return [
        ruling
        for ruling in rulings
        if (ruling.variants is None or variant in ruling.variants)
        and (ruling.modules is None or any(module in ruling.modules for module in modules))
    ]
