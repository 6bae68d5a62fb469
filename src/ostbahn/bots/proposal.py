"""What a bot thinks of doing, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ostbahn.kernel.actions import Action


class Proposal(NamedTuple):
    """An answer that somebody thinks of."""

    action: Action
    score: float
    """Money of projected final wealth; only differences between proposals of one question matter."""
    reasons: tuple[str, ...] = ()
    """Two or three short figures that speak for it, for whoever asks for a hint."""


def best_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The best first; equals stay in the order in which they were thought of, so that no lot has to be drawn."""
    return sorted(proposals, key=lambda proposal: -proposal.score)
