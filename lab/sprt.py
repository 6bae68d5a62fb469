"""A sequential test of a mean: it goes on until enough is known, and no longer.

It is the generalised sequential probability ratio test (GSPRT) by which chess engines are tested. What is measured
comes in blocks whose mean and variance are unknown. After each block the likelihoods of two means are compared: `m1`,
at which there is something to be gained, and `m0`, at which there is not. For many blocks the logarithm of their
ratio is

    n · (m1 − m0) · (2 · mean − m0 − m1) / (2 · variance)

with the mean and the variance of the blocks so far. Above `ln((1 − beta) / alpha)` it is `m1`, below `ln(beta / (1 −
alpha))` it is `m0`; then `m0` is taken for `m1` in about `alpha` of all cases, and `m1` for `m0` in about `beta`.
That holds for many blocks only. So there are at least some before anything is decided, and the variance is never
taken for smaller than `floor`: the first blocks are often alike by luck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean
from typing import Final

from msgspec import Struct

from ostbahn.kernel.errors import BadSetup

LEAST: Final = 8


class Ruling(StrEnum):
    ACCEPTED = "accepted"
    """It is as good as `m1` says."""
    REJECTED = "rejected"
    """It is no better than `m0` says."""
    UNDECIDED = "undecided"


class SequentialTest(Struct, frozen=True, kw_only=True):
    """Is a mean at least `m1`, or at most `m0`?"""

    m0: float = 0.0
    m1: float = 0.08
    alpha: float = 0.05
    """How often what is only as good as `m0` may be accepted."""
    beta: float = 0.05
    """How often what is as good as `m1` may be rejected."""
    least: int = LEAST
    """Blocks before anything is decided."""
    floor: float
    """The least variance that is believed."""

    def checked(self) -> SequentialTest:
        """A test that can decide."""
        if not self.m0 < self.m1:
            raise BadSetup(f"m0 ({self.m0:g}) has to be less than m1 ({self.m1:g})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadSetup(f"alpha ({self.alpha:g}) and beta ({self.beta:g}) have to lie between 0 and 0.5")
        if self.least < 2:
            raise BadSetup(f"a variance needs at least 2 blocks, not {self.least}")
        if not self.floor > 0:
            raise BadSetup(f"a variance that is never zero needs a floor above it, not {self.floor:g}")
        return self

    def ratio(self, outcomes: Sequence[float]) -> float:
        """The logarithm of the ratio of likelihoods; 0 as long as there is no variance."""
        count = len(outcomes)
        if count < 2:
            return 0.0
        mean = fmean(outcomes)
        variance = max(sum((outcome - mean) ** 2 for outcome in outcomes) / (count - 1), self.floor)
        return count * (self.m1 - self.m0) * (2 * mean - self.m0 - self.m1) / (2 * variance)

    def ruling(self, outcomes: Sequence[float]) -> Ruling:
        """What is known after these blocks, all of which came before anything was."""
        ratio = self.ratio(outcomes)
        if len(outcomes) < self.least:
            return Ruling.UNDECIDED
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return Ruling.ACCEPTED
        if ratio <= math.log(self.beta / (1 - self.alpha)):
            return Ruling.REJECTED
        return Ruling.UNDECIDED


def fair_variance(players: int) -> float:
    """Of how often somebody wins on average in a block of as many games as players, where all are equal.

    As if the games of a block did not hang together. Where the seat decides more than the player the variance is
    smaller: then the test takes longer than it had to, and errs less.
    """
    fair = 1 / players
    return fair * (1 - fair) / players
