"""Promoting track, and tiles with two faces (18Mag VI.3.3, VI.3.3.1)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.titles.mag.actions import BuyTrain, LayTile, PlaceStation
from ostbahn.titles.mag.state import EstablishStation, LayTrack, PurchaseTrains
from tests.kernel.trails import exits
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.track_scenes import (
    TITLE,
    cities,
    facing,
    lay,
    lays,
    names,
    refusal_rule,
    surrounded,
    track_step,
)

ROW = {"E14": facing("57", "W", "E"), "E16": facing("9", "W", "E"), "E18": facing("57", "W", "E")}
"""Szolnok, open country and Debrecen in a row; nobody lives there."""
CROSS = ("W", "NW", "E", "SE")


# Colours


@pytest.mark.rule("18Mag VI.3.3/1")
@pytest.mark.parametrize(
    ("there", "colour"),
    [("57", "green"), ("14", "brown"), ("611", "grey"), ("455", None)],
)
def test_a_tile_is_promoted_to_the_next_colour_only(there: str, colour: str | None) -> None:
    game = surrounded("C12", (there, 0))
    assert {TITLE.tiles[tile].colour for tile in names(game, "C12")} == ({colour} if colour else set())
    for tile in ("57", "14", "611", "455"):
        if TITLE.tiles[tile].colour != colour:
            assert refusal_rule(game, LayTile("C12", tile, 0)) == "18Mag VI.3.3/1"


@pytest.mark.rule("18Mag VI.3.3/1")
def test_a_bare_hex_takes_yellow_tiles_only() -> None:
    game = surrounded("C12")
    for tile in ("14", "611", "455"):
        assert refusal_rule(game, LayTile("C12", tile, 0)) == "18Mag VI.3.3/1"


@pytest.mark.rule("18Mag VI.3.3/2")
@pytest.mark.parametrize(
    ("phase", "rules"),
    [
        ("yellow", ["VI.3.3/2", "VI.3.3/2", "VI.3.3/2"]),
        ("green", ["allowed", "VI.3.3/2", "VI.3.3/2"]),
        ("brown", ["allowed", "allowed", "VI.3.3/2"]),
        ("grey", ["allowed", "allowed", "allowed"]),
    ],
)
def test_every_phase_opens_one_more_colour(phase: str, rules: list[str]) -> None:
    found = []
    for there, tile in (("57", "14"), ("14", "611"), ("611", "455")):
        game = surrounded("C12", (there, 0), phase=phase)
        found.append(refusal_rule(game, LayTile("C12", tile, 0)).removeprefix("18Mag "))
    assert found == rules


@pytest.mark.rule("18Mag VI.3.3/2")
@pytest.mark.parametrize("faces", [("3", "4", "6"), ("6", "3", "4"), ("4", "6", "3")])
def test_the_first_train_of_any_stack_opens_the_next_colour_at_once(faces: tuple[str, ...]) -> None:
    buyers = ("2", "4", "5")
    agenda = [step for buyer in reversed(buyers) for step in (LayTrack("3"), PurchaseTrains(buyer))]
    money = {"3": 0, **dict.fromkeys(buyers, 320)}
    game = scene(cash=money, agenda=agenda, tiles={"E10": facing("57", "W", "E")})
    for face, tile in zip(faces, ("14", "611", "455"), strict=True):
        game.apply(BuyTrain(face))
        game.apply(Pass())
        game.apply(LayTile("E10", tile, min(turn for _, name, turn in lays(game, "E10") if name == tile)))
        game.apply(Pass())


@pytest.mark.rule("18Mag VI.3.3/2")
def test_a_second_train_of_a_stack_opens_nothing() -> None:
    agenda = [LayTrack("3"), PurchaseTrains("4"), PurchaseTrains("2")]
    game = scene(cash={"2": 120, "4": 120}, agenda=agenda, tiles={"E10": facing("14", *CROSS)})
    for _ in range(2):
        game.apply(BuyTrain("3"))
        game.apply(Pass())
    assert refusal_rule(game, lay("E10", "611", "SW", "W", "NW", "E", "SE")) == "18Mag VI.3.3/2"
    assert state_of(game).phase == "green"


# Connection


@pytest.mark.rule("18Mag VI.3.3/3")
def test_a_promotion_needs_a_connection_to_the_tile() -> None:
    promotion = lay("E18", "14", *CROSS)
    assert refusal_rule(track_step("3", ROW, phase="green"), promotion) == "18Mag VI.3.3/3"
    assert refusal_rule(track_step("3", ROW, phase="green", stations={"E14.0": ["3"]}), promotion) == "allowed"


@pytest.mark.rule("18Mag VI.3.3/3")
@pytest.mark.parametrize(("there", "rule"), [([], "allowed"), (["2"], "18Mag VI.3.3/3"), (["3"], "allowed")])
def test_stations_of_others_can_be_in_the_way_of_a_promotion(there: list[str], rule: str) -> None:
    tiles = {**ROW, "E20": facing("9", "W", "E")}
    game = track_step("3", tiles, phase="green", stations={"E14.0": ["3"], "E18.0": there})
    assert refusal_rule(game, lay("E20", "23", "W", "E", "SE")) == rule
    assert refusal_rule(game, lay("E18", "14", *CROSS)) == "allowed", "one may come up to the city itself"


@pytest.mark.rule("18Mag VI.3.3/3")
def test_what_is_new_on_the_tile_need_not_be_of_use() -> None:
    # Tile 23 at rotation 4 joins E with W and with NW: who comes from the west cannot turn to the north-west.
    game = track_step("3", ROW, phase="green", stations={"E14.0": ["3"]})
    game.apply(LayTile("E16", "23", 4))
    assert exits(TITLE.tiles["23"], 4) == {"W", "E", "NW"}
    assert refusal_rule(game, lay("D15", "8", "SE", "W")) == "18Mag VI.3.2/4"


@pytest.mark.rule("18Mag VI.3.3/3")
def test_it_counts_what_is_connected_after_the_promotion() -> None:
    """Minor 3 comes to E16 from the south-west, where the tile has no track as yet."""
    tiles = {"E16": facing("9", "W", "E"), "F15": facing("8", "W", "NE"), "F13": facing("57", "W", "E")}
    game = track_step("3", tiles, phase="green", stations={"F13.0": ["3"]})
    assert refusal_rule(game, lay("E16", "24", "W", "E", "SW")) == "allowed"
    assert refusal_rule(game, lay("E16", "23", "W", "E", "SE")) == "18Mag VI.3.3/3"


# What is kept


@pytest.mark.rule("18Mag VI.3.3/4")
def test_no_track_is_lost() -> None:
    game = surrounded("E16", facing("9", "SW", "NE"))
    assert names(game, "E16") == {"19", "20", "23", "24", "26", "27"}
    assert {refusal_rule(game, LayTile("E16", "25", turn)) for turn in range(6)} == {"18Mag VI.3.3/4"}
    assert refusal_rule(game, lay("E16", "20", "W", "E", "NW", "SE")) == "18Mag VI.3.3/4"


@pytest.mark.rule("18Mag VI.3.3/4")
def test_a_city_keeps_its_connections() -> None:
    game = surrounded("C12", facing("57", "W", "E"))
    assert all({"W", "E"} <= exits(TITLE.tiles[tile], turn) for _, tile, turn in lays(game, "C12"))
    assert refusal_rule(game, lay("C12", "15", "W", "NW", "NE", "SW")) == "18Mag VI.3.3/4"


@pytest.mark.rule("18Mag VI.3.3/5")
@pytest.mark.parametrize(("hex_id", "there", "tile"), [("E16", "7", "87"), ("D13", "58", "14"), ("C12", "57", "88")])
def test_the_kind_of_place_stays(hex_id: str, there: str, tile: str) -> None:
    game = surrounded(hex_id, (there, 0))
    assert {refusal_rule(game, LayTile(hex_id, tile, turn)) for turn in range(6)} == {"18Mag VI.3.3/5"}


@pytest.mark.rule("18Mag VI.3.3/6", "18Mag VI.3.3/7")
def test_a_place_that_a_promotion_adds_is_open_to_all() -> None:
    """Debrecen is full with minor 3's station; minor 2 comes from D19 in the north-east."""
    tiles = {"D19": facing("L32", "SW"), "E18": facing("57", "NE", "SW")}
    agenda = [EstablishStation("2"), LayTrack("2"), LayTrack("3"), EstablishStation("2"), LayTrack("2")]
    game = scene(
        phase="green",
        tiles=tiles,
        owners={"2": "p1", "3": "p2"},
        stations={"E18.0": ["3"]},
        agenda=agenda,
    )
    beyond_debrecen = lay("F17", "4", "SW", "NE")
    assert refusal_rule(game, beyond_debrecen) == "18Mag VI.3.2/4"
    game.apply(Pass())
    assert refusal_rule(game, PlaceStation("E18.0")) == "18Mag VI.3.4/5"
    game.apply(Pass())
    game.apply(lay("E18", "14", "SW", "W", "NE", "E"))
    game.apply(Pass())
    assert refusal_rule(game, beyond_debrecen) == "allowed"
    game.apply(Pass())
    assert cities(game) == {"E18.0"}


@pytest.mark.rule("18Mag VI.3.3/7")
@pytest.mark.parametrize(("there", "rule"), [(["2"], "allowed"), (["2", "SIK"], "18Mag VI.3.3/3")])
def test_a_free_place_lets_everybody_pass_to_promote(there: list[str], rule: str) -> None:
    tiles = {**ROW, "E18": facing("14", *CROSS), "E20": facing("9", "W", "E")}
    game = track_step("3", tiles, phase="green", stations={"E14.0": ["3"], "E18.0": there})
    assert refusal_rule(game, lay("E20", "23", "W", "E", "SE")) == rule


# Two faces, one piece


HOME = {"E10": facing("57", "W", "E"), "E8": facing("9", "W", "E")}
BRANCH = LayTile("E8", "24", 4)
"""East with west, as before, and with south-west."""


@pytest.mark.rule("18Mag VI.3.3/8")
@pytest.mark.parametrize("tile", [facing("8", "NE", "W"), facing("9", "NE", "SW")])
def test_a_tile_that_was_replaced_can_be_laid_again_with_either_face(tile: tuple[str, int]) -> None:
    game = track_step("3", HOME, phase="green", supply={**full_supply(), "8": 0})
    game.apply(BRANCH)
    assert state_of(game).supply["8"] == 1
    game.apply(LayTile("F7", *tile))
    assert state_of(game).supply["8"] == 0


@pytest.mark.rule("18Mag VI.3.3/8", "18Mag VI.3.2/9")
def test_a_yellow_tile_from_a_k_hex_is_an_ordinary_one_again() -> None:
    # Brassó has a tile 5; when it becomes green, the piece can go to Kolozsvár.
    tiles = {"H27": facing("5", "NW", "NE"), "G26": facing("4", "SE", "NW"), "F25": facing("58", "SE", "W")}
    game = track_step("5", tiles, phase="green", supply={**full_supply(), "5": 0})
    assert refusal_rule(game, lay("F23", "5", "E", "SE")) == "18Mag II.3/4"
    fitting = min((tile, turn) for _, tile, turn in lays(game, "H27"))
    game.apply(LayTile("H27", *fitting))
    assert refusal_rule(game, lay("F23", "5", "E", "SE")) == "allowed"


def full_supply() -> dict[str, int]:
    return {name: tile.count for name, tile in TITLE.tiles.items() if TITLE.piece(name) == name}


@pytest.mark.rule("18Mag VI.3.3.1/1")
@pytest.mark.parametrize("face", [facing("8", "E", "SW"), facing("9", "E", "W")])
def test_both_faces_draw_on_one_supply(face: tuple[str, int]) -> None:
    game = track_step("3", {"E10": facing("57", "W", "E")}, supply={**full_supply(), "8": 1})
    assert {"8", "9"} <= names(game, "E8")
    game.apply(LayTile("E8", *face))
    assert not any(tile in ("8", "9") for _, tile, _ in lays(game))
    following = lay("F7", "9", "NE", "SW") if face[0] == "8" else lay("E6", "58", "E", "SW")
    assert refusal_rule(game, following) == ("18Mag II.3/4" if face[0] == "8" else "allowed")


@pytest.mark.rule("18Mag VI.3.3.1/2")
def test_a_tile_on_the_map_is_not_turned_over() -> None:
    for there, back in (("23", "24"), ("26", "27"), ("16", "19"), ("39", "40")):
        game = surrounded("E16", (there, 0))
        assert back not in names(game, "E16")
        for turn in range(6):
            assert refusal_rule(game, LayTile("E16", back, turn)) in ("18Mag VI.3.3/1", "18Mag VI.3.3.1/2")


@pytest.mark.rule("18Mag VI.3.3.1/1", "18Mag VI.3.3.1/3")
@pytest.mark.parametrize(
    ("faces", "left"),
    [("23 23 23 23 23", 1), ("23 23 23 23 23 23", 0), ("23 23 23 23 24 24", 0), ("24 24 24 24 24", 1)],
)
def test_six_pieces_bear_23_and_24(faces: str, left: int) -> None:
    elsewhere = dict(zip(("C10", "D15", "E20", "I8", "I10", "I16"), faces.split(), strict=False))
    game = track_step("3", {**HOME, **{hex_id: (face, 0) for hex_id, face in elsewhere.items()}}, phase="green")
    for tile in ("23", "24"):
        assert refusal_rule(game, LayTile("E8", tile, 4)) == ("allowed" if left else "18Mag II.3/4")
