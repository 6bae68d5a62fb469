"""Templates and static files of all packages share one name space each: no package hides what another has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from ostbahn.server.web.services import SITE
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


BELOW = {"ostbahn.table", "ostbahn.server.web", "ostbahn.server.games", "ostbahn.server.accounts"}
"""Whose templates and scripts every feature may use; the web package puts the features together."""


def owner_of(path: Path) -> str:
    """The package that a template or script belongs to."""
    folder = next(parent for parent in path.parents if parent.name in ("templates", "static")).parent
    return f"ostbahn.{'.'.join(folder.relative_to(SOURCE).parts)}"


def owners(kind: str) -> dict[str, str]:
    """The package of each file, by the name under which others use it."""
    folders = [path for path in SOURCE.rglob(kind) if path.is_dir()]
    return {
        file.relative_to(folder).as_posix().removeprefix("js/"): owner_of(file)
        for folder in folders
        for file in folder.rglob("*.*")
    }


@pytest.mark.parametrize(
    ("kind", "use"),
    [
        ("templates", r"{%-? *(?:include|extends|from|import) *\"([^\"]+)\""),
        ("static", r"(?:from|import\()\s*\"\./([^\"]+)\""),
    ],
)
def test_features_use_no_templates_and_scripts_of_each_other(kind: str, use: str) -> None:
    known = owners(kind)
    uses = 0
    for file in (path for path in SOURCE.rglob("*") if kind in path.parts and path.suffix in (".html", ".js")):
        own = owner_of(file)
        for name in re.findall(use, file.read_text(encoding="utf-8")):
            uses += 1
            assert own == "ostbahn.server.web" or known[name] in {own, *BELOW}, f"{file.name} uses {name}"
    assert uses > 20
