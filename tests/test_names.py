"""Two classes of one name within a layer cannot be told apart without opening the file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import ostbahn

ROOT = Path(ostbahn.__file__).parent
LAYERS = {
    "kernel": ("kernel",),
    "frameworks": ("kits", "bots", "interop", "telling", "terminal", "pictures", "analysis", "prepared"),
    "18CZ": ("titles/cz",),
    "18Mag": ("titles/mag",),
    "server": ("server",),
    "command line": ("cli",),
}


def classes_of(file: Path) -> Iterator[str]:
    """Classes, and other names for types (`Lay = LayTile | LayPurpleTile`)."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name):
                yield name.lstrip("_")
            case ast.Assign(targets=[ast.Name(id=name)]) if name[0].isupper() and not name.isupper():
                yield name


@pytest.mark.parametrize("layer", LAYERS)
def test_no_two_classes_of_a_layer_have_one_name(layer: str) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for folder in LAYERS[layer]:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for name in classes_of(file):
                found[name].append(str(file.relative_to(ROOT)))
    assert found
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
