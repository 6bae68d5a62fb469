"""`S`: tries the best ideas out. Each is played on by rules of thumb to a moment at which it can be judged, and there
the projected final wealth decides: one's own, and a little how far the others are behind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.bots.horizons import moment_of
from ostbahn.bots.policies import POLICIES, Player, player_of
from ostbahn.bots.proposal import Proposal
from ostbahn.bots.weights import with_at_most
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question

BUDGET: Final = 240
"""Answers that are tried for one that is given."""
WIDTH: Final = 6
"""Ideas that are tried at most."""
ENVY: Final = 0.35
"""How much what the others have on average counts against one's own."""
HASTE: Final = 2
"""Within a line, so many candidates are looked at closely where `G` looks at more."""


class Tried(NamedTuple):
    """An idea, and what it comes to."""

    proposal: Proposal
    value: float


class SearchBot:
    """Looks ahead by a number of answers, not by the clock, so that it plays the same on every machine."""

    def __init__(self, seed: int = 0, budget: int = BUDGET) -> None:
        self.seed = seed
        self.budget = budget

    def choose(self, question: Question, game: Game) -> Action:
        return self.tried(question, game)[0].proposal.action

    def tried(self, question: Question, game: Game) -> list[Tried]:
        """The ideas that the budget is enough for, the best first."""
        player = player_of(game.setup.title, self.seed)
        ideas = player.proposals(question, game)[:WIDTH]
        if len(ideas) == 1:
            return [Tried(ideas[0], ideas[0].score)]
        found, left = [], self.budget
        for idea in ideas:
            line = Line(hasty(game.setup.title), game, idea.action, left)
            found.append(Tried(idea, line.value(question.decider)))
            left -= line.length
            if left <= 0:
                break
        return sorted(found, key=lambda tried: -tried.value)


@lru_cache(maxsize=8)
def hasty(title: str) -> Player:
    """Who plays lines on: as `G` does, but with fewer close looks."""
    return Player(title, with_at_most(POLICIES[title].weights(), "candidates", HASTE))


class Line:
    """What comes of an idea: the game goes on by rules of thumb until it can be judged."""

    def __init__(self, player: Player, game: Game, action: Action, most: int) -> None:
        self.player = player
        self.game = game.copy()
        self.length = 1
        arrived = moment_of(game)
        self.game.apply(action)
        while not arrived(self.game) and self.length < most:
            self._go_on()

    def _go_on(self) -> None:
        question = self.game.question
        assert question is not None
        if question.obvious:
            self.game.apply(question.options[0].action)
            return
        self.game.apply(self.player.proposals(question, self.game)[0].action)
        self.length += 1

    def value(self, seat: str) -> float:
        worth = self.player.worth(self.game)
        others = [each for who, each in worth.items() if who != seat]
        return worth[seat] - ENVY * (sum(others) / len(others) if others else 0.0)
