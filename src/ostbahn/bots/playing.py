"""What a bot is, what game it is shown, how it is asked, and what happens where it fails.

    class Thrifty:
        def choose(self, question, game):
            return question.options[-1].action

That is a whole bot. The game is its own, to look at and to try things out on; it does not show what chance will bring.
A bot that draws lots takes a keyword `seed` when it is made, and draws from that and the game alone, so that a game can
be played again; one that looks ahead takes a keyword `budget`: how many answers it may try before it gives one. A clock
would make its play depend on the machine.

Bots that do not come with Ostbahn get a copy with chance of its own (`isolated_game`): they can neither change the
real game nor foresee it. That prevents mistakes and plain cheating. Code in the same process can still reach
everything, so a game that counts is replayed elsewhere (`interop/replay_check.py`).
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
    """Answers questions, for whichever seat is asked."""

    def choose(self, question: Question, game: Game) -> Action:
        """One of the answers that the question allows."""


TRIAL_SEED: Final = 18
"""Where chance goes on in a trial."""


def trial_game(game: Game, lots: int = TRIAL_SEED) -> Game:
    """A game as it stands, that draws lots of its own: nobody can know what the game itself will draw."""
    return Game.from_state(game.rulebook, game.setup, with_seed(game.state, lots))


class GameChanged(OstbahnError):
    """A bot has changed a game other than by its answers. No answer is taken for it: the game cannot be trusted."""


def choose(bot: Bot, question: Question, game: Game) -> Action:
    """What a bot answers. Those that come with Ostbahn only read the game, so they are handed the game itself."""
    if is_built_in(bot):
        return bot.choose(question, game)
    own, before = isolated_game(game), game.state.digest
    assert own.question is not None
    try:
        return bot.choose(own.question, own)
    finally:
        if game.state.digest != before:
            raise GameChanged(
                f"the bot {bot_name(bot)} changed the game while it was asked; a bot may change only the game that is "
                "handed to it"
            )


def is_built_in(bot: Bot) -> bool:
    """Whether a bot comes with Ostbahn: its class stands in a module of ours, and nothing of it was replaced."""
    kind = type(bot)
    ours = kind.__module__.partition(".")[0] == __name__.partition(".")[0]
    stands_there = getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind
    return ours and stands_there and "choose" not in getattr(bot, "__dict__", {})


def bot_name(bot: Bot) -> str:
    """A bot of somebody's own as they know it: its file and its class."""
    kind = type(bot)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return f"{Path(file).name}:{kind.__name__}" if file else kind.__name__


def isolated_game(game: Game) -> Game:
    """The same game with tables and chance of its own. Its set-up has another seed: from that all could be drawn."""
    past = IsolatedHistory(game.copy())
    setup = structs.replace(past.game.setup, seed=TRIAL_SEED)
    if isinstance(chance := getattr(game.state, "chance", None), RngState):
        setup = structs.replace(setup, draws=chance.draws[: chance.used])
    first = Game.from_history(game.rulebook, History(setup, game.opening, (past.state(0),), ()))
    return Game.restored(first, past.state(len(game)), len(game), past)


class IsolatedHistory:
    """What led to the state of an isolated game, without what chance will bring."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """A copy that nobody else has."""

    def records(self) -> Sequence[Record]:
        return self.game.records

    def state(self, number: int) -> State:
        return with_seed(self.game.state_at(number), TRIAL_SEED)


class RandomBot:
    """Draws a kind of answer first, then one of that kind; else the many ways to lay track would swamp everything.

    It remembers nothing: what it draws depends on its seed and the number of answers so far, so that it chooses the
    same after a restart and in any process.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        lots = Random(f"{self.seed}/{len(game)}")
        kinds = options_by_kind(question)
        option = lots.choice(kinds[lots.choice(list(kinds))])
        return (
            option.action
            if option.span is None
            else option.with_price(random_price(option.span.low, option.span.high, lots))
        )


def options_by_kind(question: Question) -> dict[type[Action], list[Option]]:
    """The options sorted by the kind of answer, in the order in which they are listed."""
    kinds: dict[type[Action], list[Option]] = {}
    for option in question:
        kinds.setdefault(type(option.action), []).append(option)
    return kinds


def random_price(low: int, high: int, lots: Random) -> int:
    """Any price, but mostly near the lowest: whoever spends half of his money at every auction has soon none left."""
    lot = lots.random()
    return low + int((high - low + 1) * lot * lot * lot)


FALLBACK_BOT: Final = RandomBot()
"""Answers where a bot fails; it only picks what is listed, so it cannot."""

MAX_FAULT_LENGTH: Final = 200


class BotUnavailable(OstbahnError):
    """A bot could not be asked at all. That is not its fault, so no other answer is taken for it: one may try again."""


class BotAnswer(NamedTuple):
    """What a bot answers."""

    action: Action
    note: str = ""
    """Words for the log where the answer is not the bot's own; else empty."""


AnswerListener = Callable[[Game, BotAnswer], None]
"""Sees the game after every answer."""


def answer(bot: Bot, game: Game, fallback: Bot = FALLBACK_BOT) -> BotAnswer:
    """What a bot answers now. The obvious it is not asked; where it fails, the fallback answers and the note says why.

    The game is not changed: the bot sees a branch or a copy of it (`isolated_game`). The caller applies the answer.
    """
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
    except BaseException as fault:  # own bots may do anything, and nobody's game should end by it
        note = f"the bot failed, and another answer was taken for it: {describe_fault(fault)}"
    return BotAnswer(choose(fallback, question, game.branch()), note)


def play_out(
    game: Game, bots: Mapping[str, Bot], fallback: Bot = FALLBACK_BOT, watch: AnswerListener | None = None
) -> Game:
    """Play the game to its end, with a bot in every seat. Watch to learn of bots that fail, or to count something."""
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
    """The answer if the game would take it.

    Its values are checked for their types as well: nothing keeps a bot from offering 27.5, and no rule asks.
    """
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
    """What went wrong, in one line that fits into a log."""
    try:
        text = " ".join(str(fault).split())
    except Exception:  # its own words fail, too
        text = ""
    if not isinstance(fault, OstbahnError):
        text = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return text if len(text) <= MAX_FAULT_LENGTH else f"{text[: MAX_FAULT_LENGTH - 1]}…"
