"""Data files of titles, and boards and decks that people write: read within limits, with errors that name the field."""

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
"""Characters in a file; ours have 5,000 to 15,000."""
MAX_LINE_LENGTH: Final = 2000
"""Characters in a line, and so in a key; ours have at most 240. `tomllib` takes time by the square of a key's dots."""
MAX_DEPTH: Final = 6
"""How many brackets may be open at once, and how many dots a key may have."""
MAX_DIGITS: Final = 9
"""That a number may have."""
MAX_NAME_LENGTH: Final = 40
MAX_PRICE: Final = 1000
"""No price, cost or value on a board or a card is higher."""
MAX_CACHED_TITLES: Final = 16
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
    """A table of a data file; an unknown field is an error and not a guess."""


def read_data(title: str, package: str, file: str, kind: type[T]) -> T:
    """A data file of a title; a fault in it is told with the file and the field."""
    where = f"{title} data, {file}"
    try:
        text = resources.files(package).joinpath("data", file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadData(f"{where}: the file cannot be read: {fault}") from None
    return decode_data(where, text, kind)


def decode_data(where: str, text: str, kind: type[T]) -> T:
    """The text of a data file; a fault in it is told with where it is from, and the field."""
    try:
        return msgspec.toml.decode(text, type=kind, strict=False)
    except msgspec.ValidationError as fault:
        raise BadData(f"{where}: {_with_keys(str(fault), tomllib.loads(text), kind)}") from None
    except msgspec.DecodeError as fault:
        raise BadData(f"{where}: {fault}") from None


def _with_keys(fault: str, document: dict[str, Any], kind: type[T]) -> str:
    """A fault with the keys for which msgspec writes `[...]`: those that alone give the same fault."""
    *parts, _ = fault.partition("`$")[2].split("[...]")
    keys: list[str] = []
    here: Any = document
    for part in parts:
        for step in re.findall(r"\w+", part):
            here = here[int(step) if isinstance(here, list) else step]
        for key, value in list(here.items()):
            here.clear()
            here[key] = value
            if _fault(document, kind) == fault:
                keys.append(key)
                here = value
                break
    for key in keys:
        fault = fault.replace("[...]", f".{key}", 1)
    return fault


def _fault(document: dict[str, Any], kind: type[T]) -> str:
    try:
        msgspec.convert(document, kind, strict=False)
    except msgspec.ValidationError as fault:
        return str(fault)
    return ""


@contextmanager
def errors_in_data(title: str, file: str) -> Iterator[None]:
    """Check a data file against others."""
    try:
        yield
    except ValueError as fault:
        raise BadData(f"{title} data, {file}: {fault}") from None


def check_known(field: str, names: Iterable[object], known: Collection[object]) -> None:
    """Refuse a name that is nowhere else. In `__post_init__` of a file, msgspec makes of it a fault of that file."""
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
    """A rule of the game, in our words."""

    id: str
    chapter: str
    text: str
    variant: str = "base"
    module: str | None = None
    """The module that brings it, if it is none of the game itself."""
    source: str | None = None
    """Where it is known from, if not from the rulebook."""
    without_effect: str | None = None
    """Why a computer has nothing to do about it."""


class RulesFile(Spec, frozen=True):
    rule: tuple[Rule, ...]


class Ruling(Spec, frozen=True):
    """A question that the rulebook leaves open, or answers otherwise than 18xx.games does."""

    id: str
    question: str
    rules: tuple[str, ...]
    values: tuple[str, ...]
    default: str
    site: str
    explanation: str
    variants: tuple[str, ...] | None = None
    """Where the question comes up, if not in every variant."""
    modules: tuple[str, ...] | None = None
    """With which modules it comes up, if not without any."""
    ambiguity: str | None = None
    """The id of the question in the list of ambiguities: `A11`."""
    before: str | None = None
    """How games were played that do not name it, because they are older than it; None if by the default."""


class RulingsFile(Spec, frozen=True):
    ruling: tuple[Ruling, ...]


class Reading(Spec, frozen=True):
    """A question that the rulebook leaves open and that is no switch, and how we read it."""

    id: str
    """In the list of ambiguities: `A10`."""
    question: str
    rules: tuple[str, ...]
    reading: str
    follows: str
    """Where it is followed: `phases.py: export`, or a data file and a key."""


class ReadingsFile(Spec, frozen=True):
    reading: tuple[Reading, ...]


def rulings_in(rulings: Sequence[Ruling], variant: str, modules: Sequence[str] = ()) -> list[Ruling]:
    """The questions that come up in a variant, with some modules."""
    return [
        ruling
        for ruling in rulings
        if (ruling.variants is None or variant in ruling.variants)
        and (ruling.modules is None or any(module in ruling.modules for module in modules))
    ]
