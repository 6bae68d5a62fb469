"""What is written and coloured on tiles: numbers, values, stations, purple edges, themes, text for those who listen."""

from __future__ import annotations

import math
from itertools import combinations
from xml.etree import ElementTree

import pytest

from ostbahn.kits.catalogue import rulebook
from ostbahn.pictures.board_style import marks_of
from ostbahn.pictures.sheets import tile_picture
from ostbahn.pictures.themes import DARK_INK, DASHES, LIGHT_INK, THEMES, Mark, Theme
from ostbahn.pictures.tiles import PURPLE, CityOccupants, draw_tile
from tests.pictures.svg_reader import SVG, Shape, apart, read
from tests.pictures.tile_reading import TILES, Drawn, faces, inside, mark_of, tiles, turned

pytestmark = pytest.mark.slow

of_each_tile = pytest.mark.parametrize(("title", "name"), TILES)
in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
TITLES = [("18CZ", "base", 4), ("18CZ", "bohemia", 2), ("18CZ", "moravia", 3), ("18Mag", "base", 4)]
TITLES.append(("18Mag", "two_player", 2))
of_each_title = pytest.mark.parametrize(("title", "variant", "players"), TITLES)


def words_at(tile: Drawn, shape: Shape) -> list[str]:
    """The words that stand in the middle of something."""
    return [text.words for text in tile.texts if apart(text.middle, shape.middle) < 1.5]


# What is written


@of_each_tile
def test_a_tile_says_its_number_once(title: str, name: str) -> None:
    for tile in turned(title, name):
        assert [text.words for text in tile.texts].count(name) == 1, tile.key


@of_each_tile
def test_each_amount_is_written_once_in_a_badge(title: str, name: str) -> None:
    for tile in turned(title, name):
        wanted = {str(node.value) for node in tile.face.nodes if isinstance(node.value, int) and node.value}
        shown = [word for badge in tile.badges for word in words_at(tile, badge)]
        assert sorted(shown) == sorted(wanted), tile.key


@of_each_tile
def test_words_fit_into_their_badges(title: str, name: str) -> None:
    for tile in turned(title, name):
        for badge in tile.badges:
            (text,) = [text for text in tile.texts if apart(text.middle, badge.middle) < 1.5]
            assert all(apart(point, badge.middle) < badge.radius for point in text.points), tile.key


@of_each_tile
def test_labels_are_upright_and_written_once(title: str, name: str) -> None:
    for tile in turned(title, name):
        assert len(tile.labels) == (tile.tile.label is not None), tile.key
        assert all("transform" not in text.at for text in tile.texts), tile.key


# Colours and edges


@of_each_tile
def test_purple_edges(title: str, name: str) -> None:
    for tile in turned(title, name):
        edges = [shape for shape in tile.shapes if shape.at.get("stroke") == PURPLE]
        assert len(edges) == tile.tile.purple, tile.key
        for edge in edges:
            assert all(inside(point, edge.width / 2 - 0.2) for point in edge.points), f"{tile.key}: edge outside"
            assert not any(inside(point, 8) for point in edge.points), f"{tile.key}: edge far from the border"


@of_each_tile
@in_each_theme
def test_the_ground_is_the_colour_of_the_tile(title: str, name: str, theme: Theme) -> None:
    ground = read(draw_tile(name, tiles(title)[name], faces(title, name)[0], theme))[0]
    assert ground.kind == "polygon"
    assert ground.at["fill"] == theme.tiles[tiles(title)[name].colour]


# Stations


@of_each_tile
def test_stations_stand_in_their_slots_with_their_letters(title: str, name: str) -> None:
    for tile in turned(title, name):
        for node, place in enumerate(tile.places):
            if tile.face.nodes[node].kind == "town":
                continue
            for slot, shape in enumerate(place):
                mark = mark_of(node, slot)
                assert shape.at["fill"] == mark.colour, tile.key
                (text,) = [text for text in tile.texts if text.words == mark.letters]
                assert apart(text.middle, shape.middle) < 1.5, f"{tile.key}: {mark.letters} is not in its slot"
                assert text.at["fill"] == mark.ink, tile.key
                assert all(apart(point, shape.middle) < shape.radius + 0.5 for point in text.points), tile.key


@of_each_tile
def test_a_station_fills_the_first_slot_and_leaves_the_others_where_they_were(title: str, name: str) -> None:
    tile, face, mark = tiles(title)[name], faces(title, name)[0], Mark("AB", "#abcdef", "#123456")
    empty = Drawn(title, name, 0, full=False)
    assert [slot.middle for slot in empty.slots] == [slot.middle for slot in Drawn(title, name, 0).slots]
    for node, spec in enumerate(face.nodes):
        if spec.slots:
            occupants = [CityOccupants([mark] if other == node else []) for other in range(len(face.nodes))]
            shapes = read(draw_tile(name, tile, face, THEMES["light"], occupants))
            assert len([shape for shape in shapes if shape.at.get("fill") == mark.colour]) == 1


@of_each_title
def test_companies_differ_by_their_letters(title: str, variant: str, players: int) -> None:
    marks = marks_of(rulebook(title, variant, players).title)
    letters = [mark.letters for mark in marks.values()]
    assert len(set(letters)) == len(letters)
    assert all(0 < len(word) <= 3 for word in letters)


@of_each_title
def test_letters_can_be_read_on_their_colour(title: str, variant: str, players: int) -> None:
    """Well, or as well as dark or light ink allows."""
    for company, mark in marks_of(rulebook(title, variant, players).title).items():
        best = max(contrast(mark.colour, ink) for ink in (DARK_INK, LIGHT_INK))
        mine = contrast(mark.colour, mark.ink)
        assert mine >= min(4.5, best - 0.01), f"{company}: {mark} has {mine:.1f}, the other ink {best:.1f}"


@of_each_title
def test_letters_of_every_company_fit_into_the_smallest_slot(title: str, variant: str, players: int) -> None:
    name = "8892" if title == "18CZ" else "L35"
    for mark in marks_of(rulebook(title, variant, players).title).values():
        occupants = [CityOccupants([mark] * 4)]
        shapes = read(draw_tile(name, tiles(title)[name], faces(title, name)[0], THEMES["light"], occupants))
        slots = [shape for shape in shapes if shape.kind == "circle" and shape.at.get("fill") == mark.colour]
        words = [shape for shape in shapes if shape.words == mark.letters]
        assert len(slots) == len(words) == 4
        for slot, word in zip(slots, words, strict=True):
            left, _, right, _ = word.box
            assert right - left <= 2 * slot.radius, f"{mark.letters} is {right - left:.0f} wide"


# Themes


def light_of(colour: str) -> tuple[float, float, float]:
    """A colour as amounts of light."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """How well one colour is read on another, as the guidelines for web content measure it (4.5 is good)."""
    lights = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in map(light_of, (one, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@in_each_theme
def test_words_can_be_read_on_every_tile(theme: Theme) -> None:
    poor = set()
    for title, name in TILES:
        tile = tiles(title)[name]
        for shape in read(draw_tile(name, tile, faces(title, name)[0], theme)):
            ground = theme.tiles[tile.colour] if shape.words in (name, tile.label) else theme.value
            if shape.kind == "text" and contrast(shape.at["fill"], ground) < 4.5:
                poor.add(f"{tile.colour}: {contrast(shape.at['fill'], ground):.1f}")
    assert not poor, f"contrast of numbers and labels in the theme {theme.name}"


@in_each_theme
def test_track_stands_out_from_every_tile(theme: Theme) -> None:
    for colour, ground in theme.tiles.items():
        assert contrast(theme.track, ground) >= 3, f"{theme.name}: track on {colour}"


@in_each_theme
def test_words_can_be_read_on_paper_and_land(theme: Theme) -> None:
    assert contrast(theme.ink, theme.paper) >= 7
    assert contrast(theme.ink, theme.land) >= 7
    assert contrast(theme.faint, theme.paper) >= 3
    for colour in (theme.water, theme.hill, theme.mountain):
        assert contrast(colour, theme.land) >= 3, f"{theme.name}: costs of terrain in {colour} on land"


SEEN = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""How colours look to people who lack one kind of cone (Machado, Oliveira and Fernandes 2009)."""


def looks(colour: str, eyes: str) -> tuple[float, float, float]:
    """A colour as those eyes see it, in a space where distances are differences (CIE Lab)."""
    light = light_of(colour)
    red, green, blue = (max(0.0, sum(a * b for a, b in zip(row, light, strict=True))) for row in SEEN[eyes])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("eyes", SEEN)
def test_the_colour_blind_theme_keeps_tiles_apart(eyes: str) -> None:
    theme = THEMES["colour-blind"]
    for (one, first), (other, second) in combinations(theme.tiles.items(), 2):
        away = math.dist(looks(first, eyes), looks(second, eyes))
        assert away >= 15, f"{one} and {other} differ by {away:.0f} only for {eyes} eyes"


@in_each_theme
def test_routes_differ_by_dash_as_well_as_by_colour(theme: Theme) -> None:
    assert len(set(theme.routes)) == len(theme.routes) == len(set(DASHES)) == len(DASHES)


@in_each_theme
def test_routes_are_seen_on_their_rim(theme: Theme) -> None:
    """Routes are drawn upon a light rim, which shows between the dashes."""
    unseen = [colour for colour in theme.routes if contrast(colour, theme.route_rim) < 2.5]
    assert not unseen


# Whole pictures


@of_each_tile
@in_each_theme
def test_a_picture_of_a_tile_is_well_formed_and_says_what_it_shows(title: str, name: str, theme: Theme) -> None:
    tile = tiles(title)[name]
    svg = tile_picture(rulebook(title).title, name, 1, theme)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    spoken = [root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")]
    assert all(spoken)
    assert name in str(spoken[0])
    assert tile.colour in str(spoken[1])
    _, _, width, height = (float(part) for part in str(root.get("viewBox")).split())
    assert all(0 <= x <= width and 0 <= y <= height for shape in read(svg) for x, y in shape.points)


def test_those_who_listen_hear_what_a_tile_pays() -> None:
    """The description names each kind of place and its value."""
    silent = set()
    for title, name in TILES:
        root = ElementTree.fromstring(tile_picture(rulebook(title).title, name, 0, THEMES["light"]))
        told = str(root.findtext(f"{SVG}desc"))
        for node in tiles(title)[name].nodes:
            if isinstance(node.value, int) and node.value and not (node.kind in told and str(node.value) in told):
                silent.add(f"{title} {name}")
    assert not silent
