"""Boards of whole games: tiles and stations as they lie, routes along their track, single hexes replaced."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from ostbahn.analysis.runs import best_run, companies_of
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.pictures.board import DrawnRoute, draw_board, draw_route
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import frame_of, hex_group
from ostbahn.pictures.themes import DASHES, LIGHT, THEMES, Theme
from tests.pictures.board_reading import GAMES, PLAYED, ReadBoard, clashes, moments, played
from tests.pictures.svg_reader import SVG, XY, Line, Shape, apart, box_holds, nearest, read
from tests.pictures.tile_reading import APOTHEM, MIDDLES, inside

of_each_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
of_some_games = pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}-{path.stem}")
in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
ROUNDED = 0.3
LARGEST = 150_000


def routes_of(game: Game) -> list[list[DrawnRoute]]:
    """For each company the best run that it has."""
    return [
        [DrawnRoute(route.path, f"{company} {route.face}") for route in best_run(game, company).routes]
        for company in companies_of(game)
    ]


@cache
def boards(path: Path) -> list[ReadBoard]:
    return [ReadBoard(game) for game in moments(path)]


# Tiles and stations


@of_some_games
def test_tiles_lie_where_they_were_laid(path: Path) -> None:
    """Track reaches exactly the sides that the tile's does."""
    for board in boards(path):
        for hex_id, (tile, rotation) in board.scene.board.tiles.items():
            hex_ = board.map[hex_id]
            assert f"tile {tile}" in board.told(hex_).split("; "), f"{hex_id}: no number {tile}"
            x, y = board.centre(hex_id)
            lines = track(board.of(hex_))
            ends = [point for line in lines for point in (line[0], line[-1])]
            exits = board.scene.title.tile_set.faces[tile][rotation].exits
            drawn = sum(1 << s for s, (dx, dy) in enumerate(MIDDLES) if nearest((x + dx, y + dy), ends) <= ROUNDED)
            assert drawn == exits, hex_id


def track(shapes: list[Shape]) -> list[Line]:
    return [
        line for shape in shapes if shape.at.get("stroke") == LIGHT.track for line in shape.lines if shape.width > 5
    ]


@of_some_games
def test_every_station_is_seen_in_its_hex(path: Path) -> None:
    for board in boards(path):
        for city, companies in board.scene.board.stations.items():
            words = " ".join(board.words(board.map[hex_of(city)])).split()
            for company in companies:
                assert board.scene.marks[company].letters in words, f"{city}: {company}"


@of_some_games
def test_no_more_stations_are_drawn_than_there_are(path: Path) -> None:
    for board in boards(path):
        colours = {mark.colour for mark in board.scene.marks.values()}
        for hex_ in board.map:
            drawn = [shape for shape in board.of(hex_) if shape.kind == "circle" and shape.at["fill"] in colours]
            cities = [city for city in board.scene.board.stations if hex_of(city) == hex_.id and city != hex_.id]
            assert len(drawn) == sum(len(board.scene.board.stations[city]) for city in cities), hex_.id


@of_some_games
def test_names_stay_on_the_board_when_tiles_are_laid(path: Path) -> None:
    """Where several cities leave no room for it, the title of the hex still tells the name."""
    for board in boards(path):
        for hex_ in board.map:
            if hex_.printed.name and hex_.printed.name.split(" & ")[0] not in " ".join(board.words(hex_)):
                assert len(hex_.face.nodes) > 1, hex_.id
                assert f"<title>{escape(f'{hex_.id} {hex_.printed.name}')}" in board.svg


@of_some_games
def test_what_lies_in_a_hex_stays_in_it(path: Path) -> None:
    for board in boards(path):
        for hex_ in board.map:
            x, y = board.centre(hex_.id)
            for shape in board.of(hex_):
                out = [point for point in shape.points if not inside((point[0] - x, point[1] - y), -ROUNDED)]
                assert not out, f"{hex_.id}: {shape.kind} {shape.words!r} reaches out"


@of_some_games
def test_words_keep_off_each_other_and_off_stations(path: Path) -> None:
    """A name, the number of the tile, its label, values and stations are all to be read."""
    found = set()
    for board in boards(path):
        for hex_ in board.map:
            tile = board.scene.board.tiles.get(hex_.id)
            found |= {f"{hex_.id} {tile}: {clash}" for clash in clashes(board.of(hex_))}
    assert not found


@of_some_games
def test_routes_leave_names_and_values_legible(path: Path) -> None:
    """What is written beneath a route is covered by it; the names of its stops stand above it once more."""
    found = set()
    for board, route, shapes in drawn_routes(path):
        stops = {hex_of(name) for name in route.path if "." in name}
        for hex_id, line in pieces(board, route, shapes):
            words = [shape for shape in board.of(board.map[hex_id]) if shape.kind == "text"]
            area = [shape for shape in board.of(board.map[hex_id]) if shape.kind == "rect" and shape.width < 3]
            for text in words:
                boxed = any(apart(box.middle, text.middle) < 3 for box in area)
                named = text.words == board.map[hex_id].printed.name and hex_id not in stops
                if (boxed or named) and any(box_holds(text, point) for point in line):
                    found.add(f"{hex_id} {text.words}")
    assert not found


@of_some_games
def test_stops_of_routes_are_drawn_above_them(path: Path) -> None:
    for game in moments(path)[-1:]:
        scene, routes = scene_of(game), [route for run in routes_of(game) for route in run][:1]
        for route in routes:
            above = draw_board(scene, routes=[route]).rpartition('class="route"')[2]
            for name in (name for name in route.path if "." in name):
                for company in scene.board.stations.get(name, ()):
                    assert f">{escape(scene.marks[company].letters)}</text>" in above
                hex_ = scene.title.map[hex_of(name)]
                written = f">{escape(str(hex_.printed.name))}</text>"
                if hex_.id in scene.board.tiles and written in hex_group(scene, frame_of(scene.title.map), hex_, LIGHT):
                    assert written in above


# Routes


@cache
def drawn_routes(path: Path) -> list[tuple[ReadBoard, DrawnRoute, tuple[Shape, ...]]]:
    """Best runs of all companies at some moments, each route with what is drawn of it."""
    found = []
    for game, board in zip(moments(path), boards(path), strict=True):
        frame = frame_of(board.map)
        for number, route in enumerate(route for run in routes_of(game) for route in run):
            found.append((board, route, tuple(read(draw_route(board.scene, frame, route, number, LIGHT)))))
    return found


@of_some_games
def test_routes_pass_the_sides_of_their_path_in_order(path: Path) -> None:
    for board, route, shapes in drawn_routes(path):
        points = [point for shape in shapes for line in shape.lines for point in line]
        hexes = [hex_of(name) for name in route.path]
        places = [first_near(points, side_between(board, *pair)) for pair in pairwise(hexes)]
        assert -1 not in places, f"{route.path}: a side is not passed"
        assert places == sorted(places), f"{route.path}: sides out of order"
        for hex_id, line in pieces(board, route, shapes):
            x, y = board.centre(hex_id)
            assert all(inside((px - x, py - y), -ROUNDED) for px, py in line), f"{route.path}: {hex_id}"


def side_between(board: ReadBoard, one: str, other: str) -> XY:
    (x1, y1), (x2, y2) = board.centre(one), board.centre(other)
    return (x1 + x2) / 2, (y1 + y2) / 2


def first_near(points: list[XY], spot: XY) -> int:
    return next((index for index, point in enumerate(points) if apart(point, spot) <= ROUNDED), -1)


def pieces(board: ReadBoard, route: DrawnRoute, shapes: tuple[Shape, ...]) -> list[tuple[str, Line]]:
    """The lines of a route, each with the hex in which its middle lies."""
    centres = {hex_of(name): board.centre(hex_of(name)) for name in route.path}
    lines = [line for shape in shapes for line in shape.lines]
    return [(min(centres, key=lambda hex_id: apart(centres[hex_id], line[len(line) // 2])), line) for line in lines]


@of_some_games
def test_routes_lie_on_track(path: Path) -> None:
    """In areas at the rim of the map there is no track but an arrow at the side."""
    for board, route, shapes in drawn_routes(path):
        for hex_id, line in pieces(board, route, shapes):
            points = [point for piece in track(board.of(board.map[hex_id])) for point in piece]
            if points:
                off = [point for point in line[::6] if nearest(point, points) > 1.5]
                assert not off, f"{route.path}: beside the track in {hex_id}"


@of_some_games
def test_routes_begin_and_end_in_places(path: Path) -> None:
    """The first and the last hex have something of the route inside, not only at the side."""
    for board, route, shapes in drawn_routes(path):
        points = [point for shape in shapes for line in shape.lines for point in line]
        for name in (route.path[0], route.path[-1]):
            x, y = board.centre(hex_of(name))
            assert any(apart((x, y), point) < APOTHEM - 5 for point in points), f"{route.path}: {name}"


@of_some_games
def test_a_route_that_was_only_begun_has_a_stop_and_no_line(path: Path) -> None:
    """As on the page, where somebody has clicked on the first stop: a city, a town on its curve, or an area."""
    for board, route, _ in drawn_routes(path):
        for stop in (name for name in route.path if "." in name):
            shapes = read(draw_route(board.scene, frame_of(board.map), DrawnRoute((stop,)), 0, LIGHT))
            assert not [line for shape in shapes for line in shape.lines]


@of_some_games
def test_each_train_of_a_run_has_a_colour_and_a_dash_and_a_name(path: Path) -> None:
    game = moments(path)[2]
    routes = max(routes_of(game), key=len)
    board = ReadBoard(game, routes=routes)
    drawn = [group for group in board.root.iter(f"{SVG}g") if group.get("class") == "route"]
    assert [group.findtext(f"{SVG}title") for group in drawn] == [route.name for route in routes]
    frame = frame_of(board.map)
    looks = []
    for number, route in enumerate(routes):
        shapes = read(draw_route(board.scene, frame, route, number, LIGHT))
        looks.append({(shape.at.get("stroke"), shape.at.get("stroke-dasharray")) for shape in shapes})
        assert LIGHT.routes[number] in {colour for colour, _ in looks[-1]}
        assert (DASHES[number] or None) in {dash for _, dash in looks[-1]}
    assert all(one != other for one, other in combinations(looks, 2))


# Highlights


def test_highlights_frame_their_hexes() -> None:
    game = played(PLAYED[0])
    chosen = [hex_.id for hex_ in scene_of(game).title.map][::9]
    board = ReadBoard(game, highlights=chosen)
    frames = board.within("highlight")
    assert len(frames) == len(chosen)
    for hex_id, frame in zip(chosen, frames, strict=True):
        assert apart(frame.middle, board.centre(hex_id)) <= ROUNDED
        assert frame.at["stroke"] == LIGHT.highlight
        assert frame.at["fill"] == "none"


# Parts and wholes


@of_some_games
def test_replaced_hexes_make_the_same_picture(path: Path) -> None:
    """What changed between two moments is drawn hex by hex into the older picture."""
    first, second, last = (scene_of(game) for game in moments(path))
    frame = frame_of(first.title.map)
    for old, new in ((first, second), (second, last)):
        picture = draw_board(old)
        for hex_ in old.title.map:
            before, after = (hex_group(scene, frame, hex_, LIGHT) for scene in (old, new))
            assert picture.count(before) == 1, hex_.id
            picture = picture.replace(before, after)
        assert without_description(picture) == without_description(draw_board(new))


def without_description(svg: str) -> str:
    return re.sub(r"<desc>.*?</desc>", "", svg)


@of_some_games
@in_each_theme
def test_late_boards_are_well_formed_with_unique_ids_in_each_theme(path: Path, theme: Theme) -> None:
    game = moments(path)[2]
    routes = [route for run in routes_of(game) for route in run]
    svg = draw_board(scene_of(game), theme, routes, ["E11", "F13"])
    assert read(svg)
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert len(set(ids)) == len(ids)


@of_each_game
def test_late_boards_are_small(path: Path) -> None:
    game = played(path)
    routes = max(routes_of(game), key=len, default=[])
    size = len(draw_board(scene_of(game), LIGHT, routes).encode())
    assert size <= LARGEST


@of_some_games
def test_the_board_tells_how_much_lies_on_it(path: Path) -> None:
    for board in boards(path):
        told = str(board.root.findtext(f"{SVG}desc"))
        assert str(len(board.scene.board.tiles)) in told
        assert str(sum(map(len, board.scene.board.stations.values()))) in told
