"""The coach: what can be proven of a game, what decisions are estimated to have cost, and exercises made of both."""

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
"""Figures that are told for the best idea, at most."""


class CostlyDecision(NamedTuple):
    """A decision that is thought to have cost something. Amounts are money at the end of the game."""

    number: int
    """Of the answer, the first being 1."""
    round: str
    seat: str
    category: Category
    lost: int
    low: int
    high: int
    """Two of three such decisions cost between these."""
    played: str
    best: str
    plan: str
    """What was to follow it; empty where that is all."""
    reasons: tuple[str, ...]
    instead: Action
    """The same as an answer."""


class JudgedDecision(NamedTuple):
    """An unforced decision that was looked at, whatever it cost."""

    seat: str
    category: Category
    lost: float


class AverageLoss(NamedTuple):
    """What decisions of a category cost somebody, on average."""

    seat: str
    category: Category
    decisions: int
    """Unforced ones, of which the estimate is shown to be good."""
    each: int


class CoachingPart(NamedTuple):
    """What was found in a part of a game."""

    proven: tuple[Finding, ...] = ()
    costly: tuple[CostlyDecision, ...] = ()
    decided: tuple[JudgedDecision, ...] = ()


class Coaching(NamedTuple):
    """All that the coach has to say of a game."""

    proven: tuple[Finding, ...]
    estimated: tuple[CostlyDecision, ...]
    mistakes: tuple[AverageLoss, ...]
    judged: tuple[str, ...]
    """Kinds of question of which estimates are shown to be good; none if nothing could be estimated."""

    def of(self, seats: Iterable[str]) -> Coaching:
        """Only what some seats decided."""
        own = set(seats)
        return self._replace(
            proven=tuple(each for each in self.proven if each.seat in own),
            estimated=tuple(each for each in self.estimated if each.seat in own),
            mistakes=tuple(each for each in self.mistakes if each.seat in own),
        )


def coach(
    game: Game, progress: Callable[[int], None] = lambda number: None, standard: CoachStandard | None = None
) -> Coaching:
    """Look at a whole game, by estimates that the standard finds good enough: that of the title if none is given."""
    pieces = []
    for number in range(1, len(game) + 1):
        progress(number)
        pieces.append(coach_answers(game, number, number, standard))
    return merge_findings(game, pieces, standard)


def coach_answers(game: Game, first: int, last: int, standard: CoachStandard | None = None) -> CoachingPart:
    """What there is to say of some answers; whoever shows how far they are asks for one part after the other."""
    standard = standard or coach_standard_of(game.setup.title)
    proven, costly, decided = CoachingPart()
    for number in range(first, last + 1):
        proven += tuple(proven_findings_at(game, number))
        if standard is not None and standard.measured:
            judged = _judge(game, number, standard)
            costly += judged.costly
            decided += judged.decided
    return CoachingPart(proven, costly, decided)


def merge_findings(game: Game, pieces: Sequence[CoachingPart], standard: CoachStandard | None = None) -> Coaching:
    """The parts of a game as one; the dearest estimates first."""
    standard = standard or coach_standard_of(game.setup.title)
    return Coaching(
        proven=tuple(without_incompatible(game, [each for piece in pieces for each in piece.proven])),
        estimated=tuple(sorted((each for piece in pieces for each in piece.costly), key=lambda each: -each.lost)),
        mistakes=tuple(_mistakes(game, [each for piece in pieces for each in piece.decided])),
        judged=tuple(standard.measured) if standard is not None and standard.holds(game.setup) else (),
    )


def _mistakes(game: Game, decided: Sequence[JudgedDecision]) -> Iterable[AverageLoss]:
    for seat in game.state.players:
        for category in CATEGORIES:
            lost = [each.lost for each in decided if (each.seat, each.category) == (seat, category)]
            if lost:
                yield AverageLoss(seat, category, len(lost), round(sum(lost) / len(lost)))


def _judge(game: Game, number: int, standard: CoachStandard) -> CoachingPart:
    """What one answer is thought to have cost."""
    before, nothing = game.position(number - 1), CoachingPart()
    question = before.question
    if question is None or question.kind not in standard.categories or question.obvious:
        return nothing
    looking = DecisionEvaluator(before, question)
    measured = standard.shown(looking)
    if measured is None or looking.doubt() > measured.doubt:
        return nothing
    estimate = looking.estimate(game.records[number - 1].action, standard.categories[question.kind])
    part = None if estimate is None else estimate.cost(measured)
    if estimate is None or part is None or estimate.best.doubt > measured.doubt:
        return nothing
    decided = JudgedDecision(estimate.seat, estimate.category, part * estimate.best.wealth)
    costly = (_costly(before, estimate, part, measured),) if part >= standard.least else ()
    return CoachingPart(costly=costly, decided=(decided,))


def _costly(before: Game, estimate: DecisionEstimate, part: float, measured: EstimateAccuracy) -> CostlyDecision:
    wealth, speech = estimate.best.wealth, Speech(before)
    hint = HintComposer(before, [estimate.best, estimate.played]).hint("N")
    return CostlyDecision(
        number=estimate.number,
        round=views_of(before).round,
        seat=estimate.seat,
        category=estimate.category,
        lost=_rounded(part * wealth),
        low=max(0, _rounded((part - measured.spread) * wealth)),
        high=_rounded((part + measured.spread) * wealth),
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
"""Answers that read the same, such as turns of a tile, are tried up to this number."""


class ExerciseChoice(NamedTuple):
    """An answer to choose, by its place among the options of the question."""

    option: int
    words: str
    group: str


class Exercise(NamedTuple):
    """A decision with what was played and the answer, which is not shown at first."""

    number: int
    """Of the answer that was given, the first being 1."""
    round: str
    seat: str
    proven: bool
    """Whether there is a proof that something else was better, or only an estimate."""
    asks: Literal["amount", "answer"]
    """Whether one is asked what a run can bring, or for an answer."""
    task: str
    played: str
    """What was done, to go on after a name: "bought a share of ABC"."""
    lost: int
    bounds: tuple[int, int] | None
    """Between which two of three such decisions cost; None for what is proven."""
    answer: str
    reasons: tuple[str, ...]
    best: int = 0
    """What the best run brings, where that is asked."""
    routes: tuple[tuple[str, ...], ...] = ()
    """Its ways, to be drawn."""


class Verdict(NamedTuple):
    """What the coach says of an attempt."""

    good: bool
    words: str


def exercises(game: Game, coaching: Coaching, most: int = MAX_EXERCISES) -> list[Exercise]:
    """The dearest decisions, whoever made them; of one that is both proven and estimated the proof counts."""
    by_number = {each.number: _estimated(game, each) for each in coaching.estimated if _can_be_chosen(game, each)}
    by_number |= {each.number: _proven(game, each) for each in coaching.proven}
    return sorted(by_number.values(), key=lambda each: (-each.lost, each.number))[:most]


def _can_be_chosen(game: Game, found: CostlyDecision) -> bool:
    """A price of one's own choice is no answer of a list."""
    question = game.position(found.number - 1).question
    return question is not None and any(option.action == found.instead and not option.span for option in question)


def _estimated(game: Game, found: CostlyDecision) -> Exercise:
    before = game.position(found.number - 1)
    return Exercise(
        number=found.number,
        round=found.round,
        seat=found.seat,
        proven=False,
        asks="answer",
        task=heading(before)[0],
        played=Speech(before).did(game.records[found.number - 1]),
        lost=found.lost,
        bounds=(found.low, found.high),
        answer=sentence_case(found.best + (f" (the plan: {found.plan})" if found.plan else "")),
        reasons=found.reasons,
    )


def _proven(game: Game, found: Finding) -> Exercise:
    before = game.position(found.number - 1)
    speech, run = Speech(before), found.better
    exercise = Exercise(
        number=found.number,
        round=found.round,
        seat=found.seat,
        proven=True,
        asks="answer",
        task=heading(before)[0],
        played=speech.did(game.records[found.number - 1]),
        lost=found.lost,
        bounds=None,
        answer="" if found.instead is None else sentence_case(speech.describe(found.instead)),
        reasons=(sentence_case(found.words),),
    )
    if run is None:
        return exercise
    return exercise._replace(
        asks="amount",
        task=f"What can {before.table.name(found.company or found.seat)} run for?",
        answer=exercise.answer or f"A run for {money_of(before)(run.revenue)}",
        best=run.revenue,
        routes=tuple(route.path for route in run.routes),
    )


def choices(game: Game, number: int) -> list[ExerciseChoice]:
    """What can be chosen; answers that read the same are one, and what others must agree to is left out."""
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
    """Somebody says what a company can run for."""
    if amount == exercise.best:
        return Verdict(True, f"Yes: {money} is the best run.")
    too_much = amount > exercise.best
    return Verdict(False, "That is more than any run brings." if too_much else "There is a better run.")


def check_answer(game: Game, number: int, proven: bool, option: int, standard: CoachStandard | None = None) -> Verdict:
    """Somebody chooses another answer, which is judged by a standard, else by that of the title. It takes as long as a
    hint."""
    before = game.position(number - 1)
    question, speech = before.question, Speech(before)
    if question is None or not 0 <= option < len(question):
        return Verdict(False, "There is no such answer.")
    words = speech.label(question.options[option])
    same = [place for place, each in enumerate(question.options) if speech.label(each) == words][:ALIKE]
    given = game.records[number - 1].action
    if proven:
        better = better_answers(game, number)
        good = any(question.options[place].action in better for place in same)
        return Verdict(good, "Yes, that was there." if good else "That does not do it.")
    if any(question.options[place].action == given for place in same):
        return Verdict(False, "That is what was played.")
    return _weighed(before, same, standard or coach_standard_of(game.setup.title))


def _weighed(before: Game, same: Sequence[int], standard: CoachStandard | None) -> Verdict:
    """The best of answers that read the same, by the estimate that was shown to be good."""
    question = before.question
    assert question is not None
    looking = DecisionEvaluator(before, question)
    measured = None if standard is None else standard.shown(looking)
    if standard is None or measured is None:
        return Verdict(False, "Nobody can tell.")
    costs: list[tuple[float, float]] = []
    for place in same:
        estimate = looking.estimate(question.options[place].action, standard.categories[question.kind])
        cost = None if estimate is None else estimate.cost(measured)
        if estimate is not None and cost is not None:
            costs.append((cost, estimate.best.wealth))
    if not costs:
        return Verdict(False, "That depends on others, so nobody can tell.")
    cost, wealth = min(costs)
    if cost < standard.least:
        return Verdict(True, "Yes: as good as the best idea that was found.")
    less = money_of(before)(_rounded(cost * wealth))
    return Verdict(False, f"Not yet: about {less} less than the best idea that was found.")
