"""How strong somebody is whom the rules play: `python -m lab.automaton TITLE VARIANT --bot S --games 100`
plays a game for one with all that can be chosen in it, and prints what the automaton had, how often it won, and who
ended the games.

Whose company bought the train that began the last phase has ended the game; nobody has if it began otherwise.
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

from ostbahn.bots.arena import RULES_PLAYER, ConfidenceInterval, mean, mean_interval, wilson_interval
from ostbahn.bots.playing import play_out
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, RoundBegan, TrainMoved
from ostbahn.kits.catalogue import entry_of, new_game, rulebook_for
from ostbahn.text.speech import text_renderer_of

HEAD: Final = (
    *("automaton", "95 %", "bot", "95 %", "automaton won", "95 %", "ended by automaton, bot, nobody"),
    *("last phase in OR", "ORs"),
)
"""The columns after those of what can be chosen."""


class Trial(Struct, frozen=True):
    """One game that is to be played."""

    title: str
    variant: str
    bot: str
    options: dict[str, str]
    seed: int
    deck: str | None = None
    """The text of a file with other cards."""


class Outcome(Struct, frozen=True):
    its: int
    mine: int
    """What the automaton and the bot had."""
    ended_by: str
    """Who began the last phase: `automaton`, `bot` or `nobody`."""
    last_phase: int
    """In which Operating Round of the game that was."""
    rounds: int
    """How many Operating Rounds the game had."""


def play(trial: Trial) -> Outcome:
    game = new_game(
        trial.title, [trial.bot], variant=trial.variant, seed=trial.seed, deck=trial.deck, options=trial.options
    )
    bot, automaton = game.state.players
    play_out(game, {bot: bot_named(trial.bot, seed_for(trial.seed, 0)), automaton: bot_named(RULES_PLAYER, 1)})
    wealth = game.worth()
    ended_by, last_phase, rounds = ending(game)
    who = {bot: "bot", automaton: "automaton", None: "nobody"}[ended_by]
    return Outcome(wealth[automaton], wealth[bot], who, last_phase, rounds)


def ending(game: Game) -> tuple[str | None, int, int]:
    """The seat whose company began the last phase, in which Operating Round, and how many there were."""
    final = list(rulebook_for(game.setup).title.phases)[-1]
    events = [*game.opening, *(event for record in game.records for event in record.events)]
    ended_by, last_phase, rounds = None, 0, 0
    for before, event in pairwise([None, *events]):
        if isinstance(event, RoundBegan):
            rounds += event.round.startswith("OR")
        elif isinstance(event, PhaseBegan) and event.phase == final:
            last_phase = rounds
            if isinstance(before, TrainMoved):
                ended_by = _owner(game, before.target)
    return ended_by, last_phase, rounds


def _owner(game: Game, company: str) -> str | None:
    renderer = text_renderer_of(game)
    return next((seat for seat in game.state.players if company in renderer.accounts(seat)), None)


def row(chosen: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    """A line of the table."""
    its, mine = [float(each.its) for each in outcomes], [float(each.mine) for each in outcomes]
    won = sum(1.0 if each.its > each.mine else 0.5 * (each.its == each.mine) for each in outcomes)
    sure = wilson_interval(won, len(outcomes))
    ended = [sum(each.ended_by == who for each in outcomes) for who in ("automaton", "bot", "nobody")]
    cells = [
        *chosen,
        f"{mean(its):,.0f}",
        _span(mean_interval(its)),
        f"{mean(mine):,.0f}",
        _span(mean_interval(mine)),
        f"{won:g} of {len(outcomes)}",
        f"{sure.low:.0%}–{sure.high:.0%}",
        ", ".join(map(str, ended)),
        f"{mean([float(each.last_phase) for each in outcomes]):.1f}",
        f"{mean([float(each.rounds) for each in outcomes]):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _span(interval: ConfidenceInterval) -> str:
    return f"{interval.low:,.0f}–{interval.high:,.0f}"


def table(
    way: tuple[str, str], bot: str, games: int, jobs: int, seed: int = 1, deck: str | None = None
) -> Iterator[str]:
    """The table of a way to play line by line, each as soon as its games are played."""
    options = entry_of(*way).options
    columns = (*options, *HEAD)
    yield f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for chosen in product(*(choice.values for choice in options.values())):
            values = dict(zip(options, chosen, strict=True))
            trials = [Trial(*way, bot, values, seed + number, deck) for number in range(games)]
            yield row(chosen, list(pool.map(play, trials)))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m lab.automaton", description="How strong somebody is whom the rules play."
    )
    parser.add_argument("title")
    parser.add_argument("variant", help="in which one person and an automaton play")
    parser.add_argument("--bot", default="S", help="who plays against the automaton")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="for all that can be chosen")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="games at the same time")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first game")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="other cards than ours")
    chosen = parser.parse_args()
    deck = None if chosen.deck is None else chosen.deck.read_text(encoding="utf-8")
    try:
        for line in table((chosen.title, chosen.variant), chosen.bot, chosen.games, chosen.jobs, chosen.seed, deck):
            print(line, flush=True)
    except OstbahnError as fault:
        parser.error(str(fault))


if __name__ == "__main__":
    main()
