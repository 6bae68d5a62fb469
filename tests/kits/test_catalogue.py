"""How titles are found."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import Any

import pytest

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.kits import catalogue
from ostbahn.kits.catalogue import CATALOGUE, GROUP, entry_of, kit_named, kits
from ostbahn.kits.kit import Entry
from ostbahn.titles.cz.kit import CzKit


class OtherKit(CzKit):
    """A title that somebody else's package brings."""

    name = "1899"


@pytest.fixture(autouse=True)
def found_again() -> Iterator[None]:
    kits.cache_clear()
    yield
    kits.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, *found: Any) -> None:
    points = [SimpleNamespace(load=lambda kit=kit: kit) for kit in found]
    monkeypatch.setattr(catalogue, "entry_points", lambda group: points)


def test_our_titles_are_entry_points() -> None:
    assert [point.name for point in entry_points(group=GROUP)] == ["18CZ", "18Mag"]
    assert [kit.name for kit in kits().values()] == list(kits()) == ["18CZ", "18Mag"]


def test_where_nothing_is_installed_they_are_found_in_their_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    assert list(kits()) == ["18CZ", "18Mag"]
    installed(monkeypatch, OtherKit())
    kits.cache_clear()
    assert list(kits()) == ["18CZ", "18Mag", "1899"]


def test_a_title_of_another_package_is_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, *(point.load() for point in entry_points(group=GROUP)), OtherKit())
    assert list(kits()) == ["18CZ", "18Mag", "1899"]
    setup = Setup(title="1899", variant="base", players=("A", "B", "C"))
    assert kit_named("1899").rulebook(setup).title.name == "18CZ"


def test_the_catalogue_is_that_of_the_titles_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = list(CATALOGUE)
    assert list(dict.fromkeys(entry.title for entry in ours)) == ["18CZ", "18Mag"]
    another = Entry("1899", "base", "1899", (3,), "Another one.")
    monkeypatch.setattr(OtherKit, "entries", (another,))
    installed(monkeypatch, *(point.load() for point in entry_points(group=GROUP)), OtherKit())
    kits.cache_clear()
    assert list(CATALOGUE) == [*ours, another]
    assert len(CATALOGUE) == 1 + len(ours)
    assert another in CATALOGUE
    assert entry_of("1899", "base") == another


def test_what_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(BadSetup, match="there is no title 1835; known are 18CZ, 18Mag"):
        kit_named("1835")
