"""Traces: the state after every action of a file, and what was legal before it, as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ostbahn.interop.imported import Imported
from ostbahn.interop.lines import TraceLine
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_of


def trace_lines(imported: Imported) -> Iterator[TraceLine]:
    """One line per action that took effect, and one before the first."""
    for mark in imported.marks:
        yield {"id": mark.id, **state_line(imported.game.at(mark.actions))}


def state_line(game: Game) -> TraceLine:
    return kit_of(game).site.state_line(game)


def legal_lines(imported: Imported) -> Iterator[TraceLine]:
    """Before each action in a company's turn: what it could lay, and where it could put a station."""
    for mark, following in pairwise(imported.marks):
        line = legal_line(imported.game.at(mark.actions), mark.lingering)
        if line is not None:
            yield {"before": following.id, **line}


def legal_line(game: Game, lingering: bool = False) -> TraceLine | None:
    return kit_of(game).site.legal_line(game, lingering)
