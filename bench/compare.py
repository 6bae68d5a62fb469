"""Two versions measured in turn: `python3 dev.py bench --against FOLDER`, or `--compiled` for the compiled engine.

Each round measures both in processes of their own, so what disturbs the machine disturbs both. The medians of all
rounds are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.compiled import ROOT, compiled_engine

MEASURE: Final = """
import json, sys
from bench.run import measure_engine
figures = measure_engine()
if "service" in sys.argv[2:]:
    from bench.service import figures as service_figures
    figures |= service_figures()
with open(sys.argv[1], "w") as file:
    json.dump(figures, file)
"""


class Version(NamedTuple):
    """Sources to measure, and where Python looks for the package first."""

    name: str
    checkout: Path
    package: Path

    def measure(self, *parts: str) -> dict[str, float]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (self.package, self.checkout)))}
        with TemporaryDirectory() as folder:
            file = Path(folder, "figures.json")
            command = [sys.executable, "-c", MEASURE, str(file), *parts]
            subprocess.run(command, cwd=self.checkout, env=env, stdout=subprocess.DEVNULL, check=True)
            figures: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))
        return figures


def medians(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(figures[name] for figures in rounds) for name in rounds[0]}


def print_comparison(first: Version, second: Version, figures: dict[str, dict[str, float]]) -> None:
    """A line for each figure that both versions have; the last column is above 1 where the second is faster."""
    before, after = figures[first.name], figures[second.name]
    width = max(map(len, before))
    print(f"{'':{width}}  {first.name:>12}  {second.name:>12}  times as fast")
    for name in (name for name in before if name in after):
        old, new = before[name], after[name]
        ratio = new / old if name.endswith("_per_s") else old / new
        print(f"{name:{width}}  {old:12,.3f}  {new:12,.3f}  {ratio:5.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="a checkout of another version")
    parser.add_argument("--compiled", action="store_true", help="the compiled engine against the pure one")
    parser.add_argument("--service", action="store_true", help="also measure answers and updates of the server")
    parser.add_argument("--rounds", type=int, default=3, help="how often each version is measured")
    parser.add_argument("--json", type=Path, help="write the medians there as well")
    options = parser.parse_args()
    here = Version("pure" if options.compiled else "new", ROOT, ROOT / "src")
    if options.compiled:
        versions = (here, Version("compiled", ROOT, compiled_engine()))
    elif options.against:
        folder = options.against.resolve()
        versions = (Version("old", folder, folder / "src"), here)
    else:
        parser.error("compare with what? Say --against FOLDER or --compiled")
    parts = ("service",) if options.service else ()
    rounds: dict[str, list[dict[str, float]]] = {version.name: [] for version in versions}
    for _ in range(options.rounds):
        for version in versions:
            rounds[version.name].append(version.measure(*parts))
    figures = {name: medians(measured) for name, measured in rounds.items()}
    print_comparison(*versions, figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
