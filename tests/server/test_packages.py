"""Templates and static files of all packages share one name space each: no package hides what another has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

import pytest

from ostbahn.server.web.site import SITE
from ostbahn.table.rendering import TABLE
from tests.static_files import SOURCE

PACKAGES = (TABLE, *SITE.packages)


def names_in(folder: Traversable, path: str = "") -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from names_in(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}"


@pytest.mark.parametrize("kind", ["templates", "static"])
def test_no_two_packages_have_a_file_of_the_same_name(kind: str) -> None:
    folders = [resources.files(package).joinpath(kind) for package in PACKAGES]
    counted = Counter(name for folder in folders if folder.is_dir() for name in names_in(folder))
    assert counted
    assert [name for name, number in counted.items() if number > 1] == []


@pytest.mark.parametrize("kind", ["templates", "static"])
def test_every_package_with_files_is_listed(kind: str) -> None:
    with_files = {
        f"ostbahn.{'.'.join(path.parent.relative_to(SOURCE).parts)}"
        for path in SOURCE.joinpath("server").rglob(kind)
        if path.is_dir()
    }
    assert with_files
    assert with_files <= set(PACKAGES)
