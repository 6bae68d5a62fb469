"""Who sits where in a tournament: everybody meets as many others as possible, and seats are turned.

That is the problem of the social golfers, for which no quick exact way is known. So a round is drawn by lot and then
bettered: as long as it helps, two people at different tables change places. What is bettered is the sum of squares of
how often each two have met, which is smallest where meetings are spread as evenly as can be. A few draws are tried, and
the best is taken. Seats at a table are then given so that everybody has had each of them as evenly as possible. All
lots come from a seed, so the same tournament is drawn alike everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Final, NamedTuple

from ostbahn.kernel.errors import BadSetup

FEWEST_DRAWS: Final = 3
"""Of a round, of which the best is taken; of small ones there are more, as each takes less time."""
DRAWS: Final = 5000
"""Changes of places that may be tried in all of them together, roughly."""

Table = tuple[int, ...]
"""Entrants in the order of their seats, numbered from 0."""


class Round(NamedTuple):
    tables: tuple[Table, ...]
    out: Table
    """Who sits out, where tables would be too small or too large otherwise."""


class _Past(NamedTuple):
    """What happened in the rounds before."""

    met: list[list[int]]
    """How often each has met each."""
    seated: Counter[tuple[int, int]]
    """How often somebody had a seat."""
    out: Counter[int]


def sizes(number: int, size: int, allowed: Collection[int]) -> tuple[int, ...]:
    """How many sit at each table: as many as are wanted, or one fewer at some, so that nearly everybody plays."""
    for playing in range(number, 1, -1):
        tables = -(-playing // size)
        least, more = divmod(playing, tables)
        found = (least + 1,) * more + (least,) * (tables - more)
        if size - 1 <= least and set(found) <= set(allowed):
            return found
    raise BadSetup(f"{number} people cannot be seated at tables of {size}")


def draw(number: int, size: int, rounds: int, allowed: Collection[int], seed: int) -> tuple[Round, ...]:
    """All rounds of a tournament."""
    rng = Random(seed)
    plan = sizes(number, size, allowed)
    past = _Past([[0] * number for _ in range(number)], Counter(), Counter())
    return tuple(_draw_round(number, plan, past, rng) for _ in range(rounds))


def _draw_round(number: int, plan: Sequence[int], past: _Past, rng: Random) -> Round:
    out = _sitting_out(number, number - sum(plan), past, rng)
    playing = [each for each in range(number) if each not in out]
    seated = tuple(_seated(table, past, rng) for table in _best(playing, plan, past, rng))
    for table in seated:
        for one, other in permutations(table, 2):
            past.met[one][other] += 1
        past.seated.update((each, seat) for seat, each in enumerate(table))
    past.out.update(out)
    return Round(seated, out)


def _sitting_out(number: int, many: int, past: _Past, rng: Random) -> Table:
    """Those who have sat out least."""
    people = list(range(number))
    rng.shuffle(people)
    return tuple(sorted(sorted(people, key=lambda each: past.out[each])[:many]))


def _best(playing: Sequence[int], plan: Sequence[int], past: _Past, rng: Random) -> list[list[int]]:
    """Of a few draws; one at which nobody meets anybody again cannot be bettered."""
    best = _drawn(playing, plan, past, rng)
    for _ in range(max(FEWEST_DRAWS, DRAWS // len(playing) ** 2)):
        if not _cost(best, past):
            break
        best = min(best, _drawn(playing, plan, past, rng), key=lambda tables: _cost(tables, past))
    return best


def _drawn(playing: Sequence[int], plan: Sequence[int], past: _Past, rng: Random) -> list[list[int]]:
    """Tables by lot, bettered until no change of places helps."""
    people = list(playing)
    rng.shuffle(people)
    tables = [[people.pop() for _ in range(size)] for size in plan]
    while _better(tables, past):
        pass
    return tables


def _better(tables: list[list[int]], past: _Past) -> bool:
    """Let people change places where that helps; whether it did anywhere."""
    helped = False
    for one, other in combinations(tables, 2):
        for here in range(len(one)):
            for there in range(len(other)):
                before = _met(one, here, past) + _met(other, there, past)
                one[here], other[there] = other[there], one[here]
                if _met(one, here, past) + _met(other, there, past) < before:
                    helped = True
                else:
                    one[here], other[there] = other[there], one[here]
    return helped


def _met(table: Sequence[int], index: int, past: _Past) -> int:
    """What it costs that somebody meets the others at a table: the difference of two squares, less what is always."""
    met = past.met[table[index]]
    return sum([met[other] for other in table])  # nobody has met themselves


def _cost(tables: Sequence[Sequence[int]], past: _Past) -> int:
    return sum(past.met[one][other] for table in tables for one, other in combinations(table, 2))


def _seated(table: Sequence[int], past: _Past, rng: Random) -> Table:
    """In the order in which seats are turned best."""
    people = list(table)
    rng.shuffle(people)
    return min(permutations(people), key=lambda order: sum(past.seated[each, seat] for seat, each in enumerate(order)))
