"""Our titles, and how they are found; titles of other packages are in test_installed.py."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import CATALOGUE, entry_of, kit_named, kits


def test_our_titles_are_there() -> None:
    assert [kit.name for kit in kits().values()] == list(kits()) == ["18CZ", "18Mag"]
    assert kits().broken == []


def test_the_catalogue_is_that_of_the_titles() -> None:
    ways = list(CATALOGUE)
    assert list(dict.fromkeys(entry.title for entry in ways)) == ["18CZ", "18Mag"]
    assert len(CATALOGUE) == len(ways)
    assert all(entry in CATALOGUE and entry_of(entry.title, entry.variant) == entry for entry in ways)


def test_what_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(BadSetup, match="there is no title 1835; known are 18CZ, 18Mag"):
        kit_named("1835")
