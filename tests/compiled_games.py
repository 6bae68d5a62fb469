"""Plays games on whichever engine is on the path, and tells every state by its digest.

python -m tests.compiled_games NAME…            golden games, answer by answer
python -m tests.compiled_games random N TITLE   random games of three, so many
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import ostbahn
from bench.random_play import played
from tests.golden.games import GOLDEN, digests, given_again


def told(arguments: list[str]) -> dict[str, list[str]]:
    if arguments[0] == "random":
        number, title = int(arguments[1]), arguments[2]
        return {f"{title} {seed}": digests(played(title, seed)) for seed in range(1, number + 1)}
    found = {}
    for golden in GOLDEN:
        if golden.name in arguments:
            game, refused = given_again(golden)
            found[golden.name] = [*digests(game), *([refused] if refused else [])]
    return found


if __name__ == "__main__":
    package = str(Path(ostbahn.__file__).parent)
    print(json.dumps({"compiled": ostbahn.compiled(), "package": package, "games": told(sys.argv[1:])}))
