"""What the net of the best bot estimates: what a decision cost, and who was ahead when each round began."""

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
"""How questions are looked at that `N` does not study."""


class EstimateAccuracy(FixedParameters, frozen=True):
    """What rehearsals have shown of the estimates of a kind of question."""

    by: Literal["net", "thumb"]
    """Whose estimate was good: the net's, or that of the rules of thumb."""
    factor: float
    """What it is multiplied by."""
    spread: float
    """How far off it may be then, as a part of one's wealth: a standard deviation."""
    doubt: float
    """It was measured, and is given, only where the net's own doubt is not larger."""
    decisions: int
    """On so many it was measured."""


class CoachStandard(FixedParameters, frozen=True):
    """What is in `coach.toml` of a title."""

    least: float
    """A decision that cost a smaller part of one's wealth is no finding."""
    variants: tuple[str, ...]
    """In which estimates were measured, without modules; in other games none are given."""
    categories: Mapping[str, Category]
    """What kinds of question are about; others are left out."""
    measured: Mapping[str, EstimateAccuracy]
    """Only these are shown to be good."""

    def shown(self, looking: DecisionEvaluator) -> EstimateAccuracy | None:
        """What is known of the estimate at a question, if it was shown to be good there."""
        return self.measured.get(looking.name) if self.holds(looking.game.setup) else None

    def holds(self, setup: Setup) -> bool:
        return setup.variant in self.variants and not setup.modules


class DecisionEstimate(NamedTuple):
    """One decision, and the best idea that was found for it."""

    number: int
    """Of the answer, the first being 1."""
    seat: str
    kind: str
    category: Category
    settled: bool
    """Whether rules of thumb know better than the net here, so that they say what is best."""
    played: EvaluatedCandidate
    best: EvaluatedCandidate
    thumb: float | None
    """What the rules of thumb say that it cost, in money; None if they did not think of what was played."""

    @property
    def loss(self) -> float:
        """What it cost, as a part of one's wealth; 0 if nothing better was found. What counts is one's part of what all
        have together: if a game goes on for longer and everybody has more, nobody has gained anything."""
        if self.best.value <= self.played.value:
            return 0.0
        return max(0.0, 1 - _part(self.played, self.seat) / _part(self.best, self.seat))

    @property
    def thumb_loss(self) -> float | None:
        return None if self.thumb is None else max(0.0, self.thumb) / self.best.wealth

    def cost(self, measured: EstimateAccuracy) -> float | None:
        """What it cost by the estimate that was shown to be good; None if there is none."""
        loss = self.loss if measured.by == "net" else self.thumb_loss
        return None if loss is None else measured.factor * loss


def _part(weighed: EvaluatedCandidate, seat: str) -> float:
    """Of what all have together."""
    assert weighed.judgement is not None
    wealth = weighed.judgement.wealth
    return wealth[seat] / max(1.0, sum(wealth.values()))


@lru_cache(maxsize=8)
def coach_standard_of(title: str) -> CoachStandard | None:
    """None for a title without a net, or without NumPy, which evaluates it: then nothing is estimated."""
    policy = kit_named(title).policy
    if policy.learnt is None or not policy.has_learnt or find_spec("numpy") is None:
        return None
    return read_weights(policy.learnt.package, "coach.toml", CoachStandard)


class DecisionEvaluator:
    """At one question."""

    def __init__(self, game: Game, question: Question) -> None:
        from ostbahn.bots.learnt import CandidateEvaluator, learnt_model_of  # here, as it needs NumPy

        self.game, self.question = game, question
        setup = game.setup
        self.model: LearntModel = learnt_model_of(setup.title, setup.variant, modules=setup.modules)
        self.study = self.model.settings.studies.get(question.kind)
        self.evaluator = CandidateEvaluator(self.model, question, game)
        self.settled = self.model.rules_decide(question, game)
        self.name = f"{question.kind} settled" if self.settled and self.study is not None else question.kind
        """By which it stands in `coach.toml`: rules of thumb may be as good as the net, or not."""

    def doubt(self) -> float:
        """How unsure the net is of the end, as things are."""
        (now,) = self.model.predict([self.game])
        return now.doubt[self.question.decider] * self.model.settings.doubt

    def estimate(self, played: Action, category: Category) -> DecisionEstimate | None:
        usual = _usual(self.game.setup.title, self.game.setup.variant).evaluate(self.question, self.game)
        ideas = [each.candidate for each in usual]
        weighed = self._by_thumb(ideas[0], played) if self.settled else self._by_net(ideas, played)
        own = [each for each in weighed if each.candidate.action == played]
        alone = [each for each in weighed if each.candidate.partner is None]
        if not alone or any(each.candidate.partner for each in own):
            return None  # what others must agree to is not one's own decision
        kind, seat = self.question.kind, self.question.decider
        given, best = max(own, key=lambda each: each.value), alone[0]
        thumb = _thumb(usual, played, best.candidate.action)
        return DecisionEstimate(len(self.game) + 1, seat, kind, category, self.settled, given, best, thumb)

    def _by_thumb(self, first: Candidate, played: Action) -> list[EvaluatedCandidate]:
        """What the rules of thumb advise, and what was played."""
        ideas = [first] if first.action == played else [first, Candidate(played)]
        weighed = self.evaluator.roll_out(ideas, self.study or PLAIN)
        return sorted(weighed, key=lambda each: each.candidate is not first)

    def _by_net(self, usual: list[Candidate], played: Action) -> list[EvaluatedCandidate]:
        """All ideas, the advice first, and what was played among them."""
        assert self.study is not None
        weighed = self.evaluator.evaluate(self.study, usual)
        if all(each.candidate.action != played for each in weighed):
            weighed += self.evaluator.roll_out([Candidate(played)], self.study)
        return weighed


@lru_cache(maxsize=8)
def _usual(title: str, variant: str) -> SearchBot:
    """Who has the first ideas: `S`, but it does not rehearse the rest of a game, which takes seconds."""
    from ostbahn.bots.learnt import learnt_model_of

    model = learnt_model_of(title, variant)
    weights = scale_weights(kit_named(title).policy.search_weights(), model.variant.factors)
    policies = search_policies_with(title, cap_weight(weights, "rehearsed", 0))
    return SearchBot(policies=lambda *_: policies)


def _thumb(usual: list[EvaluatedCandidate], played: Action, best: Action) -> float | None:
    """By how much the rules of thumb think better of an answer than of another."""
    values: dict[Action, float] = {}
    for each in usual:
        values.setdefault(each.candidate.action, each.value)
    return values[best] - values[played] if best in values and played in values else None


LEAST: Final = 0.01
"""A doubt that nobody falls below before the end."""
STEPS: Final = 400
"""Into how many parts what may become of somebody is cut, to see how often it is more than what becomes of others."""
WIDE: Final = 4.5
"""So many standard deviations to either side are looked at."""

WITHOUT_NUMPY: Final = 'the forecast is left out: the net that makes it needs NumPy (pip install "ostbahn[learnt]")'


class NoForecast(OstbahnError):
    """Nothing can be foreseen here; says why."""


class Forecast(NamedTuple):
    """What was to be expected when a round began."""

    round: str
    number: int
    """Answers that had been given."""
    wealth: Mapping[str, float]
    """What everybody would have in the end."""
    low: Mapping[str, float]
    high: Mapping[str, float]
    """About two of three games end between these."""
    richest: Mapping[str, float]
    """How likely everybody was to be the richest, as if what becomes of one said nothing of the others."""


def forecasts(game: Game) -> list[Forecast]:
    """One for the beginning of each round, and what came of it where the game is over."""
    try:
        from ostbahn.bots.learnt import learnt_model_of  # here, as it needs NumPy; a report does without

        model = learnt_model_of(game.setup.title, game.setup.variant)
    except MissingExtra:
        raise NoForecast(WITHOUT_NUMPY) from None
    except BadSetup:
        raise NoForecast("no net has learnt this game, so nobody says who was ahead when") from None
    if not model.settings.knows_modules(game.setup.modules):
        raise NoForecast("the net has learnt nothing of modules, so nobody says who was ahead when")
    begun = list(_round_starts(game))
    expected = []
    for (number, round_), judged in zip(
        begun, model.predict([game.position(number) for number, _ in begun]), strict=True
    ):
        doubt = {seat: max(part * model.settings.doubt, LEAST) for seat, part in judged.doubt.items()}
        expected.append(_forecast(round_, number, judged.wealth, doubt))
    return [*expected, _end(game)] if game.over else expected


def _round_starts(game: Game) -> Iterator[tuple[int, str]]:
    """After which answers which round had begun; of those that an answer passes over, the last."""
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


def _end(game: Game) -> Forecast:
    had = {seat: float(amount) for seat, amount in game.worth().items()}
    most = [seat for seat, amount in had.items() if amount == max(had.values())]
    return Forecast("the end", len(game), had, had, had, {seat: (seat in most) / len(most) for seat in had})


def win_probabilities(wealth: Mapping[str, float], doubt: Mapping[str, float]) -> dict[str, float]:
    """How likely each is the greatest of several whose logarithms are normal, one by one."""
    logarithms = {seat: NormalDist(log(max(amount, 1.0)), doubt[seat]) for seat, amount in wealth.items()}
    chances = {seat: _chance(seat, logarithms) for seat in wealth}
    total = sum(chances.values())
    return {seat: chance / total for seat, chance in chances.items()}


def _chance(seat: str, logarithms: Mapping[str, NormalDist]) -> float:
    own, others = logarithms[seat], [one for other, one in logarithms.items() if other != seat]
    total = 0.0
    for step in range(STEPS):
        away = WIDE * (2 * (step + 0.5) / STEPS - 1)
        total += exp(-away * away / 2) * prod(other.cdf(own.mean + away * own.stdev) for other in others)
    return total
