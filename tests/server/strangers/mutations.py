"""What is right, made wrong: values, documents and files as somebody might send them who means ill, or errs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

Json = Any
Path = tuple[str | int, ...]

TEXTS: Final = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\ufeff",
    "\u202eabc",
    "🚂" * 300,
    "x" * 10_000,
    "x" * 90_000,
    "9" * 5000,
    "-0",
    "NaN",
    "1e999",
    "../../../../etc/passwd",
    "%00%FF%2e%2e%2f",
    "'; DROP TABLE games; --",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}{% for x in y %}",
    "\r\nSet-Cookie: ostbahn=planted",
    "\\" * 3000,
    "__class__",
    "p1",
    "p99",
    "host",
    "None",
    "İ" * 200,
    "ß" * 41,
    "e\u0301" * 100,
    "١٢٣",
    "²",
)
LARGE: Final = (2**31 - 1, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400)
NUMBERS: Final = (0, -1, 1, 7, *LARGE, 0.5, 1e308)
OTHERS: Final[tuple[Json, ...]] = (
    None,
    True,
    False,
    [],
    {},
    [[]],
    [{}],
    {"": ""},
    {"do": "pass"},
    float("nan"),
    float("inf"),
)
DEPTHS: Final = (10, 200, 2000, 60_000)
LENGTHS: Final = (2, 50, 1000, 20_000)
LARGEST: Final = 4_000_000
"""Bytes; more would be refused unread."""

DEEP: Final = "@deep {} @"
"""Stands in a document for so many lists within each other, which no writer of JSON would write."""


def values() -> st.SearchStrategy[Json]:
    """Anything at all."""
    simple = st.one_of(
        st.sampled_from(TEXTS),
        st.sampled_from(NUMBERS),
        st.sampled_from(OTHERS),
        st.sampled_from(DEPTHS).map(DEEP.format),
        st.text(max_size=20),
        st.integers(),
        st.floats(),
    )
    return simple | st.lists(simple, max_size=4) | st.dictionaries(st.text(max_size=8), simple, max_size=4)


class Recipe(NamedTuple):
    """How a document is to be changed, whichever it is: what there is to choose from changes while strangers play."""

    which: int
    changes: list[tuple[int, int, Json]]
    """Of each a place, a deed, and a value."""

    def of(self, originals: Sequence[Json]) -> Json:
        """One of them, changed."""
        document = copied(originals[self.which % len(originals)])
        for place, deed, other in self.changes:
            places = [*paths(document)]
            document = changed(document, places[place % len(places)], DEEDS[deed], copied(other))
        return document


def recipes(most: int = 3) -> st.SearchStrategy[Recipe]:
    """With up to so many changes."""
    numbers = st.integers(0, 2**16)
    changes = st.tuples(numbers, st.integers(0, len(DEEDS) - 1), values())
    return st.builds(Recipe, numbers, st.lists(changes, min_size=1, max_size=most))


def written(document: Json) -> bytes:
    """As JSON, or nearly."""
    text = json.dumps(document, ensure_ascii=True)
    for depth in DEPTHS:
        text = text.replace(json.dumps(DEEP.format(depth)), "[" * depth + "]" * depth)
    return text.encode()


def copied(document: Json) -> Json:
    return json.loads(json.dumps(document))


def paths(document: Json, above: Path = ()) -> Iterator[Path]:
    """All places in a document, of long lists only some."""
    yield above
    if isinstance(document, dict):
        for name, value in document.items():
            yield from paths(value, (*above, name))
    elif isinstance(document, list):
        for number in {*range(min(len(document), 12)), *range(max(len(document) - 12, 0), len(document))}:
            yield from paths(document[number], (*above, number))


# What is done to a value; the second is one that may stand for it


def _instead(_: Json, other: Json) -> Json:
    return other


def _as_text(value: Json, _: Json) -> Json:
    return str(value)


def _often(value: Json, other: Json) -> Json:
    times = min(LENGTHS[len(str(other)) % len(LENGTHS)], 1 + LARGEST // len(json.dumps(value)))
    if isinstance(value, list):
        return (value or [other]) * max(1, times // max(len(value), 1))
    return value * times if isinstance(value, str) else [value] * times


def _within(value: Json, _: Json) -> Json:
    return [value]


def _more(value: Json, other: Json) -> Json:
    if isinstance(value, dict):
        return value | {str(other)[:20_000]: other}
    if isinstance(value, list):
        return [*value, other]
    return -value if isinstance(value, int | float) else {"value": value}


def _less(value: Json, other: Json) -> Json:
    if isinstance(value, dict | list) and value:
        chosen = len(str(other)) % len(value)
        kept = [each for number, each in enumerate(value) if number != chosen]
        return {name: value[name] for name in kept} if isinstance(value, dict) else kept
    return value[:-1] if isinstance(value, str) else None


def _next(value: Json, _: Json) -> Json:
    return value + 1 if isinstance(value, int) and not isinstance(value, bool) else [value, value]


DEEDS: Final[tuple[Callable[[Json, Json], Json], ...]] = (
    _instead,
    _instead,
    _as_text,
    _often,
    _within,
    _more,
    _less,
    _next,
)


def changed(document: Json, path: Path, deed: Callable[[Json, Json], Json], other: Json) -> Json:
    """The document with something else at a place."""
    if not path:
        return deed(document, other)
    document[path[0]] = changed(document[path[0]], path[1:], deed, other)
    return document


# Files


SIGNS: Final[tuple[str, ...]] = (*"[]{}\"'=,.\n#\\\0\ufeff-é", '"""', "'''", "0x")
STUFFING: Final = (
    "a" + ".a" * 20_000 + " = 1\n",
    "[" * 5000,
    '"' * 999,
    "9" * 4500,
    "-1",
    "1e400",
    "1000000",
    "nan",
    "1979-05-27T07:32:00Z",
    "{ kind = 'town' }, " * 14,
    "[[x]]\n" * 3000,
    "x" * 60_000,
    '"\\u0000"',
    '"\\ud800"',
    "[]",
    "{}",
    "true",
)


class Tear(NamedTuple):
    """How a text is to be torn: pieces are cut out, doubled, exchanged or put in."""

    which: int
    chance: int
    times: int

    def of(self, originals: Sequence[str]) -> str:
        text, rng = originals[self.which % len(originals)], Random(self.chance)
        for _ in range(self.times):
            text = _torn_once(text, rng)
        return text


def tears() -> st.SearchStrategy[Tear]:
    return st.builds(Tear, st.integers(0, 2**16), st.integers(0, 2**32 - 1), st.integers(1, 3))


def _torn_once(text: str, rng: Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(9):
        case 0:
            del lines[one]
        case 1:
            lines[one] *= rng.choice((2, 30, 300))
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case 3:
            lines[one:] = []
        case 4:
            return _at_a_word(text, rng, rng.choice(STUFFING))
        case 5:
            return _at_a_word(text, rng, rng.choice(TEXTS))
        case 6:
            return _at_a_word(text, rng, str(rng.choice(NUMBERS[:-3])))
        case 7:
            place = rng.randrange(len(text) + 1)
            return text[:place] + rng.choice(SIGNS) + text[place:]
        case _:
            words = text.split()
            return _at_a_word(text, rng, rng.choice(words) if words else "")
    return "".join(lines)


def _at_a_word(text: str, rng: Random, other: str) -> str:
    """Something else where a word, a number or a value stood."""
    if not text:
        return other
    first = rng.randrange(len(text))
    last = first
    while last < len(text) and (text[last].isalnum() or last == first):
        last += 1
    return text[:first] + other + text[last:]
