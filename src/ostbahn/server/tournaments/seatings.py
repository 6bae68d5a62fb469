"""Tournaments: seatings by local search, points, and standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Final, NamedTuple

from ostbahn.kernel.errors import BadSetup

FEWEST_RESTARTS: Final = 3  # of the local search, for each round
SWAP_BUDGET: Final = 5000
"""Swaps to try in a round, roughly: a pass over n players tries about n²/2, so small rounds restart more often."""

Seating = tuple[int, ...]
"""Entrants in the order of their seats, numbered from 0."""


class Round(NamedTuple):
    tables: tuple[Seating, ...]
    out: Seating
    """Entrants who sit out because no allowed table sizes fit all."""


class _History(NamedTuple):
    met: list[list[int]]
    """How often two entrants have met; the diagonal is 0."""
    seated: Counter[tuple[int, int]]
    """How often an entrant has had a seat, by (entrant, seat)."""
    out: Counter[int]
    """How often an entrant has sat out."""


def table_sizes(number: int, size: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Divide people among tables of `size` or one less, so that as few as possible sit out."""
    for playing in range(number, 1, -1):
        tables = -(-playing // size)
        smallest, larger_tables = divmod(playing, tables)
        sizes = (smallest + 1,) * larger_tables + (smallest,) * (tables - larger_tables)
        if size - 1 <= smallest and set(sizes) <= set(allowed):
            return sizes
    raise BadSetup(f"{number} people cannot be seated at tables of {size}")


def draw_rounds(number: int, size: int, rounds: int, allowed: Collection[int], seed: int) -> tuple[Round, ...]:
    """Draw all rounds so that the same entrants meet, sit out, and have the same seat as rarely as possible."""
    rng = Random(seed)
    sizes = table_sizes(number, size, allowed)
    history = _History([[0] * number for _ in range(number)], Counter(), Counter())
    return tuple(_draw_round(number, sizes, history, rng) for _ in range(rounds))


def _draw_round(number: int, sizes: Sequence[int], history: _History, rng: Random) -> Round:
    """Draw a round, and add it to the history."""
    out = _choose_who_sits_out(number, number - sum(sizes), history, rng)
    playing = [entrant for entrant in range(number) if entrant not in out]
    tables = tuple(_order_seats(table, history, rng) for table in _assign_tables(playing, sizes, history, rng))
    for table in tables:
        for one, other in permutations(table, 2):
            history.met[one][other] += 1
        history.seated.update((entrant, seat) for seat, entrant in enumerate(table))
    history.out.update(out)
    return Round(tables, out)


def _choose_who_sits_out(number: int, count: int, history: _History, rng: Random) -> Seating:
    """Choose the `count` entrants who have sat out least often; ties are broken at random."""
    entrants = list(range(number))
    rng.shuffle(entrants)
    return tuple(sorted(sorted(entrants, key=lambda entrant: history.out[entrant])[:count]))


def _assign_tables(playing: Sequence[int], sizes: Sequence[int], history: _History, rng: Random) -> list[list[int]]:
    """Assign entrants to tables: the best of several local optima, or the first without a repeated meeting."""
    best = _local_optimum(playing, sizes, history, rng)
    for _ in range(max(FEWEST_RESTARTS, SWAP_BUDGET // len(playing) ** 2)):
        if not _repeated_meetings(best, history):
            break
        candidate = _local_optimum(playing, sizes, history, rng)
        best = min(best, candidate, key=lambda tables: _repeated_meetings(tables, history))
    return best


def _local_optimum(playing: Sequence[int], sizes: Sequence[int], history: _History, rng: Random) -> list[list[int]]:
    """Shuffle entrants into tables, then swap them until no swap helps."""
    entrants = list(playing)
    rng.shuffle(entrants)
    tables = [[entrants.pop() for _ in range(size)] for size in sizes]
    while _improve_by_swaps(tables, history):
        pass
    return tables


def _improve_by_swaps(tables: list[list[int]], history: _History) -> bool:
    """Swap entrants of two tables where that saves repeated meetings; return whether any swap did."""
    improved = False
    for one, other in combinations(tables, 2):
        for i in range(len(one)):
            for j in range(len(other)):
                before = _meetings_of(one, i, history) + _meetings_of(other, j, history)
                one[i], other[j] = other[j], one[i]
                if _meetings_of(one, i, history) + _meetings_of(other, j, history) < before:
                    improved = True
                else:
                    one[i], other[j] = other[j], one[i]
    return improved


def _meetings_of(table: Sequence[int], index: int, history: _History) -> int:
    """Count how often the entrant at an index of a table has met the others there."""
    met = history.met[table[index]]
    return sum([met[other] for other in table])


def _repeated_meetings(tables: Sequence[Sequence[int]], history: _History) -> int:
    return sum(history.met[one][other] for table in tables for one, other in combinations(table, 2))


def _order_seats(table: Sequence[int], history: _History, rng: Random) -> Seating:
    """Order the entrants of a table so that as few as possible have a seat that they had before."""
    entrants = list(table)
    rng.shuffle(entrants)

    def repeated_seats(order: Seating) -> int:
        return sum(history.seated[entrant, seat] for seat, entrant in enumerate(order))

    return min(permutations(entrants), key=repeated_seats)


class TablePlaces(NamedTuple):
    """The result of a table, by entrant."""

    places: Mapping[int, int]
    share: Mapping[int, Fraction]
    """Share of the total worth, as a tie-break."""


class Standing(NamedTuple):
    entrant: int
    rank: int
    """From 1; ties share a rank."""
    points: Fraction
    first: int
    """Tables won."""
    share: Fraction
    """The sum of the shares of worth."""
    played: int


def table_points(places: Mapping[int, int], size: int) -> dict[int, Fraction]:
    """Points by entrant: one for each opponent beaten, half for a tie; smaller tables are scaled up to `size`."""
    scale = Fraction(size - 1, max(1, len(places) - 1))
    return {
        entrant: scale * sum(_points_against(place, other) for rival, other in places.items() if rival != entrant)
        for entrant, place in places.items()
    }


def _points_against(place: int, other: int) -> Fraction:
    return Fraction(1) if place < other else Fraction(1, 2) if place == other else Fraction(0)


def points_for_sitting_out(size: int) -> Fraction:
    """Half of what a winner gets."""
    return Fraction(size - 1, 2)


def standings(entrants: Iterable[int], tables: Iterable[TablePlaces], out: Iterable[int], size: int) -> list[Standing]:
    """Rank entrants by points, then first places, then shares of worth; `out` lists them once per round sat out."""
    points = dict.fromkeys(entrants, Fraction(0))
    first, share, played = (dict.fromkeys(points, 0), dict.fromkeys(points, Fraction(0)), dict.fromkeys(points, 0))
    for table in tables:
        for entrant, scored in table_points(table.places, size).items():
            points[entrant] += scored
            first[entrant] += table.places[entrant] == min(table.places.values())
            share[entrant] += table.share[entrant]
            played[entrant] += 1
    for entrant in out:
        points[entrant] += points_for_sitting_out(size)
    scores = {entrant: (points[entrant], first[entrant], share[entrant]) for entrant in points}
    order = sorted(points, key=lambda entrant: scores[entrant], reverse=True)
    best_first = [scores[entrant] for entrant in order]
    return [
        Standing(entrant, best_first.index(scores[entrant]) + 1, *scores[entrant], played[entrant]) for entrant in order
    ]
