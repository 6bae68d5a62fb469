"""How long the coach takes for a game on one core: `python3 -m bench.coach` measures that alone, on a golden game of
each title, and `dev.py bench --bots` takes the figures in with the others.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path

from ostbahn.interop import files
from ostbahn.review.coach import coach

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
GAMES = {"18cz": "18CZ-base-5", "18mag": "18Mag-base-4"}
"""Of 904 and 1,341 answers."""


def figures() -> dict[str, float]:
    """Seconds of processor time for all that the coach says of a game, and for the longest wait for news of it."""
    found: dict[str, float] = {}
    for name, file in GAMES.items():
        game = files.open_game(GOLDEN / f"{file}.json")
        gc.freeze()
        begun = last = time.process_time()
        longest = 0.0

        def heard(_: int) -> None:
            nonlocal last, longest
            now = time.process_time()
            longest, last = max(longest, now - last), now

        coach(game, heard)
        found[f"coach_{name}_answers"] = float(len(game))
        found[f"coach_{name}_s"] = time.process_time() - begun
        found[f"coach_{name}_silence_s"] = longest
    return found


def main() -> None:
    for name, value in figures().items():
        print(f"{name:32} {value:8.2f}")


if __name__ == "__main__":
    main()
