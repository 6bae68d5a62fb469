"""Points of a tournament, by the places at its tables.

At a table of the usual size each opponent who is left behind brings a point, and each with the same place half a point.
At a smaller table points are worth more, so that the best there come to the same. Who sits out a round gets half of
the most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple


class TablePlaces(NamedTuple):
    """How a table ended: the place of each entrant."""

    places: Mapping[int, int]
    share: Mapping[int, Fraction]
    """Each one's part of what all were worth, to tell equals apart."""


class Score(NamedTuple):
    entrant: int
    rank: int
    """1 for the best; equals share one."""
    points: Fraction
    first: int
    """Tables at which they were first."""
    share: Fraction
    """Of the worth at their tables, all together."""
    played: int


def table_points(places: Mapping[int, int], size: int) -> dict[int, Fraction]:
    """What everybody at a table gets."""
    worth = Fraction(size - 1, max(1, len(places) - 1))
    return {
        entrant: worth * sum(_against(place, other) for each, other in places.items() if each != entrant)
        for entrant, place in places.items()
    }


def _against(place: int, other: int) -> Fraction:
    return Fraction(1) if place < other else Fraction(1, 2) if place == other else Fraction(0)


def sitting_out(size: int) -> Fraction:
    return Fraction(size - 1, 2)


def scores(entrants: Iterable[int], tables: Iterable[TablePlaces], out: Iterable[int], size: int) -> list[Score]:
    """The standings: by points, then by first places, then by the share of what all at one's tables were worth."""
    points = dict.fromkeys(entrants, Fraction(0))
    first, share, played = (dict.fromkeys(points, 0), dict.fromkeys(points, Fraction(0)), dict.fromkeys(points, 0))
    for table in tables:
        for entrant, got in table_points(table.places, size).items():
            points[entrant] += got
            first[entrant] += table.places[entrant] == min(table.places.values())
            share[entrant] += table.share[entrant]
            played[entrant] += 1
    for entrant in out:
        points[entrant] += sitting_out(size)
    worth = {entrant: (points[entrant], first[entrant], share[entrant]) for entrant in points}
    order = sorted(points, key=lambda entrant: worth[entrant], reverse=True)
    ranks = {value: rank for rank, value in reversed(list(enumerate((worth[each] for each in order), start=1)))}
    return [Score(each, ranks[worth[each]], *worth[each], played[each]) for each in order]
