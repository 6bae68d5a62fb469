"""What is the same for every title knows none: neither its name nor its companies stand anywhere in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ostbahn.kits.catalogue import kits, rulebook

SOURCE = Path(__file__).parents[2] / "src" / "ostbahn"
TEXTS = (".py", ".html", ".js", ".css", ".toml", ".svg")
ENGLISH = {"By"}
"""Letters of a company that are an English word too."""


def shared_files() -> list[Path]:
    found = [file for file in SOURCE.rglob("*") if file.suffix in TEXTS]
    return [file for file in found if file.relative_to(SOURCE).parts[0] != "titles"]


def names() -> Iterator[str]:
    """Titles, their letters, and companies with letters or a name; minors that are only a number cannot be told."""
    for kit in kits().values():
        yield kit.name
        for entry in kit.entries:
            title = rulebook(kit.name, entry.variant, entry.players[0]).title
            yield from (company for company in title.charters if not company.isdecimal())
            yield from (company.name for company in title.companies.values())


def mentions(text: str, known: set[str]) -> list[str]:
    pattern = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    return re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", text)


@pytest.mark.parametrize("file", shared_files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_title_and_no_company_is_named(file: Path) -> None:
    assert mentions(file.read_text(encoding="utf-8"), set(names()) - ENGLISH) == []


def test_a_name_would_be_found() -> None:
    assert mentions('title: str = "18CZ"  # by RÁBA, not by RÁBAs', set(names()) - ENGLISH) == ["18CZ", "RÁBA"]
    assert len(shared_files()) > 150
