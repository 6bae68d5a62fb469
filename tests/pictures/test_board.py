"""Boards as printed: every hex at its place, with its name, terrain, stubs, barriers, areas, mines and the lake."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from msgspec.structs import replace

from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.themes import LIGHT, THEMES, Theme
from ostbahn.titles.cz.moravia_board import our_board
from tests.pictures.board_reading import VARIANTS, ReadBoard, boxes_meet, clashes, fresh, fresh_board
from tests.pictures.svg_reader import SVG, XY, apart, nearest
from tests.pictures.tile_reading import APOTHEM, MIDDLES, NORMALS, RADIUS, inside

of_each_board = pytest.mark.parametrize(("title", "variant", "players"), VARIANTS)
in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
ROUNDED = 0.3


# Places


@of_each_board
def test_every_hex_is_drawn_once(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    assert Counter(group.get("id") for group in board.groups) == Counter(f"hex-{hex_.id}" for hex_ in board.map)


@of_each_board
def test_neighbours_share_their_sides(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        x, y = board.centre(hex_.id)
        for there, side in hex_.towards.items():
            dx, dy = NORMALS[side]
            wanted = (x + 2 * APOTHEM * dx, y + 2 * APOTHEM * dy)
            assert apart(board.centre(there), wanted) <= ROUNDED, f"{hex_.id} and {there}"


@of_each_board
def test_no_two_hexes_lie_upon_each_other(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    centres = [board.centre(hex_.id) for hex_ in board.map]
    assert all(nearest(point, centres[:index]) > 2 * APOTHEM - ROUNDED for index, point in enumerate(centres))


@of_each_board
def test_everything_lies_in_the_picture(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    _, _, width, height = (float(part) for part in str(board.root.get("viewBox")).split())
    for shape in board.shapes:
        left, top, right, bottom = shape.box
        assert min(left, top) >= -ROUNDED, shape
        assert right <= width + ROUNDED, shape
        assert bottom <= height + ROUNDED, shape


@of_each_board
def test_what_is_drawn_in_a_hex_stays_in_it(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        x, y = board.centre(hex_.id)
        for shape in board.of(hex_):
            out = [point for point in shape.points if not inside((point[0] - x, point[1] - y), -ROUNDED)]
            assert not out, f"{hex_.id}: {shape.kind} {shape.words!r} reaches out"


@of_each_board
def test_rows_and_columns_are_named_where_they_are(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    texts = [shape for shape in board.within("coordinates") if shape.kind == "text"]
    for hex_ in board.map:
        x, y = board.centre(hex_.id)
        rows = [text for text in texts if text.words == hex_.id[0]]
        columns = [text for text in texts if text.words == hex_.id[1:]]
        assert len(rows) == len(columns) == 2, hex_.id
        assert all(abs(text.middle[1] - y) < 3 for text in rows), hex_.id
        assert all(abs(text.middle[0] - x) < 3 for text in columns), hex_.id
    centres = [board.centre(hex_.id) for hex_ in board.map]
    assert all(nearest(text.middle, centres) > APOTHEM for text in texts), "coordinates lie beside the hexes"


# What is printed on hexes


@of_each_board
def test_names_are_written_in_full(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        name = hex_.printed.name
        if name:
            written = " ".join(board.words(hex_))
            assert all(part in written for part in name.split(" & ")), f"{hex_.id}: {name} is not in {written!r}"


@of_each_board
def test_words_keep_off_each_other_and_off_cities(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    found = {hex_.id: clashes(board.of(hex_)) for hex_ in board.map}
    assert not {hex_id: clash for hex_id, clash in found.items() if clash}


@of_each_board
def test_arrows_keep_off_the_values_of_areas(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    covered = set()
    for hex_ in board.map:
        arrows = [shape for shape in board.of(hex_) if shape.kind == "polygon" and shape.at["fill"] == LIGHT.track]
        boxes = [shape for shape in board.of(hex_) if shape.kind == "rect"]
        covered |= {hex_.id for arrow in arrows for box in boxes if boxes_meet(arrow, box, 0.2)}
    assert not covered


@of_each_board
def test_costs_of_terrain_are_written(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    signs = {"river": LIGHT.water, "hill": LIGHT.hill, "mountain": LIGHT.mountain}
    for hex_ in board.map:
        printed = hex_.printed
        if printed.terrain:
            assert any(str(printed.cost) in words.split() for words in board.words(hex_)), hex_.id
            used = {colour for shape in board.of(hex_) for colour in (shape.at.get("fill"), shape.at.get("stroke"))}
            for kind in printed.terrain.split(" and "):
                assert signs[kind] in used, f"{hex_.id}: no sign of a {kind}"


@of_each_board
def test_towns_and_cities_without_tiles_are_drawn(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        places = [node for node in hex_.printed.nodes if node.kind in ("city", "town")]
        kept = hex_.printed.reserved_for is not None
        round_ = [shape for shape in board.of(hex_) if shape.kind == "circle" and shape.at["fill"] != "none"]
        circles = {shape.middle for shape in round_ if not (kept and "home" in shape.within)}
        rects = {shape.middle for shape in board.of(hex_) if shape.kind == "rect" and "cost" not in shape.within}
        badges = len({node.value for node in places} - {0})
        if not any(node.kind in ("red", "mine") for node in hex_.printed.nodes):
            assert len(circles | rects) == len(places) + badges, hex_.id


@of_each_board
def test_stubs_are_drawn_at_their_sides(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        x, y = board.centre(hex_.id)
        ends = track_ends(board, hex_.id)
        for side, (dx, dy) in enumerate(MIDDLES):
            wanted = bool((hex_.stubs | hex_.face.exits) >> side & 1)
            assert (nearest((x + dx, y + dy), ends) <= ROUNDED) == wanted, f"{hex_.id} {DIRECTIONS[side]}"


def track_ends(board: ReadBoard, hex_id: str) -> list[XY]:
    """Ends of track, and the tips of arrows in areas."""
    found = []
    for shape in board.within(f"hex-{hex_id}"):
        if shape.kind == "path" and shape.at.get("stroke") == LIGHT.track:
            found += [point for line in shape.lines for point in (line[0], line[-1])]
        elif shape.kind == "polygon" and shape.at.get("fill") == LIGHT.track:
            found += shape.points
    return found


@of_each_board
def test_barriers_lie_on_their_sides(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    thick = [line for shape in board.shapes if shape.kind == "path" and shape.width >= 4 for line in shape.lines]
    drawn = [(line[0], line[-1]) for line in thick]
    for hex_ in board.map:
        for side, name in enumerate(DIRECTIONS):
            one, other = board.corners(hex_.id, side)
            lies = any(
                max(nearest(one, ends), nearest(other, ends)) <= ROUNDED and apart(*ends) > APOTHEM for ends in drawn
            )
            there = hex_.neighbours[side]
            both = name in hex_.printed.barriers or (
                there is not None and DIRECTIONS[(side + 3) % 6] in there.printed.barriers
            )
            assert lies == both, f"{hex_.id} {name}"


def test_barriers_are_not_covered_by_the_next_hex() -> None:
    board = fresh_board("18Mag", "base", 4)
    last = max(index for index, shape in enumerate(board.shapes) if any("hex-" in name for name in shape.within))
    bars = [index for index, shape in enumerate(board.shapes) if shape.at.get("class") == "barriers"]
    assert bars
    assert min(bars) > last


@pytest.mark.parametrize("phase", ["yellow", "green", "brown", "grey"])
@of_each_board
def test_areas_and_mines_show_their_values_and_mark_the_present_one(
    title: str, variant: str, players: int, phase: str
) -> None:
    game = fresh(title, variant, players)
    scene = scene_of(game)._replace(colour=phase)
    board = fresh_board(title, variant, players)
    shown = ReadBoard.of_svg(draw_board(scene), scene)
    for hex_ in board.map:
        for node in hex_.printed.nodes:
            if isinstance(node.value, int):
                continue
            boxes = [shape for shape in shown.of(hex_) if shape.kind == "rect"]
            words = [shape for shape in shown.of(hex_) if shape.kind == "text"]
            written = [text.words for box in boxes for text in words if apart(text.middle, box.middle) < 3]
            assert written == [str(value) for value in node.value.values()], hex_.id
            assert [box.at["fill"] for box in boxes] == [LIGHT.tiles[colour] for colour in node.value], hex_.id
            marked = [box for box in boxes if box.width >= 1.5]
            wanted = [LIGHT.tiles[phase]] if phase in node.value else []
            assert [box.at["fill"] for box in marked] == wanted, hex_.id
            signs = [shape for shape in shown.of(hex_) if shape.kind == "circle"]
            assert bool(signs) == (node.kind == "mine"), hex_.id


@of_each_board
def test_reserved_hexes_have_a_red_edge_and_say_for_whom(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        polygons = [shape for shape in board.of(hex_) if shape.kind == "polygon"]
        edges = [shape for shape in polygons if shape.at.get("stroke") == LIGHT.tiles["red"]]
        assert len(edges) == (hex_.printed.reserved_for is not None), hex_.id
        if hex_.printed.reserved_for:
            assert any(hex_.printed.reserved_for in words for words in board.words(hex_)), hex_.id


@of_each_board
def test_the_lake_parts_its_shores(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    for hex_ in board.map:
        lakes = [shape for shape in board.of(hex_) if shape.at.get("class") == "lake"]
        assert len(lakes) == bool(hex_.shores), hex_.id
        for lake in lakes:
            (x1, y1) = lake.points[0]
            (x2, y2) = max(lake.points, key=lambda point: apart(point, (x1, y1)))
            assert apart((x1, y1), (x2, y2)) > 2 * RADIUS - 1, "it reaches from corner to corner"
            x, y = board.centre(hex_.id)
            above = sum(
                1 << side
                for side, (dx, dy) in enumerate(MIDDLES)
                if (x2 - x1) * (y + dy - y1) - (y2 - y1) * (x + dx - x1) < 0
            )
            assert {above, 0b111111 ^ above} == set(hex_.shores), hex_.id


def test_the_maps_have_what_these_tests_look_for() -> None:
    maps = {(title, variant): fresh_board(title, variant, players).map for title, variant, players in VARIANTS}
    counts = {
        key: (
            sum(bool(hex_.stubs) for hex_ in map_),
            sum(bool(hex_.printed.barriers) for hex_ in map_),
            sum(bool(hex_.shores) for hex_ in map_),
            sum(hex_.printed.reserved_for is not None for hex_ in map_),
            sum(node.kind == "mine" for hex_ in map_ for node in hex_.printed.nodes),
        )
        for key, map_ in maps.items()
    }
    assert counts["18CZ", "base"] == (2, 0, 0, 10, 0)
    assert counts["18Mag", "base"] == (0, 6, 1, 0, 4)
    assert counts["18Mag", "two_player"] == (0, 0, 1, 0, 0)


# Text


def test_names_are_escaped() -> None:
    """A board file of one's own may hold anything."""
    name = "<b>Zl\u00edn</b> & 'Sons' \"]]>"
    text = our_board().replace('name = "Hul\u00edn"', f"name = '''{name}'''")
    assert name in text
    board = ReadBoard(fresh("18CZ", "moravia", 3, text))
    hex_ = next(hex_ for hex_ in board.map if hex_.printed.name == name)
    assert "<b>" not in board.svg
    (group,) = [group for group in board.groups if group.get("id") == f"hex-{hex_.id}"]
    assert name in str(group.findtext(f"{SVG}title"))
    assert "<b>Zl\u00edn</b>" in " ".join(board.words(hex_))


@of_each_board
def test_the_board_and_its_hexes_say_what_they_are(title: str, variant: str, players: int) -> None:
    board = fresh_board(title, variant, players)
    assert board.root.get("role") == "img"
    assert board.root.findtext(f"{SVG}title")
    assert board.root.findtext(f"{SVG}desc")
    for group in board.groups:
        spoken = str(group.findtext(f"{SVG}title"))
        hex_ = board.map[str(group.get("id"))[4:]]
        assert hex_.id in spoken
        assert (hex_.printed.name or "") in spoken


@of_each_board
@in_each_theme
def test_ids_are_unique_and_the_same_in_every_theme(title: str, variant: str, players: int, theme: Theme) -> None:
    svg = draw_board(scene_of(fresh(title, variant, players)), theme)
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert len(set(ids)) == len(ids)
    assert ids == re.findall(r'\bid="([^"]*)"', fresh_board(title, variant, players).svg)


@of_each_board
@in_each_theme
def test_a_theme_colours_the_whole_board(title: str, variant: str, players: int, theme: Theme) -> None:
    """Nothing of another theme's paper, land or tiles is left."""
    svg = draw_board(scene_of(fresh(title, variant, players)), theme)
    for other in THEMES.values():
        strange = {other.paper, other.land, *other.tiles.values()} - {theme.paper, theme.land, *theme.tiles.values()}
        strange -= {theme.ink, theme.slot, theme.rim}
        assert not [colour for colour in strange if f'"{colour}"' in svg], f"{other.name} in {theme.name}"
    assert f'fill="{theme.land}"' in svg


def test_a_theme_of_ones_own_is_used_for_the_hexes_too() -> None:
    own = replace(LIGHT, land="#123456")
    assert "#123456" in draw_board(scene_of(fresh("18CZ", "base", 4)), own)
