"""R, the random bot: it knows nothing, wants nothing, and always finds an answer."""

from __future__ import annotations

from random import Random

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question


class RandomBot:
    """Draws a kind of answer first, then one of that kind; else the many ways to lay track would swamp everything.

    It remembers nothing: what it draws depends on its seed and the number of answers so far, so that it chooses the
    same after a restart and in any process.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        lots = Random(f"{self.seed}/{len(game)}")
        kinds = by_kind(question)
        option = lots.choice(kinds[lots.choice(list(kinds))])
        return option.action if option.span is None else option.at(price(option.span.low, option.span.high, lots))


def by_kind(question: Question) -> dict[type[Action], list[Option]]:
    """The options sorted by the kind of answer, in the order in which they are listed."""
    kinds: dict[type[Action], list[Option]] = {}
    for option in question:
        kinds.setdefault(type(option.action), []).append(option)
    return kinds


def price(low: int, high: int, lots: Random) -> int:
    """Any price, but mostly near the lowest: whoever spends half of his money at every auction has soon none left."""
    lot = lots.random()
    return low + int((high - low + 1) * lot * lot * lot)
