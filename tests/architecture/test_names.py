"""One thing has one name, and names that were given up do not come back.

`retired/` lists the names per package: a file is called as the package, each line is `old: new`.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import ostbahn

SOURCE = Path(ostbahn.__file__).parent
RETIRED = {path.stem: path for path in sorted((Path(__file__).parent / "retired").glob("*.txt"))}


def modules(package: str) -> list[Path]:
    """The modules of a dotted package below `ostbahn`; `ostbahn` itself means all."""
    base = SOURCE if package == "ostbahn" else SOURCE.joinpath(*package.split("."))
    return sorted(base.rglob("*.py")) if base.is_dir() else [base.with_suffix(".py")]


def retired(package: str) -> dict[str, str]:
    lines = RETIRED[package].read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def identifiers(module: Path) -> set[str]:
    source = module.read_text(encoding="utf-8")
    return {
        token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == tokenize.NAME
    }


def classes(module: Path) -> Iterator[str]:
    """Classes, and other names for types (`Lay = LayTile | LayPurpleTile`)."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.Subscript() | ast.Name()) if (
                name[0].isupper() and not name.isupper()
            ):
                yield name


@pytest.mark.parametrize("package", RETIRED)
def test_retired_names_stay_retired(package: str) -> None:
    names = retired(package)
    assert names
    assert modules(package)
    back = {
        f"{module.relative_to(SOURCE)}: {name} (now {names[name]})"
        for module in modules(package)
        for name in identifiers(module) & names.keys()
    }
    assert back == set()


def test_no_two_classes_have_one_name() -> None:
    """Except parallel classes of titles, and of what they share: `StockRound` of 18CZ and of plain titles."""
    places: dict[str, list[Path]] = defaultdict(list)
    for module in modules("ostbahn"):
        for name in classes(module):
            places[name].append(module.relative_to(SOURCE))
    clashes = {
        name: sorted(map(str, files)) for name, files in places.items() if len(files) > 1 and not are_parallel(files)
    }
    assert clashes == {}


def are_parallel(files: list[Path]) -> bool:
    """Whether each file belongs to another title, or to `eighteen`."""
    owners = {file.parts[1] if file.parts[0] == "titles" else file.parts[0] for file in files}
    return len(owners) == len(files) and owners <= {"cz", "mag", "eighteen"}
