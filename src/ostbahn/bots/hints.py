"""Hints for players: the answer of the best bot, its plan and expected result, and alternatives.

`N` gives hints for titles with a net, with the expected final wealth. Elsewhere, and at questions that `N` does not
study, heuristics decide; they only rank answers, so there is no forecast.
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
    """Rounded final wealth; `low` and `high` are one standard deviation away, so two of three games end between."""

    amount: int
    low: int
    high: int


class Alternative(NamedTuple):
    """Another possible answer."""

    action: Action
    plan: str
    told: str
    """The comparison in words: "about 120 K less", "as good"."""
    expected: ExpectedWealth | None = None
    less: int | None = None
    """How much less it is expected to bring than the advice; if negative, `told` says why it is not the advice."""


class Hint(NamedTuple):
    """An advised answer with reasons."""

    action: Action
    reasons: tuple[str, ...]
    by: str = "S"
    """The bot that would give it."""
    plan: str = ""
    """The answer with its follow-ups; empty if there are none."""
    expected: ExpectedWealth | None = None
    outlook: str = ""
    """`expected` as a sentence."""
    alternatives: tuple[Alternative, ...] = ()


def hint(game: Game, budget: int = BUDGET) -> Hint:
    """Advise an answer to the present question; the budget is that of `S`."""
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
    """By what fraction of wealth plans of `N` may differ and still count as equal; None if `N` is not available."""
    title = game.setup.title
    if kit_named(title).policy.learnt is None:
        return None
    try:
        from ostbahn.bots.learnt import learnt_model_of  # here, as it needs NumPy; hints do without

        return learnt_model_of(title, game.setup.variant).settings.near
    except (MissingExtra, BadSetup):
        return None


class HintComposer:
    """Turns a bot's evaluated candidates of one question, the best first, into a hint."""

    def __init__(self, game: Game, choices: Sequence[EvaluatedCandidate], near: float = 0.0) -> None:
        assert game.question is not None
        self.speech, self.seat = Speech(game), game.question.decider
        self.plans = [choice for choice in choices if choice.candidate.action == choices[0].candidate.action]
        """All plans that begin with the advised answer."""
        self.best = max(self.plans, key=lambda plan: plan.value)
        self.has_forecast = self.best.wealth > 0
        self.equality_margin = near * self.best.wealth
        self.others = self._other_choices(choices)

    def _other_choices(self, choices: Sequence[EvaluatedCandidate]) -> list[EvaluatedCandidate]:
        """The best plan for each other answer; answers that read the same, such as turns of a tile, count as one."""
        by_words: dict[str, EvaluatedCandidate] = {}
        advised_words = self.speech.describe(self.best.candidate.action)
        for choice in choices:
            words = self.speech.describe(choice.candidate.action)
            if words != advised_words and (words not in by_words or choice.value > by_words[words].value):
                by_words[words] = choice
        return sorted(by_words.values(), key=lambda choice: -choice.value)

    def hint(self, by: str) -> Hint:
        expected = self._expected(self.best)
        alternatives = tuple(
            self._alternative(choice, rank) for choice, rank in zip(self.others[:ALTERNATIVES], RANKS, strict=False)
        )
        return Hint(
            action=self.best.candidate.action,
            reasons=self._reasons(alternatives),
            by=by,
            plan=self._plan(self.best),
            expected=expected,
            outlook="" if expected is None else self._describe_outlook(expected),
            alternatives=alternatives,
        )

    # Figures

    def _expected(self, choice: EvaluatedCandidate) -> ExpectedWealth | None:
        if not self.has_forecast:
            return None
        amounts = (choice.wealth, choice.wealth * exp(-choice.doubt), choice.wealth * exp(choice.doubt))
        step = 100 if choice.wealth >= 1000 else 10
        return ExpectedWealth(*(round(amount / step) * step for amount in amounts))

    def _describe_outlook(self, expected: ExpectedWealth) -> str:
        money = self.speech.words.money
        if expected.low == expected.high:
            return f"you end with about {money(expected.amount)}"
        between = f"between {expected.low} and {money(expected.high)}"
        return f"you end with about {money(expected.amount)}; two of three such games end {between}"

    def _gap(self, choice: EvaluatedCandidate) -> int:
        """How much more a choice brings than the advice, rounded; 0 if the difference is not significant."""
        gap = choice.wealth - self.best.wealth
        step = 100 if abs(gap) >= 1000 else 10
        return 0 if abs(gap) <= self.equality_margin else round(gap / step) * step

    # Words

    def _plan(self, choice: EvaluatedCandidate) -> str:
        """The plan of a choice, or empty if it says no more than the answer."""
        action, plan = choice.candidate.action, choice.candidate.plan
        if isinstance(action, Pass):
            return ""
        words, answer = (set(re.findall(r"[\w+]+", text)) for text in (plan, self.speech.describe(action)))
        return "" if words <= answer else plan

    def _alternative(self, choice: EvaluatedCandidate, rank: str) -> Alternative:
        action, plan = choice.candidate.action, self._plan(choice)
        if not self.has_forecast:
            is_equal = round(choice.value) == round(self.best.value)
            standing = "as good" if is_equal else f"{rank} choice"
            comparison = (*choice.candidate.reasons[:1], f"{standing} by the rules of thumb")
            return Alternative(action, plan, "; ".join(comparison))
        gap = self._gap(choice)
        return Alternative(action, plan, self._describe_gap(choice, gap), self._expected(choice), -gap)

    def _describe_gap(self, choice: EvaluatedCandidate, gap: int) -> str:
        amount = f"about {self.speech.words.money(abs(gap))}"
        if gap < 0:
            return f"{amount} less"
        if gap > 0:
            return f"{amount} more, but {self._objection(choice)}"
        is_worse = choice.value < self.best.value - self.equality_margin
        helps_others = self._mean_of_others(choice) > self._mean_of_others(self.best)
        return f"as good for you, but {RIVALS}" if is_worse and helps_others else "as good"

    def _mean_of_others(self, choice: EvaluatedCandidate) -> float:
        """The expected mean wealth of the others."""
        wealth = choice.judgement.wealth if choice.judgement is not None else {}
        others = [amount for seat, amount in wealth.items() if seat != self.seat]
        return sum(others) / max(1, len(others))

    def _objection(self, choice: EvaluatedCandidate) -> str:
        """Why a choice is not the advice although it brings more money."""
        own_gain = choice.wealth - self.best.wealth
        their_gain = self._mean_of_others(choice) - self._mean_of_others(self.best)
        if their_gain > own_gain:
            return RIVALS
        helps_others = their_gain > 0 and choice.value - self.best.value < own_gain / 2
        return "the others would gain by it too" if helps_others else "that is not clearly better"

    def _reasons(self, alternatives: Sequence[Alternative]) -> tuple[str, ...]:
        own_reasons = next((plan.candidate.reasons for plan in self.plans if plan.candidate.reasons), ())
        is_outdone = any(other.less is not None and other.less < 0 for other in alternatives)
        if is_outdone and isinstance(self.best.candidate.action, DECLINING_ACTIONS):
            own_reasons = ()  # "no train is worth its price" beside a train that is expected to bring more
        reasons = [*own_reasons, *self._warnings()]
        return tuple(reasons[:REASONS]) if reasons else (self._general_reason(),)

    def _warnings(self) -> list[str]:
        """A warning against another plan that begins with the advised answer, if it brings less."""
        by_continuation = {}
        for choice in self.plans:
            _, then, continuation = choice.candidate.plan.partition(", then ")
            gap = self._gap(choice)
            if then and gap < 0 and choice.candidate.plan != self.best.candidate.plan:
                words = f"if you then {continuation}, about {self.speech.words.money(-gap)} less"
                by_continuation[continuation] = words
        return list(by_continuation.values())[:1]

    def _general_reason(self) -> str:
        """A reason for advice to which the heuristics gave none."""
        if not self.others:
            return ONLY_IDEA
        if not self.has_forecast:
            return FOR_HEURISTICS
        richest = max(self.others, key=lambda choice: choice.wealth)
        gap = self._gap(richest)
        if gap < 0:
            return f"about {self.speech.words.money(-gap)} more in the end than anything else"
        if gap == 0:
            return RICHEST
        return DEFAULT_REASON if richest.value > self.best.value else f"something else brings you more, but {RIVALS}"
