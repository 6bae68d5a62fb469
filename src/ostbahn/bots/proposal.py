"""What a bot thinks of doing, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ostbahn.kernel.actions import Action, Pass


class Proposal(NamedTuple):
    """An answer that somebody thinks of."""

    action: Action
    score: float
    """Money of projected final wealth; only differences between proposals of one question matter."""
    reasons: tuple[str, ...] = ()
    """Two or three short figures that speak for it, for whoever asks for a hint. Figures that speak against it are
    left out: another bot may choose it for reasons of its own."""


def or_pass(found: Iterable[Proposal], reason: str, score: float = 0.0) -> list[Proposal]:
    """Passing, and what else there is. The reason is said only if nothing else is better."""
    others = list(found)
    best = all(each.score <= score for each in others)
    return [Proposal(Pass(), score, (reason,) if best else ()), *others]


def with_reason(found: Iterable[Proposal], reason: str) -> list[Proposal]:
    """The best first, with a reason that only the best one has."""
    ranked = best_first(found)
    return [each._replace(reasons=(*each.reasons, reason)) for each in ranked[:1]] + ranked[1:]


def best_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The best first; equals stay in the order in which they were thought of, so that no lot has to be drawn."""
    return sorted(proposals, key=lambda proposal: -proposal.score)
