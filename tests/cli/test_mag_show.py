"""What `show` prints of 18Mag, and its boards."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ostbahn.cli import overview
from ostbahn.cli.main import app
from ostbahn.eighteen.terminal import marker_lines
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kits.catalogue import new_game
from ostbahn.terminal.board_text import FULL_WIDTH, board_lines
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.views.terminal import MagBoardText, MagTerminalRenderer
from ostbahn.titles.mag.words.text_renderer import mag_table

SIDES = {"NW": (0, -6), "NE": (0, -2), "SW": (4, -6), "SE": (4, -2), "E": (2, 0), "W": (2, -8)}
"""Where the track of a side is drawn, from the upper right corner of a hex."""
PLAYERS = {"base": ["Anna", "Ben", "Cyril"], "two_player": ["Anna", "Ben"]}
ROWS = {"base": "ABCDEFGHIJ", "two_player": "aABCDEF"}
LEFT = 3
"""Both boards begin in column 1, and blanks at the left are not printed."""


def table_of(
    variant: str = "base", stations: dict[str, tuple[str, ...]] | None = None, **tiles: tuple[str, int]
) -> MagTable:
    table = mag_table(new_game("18Mag", PLAYERS[variant], variant=variant))
    table.state.owners = {}
    table.state.board = Board(tiles, stations or {})
    return table


def picture(table: MagTable, width: int = FULL_WIDTH) -> list[str]:
    return [line.plain for line in board_lines(MagBoardText(table), width)]


def corner(table: MagTable, hex_id: str) -> tuple[int, int]:
    """The upper right corner of a hex in the picture."""
    return 4 * ROWS[table.title.variant].index(hex_id[0]), 4 * int(hex_id[1:]) + 7 - LEFT


def inside(table: MagTable, hex_id: str) -> list[str]:
    """The three lines of text in a hex."""
    top, right = corner(table, hex_id)
    lines = picture(table)
    return [lines[top + number].ljust(FULL_WIDTH)[right - 7 : right].strip() for number in (1, 2, 3)]


def crossing(table: MagTable, hex_id: str, side: str) -> str:
    top, right = corner(table, hex_id)
    y, x = SIDES[side]
    return picture(table)[top + y][right + x]


def shown(game: Game, width: int) -> list[str]:
    """The lines of `show` on a screen of that width."""
    out = io.StringIO()
    overview.show(Console(file=out, width=width, markup=False, highlight=False, emoji=False), game)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def close(line: str) -> str:
    """A line of a table without the blanks between its columns."""
    return " ".join(line.split())


# The boards


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["base", "two_player"])
def test_every_hex_is_where_it_belongs(variant: str) -> None:
    table = table_of(variant)
    for hex_ in table.title.map:
        assert inside(table, hex_.id)[0][:3].strip() == hex_.id


def test_the_boards_fit_their_screens() -> None:
    base, two = table_of(), table_of("two_player")
    assert max(map(len, picture(base))) == 117
    assert max(map(len, picture(two, 80))) == 77
    assert picture(two, 80) == picture(two), "the smaller board is whole on a narrow screen"
    narrow = picture(base, 80)
    assert max(map(len, narrow)) <= 80
    assert "The same rows in the east:" in narrow
    assert all(hex_.id in "\n".join(narrow) for hex_ in base.title.map)
    assert max(map(len, MagTerminalRenderer.legend)) <= FULL_WIDTH


def test_terrain_cities_towns_mines_and_areas_are_marked() -> None:
    table = table_of()
    assert inside(table, "A12") == ["A12 ▲30", "", ""]
    assert inside(table, "C20") == ["C20~▲20", "", "•"]
    assert inside(table, "D9") == ["D9  ~20", "Györ", "○"]
    assert inside(table, "C6") == ["C6  +30", "Bécs", ""]
    assert inside(table, "A10") == ["A10 +30", "mine", ""]
    assert inside(table, "F9") == ["F9", "Balaton", "≈≈≈≈≈≈≈"]
    assert inside(table, "D19") == ["D19", "Szatmár", "○|○ OO"]
    assert inside(table, "E12") == ["E12 +20", "Buda", "○|○ B"]
    assert inside(table, "H27") == ["H27 ▲10", "Brassó", "○ K"]
    assert inside(table_of("two_player"), "a11") == ["a11 +10", "", "•"]


def test_areas_and_mines_pay_by_the_phase() -> None:
    table = table_of()
    table.state.phase = "brown"
    assert inside(table, "C6")[0] == "C6  +50"
    assert inside(table, "A10")[0] == "A10 +50"


def test_barriers_and_printed_track_are_drawn() -> None:
    table = table_of()
    for hex_id, side in (("C8", "SW"), ("D7", "NE"), ("F5", "SW"), ("G4", "NE"), ("I6", "SW"), ("J5", "NE")):
        assert crossing(table, hex_id, side) == "▒"
    assert sum(line.count("▒") for line in picture(table)) == 9
    assert crossing(table, "E12", "NE") == "╥"
    assert crossing(table, "E12", "SW") == "╨"
    assert crossing(table, "C6", "E") == "╡"
    assert not any("▒" in line for line in picture(table_of("two_player")))


def test_a_tile_shows_number_rotation_and_value_and_balaton_stays() -> None:
    table = table_of(D9=("57", 2), F9=("7", 1), G10=("L32", 3))
    assert inside(table, "D9") == ["D9  +20", "57/2", "○"]
    assert inside(table, "F9") == ["F9", "7/1", "≈≈≈≈≈≈≈"]
    assert inside(table, "G10") == ["G10 +30", "L32/3", "○|○ OO"]


def test_stations_stand_in_their_cities_and_the_rest_beside() -> None:
    stations = {
        "D9.0": ("11", "SIK"),
        "G10.0": ("7",),
        "G10.1": ("LdStEG",),
        "E12.0": ("1", "MÁVAG", "LdStEG", "SzKÉV"),
        "I14.1": ("9",),
    }
    table = table_of("base", stations, D9=("14", 0), G10=("8858", 0), E12=("L35", 0))
    assert inside(table, "D9") == ["D9  +30", "14/0", "11 SIK"]
    assert inside(table, "G10") == ["G10 +40", "7", "LdStEG"]
    assert inside(table, "E12")[1:] == ["1 MÁVAG", "LdStEG"]
    lines = picture(table)
    assert "G10 Pécs & Mohács: tile 8858/0, stations 7 | LdStEG" in lines
    assert "E12 Buda & Pest: tile L35/0, stations 1 MÁVAG LdStEG SzKÉV" in lines
    assert "I14: Újvidék ○ | Pétrovárad 9" in lines


def test_homes_that_can_be_taken_are_marked_in_the_draft() -> None:
    table = mag_table(new_game("18Mag", PLAYERS["base"]))
    assert inside(table, "G10") == ["G10", "Pécs", "○|7? OO"]
    assert inside(table, "H17") == ["H17", "Temesvá", "10?"]
    assert "E12: Buda ○ | Pest 1?" in picture(table)


# The table


def test_markers_of_the_chart_do_not_overlap() -> None:
    assert marker_lines([("A", "B"), (), ("LdStEG",), ("SIK", "G&C"), ("X",)]) == [
        "A       LdStEG  X",
        "B           SIK",
        "            G&C",
    ]
    assert marker_lines([("LdStEG",), ("RÁBA",), ("SzKÉV",)]) == ["LdStEG  SzKÉV", "    RÁBA"]
    assert marker_lines([(), ()]) == []


def test_show_tells_everything_on_the_table(mag_game: Game) -> None:
    lines = shown(mag_game.position(634), 120)
    text = "\n".join(lines)
    assert lines[0] == "18Mag (base) · Operating round 6.1 · green phase · 634 actions · set of 2 operating rounds"
    players = [close(line) for line in lines if line.startswith(("p4 ", "p5 "))]
    assert players == [
        "p4 Dora PD 27 Ft 1/11 SIK 20%* 9 13 147 Ft",
        "p5 Emil 181 Ft 7/11 MÁVAG 30%*, G&C 30%*, SNW 30% 3 4 871 Ft",
    ]
    minor = next(line for line in lines if line.startswith("4  TVV"))
    assert close(minor) == "4 TVV Emil 145 Ft 190 Ft 2/2 2[2-4] 3[3-1] 1 G14.0 F13"
    major = next(line for line in lines if line.startswith("SIK "))
    assert close(major) == "SIK terrain Dora 60 Ft 30 Ft 10 Ft 70% 0 D19.1 G14.1"
    chart = lines.index("Share-price chart")
    assert lines[chart + 1].startswith("55  60  65  70  75  80 ")
    assert lines[chart + 1].endswith(" 400")
    assert close(lines[chart + 2]) == "SIK SNW G&C RÁBA MÁVAG SzKÉV"
    assert lines[chart + 3] == f"{'':4}LdStEG"
    assert lines[chart + 1].index("75") == lines[chart + 2].index("G&C")
    stack = next(line for line in lines if line.startswith("4 for "))
    assert close(stack) == "4 for 200 Ft ∞ LdStEG 4-1 1 begins the brown phase"
    assert (
        "Rail cars (off-board car of RÁBA, plus car of G&C, mine car of SNW): 10, 20, 30 Ft "
        "(for a minor's first, second, third); the off-board car adds 20 Ft." in lines
    )
    assert "The last of 634 actions" in text
    assert "634. Dora for SIK: placed a marker in Szeged & Szabadka (W–E) for 80 Ft" in text
    assert max(len(line) for line in lines if set(line) & set("│┌└├─")) <= 120


def test_companies_are_told_in_lines_where_columns_are_too_narrow(mag_game: Game) -> None:
    game = mag_game.position(634)
    line = (
        "MÁVAG: sells 3- and 6-trains, director Emil, price 90 Ft, treasury 0 Ft, revenue 120 Ft, bank 40%, markers 2"
    )
    assert line in " ".join(map(close, shown(game, 80)))
    assert any(close(row).startswith("MÁVAG 3- and 6-trains Emil 90 Ft 0 Ft ") for row in shown(game, 110))
    assert any(close(row).startswith("4 TVV Emil 145 Ft 190 Ft 2/2 ") for row in shown(game, 80)), "these fit"


def test_show_of_the_draft_tells_what_can_be_taken() -> None:
    game = new_game("18Mag", PLAYERS["two_player"], variant="two_player", draw_order=False)
    lines = shown(game, 80)
    assert lines[0] == "18Mag (two_player) · First share round · yellow phase · 0 actions"
    assert "Can be taken (1 Pest, 2 Nyíregyháza, 3 Székesfehérvár, 4 Szeged, 6 Miskolc, 7 Mohács, 11 Sopron)" in lines
    assert "RÁBA, LdStEG, SIK, SzKÉV: 1 share can be taken now" in lines
    assert (
        "Rail cars (off-board car of RÁBA, plus car of RÁBA): 10 Ft (a minor may have one in a round); "
        "the off-board car adds 20 Ft." in lines
    )


def test_the_end_of_the_game_is_told(mag_game: Game) -> None:
    lines = shown(mag_game, 120)
    assert lines[0].startswith("18Mag (base) · the game is over · grey phase · ")
    assert lines[-5:-2] == ["1. Emil 6595 Ft  wins", "2. Anna 6332 Ft", "3. Cyril 5548 Ft"]


def test_the_last_set_and_a_set_cut_short_are_told(mag_game: Game) -> None:
    heads = {shown(mag_game.position(number), 120)[0].rpartition(" · ")[2] for number in range(200, len(mag_game), 40)}
    assert "the last set, of 3 operating rounds" in heads
    assert "a phase began, so the set ends with this round" in heads


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(("variant", "seed"), [("base", 5), ("base", 6), ("two_player", 5), ("two_player", 6)])
def test_whole_games_can_be_shown_at_any_moment(variant: str, seed: int, width: int) -> None:
    chance = random.Random(seed)
    game = new_game("18Mag", PLAYERS[variant], variant=variant, seed=seed)
    while game.question is not None:
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
        if len(game) % 150 == 0:
            check(game, width)
    check(game, width)


def check(game: Game, width: int) -> None:
    lines = shown(game, width)
    drawn = [line for line in lines if set(line) & set("│┌└├")]
    assert max(map(len, drawn)) <= width
    text, state = "\n".join(lines), game.state
    assert isinstance(state, MagState)
    for minor in state.owners:
        assert any(line.split()[:1] in ([minor], [f"{minor}:"]) for line in lines)
    for city, companies in state.board.stations.items():
        for company in companies:
            assert company in text, (city, company)
    assert " K\n" not in text


def test_the_command_shows_both_titles(tmp_path: Path) -> None:
    path = tmp_path / "mag.json"
    saves.write(path, new_game("18Mag", PLAYERS["base"]))
    result = CliRunner().invoke(app, ["show", str(path)])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("18Mag (base) · First share round")
    assert all(line in result.stdout for line in MagTerminalRenderer.legend)


def test_the_solo_game_shows_istvans_cards() -> None:
    game = new_game("18Mag", ["Eva"], variant="solo", seed=5, options={"difficulty": "difficult", "length": "long"})
    text = "\n".join(shown(game, 240))
    assert (
        "2: István's card 16 (red): without a train it buys a 2-train first; 2-train of a higher minor for 30 Ft"
        in text
    )
    assert "reconstructed" in text
    assert "share card" in text


@pytest.mark.rule("18Mag XI.1/6", "18Mag XI.1/8")
def test_the_share_that_istvan_got_cannot_be_taken_any_more() -> None:
    """It was told as one of four while three are left."""
    game = new_game("18Mag", ["Eva"], variant="solo", seed=5)
    (share,) = [major for major, holders in game.state.certificates.items() if "p2" in holders]
    (line,) = [line for line in shown(game, 240) if line.endswith(": 1 share can be taken now")]
    taken = set(line.partition(":")[0].split(", "))
    assert taken == set(game.state.certificates) - {share}


@pytest.mark.rule("18Mag XI.2.1/3")
def test_terrain_tokens_of_istvan_have_no_end() -> None:
    game = next(
        game
        for game in (new_game("18Mag", ["Eva"], variant="solo", seed=seed) for seed in range(50))
        if mag_table(game).state.owners["7"] == "p2"
    )
    (line,) = [line for line in shown(game, 240) if "MPV" in line]
    assert line.split()[-1] == "endless", "minor 7 was printed with one"
