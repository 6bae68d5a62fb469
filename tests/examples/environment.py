"""An environment of its own, with Ostbahn and a title from outside installed in it as their packages are."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

from uv import find_uv_bin

ROOT: Final = Path(__file__).parents[2]
TITLE: Final = ROOT / "docs" / "examples" / "wee"


class Environment:
    """Libraries are those of the tests, so nothing has to be fetched; Ostbahn itself and the title are built anew."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self._uv(folder.parent, "venv", "--python", sys.executable, str(folder))
        paths = {"base": str(folder), "platbase": str(folder)}
        site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
        (site / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
        into = ("--python", str(self.bin / "python"), "--no-deps", "--no-build-isolation")
        self._uv(folder.parent, "pip", "install", *into, str(ROOT), str(TITLE))

    def _uv(self, folder: Path, *arguments: str) -> None:
        env = {**os.environ, "UV_CACHE_DIR": str(folder / "cache"), "UV_PYTHON_DOWNLOADS": "never"}
        env.pop("VIRTUAL_ENV", None)
        done = subprocess.run(
            [find_uv_bin(), "--offline", "--no-config", *arguments], env=env, cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    def run(self, program: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """One of its programs, such as `ostbahn`; the tests' own modules are found too."""
        path = f"{self.bin}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        env = {**os.environ, "PATH": path, "VIRTUAL_ENV": str(self.bin.parent), "PYTHONPATH": str(ROOT)}
        env.pop("PYTEST_XDIST_WORKER", None)
        command = [str(self.bin / program), *arguments]
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
