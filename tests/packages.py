"""Packages with titles that are wrong in some way, installed as pip does it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ostbahn.kits.catalogue import kits

GOOD = """
from ostbahn.kits.kit import CatalogueEntry
from ostbahn.titles.cz.kit import KIT as CZ, CzKit

class Copied(CzKit):
    name = "{title}"
    entries = (CatalogueEntry("{title}", "base", "{title}", (3,), "Like another one."),)
    site = None

    def __init__(self):
        self.parts = CZ.parts
"""
KIT = "KIT = Copied()\n"


class Installer:
    """Puts packages into a folder as pip does: a module, and a dist-info folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, source: str, title: str = "1899", needs: str = "ostbahn") -> None:
        module = name.replace("-", "_")
        (self.folder / f"{module}.py").write_text(source.replace("{title}", title), encoding="utf-8")
        info = self.folder / f"{module}-1.2.dist-info"
        info.mkdir()
        page = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\nRequires-Dist: {needs}\n"
        (info / "METADATA").write_text(page, encoding="utf-8")
        points = f"[ostbahn.titles]\n{title} = {module}:KIT\n"
        (info / "entry_points.txt").write_text(points, encoding="utf-8")


@contextmanager
def installing(folder: Path) -> Iterator[Installer]:
    """Packages that are put there are installed here, and forgotten afterwards."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        kits.cache_clear()
        yield Installer(folder)
    for name in set(sys.modules) - before:
        if (folder / f"{name}.py").exists():
            del sys.modules[name]
    kits.cache_clear()
