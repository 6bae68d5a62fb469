"""How strong István is in 18Mag: `python -m ostbahn.research.solo --bot S --games 100` plays the solo game in every
length and difficulty, and prints what he had, how often he won, and who ended the games.

A game ends with the Operating Rounds after the last phase has begun (18Mag X/12). Whose minor bought the train that
began it has ended the game; nobody has if it began because no train was sold for too long (VI.4.3/8).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, product
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from ostbahn.bots.playing import play_out
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, RoundBegan, TrainMoved
from ostbahn.kits.catalogue import new_game
from ostbahn.research.arena import NOBODY
from ostbahn.research.statistics import Interval, mean, mean_interval, wilson
from ostbahn.telling.faces import face_of
from ostbahn.titles.mag.istvan import ISTVAN
from ostbahn.titles.mag.solo import HUMAN, solo_file
from ostbahn.titles.mag.words.remarks import mag_table

HEAD: Final = (
    "| length | difficulty | István | 95 % | bot | 95 % | István won | 95 % | ended by István, bot, nobody | "
    "last phase in OR | ORs |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


class Trial(Struct, frozen=True):
    """One game that is to be played."""

    bot: str
    length: str
    difficulty: str
    seed: int
    deck: str | None = None
    """The text of a file with other cards."""


class Outcome(Struct, frozen=True):
    his: int
    mine: int
    """What István and the bot had."""
    ended_by: str | None
    """The seat whose minor began the last phase."""
    last_phase: int
    """In which Operating Round of the game that was."""
    rounds: int
    """How many Operating Rounds the game had."""


def play(trial: Trial) -> Outcome:
    chosen = {"length": trial.length, "difficulty": trial.difficulty}
    game = new_game("18Mag", [trial.bot], variant="solo", seed=trial.seed, deck=trial.deck, options=chosen)
    play_out(game, {HUMAN: bot_named(trial.bot, seed_for(trial.seed, 0)), ISTVAN: bot_named(NOBODY, 1)})
    wealth = face_of(game).standings()
    ended_by, last_phase, rounds = ending(game)
    return Outcome(his=wealth[ISTVAN], mine=wealth[HUMAN], ended_by=ended_by, last_phase=last_phase, rounds=rounds)


def ending(game: Game) -> tuple[str | None, int, int]:
    """Whose minor began the last phase, in which Operating Round, and how many there were."""
    state, final = mag_table(game).state, list(mag_table(game).title.phases)[-1]
    events = [*game.opening, *(event for record in game.records for event in record.events)]
    ended_by, last_phase, rounds = None, 0, 0
    for before, event in pairwise([None, *events]):
        if isinstance(event, RoundBegan):
            rounds += event.round.startswith("OR")
        elif isinstance(event, PhaseBegan) and event.phase == final:
            last_phase = rounds
            if isinstance(before, TrainMoved):
                ended_by = state.owners[before.target]
    return ended_by, last_phase, rounds


def row(length: str, difficulty: str, outcomes: Sequence[Outcome]) -> str:
    """A line of the table."""
    his, mine = [float(each.his) for each in outcomes], [float(each.mine) for each in outcomes]
    won = sum(1.0 if each.his > each.mine else 0.5 * (each.his == each.mine) for each in outcomes)
    sure = wilson(won, len(outcomes))
    ended = [sum(each.ended_by == seat for each in outcomes) for seat in (ISTVAN, HUMAN, None)]
    cells = [
        length,
        difficulty,
        f"{mean(his):,.0f}",
        _span(mean_interval(his)),
        f"{mean(mine):,.0f}",
        _span(mean_interval(mine)),
        f"{won:g} of {len(outcomes)}",
        f"{sure.low:.0%}–{sure.high:.0%}",
        ", ".join(map(str, ended)),
        f"{mean([float(each.last_phase) for each in outcomes]):.1f}",
        f"{mean([float(each.rounds) for each in outcomes]):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _span(interval: Interval) -> str:
    return f"{interval.low:,.0f}–{interval.high:,.0f}"


def table(bot: str, games: int, jobs: int, seed: int = 1, deck: str | None = None) -> Iterator[str]:
    """The table line by line, each as soon as its games are played."""
    yield HEAD
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for length, difficulty in product(solo_file().lengths, solo_file().difficulties):
            trials = [Trial(bot, length, difficulty, seed + number, deck) for number in range(games)]
            yield row(length, difficulty, list(pool.map(play, trials)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ostbahn.research.solo", description="How strong István is.")
    parser.add_argument("--bot", default="S", help="who plays against him")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="for each length and difficulty")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="games at the same time")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first game")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="other cards than ours")
    chosen = parser.parse_args()
    deck = None if chosen.deck is None else chosen.deck.read_text(encoding="utf-8")
    try:
        for line in table(chosen.bot, chosen.games, chosen.jobs, chosen.seed, deck):
            print(line, flush=True)
    except OstbahnError as fault:
        parser.error(str(fault))


if __name__ == "__main__":
    main()
