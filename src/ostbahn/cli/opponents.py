"""Bots at the terminal: they take the last seats, and answer for themselves; and S tells what it would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from ostbahn.bots.bot import Bot
from ostbahn.bots.hints import hint
from ostbahn.bots.limits import LIMIT, Limited
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.telling.speech import Speech
from ostbahn.terminal.screen import say


def names_of(bots: Sequence[str]) -> tuple[str, ...]:
    """What bots are called at the table."""
    return tuple(f"Bot {number} ({spec.rsplit('/')[-1]})" for number, spec in enumerate(bots, start=1))


def seated(game: Game, bots: Sequence[str], limit: float = LIMIT) -> Mapping[str, Bot]:
    """The bots by seat, the last ones of those that are asked; each has so many seconds for an answer."""
    seats = [f"p{number}" for number in range(1, len(game.setup.players) + 1)]
    if len(bots) >= len(seats) and bots:
        raise BadSetup(f"{len(bots)} bots leave no seat for you at a table for {len(seats)}")
    last = seats[len(seats) - len(bots) :]
    return {
        seat: Limited(bot_named(spec, seed_for(game.setup.seed, number)), limit)
        for number, (seat, spec) in enumerate(zip(last, bots, strict=True))
    }


def show_hint(console: Console, game: Game) -> Action:
    """The move that S would make, and what speaks for it."""
    found = hint(game)
    say(console, f"S would {Speech(game).describe(found.action)}")
    for reason in found.reasons:
        say(console, f"  {reason}")
    return found.action
