"""Laying track (18CZ VIII.4)."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid
from ostbahn.titles.cz.actions import LayTile, PayOut, RunTrains, TrainRun
from ostbahn.titles.cz.state import EstablishStation, LayTrack, OperateTrains, OperatingRound
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.building import bcb, ekj, laid_on, lay, lays, on, tiles_of, turn
from tests.titles.cz.looking import asked, cash_of, refused_by
from tests.titles.cz.scenes import scene, state_of

OO_HEXES = ("B8", "C7", "D26")


# What counts, and where yellow tiles go


@pytest.mark.rule("18CZ VIII.4/1")
def test_cities_towns_and_red_tiles_are_stops_and_plain_track_is_none() -> None:
    # Dresden on B4, a town on C5, Karlovy Vary, plain track over D6 and E7, Kladno.
    tiles = {
        "B4": on("8896", "E", "SE"),
        "C5": on("58", "NW", "SW"),
        "D4": on("5", "NE", "E"),
        "D6": on("8", "W", "SE"),
        "E7": on("8", "NW", "E"),
        "E9": on("57", "W", "E"),
    }
    way = ("B4.0", "C5.0", "D4.0", "D6", "E7", "E9.0")
    for face, allowed in (("4", True), ("3", False)):
        game = scene(
            phase="e",
            started={"EKJ": (60, "p1")},
            trains={"EKJ": [("e1", face)]},
            tiles=tiles,
            stations={"D4.0": ["EKJ"]},
            agenda=[OperateTrains("EKJ")],
        )
        run = RunTrains((TrainRun("e1", way),))
        assert refused_by(game, run) == ("allowed" if allowed else "18CZ VIII.7/4"), "four stops, six hexes"
        if allowed:
            game.apply(run)
            assert state_of(game).revenue["EKJ"] == 30 + 10 + 20 + 20


@pytest.mark.rule("18CZ VIII.4/2")
def test_yellow_tiles_go_on_empty_hexes() -> None:
    game = ekj("W", "E")
    assert lay("D6", "9", "W", "E") in asked(game)
    assert refused_by(ekj("W", "E", tiles={"D6": on("9", "W", "E")}), lay("D6", "8", "W", "NE")) == "18CZ VIII.5/1"


@pytest.mark.rule("18CZ VIII.4/2")
def test_the_yellow_tile_of_praha_goes_on_its_printed_track() -> None:
    game = turn("BN", phase="b")
    assert lays(game, "E11") == {("E11", "8889", 1), ("E11", "8890", 1), ("E11", "8890", 3), ("E11", "8890", 5)}


@pytest.mark.rule("18CZ VIII.4/2", "18CZ VIII.5/8")
@pytest.mark.parametrize(
    ("company", "lays_on", "tiles", "listed", "accepted"),
    [
        ("EKJ", ("D4", "57"), {}, {0, 1, 2}, set(range(6))),
        ("BN", ("E11", "8890"), {}, {1}, {1, 3, 5}),
        ("BN", ("E11", "8892"), {"E11": ("8891", 1)}, {0}, set(range(6))),
    ],
)
def test_of_rotations_that_look_the_same_one_is_listed_and_all_are_accepted(
    company: str, lays_on: tuple[str, str], tiles: dict[str, tuple[str, int]], listed: set[int], accepted: set[int]
) -> None:
    hex_id, tile = lays_on
    game = turn(company, phase="g", tiles=tiles)
    offered = [option.action for option in asked(game).only(LayTile, hex=hex_id, tile=tile)]
    assert {action.rotation for action in offered if isinstance(action, LayTile)} == listed
    assert len(offered) == len(listed)
    assert {turn for turn in range(6) if refused_by(game, LayTile(hex_id, tile, turn)) == "allowed"} == accepted


@pytest.mark.rule("18CZ VIII.4/2")
def test_nothing_goes_on_the_printed_track_in_the_west() -> None:
    game = turn("BTE", tiles={"D2": on("57", "W", "E")}, stations={"D2.0": ["BTE"]})
    assert not lays(game, "D0")
    assert refused_by(game, lay("D0", "3", "E", "SE")) == "18CZ VIII.4/2"


@pytest.mark.rule("18CZ VIII.4/3")
@pytest.mark.parametrize("hex_id", OO_HEXES)
def test_the_oo_hexes_take_no_yellow_tile_but_a_green_one_later(hex_id: str) -> None:
    # A city of its own to the west of each, with track towards it.
    west = {"B8": "B6", "C7": "C5", "D26": "D24"}[hex_id]
    game = turn("OFE", tiles={west: on("57", "W", "E"), "C25": ("621", 1)}, stations={f"{west}.0": ["OFE"]})
    for name in tiles_of("yellow"):
        for turned in range(6):
            assert refused_by(game, LayTile(hex_id, name, turned)) == "18CZ VIII.4/3"
    names = {tile for _, tile, _ in lays(game, hex_id)}
    assert names == {"8885", "8859", "8860", "8863", "8864", "8865"}
    assert LayTile(hex_id, "8885", 0) in asked(game), "W and NE are one of its tracks"


# How many


@pytest.mark.rule("18CZ VIII.4/4", "18CZ VIII.3/2")
def test_the_first_turn_has_two_yellow_tiles_and_no_third() -> None:
    game = turn("EKJ", phase="a")
    game.apply(lay("D4", "57", "W", "E"))
    game.apply(lay("D6", "9", "W", "E"))
    assert not lays(game)
    assert isinstance(asked(game).task, EstablishStation)
    assert refused_by(game, lay("D8", "9", "W", "E")) == "18CZ VIII.3/1"
    assert set(laid_on(game)) == {"D4", "D6"}


@pytest.mark.rule("18CZ VIII.4/4")
def test_the_first_turn_has_no_promotion_beside_a_yellow_tile() -> None:
    yellow_first = turn("EKJ")
    yellow_first.apply(lay("D4", "57", "W", "E"))
    assert refused_by(yellow_first, lay("D4", "14", "SW", "W", "NE", "E")) == "18CZ VIII.3/2"
    assert {hex_id for hex_id, _, _ in lays(yellow_first)} == {"D2", "D6"}
    promotion_first = turn("EKJ", tiles={"D4": on("57", "W", "E")})
    promotion_first.apply(lay("D4", "14", "SW", "W", "NE", "E"))
    assert refused_by(promotion_first, lay("D6", "9", "W", "E")) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.3/2", "18CZ VIII.4/4")
@pytest.mark.parametrize(("ruling", "beside"), [("promotion", False), ("yellow lay", True)])
def test_the_first_tile_of_praha_counts_as_the_ruling_says(ruling: str, beside: bool) -> None:
    praha, yellow = LayTile("E11", "8889", 1), lay("D12", "9", "SW", "NE")
    praha_first = turn("BN", phase="b", rulings={"praha_first_tile": ruling})
    praha_first.apply(praha)
    assert refused_by(praha_first, yellow) == ("allowed" if beside else "18CZ VIII.3/1")
    yellow_first = turn("BN", phase="b", rulings={"praha_first_tile": ruling})
    yellow_first.apply(yellow)
    assert refused_by(yellow_first, praha) == ("allowed" if beside else "18CZ VIII.3/2")
    later = turn("BN", phase="b", rulings={"praha_first_tile": ruling}, stations={"E11.1": ["BN"]})
    later.apply(praha)
    assert refused_by(later, yellow) == "18CZ VIII.3/1", "in a later turn it is one tile in any case"


@pytest.mark.rule("18CZ VIII.4/5")
def test_a_later_turn_has_one_tile() -> None:
    game = ekj("W", "E")
    game.apply(lay("D6", "9", "W", "E"))
    assert refused_by(game, lay("D8", "9", "W", "E")) == "18CZ VIII.3/1"
    assert not lays(game)


@pytest.mark.rule("18CZ VIII.4/5")
def test_a_later_turn_has_one_promotion() -> None:
    game = ekj("W", "E", phase="d", tiles={"D6": on("9", "W", "E")})
    game.apply(lay("D4", "14", "SW", "W", "NE", "E"))
    assert refused_by(game, lay("D6", "20", "SW", "W", "NE", "E")) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.4/6")
@pytest.mark.parametrize("in_first_turn", [0, 1])
def test_a_tile_not_laid_in_the_first_turn_is_lost(in_first_turn: int) -> None:
    game = turn("EKJ", agenda=[OperatingRound(("EKJ", "EKJ"))], phase="a")
    ways = [lay("D4", "57", "W", "E"), lay("D6", "9", "W", "E"), lay("D8", "9", "W", "E")]
    for way in ways[:in_first_turn]:
        game.apply(way)
    game.apply(Pass())
    while not isinstance(asked(game).task, LayTrack):
        game.apply(next(option.action for option in asked(game) if not isinstance(option.action, PayOut)))
    game.apply(ways[in_first_turn])
    assert refused_by(game, ways[in_first_turn + 1]) == "18CZ VIII.3/1"
    assert len(laid_on(game)) == in_first_turn + 1


# At home first


@pytest.mark.rule("18CZ VIII.4/7")
def test_the_first_tile_goes_home() -> None:
    elsewhere = lay("I11", "621", "W", "E")
    game = turn("VBW", phase="a", stations={"I11.0": ["BTE"]})
    assert refused_by(game, elsewhere) == "18CZ VIII.4/7"
    assert {hex_id for hex_id, _, _ in lays(game)} == {"I9"}


@pytest.mark.rule("18CZ VIII.4/7")
def test_a_home_that_somebody_has_tiled_lets_the_company_build_elsewhere() -> None:
    game = turn("VBW", phase="a", tiles={"I9": on("57", "W", "E")})
    assert lay("I11", "621", "W", "E") in asked(game)


@pytest.mark.rule("18CZ VIII.4/7")
@pytest.mark.parametrize(("company", "neighbour"), [("BN", "D12"), ("NWB", "F12")])
def test_praha_has_printed_track_to_begin_with(company: str, neighbour: str) -> None:
    game = turn(company, phase="b")
    assert {hex_id for hex_id, _, _ in lays(game)} == {"E11", neighbour}


@pytest.mark.rule("18CZ VIII.4/7")
@pytest.mark.parametrize(("site", "rule"), [(False, "18CZ VIII.4/7"), (True, "allowed")])
def test_home_stays_first_whatever_was_taken_over(site: bool, rule: str) -> None:
    # KFN skipped its first turns and took over EKJ with its station and track.
    game = turn(
        "KFN", tiles={"D4": on("57", "W", "E")}, stations={"G19.0": ["KFN"], "D4.0": ["KFN"]}, site=site, phase="b"
    )
    assert refused_by(game, lay("D6", "9", "W", "E")) == rule
    assert lay("G19", "621", "W", "E") in asked(game)


# Connections


@pytest.mark.rule("18CZ VIII.4/8")
def test_a_tile_must_continue_track_from_a_station() -> None:
    game = ekj("W", "E")
    assert lay("D6", "8", "W", "NE") in asked(game)
    assert refused_by(game, lay("D6", "8", "SW", "NW")) == "18CZ VIII.4/8", "it lies there, but not at the track"
    assert refused_by(game, lay("E5", "9", "W", "E")) == "18CZ VIII.4/8", "a neighbour without track to it"
    assert refused_by(game, lay("H18", "9", "W", "E")) == "18CZ VIII.4/8"
    assert {(hex_id, turned % 3) for hex_id, tile, turned in lays(game) if tile == "9"} == {("D6", 1)}


@pytest.mark.rule("18CZ VIII.4/8")
@pytest.mark.parametrize(("there", "rule"), [((), "allowed"), (("KFN",), "18CZ VIII.4/8"), (("OFE",), "allowed")])
def test_a_city_full_of_others_stations_is_the_end(there: tuple[str, ...], rule: str) -> None:
    tiles = {"C25": on("621", "W", "E"), "C23": on("57", "W", "E")}
    stations = {"C25.0": ("OFE",), **({"C23.0": there} if there else {})}
    game = turn("OFE", others=["KFN"], tiles=tiles, stations=stations)
    assert refused_by(game, lay("C21", "9", "W", "E")) == rule


# What fits where


@pytest.mark.rule("18CZ VIII.4/9")
def test_a_town_takes_town_tiles() -> None:
    game = ekj("SW", "NE", phase="a")
    assert refused_by(game, lay("E3", "9", "SW", "NE")) == "18CZ VIII.4/9"
    assert refused_by(game, lay("E3", "57", "SW", "NE")) == "18CZ VIII.4/9"
    assert refused_by(game, lay("E3", "55", "SW", "W", "NE", "E")) == "18CZ VIII.4/9", "one town is not two"
    assert {tile for _, tile, _ in lays(game, "E3")} == {"3", "58", "4"}


@pytest.mark.rule("18CZ VIII.4/10")
def test_two_towns_take_tiles_with_two_towns() -> None:
    game = bcb("W", "E")
    assert refused_by(game, lay("E13", "4", "W", "E")) == "18CZ VIII.4/10"
    assert refused_by(game, lay("E13", "9", "W", "E")) == "18CZ VIII.4/10"
    assert {tile for _, tile, _ in lays(game, "E13")} == {"1", "2", "55", "56", "69"}


@pytest.mark.rule("18CZ VIII.4/11")
def test_one_connected_track_of_a_two_town_tile_is_enough() -> None:
    game = bcb("W", "E")
    # Tile 55 has two straight tracks; E13 is reached from the east only.
    assert {turned for _, tile, turned in lays(game, "E13") if tile == "55"} == {0, 1, 3, 4}
    assert refused_by(game, LayTile("E13", "55", 2)) == "18CZ VIII.4/8", "neither track leads east"
    assert refused_by(game, lay("E13", "56", "SW", "W", "NW", "NE")) == "18CZ VIII.4/8"


@pytest.mark.rule("18CZ VIII.4/12")
def test_a_city_takes_city_tiles() -> None:
    game = turn("EKJ", phase="a")
    assert refused_by(game, lay("D4", "9", "W", "E")) == "18CZ VIII.4/12"
    assert refused_by(game, lay("D4", "4", "W", "E")) == "18CZ VIII.4/12"
    assert {tile for _, tile, _ in lays(game)} == {"5", "6", "57"}


@pytest.mark.rule("18CZ VIII.4/13")
def test_y_cities_take_y_tiles_and_no_other_place_does() -> None:
    ostrava, karlovy_vary = turn("OFE", phase="a"), turn("EKJ", phase="a")
    assert {tile for _, tile, _ in lays(ostrava)} == {"201", "202", "621"}
    for plain, with_y in (("5", "201"), ("6", "202"), ("57", "621")):
        turned = next(rotation for hex_id, tile, rotation in lays(ostrava) if tile == with_y)
        assert refused_by(ostrava, LayTile("C25", plain, turned)) == "18CZ VIII.4/13"
        assert refused_by(karlovy_vary, LayTile("D4", with_y, 0)) == "18CZ VIII.4/13"


@pytest.mark.rule("18CZ VIII.4/13")
def test_the_y_cities_are_those_of_the_map() -> None:
    cities = {hex_.id for hex_ in cz_title().map if hex_.printed.label == "Y"}
    assert cities == {"B12", "C25", "F6", "G19", "I11"}


@pytest.mark.rule("18CZ VIII.4/14")
def test_praha_takes_p_tiles_and_no_other_place_does() -> None:
    game = turn("BN", phase="b")
    for name in ("57", "621", "4", "9"):
        assert refused_by(game, LayTile("E11", name, 0)) == "18CZ VIII.4/14"
    for name in ("8889", "8890"):
        assert refused_by(turn("EKJ", phase="a"), LayTile("D4", name, 0)) == "18CZ VIII.4/14"
        assert refused_by(turn("OFE", phase="a"), LayTile("C25", name, 0)) == "18CZ VIII.4/14"
        assert refused_by(game, LayTile("D12", name, 0)) == "18CZ VIII.4/14"


@pytest.mark.rule("18CZ VIII.4/15")
def test_open_country_takes_plain_track() -> None:
    game = ekj("W", "E")
    assert {tile for _, tile, _ in lays(game, "D6")} == {"7", "8", "9"}
    for name in ("4", "57", "55"):
        assert refused_by(game, LayTile("D6", name, 1)) == "18CZ VIII.4/15"


# What it costs


@pytest.mark.rule("18CZ VIII.4/16")
def test_the_first_tile_pays_for_the_terrain() -> None:
    hill = lay("E5", "9", "NW", "SE")
    poor = ekj("NW", "SE", cash={"EKJ": 15})
    assert refused_by(poor, hill) == "18CZ VIII.4/16"
    assert not lays(poor, "E5")
    game = ekj("NW", "SE", cash={"EKJ": 25})
    bank = cash_of(game, BANK)
    record = game.apply(hill)
    assert cash_of(game, "EKJ") == 5
    assert cash_of(game, BANK) == bank + 20
    assert [(paid.source, paid.target, paid.amount) for paid in record.events if isinstance(paid, Paid)] == [
        ("EKJ", BANK, 20)
    ]


@pytest.mark.rule("18CZ VIII.4/16")
def test_the_first_tile_on_praha_and_on_an_oo_hex_pays_too() -> None:
    praha = turn("BN", phase="b", cash={"BN": 9})
    assert refused_by(praha, LayTile("E11", "8889", 1)) == "18CZ VIII.4/16"
    praha = turn("BN", phase="b", cash={"BN": 10})
    praha.apply(LayTile("E11", "8889", 1))
    assert cash_of(praha, "BN") == 0
    teplice = turn("ATE", stations={"B8": ["ATE"]}, cash={"ATE": 10})
    teplice.apply(LayTile("B8", "8885", 0))
    assert cash_of(teplice, "ATE") == 0


@pytest.mark.rule("18CZ VIII.4/17")
@pytest.mark.parametrize(("there", "tile", "cost"), [("C3", on("8", "SE", "NE"), 40), ("E5", on("9", "NW", "SE"), 20)])
def test_hills_and_mountains(there: str, tile: tuple[str, int], cost: int) -> None:
    game = ekj("NW", "SE")
    game.apply(LayTile(there, *tile))
    assert cash_of(game, "EKJ") == 500 - cost


@pytest.mark.rule("18CZ VIII.4/17")
def test_flat_land_is_free() -> None:
    game = ekj("W", "E", cash={"EKJ": 0})
    game.apply(lay("D6", "9", "W", "E"))
    assert cash_of(game, "EKJ") == 0


@pytest.mark.rule("18CZ VIII.4/17")
def test_a_river_city_costs_its_own_company_too() -> None:
    game = turn("BCB", phase="a")
    game.apply(lay("E15", "57", "W", "E"))
    assert cash_of(game, "BCB") == 490


@pytest.mark.rule("18CZ VIII.4/17")
def test_the_printed_costs() -> None:
    terrain = {hex_.id: (hex_.printed.terrain, hex_.printed.cost) for hex_ in cz_title().map}
    assert Counter(terrain.values()) == {("river", 10): 14, ("hill", 20): 13, ("mountain", 40): 7, (None, 0): 73}
    mountains = {hex_id for hex_id, (kind, _) in terrain.items() if kind == "mountain"}
    assert mountains == {"A15", "B6", "B20", "C3", "C5", "C21", "I7"}
    rivers = {hex_id for hex_id, (kind, _) in terrain.items() if kind == "river"}
    assert " ".join(sorted(rivers)) == "A9 B8 C11 C17 C9 D10 D12 D14 D16 E11 E15 F10 G9 H10"
