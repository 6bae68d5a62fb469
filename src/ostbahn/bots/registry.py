"""All bots by their short codes: `R`, `S:2000` with a budget of answers to try, or somebody's own, `path.py:Name`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ostbahn.bots.bot import Bot
from ostbahn.bots.greedy import GreedyBot
from ostbahn.bots.own import from_file
from ostbahn.bots.random_bot import RandomBot
from ostbahn.bots.search import SearchBot
from ostbahn.kernel.errors import BadSetup

OWN: Final = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)(?::(?P<budget>.*))?")
LARGEST_BUDGET: Final = 10_000_000


class Known(NamedTuple):
    """A bot that comes with Ostbahn."""

    code: str
    about: str
    make: Callable[..., Bot]
    """Takes `seed` and `budget` if it has a use for them, as somebody's own bot does."""


def learnt(seed: int = 0) -> Bot:
    """N; it is loaded only when somebody asks for it, as it needs NumPy."""
    from ostbahn.bots.learnt import LearntBot

    return LearntBot(seed)


BUILT_IN: Final = (
    Known("R", "Answers at random; good for filling a table and for being beaten.", RandomBot),
    Known("G", "Goes by rules of thumb, and answers at once.", GreedyBot),
    Known("S", "Looks ahead before it answers.", SearchBot),
    Known("N", "Has learnt from games against itself what a position is worth; the strongest.", learnt),
)


def known() -> list[tuple[str, str]]:
    """The codes, each with a sentence about the bot."""
    return [(bot.code, bot.about) for bot in BUILT_IN]


def bot_named(spec: str, seed: int) -> Bot:
    """The bot that somebody means. It may be in a file, which is run: not for words that come from strangers."""
    if found := OWN.fullmatch(spec):
        return _made(spec, from_file(found["path"], found["name"]), seed, found["budget"])
    return built_in(spec, seed)


def built_in(spec: str, seed: int) -> Bot:
    """A bot that comes with Ostbahn, whoever asks for it."""
    code, colon, budget = spec.partition(":")
    for bot in BUILT_IN:
        if bot.code == code:
            return _made(spec, bot.make, seed, budget if colon else None)
    codes = ", ".join(bot.code for bot in BUILT_IN)
    raise BadSetup(f"there is no bot {spec!r}; known are {codes}, and your own as path.py:Name")


def _made(spec: str, make: Callable[..., Any], seed: int, budget: str | None) -> Bot:
    """A bot, given what it takes."""
    tries = None if budget is None else _tries(spec, budget)
    takes = _keywords(make)
    if tries is not None and "budget" not in takes:
        raise BadSetup(f"{spec}: this bot has no use for a budget")
    given = {"seed": seed} if "seed" in takes else {}
    if tries is not None:
        given["budget"] = tries
    try:
        bot = make(**given)
    except (Exception, SystemExit) as fault:
        raise BadSetup(f"{spec}: the bot cannot be made: {type(fault).__name__}: {fault}") from fault
    if not isinstance(bot, Bot) or inspect.isclass(bot):
        raise BadSetup(f"{spec}: a bot has a method choose(question, game), and this one has none")
    return bot


def _tries(spec: str, text: str) -> int:
    if re.fullmatch(r"[0-9]{1,9}", text) and 0 < int(text) <= LARGEST_BUDGET:
        return int(text)
    raise BadSetup(f"{spec}: a budget is a number of answers to try, from 1 to {LARGEST_BUDGET}, not {text!r}")


def _keywords(make: Callable[..., Any]) -> set[str]:
    """What may be given to a bot by name."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # some classes do not tell
        return set()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return {"seed", "budget"}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {parameter.name for parameter in parameters if parameter.kind in named}


def seed_for(game_seed: int, place: int) -> int:
    """A seed of its own for every bot at a table, so that they do not all think alike."""
    return game_seed * 16 + place + 1
