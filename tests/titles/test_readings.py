"""Ambiguities: each is decided once, by a ruling or a reading, and everything that is said about it leads somewhere."""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from functools import reduce
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import pytest

from ostbahn.kits.data import Reading
from ostbahn.titles.cz.title import CzTitle, cz_title
from ostbahn.titles.mag.title import MagTitle, mag_title

TITLES: Mapping[str, CzTitle | MagTitle] = {"cz": cz_title(), "mag": mag_title()}
AMBIGUITIES = {"cz": 66, "mag": 79}
"""How long the lists are."""
READINGS = [
    pytest.param(folder, each, id=f"{folder}-{each.id}")
    for folder, title in TITLES.items()
    for each in title.readings.values()
]


def decided(folder: str) -> list[str]:
    """The ids of all ambiguities that a ruling or a reading decides."""
    title = TITLES[folder]
    return [*title.readings, *(each.ambiguity for each in title.all_rulings if each.ambiguity is not None)]


@pytest.mark.parametrize("folder", TITLES)
def test_every_ambiguity_is_decided_once(folder: str) -> None:
    wanted = [f"A{number}" for number in range(1, AMBIGUITIES[folder] + 1)]
    assert sorted(decided(folder), key=wanted.index) == wanted


@pytest.mark.parametrize(("folder", "reading"), READINGS)
def test_a_reading_is_about_rules_and_is_followed_somewhere(folder: str, reading: Reading) -> None:
    assert reading.rules
    assert set(reading.rules) <= set(TITLES[folder].rules)
    assert reading.question.endswith("?")
    assert reading.reading.endswith(".")
    file, _, name = reading.follows.partition(": ")
    assert followed(folder, file, name) is not None


def followed(folder: str, file: str, name: str) -> Any:
    """What a reading names: something in a module of the title or of a shared layer, or a key of a data file."""
    if file.endswith(".toml"):
        text = resources.files(f"ostbahn.titles.{folder}").joinpath(file).read_text(encoding="utf-8")
        return in_data(tomllib.loads(text), name)
    shared = file.startswith(("kernel/", "eighteen/"))
    package = "ostbahn" if shared else f"ostbahn.titles.{folder}"
    module = import_module(f"{package}.{file.removesuffix('.py').replace('/', '.')}")
    return reduce(getattr, name.split("."), module)


def in_data(data: dict[str, Any], key: str) -> Any:
    """A rule by its id, anything else by the names of the tables that it is in."""
    if "rule" in data:
        return next(rule for rule in data["rule"] if rule["id"] == key)
    return reduce(lambda found, part: found[part], key.split("."), data)


def remarks(path: Path) -> Iterator[str]:
    """Comments, and in modules docstrings too: where ids are cited. Hexes have such names as well, but not so many."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield from re.findall(r"#.*", text)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""')):
            yield token.string


@pytest.mark.parametrize("folder", TITLES)
def test_every_id_that_is_cited_can_be_looked_up(folder: str) -> None:
    known = decided(folder)
    paths = [
        path
        for path in Path(str(resources.files(f"ostbahn.titles.{folder}"))).rglob("*.*")
        if path.suffix in (".py", ".toml")
    ]
    cited = {(path.name, id_) for path in paths for text in remarks(path) for id_ in re.findall(r"\bA\d+\b", text)}
    assert cited, "nothing was looked at"
    assert {(file, id_) for file, id_ in cited if id_ not in known} == set()
