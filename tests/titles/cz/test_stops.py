"""Revenue locations as companies see them, and runs with trains that nobody has.

Both are kept for whoever asks again. So each test asks for things that are nearly the same, one after the other: what
is kept for one must not be taken for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec import structs

from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.network import Stop
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.moravia_board import our_board
from ostbahn.titles.cz.running import RUNNING, best_of, stop_at
from ostbahn.titles.cz.state import CzTable
from tests.titles.cz.lines import CITY_20, CITY_30, CITY_60, RED, TOWN_10, Tiles, line, turned
from tests.titles.cz.moravian import fresh, moravia
from tests.titles.cz.scenes import scene, setup_for, table_of

RED_OF_UG = {"I23": turned(RED["Ug"], "W")}


def on(tiles: Tiles, stations: Mapping[str, Sequence[str]] | None = None, phase: str = "d") -> CzTable:
    return table_of(scene(tiles=tiles, stations=stations, phase=phase))


def seen(table: CzTable, company: str, city: str) -> Stop:
    hex_id, _, node = city.partition(".")
    return stop_at(table, company, table.title.map[hex_id], int(node))


def in_phase(game: Game, phase: str) -> CzTable:
    """The very same board in another phase."""
    return table_of(Game.from_state(game.rulebook, game.setup, structs.replace(game.state, phase=phase)))


# Values


def test_a_red_tile_is_worth_what_the_phase_says_on_the_same_board() -> None:
    game = scene(tiles=RED_OF_UG)
    values = [seen(in_phase(game, phase), "kk", "I23.0").value for phase in ("d", "g", "i", "d")]
    assert values == [30, 40, 50, 30]


def test_only_the_company_at_home_gets_the_bonus() -> None:
    table = on(RED_OF_UG)
    assert [seen(table, company, "I23.0").value for company in ("kk", "Ug", "Sx")] == [30, 80, 30]
    assert {seen(table, company, "I23.0").bonus for company in ("kk", "Ug")} == {0}


def test_in_moravia_the_bonus_is_for_every_company_and_beside_the_value() -> None:
    base, other = on(RED_OF_UG), table_of(moravia(tiles=RED_OF_UG, phase="d"))
    for _ in range(2):
        assert [(stop.value, stop.bonus) for stop in (seen(base, "Ug", "I23.0"), seen(other, "Ug", "I23.0"))] == [
            (80, 0),
            (30, 50),
        ]
    assert seen(other, "kk", "I23.0").bonus == 50


def test_a_board_of_ones_own_has_values_of_its_own() -> None:
    """Red tiles in the yellow phase: 20 on the board that comes with the game."""
    own = our_board().replace("yellow = 20", "yellow = 35")
    values = []
    for board in (None, own, None):
        table = table_of(fresh(board=board))
        table.state.board = table.state.board.with_tile("I23", *RED_OF_UG["I23"], {})
        values.append(seen(table, "kk", "I23.0").value)
    assert values == [20, 35, 20]


def test_another_tile_on_the_hex_is_another_stop() -> None:
    tiles = (CITY_20, TOWN_10, CITY_60)
    found = [seen(on({"G11": turned(tile, "W")}), "EKJ", "G11.0") for tile in (*tiles, CITY_20)]
    assert [(stop.value, stop.is_town) for stop in found] == [(20, False), (10, True), (60, False), (20, False)]


def test_stops_of_the_same_tile_on_other_hexes_are_told_apart() -> None:
    table = on({"G11": turned(CITY_20, "W"), "G9": turned(CITY_20, "E")})
    assert [seen(table, "EKJ", city).id for city in ("G11.0", "G9.0")] == ["G11.0", "G9.0"]


def test_cities_of_one_hex_are_told_apart_but_share_their_location() -> None:
    """Praha, where nothing is built yet and nobody has a station."""
    table = on({})
    found = [seen(table, "NWB", city) for city in ("E11.0", "E11.1")]
    assert [stop.id for stop in found] == ["E11.0", "E11.1"]
    assert len({stop.location for stop in found}) == 1


# Stations


@pytest.mark.parametrize(
    ("stations", "own", "passable"),
    [
        pytest.param((), False, True, id="nobody"),
        pytest.param(("OFE",), False, False, id="another fills the only place"),
        pytest.param(("EKJ",), True, True, id="itself"),
        pytest.param(("OFE", "EKJ"), True, True, id="both, after an acquisition"),
    ],
)
def test_a_city_is_closed_by_others_and_never_to_its_own(stations: tuple[str, ...], own: bool, passable: bool) -> None:
    found = seen(on({"G11": turned(CITY_20, "W", "E")}, {"G11.0": stations}), "EKJ", "G11.0")
    assert (found.own, found.passable) == (own, passable)


def test_companies_see_the_same_city_each_in_its_own_way() -> None:
    table = on({"G11": turned(CITY_20, "W", "E")}, {"G11.0": ["OFE"]})
    views = [(seen(table, company, "G11.0").own, seen(table, company, "G11.0").passable) for company in ("EKJ", "OFE")]
    assert views == [(False, False), (True, True)]


def test_a_larger_city_has_room_for_one_more() -> None:
    """A city of 20 has one place for a station, one of 30 has two."""
    small, large = (on({"G11": turned(tile, "W", "E")}, {"G11.0": ["OFE"]}) for tile in (CITY_20, CITY_30))
    assert [seen(table, "EKJ", "G11.0").passable for table in (small, large, small)] == [False, True, False]


def test_nobody_passes_a_red_tile() -> None:
    assert not seen(on(RED_OF_UG, {"I23.0": ["Ug"]}), "Ug", "I23.0").passable


# Runs with trains that nobody has


CITIES = line("G7", CITY_60, CITY_20, CITY_60, CITY_60)


def revenue(table: CzTable, company: str, *faces: str) -> int:
    return best_of(table, company, [[Train(f"x{number}", face) for number, face in enumerate(faces)]]).revenue


def test_a_run_is_found_for_any_trains_and_the_table_stays_as_it_is() -> None:
    game = scene(started={"EKJ": (60, "p1")}, tiles=CITIES, stations={"G9.0": ["EKJ"]}, trains={"EKJ": [("a1", "2")]})
    table, before = table_of(game), game.state.digest
    assert [revenue(table, "EKJ", *faces) for faces in (["3"], ["2"], [], ["4"], ["3"])] == [140, 80, 0, 200, 140]
    assert table.state.digest == before
    assert RUNNING.fleets(table, "EKJ") == [[Train("a1", "2")]]


def test_rulings_are_told_apart_even_on_the_very_same_board() -> None:
    """By the rulebook an E-train counts every city on its way, by the site's reading the best three of four."""
    game = scene(started={"Ug": (100, "p1")}, phase="d", tiles=CITIES, stations={"G9.0": ["Ug"]})
    setups = [setup_for(), setup_for(preset="18xx.games"), setup_for()]
    tables = [table_of(Game.from_state(game.rulebook, setup, game.state)) for setup in setups]
    assert len({id(table.state.board) for table in tables}) == 1
    assert [revenue(table, "Ug", "3E") for table in tables] == [140, 180, 140]


def test_a_guest_is_a_fleet_by_itself_and_runs_for_its_host_only() -> None:
    table = table_of(moravia(phase="d", guest="kk"))
    assert table.guests("kk") == (Train("3E", "3E"),)
    assert table.guests("Ug") == ()
    assert RUNNING.fleets(table, "kk") == [[], [Train("3E", "3E")]]


def test_fleets_may_share_track_but_trains_of_one_fleet_may_not() -> None:
    table = table_of(scene(started={"EKJ": (60, "p1")}, tiles=line("G9", CITY_20, CITY_60), stations={"G9.0": ["EKJ"]}))
    one, other = Train("a1", "2"), Train("a2", "2")
    assert best_of(table, "EKJ", [[one, other]]).revenue == 80
    assert best_of(table, "EKJ", [[one], [other]]).revenue == 160
