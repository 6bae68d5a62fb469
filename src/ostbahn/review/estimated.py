"""Estimates by the net of the best bot: the cost of a decision, and a forecast at the start of each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from math import exp, log, prod
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from ostbahn.bots.policies import (
    Candidate,
    EvaluatedCandidate,
    FixedParameters,
    RolloutSettings,
    cap_weight,
    read_weights,
    scale_weights,
)
from ostbahn.bots.search import SearchBot, search_policies_with
from ostbahn.extras import MissingExtra
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import RoundBegan
from ostbahn.kits.catalogue import kit_named

if TYPE_CHECKING:
    from ostbahn.bots.learnt import LearntModel

Category = Literal["track", "stations", "trains", "shares", "income"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
PLAIN: Final = RolloutSettings(until="turn", kept=4)
"""Rollouts for kinds of question that `N` does not study."""


class EstimateAccuracy(FixedParameters, frozen=True):
    """The measured accuracy of estimates for a kind of question."""

    by: Literal["net", "thumb"]
    """Whose estimate is reliable: the net's or the heuristics'."""
    factor: float
    """Correction factor of the estimate."""
    spread: float
    """Standard deviation of the corrected estimate, as a fraction of one's wealth."""
    doubt: float
    """The net's largest doubt at which estimates were measured and are given."""
    decisions: int
    """How many decisions were measured."""


class CoachStandard(FixedParameters, frozen=True):
    """A title's `coach.toml`: which estimates are reliable."""

    least: float
    """The smallest reported cost, as a fraction of one's wealth."""
    variants: tuple[str, ...]
    """Variants in which estimates were measured, without modules; other games get none."""
    categories: Mapping[str, Category]
    """Category of each kind of question; others get no estimates."""
    measured: Mapping[str, EstimateAccuracy]
    """The reliable estimates, by `DecisionEvaluator.name`."""

    def shown(self, evaluator: DecisionEvaluator) -> EstimateAccuracy | None:
        """The accuracy of estimates at a question; None if they are not reliable there."""
        return self.measured.get(evaluator.name) if self.holds(evaluator.game.setup) else None

    def holds(self, setup: Setup) -> bool:
        return setup.variant in self.variants and not setup.modules


class DecisionEstimate(NamedTuple):
    """A decision compared with the best candidate."""

    number: int
    """The number of the answer, from 1."""
    seat: str
    kind: str
    category: Category
    settled: bool
    """Whether heuristics and not the net say what is best."""
    played: EvaluatedCandidate
    best: EvaluatedCandidate
    thumb: float | None
    """The cost by heuristics, in money; None if they do not rate both answers."""

    @property
    def loss(self) -> float:
        """The cost by the net, as a fraction of one's wealth. It compares shares of the total wealth, since a longer
        game makes everybody richer."""
        if self.best.value <= self.played.value:
            return 0.0
        return max(0.0, 1 - _share_of_wealth(self.played, self.seat) / _share_of_wealth(self.best, self.seat))

    @property
    def thumb_loss(self) -> float | None:
        return None if self.thumb is None else max(0.0, self.thumb) / self.best.wealth

    def cost(self, accuracy: EstimateAccuracy) -> float | None:
        """The corrected cost by the reliable estimate, as a fraction of one's wealth; None if there is none."""
        loss = self.loss if accuracy.by == "net" else self.thumb_loss
        return None if loss is None else accuracy.factor * loss


def _share_of_wealth(choice: EvaluatedCandidate, seat: str) -> float:
    """A seat's expected share of the total wealth."""
    assert choice.judgement is not None
    wealth = choice.judgement.wealth
    return wealth[seat] / max(1.0, sum(wealth.values()))


@lru_cache(maxsize=8)
def coach_standard_of(title: str) -> CoachStandard | None:
    """The standard of a title; None, so that nothing is estimated, without a net or without NumPy."""
    policy = kit_named(title).policy
    if policy.learnt is None or not policy.has_learnt or find_spec("numpy") is None:
        return None
    return read_weights(policy.learnt.package, "coach.toml", CoachStandard)


class DecisionEvaluator:
    """Estimates the cost of answers to one question."""

    def __init__(self, game: Game, question: Question) -> None:
        from ostbahn.bots.learnt import CandidateEvaluator, learnt_model_of  # here, as it needs NumPy

        self.game, self.question = game, question
        setup = game.setup
        self.model: LearntModel = learnt_model_of(setup.title, setup.variant, modules=setup.modules)
        self.study = self.model.settings.studies.get(question.kind)
        self.evaluator = CandidateEvaluator(self.model, question, game)
        self.settled = self.model.rules_decide(question, game)
        self.name = f"{question.kind} settled" if self.settled and self.study is not None else question.kind
        """The key in `coach.toml`, which measures settled questions separately."""

    def doubt(self) -> float:
        """The net's doubt about the player's final wealth at present."""
        (now,) = self.model.predict([self.game])
        return now.doubt[self.question.decider] * self.model.settings.doubt

    def estimate(self, played: Action, category: Category) -> DecisionEstimate | None:
        """Compare a played answer with the best one; None if it needed the consent of others."""
        usual = _fast_search_bot(self.game.setup.title, self.game.setup.variant).evaluate(self.question, self.game)
        candidates = [choice.candidate for choice in usual]
        evaluated = self._by_heuristics(candidates[0], played) if self.settled else self._by_net(candidates, played)
        plans_as_played = [choice for choice in evaluated if choice.candidate.action == played]
        without_partner = [choice for choice in evaluated if choice.candidate.partner is None]
        if not without_partner or any(choice.candidate.partner for choice in plans_as_played):
            return None
        kind, seat = self.question.kind, self.question.decider
        given, best = max(plans_as_played, key=lambda choice: choice.value), without_partner[0]
        thumb = _heuristic_gap(usual, played, best.candidate.action)
        return DecisionEstimate(len(self.game) + 1, seat, kind, category, self.settled, given, best, thumb)

    def _by_heuristics(self, advised: Candidate, played: Action) -> list[EvaluatedCandidate]:
        """The heuristic advice first, and the played answer, evaluated by the net."""
        candidates = [advised] if advised.action == played else [advised, Candidate(played)]
        evaluated = self.evaluator.roll_out(candidates, self.study or PLAIN)
        return sorted(evaluated, key=lambda choice: choice.candidate is not advised)

    def _by_net(self, usual: list[Candidate], played: Action) -> list[EvaluatedCandidate]:
        """All evaluated candidates, the advice first, with the played answer among them."""
        assert self.study is not None
        evaluated = self.evaluator.evaluate(self.study, usual)
        if all(choice.candidate.action != played for choice in evaluated):
            evaluated += self.evaluator.roll_out([Candidate(played)], self.study)
        return evaluated


@lru_cache(maxsize=8)
def _fast_search_bot(title: str, variant: str) -> SearchBot:
    """`S` without rehearsals of the rest of a game, which take seconds."""
    from ostbahn.bots.learnt import learnt_model_of

    model = learnt_model_of(title, variant)
    weights = scale_weights(kit_named(title).policy.search_weights(), model.variant.factors)
    policies = search_policies_with(title, cap_weight(weights, "rehearsed", 0))
    return SearchBot(policies=lambda *_: policies)


def _heuristic_gap(usual: list[EvaluatedCandidate], played: Action, best: Action) -> float | None:
    """By how much heuristics rate the best answer above the played one; None if they do not rate both."""
    values: dict[Action, float] = {}
    for choice in usual:
        values.setdefault(choice.candidate.action, choice.value)
    return values[best] - values[played] if best in values and played in values else None


LEAST: Final = 0.01
"""Lower bound of the doubt before the end of a game."""
STEPS: Final = 400
"""Number of steps of the numerical integration."""
WIDE: Final = 4.5
"""Bounds of the integration, in standard deviations."""

WITHOUT_NUMPY: Final = 'the forecast is left out: the net that makes it needs NumPy (pip install "ostbahn[learnt]")'


class NoForecast(OstbahnError):
    """No forecast is possible, with the reason."""


class Forecast(NamedTuple):
    """The expected end of a game at the start of a round."""

    round: str
    number: int
    """The number of answers so far."""
    wealth: Mapping[str, float]
    """Expected final wealth of each seat."""
    low: Mapping[str, float]
    high: Mapping[str, float]
    """About two of three games end between `low` and `high`."""
    richest: Mapping[str, float]
    """Probability of each seat to be the richest, assuming independent results."""


def forecasts(game: Game) -> list[Forecast]:
    """A forecast for the start of each round, and the result if the game is over."""
    try:
        from ostbahn.bots.learnt import learnt_model_of  # here, as it needs NumPy; a report does without

        model = learnt_model_of(game.setup.title, game.setup.variant)
    except MissingExtra:
        raise NoForecast(WITHOUT_NUMPY) from None
    except BadSetup:
        raise NoForecast("no net has learnt this game, so nobody says who was ahead when") from None
    if not model.settings.knows_modules(game.setup.modules):
        raise NoForecast("the net has learnt nothing of modules, so nobody says who was ahead when")
    starts = list(_round_starts(game))
    predictions = model.predict([game.position(number) for number, _ in starts])
    expected = []
    for (number, round_), prediction in zip(starts, predictions, strict=True):
        doubt = {seat: max(doubt * model.settings.doubt, LEAST) for seat, doubt in prediction.doubt.items()}
        expected.append(_forecast(round_, number, prediction.wealth, doubt))
    return [*expected, _result_as_forecast(game)] if game.over else expected


def _round_starts(game: Game) -> Iterator[tuple[int, str]]:
    """The number of answers before each round, with its name; of several rounds begun by one answer, the last."""
    for number, events in enumerate([game.opening, *(record.events for record in game.records)]):
        rounds = [event.round for event in events if isinstance(event, RoundBegan)]
        if rounds and not (number == len(game) and game.over):
            yield number, rounds[-1]


def _forecast(round_: str, number: int, wealth: Mapping[str, float], doubt: Mapping[str, float]) -> Forecast:
    return Forecast(
        round_,
        number,
        dict(wealth),
        {seat: wealth[seat] * exp(-doubt[seat]) for seat in wealth},
        {seat: wealth[seat] * exp(doubt[seat]) for seat in wealth},
        win_probabilities(wealth, doubt),
    )


def _result_as_forecast(game: Game) -> Forecast:
    wealth = {seat: float(amount) for seat, amount in game.worth().items()}
    richest = [seat for seat, amount in wealth.items() if amount == max(wealth.values())]
    shares = {seat: (seat in richest) / len(richest) for seat in wealth}
    return Forecast("the end", len(game), wealth, wealth, wealth, shares)


def win_probabilities(wealth: Mapping[str, float], doubt: Mapping[str, float]) -> dict[str, float]:
    """The probability of each seat to be the richest, for independent log-normal wealths."""
    logarithms = {seat: NormalDist(log(max(amount, 1.0)), doubt[seat]) for seat, amount in wealth.items()}
    weights = {seat: _win_weight(seat, logarithms) for seat in wealth}
    total = sum(weights.values())
    return {seat: weight / total for seat, weight in weights.items()}


def _win_weight(seat: str, logarithms: Mapping[str, NormalDist]) -> float:
    """The unnormalised probability of a seat to be the richest, by numerical integration."""
    own, others = logarithms[seat], [dist for other, dist in logarithms.items() if other != seat]
    total = 0.0
    for step in range(STEPS):
        deviations = WIDE * (2 * (step + 0.5) / STEPS - 1)
        density = exp(-deviations * deviations / 2)
        total += density * prod(other.cdf(own.mean + deviations * own.stdev) for other in others)
    return total
