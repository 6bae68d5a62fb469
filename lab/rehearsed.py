"""What rehearsals show: of decisions that are said to have cost so much, what they cost when both are played out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import stdev
from typing import TYPE_CHECKING, Final, NamedTuple

from ostbahn.bots.arena import mean, mean_interval
from ostbahn.bots.learnt import learnt_model_of

if TYPE_CHECKING:
    from lab.rehearsals import Decision, Rehearsal

SIZES: Final = (0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 1.01)
"""Classes of losses."""


class Cost(NamedTuple):
    """A decision with what it really cost, on average over its rehearsals."""

    decision: Decision
    loss: float
    """As a part of what one has with the best idea, the others' being equal."""
    wealth: float
    """The same, whatever the others have."""
    error: float
    """The standard error of the loss, as its rehearsals differ."""
    times: int


def costs(decisions: Sequence[Decision], rehearsals: Sequence[Rehearsal]) -> list[Cost]:
    of: dict[int, list[Rehearsal]] = defaultdict(list)
    for each in rehearsals:
        of[each.decision].append(each)
    return [_cost(each, of[each.decision]) for each in decisions if of[each.decision]]


def _cost(decision: Decision, times: Sequence[Rehearsal]) -> Cost:
    seat = decision.seat
    parts = [mean([_part(end, seat) for end in ends]) for ends in _branches(times)]
    owns = [mean([float(end[seat]) for end in ends]) for ends in _branches(times)]
    each = [1 - _part(end.played, seat) / _part(end.best, seat) for end in times]
    error = stdev(each) / math.sqrt(len(each)) if len(each) > 1 else 0.0
    return Cost(decision, 1 - parts[0] / parts[1], 1 - owns[0] / max(1.0, owns[1]), error, len(times))


def _branches(times: Sequence[Rehearsal]) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    return [each.played for each in times], [each.best for each in times]


def _part(wealth: dict[str, int], seat: str) -> float:
    """Of what all have together; whoever has debts counts as having next to nothing."""
    total = sum(max(1, amount) for amount in wealth.values())
    return max(1, wealth[seat]) / total


class Guess(NamedTuple):
    """An estimate that is held against what came of a decision."""

    name: str
    of: Callable[[Decision], float | None]
    real: Callable[[Cost], float]


GUESSES: Final = (
    Guess("x", lambda each: each.x, lambda each: each.loss),
    Guess("wealth", lambda each: each.wealth, lambda each: each.wealth),
    Guess("value", lambda each: each.value, lambda each: each.loss),
    Guess("thumb", lambda each: each.thumb, lambda each: each.loss),
)


class Pair(NamedTuple):
    """What was estimated, and what came of it."""

    guess: float
    real: float
    weight: float
    """The surer the net, the nearer the end, and the less chance there is in what came of it."""


def slope(found: Sequence[Pair]) -> float:
    """Of realised on estimated losses, through the origin."""
    below = sum(each.weight * each.guess**2 for each in found)
    return sum(each.weight * each.guess * each.real for each in found) / below if below else 0.0


def slope_error(found: Sequence[Pair]) -> float:
    """The standard error of the slope, as what is left over has it."""
    below, steep = sum(each.weight * each.guess**2 for each in found), slope(found)
    over = sum((each.weight * each.guess * (each.real - steep * each.guess)) ** 2 for each in found)
    return math.sqrt(over) / below if below else 0.0


def told(decisions: Sequence[Decision], rehearsals: Sequence[Rehearsal]) -> Iterator[str]:
    """Line by line, by title, kind and whether rules of thumb decide there."""
    found = costs(decisions, rehearsals)
    yield f"{len(found)} decisions, {len(rehearsals)} rehearsals"
    groups: dict[tuple[str, str, bool], list[Cost]] = defaultdict(list)
    for each in found:
        groups[each.decision.title, each.decision.kind, each.decision.settled].append(each)
    for key in sorted(groups):
        title, kind, settled = key
        yield f"{title} {kind}{' (settled)' if settled else ''}"
        for guess in GUESSES:
            pairs = list(_pairs(groups[key], guess))
            if pairs:
                yield f"  by {guess.name}: {_figures(pairs)}"
        yield from _by_size(groups[key])


def _pairs(found: Sequence[Cost], guess: Guess) -> Iterator[Pair]:
    for each in found:
        known = guess.of(each.decision)
        if known is not None:
            yield Pair(known, guess.real(each), max(each.decision.doubt, 0.03) ** -2)


def _figures(pairs: Sequence[Pair]) -> str:
    guessed, real = mean([each.guess for each in pairs]), [each.real for each in pairs]
    even = [each._replace(weight=1.0) for each in pairs]
    halves = f"halves {slope(pairs[::2]):.2f} and {slope(pairs[1::2]):.2f}"
    return (
        f"{len(pairs)} decisions, estimated {guessed:.2%}, realised {_sure(real)}; "
        f"slope {slope(even):.2f} (error {slope_error(even):.2f}), "
        f"weighted {slope(pairs):.2f} (error {slope_error(pairs):.2f}, {halves})"
    )


def _sure(real: Sequence[float]) -> str:
    sure = mean_interval(real)
    return f"{mean(real):.2%} ({sure.low:.2%} to {sure.high:.2%})"


def _by_size(found: Sequence[Cost]) -> Iterator[str]:
    for low, high in pairwise(SIZES):
        inside = [each for each in found if low <= each.decision.x < high]
        if inside:
            guessed, real = mean([each.decision.x for each in inside]), [each.loss for each in inside]
            yield f"    x from {low:.0%}: {len(inside)}, estimated {guessed:.2%}, realised {_sure(real)}"


def in_short(found: Iterable[Cost]) -> Iterator[dict[str, object]]:
    """Each decision with what it was said to cost and did cost: enough to fit and check factors again."""
    for each in found:
        decision = each.decision
        yield {
            "title": decision.title,
            "players": decision.players,
            "kind": _name(decision),
            "part": decision.part,
            "doubt": round(decision.doubt, 3),
            "said": round(decision.x, 4),
            "cost": round(each.loss, 4),
            "error": round(each.error, 4),
            "times": each.times,
        }


# What the coach may tell


class Check(NamedTuple):
    """Whether estimates of a kind are good: fitted on some decisions, and held against others."""

    title: str
    name: str
    """As in `coach.toml`."""
    fitted: int
    factor: float
    error: float
    """The standard error of the factor."""
    marked: int
    """Decisions of the others that are said to have cost something."""
    said: float
    """What they are said to have cost on average."""
    real: float
    real_error: float
    spread: float
    """How far a single decision is off, beside what chance there is in its rehearsals."""

    @property
    def good(self) -> bool:
        """Of moves marked as losing x %, the mean loss lies within a quarter of x."""
        return self.marked > 0 and abs(self.real - self.said) <= self.said / 4


def checks(fit: Sequence[Cost], check: Sequence[Cost], doubt: float, least: float) -> Iterator[Check]:
    """For each kind of question, of decisions of which the net is as sure as that."""
    groups: dict[tuple[str, str], tuple[list[Cost], list[Cost]]] = defaultdict(lambda: ([], []))
    for place, both in enumerate((fit, check)):
        for each in both:
            if each.decision.doubt <= doubt:
                groups[each.decision.title, _name(each.decision)][place].append(each)
    for (title, name), (fitted, checked) in sorted(groups.items()):
        pairs = [Pair(each.decision.x, each.loss, 1.0) for each in fitted]
        factor = slope(pairs)
        marked = [each for each in checked if factor * each.decision.x >= least]
        if len(fitted) > 1 and factor > 0 and len(marked) > 1:
            yield _check(title, name, pairs, marked)


def _check(title: str, name: str, pairs: Sequence[Pair], marked: Sequence[Cost]) -> Check:
    factor, real = slope(pairs), [each.loss for each in marked]
    off = [(each.loss - factor * each.decision.x) ** 2 - each.error**2 for each in marked]
    return Check(
        title=title,
        name=name,
        fitted=len(pairs),
        factor=factor,
        error=slope_error(pairs),
        marked=len(marked),
        said=factor * mean([each.decision.x for each in marked]),
        real=mean(real),
        real_error=stdev(real) / math.sqrt(len(real)),
        spread=math.sqrt(max(0.0, mean(off))),
    )


def _name(decision: Decision) -> str:
    studied = learnt_model_of(decision.title, decision.variant).settings.studies
    return f"{decision.kind} settled" if decision.settled and decision.kind in studied else decision.kind


def told_checks(found: Iterable[Check]) -> Iterator[str]:
    for each in found:
        yield (
            f"{each.title} {each.name}: factor {each.factor:.2f} (error {each.error:.2f}, {each.fitted} decisions); "
            f"{each.marked} others said to cost {each.said:.2%} cost {each.real:.2%} (error {each.real_error:.2%}), "
            f"spread {each.spread:.2%}: {'good' if each.good else 'not good'}"
        )
