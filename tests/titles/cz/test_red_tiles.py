"""Where track may lead, stubs, and the red home tiles of the large companies (18CZ VIII.4)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.titles.cz.actions import LayRedTile, LayTile
from ostbahn.titles.cz.state import RedHome
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.building import bcb, ekj, laid_on, lay, lays, on, tiles_of, turn
from tests.titles.cz.looking import asked, refused_by
from tests.titles.cz.scenes import state_of

# The edge of the map, and red hexes


@pytest.mark.rule("18CZ VIII.4/18")
def test_no_track_runs_off_the_map() -> None:
    game = turn("VBW", phase="a")
    assert refused_by(game, lay("I9", "57", "SW", "NE")) == "18CZ VIII.4/18"
    # South-west of Strakonice there is no hex.
    assert {turned % 3 for _, tile, turned in lays(game) if tile == "57"} == {1, 2}
    assert not any(lay("I9", "6", "SW", other) in asked(game) for other in ("NW", "E"))


@pytest.mark.rule("18CZ VIII.4/18")
def test_a_promotion_does_not_run_off_the_map_either() -> None:
    game = turn("VBW", tiles={"I9": on("57", "W", "E")}, stations={"I9.0": ["VBW"]})
    assert refused_by(game, lay("I9", "14", "SW", "W", "NE", "E")) == "18CZ VIII.4/18"
    assert lay("I9", "14", "W", "NW", "E", "SE") in asked(game)


RED_HEX_STATES = {
    "bare": {},
    "its red tile": {"B4": on("8896", "E", "SE")},
    "never, as Sx chose the other one": {"A7": on("8896", "E", "SE")},
}


@pytest.mark.rule("18CZ VIII.4/19")
@pytest.mark.parametrize("dresden", RED_HEX_STATES.values(), ids=RED_HEX_STATES)
def test_track_may_point_into_a_red_edged_hex(dresden: dict[str, tuple[str, int]]) -> None:
    game = ekj("SW", "NE", phase="d", tiles=dresden)
    assert lay("C5", "58", "SW", "NW") in asked(game)


@pytest.mark.rule("18CZ VIII.4/20")
def test_track_need_not_meet_track() -> None:
    game = ekj("W", "E", tiles={"D8": on("9", "SW", "NE")})
    assert lay("D6", "9", "W", "E") in asked(game)


@pytest.mark.rule("18CZ VIII.4/20")
def test_track_need_not_meet_that_of_a_red_tile() -> None:
    # Dresden on B4 leads to C3 and C5, not east to B6.
    tiles = {"B4": on("8896", "SE", "SW"), "C5": on("4", "SW", "NE")}
    game = ekj("SW", "NE", phase="d", tiles=tiles)
    assert lay("B6", "7", "W", "SW") in asked(game)


@pytest.mark.rule("18CZ VIII.4/21")
def test_the_stub_north_east_of_praha_is_kept() -> None:
    game = bcb("NW", "SE", tiles={"D14": on("8", "SE", "W")})
    assert refused_by(game, lay("D12", "9", "W", "E")) == "18CZ VIII.4/21"
    assert lays(game, "D12") == {("D12", *on("8", "SW", "E"))}


@pytest.mark.rule("18CZ VIII.4/21")
def test_the_stub_south_east_of_praha_is_kept() -> None:
    game = bcb("SW", "NE", tiles={"F14": on("8", "NE", "W")})
    assert refused_by(game, lay("F12", "4", "W", "E")) == "18CZ VIII.4/21"
    assert lays(game, "F12") == {("F12", *on("58", "NW", "E"))}


@pytest.mark.rule("18CZ VIII.4/21")
def test_there_are_two_stubs_and_they_lead_to_praha() -> None:
    stubs = {hex_.id: hex_.printed.stubs for hex_ in cz_title().map if hex_.printed.stubs}
    assert stubs == {"D12": ("SW",), "F12": ("NW",)}


# Red tiles


@pytest.mark.rule("18CZ VIII.4/22")
@pytest.mark.parametrize("company", ["Sx", "Pr", "By", "kk", "Ug"])
def test_a_red_tile_goes_on_one_of_its_companys_two_hexes(company: str) -> None:
    game = turn(company)
    homes = {"Sx": "A7 B4", "Pr": "B18 A21", "By": "F2 H4", "kk": "J14 I17", "Ug": "I23 G27"}
    everywhere = " ".join(homes.values()).split()
    for hex_id in [*everywhere, "D6", "E11", "Z99"]:
        rules = {refused_by(game, LayRedTile(hex_id, turned)) for turned in range(6)}
        if hex_id in homes[company].split():
            assert rules == {"allowed", "18CZ VIII.4/18"}
        else:
            assert rules == {"18CZ VIII.4/22"}


@pytest.mark.rule("18CZ VIII.4/22")
def test_nobody_else_lays_a_red_tile() -> None:
    game = ekj("SW", "NE", phase="d", tiles={"C5": on("58", "SW", "NW")})
    for name in tiles_of("red"):
        assert refused_by(game, LayTile("B4", name, 4)) == "18CZ VIII.4/22"
    assert refused_by(game, LayRedTile("B4", 4)) == "18CZ VIII.3/1", "it is not asked for a red tile"


@pytest.mark.rule("18CZ VIII.4/23")
def test_the_red_tile_comes_beside_two_yellow_ones() -> None:
    game = turn("Sx")
    assert isinstance(asked(game).task, RedHome)
    assert refused_by(game, Pass()) == "18CZ VIII.3/1", "it is compulsory"
    game.apply(LayRedTile("A7", 4))
    assert state_of(game).board.stations == {"A7.0": ("Sx",)}
    game.apply(lay("A9", "4", "W", "E"))
    game.apply(lay("A11", "9", "W", "E"))
    assert refused_by(game, lay("A13", "9", "W", "E")) == "18CZ VIII.3/1"
    assert set(laid_on(game)) == {"A7", "A9", "A11"}


@pytest.mark.rule("18CZ VIII.4/23")
def test_the_red_tile_comes_beside_a_promotion() -> None:
    game = turn("Sx", tiles={"C7": on("8885", "W", "NW", "NE", "E")})
    game.apply(LayRedTile("A7", 4))
    game.apply(LayTile("B8", "8859", 0))
    assert refused_by(game, lay("A9", "4", "W", "E")) == "18CZ VIII.3/1"
    assert set(laid_on(game)) == {"A7", "B8", "C7"}


@pytest.mark.rule("18CZ VIII.4/24")
def test_the_other_reserved_hex_is_never_built_on() -> None:
    tiles = {"A7": on("8896", "E", "SE"), "C5": on("58", "SW", "NW"), "D4": on("57", "SW", "NE")}
    for company in ("Sx", "EKJ"):
        game = turn(company, tiles=tiles, stations={"A7.0": ["Sx"], "D4.0": ["EKJ"]}, phase="j")
        assert not lays(game, "B4")
        for name in tiles_of("yellow", "green", "brown", "grey", purple_edged=False):
            assert refused_by(game, LayTile("B4", name, 4)) == "18CZ VIII.4/24"
        for name in tiles_of("red"):
            assert refused_by(game, LayTile("B4", name, 4)) == "18CZ VIII.4/22"
        assert refused_by(game, LayRedTile("B4", 4)) == "18CZ VIII.3/1"
