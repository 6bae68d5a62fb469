"""The map, the tiles and the start prices of 18Mag for two players (18Mag X)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.state import LayTrack, OperateWithCars
from ostbahn.titles.mag.two_player import two_player_title
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_40,
    income_of,
    price_of,
    question_of,
    refusal_rule,
    revenue_of,
    turned,
)
from tests.titles.mag.scenes import scene, state_of

TITLE = two_player_title()
MAJORS = {"LdStEG", "SIK", "SzKÉV", "RÁBA"}


def fresh(seed: int = 1) -> Game:
    return new_game("18Mag", ["Ada", "Ben"], variant="two_player", seed=seed, draw_order=False)


def for_two(**fields: Any) -> Game:
    return scene(variant="two_player", players=2, **fields)


# Tiles


@pytest.mark.rule("18Mag X/10")
def test_all_tiles_but_the_grey_ones_are_in_play() -> None:
    supply = state_of(fresh()).supply
    pieces = Counter[str]()
    for name, number in supply.items():
        pieces[TITLE.tiles[name].colour] += number
    assert pieces == {"yellow": 65, "green": 51, "brown": 28}
    assert list(TITLE.phases) == ["yellow", "green", "brown"]


@pytest.mark.rule("18Mag X/10")
def test_brown_is_the_last_colour() -> None:
    game = for_two(phase="brown", agenda=[LayTrack("3")], tiles={"C6": turned(CITY_40, "W", "E")})
    assert not question_of(game).only(LayTile, hex="C6")
    assert refusal_rule(game, LayTile("C6", "455", 0)) == "18Mag II.3/4"


# The map


@pytest.mark.rule("18Mag X/16")
@pytest.mark.parametrize(
    ("red", "city", "side", "values"),
    [
        ("A2", "B3", "NW", (30, 40, 50)),
        ("A18", "B17", "NE", (30, 40, 50)),
        ("F3", "F5", "W", (20, 30, 40)),
        ("F11", "E10", "SE", (10, 20, 30)),
    ],
)
def test_what_red_hexes_pay(red: str, city: str, side: str, values: tuple[int, ...]) -> None:
    for phase, value in zip(TITLE.phases, values, strict=True):
        tiles, stations = {city: turned(CITY_20, side)}, {f"{city}.0": ["1"]}
        game = for_two(phase=phase, agenda=[OperateWithCars("1")], tiles=tiles, stations=stations)
        assert revenue_of(game, (f"{red}.0", f"{city}.0")) == 20 + value


@pytest.mark.rule("18Mag X/16")
@pytest.mark.parametrize(("town", "city", "side"), [("A4", "B5", "NW"), ("a11", "A12", "NW"), ("a11", "A10", "NE")])
@pytest.mark.parametrize("phase", ["yellow", "brown"])
def test_the_grey_hexes_are_towns_for_10(town: str, city: str, side: str, phase: str) -> None:
    tiles, stations = {city: turned(CITY_20, side)}, {f"{city}.0": ["1"]}
    game = for_two(phase=phase, agenda=[OperateWithCars("1")], tiles=tiles, stations=stations)
    assert income_of(game, (f"{town}.0", f"{city}.0")) == (30, 0)


@pytest.mark.rule("18Mag X/17")
def test_budapest_the_oo_hex_and_the_lake() -> None:
    labels = {hex_.id: hex_.printed.label for hex_ in TITLE.map if hex_.printed.label}
    assert labels == {"C8": "B", "E6": "OO"}
    assert [hex_.id for hex_ in TITLE.map if hex_.printed.shores] == ["D5"]
    assert not [hex_.id for hex_ in TITLE.map if hex_.printed.barriers]
    budapest = for_two(agenda=[LayTrack("1")])
    assert refusal_rule(budapest, LayTile("C8", "L33", 2)) == "allowed"
    assert refusal_rule(budapest, LayTile("C8", *turned(CITY_20, "NE", "SW"))) == "18Mag VI.3.2/8"
    oo = for_two(agenda=[LayTrack("7")])
    assert {option.action.tile for option in question_of(oo).only(LayTile) if isinstance(option.action, LayTile)} == {
        "L32"
    }


@pytest.mark.rule("18Mag X/17")
def test_no_track_crosses_lake_balaton() -> None:
    game = for_two(agenda=[LayTrack("3")], tiles={"C6": turned(CITY_20, "SW", "NE")})
    on_the_north = {("D5", *turned("7", "NE", "NW")), ("D5", *turned("8", "NE", "W"))}
    lays = [option.action for option in question_of(game).only(LayTile, hex="D5")]
    assert {(lay.hex, lay.tile, lay.rotation) for lay in lays if isinstance(lay, LayTile)} == on_the_north
    assert refusal_rule(game, LayTile("D5", *turned("9", "NE", "SW"))) == "18Mag VI.3.2/21"


@pytest.mark.rule("18Mag X/18")
def test_start_prices_come_from_the_ten_cards() -> None:
    seen = Counter[int]()
    for seed in range(1, 60):
        prices = [price_of(fresh(seed), major) for major in MAJORS]
        assert set(prices) <= {60, 65, 70, 75, 80}
        assert max(Counter(prices).values()) <= 2
        seen.update(prices)
    assert set(seen) == {60, 65, 70, 75, 80}
