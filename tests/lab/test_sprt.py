from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from lab.sprt import Ruling, SequentialTest, fair_variance
from ostbahn.kernel.errors import BadSetup

TEST = SequentialTest(floor=fair_variance(3))
RUNS = 400
Draw = Callable[[Random], float]


def independent(players: int, gain: float) -> Draw:
    """Blocks of a challenger that wins each game a little more often than its fair share."""
    fair = 1 / players
    return lambda chance: sum(chance.random() < fair + gain for _ in range(players)) / players - fair


def seated(players: int, gain: float) -> Draw:
    """The first seat wins nearly always, so that a block seldom brings anything but the fair share."""
    others, fair = players - 1, 1 / players
    rare = 0.04 / others

    def draw(chance: Random) -> float:
        first = chance.random() < 1 - 0.04
        rest = sum(chance.random() < rare + gain * players / others for _ in range(others))
        return (first + rest) / players - fair

    return draw


def normal(gain: float) -> Draw:
    return lambda chance: chance.gauss(gain, math.sqrt(fair_variance(3)))


def rulings(test: SequentialTest, draw: Draw, seed: int) -> list[Ruling]:
    """Of many runs, each as long as it takes, but for a few that would be very long."""
    chance = Random(seed)
    return [_ruling(test, draw, chance) for _ in range(RUNS)]


def _ruling(test: SequentialTest, draw: Draw, chance: Random) -> Ruling:
    outcomes: list[float] = []
    while len(outcomes) < 600:
        outcomes.append(draw(chance))
        if (ruling := test.ruling(outcomes)) != Ruling.UNDECIDED:
            return ruling
    return Ruling.UNDECIDED


@pytest.mark.parametrize(
    ("players", "blocks"),
    [
        (2, lambda gain: independent(2, gain)),
        (3, lambda gain: independent(3, gain)),
        (4, lambda gain: independent(4, gain)),
        (6, lambda gain: independent(6, gain)),
        (3, lambda gain: seated(3, gain)),
        (3, normal),
    ],
    ids=["two", "three", "four", "six", "seats decide", "normal"],
)
def test_it_errs_as_seldom_as_it_says(players: int, blocks: Callable[[float], Draw]) -> None:
    """alpha and beta are 5 %; of 400 runs a few more or less is chance."""
    test = SequentialTest(floor=fair_variance(players))
    equal, better = rulings(test, blocks(test.m0), seed=1), rulings(test, blocks(test.m1), seed=2)
    assert equal.count(Ruling.ACCEPTED) / RUNS <= 0.08
    assert better.count(Ruling.REJECTED) / RUNS <= 0.08
    assert equal.count(Ruling.REJECTED) / RUNS >= 0.9, "and it does decide"
    assert better.count(Ruling.ACCEPTED) / RUNS >= 0.9


def test_without_floor_and_patience_early_luck_would_decide() -> None:
    """This is what they are for, and that the rates above are measured at all."""
    hasty = SequentialTest(floor=1e-6, least=2)
    better = rulings(hasty, independent(3, hasty.m1), seed=2)
    assert better.count(Ruling.REJECTED) / RUNS > 0.2


def test_the_ratio_by_hand() -> None:
    outcomes = [2 / 3, -1 / 3, 0.0, 1 / 3]  # the mean is 1/6, and the variance (9 + 9 + 1 + 1) / 36 / 3
    assert TEST.ratio(outcomes) == pytest.approx(4 * 0.08 * (2 / 6 - 0.08) / (2 * 5 / 27))
    assert TEST.ratio([1 / 3] * 4) == pytest.approx(4 * 0.08 * (2 / 3 - 0.08) / (2 * 2 / 27)), "the floor"
    assert TEST.ratio([2 / 3]) == TEST.ratio([]) == 0


def test_in_the_middle_nothing_is_known() -> None:
    assert TEST.ratio([0.04] * 100) == pytest.approx(0)
    assert TEST.ruling([0.04] * 100) == Ruling.UNDECIDED


def test_nothing_is_decided_by_a_few_blocks() -> None:
    assert TEST.ruling([2 / 3] * 7) == Ruling.UNDECIDED
    assert TEST.ruling([2 / 3] * 8) == Ruling.ACCEPTED
    assert TEST.ruling([-1 / 3] * 7) == Ruling.UNDECIDED
    assert TEST.ruling([-1 / 3] * 8) == Ruling.REJECTED


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"m0": 0.1}, r"m0 \(0.1\) has to be less than m1 \(0.08\)"),
        ({"m1": float("nan")}, "has to be less"),
        ({"alpha": 0.0}, r"alpha \(0\) and beta \(0.05\) have to lie between 0 and 0.5"),
        ({"beta": 0.5}, "have to lie between"),
        ({"least": 1}, "at least 2 blocks, not 1"),
        ({"floor": 0.0}, "needs a floor"),
    ],
)
def test_tests_that_cannot_decide_are_refused(changed: dict[str, float], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        msgspec.structs.replace(TEST, **changed).checked()
    assert TEST.checked() is TEST
