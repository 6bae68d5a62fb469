"""The hex grid, held against plain geometry."""

from __future__ import annotations

import math

import pytest

from ostbahn.kernel.map.hexes import DIRECTIONS, distance, neighbour, opposite, rotate_mask, sides_of

SIDES = range(6)


def centre(hex_id: str) -> tuple[float, float]:
    """The middle of a hex on paper, if hexes are one wide: half a column to the right, a row down the page."""
    row, column = ord(hex_id[0]), int(hex_id[1:])
    return column / 2, row * math.sqrt(3) / 2


def bearing(start: str, end: str) -> float:
    """The direction from one hex to another in degrees, clockwise from north."""
    (x, y), (x_end, y_end) = centre(start), centre(end)
    return math.degrees(math.atan2(x_end - x, y - y_end)) % 360


@pytest.mark.parametrize(
    ("side", "there"), [("SW", "E3"), ("W", "D2"), ("NW", "C3"), ("NE", "C5"), ("E", "D6"), ("SE", "E5")]
)
def test_the_neighbours_of_karlovy_vary_are_those_of_the_map(side: str, there: str) -> None:
    assert neighbour("D4", DIRECTIONS.index(side)) == there


@pytest.mark.parametrize(
    ("side", "degrees"), [("NE", 30), ("E", 90), ("SE", 150), ("SW", 210), ("W", 270), ("NW", 330)]
)
def test_every_side_faces_its_compass_direction(side: str, degrees: float) -> None:
    for hex_id in ("B8", "E11", "I23"):
        there = neighbour(hex_id, DIRECTIONS.index(side))
        assert bearing(hex_id, there) == pytest.approx(degrees)
        assert math.dist(centre(hex_id), centre(there)) == pytest.approx(1)


def test_sides_follow_one_another_clockwise() -> None:
    turns = [bearing("F10", neighbour("F10", side)) for side in SIDES]
    assert [round(after - before) % 360 for before, after in zip(turns, turns[1:] + turns[:1], strict=True)] == [60] * 6


@pytest.mark.parametrize("side", SIDES)
def test_going_out_and_back_leads_home(side: int) -> None:
    assert neighbour(neighbour("G19", side), opposite(side)) == "G19"
    assert opposite(opposite(side)) == side != opposite(side)


@pytest.mark.parametrize("rotation", SIDES)
def test_turning_a_set_of_sides_turns_each_of_them(rotation: int) -> None:
    for mask in range(64):
        members = {side for side in SIDES if mask & 1 << side}
        assert set(sides_of(rotate_mask(mask, rotation))) == {(side + rotation) % 6 for side in members}


def test_sides_of_a_set_come_in_order_and_once() -> None:
    for mask in range(64):
        sides = sides_of(mask)
        assert list(sides) == sorted(set(sides))
        assert sum(2**side for side in sides) == mask


def test_the_distance_is_the_fewest_steps_from_neighbour_to_neighbour() -> None:
    steps = {"E11": 0}
    for number in range(1, 5):
        for hex_id in [each for each, found in steps.items() if found == number - 1]:
            for side in SIDES:
                steps.setdefault(neighbour(hex_id, side), number)
    assert len(steps) == 61
    assert {hex_id: distance("E11", hex_id) for hex_id in steps} == steps
    assert all(distance(hex_id, "E11") == found for hex_id, found in steps.items())
