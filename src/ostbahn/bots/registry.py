"""Bots by their codes: levels `1` to `5`, characters such as `raider`, bots for research such as `R` or `S:2000` (with
a budget of answers to try), or custom bots, `path.py:Name`.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from functools import cache, partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, NamedTuple

from ostbahn.bots.levels import LevelBot, characters, default_levels
from ostbahn.bots.playing import Bot, RandomBot
from ostbahn.bots.search import GreedyBot, SearchBot
from ostbahn.kernel.chance import SITE_SEEDS
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kits.catalogue import kit_named


def from_file(path: str, name: str) -> Callable[..., Any]:
    """Load a bot class, or a function that makes a bot, from a Python file."""
    module = _load_module(Path(path))
    make: object = getattr(module, name, None)
    if callable(make):
        return make
    bots = [key for key, value in vars(module).items() if inspect.isclass(value) and hasattr(value, "choose")]
    raise BadSetup(f"{path} has no bot {name}; found there: {', '.join(bots) or 'none'}")


class _UncachedLoader(SourceFileLoader):
    """Writes no compiled file, which would litter the user's folder and might be stale."""

    def set_data(self, path: str, data: object, *, _mode: int = 0) -> None:
        return


def _load_module(path: Path) -> ModuleType:
    """Run a file as a module, anew each time so that changes count."""
    if not path.is_file():
        raise BadFile(f"there is no file {path}")
    full = str(path.resolve())
    name = f"ostbahn_own_bot_{hashlib.sha256(full.encode()).hexdigest()[:8]}"
    loader = _UncachedLoader(name, full)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # data classes look themselves up there
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        del sys.modules[name]
        raise BadFile(f"{path} does not run: {_faulty_line(fault, full)}{type(fault).__name__}: {fault}") from fault
    return module


def _faulty_line(fault: BaseException, file: str) -> str:
    """The line of the file that raised, in words; empty if it was elsewhere."""
    lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == file]
    return f"line {lines[-1]}: " if lines else ""


OWN_BOT: Final = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)(?::(?P<budget>.*))?")
LARGEST_BUDGET: Final = 10_000_000


STRONGEST: Final = "5"
"""The code of the default bot."""
BotGroup = Literal["levels", "characters", "for researchers"]


class BuiltInBot(NamedTuple):
    """A bot that comes with Ostbahn."""

    code: str
    about: str
    make: Callable[..., Bot]
    """Takes `seed` and `budget` if it needs them, as custom bots do."""
    group: BotGroup = "for researchers"
    name: str = ""
    """The name of a level or character; empty for other bots."""
    learnt: bool = False
    """Whether it plays only titles with a net."""

    @property
    def label(self) -> str:
        """How lists of bots show it."""
        return f"{self.code} · {self.name}" if self.group == "levels" else self.name or self.code

    @property
    def display_name(self) -> str:
        """How a table shows it beside a player's name."""
        return f"level {self.code}" if self.group == "levels" else self.name


def make_learnt_bot(seed: int = 0, character: str = "") -> Bot:
    """Make `N` or a character; imported late, as it needs NumPy."""
    from ostbahn.bots.learnt import LearntBot

    return LearntBot(seed, character)


BUILT_IN: Final = (
    BuiltInBot("R", "Answers at random; good for filling a table and for being beaten.", RandomBot),
    BuiltInBot("G", "Goes by rules of thumb, and answers at once.", GreedyBot),
    BuiltInBot("S", "Looks ahead before it answers.", SearchBot),
    BuiltInBot(
        "N",
        "Has learnt from games against itself what a position is worth; the strongest.",
        make_learnt_bot,
        learnt=True,
    ),
)
"""The bots behind levels and characters, also used in contests."""


@cache
def all_bots() -> tuple[BuiltInBot, ...]:
    """All built-in bots; levels and characters come first."""
    levels = default_levels().ranks.items()
    return (
        *(BuiltInBot(code, rank.about, partial(LevelBot, code), "levels", rank.name) for code, rank in levels),
        *(
            BuiltInBot(code, own.about, partial(make_learnt_bot, character=code), "characters", own.name, learnt=True)
            for code, own in characters().items()
        ),
        *BUILT_IN,
    )


def bots_for_title(title: str) -> dict[BotGroup, list[BuiltInBot]]:
    """The bots that can play a title, by group."""
    has_net = kit_named(title).policy.has_learnt
    groups: dict[BotGroup, list[BuiltInBot]] = {}
    for bot in all_bots():
        if has_net or not bot.learnt:
            groups.setdefault(bot.group, []).append(bot)
    return groups


def display_name(spec: str) -> str:
    """A short name of a bot: `level 3`, `raider`, `S:2000`, or the file name of a custom bot."""
    bot = _find_built_in(spec)
    return spec.rsplit("/")[-1] if bot is None or not bot.name else bot.display_name


def bot_phrase(spec: str) -> str:
    """A bot within a sentence: `bot S`, `bot (level 3)`."""
    return f"bot {spec}" if display_name(spec) == spec else f"bot ({display_name(spec)})"


def check_bot_plays(spec: str, title: str) -> None:
    """Raise `BadSetup` if a bot cannot play a title."""
    bot = _find_built_in(spec)
    if bot is not None and bot.learnt and not kit_named(title).policy.has_learnt:
        codes = ", ".join(other.code for group in bots_for_title(title).values() for other in group)
        raise BadSetup(f"{spec} plays by what it has learnt, and nothing has been learnt for {title}; try {codes}")


def _find_built_in(spec: str) -> BuiltInBot | None:
    code = spec.partition(":")[0]
    return next((bot for bot in all_bots() if bot.code == code), None)


def bot_named(spec: str, seed: int) -> Bot:
    """Make a bot from its code. It may run a file, so never pass untrusted text; see `built_in`."""
    if match := OWN_BOT.fullmatch(spec):
        return _create(spec, from_file(match["path"], match["name"]), hashed_seed(seed), match["budget"])
    return built_in(spec, seed)


def built_in(spec: str, seed: int) -> Bot:
    """Make a built-in bot from its code; safe with untrusted text."""
    _, colon, budget = spec.partition(":")
    if bot := _find_built_in(spec):
        return _create(spec, bot.make, seed, budget if colon else None)
    codes = ", ".join(bot.code for bot in all_bots())
    raise BadSetup(f"there is no bot {spec!r}; known are {codes}, and your own as path.py:Name")


def _create(spec: str, make: Callable[..., Any], seed: int, budget: str | None) -> Bot:
    """Make a bot with those of `seed` and `budget` that it accepts; refuse a budget that it does not accept."""
    accepted = _constructor_keywords(make)
    arguments = {"seed": seed} if "seed" in accepted else {}
    if budget is not None:
        arguments["budget"] = _parse_budget(spec, budget)
        if "budget" not in accepted:
            raise BadSetup(f"{spec}: this bot has no use for a budget")
    try:
        bot = make(**arguments)
    except (Exception, SystemExit) as fault:
        raise BadSetup(f"{spec}: the bot cannot be made: {type(fault).__name__}: {fault}") from fault
    if not isinstance(bot, Bot) or inspect.isclass(bot):
        raise BadSetup(f"{spec}: a bot has a method choose(question, game), and this one has none")
    return bot


def takes_budget(bot: BuiltInBot) -> bool:
    """Whether a budget may follow the bot's code: `S:2000`."""
    return "budget" in _constructor_keywords(bot.make)


def _parse_budget(spec: str, text: str) -> int:
    if re.fullmatch(r"[0-9]{1,9}", text) and 0 < int(text) <= LARGEST_BUDGET:
        return int(text)
    raise BadSetup(f"{spec}: a budget is a number of answers to try, from 1 to {LARGEST_BUDGET}, not {text!r}")


def _constructor_keywords(make: Callable[..., Any]) -> set[str]:
    """The keywords that a bot's constructor accepts."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # some classes have no signature
        return set()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return {"seed", "budget"}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {parameter.name for parameter in parameters if parameter.kind in named}


def hashed_seed(seed: int) -> int:
    """A seed for a custom bot that does not reveal the game's seed; 0 stays 0."""
    return seed and int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:4])


def seed_for(game_seed: int, place: int) -> int:
    """A different seed for every bot at a table."""
    if game_seed >= SITE_SEEDS:  # a bot must not reveal the draws of the game
        return int.from_bytes(hashlib.sha256(f"ostbahn bot {game_seed} {place}".encode()).digest()[:4], "big")
    return game_seed * 16 + place + 1
