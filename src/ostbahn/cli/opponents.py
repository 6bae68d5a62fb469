"""Bots of a game at the terminal: seats, bots of a save, and hints."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from rich.console import Console

from ostbahn.bots.hints import hint
from ostbahn.bots.limits import LIMIT, TimeLimitedBot
from ostbahn.bots.playing import Bot
from ostbahn.bots.registry import OWN_BOT, bot_named, built_in, check_bot_plays, display_name, seed_for
from ostbahn.interop.saves import NO_BOTS
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.terminal.screen import print_line
from ostbahn.text.speech import current_question, text_renderer_of
from ostbahn.views.hints import hint_lines, hint_view

HINT_SEED: Final = 0
"""With this seed bot N answers as hints advise."""
HERE: Final = "Somebody at the keyboard takes that seat."


class SeatingOptions(NamedTuple):
    """Which seats bots have at a table."""

    codes: Mapping[str, str] = NO_BOTS
    """All bots by seat, as saved."""
    bots: Mapping[str, Bot] = {}
    """The bots that can play; `codes` may name others, which stay in the save."""


def bot_player_names(bots: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"Bot {number} ({display_name(spec)})" for number, spec in enumerate(bots, start=1))


def seat_bots(game: Game, bots: Sequence[str], limit: float = LIMIT) -> SeatingOptions:
    """Put the bots on the last seats, each with `limit` seconds for an answer."""
    seats = _seats(game)
    if len(bots) >= len(seats) and bots:
        raise BadSetup(f"{len(bots)} bots leave no seat for you at a table for {len(seats)}")
    codes = dict(zip(seats[len(seats) - len(bots) :], bots, strict=True))
    for code in bots:
        check_bot_plays(code, game.setup.title)
    return SeatingOptions(
        codes, {seat: TimeLimitedBot(bot_named(code, _seed(game, seat)), limit) for seat, code in codes.items()}
    )


def seat_saved_bots(console: Console, game: Game, codes: Mapping[str, str], limit: float = LIMIT) -> SeatingOptions:
    """Seat the built-in bots of a save, and print which seats are left to people.

    A save may come from a stranger, so a bot from a file never runs.
    """
    bots: dict[str, Bot] = {}
    for seat, code in codes.items():
        if own_bot := OWN_BOT.fullmatch(code):
            why = _why_not_run(Path(own_bot["path"]), codes)
            print_line(console, f"{_name(game, seat)} was played by {code}. {why}")
            continue
        try:
            check_bot_plays(code, game.setup.title)
            bots[seat] = TimeLimitedBot(built_in(code, _seed(game, seat)), limit)
        except BadSetup as fault:
            print_line(console, f"{_name(game, seat)} was played by {code}, but {fault}. {HERE}")
    if len(bots) == len(_seats(game)):
        raise BadSetup(
            "bots have all seats of this game, so nobody is left to play: --no-bots leaves every seat to the keyboard, "
            "and --bot CODE gives bots the last ones only"
        )
    if bots:
        print_line(console, f"Bots play on: {bots_by_seat_text(game, {seat: codes[seat] for seat in bots})}.")
    return SeatingOptions(codes, bots)


def substitute_bot(game: Game, codes: Mapping[str, str], code: str, limit: float = LIMIT) -> Bot:
    """Make a bot for the player to move; if the seat has this bot already, it gets the seat's seed."""
    seat = current_question(game).decider
    check_bot_plays(code, game.setup.title)
    seed = _seed(game, seat) if codes.get(seat) == code else HINT_SEED
    return TimeLimitedBot(bot_named(code, seed), limit)


def _why_not_run(file: Path, codes: Mapping[str, str]) -> str:
    """Say why a bot from a file does not play, and how to allow it."""
    try:
        exists = file.is_file()
    except OSError:  # a save may name any path: too long, or not accessible
        exists = False
    if not exists:
        return f"There is no file {file} here any more. {HERE}"
    again = " ".join(f"--bot {shlex.quote(code)}" for code in codes.values())
    return (
        f"That would run the file {file.resolve()}, which is never done only because a save says so. {HERE} "
        f"If you trust the file, start again with {again}; bots then take the last seats."
    )


def say_bot_changes(console: Console, game: Game, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Print which bots play when options replace those of the save."""
    if before == after:
        now = f"Bots play on: {bots_by_seat_text(game, after)}." if after else "This game has no bots."
    else:
        now = f"From now on bots play: {bots_by_seat_text(game, after)}." if after else "From now on there are no bots."
        now += f" Until now: {bots_by_seat_text(game, before)}." if before else ""
    print_line(console, now)


def bots_by_seat_text(game: Game, codes: Mapping[str, str]) -> str:
    """Bots with their seats: `S for Bot 1 (S), G for Ben`."""
    return ", ".join(f"{code} for {_name(game, seat)}" for seat, code in codes.items())


def _name(game: Game, seat: str) -> str:
    return text_renderer_of(game).names()[seat]


def _seats(game: Game) -> list[str]:
    return [f"p{number}" for number in range(1, len(game.setup.players) + 1)]


def _seed(game: Game, seat: str) -> int:
    """The seed of a seat's bot. It does not depend on the other bots, so that each resumes as it was."""
    return seed_for(game.setup.seed, int(seat[1:]))


def show_hint(console: Console, game: Game) -> Action:
    """Print and return the best bot's answer, with its reasons and alternatives."""
    best = hint(game)
    first, *others = hint_lines(game, best)
    print_line(console, first)
    for line in others:
        print_line(console, f"  {line}")
    return best.action


def hint_document(game: Game) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.to_builtins(hint_view(game, hint(game), len(game)))
    return document
