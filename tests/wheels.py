"""The wheel in environments of its own, with what some of its extras bring and nothing else."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement


class Environment:
    """A Python with the wheel and what some of its extras bring, and with nothing else."""

    def __init__(self, folder: Path, wheel: Path, *extras: str) -> None:
        venv.create(folder, symlinks=True)
        self.bin = folder / "bin"
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--no-cache"]
        subprocess.run([*uv, "--python", str(self.bin / "python"), str(wheel)], check=True)
        (site,) = folder.glob("lib/python*/site-packages")
        for package in required("ostbahn", frozenset(extras)) - {"ostbahn"}:
            borrow(package, site)

    def run(self, cwd: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / program), *arguments]
        return subprocess.run(command, cwd=cwd, env={}, capture_output=True, text=True, check=False)


def required(package: str, extras: frozenset[str]) -> set[str]:
    """A package with all that it declares to need here."""
    found, open_ = set[tuple[str, frozenset[str]]](), {(package, extras)}
    while open_:
        found.add(each := open_.pop())
        open_ |= set(_requirements(*each)) - found
    return {name for name, _ in found}


def _requirements(package: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for line in distribution(package).requires or ():
        wanted = Requirement(line)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield wanted.name, frozenset(wanted.extras)


def borrow(package: str, site: Path) -> None:
    """Put a package of this environment into another one."""
    files = distribution(package)
    for name in {file.parts[0] for file in files.files or ()} - {"..", "__pycache__"}:
        if not (site / name).exists():
            (site / name).symlink_to(str(files.locate_file(name)))
