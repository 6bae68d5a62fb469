"""Companies that have not begun are seen where they will stand, and are gone from there as soon as they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kits.catalogue import rulebook
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.sheets import blank_board
from ostbahn.pictures.themes import LIGHT, THEMES, Theme, contrast
from ostbahn.table.drawing import changed_hexes
from tests.pictures.board_reading import PLAYED, VARIANTS, ReadBoard, fresh, fresh_board, moments, played
from tests.pictures.svg_reader import Shape, apart

of_each_board = pytest.mark.parametrize(("title", "variant", "players"), VARIANTS)
of_some_games = pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)

FIRST: Mapping[tuple[str, str], Mapping[str, set[str]]] = {
    ("18CZ", "base"): {
        **{"D4": {"EKJ"}, "C25": {"OFE"}, "E15": {"BCB"}, "F22": {"MW"}, "I9": {"VBW"}, "E11": {"BN", "NWB"}},
        **{"B8": {"ATE"}, "D2": {"BTE"}, "G19": {"KFN"}, "A7": {"Sx"}, "B4": {"Sx"}, "B18": {"Pr"}, "A21": {"Pr"}},
        **{"F2": {"By"}, "H4": {"By"}, "J14": {"kk"}, "I17": {"kk"}, "I23": {"Ug"}, "G27": {"Ug"}},
    },
    ("18CZ", "moravia"): {
        **{"E17": {"Sx"}, "B18": {"Pr"}, "A21": {"Pr"}, "G13": {"By"}, "I17": {"kk"}, "I23": {"Ug"}, "G27": {"Ug"}},
        "F22": {"MW"},
    },
    ("18Mag", "base"): {
        **{"E12": {"1"}, "D19": {"2"}, "E10": {"3"}, "G14": {"4"}, "H27": {"5"}, "B17": {"6"}, "G10": {"7"}},
        **{"H5": {"8"}, "I14": {"9"}, "H17": {"10"}, "D7": {"11"}, "H23": {"12"}, "I2": {"13"}},
    },
    ("18Mag", "two_player"): {
        **{"C8": {"1"}, "B15": {"2"}, "C6": {"3"}, "E10": {"4"}, "A12": {"6"}, "E6": {"7"}, "B3": {"11"}}
    },
}
"""As the rulebooks have it: hex to the letters on the markers."""


def future_homes(board: ReadBoard) -> dict[str, list[Shape]]:
    """Hex to the circles of companies that are expected there."""
    found = {hex_.id: [shape for shape in board.of(hex_) if "home" in shape.within] for hex_ in board.map}
    return {hex_id: shapes for hex_id, shapes in found.items() if shapes}


def letters(shapes: list[Shape]) -> set[str]:
    return {shape.words for shape in shapes if shape.kind == "text"}


@pytest.mark.parametrize(("title", "variant"), FIRST)
def test_before_the_game_every_company_is_seen_at_home(title: str, variant: str) -> None:
    players = next(number for name, way, number in VARIANTS if (name, way) == (title, variant))
    board = fresh_board(title, variant, players)
    assert {hex_id: letters(shapes) for hex_id, shapes in future_homes(board).items()} == FIRST[title, variant]


@of_each_board
def test_they_stand_in_the_places_for_stations(title: str, variant: str, players: int) -> None:
    """Where a city is known; a red hex has none yet, so they stand in its middle."""
    game = fresh(title, variant, players)
    empty = scene_of(game)._replace(homes={})
    bare, board = ReadBoard.of_svg(draw_board(empty), empty), ReadBoard(game)
    for hex_id, shapes in future_homes(board).items():
        hex_ = board.map[hex_id]
        slots = [shape for shape in bare.of(hex_) if shape.kind == "circle" and shape.at["fill"] == LIGHT.slot]
        spots = [slot.middle for slot in slots if slot.radius > 10] or [board.centre(hex_id)]
        for ghost in (shape for shape in shapes if shape.kind == "circle"):
            assert min(apart(ghost.middle, spot) for spot in spots) < 0.2, hex_id
            assert ghost.at["stroke-dasharray"], hex_id


@of_each_board
@in_each_theme
def test_they_are_pale_but_can_be_read(title: str, variant: str, players: int, theme: Theme) -> None:
    game = fresh(title, variant, players)
    board, marks = ReadBoard(game, theme), scene_of(game).marks.values()
    for hex_id, shapes in future_homes(board).items():
        circles = [shape for shape in shapes if shape.kind == "circle"]
        words = [shape for shape in shapes if shape.kind == "text"]
        for circle, text in zip(circles, words, strict=True):
            assert circle.at["fill"] not in {mark.colour for mark in marks}, hex_id
            assert contrast(circle.at["fill"], text.at["fill"]) >= 4.5, f"{hex_id} {text.words}"
            assert contrast(circle.at["fill"], circle.at["stroke"]) >= 3, f"{hex_id} {text.words}"


@of_some_games
def test_who_has_a_station_is_expected_nowhere(path: Path) -> None:
    for game in moments(path):
        scene = scene_of(game)
        begun = {company for companies in scene.board.stations.values() for company in companies}
        expected = {company for companies in scene.homes.values() for company in companies}
        assert not begun & expected
        seen = {hex_id: letters(shapes) for hex_id, shapes in future_homes(ReadBoard(game)).items()}
        wanted: dict[str, set[str]] = {}
        for place, companies in scene.homes.items():
            wanted.setdefault(hex_of(place), set()).update(scene.marks[company].letters for company in companies)
        assert seen == wanted


@of_some_games
def test_a_first_station_stands_where_it_was_expected(path: Path) -> None:
    """The whole game is gone through: no company surprises anybody who looked at the board."""
    game = played(path)
    before = scene_of(game.position(0))
    checked = 0
    for number in range(1, len(game) + 1):
        after = scene_of(game.position(number))
        for company in companies_on(after.board.stations) - companies_on(before.board.stations):
            expected = {hex_of(place) for place, companies in before.homes.items() if company in companies}
            stands = {hex_of(place) for place, companies in after.board.stations.items() if company in companies}
            if expected:
                assert stands <= expected, f"{company} after {number}"
                checked += 1
        before = after
    assert checked >= 4


def companies_on(stations: Mapping[str, tuple[str, ...]]) -> set[str]:
    return {company for companies in stations.values() for company in companies}


def draft_end() -> tuple[Game, Game]:
    """The last moment of the draft, and the one after it, when minors that nobody took leave the game."""
    path = next(path for path in PLAYED if path.stem == "18Mag-base-3")
    game = played(path)
    for number in range(len(game)):
        here, there = game.position(number), game.position(number + 1)
        if scene_of(here).homes and not scene_of(there).homes:
            return here, there
    raise AssertionError("the draft never ends")


def test_a_page_is_told_of_homes_that_are_expected_no_more() -> None:
    here, there = draft_end()
    left = {hex_of(place) for place in scene_of(here).homes}
    assert left, "somebody is left over"
    assert left <= changed_hexes(here, there, LIGHT).keys()
    assert left <= changed_hexes(there, here, LIGHT).keys()


def test_the_title_of_a_hex_tells_whose_home_it_is() -> None:
    board = fresh_board("18CZ", "base", 4)
    assert "home of Sx" in board.told(board.map["A7"])
    assert "home of BN, NWB" in board.told(board.map["E11"]) or "home of NWB, BN" in board.told(board.map["E11"])
    assert "home" not in board.told(board.map["E9"])


def test_a_blank_board_says_for_whom_hexes_are_kept() -> None:
    title = rulebook("18CZ").title
    scene = scene_of(fresh("18CZ", "base", 4))
    board = ReadBoard.of_svg(blank_board(title, LIGHT), scene)
    kept = {hex_.id: {hex_.printed.reserved_for} for hex_ in title.map if hex_.printed.reserved_for}
    assert {hex_id: letters(shapes) for hex_id, shapes in future_homes(board).items()} == kept
