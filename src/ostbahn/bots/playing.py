"""The interface of bots, the game they are given, how they are asked, and what happens if they fail.

    class Thrifty:
        def choose(self, question, game):
            return question.options[-1].action

That is a complete bot. It gets a private copy of the game to try things out on, which does not reveal future draws. A
bot with random choices takes a keyword `seed` and draws from seed and game alone, so that games can be repeated. A bot
that searches takes a keyword `budget`, the number of answers it may try; a clock would make it depend on the machine.

Custom bots get a game with its own tables and random state (`isolated_game`), so they cannot change or foresee the real
one by mistake or by plain cheating. Code in the same process can still reach everything, so a game that counts is
replayed elsewhere (`interop/replay_check.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import msgspec
from msgspec import structs

from ostbahn.kernel.actions import Action
from ostbahn.kernel.chance import with_seed
from ostbahn.kernel.errors import BadSetup, OstbahnError, Refusal, Refused
from ostbahn.kernel.game import Game, History
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Record
from ostbahn.kernel.state import RngState, State
from ostbahn.kits.catalogue import kit_of

__all__ = [
    "Bot",
    "BotAnswer",
    "BotUnavailable",
    "GameChanged",
    "IsolatedHistory",
    "RandomBot",
    "answer",
    "bot_name",
    "choose",
    "describe_fault",
    "is_built_in",
    "isolated_game",
    "options_by_kind",
    "play_out",
    "random_price",
    "trial_game",
]


@runtime_checkable
class Bot(Protocol):
    """Answers questions for any seat."""

    def choose(self, question: Question, game: Game) -> Action:
        """Return an answer that the question allows."""


TRIAL_SEED: Final = 18
"""Random seed of trial games."""


def trial_game(game: Game, seed: int = TRIAL_SEED) -> Game:
    """A game without history that goes on from the present state with other random draws than the real one."""
    return Game.from_state(game.rulebook, game.setup, with_seed(game.state, seed))


class GameChanged(OstbahnError):
    """A bot has changed a game other than by its answers, so the game cannot be trusted; no fallback answers."""


def choose(bot: Bot, question: Question, game: Game) -> Action:
    """Ask a bot. Built-in bots only read, so they get the game itself; others get an isolated copy."""
    if is_built_in(bot):
        return bot.choose(question, game)
    isolated, digest_before = isolated_game(game), game.state.digest
    assert isolated.question is not None
    try:
        return bot.choose(isolated.question, isolated)
    finally:
        if game.state.digest != digest_before:
            raise GameChanged(
                f"the bot {bot_name(bot)} changed the game while it was asked; a bot may change only the game that is "
                "handed to it"
            )


def is_built_in(bot: Bot) -> bool:
    """Whether a bot's class belongs to a module of ours and its `choose` was not replaced."""
    cls = type(bot)
    is_ours = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
    is_in_module = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return is_ours and is_in_module and "choose" not in getattr(bot, "__dict__", {})


def bot_name(bot: Bot) -> str:
    """The file and class of a custom bot."""
    cls = type(bot)
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return f"{Path(file).name}:{cls.__name__}" if file else cls.__name__


def isolated_game(game: Game) -> Game:
    """A copy of a game with its own tables and another seed, as the real seed would reveal all future draws."""
    past = IsolatedHistory(game.copy())
    setup = structs.replace(past.game.setup, seed=TRIAL_SEED)
    if isinstance(chance := getattr(game.state, "chance", None), RngState):
        setup = structs.replace(setup, draws=chance.draws[: chance.used])
    first = Game.from_history(game.rulebook, History(setup, game.opening, (past.state(0),), ()))
    return Game.restored(first, past.state(len(game)), len(game), past)


class IsolatedHistory:
    """The history of an isolated game, without the real random state."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """A private copy."""

    def records(self) -> Sequence[Record]:
        return self.game.records

    def state(self, number: int) -> State:
        return with_seed(self.game.state_at(number), TRIAL_SEED)


class RandomBot:
    """Draws a kind of answer, then one of that kind; else the many tile lays would swamp everything.

    The draws depend on its seed and the number of answers only, so it chooses the same after a restart.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        random = Random(f"{self.seed}/{len(game)}")
        kinds = options_by_kind(question)
        option = random.choice(kinds[random.choice(list(kinds))])
        if option.span is None:
            return option.action
        return option.with_price(random_price(option.span.low, option.span.high, random))


def options_by_kind(question: Question) -> dict[type[Action], list[Option]]:
    """Group options by the type of their action, in listed order."""
    kinds: dict[type[Action], list[Option]] = {}
    for option in question:
        kinds.setdefault(type(option.action), []).append(option)
    return kinds


def random_price(low: int, high: int, random: Random) -> int:
    """A random price, mostly near the lowest so that money lasts for more than one auction."""
    fraction = random.random()
    return low + int((high - low + 1) * fraction * fraction * fraction)


FALLBACK_BOT: Final = RandomBot()
"""Answers for a bot that fails; it cannot fail itself, as it only picks listed options."""

MAX_FAULT_LENGTH: Final = 200


class BotUnavailable(OstbahnError):
    """A bot could not be asked, through no fault of its own; no fallback answers, and the caller may try again."""


class BotAnswer(NamedTuple):
    action: Action
    note: str = ""
    """For the log: why the fallback answered; empty if the bot did."""


AnswerListener = Callable[[Game, BotAnswer], None]
"""Receives the game after every answer."""


def answer(bot: Bot, game: Game, fallback: Bot = FALLBACK_BOT) -> BotAnswer:
    """Choose an answer without applying it: the obvious one, the bot's, or the fallback's if the bot fails."""
    question = game.question
    if question is None:
        raise Refused(Refusal("", "the game is over"))
    if question.obvious:
        return BotAnswer(question.options[0].action)
    try:
        return BotAnswer(_checked_action(game, choose(bot, question, game.branch())))
    except (BotUnavailable, GameChanged):
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # custom bots may do anything, and no game should end by it
        note = f"the bot failed, and another answer was taken for it: {describe_fault(fault)}"
    return BotAnswer(choose(fallback, question, game.branch()), note)


def play_out(
    game: Game, bots: Mapping[str, Bot], fallback: Bot = FALLBACK_BOT, watch: AnswerListener | None = None
) -> Game:
    """Play the game to its end with a bot in every seat; `watch` is called after every answer."""
    if idle := [seat for seat in game.state.players if seat not in bots]:
        raise BadSetup(f"no bot plays for {', '.join(idle)}")
    if strange := [bot for bot in bots.values() if isinstance(bot, type) or not callable(getattr(bot, "choose", None))]:
        raise BadSetup(f"{strange[0]!r} is not a bot: give an object with a method choose(question, game)")
    while game.question is not None:
        seat = game.question.decider
        answered = answer(bots[seat], game, fallback)
        game.apply(answered.action, by=seat)
        if watch is not None:
            watch(game, answered)
    return game


def _checked_action(game: Game, action: Any) -> Action:
    """Return a bot's action if the game allows it. Types are checked too: no rule would refuse a price of 27.5."""
    if not isinstance(action, Action):
        raise OstbahnError(f"{type(action).__name__} is no action")
    try:
        checked: Action = msgspec.convert(msgspec.to_builtins(action), kit_of(game).actions)
    except (msgspec.ValidationError, TypeError) as fault:
        raise OstbahnError(f"{action} is no action of {game.setup.title}: {fault}") from None
    if refusal := game.refusal(checked):
        raise Refused(refusal)
    return checked


def describe_fault(fault: BaseException) -> str:
    """Describe an exception in one line for a log."""
    try:
        text = " ".join(str(fault).split())
    except Exception:  # its `__str__` may fail, too
        text = ""
    if not isinstance(fault, OstbahnError):
        text = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return text if len(text) <= MAX_FAULT_LENGTH else f"{text[: MAX_FAULT_LENGTH - 1]}…"
