"""Traces: the state after every action of a file, and what was legal before it, as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ostbahn.interop.imported import Imported
from ostbahn.interop.lines import Line
from ostbahn.interop.sites import site_of
from ostbahn.kernel.game import Game


def trace_lines(imported: Imported) -> Iterator[Line]:
    """One line per action that took effect, and one before the first."""
    for mark in imported.marks:
        yield {"id": mark.id, **state_line(imported.game.at(mark.actions))}


def state_line(game: Game) -> Line:
    return site_of(game).state_line(game)


def legal_lines(imported: Imported) -> Iterator[Line]:
    """Before each action in a company's turn: what it could lay, and where it could put a station."""
    for mark, following in pairwise(imported.marks):
        line = legal_line(imported.game.at(mark.actions), mark.lingering)
        if line is not None:
            yield {"before": following.id, **line}


def legal_line(game: Game, lingering: bool = False) -> Line | None:
    return site_of(game).legal_line(game, lingering)
