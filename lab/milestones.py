"""How games went: `python -m lab.milestones FOLDER…` tells of all saves in folders, or of single files, in
which Operating Round each phase began, what all companies ran for, and what the players had together after each round.
So games of bots can be laid beside those of people.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec import Struct

from ostbahn.bots.arena import MEASURES_SUFFIX, mean, mean_interval
from ostbahn.bots.jobs import HERE, backend_at, job_results
from ostbahn.interop import files
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, Revenue, RoundBegan
from ostbahn.views.title_views import OPERATING


class Milestones(Struct, frozen=True):
    """What is told of one game."""

    phases: dict[str, int]
    """In which Operating Round of the game a phase began; 0 before the first."""
    revenue: int
    """Of all runs of all companies."""
    wealth: list[int]
    """What all players had together when each Operating Round was over."""

    @property
    def rounds(self) -> int:
        return len(self.wealth)


def milestones_of(game: Game) -> Milestones:
    """A game played through once more."""
    again = game.position(0)
    phases: dict[str, int] = {}
    wealth: list[int] = []
    revenue = rounds = 0
    for record in game.records:
        for event in again.apply(record.action).events:
            if isinstance(event, RoundBegan):
                wealth += [_together(again)] * (rounds - len(wealth))
                rounds += event.round.startswith(OPERATING)
            elif isinstance(event, PhaseBegan):
                phases[event.phase] = rounds
            elif isinstance(event, Revenue):
                revenue += event.amount
        again.drop_history()
    return Milestones(phases, revenue, wealth + [_together(again)] * (rounds - len(wealth)))


def _together(game: Game) -> int:
    return sum(game.worth().values())


def told(games: Sequence[Milestones]) -> Iterator[str]:
    """All figures as means with their intervals, line by line."""
    yield f"{len(games)} games" if len(games) != 1 else "1 game"
    yield f"Operating Rounds: {_middle([each.rounds for each in games])}"
    yield f"revenue of all companies: {_middle([each.revenue for each in games])}"
    yield f"wealth together in the end: {_middle([each.wealth[-1] for each in games if each.wealth])}"
    for phase in dict.fromkeys(phase for each in games for phase in each.phases):
        begun = [each.phases[phase] for each in games if phase in each.phases]
        yield f"phase {phase}: in Operating Round {_middle(begun)}, in {len(begun)} games"
    for number in range(max((each.rounds for each in games), default=0)):
        had = [each.wealth[number] for each in games if number < each.rounds]
        yield f"wealth together after Operating Round {number + 1}: {_middle(had)}, in {len(had)} games"


def _middle(values: Sequence[int]) -> str:
    figures = [float(value) for value in values]
    sure = mean_interval(figures)
    return f"{mean(figures):,.1f} ({sure.low:,.1f}–{sure.high:,.1f})"


def saves_in(places: Sequence[Path]) -> list[Path]:
    """The games in folders, without what else a contest keeps there; and files that are named."""
    found: list[Path] = []
    for place in places:
        inside = sorted(place.glob("[0-9]*.json")) if place.is_dir() else [place]
        found += [path for path in inside if not path.name.endswith(MEASURES_SUFFIX)]
    return found


def _milestones_in(paths: Sequence[Path], number: int) -> Milestones:
    return milestones_of(files.open_game(paths[number]))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m lab.milestones", description="How the games in folders or files went."
    )
    parser.add_argument("places", type=Path, nargs="+", metavar="FOLDER", help="of saves; or single files")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="games at the same time; 0: one for each core")
    given = parser.parse_args(arguments)
    paths = saves_in(given.places)
    try:
        with closing(
            job_results(partial(_milestones_in, paths), range(len(paths)), backend_at(HERE, given.jobs))
        ) as found:
            games = list(found)
    except OstbahnError as fault:
        parser.error(str(fault))
    if not games:
        parser.error("there is no game in " + ", ".join(map(str, given.places)))
    print("\n".join(told(games)))


if __name__ == "__main__":
    main()
