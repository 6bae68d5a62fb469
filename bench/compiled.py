"""Builds the compiled engine from the sources as they lie here; it is kept in .dev until they change."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / ".dev" / "compiled"
WANTED: Final = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}


def build_wheel(folder: Path, *, compiled: bool) -> Path:
    """A wheel of the sources as they lie here."""
    env = {name: value for name, value in os.environ.items() if name not in WANTED} | (WANTED if compiled else {})
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the wheel could not be built:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    [wheel] = folder.glob("*.whl")
    return wheel


def compiled_engine() -> Path:
    """A folder with the compiled package, to be put before the other one on the path of a Python."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted([*(ROOT / "src").rglob("*.py"), ROOT / "hatch_build.py", ROOT / "pyproject.toml"]):
        digest.update(path.read_bytes())
    folder = KEPT / digest.hexdigest()[:16]
    if not folder.exists():
        shutil.rmtree(KEPT, ignore_errors=True)
        KEPT.mkdir(parents=True)
        with TemporaryDirectory(dir=KEPT) as made:
            wheel = build_wheel(Path(made), compiled=True)
            with ZipFile(wheel) as packed:
                packed.extractall(Path(made, "site"))
            Path(made, "site").rename(folder)
    return folder


def path_with(engine: Path | None) -> dict[str, str]:
    """The environment of a process that is to use an engine; None for the sources."""
    before = [str(engine)] if engine else []
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*before, str(ROOT)])}
