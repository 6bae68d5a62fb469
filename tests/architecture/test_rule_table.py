"""The tables in docs/rule_index.md, held to what modules cite."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from ostbahn.kits.catalogue import rulebook

ROOT = Path(__file__).parents[2]
TITLES = {"18CZ": "cz", "18Mag": "mag"}
CITED = re.compile(r"(?<![\w.])((?:[IVX]+|S|M)(?:\.\w+)*)/\d+")
MODULE = re.compile(r"`([^`]+\.(?:py|toml))`")
EVERYWHERE = {"title.py", "state.py"}
"""They describe what others do, and stand below the tables."""


class Row(NamedTuple):
    chapters: tuple[str, ...]
    modules: tuple[str, ...]

    def covers(self, chapter: str) -> bool:
        return any(chapter == wanted or chapter.startswith(f"{wanted}.") for wanted in self.chapters)


def rows(title: str) -> list[Row]:
    text = (ROOT / "docs" / "rule_index.md").read_text(encoding="utf-8")
    _, _, table = text.partition(f"| {title} | | module in `titles/{TITLES[title]}` |\n")
    lines = table.partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [
        Row(tuple(first.split(", ")), tuple(re.findall(r"`([^`]+\.(?:py|toml))`", last))) for first, _, last in cells
    ]


def row_of(title: str, chapter: str) -> Row:
    """The row of a chapter: the one that names it, or the closest one above it."""
    found = [row for row in rows(title) if row.covers(chapter)]
    assert found, f"{title} {chapter} has no row"
    return max(found, key=lambda row: max(len(each) for each in row.chapters if Row((each,), ()).covers(chapter)))


@pytest.mark.parametrize("title", TITLES)
def test_every_chapter_has_a_row(title: str) -> None:
    assert len(rows(title)) > 15
    for rule in rulebook(title).title.rules:
        assert row_of(title, rule.rpartition("/")[0]).modules


@pytest.mark.parametrize("title", TITLES)
def test_modules_that_cite_a_chapter_stand_in_its_row(title: str) -> None:
    folder = ROOT / "src" / "ostbahn" / "titles" / TITLES[title]
    missing = {
        f"{chapter}: {name}"
        for module in (*folder.glob("*.py"), *folder.glob("modules/*.py"))
        for name in (str(module.relative_to(folder)),)
        for chapter in CITED.findall(module.read_text(encoding="utf-8"))
        if name not in EVERYWHERE and name not in row_of(title, chapter).modules
    }
    assert missing == set()


@pytest.mark.parametrize("title", TITLES)
def test_every_module_of_the_tables_is_there(title: str) -> None:
    folder = ROOT / "src" / "ostbahn" / "titles" / TITLES[title]
    for row in rows(title):
        for module in row.modules:
            assert list(folder.glob(module)), module
