"""`S`: tries the best ideas out. Each is played on by rules of thumb to a moment at which it can be judged, and there
the projected final wealth decides: one's own, and a little how far the others are behind.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ostbahn.bots.horizons import drags_on, moment_of
from ostbahn.bots.policies import POLICIES, Player, searcher_of
from ostbahn.bots.proposal import Proposal
from ostbahn.bots.trials import trial
from ostbahn.bots.weights import with_at_most
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question

BUDGET: Final = 120
"""Answers that are tried for one that is given."""
ENVY: Final = 0.35
"""How much what the others have on average counts against one's own."""
HASTE: Final = 2
"""Within a line, so many candidates are looked at closely where `G` looks at more."""


class Tried(NamedTuple):
    """An idea, and what it comes to."""

    proposal: Proposal
    value: float


class SearchBot:
    """Looks ahead by a number of answers, not by the clock, so that it plays the same on every machine.

    Not at every question: where that did not make it stronger, its rules of thumb decide.
    """

    def __init__(self, seed: int = 0, budget: int = BUDGET) -> None:
        self.seed = seed
        self.budget = budget

    def choose(self, question: Question, game: Game) -> Action:
        return self.tried(question, game)[0].proposal.action

    def tried(self, question: Question, game: Game) -> list[Tried]:
        """The ideas that the budget is enough for, the best first."""
        title = game.setup.title
        policy = POLICIES[title]
        ideas = searcher_of(title, self.seed).proposals(question, game)[: policy.width]
        if len(ideas) == 1 or question.kind not in policy.searched or drags_on(game, policy.patience):
            return [Tried(idea, idea.score) for idea in ideas]
        found, left = [], self.budget
        for idea in ideas:
            line = Line(game, idea.action, question.decider, left)
            found.append(Tried(idea, line.value()))
            left -= line.length
            if left <= 0:
                break
        return sorted(found, key=lambda tried: -tried.value)


class Hasty(NamedTuple):
    """Who plays lines on: as usual, but with fewer close looks."""

    mine: Player
    others: Player


@cache
def hasty(title: str) -> Hasty:
    policy = POLICIES[title]
    found = [with_at_most(read(), "candidates", HASTE) for read in (policy.search_weights, policy.weights)]
    return Hasty(Player(title, found[0], searching=True), Player(title, found[1]))


class Line:
    """What comes of an idea: the game goes on by rules of thumb until it can be judged."""

    def __init__(self, game: Game, action: Action, seat: str, most: int) -> None:
        self.players = hasty(game.setup.title)
        self.seat = seat
        self.game = trial(game)
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
        player = self.players.mine if question.decider == self.seat else self.players.others
        self.game.apply(player.proposals(question, self.game)[0].action)
        self.length += 1

    def value(self) -> float:
        worth = self.players.mine.worth(self.game)
        others = [each for who, each in worth.items() if who != self.seat]
        return worth[self.seat] - ENVY * (sum(others) / len(others) if others else 0.0)
