"""Track with Feketeházy and Sina (18Mag M.5/4, M.5/6)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import LayByFeketehazy, LayTile, PromoteBySina
from ostbahn.titles.mag.state import EstablishStation, LayTrack
from tests.kernel.trails import exits
from tests.titles.mag.modules.playing import helped, helpers
from tests.titles.mag.run_scenes import gains
from tests.titles.mag.scenes import state_of
from tests.titles.mag.share_scenes import question_of
from tests.titles.mag.track_scenes import TITLE, facing, lay, refusal_rule, rotation


def track(*supporters: str, minor: str = "6", **fields: Any) -> Game:
    """Minor 6 at home in Kassa (B17), a mountain of 10 Ft."""
    fields = {"cash": {minor: 100}, "terrain_tokens": {minor: 0}, **fields}
    return helped(*supporters, owners={minor: "p1"}, agenda=[EstablishStation(minor), LayTrack(minor)], **fields)


def by(kind: type[LayTile], hex_id: str, tile: str, *sides: str, **fields: Any) -> Any:
    return kind(hex_id, tile, rotation(tile, *sides), **fields)


# Feketeházy


@pytest.mark.rule("18Mag M.5/4")
def test_the_bank_pays_the_terrain_of_one_hex() -> None:
    game = track("FJ", cash={"6": 0})
    assert refusal_rule(game, lay("B17", "57", "W", "E")) == "18Mag VI.3.2/11"
    before = game.copy()
    game.apply(by(LayByFeketehazy, "B17", "57", "W", "E"))
    assert gains(before, game) == {BANK: -10, "SIK": 10}
    assert state_of(game).board.tiles["B17"][0] == "57"


@pytest.mark.rule("18Mag M.5/4")
def test_it_does_not_pay_the_second_tile() -> None:
    game = track("FJ", cash={"6": 20})
    game.apply(lay("B17", "57", "W", "E"))
    assert state_of(game).cash["6"] == 10
    before = game.copy()
    game.apply(by(LayByFeketehazy, "B19", "9", "W", "E"))
    assert gains(before, game) == {"6": -10, "SzKÉV": 10, BANK: -30, "SIK": 30}
    poor = track("FJ", cash={"6": 19})
    poor.apply(lay("B17", "57", "W", "E"))
    assert refusal_rule(poor, by(LayByFeketehazy, "B19", "9", "W", "E")) == "18Mag VI.3.2/1"


@pytest.mark.rule("18Mag M.5/4", "18Mag M.5/2")
def test_there_must_be_terrain_and_he_helps_once() -> None:
    flat = track("FJ", minor="3")
    assert refusal_rule(flat, by(LayByFeketehazy, "E10", "57", "W", "E")) == "18Mag M.5/4"
    game = track("FJ")
    assert refusal_rule(game, by(LayByFeketehazy, "B17", "57", "W", "E", token=True)) == "18Mag M.5/4"
    game.apply(by(LayByFeketehazy, "B17", "57", "W", "E"))
    assert refusal_rule(game, by(LayByFeketehazy, "B19", "9", "W", "E")) == "18Mag M.5/2"
    assert refusal_rule(track(), by(LayByFeketehazy, "B17", "57", "W", "E")) == "18Mag M.5/2"


@pytest.mark.rule("18Mag M.5/4")
def test_he_pays_for_the_terrain_of_a_promotion() -> None:
    game = track("FJ", minor="4", phase="green", tiles={"G14": ("L32", 0)}, cash={"4": 0})
    green = [option.action for option in question_of(game) if isinstance(option.action, LayByFeketehazy)]
    assert {action.hex for action in green} >= {"G14"}
    before = game.copy()
    game.apply(next(action for action in green if action.hex == "G14"))
    assert gains(before, game) == {BANK: -20, "SIK": 20}


# Sina


YELLOW = {"E10": facing("57", "W", "E"), "E8": facing("9", "W", "E")}


def sina(phase: str = "green", tiles: Any = YELLOW, **fields: Any) -> Game:
    return track("GSvS", minor="3", phase=phase, tiles=tiles, **fields)


@pytest.mark.rule("18Mag M.5/6")
def test_one_more_tile_is_promoted_besides_two_lays() -> None:
    game = sina(cash={"3": 10})
    game.apply(lay("E10", "14", "W", "E", "NE", "SW"))
    game.apply(lay("E6", "3", "NE", "E"))
    assert isinstance(question_of(game).task, LayTrack), "Sina may still help"
    assert not [option for option in question_of(game) if type(option.action) is LayTile]
    before = game.copy()
    options = [option.action for option in question_of(game) if isinstance(option.action, PromoteBySina)]
    assert {action.hex for action in options} == {"E6", "E8"}, "the tile of this turn too"
    game.apply(next(action for action in options if action.hex == "E8"))
    assert gains(before, game) == {}, "it is free"
    assert not isinstance(question_of(game).task, LayTrack)
    assert helpers(game).used["GSvS"] == state_of(game).round


@pytest.mark.rule("18Mag M.5/6")
def test_it_may_come_first_and_takes_no_lay_away() -> None:
    game = sina()
    game.apply(by(PromoteBySina, "E10", "14", "W", "E", "NE", "SW"))
    task = question_of(game).task
    assert isinstance(task, LayTrack)
    assert (task.laid, task.promoted) == (0, False)
    assert any(type(option.action) is LayTile and option.action.hex == "E8" for option in question_of(game))


@pytest.mark.rule("18Mag M.5/6")
def test_without_sina_the_step_ends_with_the_second_lay() -> None:
    game = track("FJ", minor="3", phase="green", tiles=YELLOW)
    game.apply(lay("E10", "14", "W", "E", "NE", "SW"))
    game.apply(lay("E6", "3", "NE", "E"))
    assert isinstance(question_of(game).task, EstablishStation)


@pytest.mark.rule("18Mag M.5/6")
@pytest.mark.parametrize(
    ("phase", "there", "tile", "rule"),
    [
        ("yellow", facing("57", "W", "E"), "14", "18Mag VI.3.3/2"),
        ("green", facing("57", "W", "E"), "14", "allowed"),
        ("green", ("14", 0), "611", "18Mag VI.3.3/2"),
        ("brown", ("14", 0), "611", "allowed"),
        ("grey", ("611", 0), "455", "18Mag M.5/6"),
    ],
)
def test_to_green_or_brown_from_the_green_phase_on(phase: str, there: Any, tile: str, rule: str) -> None:
    game = sina(phase, {"E10": there})
    turns = range(6)
    found = {refusal_rule(game, PromoteBySina("E10", tile, turn)) for turn in turns}
    assert rule in found
    assert ("allowed" in found) == (rule == "allowed")


@pytest.mark.rule("18Mag M.5/6")
def test_it_is_a_promotion_that_must_be_reached() -> None:
    game = sina(tiles={**YELLOW, "C16": facing("57", "W", "E")})
    assert refusal_rule(game, by(PromoteBySina, "E6", "3", "NE", "E")) == "18Mag M.5/6"
    assert refusal_rule(game, by(PromoteBySina, "C16", "14", "W", "E", "NE", "SW")) == "18Mag VI.3.3/3"


@pytest.mark.rule("18Mag M.5/6")
def test_its_terrain_is_paid_by_the_minor_or_by_feketehazy() -> None:
    def promotions(game: Game) -> set[bool]:
        found = [option.action for option in question_of(game) if isinstance(option.action, PromoteBySina)]
        return {action.feketehazy for action in found if action.hex == "G14"}

    tiles = {"G14": ("L32", 0)}
    assert promotions(track("GSvS", minor="4", phase="green", tiles=tiles, cash={"4": 19})) == set()
    assert promotions(track("GSvS", minor="4", phase="green", tiles=tiles, cash={"4": 20})) == {False}
    game = track("GSvS", "FJ", minor="4", phase="green", tiles=tiles, cash={"4": 0})
    assert promotions(game) == {True}
    before = game.copy()
    game.apply(next(o.action for o in question_of(game) if isinstance(o.action, PromoteBySina) and o.action.feketehazy))
    assert gains(before, game) == {BANK: -20, "SIK": 20}
    assert set(helpers(game).used) == {"GSvS", "FJ"}


@pytest.mark.rule("18Mag M.5/6")
@pytest.mark.parametrize(("ruling", "rule"), [("allowed", "allowed"), ("refused", "18Mag M.5/6")])
def test_a_tile_of_the_same_turn_is_a_ruling(ruling: str, rule: str) -> None:
    game = sina(tiles={}, rulings={"sina_fresh_tile": ruling})
    game.apply(lay("E10", "57", "W", "E"))
    assert refusal_rule(game, by(PromoteBySina, "E10", "14", "W", "E", "NE", "SW")) == rule
    game.apply(Pass())
    while question_of(game).company == "3":
        game.apply(Pass() if Pass() in question_of(game) else question_of(game).options[0].action)
    assert helpers(game).fresh == ()


# Which track Sina's tile must have


REACHED = {"sina_connection": "the hex is reached"}
TURNED_AWAY = {"E10": facing("57", "W", "E"), "E8": facing("8", "NW", "SW")}
"""Own track leads from Székesfehérvár to E8, where the tile of somebody else passes by."""


def promoted(game: Game) -> set[tuple[str, str, int]]:
    """What Sina is offered, rotations that look the same included."""
    return {
        (action.hex, action.tile, turn)
        for option in question_of(game)
        if isinstance(action := option.action, PromoteBySina)
        for turn in TITLE.tile_set.alike[action.tile][action.rotation]
    }


@pytest.mark.rule("18Mag M.5/6", "18Mag VI.3.3/3")
@pytest.mark.parametrize("rulings", [{}, REACHED], ids=["the tile is connected", "the hex is reached"])
def test_what_sina_is_offered_is_what_she_may_lay(rulings: dict[str, str]) -> None:
    """Every green tile at every rotation, on hexes that are reached, on others, and on bare ones."""
    game = sina(tiles={**TURNED_AWAY, "C16": facing("57", "W", "E")}, rulings=rulings)
    lawful = {
        (hex_id, tile, turn)
        for hex_id in ("E10", "E8", "C16", "D9")
        for tile, spec in TITLE.tiles.items()
        if spec.colour == "green"
        for turn in range(6)
        if game.refusal(PromoteBySina(hex_id, tile, turn)) is None
    }
    assert {hex_id for hex_id, _, _ in lawful} == {"E10", "E8"}
    assert promoted(game) == lawful


@pytest.mark.rule("18Mag M.5/6", "18Mag VI.3.3/3")
def test_the_tile_of_sina_may_turn_away_where_the_hex_is_enough() -> None:
    def joined(game: Game) -> set[bool]:
        """Of Sina's tiles on E8, whether they join the track that comes from the east."""
        return {"E" in exits(TITLE.tiles[tile], turn) for hex_id, tile, turn in promoted(game) if hex_id == "E8"}

    assert joined(sina(tiles=TURNED_AWAY)) == {True}
    assert joined(sina(tiles=TURNED_AWAY, rulings=REACHED)) == {True, False}


@pytest.mark.rule("18Mag VI.3.3/3")
def test_the_ruling_is_about_sina_alone() -> None:
    """Nobody else lays a tile that turns away, and she does not where no own track comes."""
    game = sina(tiles={**TURNED_AWAY, "C16": facing("57", "W", "E")}, rulings=REACHED)
    away = [lay for lay in promoted(game) if lay[0] == "E8" and "E" not in exits(TITLE.tiles[lay[1]], lay[2])]
    assert {refusal_rule(game, LayTile(*lay)) for lay in away} == {"18Mag VI.3.3/3"}
    assert refusal_rule(game, by(PromoteBySina, "C16", "14", "W", "E", "NE", "SW")) == "18Mag VI.3.3/3"
