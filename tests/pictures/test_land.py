"""The land beneath the map: rivers run on from hex to hex and cost only where the board says so; relief, borders."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS, distance
from ostbahn.pictures.board import BAND
from ostbahn.pictures.board_style import land_of
from ostbahn.pictures.terrain import LandFile
from ostbahn.pictures.themes import LIGHT
from ostbahn.titles.cz.title import load_data as read_cz
from ostbahn.titles.mag.title import load_data as read_mag
from tests.pictures.board_reading import PLAYED, VARIANTS, ReadBoard, fresh, fresh_board, moments
from tests.pictures.svg_reader import XY, Line, Shape, apart, heading, turn_between
from tests.pictures.tile_reading import APOTHEM, RADIUS, inside

of_each_board = pytest.mark.parametrize(("title", "variant", "players"), VARIANTS)
of_some_games = pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
FILES = {
    "18CZ": (read_cz("land.toml", LandFile), ROWS),
    "18Mag": (read_mag("land.toml", LandFile), ROWS),
    "18Mag two_player": (read_mag("land_two_player.toml", LandFile), "aABCDEF"),
}
ROUNDED = 0.3


def rivers(board: ReadBoard, hex_id: str) -> list[Shape]:
    return [shape for shape in board.of(board.map[hex_id]) if shape.at.get("class") == "river"]


# Rivers


@pytest.mark.parametrize("name", FILES)
def test_rivers_flow_from_hex_to_neighbouring_hex(name: str) -> None:
    file, rows = FILES[name]
    for river in file.rivers:
        hexes = [step for step in river.course if step not in DIRECTIONS]
        assert len(river.course) - len(hexes) <= 2, river.name
        assert not set(river.course[1:-1]) & set(DIRECTIONS), f"{river.name}: only its ends are sides"
        assert all(distance(one, other, rows) == 1 for one, other in pairwise(hexes)), river.name


@of_each_board
def test_river_terrain_has_a_river_and_only_there_it_is_strong(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        strong = [river for river in rivers(board, hex_.id) if river.at["stroke"] == LIGHT.river]
        assert bool(strong) == ("river" in (hex_.printed.terrain or "")), hex_.id
        assert all(river.width >= 3 for river in strong), hex_.id
        assert all(river.at["stroke"] == LIGHT.brook for river in rivers(board, hex_.id) if river not in strong)


@of_each_board
def test_rivers_are_not_broken_at_the_sides_of_hexes(title: str, variant: str, players: int) -> None:
    """Each end of a piece lies inside its hex or at the rim of the map, or goes on in the next hex in the same way."""
    board = fresh_board(title, variant, players)
    pieces = [(hex_, line) for hex_ in board.map for river in rivers(board, hex_.id) for line in river.lines]
    for hex_, line in pieces:
        x, y = board.centre(hex_.id)
        for at_end in (False, True):
            tip = line[-1] if at_end else line[0]
            if inside((tip[0] - x, tip[1] - y), 1.0):
                continue
            side = nearest_side(board, hex_.id, tip)
            there = hex_.neighbours[side]
            if there is None or there.printed.ground in ("red", "grey"):
                continue
            where = f"{hex_.id} {DIRECTIONS[side]}"
            onward = [heading(*other) for other in tips(board, there.id) if apart(tip, point(*other)) < 0.5]
            assert onward, f"{where}: the river ends at the side"
            assert min(turn_between(heading(line, at_end), turn) for turn in onward) < 8, where


def tips(board: ReadBoard, hex_id: str) -> list[tuple[Line, bool]]:
    return [(line, last) for river in rivers(board, hex_id) for line in river.lines for last in (False, True)]


def point(line: Line, last: bool) -> XY:
    return line[-1] if last else line[0]


def nearest_side(board: ReadBoard, hex_id: str, tip: XY) -> int:
    def off(side: int) -> float:
        (x1, y1), (x2, y2) = board.corners(hex_id, side)
        return apart(tip, (x1, y1)) + apart(tip, (x2, y2))

    return min(range(6), key=off)


@of_each_board
def test_the_title_of_a_hex_tells_its_rivers(title: str, variant: str, players: int) -> None:
    board, river_segments = (
        fresh_board(title, variant, players),
        land_of(fresh(title, variant, players).table.title).river_segments,
    )
    assert river_segments
    for hex_id, found in river_segments.items():
        assert all(stream.river in board.told(board.map[hex_id]) for stream in found), hex_id


# Relief


@of_each_board
def test_hills_and_mountains_stand_where_the_board_has_them(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        relief = [shape for shape in board.of(hex_) if "relief" in shape.within]
        terrain = hex_.printed.terrain or ""
        assert bool(relief) == ("hill" in terrain or "mountain" in terrain), hex_.id


def test_a_dearer_mountain_has_more_peaks() -> None:
    """18Mag prints a sign for every 10 Ft."""
    board = fresh_board("18Mag", "base", 4)
    for hex_ in board.map:
        relief = [shape for shape in board.of(hex_) if "relief" in shape.within]
        if relief:
            signs = hex_.printed.symbols.get("mountain", hex_.printed.cost // 10)
            assert len(relief[0].lines) == signs, hex_.id


@of_some_games
def test_tiles_hide_the_land(path: Path) -> None:
    for game in moments(path):
        board = ReadBoard(game)
        for hex_id in board.scene.board.tiles:
            assert not rivers(board, hex_id), hex_id
            assert not [shape for shape in board.of(board.map[hex_id]) if "relief" in shape.within], hex_id


# Around the map


@of_each_board
def test_the_border_runs_along_all_sides_without_a_neighbour(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    band, line = [shape for shape in board.within("surroundings") if shape.kind == "path"]
    assert band.lines == line.lines
    assert band.width == pytest.approx(2 * BAND)
    rim = Counter(
        (round((one[0] + other[0]) / 2 / 3), round((one[1] + other[1]) / 2 / 3))
        for hex_ in board.map
        for side in range(6)
        if hex_.neighbours[side] is None
        for one, other in [board.corners(hex_.id, side)]
    )
    points = {(round(x / 3), round(y / 3)) for x, y in line.points}
    near = {(x + dx, y + dy) for x, y in points for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    assert rim.keys() <= near, "a side at the rim has no border"
    length = sum(apart(*pair) for loop in line.lines for pair in pairwise(loop))
    assert length == pytest.approx(rim.total() * RADIUS, rel=0.02), "nothing else has one"


@of_each_board
def test_names_of_neighbours_lie_in_the_picture_and_off_the_map(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    names = [shape for shape in board.within("neighbours") if shape.kind == "text"]
    marks = [shape for shape in board.within("coordinates") if shape.kind == "text"]
    _, _, width, height = (float(part) for part in str(board.root.get("viewBox")).split())
    assert len(names) >= 3
    for name in names:
        left, top, right, bottom = name.box
        assert 0 < left < right < width, name.words
        assert 0 < top < bottom < height, name.words
        for hex_ in board.map:
            x, y = board.centre(hex_.id)
            assert not any(inside((px - x, py - y), 0.0) for px, py in name.points), f"{name.words} on {hex_.id}"
        for mark in marks:
            assert not (mark.box[0] < right and left < mark.box[2] and mark.box[1] < bottom and top < mark.box[3])


@of_each_board
def test_the_band_lies_in_the_picture(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    _, _, width, height = (float(part) for part in str(board.root.get("viewBox")).split())
    xs = [board.centre(hex_.id)[0] for hex_ in board.map]
    ys = [board.centre(hex_.id)[1] for hex_ in board.map]
    assert min(xs) - APOTHEM - BAND >= -ROUNDED
    assert max(xs) + APOTHEM + BAND <= width + ROUNDED
    assert min(ys) - RADIUS - BAND >= -ROUNDED
    assert max(ys) + RADIUS + BAND <= height + ROUNDED
