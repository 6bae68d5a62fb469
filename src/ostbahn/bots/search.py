"""`G` answers by rules of thumb; `S` tries the best ideas out.

Each idea is played on by rules of thumb to a moment at which it can be judged: a company's turn when it is over, a
purchase of shares when the round is. There the projected final wealth decides: one's own, less that of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.bots.playing import trial_game
from ostbahn.bots.policies import (
    SEED_SPREAD,
    EvaluatedCandidate,
    TunableWeights,
    WeightedPolicy,
    cap_weight,
    perturb_weights,
    weighted_policy_of,
)
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
        return weighted_policy_of(game.setup.title, self.seed).proposals(question, game)[0].action


RolloutEnd = Callable[[Game], bool]


def rollout_end(game: Game) -> RolloutEnd:
    """For the question that is asked now, when to look at what came of it."""
    question = game.question
    company = None if question is None else question.company
    if company is None:
        return end_of_round(game)
    return lambda later: later.over or later.question is None or later.question.company != company


def end_of_round(game: Game) -> RolloutEnd:
    """When the present round is over."""
    begun = text_renderer_of(game).round_name()
    return lambda later: later.over or text_renderer_of(later).round_name() != begun


BUDGET: Final = 120
"""Answers that are tried for one that is given."""
ROLLOUT_CANDIDATES: Final = 2
"""Within a line, so many candidates are looked at closely where `G` looks at more."""


class SearchPolicies(NamedTuple):
    """Who has the ideas of a searching bot, and who plays lines on: as usual, but with fewer close looks."""

    candidates: WeightedPolicy
    own: WeightedPolicy
    opponents: WeightedPolicy


def search_policies_with(title: str, weights: TunableWeights, seed: int = 0) -> SearchPolicies:
    """With certain weights; a seed makes ideas of its own of them."""
    own = perturb_weights(weights, seed, SEED_SPREAD) if seed else weights
    hasty, others = (
        cap_weight(each, "candidates", ROLLOUT_CANDIDATES) for each in (weights, kit_named(title).policy.weights())
    )
    return SearchPolicies(
        WeightedPolicy(title, own, searching=True),
        WeightedPolicy(title, hasty, searching=True),
        WeightedPolicy(title, others),
    )


@lru_cache(maxsize=64)
def default_search_policies(title: str, seed: int = 0) -> SearchPolicies:
    """With the weights that come with Ostbahn."""
    return search_policies_with(title, kit_named(title).policy.search_weights(), seed)


class SearchBot:
    """Looks ahead by a number of answers, not by the clock, so that it plays the same on every machine.

    Not at every question: where that did not make it stronger, its rules of thumb decide.
    """

    def __init__(
        self,
        seed: int = 0,
        budget: int = BUDGET,
        policies: Callable[[str, int], SearchPolicies] = default_search_policies,
    ) -> None:
        self.seed = seed
        self.budget = budget
        self.policies = policies

    def choose(self, question: Question, game: Game) -> Action:
        return self.evaluate(question, game)[0].candidate.action

    def evaluate(self, question: Question, game: Game) -> list[EvaluatedCandidate]:
        """The ideas that the budget is enough for, the best first."""
        title = game.setup.title
        policy, policies = kit_named(title).policy, self.policies(title, self.seed)
        ideas = policies.candidates.proposals(question, game)[: policy.max_candidates]
        if len(ideas) == 1 or question.kind not in policy.searched_kinds:
            return [EvaluatedCandidate.from_proposal(idea, idea.score) for idea in ideas]
        found, left = [], self.budget
        for idea in ideas:
            line = CandidateRollout(game, idea.action, policies, left)
            found.append(EvaluatedCandidate.from_proposal(idea, line.value()))
            left -= line.length
            if left <= 0:
                break
        return sorted(found, key=lambda weighed: -weighed.value)


class CandidateRollout:
    """What comes of an idea: the game goes on by rules of thumb until it can be judged."""

    def __init__(self, game: Game, action: Action, policies: SearchPolicies, most: int) -> None:
        assert game.question is not None
        self.policies = policies
        self.seat = game.question.decider
        self.game = trial_game(game)
        self.length = 1
        arrived = rollout_end(game)
        self.game.apply(action)
        while not arrived(self.game) and self.length < most:
            self._go_on()

    def _go_on(self) -> None:
        question = self.game.question
        assert question is not None
        if question.obvious:
            self.game.apply(question.options[0].action)
            return
        player = self.policies.own if question.decider == self.seat else self.policies.opponents
        self.game.apply(player.proposals(question, self.game)[0].action)
        self.length += 1

    def value(self) -> float:
        """How far one will be ahead of the others on average.

        Not how rich: in some titles the players decide when the game ends, and among those who want to be rich nobody
        buys the train that brings the end nearer.
        """
        worth = self.policies.own.estimate_final_wealth(self.game)
        others = [each for who, each in worth.items() if who != self.seat]
        return worth[self.seat] - (sum(others) / len(others) if others else 0.0)
