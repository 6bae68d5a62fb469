"""Self-play: explorers play whole games, of which a net can learn.

    python -m lab.selfplay TITLE --tables base:3,base:4 --games 400 --seed 1000000 --into FOLDER

`--module ID` plays all of them with a module of the title's expansion, and may be said several times.
Each game is a save in the folder, named by its seed. Games that are there are not played again, so a run that was
interrupted goes on where it was, and the same seed gives the same games, here or on a cluster (`--on ray`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from lab.explorers import KINDS, Explorer
from ostbahn.bots.jobs import HERE, backend_at, job_results
from ostbahn.bots.playing import play_out
from ostbahn.interop import saves
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import check_modules, entry_of, new_game
from ostbahn.storage import atomic_write


class Table(NamedTuple):
    """What is played: a variant with so many players."""

    variant: str
    players: int


class Run(NamedTuple):
    """Many games; the tables come in turn, and who sits there is drawn."""

    title: str
    tables: tuple[Table, ...]
    kinds: str
    modules: tuple[str, ...] = ()


class Finished(NamedTuple):
    seed: int
    save: bytes


def tables_in(title: str, text: str, modules: Sequence[str] = ()) -> tuple[Table, ...]:
    """`base:3,base:4`"""
    found = tuple(_table(title, each) for each in text.split(","))
    for table in found:
        check_modules(entry_of(title, table.variant), modules, table.players)
    return found


def _table(title: str, text: str) -> Table:
    variant, _, number = text.partition(":")
    if not number.isdecimal() or int(number) not in entry_of(title, variant).players:
        raise BadSetup(f"{text!r} is no table of {title}: say variant and number of players, such as base:3")
    return Table(variant, int(number))


def played(run: Run, seed: int) -> Finished:
    """One game, with an explorer on every seat."""
    lots = Random(f"selfplay/{seed}")
    table = run.tables[seed % len(run.tables)]
    options = {name: lots.choice(choice.values) for name, choice in entry_of(run.title, table.variant).options.items()}
    names = [f"Seat {seat + 1}" for seat in range(table.players)]
    game = new_game(run.title, names, variant=table.variant, seed=seed, options=options, modules=run.modules)
    bots = {
        seat: Explorer(lots.choice(run.kinds), run.title, seed * 16 + place)
        for place, seat in enumerate(game.state.players)
    }
    play_out(game, bots)
    return Finished(seed, saves.dump(game))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else None)
    parser.add_argument("title")
    parser.add_argument("--tables", default="base:3", help="variants and numbers of players, such as base:3,base:4")
    parser.add_argument("--module", action="append", default=[], metavar="ID", help="of the title's expansion")
    parser.add_argument("--kinds", default="Gs", help=f"what explorers are like: {KINDS}")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=0, help="at the same time; 0: as many as there is room for")
    parser.add_argument("--on", default=HERE, help="here, ray or ray:ADDRESS")
    given = parser.parse_args(arguments)
    try:
        tables = tables_in(given.title, given.tables, given.module)
    except BadSetup as fault:
        parser.error(str(fault))
    run = Run(given.title, tables, given.kinds, tuple(given.module))
    given.into.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in range(given.seed, given.seed + given.games) if not _file(given.into, seed).exists()]
    with closing(job_results(partial(played, run), missing, backend_at(given.on, given.jobs))) as games:
        for number, game in enumerate(games, start=1):
            with atomic_write(_file(given.into, game.seed)) as file:
                file.write(game.save)
            print(f"{number} of {len(missing)} games", end="\r" if number < len(missing) else "\n", flush=True)


def _file(folder: Path, seed: int) -> Path:
    return folder / f"{seed}.json"


if __name__ == "__main__":
    main()
