"""The coach: proven findings of a game, estimated costs of decisions, and exercises made from both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple

from ostbahn.bots.hints import HintComposer
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.review.estimated import (
    CATEGORIES,
    Category,
    CoachStandard,
    DecisionEstimate,
    DecisionEvaluator,
    EstimateAccuracy,
    coach_standard_of,
)
from ostbahn.review.proven import Finding, better_answers, money_of, proven_findings_at, without_incompatible
from ostbahn.text.formatting import sentence_case
from ostbahn.text.speech import Speech, heading
from ostbahn.views.title_views import views_of

REASONS: Final = 3
"""At most this many reasons for the best answer."""


class CostlyDecision(NamedTuple):
    """A decision with its estimated cost, in money at the end of the game."""

    number: int
    """The number of the answer, from 1."""
    round: str
    seat: str
    category: Category
    lost: int
    low: int
    high: int
    """Two of three such decisions cost between `low` and `high`."""
    played: str
    best: str
    plan: str
    """The best answer with its follow-ups; empty if there are none."""
    reasons: tuple[str, ...]
    instead: Action
    """The best answer as an action."""


class JudgedDecision(NamedTuple):
    """An unforced decision with an estimate, whatever it cost."""

    seat: str
    category: Category
    lost: float


class AverageLoss(NamedTuple):
    """The average cost of a player's decisions of a category."""

    seat: str
    category: Category
    decisions: int
    """How many unforced decisions have a reliable estimate."""
    each: int


class CoachingPart(NamedTuple):
    """The coaching of some answers of a game."""

    proven: tuple[Finding, ...] = ()
    costly: tuple[CostlyDecision, ...] = ()
    decided: tuple[JudgedDecision, ...] = ()


class Coaching(NamedTuple):
    """The coaching of a game."""

    proven: tuple[Finding, ...]
    estimated: tuple[CostlyDecision, ...]
    mistakes: tuple[AverageLoss, ...]
    judged: tuple[str, ...]
    """Kinds of question with reliable estimates; empty if nothing could be estimated."""

    def of(self, seats: Iterable[str]) -> Coaching:
        """The coaching of these seats' decisions."""
        own = set(seats)
        return self._replace(
            proven=tuple(finding for finding in self.proven if finding.seat in own),
            estimated=tuple(decision for decision in self.estimated if decision.seat in own),
            mistakes=tuple(loss for loss in self.mistakes if loss.seat in own),
        )


def coach(
    game: Game, progress: Callable[[int], None] = lambda number: None, standard: CoachStandard | None = None
) -> Coaching:
    """Coach a whole game, with estimates that meet the standard (by default, the title's)."""
    parts = []
    for number in range(1, len(game) + 1):
        progress(number)
        parts.append(coach_answers(game, number, number, standard))
    return merge_findings(game, parts, standard)


def coach_answers(game: Game, first: int, last: int, standard: CoachStandard | None = None) -> CoachingPart:
    """Coach the answers from `first` to `last`, so that callers can show progress between parts."""
    standard = standard or coach_standard_of(game.setup.title)
    proven, costly, decided = CoachingPart()
    for number in range(first, last + 1):
        proven += tuple(proven_findings_at(game, number))
        if standard is not None and standard.measured:
            judged = _judge(game, number, standard)
            costly += judged.costly
            decided += judged.decided
    return CoachingPart(proven, costly, decided)


def merge_findings(game: Game, parts: Sequence[CoachingPart], standard: CoachStandard | None = None) -> Coaching:
    """Merge the coaching of all parts of a game; estimates are sorted by cost."""
    standard = standard or coach_standard_of(game.setup.title)
    costly = [decision for part in parts for decision in part.costly]
    return Coaching(
        proven=tuple(without_incompatible(game, [finding for part in parts for finding in part.proven])),
        estimated=tuple(sorted(costly, key=lambda decision: -decision.lost)),
        mistakes=tuple(_average_losses(game, [decision for part in parts for decision in part.decided])),
        judged=tuple(standard.measured) if standard is not None and standard.holds(game.setup) else (),
    )


def _average_losses(game: Game, decisions: Sequence[JudgedDecision]) -> Iterable[AverageLoss]:
    for seat in game.state.players:
        for category in CATEGORIES:
            losses = [decision.lost for decision in decisions if (decision.seat, decision.category) == (seat, category)]
            if losses:
                yield AverageLoss(seat, category, len(losses), round(sum(losses) / len(losses)))


def _judge(game: Game, number: int, standard: CoachStandard) -> CoachingPart:
    """Estimate what one answer cost; empty where estimates are not reliable."""
    before, nothing = game.position(number - 1), CoachingPart()
    question = before.question
    if question is None or question.kind not in standard.categories or question.obvious:
        return nothing
    evaluator = DecisionEvaluator(before, question)
    accuracy = standard.shown(evaluator)
    if accuracy is None or evaluator.doubt() > accuracy.doubt:
        return nothing
    estimate = evaluator.estimate(game.records[number - 1].action, standard.categories[question.kind])
    fraction = None if estimate is None else estimate.cost(accuracy)
    if estimate is None or fraction is None or estimate.best.doubt > accuracy.doubt:
        return nothing
    decided = JudgedDecision(estimate.seat, estimate.category, fraction * estimate.best.wealth)
    costly = (_costly_decision(before, estimate, fraction, accuracy),) if fraction >= standard.least else ()
    return CoachingPart(costly=costly, decided=(decided,))


def _costly_decision(
    before: Game, estimate: DecisionEstimate, fraction: float, accuracy: EstimateAccuracy
) -> CostlyDecision:
    wealth, speech = estimate.best.wealth, Speech(before)
    hint = HintComposer(before, [estimate.best, estimate.played]).hint("N")
    return CostlyDecision(
        number=estimate.number,
        round=views_of(before).round,
        seat=estimate.seat,
        category=estimate.category,
        lost=_rounded(fraction * wealth),
        low=max(0, _rounded((fraction - accuracy.spread) * wealth)),
        high=_rounded((fraction + accuracy.spread) * wealth),
        played=speech.describe(estimate.played.candidate.action),
        best=speech.describe(estimate.best.candidate.action),
        plan=hint.plan,
        reasons=hint.reasons[:REASONS],
        instead=estimate.best.candidate.action,
    )


def _rounded(amount: float) -> int:
    return round(amount / 10) * 10


MAX_EXERCISES: Final = 5
ALIKE: Final = 6
"""Limit of answers that read the same, such as rotations of a tile, in one check."""


class ExerciseChoice(NamedTuple):
    """An answer to choose; `option` is its index among the question's options."""

    option: int
    words: str
    group: str


class Exercise(NamedTuple):
    """A decision to repeat: what was played, and the better answer, which is hidden at first."""

    number: int
    """The number of the answer, from 1."""
    round: str
    seat: str
    proven: bool
    """Whether the better answer is proven, or only estimated."""
    asks: Literal["amount", "answer"]
    """Whether to name the revenue of the best run, or to choose an answer."""
    task: str
    played: str
    """The answer given, to follow a name: "bought a share of ABC"."""
    lost: int
    bounds: tuple[int, int] | None
    """Bounds of the cost in two of three such decisions; None if it is proven."""
    answer: str
    reasons: tuple[str, ...]
    best: int = 0
    """Revenue of the best run, if that is asked."""
    routes: tuple[tuple[str, ...], ...] = ()
    """The routes of the best run, for drawing."""


class Verdict(NamedTuple):
    """The coach's verdict on an attempt at an exercise."""

    good: bool
    words: str


def exercises(game: Game, coaching: Coaching, most: int = MAX_EXERCISES) -> list[Exercise]:
    """The costliest decisions as exercises; a proof replaces an estimate of the same decision."""
    by_number = {
        decision.number: _estimated_exercise(game, decision)
        for decision in coaching.estimated
        if _is_listed_option(game, decision)
    }
    by_number |= {finding.number: _proven_exercise(game, finding) for finding in coaching.proven}
    return sorted(by_number.values(), key=lambda exercise: (-exercise.lost, exercise.number))[:most]


def _is_listed_option(game: Game, decision: CostlyDecision) -> bool:
    """Whether the better answer can be chosen from a list, unlike one with a free price."""
    question = game.position(decision.number - 1).question
    return question is not None and any(option.action == decision.instead and not option.span for option in question)


def _estimated_exercise(game: Game, decision: CostlyDecision) -> Exercise:
    before = game.position(decision.number - 1)
    return Exercise(
        number=decision.number,
        round=decision.round,
        seat=decision.seat,
        proven=False,
        asks="answer",
        task=heading(before)[0],
        played=Speech(before).did(game.records[decision.number - 1]),
        lost=decision.lost,
        bounds=(decision.low, decision.high),
        answer=sentence_case(decision.best + (f" (the plan: {decision.plan})" if decision.plan else "")),
        reasons=decision.reasons,
    )


def _proven_exercise(game: Game, finding: Finding) -> Exercise:
    before = game.position(finding.number - 1)
    speech, run = Speech(before), finding.better
    exercise = Exercise(
        number=finding.number,
        round=finding.round,
        seat=finding.seat,
        proven=True,
        asks="answer",
        task=heading(before)[0],
        played=speech.did(game.records[finding.number - 1]),
        lost=finding.lost,
        bounds=None,
        answer="" if finding.instead is None else sentence_case(speech.describe(finding.instead)),
        reasons=(sentence_case(finding.words),),
    )
    if run is None:
        return exercise
    return exercise._replace(
        asks="amount",
        task=f"What can {before.table.name(finding.company or finding.seat)} run for?",
        answer=exercise.answer or f"A run for {money_of(before)(run.revenue)}",
        best=run.revenue,
        routes=tuple(route.path for route in run.routes),
    )


def choices(game: Game, number: int) -> list[ExerciseChoice]:
    """The answers to choose from: those that read the same count as one, and those with a free price are left out."""
    before = game.position(number - 1)
    question, speech, views = before.question, Speech(before), views_of(before)
    assert question is not None
    by_words: dict[str, ExerciseChoice] = {}
    for place, option in enumerate(question.options):
        if option.span is None:
            words = speech.label(option)
            kind = str(option.action.__struct_config__.tag)
            by_words.setdefault(words, ExerciseChoice(place, words, views.heading(option.action) or views.groups[kind]))
    return list(by_words.values())


def check_amount(exercise: Exercise, amount: int, money: str) -> Verdict:
    """Check a guess of the best run's revenue."""
    if amount == exercise.best:
        return Verdict(True, f"Yes: {money} is the best run.")
    too_much = amount > exercise.best
    return Verdict(False, "That is more than any run brings." if too_much else "There is a better run.")


def check_answer(game: Game, number: int, proven: bool, option: int, standard: CoachStandard | None = None) -> Verdict:
    """Check another answer to an exercise, by proof or by an estimate that meets the standard (by default, the
    title's); takes as long as a hint."""
    before = game.position(number - 1)
    question, speech = before.question, Speech(before)
    if question is None or not 0 <= option < len(question):
        return Verdict(False, "There is no such answer.")
    words = speech.label(question.options[option])
    actions = [each.action for each in question.options if speech.label(each) == words][:ALIKE]
    if proven:
        better = better_answers(game, number)
        good = any(action in better for action in actions)
        return Verdict(good, "Yes, that was there." if good else "That does not do it.")
    if game.records[number - 1].action in actions:
        return Verdict(False, "That is what was played.")
    return _estimated_verdict(before, actions, standard or coach_standard_of(game.setup.title))


def _estimated_verdict(before: Game, actions: Sequence[Action], standard: CoachStandard | None) -> Verdict:
    """Judge the best of some answers that read the same by its estimated cost."""
    question = before.question
    assert question is not None
    evaluator = DecisionEvaluator(before, question)
    accuracy = None if standard is None else standard.shown(evaluator)
    if standard is None or accuracy is None:
        return Verdict(False, "Nobody can tell.")
    costs: list[tuple[float, float]] = []
    for action in actions:
        estimate = evaluator.estimate(action, standard.categories[question.kind])
        cost = None if estimate is None else estimate.cost(accuracy)
        if estimate is not None and cost is not None:
            costs.append((cost, estimate.best.wealth))
    if not costs:
        return Verdict(False, "That depends on others, so nobody can tell.")
    cost, wealth = min(costs)
    if cost < standard.least:
        return Verdict(True, "Yes: as good as the best idea that was found.")
    less = money_of(before)(_rounded(cost * wealth))
    return Verdict(False, f"Not yet: about {less} less than the best idea that was found.")
