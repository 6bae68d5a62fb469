"""Bots at the table: asking one, making do where it fails, and playing a game to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from ostbahn.bots.bot import Bot
from ostbahn.bots.isolation import GameChanged, choose
from ostbahn.bots.random_bot import RandomBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_of

SAFE: Final = RandomBot()
"""Answers where a bot fails; it only picks what is listed, so it cannot."""

LONGEST_REASON: Final = 200


class NotAsked(OstbahnError):
    """A bot could not be asked at all. That is not its fault, so no other answer is taken for it: one may try again."""


class Answered(NamedTuple):
    """What a bot answers."""

    action: Action
    note: str = ""
    """Words for the log where the answer is not the bot's own; else empty."""


Watcher = Callable[[Game, Answered], None]
"""Sees the game after every answer."""


def answer(bot: Bot, game: Game, fallback: Bot = SAFE) -> Answered:
    """What a bot answers now. The obvious it is not asked; where it fails, the fallback answers and the note says why.

    The game is not changed: the bot looks at a branch of it, or at a game of its own (`isolation.py`), and applying the
    answer is left to the caller.
    """
    question = game.question
    if question is None:
        raise Refused(Refusal("", "the game is over"))
    if question.obvious:
        return Answered(question.options[0].action)
    try:
        return Answered(_legal(game, choose(bot, question, game.branch())))
    except (NotAsked, GameChanged):
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # own bots may do anything, and nobody's game should end by it
        note = f"the bot failed, and another answer was taken for it: {reason(fault)}"
    return Answered(choose(fallback, question, game.branch()), note)


def play_out(game: Game, bots: Mapping[str, Bot], fallback: Bot = SAFE, watch: Watcher | None = None) -> Game:
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


def _legal(game: Game, action: Any) -> Action:
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


def reason(fault: BaseException) -> str:
    """What went wrong, in one line that fits into a log."""
    try:
        text = " ".join(str(fault).split())
    except Exception:  # its own words fail, too
        text = ""
    if not isinstance(fault, OstbahnError):
        text = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"
