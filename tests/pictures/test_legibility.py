"""What is written on boards can be read: large enough, above track, and on nothing else."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board, Hex
from ostbahn.kits.catalogue import rulebook
from ostbahn.kits.kit import DocumentedTitle
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import BoardScene, draw_hex
from ostbahn.pictures.themes import LIGHT
from tests.lengths import length, longer_in_soak
from tests.pictures.board_reading import PLAYED, VARIANTS, fresh, moments
from tests.pictures.svg_reader import Shape, apart, box_holds, read
from tests.pictures.tile_reading import telling

WAYS = [*VARIANTS, ("18Mag", "solo", 1)]
of_each_way = pytest.mark.parametrize(("title", "variant", "players"), WAYS)
PAGE = (1060, 770)
"""How much of a page of 1440 by 900 pixels a board gets."""
MIN_FONT_SIZE = 10
PROBE = telling(LIGHT)
Laid = tuple[str, int]


# Size


def smallest(game: Game) -> tuple[float, str]:
    """The smallest text on a board, in pixels of the page."""
    svg = draw_board(scene_of(game))
    shapes = read(svg)
    _, _, width, height = shapes[0].box  # the paper
    scale = min(PAGE[0] / width, PAGE[1] / height)
    return min((float(text.at["font-size"]) * text.scale * scale, text.words) for text in shapes if text.kind == "text")


@of_each_way
def test_the_smallest_text_of_a_printed_board_is_ten_pixels_high(title: str, variant: str, players: int) -> None:
    size, words = smallest(fresh(title, variant, players))
    assert size >= MIN_FONT_SIZE, words


@pytest.mark.soak
@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_so_is_the_smallest_text_while_it_is_played_on(path: Path) -> None:
    for game in moments(path):
        size, words = smallest(game)
        assert size >= MIN_FONT_SIZE, words


# Names


def lays(book: DocumentedTitle, hex_: Hex) -> list[Laid | None]:
    """A hex as it is printed, and with every tile that can ever come to lie there."""
    seen: dict[Laid | None, None] = {None: None}
    todo: list[Laid | None] = [None]
    while todo:
        fits = book.fitting(hex_, todo.pop())
        new = [(tile, turn) for tile, turns in fits.items() for turn in turns if (tile, turn) not in seen]
        seen |= dict.fromkeys(new)
        todo += new
    return list(seen)


class Face(NamedTuple):
    """A hex with something on it, as it is drawn."""

    where: str
    shapes: list[Shape]

    @property
    def names(self) -> list[Shape]:
        return [shape for shape in self.shapes if shape.kind == "text" and "name" in shape.within]


@lru_cache(maxsize=1)
def faces(title: str, variant: str, players: int, hex_id: str) -> list[Face]:
    """A hex as it is printed, and with what can lie on it; with all of that in a soak."""
    book = rulebook(title, variant, players).title
    hex_, found = book.map[hex_id], []
    for laid in lays(book, hex_)[:: length(3, 1)]:
        board = Board({} if laid is None else {hex_id: laid}, {})
        found.append(Face(f"{hex_id} {laid}", read(draw_hex(BoardScene(book, board, "", {}), hex_, PROBE))))
    return found


NAMED = [
    (title, variant, players, hex_.id)
    for title, variant, players in (("18CZ", "base", 4), ("18Mag", "base", 4), ("18Mag", "two_player", 2))
    for hex_ in rulebook(title, variant, players).title.map
    if hex_.printed.name and hex_.printed.ground != "red"
]
"""The other boards have no hex that these have not."""
of_each_name = pytest.mark.parametrize("hex_", NAMED, ids=lambda hex_: "-".join(map(str, hex_)))


def covered(name: Shape, shapes: list[Shape]) -> list[str]:
    """Cities, towns, values and other words upon which a name lies."""
    left, top, right, bottom = name.box
    found = []
    for shape in shapes:
        if shape.kind == "circle":
            x, y = float(shape.at["cx"]), float(shape.at["cy"])
            near = (min(max(x, left), right), min(max(y, top), bottom))
            if apart(near, (x, y)) < shape.radius + shape.width / 2:
                found.append(f"a circle at {x} {y}")
        elif shape is not name and shape.kind in ("rect", "text") and meets(name, shape):
            found.append(shape.words or f"a box at {shape.middle}")
    return found


def meets(name: Shape, shape: Shape) -> bool:
    return any(box_holds(name, point) for point in shape.points)


@pytest.mark.slow
@longer_in_soak
@of_each_name
def test_no_name_lies_on_a_city_a_value_or_other_words_whatever_is_laid(hex_: tuple[str, str, int, str]) -> None:
    found = {
        f"{face.where}: {name.words} on {thing}"
        for face in faces(*hex_)
        for name in face.names
        for thing in covered(name, face.shapes)
    }
    assert not found


@pytest.mark.slow
@longer_in_soak
@of_each_name
def test_names_are_drawn_above_track_in_a_rim_of_the_grounds_colour(hex_: tuple[str, str, int, str]) -> None:
    for where, shapes in faces(*hex_):
        last = max((at for at, shape in enumerate(shapes) if shape.at.get("stroke") == PROBE.track), default=-1)
        for at, name in enumerate(shapes):
            if name.kind == "text" and "name" in name.within:
                assert at > last, f"{where}: {name.words} lies under track"
                assert name.at["stroke"] == shapes[0].at["fill"], f"{where}: {name.words} has another rim"
                assert name.width >= 2, where
                assert name.at["paint-order"] == "stroke", f"{where}: the rim covers the letters of {name.words}"


@pytest.mark.slow
@longer_in_soak
@of_each_name
def test_names_are_those_of_their_hexes(hex_: tuple[str, str, int, str]) -> None:
    """In full, or shortened where there is no room, or not at all: the title of the hex tells them."""
    title, variant, players, hex_id = hex_
    printed = rulebook(title, variant, players).title.map[hex_id].printed
    words = str(printed.name).replace("& ", "").split()
    bare, *others = [" ".join(name.words for name in face.names).replace("& ", "").split() for face in faces(*hex_)]
    assert sorted(bare) == sorted(words)
    for written in others:
        rest = iter(words)
        for part in written:
            assert any(word == part or word.startswith(part.removesuffix(".")) for word in rest), written
    assert len(printed.nodes) > 1 or [] not in others, "a hex with one city has room for its name whatever is laid"
