"""Track as it is drawn: it meets the middles of sides at right angles, joins what the face joins, and nothing else."""

from __future__ import annotations

import math

import pytest

from ostbahn.kernel.map.hexes import DIRECTIONS, neighbour, sides_of
from ostbahn.pictures import geometry
from ostbahn.pictures.geometry import Curve
from tests.pictures.svg_reader import apart, heading, nearest, path_lines, transform, turn_between
from tests.pictures.tile_reading import (
    ANGLES,
    APOTHEM,
    MIDDLES,
    RIM,
    ROUNDED,
    TILES,
    TRACK,
    Drawn,
    crossings,
    drawn,
    inside,
    turned,
)

pytestmark = pytest.mark.slow

of_each_tile = pytest.mark.parametrize(("title", "name"), TILES)
SQUARE = 3.0
"""Degrees that rounding to one decimal may take from a right angle."""


# The reader itself


def test_paths_are_read() -> None:
    quarter, line = path_lines("M10 0A10 10 0 0 1 0 10M1 2L3-4.5")
    assert all(math.isclose(math.hypot(x, y), 10) for x, y in quarter)
    assert quarter[len(quarter) // 2] == pytest.approx((7.07, 7.07), abs=0.4)
    assert (line[0], line[-1]) == ((1, 2), (3, -4.5))
    ((*_, middle, _), *_) = [path_lines("M0 0Q5 10 10 0")[0][:52]]
    assert middle == pytest.approx((5, 5), abs=0.1)
    ((*_, long_way),) = path_lines("M10 0A10 10 0 1 0 0 10")
    assert long_way == pytest.approx((0, 10))


def test_transforms_are_read() -> None:
    assert transform("translate(10 5) scale(2)").at((1, 1)) == (12, 7)
    assert transform("rotate(90 10 0)").at((12, 0)) == pytest.approx((10, 2))


# Hexes


@pytest.mark.parametrize("side", range(6))
def test_a_side_lies_where_the_neighbour_is(side: int) -> None:
    there = neighbour("M20", side)
    here = geometry.centre_of(12, 20)
    other = geometry.centre_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(there[0]), int(there[1:]))
    assert here.distance(other) == pytest.approx(2 * APOTHEM)
    assert here.plus(geometry.SIDES[side], 2) == pytest.approx(other), DIRECTIONS[side]
    assert geometry.SIDES[side] == pytest.approx(MIDDLES[side])


@pytest.mark.parametrize("start", range(6))
@pytest.mark.parametrize("end", range(6))
def test_a_curve_is_square_to_both_sides(start: int, end: int) -> None:
    if start == end:
        return
    curve = Curve(start, end)
    points = [curve.point(step / 200) for step in range(201)]
    assert points[0] == pytest.approx(MIDDLES[start])
    assert points[-1] == pytest.approx(MIDDLES[end])
    assert turn_between(heading(points), ANGLES[start]) < 1
    assert turn_between(heading(points, at_end=True), ANGLES[end]) < 1
    assert all(inside(point, -0.01) for point in points)


# Track of tiles


def is_side(tile: Drawn, point: tuple[float, float]) -> bool:
    return tile.end(point).startswith("side")


@of_each_tile
def test_track_meets_sides_in_their_middle_at_right_angles(title: str, name: str) -> None:
    for tile in turned(title, name):
        for line in tile.tracks:
            for at_end in (False, True):
                end = tile.end(line[-1] if at_end else line[0])
                if end.startswith("side"):
                    assert turn_between(heading(line, at_end), ANGLES[int(end[5:])]) <= SQUARE, (tile.key, end)


@of_each_tile
def test_track_ends_only_at_sides_and_places(title: str, name: str) -> None:
    """Or upon other track, as the stretches do that draw a junction together."""
    for tile in turned(title, name):
        for line in tile.lines:
            for point in (line[0], line[-1]):
                others = [other for other in tile.tracks if other is not line and nearest(point, other) < 0.6]
                assert tile.end(point) or others, f"{tile.key}: track ends at {point}"


@of_each_tile
def test_track_joins_what_the_face_joins(title: str, name: str) -> None:
    for tile in turned(title, name):
        pairs, visits = tile.connections
        assert pairs == {sides_of(pair) for pair in tile.face.pairs}, tile.key
        wanted = {(side, node) for node, exits in enumerate(tile.face.node_exits) for side in sides_of(exits)}
        assert visits == wanted, tile.key


@of_each_tile
def test_track_stays_in_the_hex(title: str, name: str) -> None:
    for tile in turned(title, name):
        assert all(inside(point, -ROUNDED) for line in tile.lines for point in line), tile.key


@of_each_tile
def test_track_is_not_broken_where_nothing_crosses_it(title: str, name: str) -> None:
    """Junctions have no rim across them: along every piece its middle is the colour of track."""
    for tile in turned(title, name):
        spots = [point for *_, point in crossings(tile)]
        for line in tile.tracks:
            clear = [point for point in line[::3] if nearest(point, spots) > 12 and inside(point, 0.5)]
            broken = [point for point in clear if tile.paint(point) != TRACK]
            assert not broken, f"{tile.key}: a rim lies across track at {broken[0]}"


@of_each_tile
def test_crossing_tracks_have_a_gap(title: str, name: str) -> None:
    """One of the two shows a rim at both sides of the other, which is whole."""
    for tile in turned(title, name):
        for one, other, spot in crossings(tile):
            shown = []
            for line, across in ((one, other), (other, one)):
                near = [point for point in line if apart(point, spot) < 12 and 3.6 < nearest(point, across) < 4.8]
                shown.append([tile.paint(point) == RIM for point in near])
            under = [bool(seen) and all(seen) for seen in shown]
            assert sum(under) == 1, f"{tile.key}: no gap where track crosses at {spot}"
            assert not any(shown[under.index(False)]), f"{tile.key}: both tracks are broken at {spot}"


@of_each_tile
def test_no_rim_is_seen_where_tracks_part_at_a_side(title: str, name: str) -> None:
    """There the pieces are one; a rim is for crossings."""
    for tile in turned(title, name):
        ends = [tile.end(point) for line in tile.tracks for point in (line[0], line[-1])]
        for side, (x, y) in enumerate(MIDDLES):
            if ends.count(f"side {side}") > 1:
                around = [(x + dx, y + dy) for dx in range(-6, 7, 2) for dy in range(-6, 7, 2)]
                rims = [point for point in around if inside(point, 0.5) and tile.paint(point) == RIM]
                assert not rims, f"{tile.key}: a rim is seen at the {DIRECTIONS[side]} side, where pieces are one"


@pytest.mark.parametrize(
    ("title", "name", "number"),
    [("18CZ", "16", 1), ("18CZ", "19", 1), ("18CZ", "20", 1), ("18CZ", "55", 1), ("18CZ", "23", 0), ("18CZ", "43", 1)],
)
def test_the_crossings_are_those_of_the_printed_tiles(title: str, name: str, number: int) -> None:
    """So that the tests of gaps are known to see something."""
    assert len(crossings(drawn(title, name, 0))) == number


@of_each_tile
def test_a_rotation_is_the_tile_turned(title: str, name: str) -> None:
    """Track of a turned tile is that of the tile, turned by 60 degrees for each step."""
    for tile in turned(title, name):
        flat, turn = drawn(title, name, 0), transform(f"rotate({60 * tile.rotation})")
        before = {tuple(sorted((flat.end(turnless[0]), flat.end(turnless[-1])))) for turnless in flat.tracks}
        assert len(tile.tracks) == len(flat.tracks) >= len(before)
        for line in flat.tracks:
            if is_side(flat, line[0]) and is_side(flat, line[-1]):
                middle = turn.at(line[len(line) // 2])
                assert any(nearest(middle, other) < 1 for other in tile.tracks), tile.key
