"""The compiled engine: the same sources, so every state of every game is the same. It comes only when asked for."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ostbahn
from bench.compiled import build_wheel, compiled_engine, path_with
from hatch_build import chosen
from tests.golden.games import GOLDEN

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
SOME = ["ostbahn/kernel/game.py", "ostbahn/kernel/questions.py", "ostbahn/kernel/steps.py", "ostbahn/kernel/table.py"]
SOME += ["ostbahn/kernel/money.py", "ostbahn/kernel/chart.py", "ostbahn/kernel/routes/reach.py"]
SOME += [f"ostbahn/eighteen/{name}.py" for name in ("table", "operating", "track")]
SOME += ["ostbahn/titles/mag/table.py", "ostbahn/titles/mag/stock.py"]


def compiled_modules() -> list[str]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = table["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    return chosen(SOURCE, hook["compiled"], hook["interpreted"])


def needs_compiler() -> None:
    """Say loudly what is not tested where nothing can be compiled; whoever tests for everybody must be able to."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        assert os.environ.get("CI", "").lower() not in ("1", "true"), "a C compiler is needed"
        pytest.skip("NOT TESTED: the compiled engine, as there is no C compiler (on Debian: apt-get install gcc)")


def played(engine: Path | None, *arguments: str) -> dict[str, Any]:
    """What `tests.compiled_games` tells, on an engine."""
    command = [sys.executable, "-m", "tests.compiled_games", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=path_with(engine), capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert (found["compiled"], found["package"].startswith(str(engine or SOURCE))) == (engine is not None, True)
    return found


def kept(name: str) -> list[str]:
    return next(golden.digests.read_text().split() for golden in GOLDEN if golden.name == name)


def test_kernel_and_rules_are_compiled_and_what_is_read_is_not() -> None:
    """The compiler loses what msgspec has to know of types, so no structure may be in a compiled module."""
    modules = compiled_modules()
    assert {"ostbahn/kernel/game.py", "ostbahn/kernel/routes/reach.py", "ostbahn/titles/mag/track.py"} <= set(modules)
    assert len(modules) > 60
    for module in modules:
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base) for base in node.bases}
                assert not bases & {"Struct", "Action", "Task", "Event", "Spec", "State"}, f"{module}: {node.name}"


def classes_of(path: Path) -> dict[str, ast.ClassDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def imported_by(path: Path) -> dict[str, tuple[str, str]]:
    """What a module calls things of others: the module that they are from, and their name there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {each.asname or each.name: (node.module or "", each.name) for node in imports for each in node.names}


def bases_in(path: Path, compiled: set[str]) -> Iterator[ast.ClassDef]:
    """The compiled classes from which those of a module inherit; protocols are only for type checkers."""
    names = imported_by(path)
    for found in classes_of(path).values():
        for base in found.bases:
            module, name = names.get(ast.unparse(base).partition("[")[0], ("", ""))
            file = module.replace(".", "/") + ".py"
            if file in compiled:
                known = classes_of(SOURCE / file)[name]
                if "Protocol" not in map(ast.unparse, known.bases):
                    yield known


def test_whatever_interpreted_code_inherits_from_is_marked() -> None:
    """Variants, modules and the titles of others are not compiled; an unmarked class would refuse to be their base."""
    compiled = set(compiled_modules())
    interpreted = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).as_posix() not in compiled]
    paths = [*interpreted, *(ROOT / "docs" / "examples").rglob("*.py")]
    found = {base.name: base for path in paths for base in bases_in(path, compiled)}
    assert {"ListedStep", "BaseLayTile", "DraftDecision"} <= found.keys()
    for base in found.values():
        assert any("allow_interpreted_subclasses=True" in ast.unparse(told) for told in base.decorator_list), base.name


def test_a_wheel_is_pure_unless_another_is_asked_for(tmp_path: Path) -> None:
    assert build_wheel(tmp_path, compiled=False).name == f"ostbahn-{ostbahn.__version__}-py3-none-any.whl"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_part_of_the_engine_compiled_plays_the_same(tmp_path: Path) -> None:
    """A few modules, native classes with subclasses that are not among them; all of them are compiled in `soak`."""
    needs_compiler()
    build = [sys.executable, str(ROOT / "hatch_build.py"), str(tmp_path), "0", *SOME]
    subprocess.run(build, cwd=SOURCE, capture_output=True, check=True)
    engine = tmp_path / "lib"
    shutil.copytree(SOURCE, engine, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    names = ("18CZ-base-3", "18Mag-base-3")
    assert played(engine, *names)["games"] == {name: kept(name) for name in names}
    random = ("random", "1", "18Mag")
    assert played(engine, *random)["games"] == played(None, *random)["games"]


@pytest.mark.soak
def test_the_compiled_engine_plays_the_same() -> None:
    """All golden games, and random ones of both titles, state by state."""
    needs_compiler()
    engine = compiled_engine()
    names = [golden.name for golden in GOLDEN]
    assert played(engine, *names)["games"] == {name: kept(name) for name in names}
    for title in ("18CZ", "18Mag"):
        random = ("random", os.environ.get("OSTBAHN_SOAK_GAMES", "60"), title)
        assert played(engine, *random)["games"] == played(None, *random)["games"]
