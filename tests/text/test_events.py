"""Every kind of event says what it is about, and its title has words for it; nobody else keeps a list of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import ostbahn
from ostbahn.kernel import records
from ostbahn.kernel.records import Event, TrainMoved
from ostbahn.kits.catalogue import new_game
from ostbahn.text.words import Naming, Words
from ostbahn.titles.cz import events as cz
from ostbahn.titles.cz.words.words import WORDS as CZ_WORDS
from ostbahn.titles.mag import events as mag
from ostbahn.titles.mag.words.words import WORDS as MAG_WORDS

SOURCE = Path(ostbahn.__file__).parent
SHARED = [path for path in SOURCE.rglob("*.py") if "titles" not in path.relative_to(SOURCE).parts]
WORDS = {records.__name__: (CZ_WORDS, MAG_WORDS), cz.__name__: (CZ_WORDS,), mag.__name__: (MAG_WORDS,)}
"""By the module of an event, who has to find words for it."""


SEEN = {"rotation", "card", "ways", "purpose"}
"""Fields of which nobody is told: people see how a tile lies and where trains went, and trains of a kind look alike;
what a payment is for is said in other words already."""


def kinds(of: type[Event] = Event) -> Iterator[type[Event]]:
    """All kinds of events of the package, found by descent."""
    for kind in of.__subclasses__():
        if kind.__module__.startswith("ostbahn."):
            yield kind
        yield from kinds(kind)


EVENTS = sorted(kinds(), key=lambda kind: (kind.__module__, kind.__name__))
TOLD = [(kind, words) for kind in EVENTS for words in WORDS[kind.__module__]]


def told_fields(kind: type[Event]) -> tuple[str, ...]:
    """Those that people hear of: a yes or no is for programs that read records."""
    fields = (field for field in kind.__struct_fields__ if field not in SEEN)
    return tuple(field for field in fields if str(kind.__annotations__[field]) != "bool")


def example(kind: type[Event]) -> Event:
    """An event in which strings tell their field, and numbers begin at 101."""
    values = {
        field: f"<{field}>" if str(kind.__annotations__[field]) == "str" else number
        for number, field in enumerate(kind.__struct_fields__, start=101)
        if str(kind.__annotations__[field]) != "bool"
    }
    return kind(**values)


@pytest.mark.parametrize(("kind", "words"), TOLD, ids=[f"{kind.__name__}-{words.currency}" for kind, words in TOLD])
def test_a_title_has_words_for_every_event_that_may_happen_in_it(kind: type[Event], words: Words) -> None:
    assert kind in words.events
    event = example(kind)
    title = "18CZ" if words is CZ_WORDS else "18Mag"
    naming = Naming(
        new_game(title, ["A", "B", "C"]).table, {f"<{party}>": f"<called {party}>" for party in event.parties}
    )
    text = words.tell(event, naming)
    for field in told_fields(kind):
        assert str(getattr(event, field)).strip("<>") in text, f"{field} is not told"


def test_no_title_has_words_for_an_event_of_another() -> None:
    assert {kind.__module__ for kind in CZ_WORDS.events} == {records.__name__, cz.__name__}
    assert {kind.__module__ for kind in MAG_WORDS.events} == {records.__name__, mag.__name__}


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_says_what_it_is_about_and_how_it_is_foretold(kind: type[Event]) -> None:
    event = example(kind)
    assert event.topic in get_args(records.Topic)
    assert event.preview in get_args(records.PreviewLevel)
    assert isinstance(event.is_highlighted, bool)
    assert kind.parties == Event.parties or set(kind.parties) <= set(kind.__struct_fields__)


def test_there_is_something_about_every_topic() -> None:
    assert {kind.topic for kind in EVENTS} == set(get_args(records.Topic))


def test_no_two_events_have_the_same_tag() -> None:
    tags = [str(kind.__struct_config__.tag) for kind in EVENTS]
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize(
    ("source", "target", "is_highlighted", "preview"),
    [
        ("EKJ", "scrap", True, "warning"),
        ("pool", "scrap", True, "shown"),
        ("EKJ", "pool", False, "shown"),
        ("EKJ", "stack", False, "warning"),
        ("stack", "EKJ", False, "hidden"),
        ("EKJ", "BN", False, "hidden"),
        ("stack", "abroad", False, "hidden"),
    ],
)
def test_a_train_that_is_lost_matters_to_all_and_most_to_its_owner(
    source: str, target: str, is_highlighted: bool, preview: str
) -> None:
    event = TrainMoved("a1", "2", source, target)
    assert (event.is_highlighted, event.preview) == (is_highlighted, preview)


def named(node: ast.AST) -> str:
    """The last name in `records.Paid`, `Paid`, `Paid()` or `"paid"`."""
    match node:
        case ast.MatchClass(cls=kind):
            return named(kind)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name
    return ""


def listed(tree: ast.AST) -> Iterator[list[str]]:
    """The names in each table, list or choice of patterns."""
    for node in ast.walk(tree):
        match node:
            case ast.Dict(keys=parts):
                yield [named(part) for part in parts if part is not None]
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                yield [named(part) for part in parts]
            case ast.Match(cases=cases):
                yield [named(case.pattern) for case in cases]
            case ast.MatchOr(patterns=patterns):
                yield [named(part) for part in patterns]


def tables(source: str) -> list[list[str]]:
    known = {kind.__name__ for kind in EVENTS} | {str(kind.__struct_config__.tag) for kind in EVENTS}
    tree = ast.parse(source)
    tree.body = [part for part in tree.body if not ast.unparse(part).startswith("__all__")]
    return [names for names in listed(tree) if len(known & set(names)) > 2]


def test_shared_code_keeps_no_table_of_events_but_their_words() -> None:
    found = {path.relative_to(SOURCE).as_posix() for path in SHARED if tables(path.read_text(encoding="utf-8"))}
    assert found == {"text/words.py"}


@pytest.mark.parametrize(
    "source",
    [
        "TOPICS = {records.Paid: 1, records.TileLaid: 2, records.Wealth: 3}",
        "GRAVE = frozenset(('closed', 'loan_taken', 'wealth'))",
        "match event:\n case Paid(): 1\n case records.Wealth(): 2\n case TileLaid(): 3",
    ],
)
def test_a_table_would_be_found(source: str) -> None:
    assert tables(source)


def test_shared_code_knows_no_event_of_a_title() -> None:
    own = {kind.__name__ for kind in EVENTS if kind.__module__ != records.__name__}
    for path in SHARED:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {named(node) for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))}
        assert not own & used, path
