"""Hints for people: what the best bot would answer, what it is meant to lead to, and what else there is.

Where a title has been learnt, `N` is asked: it says what everybody is expected to have in the end. Elsewhere, and at
questions that `N` does not study, rules of thumb decide. They only say what is better, so nothing is foretold there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from ostbahn.bots.policies import EvaluatedCandidate
from ostbahn.bots.search import BUDGET, SearchBot
from ostbahn.extras import MissingExtra
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadSetup, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_named
from ostbahn.text.speech import DECLINING_ACTIONS, Speech

ALTERNATIVES: Final = 2
REASONS: Final = 3
RANKS: Final = ("second", "third")
ONLY_ANSWER: Final = "there is no other answer"
ONLY_IDEA: Final = "nothing else here is worth a thought"
FOR_HEURISTICS: Final = "the rules of thumb are for it"
DEFAULT_REASON: Final = "nothing else is clearly better, so the plain answer"
RICHEST: Final = "nothing else is expected to bring you more"
RIVALS: Final = "the others would gain more by it"


class ExpectedWealth(NamedTuple):
    """What whoever is asked will have in the end, in round figures.

    From `low` to `high` is one standard deviation to either side: about two of three games end there.
    """

    amount: int
    low: int
    high: int


class Alternative(NamedTuple):
    """What else could be answered."""

    action: Action
    plan: str
    told: str
    """How it compares: "about 120 K less", "as good"."""
    expected: ExpectedWealth | None = None
    less: int | None = None
    """How much less it is expected to bring than the advice; below zero if more, and then `told` says what decides."""


class Hint(NamedTuple):
    """An answer to give, with what speaks for it."""

    action: Action
    reasons: tuple[str, ...]
    by: str = "S"
    """The bot that would give it."""
    plan: str = ""
    """The answer with what is to follow; empty where that is all."""
    expected: ExpectedWealth | None = None
    outlook: str = ""
    """The same as a sentence."""
    alternatives: tuple[Alternative, ...] = ()


def hint(game: Game, budget: int = BUDGET) -> Hint:
    """What to answer now. The budget is for `S`, where it is asked."""
    question = game.question
    if question is None:
        raise Refused(Refusal("", "the game is over"))
    if question.obvious:
        return Hint(question.options[0].action, (ONLY_ANSWER,))
    near = _equality_margin(game)
    if near is None:
        return HintComposer(game, SearchBot(budget=budget).evaluate(question, game.branch())).hint("S")
    from ostbahn.bots.learnt import LearntBot

    return HintComposer(game, LearntBot().evaluate(question, game.branch()), near).hint("N")


def _equality_margin(game: Game) -> float | None:
    """By what part of one's wealth plans of `N` that are as good may differ; None where it cannot be asked."""
    title = game.setup.title
    if kit_named(title).policy.learnt is None:
        return None
    try:
        from ostbahn.bots.learnt import learnt_model_of  # here, as it needs NumPy; hints do without

        return learnt_model_of(title, game.setup.variant).settings.near
    except (MissingExtra, BadSetup):
        return None


class HintComposer:
    """What a bot thinks of one question, the best first, made into words."""

    def __init__(self, game: Game, choices: Sequence[EvaluatedCandidate], near: float = 0.0) -> None:
        assert game.question is not None
        self.speech, self.seat = Speech(game), game.question.decider
        self.plans = [each for each in choices if each.candidate.action == choices[0].candidate.action]
        """Several plans may begin with the same answer."""
        self.best = max(self.plans, key=lambda each: each.value)
        self.foreseen = self.best.wealth > 0
        self.near = near * self.best.wealth
        self.others = self._others(choices)

    def _others(self, choices: Sequence[EvaluatedCandidate]) -> list[EvaluatedCandidate]:
        """For each other answer its best plan. Those that read the same, as turns of a tile do, count as one."""
        found: dict[str, EvaluatedCandidate] = {}
        own = self.speech.describe(self.best.candidate.action)
        for each in choices:
            words = self.speech.describe(each.candidate.action)
            if words != own and (words not in found or each.value > found[words].value):
                found[words] = each
        return sorted(found.values(), key=lambda each: -each.value)

    def hint(self, by: str) -> Hint:
        expected = self._expected(self.best)
        shown = self.others[:ALTERNATIVES]
        alternatives = tuple(self._alternative(each, place) for each, place in zip(shown, RANKS, strict=False))
        return Hint(
            action=self.best.candidate.action,
            reasons=self._reasons(alternatives),
            by=by,
            plan=self._plan(self.best),
            expected=expected,
            outlook="" if expected is None else self._outlook(expected),
            alternatives=alternatives,
        )

    # Figures

    def _expected(self, choice: EvaluatedCandidate) -> ExpectedWealth | None:
        if not self.foreseen:
            return None
        amounts = (choice.wealth, choice.wealth * exp(-choice.doubt), choice.wealth * exp(choice.doubt))
        step = 100 if choice.wealth >= 1000 else 10
        return ExpectedWealth(*(round(amount / step) * step for amount in amounts))

    def _outlook(self, expected: ExpectedWealth) -> str:
        money = self.speech.words.money
        if expected.low == expected.high:
            return f"you end with about {money(expected.amount)}"
        between = f"between {expected.low} and {money(expected.high)}"
        return f"you end with about {money(expected.amount)}; two of three such games end {between}"

    def _gap(self, choice: EvaluatedCandidate) -> int:
        """How much more something brings than the advice; 0 where nobody can tell."""
        gap = choice.wealth - self.best.wealth
        step = 100 if abs(gap) >= 1000 else 10
        return 0 if abs(gap) <= self.near else round(gap / step) * step

    # Words

    def _plan(self, choice: EvaluatedCandidate) -> str:
        """A plan that says more than its first answer."""
        action, plan = choice.candidate.action, choice.candidate.plan
        if isinstance(action, Pass):
            return ""
        words, answer = (set(re.findall(r"[\w+]+", text)) for text in (plan, self.speech.describe(action)))
        return "" if words <= answer else plan

    def _alternative(self, choice: EvaluatedCandidate, place: str) -> Alternative:
        action, plan = choice.candidate.action, self._plan(choice)
        if not self.foreseen:
            same = round(choice.value) == round(self.best.value)
            rank = "as good by the rules of thumb" if same else f"{place} choice by the rules of thumb"
            return Alternative(action, plan, "; ".join((*choice.candidate.reasons[:1], rank)))
        gap = self._gap(choice)
        return Alternative(action, plan, self._compared(choice, gap), self._expected(choice), -gap)

    def _compared(self, choice: EvaluatedCandidate, gap: int) -> str:
        amount = f"about {self.speech.words.money(abs(gap))}"
        if gap < 0:
            return f"{amount} less"
        if gap > 0:
            return f"{amount} more, but {self._against(choice)}"
        worse = choice.value < self.best.value - self.near
        dearer = worse and self._mean_of_others(choice) > self._mean_of_others(self.best)
        return f"as good for you, but {RIVALS}" if dearer else "as good"

    def _mean_of_others(self, choice: EvaluatedCandidate) -> float:
        """What the others will have on average."""
        wealth = choice.judgement.wealth if choice.judgement is not None else {}
        others = [amount for seat, amount in wealth.items() if seat != self.seat]
        return sum(others) / max(1, len(others))

    def _against(self, choice: EvaluatedCandidate) -> str:
        """Why something is not the advice although one would have more."""
        own = choice.wealth - self.best.wealth
        theirs = self._mean_of_others(choice) - self._mean_of_others(self.best)
        if theirs > own:
            return RIVALS
        ahead = choice.value - self.best.value
        return "the others would gain by it too" if theirs > 0 and ahead < own / 2 else "that is not clearly better"

    def _reasons(self, alternatives: Sequence[Alternative]) -> tuple[str, ...]:
        given = next((each.candidate.reasons for each in self.plans if each.candidate.reasons), ())
        outdone = any(each.less is not None and each.less < 0 for each in alternatives)
        if outdone and isinstance(self.best.candidate.action, DECLINING_ACTIONS):
            given = ()  # "no train is worth its price" beside a train that is expected to bring more
        found = [*given, *self._other_plans()]
        return tuple(found[:REASONS]) if found else (self._in_general(),)

    def _other_plans(self) -> list[str]:
        """What one should not go on with after the same answer."""
        found = {}
        for each in self.plans:
            _, then, rest = each.candidate.plan.partition(", then ")
            gap = self._gap(each)
            if then and gap < 0 and each.candidate.plan != self.best.candidate.plan:
                found[rest] = f"if you then {rest}, about {self.speech.words.money(-gap)} less"
        return list(found.values())[:1]

    def _in_general(self) -> str:
        """A reason for what its rule of thumb says nothing of."""
        if not self.others:
            return ONLY_IDEA
        if not self.foreseen:
            return FOR_HEURISTICS
        richest = max(self.others, key=lambda each: each.wealth)
        gap = self._gap(richest)
        if gap < 0:
            return f"about {self.speech.words.money(-gap)} more in the end than anything else"
        if gap == 0:
            return RICHEST
        return DEFAULT_REASON if richest.value > self.best.value else f"something else brings you more, but {RIVALS}"
