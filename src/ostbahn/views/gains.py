"""What each tile and station that is offered would add to the best run, as plain data."""

from __future__ import annotations

from ostbahn.analysis.gains import gains
from ostbahn.kernel.game import Game
from ostbahn.views.models import View


class GainView(View, frozen=True, kw_only=True):
    """What an answer does to the best run of its company."""

    gain: int
    """What it adds with the trains that the company has now; negative if it takes away."""
    best: int
    """The best run after it, as far as it was found."""
    proven: bool
    """Whether the gain is certain."""


def gain_views(game: Game) -> dict[int, GainView]:
    """By the index of the answer in its question. Answers that build nothing have none, nor has a company without a
    train."""
    return {
        index: GainView(gain=found.gain, best=found.best, proven=found.proven) for index, found in gains(game).items()
    }
