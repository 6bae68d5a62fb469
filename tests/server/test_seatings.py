"""Who sits where in a tournament, and what it brings."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.tournaments.seatings import Round, TablePlaces, draw_rounds, standings, table_points, table_sizes


def meetings(rounds: tuple[Round, ...]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for round_ in rounds for table in round_.tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("number", "size", "rounds"), [(9, 3, 4), (48, 3, 10), (12, 2, 11), (25, 5, 3)])
def test_everybody_plays_in_every_round_and_hardly_anybody_meets_twice(number: int, size: int, rounds: int) -> None:
    drawn = draw_rounds(number, size, rounds, (size,), seed=7)
    for round_ in drawn:
        assert sorted(each for table in round_.tables for each in table) == list(range(number))
        assert round_.out == ()
    met = meetings(drawn)
    possible = (number * (number - 1)) // 2
    assert len(met) >= 0.9 * min(possible, met.total())


def test_where_all_can_meet_once_they_do() -> None:
    assert set(meetings(draw_rounds(9, 3, 4, (3,), seed=1)).values()) == {1}
    assert len(meetings(draw_rounds(9, 3, 4, (3,), seed=1))) == 36


def test_meetings_are_spread_evenly_where_people_must_meet_again() -> None:
    met = meetings(draw_rounds(8, 4, 7, (4,), seed=2))
    assert max(met.values()) - min(met.values()) <= 1


def test_seats_are_turned() -> None:
    drawn = draw_rounds(12, 4, 8, (4,), seed=3)
    seats = Counter((each, seat) for round_ in drawn for table in round_.tables for seat, each in enumerate(table))
    assert {seats[each, seat] for each in range(12) for seat in range(4)} <= {1, 2, 3}


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    assert (
        draw_rounds(10, 4, 3, (3, 4), seed=1)
        == draw_rounds(10, 4, 3, (3, 4), seed=1)
        != draw_rounds(10, 4, 3, (3, 4), seed=2)
    )


@pytest.mark.parametrize(
    ("number", "size", "allowed", "wanted"),
    [
        (9, 3, (3, 4), (3, 3, 3)),
        (10, 4, (3, 4), (4, 3, 3)),
        (10, 3, (2, 3), (3, 3, 2, 2)),
        (10, 3, (3,), (3, 3, 3)),
        (7, 2, (2,), (2, 2, 2)),
        (5, 4, (3, 4, 5), (4,)),
    ],
)
def test_tables_are_full_or_lack_one(number: int, size: int, allowed: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    assert table_sizes(number, size, allowed) == wanted


def test_who_sits_out_does_so_in_turn() -> None:
    drawn = draw_rounds(7, 2, 7, (2,), seed=1)
    assert Counter(each for round_ in drawn for each in round_.out) == dict.fromkeys(range(7), 1)


def test_too_few_cannot_be_seated() -> None:
    with pytest.raises(BadSetup, match="2 people cannot be seated"):
        table_sizes(2, 4, (3, 4))


# Points


def test_points_are_opponents_left_behind_and_ties_are_split() -> None:
    assert table_points({1: 1, 2: 2, 3: 3, 4: 4}, 4) == {1: 3, 2: 2, 3: 1, 4: 0}
    assert table_points({1: 1, 2: 1, 3: 3}, 3) == {1: Fraction(3, 2), 2: Fraction(3, 2), 3: 0}
    assert table_points({1: 1, 2: 2, 3: 3}, 4) == {1: 3, 2: Fraction(3, 2), 3: 0}, "a smaller table"
    for places in ({1: 1, 2: 1, 3: 1}, {1: 1, 2: 2, 3: 2}, {1: 1, 2: 2, 3: 3}):
        assert sum(table_points(places, 3).values()) == 3, "what a table has to give is always the same"


def test_equals_are_told_apart_by_firsts_and_then_by_their_share() -> None:
    half, more, less = Fraction(1, 2), Fraction(2, 3), Fraction(1, 3)
    tables = [
        TablePlaces({1: 1, 2: 2}, {1: more, 2: less}),
        TablePlaces({3: 1, 4: 1}, {3: half, 4: half}),
        TablePlaces({5: 1, 6: 2}, {5: half, 6: half}),
    ]
    found = standings([1, 2, 3, 4, 5, 6, 7], tables, [7], 2)
    assert [(score.entrant, score.rank) for score in found] == [
        (1, 1), (5, 2), (3, 3), (4, 3), (7, 5), (6, 6), (2, 7),
    ]  # fmt: skip
    assert {score.entrant: score.points for score in found} == {1: 1, 2: 0, 3: half, 4: half, 5: 1, 6: 0, 7: half}
