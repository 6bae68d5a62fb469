"""Local Railways: their two special powers (18CZ IV.1/15 to IV.1/23)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import ChooseCity, LayPurpleTile, LayTile, PayOut, RunTrains, SellLocal
from ostbahn.titles.cz.state import EndTurn, LayTrack, OperatingRound, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, idle, payments, rule_against
from tests.titles.cz.scenes import scene, state_of

SECOND_OPERATING_ROUND = cz_title().boxes.index(45)


def turn_of(company: str, *agenda: object, **more: object) -> Game:
    """A company of p1 with enough certificates out to have floated, in phase d unless said otherwise."""
    size = cz_title().companies[company].size
    fields: dict[str, object] = {
        "phase": "d",
        "started": {company: ({"small": 60, "medium": 60, "large": 90}[size], "p1")},
        "shares": {company: {"p1": {"small": 0, "medium": 1, "large": 3}[size]}},
        **more,
    }
    return scene(agenda=agenda or (LayTrack(company, False),), **fields)  # type: ignore[arg-type]


def sx_on_d4(*agenda: object, **more: object) -> Game:
    """Sx with a station on D4, track to the mountain in C3 and the hill in E5, and the Local Railway L1."""
    fields: dict[str, object] = {
        "cash": {"Sx": 100},
        "tiles": {"D4": ("57", 2)},
        "stations": {"D4.0": ["Sx"]},
        "trains": {"Sx": [("d1", "3E")]},
        "locals_of": {"L1": "Sx"},
        **more,
    }
    return turn_of("Sx", *agenda, **fields)


PURPLE_ON_D4 = LayPurpleTile("L1", "D4", "14p", 0)
HILL_E5 = LayTile("E5", "9", 2)
FREE_HILL_E5 = LayTile("E5", "9", 2, waiver="L1")


# One of two powers, once


@pytest.mark.rule("18CZ IV.1/15")
@pytest.mark.parametrize("used", [PURPLE_ON_D4, FREE_HILL_E5])
def test_one_power_can_be_used_once(used: Action) -> None:
    game = sx_on_d4(OperatingRound(("Sx",)), EndTurn("Sx"), LayTrack("Sx", True))
    both = (PURPLE_ON_D4, FREE_HILL_E5)
    assert [allowed(game, power) for power in both] == [True, True]
    game.apply(used)
    turns = 0
    while not game.over:
        if asked(game).kind == "lay_track":
            turns += 1
            assert [rule_against(game, power) for power in both if power != used] == ["18CZ IV.1/15"]
            purple = used == PURPLE_ON_D4
            again = LayPurpleTile("L1", "D4", "15p", 1) if purple else FREE_HILL_E5
            assert rule_against(game, again) == ("18CZ IV.1/15" if purple else "18CZ VIII.5/1")
        assert not asked(game).only(LayPurpleTile)
        assert not asked(game).only(LayTile, waiver="L1")
        game.apply(idle(game))
    assert turns == 2, "this turn and the next"


@pytest.mark.rule("18CZ IV.1/15")
def test_each_local_railway_has_a_power_of_its_own() -> None:
    game = sx_on_d4(LayTrack("Sx", False), locals_of={"L1": "Sx", "M1": "Sx"})
    game.apply(PURPLE_ON_D4)
    game.apply(LayTile("E5", "9", 2, waiver="M1"))
    assert state_of(game).used_powers == ("L1", "M1")


@pytest.mark.rule("18CZ IV.1/15")
def test_the_power_of_another_companys_local_railway_is_out_of_reach() -> None:
    game = sx_on_d4(
        started={"Sx": (90, "p1"), "kk": (90, "p1")},
        shares={"Sx": {"p1": 3}, "kk": {"p1": 3}},
        locals_of={"L1": "kk"},
    )
    assert [rule_against(game, power) for power in (PURPLE_ON_D4, FREE_HILL_E5)] == ["18CZ IV.1/15"] * 2


@pytest.mark.rule("18CZ IV.1/16")
@pytest.mark.parametrize("used", [PURPLE_ON_D4, FREE_HILL_E5])
def test_a_used_one_stays_and_pays_on(used: Action) -> None:
    game = sx_on_d4(Timetable(SECOND_OPERATING_ROUND), EndTurn("Sx"), LayTrack("Sx", False))
    game.apply(used)
    assert state_of(game).locals == {"L1": "Sx"}
    while state_of(game).local_price != 45:
        game.apply(idle(game))
    assert [(paid.target, paid.amount) for paid in payments(game.records[-1].events)] == [("Sx", 20)]
    assert allowed(game, SellLocal("L1"))


@pytest.mark.rule("18CZ IV.1/17")
@pytest.mark.parametrize("power", [PURPLE_ON_D4, FREE_HILL_E5])
def test_one_in_a_players_hand_has_no_power(power: Action) -> None:
    game = sx_on_d4(locals_of={"L1": "p1"})
    assert rule_against(game, power) == "18CZ IV.1/17"
    assert not allowed(game, power)


# Power 1: a purple-edged tile


NORMAL_TURN: dict[str, Action | None] = {
    "lay_track": LayTile("D6", "9", 1),
    "establish_station": Pass(),
    "operate_trains": None,
    "use_income": PayOut(),
    "acquire": Pass(),
    "purchase_trains": Pass(),
}
"""What EKJ does in its turn besides; None is the best run."""


@pytest.mark.rule("18CZ IV.1/18")
@pytest.mark.parametrize("moment", NORMAL_TURN)
def test_a_purple_tile_at_any_moment_beside_the_normal_track(moment: str) -> None:
    game = turn_of(
        "EKJ",
        OperatingRound(("EKJ",)),
        tiles={"D4": ("57", 1), "D2": ("57", 1)},
        stations={"D4.0": ["EKJ"]},
        trains={"EKJ": [("c1", "3")]},
        locals_of={"S1": "EKJ"},
    )
    seen = []
    while not game.over:
        kind = asked(game).kind
        if kind == moment:
            game.apply(LayPurpleTile("S1", "D4", "14p", 0))
            assert asked(game).kind == kind
        seen.append(kind)
        game.apply(NORMAL_TURN[kind] or asked(game).only(RunTrains)[0].action)
    assert seen == list(NORMAL_TURN)
    assert state_of(game).board.tiles["D6"] == ("9", 1)
    assert state_of(game).board.tiles["D4"] == ("14p", 0)


@pytest.mark.rule("18CZ IV.1/18")
def test_the_power_is_for_purple_edged_tiles() -> None:
    game = sx_on_d4()
    assert rule_against(game, LayPurpleTile("L1", "D4", "14", 1)) == "18CZ IV.1/18"
    assert rule_against(game, LayPurpleTile("L1", "D4", "nonsense", 0)) == "18CZ IV.1/18"
    assert rule_against(game, LayTile("D4", "14p", 0)) == "18CZ VIII.5/5", "and they are not laid without it"
    game.apply(PURPLE_ON_D4)
    assert state_of(game).cash["Sx"] == 100, "it costs nothing"
    assert asked(game).kind == "lay_track"


@pytest.mark.rule("18CZ IV.1/19")
@pytest.mark.parametrize(("phase", "rule"), [("d", "18CZ VIII.5/3"), ("f", "18CZ VIII.5/3"), ("g", ""), ("j", "")])
def test_the_colour_must_be_open(phase: str, rule: str) -> None:
    game = turn_of("BTE", phase=phase, tiles={"D2": ("14", 0)}, stations={"D2.0": ["BTE"]}, locals_of={"M1": "BTE"})
    lay = LayPurpleTile("M1", "D2", "611p", 3)
    assert rule_against(game, lay) == rule
    assert allowed(game, lay) == (not rule)


@pytest.mark.rule("18CZ IV.1/19")
@pytest.mark.parametrize(
    ("lay", "rule"),
    [
        pytest.param(LayPurpleTile("L1", "D4", "14p", 0), "", id="legal"),
        pytest.param(LayPurpleTile("L1", "D4", "14p", 2), "18CZ VIII.5/8", id="loses track"),
        pytest.param(LayPurpleTile("L1", "G23", "14p", 0), "18CZ VIII.5/7", id="no connection"),
        pytest.param(LayPurpleTile("L1", "E7", "888p", 0), "18CZ VIII.5/1", id="bare hex"),
        pytest.param(LayPurpleTile("L1", "D4", "888p", 0), "18CZ VIII.5/10", id="town on city"),
        pytest.param(LayPurpleTile("L1", "D4", "611p", 0), "18CZ VIII.5/1", id="skips green"),
        pytest.param(LayPurpleTile("L1", "G19", "14p", 0), "18CZ VIII.4/13", id="not a Y tile"),
    ],
)
def test_otherwise_the_rules_of_track_hold(lay: Action, rule: str) -> None:
    game = sx_on_d4(
        phase="g",
        tiles={"D4": ("57", 2), "G23": ("57", 2), "G19": ("621", 2)},
    )
    assert rule_against(game, lay) == rule
    assert allowed(game, lay) == (not rule)


@pytest.mark.rule("18CZ IV.1/19")
def test_the_supply_holds_for_purple_tiles_too() -> None:
    """There is one 14p; D2 has it."""
    game = sx_on_d4(tiles={"D4": ("57", 2), "D2": ("14p", 3)})
    assert rule_against(game, PURPLE_ON_D4) == "18CZ II/3"


@pytest.mark.rule("18CZ IV.1/19")
def test_two_towns_become_one_if_all_track_is_kept() -> None:
    """The Upgrade Chart lets purple green town tiles replace yellow tiles with two towns."""
    game = turn_of(
        "BCB",
        tiles={"E15": ("57", 1), "E13": ("55", 0)},
        stations={"E15.0": ["BCB"]},
        locals_of={"S1": "BCB"},
    )
    lays = [option.action for option in asked(game).only(LayPurpleTile, hex="E13")]
    assert lays == [LayPurpleTile("S1", "E13", "888p", 2)], "at 5 it looks the same"
    game.apply(lays[0])
    assert state_of(game).board.tiles["E13"] == ("888p", 2)
    assert state_of(game).supply["55"] == 1


@pytest.mark.rule("18CZ IV.1/19")
def test_a_green_oo_tile_becomes_purple_brown() -> None:
    """The stations of both cities stand together afterwards."""
    game = turn_of(
        "ATE",
        phase="g",
        started={"ATE": (60, "p1"), "EKJ": (60, "p2")},
        tiles={"B8": ("8885", 0)},
        stations={"B8.1": ["ATE"], "B8.0": ["EKJ"]},
        locals_of={"M1": "ATE"},
    )
    lays = [option.action for option in asked(game).only(LayPurpleTile, hex="B8")]
    assert lays
    game.apply(lays[0])
    assert set(state_of(game).board.stations["B8.0"]) == {"ATE", "EKJ"}


UNDER = {"green": ("57", 0), "brown": ("15", 0), "grey": ("611", 0)}
PURPLE = {"green": "15p", "brown": "611p", "grey": "595p"}


@pytest.mark.parametrize(
    ("local", "colours", "rule"),
    [
        pytest.param("S1", {"green"}, "18CZ IV.1/21", marks=pytest.mark.rule("18CZ IV.1/21")),
        pytest.param("M1", {"green", "brown"}, "18CZ IV.1/22", marks=pytest.mark.rule("18CZ IV.1/22")),
        pytest.param("L1", {"green", "brown", "grey"}, "18CZ IV.1/23", marks=pytest.mark.rule("18CZ IV.1/23")),
    ],
)
def test_purple_colours_by_size(local: str, colours: set[str], rule: str) -> None:
    """Phase i, in which all colours are open."""
    for colour, tile in PURPLE.items():
        game = sx_on_d4(phase="i", tiles={"D4": UNDER[colour]}, locals_of={local: "Sx"})
        lay = LayPurpleTile(local, "D4", tile, 0)
        assert allowed(game, lay) == (colour in colours)
        assert rule_against(game, lay) == ("" if colour in colours else rule)


# Power 2: terrain for nothing


RIVER, HILL, MOUNTAIN = ("H10", "9", 0), ("J10", "58", 2), ("I7", "8", 2)
"""Lays around I9 that cost 10, 20 and 40 K."""


def on_i9(company: str = "kk", *agenda: object, **more: object) -> Game:
    fields: dict[str, object] = {"tiles": {"I9": ("611", 1)}, "stations": {"I9.0": [company]}, **more}
    return turn_of(company, *agenda, **fields)


@pytest.mark.parametrize(
    ("local", "waived", "rule"),
    [
        pytest.param("S1", [True, False, False], "18CZ IV.1/21", marks=pytest.mark.rule("18CZ IV.1/21")),
        pytest.param("M1", [True, True, False], "18CZ IV.1/22", marks=pytest.mark.rule("18CZ IV.1/22")),
        pytest.param("L1", [True, True, True], "18CZ IV.1/23", marks=pytest.mark.rule("18CZ IV.1/23")),
    ],
)
@pytest.mark.parametrize("cash", [0, 500])
def test_waived_terrain_by_size(local: str, waived: list[bool], rule: str, cash: int) -> None:
    for place, waivable in zip((RIVER, HILL, MOUNTAIN), waived, strict=True):
        game = on_i9(cash={"kk": cash}, locals_of={local: "kk"})
        lay = LayTile(*place, waiver=local)
        assert allowed(game, lay) == waivable
        assert rule_against(game, lay) == ("" if waivable else rule)
        assert allowed(game, LayTile(*place)) == (cash > 0)
        if waivable:
            game.apply(lay)
            assert state_of(game).cash["kk"] == cash
            assert state_of(game).used_powers == (local,)


@pytest.mark.rule("18CZ IV.1/20")
@pytest.mark.parametrize("waived_first", [True, False])
def test_one_tile_is_free_and_the_next_is_not(waived_first: bool) -> None:
    """In its first turn kk lays two yellow tiles; L1 pays for one of them, whichever it is."""
    game = on_i9("kk", LayTrack("kk", True), cash={"kk": 100}, locals_of={"L1": "kk"})
    mountain, hill = LayTile(*MOUNTAIN, waiver="L1"), LayTile(*HILL)
    for action in (mountain, hill) if waived_first else (hill, mountain):
        assert asked(game).kind == "lay_track"
        game.apply(action)
    assert state_of(game).cash["kk"] == 100 - 20
    assert game.over, "two tiles are all"


@pytest.mark.rule("18CZ IV.1/20")
def test_a_second_lay_cannot_use_the_same_card() -> None:
    game = on_i9("kk", LayTrack("kk", True), cash={"kk": 39}, locals_of={"L1": "kk"})
    game.apply(LayTile(*HILL, waiver="L1"))
    assert rule_against(game, LayTile(*MOUNTAIN, waiver="L1")) == "18CZ IV.1/15"
    assert rule_against(game, LayTile(*MOUNTAIN)) == "18CZ VIII.4/16"
    game.apply(LayTile(*RIVER))
    assert state_of(game).cash["kk"] == 29


@pytest.mark.rule("18CZ IV.1/20")
def test_a_waived_lay_is_the_normal_one() -> None:
    """After the first turn one yellow tile may be laid, paid for or not."""
    game = on_i9("kk", OperatingRound(("kk",)), cash={"kk": 100}, locals_of={"L1": "kk", "L2": "kk"})
    game.apply(LayTile(*MOUNTAIN, waiver="L1"))
    assert asked(game).kind == "establish_station"
    assert rule_against(game, LayTile(*HILL, waiver="L2")) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.3/2", "18CZ IV.1/20")
@pytest.mark.parametrize(("first", "ruled"), [(True, "refused"), (False, "allowed"), (True, "allowed")])
def test_after_a_promotion_a_waived_lay_follows_in_the_first_turn_only_and_by_ruling(first: bool, ruled: str) -> None:
    game = sx_on_d4(LayTrack("Sx", first), rulings={"waived_lay_after_promotion": ruled})
    game.apply(asked(game).only(LayTile, hex="D4")[0].action)
    if not (first and ruled == "allowed"):
        assert game.over
        return
    assert asked(game).kind == "lay_waived"
    assert all(option.action.waiver == "L1" for option in asked(game) if isinstance(option.action, LayTile))
    assert rule_against(game, HILL_E5) == "18CZ VIII.3/2"
    assert rule_against(game, LayTile("D4", "611", 0, waiver="L1")) == "18CZ VIII.3/2", "no second promotion"
    assert rule_against(game, LayTile("Z99", "8", 0, waiver="L1")) == "18CZ VIII.4/18", "there is no such hex"
    game.apply(FREE_HILL_E5)
    assert (state_of(game).used_powers, state_of(game).cash["Sx"]) == (("L1",), 100)
    assert game.over


@pytest.mark.rule("18CZ IV.1/20")
def test_where_nothing_is_to_be_paid_nothing_is_waived() -> None:
    game = on_i9(locals_of={"L1": "kk"})
    assert allowed(game, LayTile("H8", "8", 3)), "open country"
    assert rule_against(game, LayTile("H8", "8", 3, waiver="L1")) == "18CZ IV.1/20"


@pytest.mark.rule("18CZ IV.1/20")
@pytest.mark.parametrize(
    ("company", "phase", "home", "lay"),
    [
        pytest.param("BCB", "a", "E15.0", LayTile("E15", "57", 1, "S1"), id="a city at home"),
        pytest.param("BN", "b", "E11.1", LayTile("E11", "8889", 1, "S1"), id="Praha"),
        pytest.param("ATE", "d", "B8", LayTile("B8", "8885", 0, "S1"), id="an OO hex"),
    ],
)
def test_rivers_in_cities_are_waived_too(company: str, phase: str, home: str, lay: LayTile) -> None:
    game = turn_of(company, phase=phase, stations={home: [company]}, locals_of={"S1": company})
    assert rule_against(game, LayTile(lay.hex, lay.tile, lay.rotation)) == "18CZ VIII.4/16"
    assert allowed(game, lay)
    game.apply(lay)
    assert state_of(game).cash[company] == 0
    assert state_of(game).board.tiles[lay.hex] == (lay.tile, lay.rotation)
    if company == "ATE":
        game.apply(ChooseCity("B8.1"))
        assert state_of(game).board.stations == {"B8.1": ("ATE",)}
