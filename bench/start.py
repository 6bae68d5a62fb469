"""How long the command line takes to start, in processor time: what else runs on the machine then counts least."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ostbahn import new_game, save

TIMES = 10
PLAYERS = ("Anna", "Ben", "Cyril")


def figures() -> dict[str, float]:
    """Help, and the first question of a game of either title, each with Python itself and the least of ten starts."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        found = {"start_python_cpu_ms": started(folder, "-c", "pass")}
        found["start_help_cpu_ms"] = started(folder, "-m", "ostbahn", "--help")
        for title, suffix in (("18CZ", ""), ("18Mag", "_18mag")):
            file = folder / f"{title}.json"
            save(file, new_game(title, PLAYERS, seed=7))
            found[f"start_ask_cpu_ms{suffix}"] = started(folder, "-m", "ostbahn", "ask", str(file))
    return found


def started(folder: Path, *arguments: str) -> float:
    """In milliseconds, with all modules compiled, as they are where something is installed."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    _run(arguments, env)
    return min(_run(arguments, env) for _ in range(TIMES)) * 1e3


def _run(arguments: Sequence[str], env: dict[str, str]) -> float:
    before = _spent()
    subprocess.run([sys.executable, *arguments], env=env, stdout=subprocess.DEVNULL, check=True)
    return _spent() - before


def _spent() -> float:
    """By programs that were started here and have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
