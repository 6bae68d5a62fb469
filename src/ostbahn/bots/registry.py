"""All bots by their short codes: levels `1` to `5`, characters such as `raider`, bots for research such as `R` or
`S:2000` with a budget of answers to try, or somebody's own, `path.py:Name`.
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
    """The class of that name in a file, or a function that makes a bot."""
    module = _load_module(Path(path))
    make: object = getattr(module, name, None)
    if callable(make):
        return make
    there = [each for each, thing in vars(module).items() if inspect.isclass(thing) and hasattr(thing, "choose")]
    raise BadSetup(f"{path} has no bot {name}; found there: {', '.join(there) or 'none'}")


class _UncachedLoader(SourceFileLoader):
    """Leaves no compiled file behind: it would litter somebody's folder, and might outlive a change."""

    def set_data(self, path: str, data: object, *, _mode: int = 0) -> None:
        return


def _load_module(path: Path) -> ModuleType:
    """The file as a module; it is run anew each time, so that a change to it counts."""
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
    """The line of the file at which it went wrong, if it was in there."""
    lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == file]
    return f"line {lines[-1]}: " if lines else ""


OWN_BOT: Final = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)(?::(?P<budget>.*))?")
LARGEST_BUDGET: Final = 10_000_000


STRONGEST: Final = "5"
"""The code of the bot that plays where nothing was said."""
BotGroup = Literal["levels", "characters", "for researchers"]


class BuiltInBot(NamedTuple):
    """A bot that comes with Ostbahn."""

    code: str
    about: str
    make: Callable[..., Bot]
    """Takes `seed` and `budget` if it has a use for them, as somebody's own bot does."""
    group: BotGroup = "for researchers"
    name: str = ""
    """What people call it, where that says more than its code."""
    learnt: bool = False
    """Whether it needs a net, so that it cannot play every title."""

    @property
    def label(self) -> str:
        """As it stands in a list to choose from."""
        return f"{self.code} · {self.name}" if self.group == "levels" else self.name or self.code

    @property
    def display_name(self) -> str:
        """What it is, in a word or two, beside a name at the table."""
        return f"level {self.code}" if self.group == "levels" else self.name


def make_learnt_bot(seed: int = 0, character: str = "") -> Bot:
    """N; it is loaded only when somebody asks for it, as it needs NumPy."""
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
"""What levels and characters are made of, and contests are played with."""


@cache
def all_bots() -> tuple[BuiltInBot, ...]:
    """Those that people play against come first; what they are is read from data files, which never change."""
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
    """The bots that can play a title, sorted for whoever chooses one."""
    able = kit_named(title).policy.has_learnt
    groups: dict[BotGroup, list[BuiltInBot]] = {}
    for bot in all_bots():
        if able or not bot.learnt:
            groups.setdefault(bot.group, []).append(bot)
    return groups


def display_name(spec: str) -> str:
    """What a bot is, in a word or two: `level 3`, `raider`, `S:2000`; of one's own the file's name."""
    bot = _find_built_in(spec)
    return spec.rsplit("/")[-1] if bot is None or not bot.name else bot.display_name


def bot_phrase(spec: str) -> str:
    """The same for a sentence: `bot S`, `bot (level 3)`."""
    return f"bot {spec}" if display_name(spec) == spec else f"bot ({display_name(spec)})"


def check_bot_plays(spec: str, title: str) -> None:
    """Say so, before a game begins, if a bot cannot play a title."""
    bot = _find_built_in(spec)
    if bot is not None and bot.learnt and not kit_named(title).policy.has_learnt:
        able = ", ".join(each.code for group in bots_for_title(title).values() for each in group)
        raise BadSetup(f"{spec} plays by what it has learnt, and nothing has been learnt for {title}; try {able}")


def _find_built_in(spec: str) -> BuiltInBot | None:
    code = spec.partition(":")[0]
    return next((bot for bot in all_bots() if bot.code == code), None)


def bot_named(spec: str, seed: int) -> Bot:
    """The bot that somebody means. It may be in a file, which is run: not for words that come from strangers."""
    if found := OWN_BOT.fullmatch(spec):
        return _create(spec, from_file(found["path"], found["name"]), hashed_seed(seed), found["budget"])
    return built_in(spec, seed)


def built_in(spec: str, seed: int) -> Bot:
    """A bot that comes with Ostbahn, whoever asks for it."""
    _, colon, budget = spec.partition(":")
    if bot := _find_built_in(spec):
        return _create(spec, bot.make, seed, budget if colon else None)
    codes = ", ".join(bot.code for bot in all_bots())
    raise BadSetup(f"there is no bot {spec!r}; known are {codes}, and your own as path.py:Name")


def _create(spec: str, make: Callable[..., Any], seed: int, budget: str | None) -> Bot:
    """A bot, given what it takes."""
    takes = _constructor_keywords(make)
    given = {"seed": seed} if "seed" in takes else {}
    if budget is not None:
        given["budget"] = _parse_budget(spec, budget)
        if "budget" not in takes:
            raise BadSetup(f"{spec}: this bot has no use for a budget")
    try:
        bot = make(**given)
    except (Exception, SystemExit) as fault:
        raise BadSetup(f"{spec}: the bot cannot be made: {type(fault).__name__}: {fault}") from fault
    if not isinstance(bot, Bot) or inspect.isclass(bot):
        raise BadSetup(f"{spec}: a bot has a method choose(question, game), and this one has none")
    return bot


def takes_budget(bot: BuiltInBot) -> bool:
    """Whether its code may be followed by a number of answers to try: `S:2000`."""
    return "budget" in _constructor_keywords(bot.make)


def _parse_budget(spec: str, text: str) -> int:
    if re.fullmatch(r"[0-9]{1,9}", text) and 0 < int(text) <= LARGEST_BUDGET:
        return int(text)
    raise BadSetup(f"{spec}: a budget is a number of answers to try, from 1 to {LARGEST_BUDGET}, not {text!r}")


def _constructor_keywords(make: Callable[..., Any]) -> set[str]:
    """What may be given to a bot by name."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # some classes do not tell
        return set()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return {"seed", "budget"}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {parameter.name for parameter in parameters if parameter.kind in named}


def hashed_seed(seed: int) -> int:
    """A seed for a bot of somebody's own: the same for the same one, but the game's seed cannot be read off it."""
    return seed and int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:4])


def seed_for(game_seed: int, place: int) -> int:
    """A seed of its own for every bot at a table, so that they do not all think alike."""
    if game_seed >= SITE_SEEDS:  # nobody learns from a bot what the game will draw
        return int.from_bytes(hashlib.sha256(f"ostbahn bot {game_seed} {place}".encode()).digest()[:4], "big")
    return game_seed * 16 + place + 1
