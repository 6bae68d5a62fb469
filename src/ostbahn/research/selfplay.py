"""Self-play: explorers play whole games, of which a net can learn.

    python -m ostbahn.research.selfplay TITLE --tables base:3,base:4 --games 400 --seed 1000000 --into FOLDER

Each game is a save in the folder, named by its number. Games that are there are not played again, so a run that was
interrupted goes on where it was, and the same seed gives the same games.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

from ostbahn.bots.playing import play_out
from ostbahn.interop import saves
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import entry_of, new_game
from ostbahn.research.explorers import Explorer


class Job(NamedTuple):
    """One game."""

    title: str
    variant: str
    players: int
    kinds: str
    seed: int
    path: Path


def jobs_of(title: str, tables: str, kinds: str, games: int, seed: int, folder: Path) -> list[Job]:
    """The games of a run, the tables in turn."""
    seats = [_table(title, each) for each in tables.split(",")]
    return [
        Job(title, *seats[number % len(seats)], kinds, seed + number, folder / f"{seed + number}.json")
        for number in range(games)
    ]


def _table(title: str, text: str) -> tuple[str, int]:
    variant, _, number = text.partition(":")
    if not number.isdecimal() or int(number) not in entry_of(title, variant).players:
        raise BadSetup(f"{text!r} is no table of {title}: say variant and number of players, such as base:3")
    return variant, int(number)


def play(job: Job) -> Path:
    """One game, written when it is over."""
    lots = Random(f"selfplay/{job.seed}")
    game = new_game(job.title, [f"Seat {seat + 1}" for seat in range(job.players)], variant=job.variant, seed=job.seed)
    bots = {
        seat: Explorer(lots.choice(job.kinds), job.title, job.seed * 16 + place)
        for place, seat in enumerate(game.state.players)
    }
    play_out(game, bots)
    saves.write(job.path, game)
    return job.path


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else None)
    parser.add_argument("title")
    parser.add_argument("--tables", default="base:3", help="variants and numbers of players, such as base:3,base:4")
    parser.add_argument("--kinds", default="Gs", help="what explorers are like: G, S, or s, an S in haste")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    given.into.mkdir(parents=True, exist_ok=True)
    jobs = jobs_of(given.title, given.tables, given.kinds, given.games, given.seed, given.into)
    missing = [job for job in jobs if not job.path.exists()]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        for number, done in enumerate(as_completed(pool.submit(play, job) for job in missing), start=1):
            done.result()
            if number % 20 == 0 or number == len(missing):
                print(f"{number} of {len(missing)} games")


if __name__ == "__main__":
    main()
