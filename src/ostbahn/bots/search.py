"""`G` answers by heuristics; `S` plays the best candidates out.

A rollout by heuristics ends with the company's turn, or with the round of shares. There the projected final wealth
decides: one's own, less the mean of the others.
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
    """Takes the best proposal of the heuristics. It is deterministic; a seed perturbs its weights."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        return weighted_policy_of(game.setup.title, self.seed).proposals(question, game)[0].action


RolloutEnd = Callable[[Game], bool]


def rollout_end(game: Game) -> RolloutEnd:
    """Tests whether a rollout of the present question has ended: with the company's turn, or else with the round."""
    question = game.question
    company = None if question is None else question.company
    if company is None:
        return end_of_round(game)
    return lambda later: later.over or later.question is None or later.question.company != company


def end_of_round(game: Game) -> RolloutEnd:
    """Tests whether the present round is over."""
    present = text_renderer_of(game).round_name()
    return lambda later: later.over or text_renderer_of(later).round_name() != present


BUDGET: Final = 120
"""Answers to try for each answer given."""
ROLLOUT_CANDIDATES: Final = 2
"""Limit of the `candidates` weights within a rollout, which saves time."""


class SearchPolicies(NamedTuple):
    """Policies of a searching bot: one for candidates, and faster ones for itself and opponents in rollouts."""

    candidates: WeightedPolicy
    own: WeightedPolicy
    opponents: WeightedPolicy


def search_policies_with(title: str, weights: TunableWeights, seed: int = 0) -> SearchPolicies:
    """Search policies with certain weights; a seed other than 0 perturbs those of the candidates."""
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
    """Search policies with a title's default weights."""
    return search_policies_with(title, kit_named(title).policy.search_weights(), seed)


class SearchBot:
    """Searches by a budget of answers, not by the clock, so that it plays the same on every machine.

    It searches only at kinds of question where that made it stronger; elsewhere heuristics decide.
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
        """Candidates for which the budget suffices, the best first."""
        title = game.setup.title
        policy, policies = kit_named(title).policy, self.policies(title, self.seed)
        proposals = policies.candidates.proposals(question, game)[: policy.max_candidates]
        if len(proposals) == 1 or question.kind not in policy.searched_kinds:
            return [EvaluatedCandidate.from_proposal(proposal, proposal.score) for proposal in proposals]
        evaluated, budget_left = [], self.budget
        for proposal in proposals:
            rollout = CandidateRollout(game, proposal.action, policies, budget_left)
            evaluated.append(EvaluatedCandidate.from_proposal(proposal, rollout.value()))
            budget_left -= rollout.length
            if budget_left <= 0:
                break
        return sorted(evaluated, key=lambda choice: -choice.value)


class CandidateRollout:
    """Plays a game on by heuristics after an answer."""

    def __init__(self, game: Game, action: Action, policies: SearchPolicies, most: int) -> None:
        assert game.question is not None
        self.policies = policies
        self.seat = game.question.decider
        self.game = trial_game(game)
        self.length = 1
        is_end = rollout_end(game)
        self.game.apply(action)
        while not is_end(self.game) and self.length < most:
            self._play_answer()

    def _play_answer(self) -> None:
        question = self.game.question
        assert question is not None
        if question.obvious:
            self.game.apply(question.options[0].action)
            return
        player = self.policies.own if question.decider == self.seat else self.policies.opponents
        self.game.apply(player.proposals(question, self.game)[0].action)
        self.length += 1

    def value(self) -> float:
        """The seat's estimated final wealth less the mean of the others.

        Wealth alone would not do: where players decide when the game ends, nobody would buy the train that brings the
        end nearer.
        """
        worth = self.policies.own.estimate_final_wealth(self.game)
        others = [amount for seat, amount in worth.items() if seat != self.seat]
        return worth[self.seat] - (sum(others) / len(others) if others else 0.0)
