"""The compiled engine beside the pure one: `python3 dev.py bench --compiled [--rounds N] [--json FILE]`.

Both are measured in turn, by processes of their own, and of each figure the best is told. The compiled engine is built
from the sources as they lie here, and kept in .dev until they change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
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


def measured(engine: Path | None) -> dict[str, float]:
    """The figures of an engine."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        command = [sys.executable, "-m", "bench.run", "--engine", "--json", str(file)]
        subprocess.run(command, cwd=ROOT, env=path_with(engine), stdout=subprocess.DEVNULL, check=True)
        figures: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))
    return figures


def better(name: str, one: float, other: float) -> float:
    """Of two measurements the one that was disturbed less."""
    return max(one, other) if name.endswith("_per_s") else min(one, other)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each engine is measured")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    options = parser.parse_args()
    engines = {"pure": None, "compiled": compiled_engine()}
    best: dict[str, dict[str, float]] = {}
    for _ in range(options.rounds):
        for engine, folder in engines.items():
            found = measured(folder)
            known = best.get(engine, found)
            best[engine] = {name: better(name, value, known[name]) for name, value in found.items()}
    width = max(map(len, best["pure"]))
    print(f"{'':{width}}  {'pure':>12}  {'compiled':>12}  times as fast")
    for name, pure in best["pure"].items():
        compiled = best["compiled"][name]
        ratio = compiled / pure if name.endswith("_per_s") else pure / compiled
        print(f"{name:{width}}  {pure:12,.3f}  {compiled:12,.3f}  {ratio:5.2f}")
    if options.json:
        options.json.write_text(json.dumps(best, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
