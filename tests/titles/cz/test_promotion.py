"""Promoting track (18CZ VIII.5); the whole Upgrade Chart is in test_fitting."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid
from ostbahn.titles.cz.actions import ChooseCity, LayRedTile, LayTile, PlaceStation
from ostbahn.titles.cz.state import EstablishStation, HomeCity, LayTrack
from tests.titles.cz.asking import idle
from tests.titles.cz.building import Tiles, ekj, laid_on, lay, lays, on, purple, purple_lays, tiles_of, turn
from tests.titles.cz.looking import asked, cash_of, refused_by
from tests.titles.cz.scenes import state_of

CROSS = ("SW", "W", "NE", "E")
FIVE = ("SW", "W", "NW", "NE", "E")
GREEN_OO = ("8885", "8859", "8860", "8863", "8864", "8865")


def at_home(tile: str, *sides: str, phase: str = "j", **fields: str) -> Game:
    """A later turn of EKJ with that tile on its home, and with the Local Railways given as `local="EKJ"`."""
    return turn("EKJ", phase=phase, tiles={"D4": on(tile, *sides)}, stations={"D4.0": ["EKJ"]}, locals_of=fields)


# Colours


@pytest.mark.rule("18CZ VIII.5/1")
@pytest.mark.parametrize("phase", ["g", "i", "j"])
def test_no_colour_is_left_out(phase: str) -> None:
    yellow = at_home("57", "W", "E", phase=phase)
    assert refused_by(yellow, lay("D4", "611", *FIVE)) == "18CZ VIII.5/1"
    assert lay("D4", "14", *CROSS) in asked(yellow)
    green = at_home("14", *CROSS, phase=phase, L1="EKJ")
    assert refused_by(green, purple("L1", "D4", "595p", *FIVE, "SE")) == "18CZ VIII.5/1"
    assert lay("D4", "611", *FIVE) in asked(green)
    bare = turn("EKJ", phase=phase)
    assert refused_by(bare, lay("D4", "14", *CROSS)) == "18CZ VIII.5/1"


@pytest.mark.rule("18CZ VIII.5/1")
def test_no_tile_goes_back_or_stays_in_its_colour() -> None:
    green = at_home("14", *CROSS)
    assert refused_by(green, lay("D4", "15", "SW", "W", "NW", "NE")) == "18CZ VIII.5/1"
    assert refused_by(green, lay("D4", "57", "W", "E")) == "18CZ VIII.5/1"
    grey = at_home("595p", *FIVE, "SE", L1="EKJ")
    assert not lays(grey, "D4")
    assert not purple_lays(grey, "D4")
    assert refused_by(grey, lay("D4", "611", *FIVE)) == "18CZ VIII.5/1"


def praha(colour: str, phase: str) -> Game:
    """BN's turn with a tile on Praha: the only hex that goes through all colours without purple edges."""
    tile, node = {"yellow": (("8889", 1), 0), "green": (("8891", 1), 1), "brown": (("8892", 0), 0)}[colour]
    return turn("BN", phase=phase, tiles={"E11": tile}, stations={f"E11.{node}": ["BN"]})


@pytest.mark.parametrize(
    ("colour", "action", "before", "opens", "rule"),
    [
        pytest.param(
            "yellow",
            LayTile("E11", "8891", 1),
            "abc",
            "dghij",
            "18CZ VIII.5/2",
            marks=pytest.mark.rule("18CZ VIII.5/2"),
        ),
        pytest.param(
            "green", LayTile("E11", "8892", 0), "def", "ghij", "18CZ VIII.5/3", marks=pytest.mark.rule("18CZ VIII.5/3")
        ),
        pytest.param(
            "brown", LayTile("E11", "8893", 0), "gh", "ij", "18CZ VIII.5/4", marks=pytest.mark.rule("18CZ VIII.5/4")
        ),
    ],
)
def test_a_colour_opens_with_its_phase(colour: str, action: LayTile, before: str, opens: str, rule: str) -> None:
    for phase in before:
        game = praha(colour, phase)
        assert refused_by(game, action) == rule
        assert not lays(game, "E11")
    for phase in opens:
        assert lays(praha(colour, phase), "E11") >= {("E11", action.tile, action.rotation)}


@pytest.mark.parametrize(
    ("local", "tile", "promotion", "before", "opens", "rule"),
    [
        pytest.param("L1", "57", ("14p", *CROSS), "c", "d", "18CZ VIII.5/2", marks=pytest.mark.rule("18CZ VIII.5/2")),
        pytest.param("L1", "14", ("611p", *FIVE), "f", "g", "18CZ VIII.5/3", marks=pytest.mark.rule("18CZ VIII.5/3")),
        pytest.param(
            "L1", "611", ("595p", *FIVE, "SE"), "h", "i", "18CZ VIII.5/4", marks=pytest.mark.rule("18CZ VIII.5/4")
        ),
    ],
)
def test_a_power_does_not_open_a_colour_early(
    local: str, tile: str, promotion: tuple[str, ...], before: str, opens: str, rule: str
) -> None:
    sides = {"57": ("W", "E"), "14": CROSS, "611": FIVE}[tile]
    action = purple(local, "D4", *promotion)
    assert refused_by(at_home(tile, *sides, phase=before, L1="EKJ"), action) == rule
    assert action in asked(at_home(tile, *sides, phase=opens, L1="EKJ"))


# Purple edges


@pytest.mark.rule("18CZ VIII.5/5")
@pytest.mark.parametrize(
    ("there", "promotion"),
    [
        (("57", "W", "E"), ("14p", *CROSS)),
        (("57", "W", "E"), ("15p", "W", "NW", "NE", "E")),
        (("14", *CROSS), ("611p", *FIVE)),
        (("14p", *CROSS), ("611p", *FIVE)),
        (("611", *FIVE), ("595p", *FIVE, "SE")),
        (("611p", *FIVE), ("595p", *FIVE, "SE")),
    ],
)
def test_a_purple_edged_tile_is_laid_by_a_power_only(there: tuple[str, ...], promotion: tuple[str, ...]) -> None:
    assert refused_by(at_home(*there), lay("D4", *promotion)) == "18CZ VIII.5/5"
    with_power = at_home(*there, L1="EKJ")
    assert refused_by(with_power, lay("D4", *promotion)) == "18CZ VIII.5/5", "the power is used by another action"
    with_power.apply(purple("L1", "D4", *promotion))
    assert laid_on(with_power)["D4"] == on(*promotion)
    assert isinstance(asked(with_power).task, LayTrack), "the normal track is still to be laid"


@pytest.mark.rule("18CZ VIII.5/5")
def test_no_purple_edged_tile_is_ever_offered_in_the_normal_step() -> None:
    for tile, sides in (("57", ("W", "E")), ("14p", CROSS), ("611p", FIVE)):
        game = at_home(tile, *sides, L1="EKJ")
        assert not {name for _, name, _ in lays(game)} & set(tiles_of("green", "brown", "grey", purple_edged=True))


@pytest.mark.rule("18CZ VIII.5/6")
def test_anyone_may_promote_a_purple_edged_tile_with_an_ordinary_one() -> None:
    tiles = {"D4": on("14p", *CROSS), "D2": on("57", "W", "E")}
    game = turn("BTE", phase="g", others=["EKJ"], tiles=tiles, stations={"D2.0": ["BTE"], "D4.0": ["EKJ"]})
    game.apply(lay("D4", "611", *FIVE))
    assert laid_on(game)["D4"] == on("611", *FIVE)
    assert state_of(game).supply["14p"] == 1


# Connections


@pytest.mark.rule("18CZ VIII.5/7")
def test_new_track_need_not_be_of_use_to_the_builder() -> None:
    game = ekj("W", "E", phase="d", tiles={"D6": on("9", "W", "E")})
    assert lay("D6", "20", *CROSS) in asked(game), "the other straight track leads nowhere"


@pytest.mark.rule("18CZ VIII.5/7")
def test_a_tile_out_of_reach_cannot_be_promoted() -> None:
    far = ekj("W", "E", phase="d", tiles={"D8": on("9", "W", "E")})
    assert refused_by(far, lay("D8", "20", *CROSS)) == "18CZ VIII.5/7"
    assert not lays(far, "D8")
    tiles = {"C25": on("621", "W", "E"), "C23": on("57", "W", "E"), "C21": on("9", "W", "E")}
    for stations, rule in (({"C23.0": ["KFN"]}, "18CZ VIII.5/7"), ({}, "allowed")):
        blocked = turn("OFE", others=["KFN"], tiles=tiles, stations={"C25.0": ["OFE"], **stations})
        assert refused_by(blocked, lay("C21", "20", *CROSS)) == rule
        assert lay("C23", "14", *CROSS) in asked(blocked), "the closed city itself is reached"


@pytest.mark.rule("18CZ VIII.5/7")
def test_the_promotion_itself_may_make_the_connection() -> None:
    game = ekj("W", "E", phase="d", tiles={"D6": on("9", "SW", "NE")})
    assert lay("D6", "20", *CROSS) in asked(game), "its new track meets that of D4"
    assert refused_by(game, lay("D6", "24", "SW", "NE", "NW")) == "18CZ VIII.5/7"


@pytest.mark.rule("18CZ VIII.5/12")
@pytest.mark.parametrize(
    ("there", "rule"),
    [(["KFN"], "allowed"), (["KFN", "Ug"], "18CZ VIII.4/8"), (["KFN", "OFE"], "allowed")],
)
def test_a_free_place_lets_everybody_build_beyond(there: list[str], rule: str) -> None:
    tiles = {"C25": on("621", "W", "E"), "C23": on("14", *CROSS)}
    game = turn("OFE", others=["KFN", "Ug"], tiles=tiles, stations={"C25.0": ["OFE"], "C23.0": there})
    assert refused_by(game, lay("C21", "9", "W", "E")) == rule


@pytest.mark.rule("18CZ VIII.5/12")
@pytest.mark.parametrize(("there", "rule"), [(["KFN"], "allowed"), (["KFN", "Ug"], "18CZ VIII.5/7")])
def test_a_free_place_lets_everybody_promote_beyond(there: list[str], rule: str) -> None:
    tiles = {"C25": on("621", "W", "E"), "C23": on("14", *CROSS), "C21": on("9", "W", "E")}
    game = turn("OFE", others=["KFN", "Ug"], tiles=tiles, stations={"C25.0": ["OFE"], "C23.0": there})
    assert refused_by(game, lay("C21", "20", *CROSS)) == rule


# What must stay


@pytest.mark.rule("18CZ VIII.5/8")
@pytest.mark.parametrize("rotation", range(6))
def test_existing_track_is_kept(rotation: int) -> None:
    game = ekj("W", "E", phase="d", tiles={"D6": on("8", "W", "NE")})
    # Tile 25 has two gentle curves from one side; two of its six turns have one from W to NE.
    allowed = rotation in {1, 3}
    assert refused_by(game, LayTile("D6", "25", rotation)) == ("allowed" if allowed else "18CZ VIII.5/8")


@pytest.mark.rule("18CZ VIII.5/9")
def test_plain_track_gets_no_towns_and_no_cities() -> None:
    game = ekj("W", "E", phase="d", tiles={"D6": on("9", "W", "E")}, locals_of={"L1": "EKJ"})
    assert refused_by(game, purple("L1", "D6", "888p", *CROSS)) == "18CZ VIII.5/9"
    assert refused_by(game, lay("D6", "14", *CROSS)) == "18CZ VIII.5/9"
    assert {tile for _, tile, _ in lays(game, "D6")} == {"19", "20", "23", "24", "26", "27"}


@pytest.mark.rule("18CZ VIII.5/10")
def test_a_city_stays_a_city_and_a_town_a_town() -> None:
    city = at_home("57", "W", "E", phase="d", L1="EKJ")
    assert refused_by(city, purple("L1", "D4", "888p", *CROSS)) == "18CZ VIII.5/10"
    assert refused_by(city, lay("D4", "20", *CROSS)) == "18CZ VIII.5/10"
    town = ekj("SW", "NE", phase="d", tiles={"E3": on("4", "SW", "NE")}, locals_of={"L1": "EKJ"})
    assert refused_by(town, lay("E3", "14", *CROSS)) == "18CZ VIII.5/10"
    assert refused_by(town, lay("E3", "20", *CROSS)) == "18CZ VIII.5/10"
    assert purple("L1", "E3", "888p", *CROSS) in asked(town)


@pytest.mark.rule("18CZ VIII.5/10")
def test_a_location_keeps_all_its_connections() -> None:
    city = at_home("57", "W", "E", phase="d")
    assert refused_by(city, lay("D4", "15", "SW", "W", "NW", "NE")) == "18CZ VIII.5/8"
    brown = at_home("14", *CROSS, phase="g")
    for lost in CROSS:
        left = {"SW", "W", "NW", "NE", "E", "SE"} - {lost}
        assert refused_by(brown, lay("D4", "611", *left)) == "18CZ VIII.5/8"


@pytest.mark.rule("18CZ VIII.5/11")
def test_a_promotion_may_open_places() -> None:
    tiles = {"D4": on("57", "W", "E"), "D2": on("57", "W", "E")}
    game = turn("EKJ", "BTE", tiles=tiles, stations={"D2.0": ["BTE"], "D4.0": ["EKJ"]})
    before = turn("BTE", others=["EKJ"], tiles=tiles, stations={"D2.0": ["BTE"], "D4.0": ["EKJ"]})
    before.apply(Pass())
    assert refused_by(before, PlaceStation("D4.0")) == "18CZ VIII.6/1"
    game.apply(lay("D4", "14", *CROSS))
    assert state_of(game).board.stations["D4.0"] == ("EKJ",), "stations stay where they are"
    while asked(game).company == "EKJ" or isinstance(asked(game).task, LayTrack):
        game.apply(idle(game))
    assert PlaceStation("D4.0") in asked(game)


@pytest.mark.rule("18CZ VIII.5/13")
def test_a_replaced_tile_may_be_used_again() -> None:
    supply = {**dict.fromkeys(["57", "5", "6"], 0), "14": 1, "9": 1}
    game = turn(
        "EKJ", "BTE", others=["EKJ"], tiles={"D4": on("57", "W", "E")}, stations={"D4.0": ["EKJ"]}, supply=full(supply)
    )
    game.apply(lay("D4", "14", *CROSS))
    assert state_of(game).supply["57"] == 1
    assert state_of(game).supply["14"] == 0
    while not (asked(game).company == "BTE" and isinstance(asked(game).task, LayTrack)):
        game.apply(idle(game))
    assert {tile for _, tile, _ in lays(game)} == {"57"}, "the only city tile left for Cheb"


@pytest.mark.rule("18CZ VIII.5/13")
def test_a_tile_that_is_not_there_cannot_be_laid() -> None:
    game = turn("EKJ", supply=full({"57": 0}))
    assert refused_by(game, lay("D4", "57", "W", "E")) == "18CZ II/3"
    assert {tile for _, tile, _ in lays(game)} == {"5", "6"}


def full(changes: dict[str, int]) -> dict[str, int]:
    return {**dict.fromkeys(tiles_of("yellow", "green", "brown", "grey", "red"), 1), **changes}


# OO hexes and ATE


@pytest.mark.rule("18CZ VIII.5/14")
def test_the_first_tile_on_an_oo_hex_is_a_promotion() -> None:
    game = turn("Sx")
    game.apply(LayRedTile("A7", 4))
    game.apply(LayTile("B8", "8859", 0))
    assert not lays(game)
    assert refused_by(game, lay("A9", "4", "W", "E")) == "18CZ VIII.3/1"
    yellow_first = turn("Sx")
    yellow_first.apply(LayRedTile("A7", 4))
    yellow_first.apply(lay("A9", "4", "W", "E"))
    assert refused_by(yellow_first, LayTile("B8", "8859", 0)) == "18CZ VIII.3/2"
    assert not lays(yellow_first, "B8")


@pytest.mark.rule("18CZ VIII.5/15")
@pytest.mark.parametrize("phase", ["b", "c"])
def test_ate_builds_nothing_before_green_tiles(phase: str) -> None:
    game = turn("ATE", phase=phase, stations={"A11.0": ["BTE"]}, tiles={"A11": on("57", "W", "E")})
    game.apply(ChooseCity("B8"))
    assert isinstance(asked(game).task, LayTrack)
    assert not lays(game)
    for tile in GREEN_OO:
        assert refused_by(game, LayTile("B8", tile, 0)) == "18CZ VIII.5/2"
    assert refused_by(game, lay("B10", "57", "W", "E")) == "18CZ VIII.5/15"
    assert state_of(game).board.stations["B8"] == ("ATE",), "the station lies in the hex"


@pytest.mark.rule("18CZ VIII.5/15")
def test_ate_begins_with_the_green_tile_at_home() -> None:
    game = turn("ATE")
    game.apply(ChooseCity("B8"))
    assert {hex_id for hex_id, _, _ in lays(game)} == {"B8"}
    assert {tile for _, tile, _ in lays(game)} == set(GREEN_OO)
    assert refused_by(game, lay("B10", "57", "W", "E")) == "18CZ VIII.5/15"
    game.apply(LayTile("B8", "8885", 0))
    assert isinstance(asked(game).task, HomeCity)
    game.apply(ChooseCity("B8.1"))
    assert state_of(game).board.stations == {"B8.1": ("ATE",)}
    assert isinstance(asked(game).task, EstablishStation), "that was all its track"


@pytest.mark.rule("18CZ VIII.5/15")
def test_ates_director_picks_the_city_whoever_lays_the_tile() -> None:
    tiles = {"A7": on("8896", "E", "SE")}
    game = turn("Sx", others=["ATE"], tiles=tiles, stations={"A7.0": ["Sx"], "B8": ["ATE"]}, cash={"ATE": 0})
    assert state_of(game).markers["ATE"].own == 2
    record = game.apply(LayTile("B8", "8859", 0))
    question = asked(game)
    assert (question.decider, question.company) == ("p2", "ATE")
    assert {option.action for option in question} == {ChooseCity("B8.0"), ChooseCity("B8.1")}
    game.apply(ChooseCity("B8.0"))
    assert state_of(game).board.stations == {"A7.0": ("Sx",), "B8.0": ("ATE",)}
    assert state_of(game).markers["ATE"].own == 2
    assert [(paid.source, paid.amount) for paid in record.events if isinstance(paid, Paid)] == [("Sx", 10)]
    assert cash_of(game, "ATE") == 0, "it is the home station, which is free"
    assert asked(game).company == "Sx"


@pytest.mark.rule("18CZ VIII.5/15")
def test_whoever_took_over_ate_picks_the_city_of_its_waiting_station() -> None:
    tiles = {"A7": on("8896", "E", "SE"), "B10": on("57", "W", "E"), "D4": on("57", "W", "E")}
    stations = {"A7.0": ["Sx"], "B8": ["Sx"], "B10.0": ["EKJ"]}
    game = turn("EKJ", others=["Sx"], tiles=tiles, stations=stations, closed=("ATE",))
    game.apply(LayTile("B8", "8859", 1))
    assert (asked(game).decider, asked(game).company) == ("p2", "Sx")
    game.apply(ChooseCity("B8.0"))
    assert state_of(game).board.stations == {"A7.0": ("Sx",), "B8.0": ("Sx",), "B10.0": ("EKJ",)}
    assert cash_of(game, "Sx") == 500


@pytest.mark.rule("18CZ VIII.5/16")
def test_ate_builds_like_anyone_if_its_home_has_its_tile() -> None:
    green: Tiles = {"B8": ("8859", 1)}  # W-E and NE-SW
    game = turn("ATE", phase="d", tiles=green)
    game.apply(ChooseCity("B8.0"))
    game.apply(lay("B10", "57", "W", "E"))
    game.apply(lay("B12", "621", "W", "E"))
    assert set(laid_on(game)) == {"B8", "B10", "B12"}
    promoting = turn("ATE", phase="g", tiles={**green, "B10": on("57", "W", "E")})
    promoting.apply(ChooseCity("B8.0"))
    assert lay("B10", "14", *CROSS) in asked(promoting)


# Cost


@pytest.mark.rule("18CZ VIII.5/17")
@pytest.mark.parametrize(
    ("hex_id", "yellow"), [("C3", on("8", "SE", "NE")), ("E5", on("9", "NW", "SE"))], ids=["mountain", "hill"]
)
def test_promotions_are_free_on_any_terrain(hex_id: str, yellow: tuple[str, int]) -> None:
    game = ekj("NW", "SE", phase="d", tiles={hex_id: yellow}, cash={"EKJ": 0})
    record = game.apply(LayTile(*min(lays(game, hex_id))))
    assert cash_of(game, "EKJ") == 0
    assert not [event for event in record.events if isinstance(event, Paid)]
