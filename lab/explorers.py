"""Bots that play as `G`, `S` or `N` do, but each with whims of its own: what is never tried, nothing can be learnt of.

Every explorer has weights far from the usual ones, and at each kind of question it takes its second or third idea so
often: hardly ever, now and then, or half of the time. So one of them keeps incomes, another buys every train, and a
third begins companies that nobody else would.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from ostbahn.bots.learnt import LearntBot
from ostbahn.bots.policies import WeightedPolicy, cap_weight, perturb_weights
from ostbahn.bots.search import SearchBot, search_policies_with
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

WHIMS: Final = (0.0, 0.0, 0.03, 0.15, 0.5)
"""How often another idea than the best is taken, of which each explorer draws one for every kind of question."""
STEADY: Final = 0.03
"""The same for track: there a second idea is mostly a worse one, and teaches little."""
TRACK: Final = "lay_track"
BREADTH: Final = 0.3
"""How far its weights are from the usual ones, at most."""
BOLD: Final = 2 / 3
"""So many of them have whims; the others play as they can, so that good play is seen as well."""
USUAL: Final = 7
"""Those without whims have one of so many sets of weights."""
NEAR: Final = 3
"""It takes one of so many ideas."""

KINDS: Final = "G, S, N, or s, an S without rehearsals, which take most of its time"

Ideas = Callable[[Question, Game], list[Action]]


class Explorer:
    """A bot with whims. The same seed has the same ones."""

    def __init__(self, kind: str, title: str, seed: int) -> None:
        self.seed = seed
        self.random = Random(f"explorer/{seed}")
        self.bold = self.random.random() < BOLD
        self.ideas = _ideas(kind, title, seed if self.bold else seed % USUAL)

    def choose(self, question: Question, game: Game) -> Action:
        found = self.ideas(question, game)
        if len(found) > 1 and self.bold and self.random.random() < self._whim(question.kind):
            return found[self.random.randrange(1, min(NEAR, len(found)))]
        return found[0]

    def _whim(self, kind: str) -> float:
        return STEADY if kind == TRACK else Random(f"{self.seed}/{kind}").choice(WHIMS)


def _ideas(kind: str, title: str, seed: int) -> Ideas:
    policy = kit_named(title).policy
    if kind == "G":
        player = WeightedPolicy(title, perturb_weights(policy.weights(), seed, BREADTH))
        return lambda question, game: [each.action for each in player.proposals(question, game)]
    if kind == "N":
        learnt = LearntBot(seed)
        return lambda question, game: [each.candidate.action for each in learnt.evaluate(question, game)]
    weights = perturb_weights(policy.search_weights(), seed, BREADTH)
    if kind == "s":
        weights = cap_weight(weights, "rehearsed", 0)
    elif kind != "S":
        raise BadSetup(f"there are no explorers of the kind {kind!r}; there are {KINDS}")
    bot = SearchBot(policies=lambda title, _: search_policies_with(title, weights))
    return lambda question, game: [each.candidate.action for each in bot.evaluate(question, game)]
