"""The board as text."""

from __future__ import annotations

import random

import pytest

from ostbahn.kernel.map.board import Board
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kits.catalogue import new_game
from ostbahn.terminal.board_text import FULL_WIDTH, board_lines
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.views.terminal import CzBoardText
from ostbahn.titles.cz.words.text_renderer import cz_table

SIDES = {"NW": (0, -6), "NE": (0, -2), "SW": (4, -6), "SE": (4, -2), "E": (2, 0), "W": (2, -8)}
"""Where the track of a side is drawn, from the upper right corner of a hex."""


def empty() -> CzTable:
    return cz_table(new_game("18CZ", ["A", "B", "C"]))


def with_tiles(**tiles: tuple[str, int]) -> CzTable:
    table = empty()
    table.state.board = Board(tiles, table.state.board.stations)
    return table


def picture(table: CzTable, width: int = FULL_WIDTH) -> list[str]:
    return [line.plain for line in board_lines(CzBoardText(table), width)]


def corner(hex_id: str) -> tuple[int, int]:
    """The upper right corner of a hex in the picture."""
    return 4 * (ord(hex_id[0]) - ord("A")), 4 * int(hex_id[1:]) + 7


def inside(lines: list[str], hex_id: str) -> list[str]:
    """The three lines of text in a hex."""
    top, right = corner(hex_id)
    return [lines[top + number].ljust(FULL_WIDTH)[max(right - 7, 1) : right].strip() for number in (1, 2, 3)]


def crossing(lines: list[str], hex_id: str, side: str) -> str:
    top, right = corner(hex_id)
    y, x = SIDES[side]
    return lines[top + y][max(right + x, 0)]


def test_the_board_is_as_wide_as_it_may_be() -> None:
    lines = picture(empty())
    assert len(lines) == 41
    assert max(map(len, lines)) == FULL_WIDTH == 120


def test_every_hex_is_where_it_belongs() -> None:
    table = empty()
    lines = picture(table)
    for hex_ in table.title.map:
        assert inside(lines, hex_.id)[0].split()[0] == hex_.id


def test_terrain_cities_towns_and_homes_are_marked() -> None:
    lines = picture(empty())
    assert inside(lines, "A15") == ["A15 ▲40", "", ""]
    assert inside(lines, "A9") == ["A9  ~10", "", "•"]
    assert inside(lines, "B14") == ["B14", "", "•|•"]
    assert inside(lines, "E11") == ["E11 ~10", "Praha", "nwb|bn"]
    assert inside(lines, "D4") == ["D4", "Karlovy", "ekj"]
    assert inside(lines, "C25") == ["C25", "Ostrava", "ofe Y"]
    assert inside(lines, "B8") == ["B8  ~10", "Teplice", "○|○ OO"]
    assert inside(lines, "A7") == ["A7", "home", "of Sx"]
    assert inside(lines, "D0") == ["D0 +10", "", "•"]


def test_a_tile_shows_number_rotation_and_value() -> None:
    assert inside(picture(with_tiles(D4=("57", 2))), "D4") == ["D4  +20", "57/2", "ekj"]
    assert inside(picture(with_tiles(D6=("9", 4))), "D6") == ["D6", "9/4", ""]


def test_stations_stand_in_their_cities() -> None:
    table = with_tiles(D16=("14", 0), E11=("8891", 0))
    table.state.operated = ("NWB", "BN", "ATE", "BTE")
    stations = {"D16.0": ("ATE",), "E11.0": ("NWB",), "E11.1": ("ATE",), "E11.2": ("BN",), "B8": ("ATE",)}
    table.state.board = Board(table.state.board.tiles, stations)
    lines = picture(table)
    assert inside(lines, "D16") == ["D16 +30", "14/0", "ATE ○"]
    assert inside(lines, "E11") == ["E11 +40", "NWB|ATE", "BN|○"]
    assert "E11 Praha: tile 8891/0, stations NWB | ATE | BN | ○" in lines
    assert inside(lines, "B8") == ["B8  ~10", "Teplice", "○|○ ATE"]


def test_printed_track_and_stubs_are_drawn() -> None:
    lines = picture(empty())
    assert crossing(lines, "D0", "E") == "╡"
    assert crossing(lines, "D0", "SE") == "╨"
    assert crossing(lines, "E11", "NE") == "╫", "Praha and the stub of D12"
    assert crossing(lines, "D12", "SW") == "╫"
    assert crossing(lines, "E11", "NW") == "─"
    assert crossing(lines, "D2", "E") == "│"


@pytest.mark.parametrize("rotation", range(6))
@pytest.mark.parametrize("tile", ["7", "8", "9", "57", "14", "611", "44"])
def test_track_is_drawn_at_the_sides_it_reaches(tile: str, rotation: int) -> None:
    table = with_tiles(G7=(tile, rotation))
    lines = picture(table)
    exits = table.title.tile_set.faces[tile][rotation].exits
    ends = {"NW": "╥", "NE": "╥", "SW": "╨", "SE": "╨", "W": "╞", "E": "╡"}
    for number, side in enumerate(DIRECTIONS):
        expected = ends[side] if exits >> number & 1 else ("│" if side in ("E", "W") else "─")
        assert crossing(lines, "G7", side) == expected, side


def test_track_that_goes_on_is_drawn_through() -> None:
    lines = picture(with_tiles(G5=("9", 1), G7=("9", 1), F8=("9", 0)))
    assert crossing(lines, "G5", "E") == crossing(lines, "G7", "W") == "╪"
    lines = picture(with_tiles(G7=("9", 0), F8=("9", 0), H6=("4", 0)))
    assert crossing(lines, "G7", "NE") == crossing(lines, "F8", "SW") == "╫"
    assert crossing(lines, "G7", "SW") == crossing(lines, "H6", "NE") == "╫"


def test_a_narrow_screen_gets_the_board_in_two_parts() -> None:
    table = empty()
    lines = picture(table, 80)
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert all(hex_.id in text for hex_ in table.title.map)


def test_any_state_of_a_game_can_be_drawn() -> None:
    chance = random.Random(8)
    game = new_game("18CZ", [f"Player {seat}" for seat in range(4)], seed=8)
    while game.question is not None and len(game) < 500:
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
        if len(game) % 25 == 0:
            table = cz_table(game)
            lines = picture(table)
            assert max(map(len, lines[:41])) == FULL_WIDTH
            for hex_id, (tile, rotation) in table.state.board.tiles.items():
                shown = inside(lines, hex_id)
                assert shown[1] == f"{tile}/{rotation}" or any(line.startswith(f"{hex_id} ") for line in lines[41:])
            for city, companies in table.state.board.stations.items():
                shown = inside(lines, city.partition(".")[0])
                assert all(company in " ".join(shown[1:]) for company in companies)
