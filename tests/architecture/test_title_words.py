"""What is the same for every title knows no answer of one: shared scripts, templates and styles get it as data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct, inspect

from ostbahn.kits.catalogue import kits
from tests.static_files import SOURCE

USES = {
    ".js": r"\.{word}\b|[\"'`]{word}[\"'`]|[{{,]\s*{word}\s*(?=[,}}=:])",
    ".html": r"\.{word}\b|[\"']{word}[\"']|\bclass=\"[^\"]*\b{word}\b",
    ".css": r"\.{word}\b",
}
"""How a word is used as a name: of a field, of a kind of answer, or of a class."""


def shared_files() -> list[Path]:
    found = [file for file in SOURCE.rglob("*") if file.suffix in USES]
    return [file for file in found if file.relative_to(SOURCE).parts[0] != "titles"]


def structs(kind: type[Struct]) -> Iterator[type[Struct]]:
    for below in kind.__subclasses__():
        yield below
        yield from structs(below)


def words_of(struct: type[Struct]) -> set[str]:
    tag = struct.__struct_config__.tag
    return {*struct.__struct_fields__, *([tag] if isinstance(tag, str) else [])}


@cache
def words_of_titles() -> frozenset[str]:
    """Kinds and fields of answers that one title has, and neither another one nor anything that is shared."""
    titles: list[set[str]] = []
    for kit in kits().values():
        actions = inspect.type_info(kit.actions)
        assert isinstance(actions, inspect.UnionType)
        kinds = [kind.cls for kind in actions.types if isinstance(kind, inspect.StructType)]
        titles.append(set().union(*map(words_of, kinds)))
    import_module("ostbahn.server.web.app")  # with it comes all that is shared and sent to a page
    ours = [struct for struct in structs(Struct) if struct.__module__.startswith("ostbahn.")]
    shared = [words_of(struct) for struct in ours if not struct.__module__.startswith("ostbahn.titles.")]
    several = [one & other for index, one in enumerate(titles) for other in titles[index + 1 :]]
    return frozenset(set().union(*titles) - set().union(*several, *shared))


def used(text: str, suffix: str) -> set[str]:
    return {word for word in words_of_titles() if re.search(USES[suffix].format(word=word), text)}


@pytest.mark.parametrize("file", shared_files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_shared_file_knows_a_word_of_one_title(file: Path) -> None:
    assert used(file.read_text(encoding="utf-8"), file.suffix) == set()


def test_a_word_would_be_found() -> None:
    assert used('const VARIANTS = ["waiver", ["track_for"]]; const { local } = answer;', ".js") == {
        "waiver",
        "track_for",
        "local",
    }
    assert used("{% if answer.supporter %}", ".html") == {"supporter"}
    assert used(".chip.waiver { color: red }", ".css") == {"waiver"}
    assert used("// nobody waives; localStorage.local_railway", ".js") == set()
    assert len(words_of_titles()) > 20
