"""Seatings of tournaments by local search, points and standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Final, NamedTuple

from ostbahn.kernel.errors import BadSetup

FEWEST_STARTS: Final = 3  # of the local search, for a round
SWAP_BUDGET: Final = 5000  # swaps tried from all starts together, roughly

Seating = tuple[int, ...]
"""Entrants in the order of their seats, numbered from 0."""


class Round(NamedTuple):
    tables: tuple[Seating, ...]
    out: Seating
    """Those who sit out, as no allowed table sizes fit otherwise."""


class _History(NamedTuple):
    met: list[list[int]]
    """How often two entrants have met."""
    seated: Counter[tuple[int, int]]
    """How often an entrant has had a seat."""
    out: Counter[int]


def table_sizes(number: int, size: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Sizes of the tables: `size`, or one less at some, so that as few as possible sit out."""
    for playing in range(number, 1, -1):
        tables = -(-playing // size)
        least, more = divmod(playing, tables)
        candidate = (least + 1,) * more + (least,) * (tables - more)
        if size - 1 <= least and set(candidate) <= set(allowed):
            return candidate
    raise BadSetup(f"{number} people cannot be seated at tables of {size}")


def draw_rounds(number: int, size: int, rounds: int, allowed: Collection[int], seed: int) -> tuple[Round, ...]:
    rng = Random(seed)
    plan = table_sizes(number, size, allowed)
    history = _History([[0] * number for _ in range(number)], Counter(), Counter())
    return tuple(_draw_round(number, plan, history, rng) for _ in range(rounds))


def _draw_round(number: int, plan: Sequence[int], history: _History, rng: Random) -> Round:
    out = _choose_idle(number, number - sum(plan), history, rng)
    playing = [each for each in range(number) if each not in out]
    seated = tuple(_seat_order(table, history, rng) for table in _best_drawing(playing, plan, history, rng))
    for table in seated:
        for one, other in permutations(table, 2):
            history.met[one][other] += 1
        history.seated.update((each, seat) for seat, each in enumerate(table))
    history.out.update(out)
    return Round(seated, out)


def _choose_idle(number: int, many: int, history: _History, rng: Random) -> Seating:
    people = list(range(number))
    rng.shuffle(people)
    return tuple(sorted(sorted(people, key=lambda each: history.out[each])[:many]))


def _best_drawing(playing: Sequence[int], plan: Sequence[int], history: _History, rng: Random) -> list[list[int]]:
    """The best of several local optima; one without repeated meetings ends the search."""
    best = _local_optimum(playing, plan, history, rng)
    for _ in range(max(FEWEST_STARTS, SWAP_BUDGET // len(playing) ** 2)):
        if not _repeated_meetings(best, history):
            break
        best = min(
            best, _local_optimum(playing, plan, history, rng), key=lambda tables: _repeated_meetings(tables, history)
        )
    return best


def _local_optimum(playing: Sequence[int], plan: Sequence[int], history: _History, rng: Random) -> list[list[int]]:
    """Random tables, improved until no swap helps."""
    people = list(playing)
    rng.shuffle(people)
    tables = [[people.pop() for _ in range(size)] for size in plan]
    while _improve_by_swaps(tables, history):
        pass
    return tables


def _improve_by_swaps(tables: list[list[int]], history: _History) -> bool:
    """Swap players of two tables where that saves repeated meetings; return whether any swap did."""
    helped = False
    for one, other in combinations(tables, 2):
        for here in range(len(one)):
            for there in range(len(other)):
                before = _meetings_of(one, here, history) + _meetings_of(other, there, history)
                one[here], other[there] = other[there], one[here]
                if _meetings_of(one, here, history) + _meetings_of(other, there, history) < before:
                    helped = True
                else:
                    one[here], other[there] = other[there], one[here]
    return helped


def _meetings_of(table: Sequence[int], index: int, history: _History) -> int:
    """How often a player has met the others at a table."""
    met = history.met[table[index]]
    return sum([met[other] for other in table])  # the diagonal is 0


def _repeated_meetings(tables: Sequence[Sequence[int]], history: _History) -> int:
    return sum(history.met[one][other] for table in tables for one, other in combinations(table, 2))


def _seat_order(table: Sequence[int], history: _History, rng: Random) -> Seating:
    """The order of seats that repeats the fewest earlier seats."""
    people = list(table)
    rng.shuffle(people)
    return min(
        permutations(people), key=lambda order: sum(history.seated[each, seat] for seat, each in enumerate(order))
    )


class TablePlaces(NamedTuple):
    """The result of a table."""

    places: Mapping[int, int]
    share: Mapping[int, Fraction]
    """Each entrant's share of the total worth, as a tie-break."""


class Standing(NamedTuple):
    entrant: int
    rank: int
    """From 1; equals share one."""
    points: Fraction
    first: int
    """Tables won."""
    share: Fraction
    """The sum of the shares of worth."""
    played: int


def table_points(places: Mapping[int, int], size: int) -> dict[int, Fraction]:
    worth = Fraction(size - 1, max(1, len(places) - 1))
    return {
        entrant: worth * sum(_points_against(place, other) for each, other in places.items() if each != entrant)
        for entrant, place in places.items()
    }


def _points_against(place: int, other: int) -> Fraction:
    return Fraction(1) if place < other else Fraction(1, 2) if place == other else Fraction(0)


def points_for_sitting_out(size: int) -> Fraction:
    return Fraction(size - 1, 2)


def standings(entrants: Iterable[int], tables: Iterable[TablePlaces], out: Iterable[int], size: int) -> list[Standing]:
    """Ranked by points, then first places, then shares of worth."""
    points = dict.fromkeys(entrants, Fraction(0))
    first, share, played = (dict.fromkeys(points, 0), dict.fromkeys(points, Fraction(0)), dict.fromkeys(points, 0))
    for table in tables:
        for entrant, got in table_points(table.places, size).items():
            points[entrant] += got
            first[entrant] += table.places[entrant] == min(table.places.values())
            share[entrant] += table.share[entrant]
            played[entrant] += 1
    for entrant in out:
        points[entrant] += points_for_sitting_out(size)
    worth = {entrant: (points[entrant], first[entrant], share[entrant]) for entrant in points}
    order = sorted(points, key=lambda entrant: worth[entrant], reverse=True)
    ranks = {value: rank for rank, value in reversed(list(enumerate((worth[each] for each in order), start=1)))}
    return [Standing(each, ranks[worth[each]], *worth[each], played[each]) for each in order]
