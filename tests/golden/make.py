"""Brings the golden games up to date: `python3 dev.py golden [--anew]`.

A game stays as it is as far as today's rules accept it, so that the diff shows what a change of rules changed; where
they refuse an answer, the bots play on from there. With --anew they play every game again from its beginning.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from ostbahn.bots.playing import play_out
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.interop import saves, site_adapter
from ostbahn.storage import atomic_write
from tests.golden.games import GOLDEN, Golden, digests, given_again
from tests.golden.story import story


def bring_up_to_date(golden: Golden, anew: bool) -> str:
    """Write all files of a golden game; says what became of it."""
    fresh = anew or not golden.save.exists()
    game, refused = (golden.begin(), "") if fresh else given_again(golden)
    kept = len(game)
    bots = {
        seat: bot_named(golden.bots[number : number + 1] or "R", seed_for(golden.seed, number))
        for number, seat in enumerate(game.state.players)
    }
    play_out(game, bots)
    saves.write(golden.save, game)
    write(golden.story, "".join(f"{line}\n" for line in story(game)).encode())
    write(golden.digests, "".join(f"{digest}\n" for digest in digests(game)).encode())
    if golden.export is not None:
        write(golden.export, site_adapter.dump(site_adapter.export_game(game)))
    told = f"{golden.name}: {kept} answers kept, {len(game) - kept} played"
    return f"{told}; {refused}" if refused else told


def write(path: Path, data: bytes) -> None:
    with atomic_write(path) as file:
        file.write(data)


def main() -> int:
    parser = argparse.ArgumentParser(prog="dev.py golden", description=__doc__)
    parser.add_argument("--anew", action="store_true", help="let the bots play every game again from its beginning")
    options = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for told in pool.map(bring_up_to_date, GOLDEN, [options.anew] * len(GOLDEN)):
            print(told, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
