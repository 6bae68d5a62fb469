"""`G` answers by rules of thumb; `S` tries the best ideas out.

Each idea is played on by rules of thumb to a moment at which it can be judged: a company's turn when it is over, a
purchase of shares when the round is. There the projected final wealth decides: one's own, less that of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.bots.playing import trial
from ostbahn.bots.policies import CHARACTER, Numbers, Player, Weighed, player_of, varied, with_at_most
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named
from ostbahn.text.speech import text_renderer_of


class GreedyBot:
    """Takes what its rules of thumb think best. It draws no lots; a seed gives it a character of its own."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        return player_of(game.setup.title, self.seed).proposals(question, game)[0].action


Arrived = Callable[[Game], bool]


def moment_of(game: Game) -> Arrived:
    """For the question that is asked now, when to look at what came of it."""
    question = game.question
    company = None if question is None else question.company
    if company is None:
        return round_over(game)
    return lambda later: later.over or later.question is None or later.question.company != company


def round_over(game: Game) -> Arrived:
    """When the present round is over."""
    begun = text_renderer_of(game).round_name()
    return lambda later: later.over or text_renderer_of(later).round_name() != begun


BUDGET: Final = 120
"""Answers that are tried for one that is given."""
HASTE: Final = 2
"""Within a line, so many candidates are looked at closely where `G` looks at more."""


class Minds(NamedTuple):
    """Who has the ideas of a searching bot, and who plays lines on: as usual, but with fewer close looks."""

    ideas: Player
    mine: Player
    others: Player


def minds_by(title: str, weights: Numbers, seed: int = 0) -> Minds:
    """With certain weights; a seed makes ideas of its own of them."""
    own = varied(weights, seed, CHARACTER) if seed else weights
    hasty, others = (with_at_most(each, "candidates", HASTE) for each in (weights, kit_named(title).policy.weights()))
    return Minds(Player(title, own, searching=True), Player(title, hasty, searching=True), Player(title, others))


@lru_cache(maxsize=64)
def usual_minds(title: str, seed: int = 0) -> Minds:
    """With the weights that come with Ostbahn."""
    return minds_by(title, kit_named(title).policy.search_weights(), seed)


class SearchBot:
    """Looks ahead by a number of answers, not by the clock, so that it plays the same on every machine.

    Not at every question: where that did not make it stronger, its rules of thumb decide.
    """

    def __init__(self, seed: int = 0, budget: int = BUDGET, minds: Callable[[str, int], Minds] = usual_minds) -> None:
        self.seed = seed
        self.budget = budget
        self.minds = minds

    def choose(self, question: Question, game: Game) -> Action:
        return self.tried(question, game)[0].idea.action

    def tried(self, question: Question, game: Game) -> list[Weighed]:
        """The ideas that the budget is enough for, the best first."""
        title = game.setup.title
        policy, minds = kit_named(title).policy, self.minds(title, self.seed)
        ideas = minds.ideas.proposals(question, game)[: policy.width]
        if len(ideas) == 1 or question.kind not in policy.searched:
            return [Weighed.by_thumb(idea, idea.score) for idea in ideas]
        found, left = [], self.budget
        for idea in ideas:
            line = Line(game, idea.action, minds, left)
            found.append(Weighed.by_thumb(idea, line.value()))
            left -= line.length
            if left <= 0:
                break
        return sorted(found, key=lambda weighed: -weighed.value)


class Line:
    """What comes of an idea: the game goes on by rules of thumb until it can be judged."""

    def __init__(self, game: Game, action: Action, minds: Minds, most: int) -> None:
        assert game.question is not None
        self.minds = minds
        self.seat = game.question.decider
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
        player = self.minds.mine if question.decider == self.seat else self.minds.others
        self.game.apply(player.proposals(question, self.game)[0].action)
        self.length += 1

    def value(self) -> float:
        """How far one will be ahead of the others on average.

        Not how rich: in some titles the players decide when the game ends, and among those who want to be rich nobody
        buys the train that brings the end nearer.
        """
        worth = self.minds.mine.worth(self.game)
        others = [each for who, each in worth.items() if who != self.seat]
        return worth[self.seat] - (sum(others) / len(others) if others else 0.0)
