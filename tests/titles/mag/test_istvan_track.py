"""István's minors and track: they promote cities and lay nothing yellow (18Mag XI.2.1)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.state import IstvanPromotes, LayTrack, OperatingRound, Rounds, StockRound
from ostbahn.titles.mag.track import legal_lays
from tests.titles.mag.share_scenes import play_until, question_of, refusal_rule
from tests.titles.mag.solo_scenes import HIM, ME, laid, payments, printed, solo_scene, state_of, table_of, with_entries
from tests.titles.mag.track_scenes import facing

NOTHING = with_entries()
"""A deck in which card 5 has no entries."""
LINE = printed(8, 11)
"""The track of minors 1 and 4: Szeged E10, Kecskemét D9, Budapest C8, the town B9 and Szolnok C10, in a row."""

# Tiles on that line; a green one has two exits more than the yellow one beneath it.
E10_GREEN, E10_BROWN = ("14", 1), ("611", 1)
C8_GREEN = ("209", 1)


def promoting(minor: str, turns: int = 1, **particulars: Any) -> Game:
    """So many turns of a minor that has a card without entries and no train."""
    defaults: dict[str, Any] = {"his": {minor: 5}, "trains": {minor: ()}, "deck": NOTHING, "phase": "green"}
    return solo_scene(**{**defaults, "turns": [minor] * turns, **particulars})


def choices(game: Game) -> list[LayTile]:
    """What the human may choose for István; nothing if he is not asked."""
    if not isinstance(question_of(game).task, IstvanPromotes):
        return []
    actions = [option.action for option in question_of(game)]
    assert all(isinstance(action, LayTile) for action in actions)
    return [action for action in actions if isinstance(action, LayTile)]


def story(game: Game, minor: str, wish: str = "") -> list[tuple[str, str]]:
    """Hexes and colours of a minor's promotions; where there is a choice it is the wished hex, or the only one."""
    while found := choices(game):
        hexes = {action.hex for action in found}
        assert len(hexes) == 1 or wish in hexes
        game.apply(next(action for action in found if action.hex == wish or len(hexes) == 1), ME)
    title = game.rulebook.title  # type: ignore[attr-defined]
    return [(hex_id, title.tiles[tile].colour) for hex_id, tile in laid(game, minor)]


# No yellow tiles


@pytest.mark.rule("18Mag XI.2.1/1", "18Mag XI.2.1/2")
@pytest.mark.parametrize("minor", ["1", "2", "3", "4", "6", "7"])
def test_in_the_yellow_phase_his_minors_lay_nothing(minor: str) -> None:
    for tiles in ({}, printed(15, 16, 17, 18, 19, 20, 21)):
        game = promoting(minor, 3, phase="yellow", tiles=tiles, cash={minor: 500})
        assert question_of(game).task == LayTrack("11")
        assert laid(game, minor) == []


@pytest.mark.rule("18Mag XI.2.1/1")
def test_in_later_phases_he_lays_nothing_yellow_either() -> None:
    """Minor 2 has a tile at home and free country all around it, but no city to promote after its own."""
    game = promoting("2", 4, phase="brown", tiles={"B15": ("6", 0)}, cash={"2": 500})
    assert story(game, "2") == [("B15", "green"), ("B15", "brown")]


# Promotions


@pytest.mark.rule("18Mag XI.2.1/2")
def test_a_turn_has_one_promotion() -> None:
    for turns, promoted in enumerate([["B15"], ["B15", "C14"], ["B15", "C14", "C10"], ["B15", "C14", "C10"]], start=1):
        game = promoting("2", turns, tiles=printed(9))
        assert [hex_id for hex_id, _ in story(game, "2")] == promoted


@pytest.mark.rule("18Mag XI.2.1/2")
def test_towns_and_plain_track_are_not_promoted() -> None:
    """Between Budapest and Szolnok there is the town B9."""
    game = promoting("1", 8, phase="brown", tiles=LINE)
    assert {hex_id for hex_id, _ in story(game, "1", wish="E10")} == {"C8", "D9", "E10", "C10"}


@pytest.mark.rule("18Mag XI.2.1/2")
def test_a_city_that_track_does_not_reach_is_not_promoted() -> None:
    tiles = {hex_id: tile for hex_id, tile in printed(9).items() if hex_id != "C12"}
    game = promoting("2", 5, tiles=tiles)
    assert [hex_id for hex_id, _ in story(game, "2")] == ["B15", "C14"]


@pytest.mark.rule("18Mag XI.2.1/2")
@pytest.mark.parametrize(("sides", "promoted"), [(("W", "E"), []), (("SE", "NW"), [("D9", "green")])])
def test_a_city_whose_hex_is_touched_but_not_entered_is_not_promoted(
    sides: tuple[str, str], promoted: list[tuple[str, str]]
) -> None:
    """Track from Szeged ends at the south-eastern side of Kecskemét. A human could promote either tile there (A79)."""
    game = promoting("4", tiles={"E10": E10_GREEN, "D9": facing("57", *sides)})
    assert "D9" in {hex_id for hex_id, _, _ in legal_lays(table_of(game), "4")}
    assert story(game, "4") == promoted


@pytest.mark.rule("18Mag XI.2.1/2")
def test_the_supply_must_have_the_tile() -> None:
    game = promoting("2", 1, tiles=printed(9))
    empty = {**state_of(game).supply, "14": 0, "619": 0}
    assert story(promoting("2", 3, tiles=printed(9), supply=empty), "2") == []
    last = {**empty, "619": 1}
    assert story(promoting("2", 3, tiles=printed(9), supply=last), "2") == [("B15", "green")]


@pytest.mark.rule("18Mag XI.2.1/2")
def test_a_city_that_only_another_station_reaches_is_promoted_too() -> None:
    """Debrecen is green and full of others' stations, so minor 2 cannot pass it; but it has a station in Szolnok."""
    tiles = {**printed(9), "B15": ("15", 0), "C14": ("15", 0)}
    game = promoting("2", tiles=tiles, mine=("11", "6"), stations={"C14.0": ["11", "6"], "C10.0": ["2"]})
    assert story(game, "2") == [("C10", "green")]


@pytest.mark.rule("18Mag XI.2.1/3")
@pytest.mark.parametrize("cash", [0, 100])
def test_the_bank_pays_sik_for_the_promotion_of_budapest(cash: int) -> None:
    game = promoting("1", tiles=LINE, cash={"1": cash})
    assert story(game, "1") == [("C8", "green")]
    assert payments(game, target="SIK") == [(BANK, "SIK", 20)]
    assert state_of(game).cash["1"] == cash


@pytest.mark.rule("18Mag XI.2.1/3")
def test_the_bank_pays_for_oo_and_no_terrain_token_is_spent() -> None:
    game = promoting("7", tiles=printed(13), cash={"7": 0})
    assert story(game, "7") == [("E6", "green")]
    assert payments(game, target="SIK") == [(BANK, "SIK", 20)]
    assert state_of(game).terrain_tokens["7"] == 1


@pytest.mark.rule("18Mag XI.2.1/3")
def test_an_ordinary_city_costs_nothing() -> None:
    """Györ lies on a river; that was paid, or not, when its first tile came."""
    game = promoting("3", 2, tiles=printed(10))
    assert story(game, "3") == [("C6", "green"), ("B5", "green")]
    assert payments(game, target="SIK") == []


# Which city


@pytest.mark.rule("18Mag XI.2.1/4", "18Mag XI.2.1/7")
def test_example_minor_4_finishes_the_nearest_city_before_the_next() -> None:
    """The picture is lost; these hexes fit it: A is E10, B is D9, C is C8."""
    tiles = {"E10": E10_GREEN, "D9": LINE["D9"], "C8": C8_GREEN}
    game = promoting("4", 4, phase="brown", tiles=tiles)
    assert story(game, "4") == [("E10", "brown"), ("D9", "green"), ("D9", "brown"), ("C8", "brown")]


@pytest.mark.rule("18Mag XI.2.1/4", "18Mag XI.2.1/8")
@pytest.mark.parametrize("wish", ["E10", "C10"])
def test_example_minor_1_comes_to_two_cities_two_hexes_away(wish: str) -> None:
    tiles = {**LINE, "C8": C8_GREEN, "E10": E10_GREEN, "C10": ("15", 2)}
    game = promoting("1", 4, phase="brown", tiles=tiles)
    while {action.hex for action in choices(game)} in ({"C8"}, {"D9"}):
        game.apply(choices(game)[0])
    assert {action.hex for action in choices(game)} == {"E10", "C10"}, "the human picks A or D"
    assert story(game, "1", wish) == [("C8", "brown"), ("D9", "green"), ("D9", "brown"), (wish, "brown")]


@pytest.mark.rule("18Mag XI.2.1/4")
def test_the_home_is_promoted_before_cities_that_could_be() -> None:
    game = promoting("4", tiles=LINE)
    assert {action.hex for action in choices(game)} | {hex_id for hex_id, _ in laid(game, "4")} == {"E10"}


@pytest.mark.rule("18Mag XI.2.1/4")
def test_hexes_are_counted_along_the_track() -> None:
    """Szolnok touches Kecskemét, where minor 4 comes along; but the track goes round by Budapest and B9."""
    tiles = {**LINE, "E10": E10_GREEN, "D9": ("14", 1)}
    game = promoting("4", 2, tiles=tiles)
    assert [hex_id for hex_id, _ in story(game, "4")] == ["C8", "C10"]


@pytest.mark.rule("18Mag XI.2.1/4")
@pytest.mark.parametrize("number", [0, 1])
def test_a_city_full_of_others_stations_is_reached_but_not_passed(number: int) -> None:
    """Kecskemét is green already and has two places."""
    tiles = {**LINE, "E10": E10_GREEN, "D9": ("14", 1), "C10": ("15", 2)}
    others = {"D9.0": ["11", "6"][: number + 1]}
    game = promoting("4", tiles=tiles, mine=("11", "6"), stations=others)
    assert story(game, "4") == ([("C8", "green")] if number == 0 else [])


@pytest.mark.rule("18Mag XI.2.1/4")
def test_hexes_are_counted_from_the_home_and_not_from_another_station() -> None:
    """Szolnok is three hexes from Nyíregyháza. Kecskemét, beside the station in Budapest, is six (A78)."""
    tiles = {**printed(9), **LINE, "B15": ("15", 0), "C14": ("15", 0)}
    game = promoting("2", tiles=tiles, stations={"C8.1": ["2"]})
    assert story(game, "2") == [("C10", "green")]


@pytest.mark.rule("18Mag XI.2.1/4")
def test_where_the_home_leads_nowhere_the_city_of_another_station_is_the_nearest() -> None:
    """Debrecen is full, so nothing is reached from home; Kecskemét with its station comes before Budapest (A78)."""
    tiles = {**printed(9), **LINE, "B15": ("15", 0), "C14": ("15", 0)}
    game = promoting("2", tiles=tiles, mine=("11", "6"), stations={"C14.0": ["11", "6"], "D9.0": ["2"]})
    assert {action.hex for action in choices(game)} == {"D9"}


@pytest.mark.rule("18Mag XI.2.1/4")
@pytest.mark.parametrize(("others", "nearest"), [(["11"], {"C10", "E6"}), (["11", "6"], {"E6"})])
def test_hexes_are_not_counted_through_a_city_full_of_others_stations(others: list[str], nearest: set[str]) -> None:
    """From Szeged to Szolnok it is two hexes by way of Kecskemét and three around it; to Pécs it is two."""
    around = {"D11": ("9", 0), "C12": ("7", 0), "C10": ("6", 4), "E8": ("9", 1), "E6": ("L32", 2)}
    tiles = {**around, "E10": ("15", 1), "D9": ("15", 2)}
    game = promoting("4", tiles=tiles, mine=("11", "6"), stations={"D9.0": others})
    assert {action.hex for action in choices(game)} | {hex_id for hex_id, _ in laid(game, "4")} == nearest


@pytest.mark.rule("18Mag XI.2.1/4")
def test_a_city_without_a_next_tile_is_passed_over() -> None:
    """Tile 209 lies nowhere yet, but is gone from the supply."""
    game = promoting("1", tiles=LINE)
    supply = {**state_of(game).supply, "209": 0}
    assert [hex_id for hex_id, _ in story(promoting("1", 1, tiles=LINE, supply=supply), "1")] == ["D9"]


@pytest.mark.rule("18Mag XI.2.1/4", "18Mag XI.2.1/5")
def test_the_human_is_asked_and_nobody_else() -> None:
    game = promoting("4", tiles={**LINE, "E10": E10_GREEN})
    (question, first) = question_of(game), choices(game)[0]
    assert (question.decider, question.company) == (ME, "4")
    assert game.refusal(first, by=HIM) is not None
    assert refusal_rule(game, Pass()) == "18Mag XI.2.1/4", "he must choose"


@pytest.mark.rule("18Mag XI.2.1/4")
def test_a_city_farther_away_is_refused() -> None:
    game = promoting("4", tiles={**LINE, "E10": E10_GREEN})
    assert {action.hex for action in choices(game)} == {"D9"}
    assert refusal_rule(game, LayTile("C8", "209", 1)) == "18Mag XI.2.1/4"


# Which tile


def beside_d9(*loose: str) -> dict[str, tuple[str, int]]:
    """D9 has NW and SE; in the east D11 and in the north-east C10 can have track that ends there."""
    tiles = {"D9": LINE["D9"], "E10": E10_GREEN}
    return tiles | {name: {"D11": ("9", 1), "C10": ("6", 0)}[name] for name in loose}


@pytest.mark.rule("18Mag XI.2.1/5")
def test_two_loose_tracks_leave_one_tile() -> None:
    """NW, NE, E and SE: tile 15 at rotation 2 has them all, and so nobody is asked."""
    game = promoting("4", tiles=beside_d9("D11", "C10"))
    assert question_of(game).task == LayTrack("11")
    assert state_of(game).board.tiles["D9"] == ("15", 2)


@pytest.mark.rule("18Mag XI.2.1/5")
def test_one_loose_track_leaves_the_tiles_that_join_it() -> None:
    """NW, E and SE must be there. Tile 14 looks the same after half a turn."""
    game = promoting("4", tiles=beside_d9("D11"))
    tiles = {(action.tile, action.rotation) for action in choices(game)}
    assert tiles | {("14", 4)} == {("15", 2), ("14", 1), ("14", 4), ("619", 2)}
    assert refusal_rule(game, LayTile("D9", "15", 5)) == "18Mag XI.2.1/5", "W instead of E"


@pytest.mark.rule("18Mag XI.2.1/5")
def test_without_loose_track_every_tile_that_fits_is_offered() -> None:
    """NW, SE and any two others."""
    game = promoting("4", tiles=beside_d9())
    tiles = {(action.tile, action.rotation) for action in choices(game)}
    straight = {("14", 1), ("14", 2), ("14", 4), ("14", 5)}
    assert tiles - straight == {("15", 2), ("15", 5), ("619", 2), ("619", 5)}
    assert {name for name, _ in tiles & straight} == {"14"}


@pytest.mark.rule("18Mag XI.2.1/5")
def test_as_many_as_possible_need_not_be_all() -> None:
    """Five tracks end at Kecskemét and a green tile has four: any two of the three loose ones are joined."""
    tiles = {**beside_d9("D11", "C10"), "D7": ("9", 1)}
    game = promoting("4", tiles=tiles)
    found = {(action.tile, action.rotation) for action in choices(game)}
    assert found | {("14", 4)} == {("15", 2), ("14", 1), ("14", 4), ("619", 5)}


@pytest.mark.rule("18Mag XI.2.1/5")
def test_the_choice_is_laid() -> None:
    game = promoting("4", tiles=beside_d9("D11"))
    supply = state_of(game).supply["619"]
    game.apply(LayTile("D9", "619", 2), ME)
    assert state_of(game).board.tiles["D9"] == ("619", 2)
    assert state_of(game).supply["619"] == supply - 1
    assert question_of(game).task == LayTrack("11")


@pytest.mark.rule("18Mag XI.2.1/5")
def test_a_rotation_that_looks_like_one_that_is_listed_is_laid_too() -> None:
    """It is one possibility, told once; saves of 0.1 may have any of them."""
    game = promoting("4", tiles=beside_d9("D11"))
    listed = choices(game)
    alike = table_of(game).title.tile_set.alike
    others = [
        LayTile(lay.hex, lay.tile, turn)
        for lay in listed
        for turn in alike[lay.tile][lay.rotation]
        if turn != lay.rotation
    ]
    assert others
    assert not set(others) & set(listed)
    for lay in others:
        again = game.copy()
        again.apply(lay, ME)
        assert state_of(again).board.tiles["D9"] == (lay.tile, lay.rotation)


# 10 Ft in the yellow phase


@pytest.mark.rule("18Mag XI.2.1/6")
def test_in_the_yellow_phase_minors_with_a_train_pay_szkev() -> None:
    game = solo_scene(his={"2": 5, "3": 5, "4": 5}, deck=NOTHING, trains={"4": ()}, turns=["2", "3", "4"], mine=("11",))
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", 10), ("3", "SzKÉV", 10)]
    assert [state_of(game).cash[minor] for minor in ("2", "3", "4")] == [40, 40, 50]


@pytest.mark.rule("18Mag XI.2.1/6")
def test_they_pay_every_turn_as_long_as_they_have_10() -> None:
    game = promoting("2", 3, phase="yellow", trains={"2": ["2", "2"]}, cash={"2": 25})
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", 10)] * 2
    assert state_of(game).cash["2"] == 5


@pytest.mark.rule("18Mag XI.2.1/6")
@pytest.mark.parametrize("phase", ["green", "brown"])
def test_later_they_pay_nothing(phase: str) -> None:
    game = promoting("2", 2, phase=phase, trains={"2": ["2"]})
    assert payments(game, target="SzKÉV") == []


@pytest.mark.rule("18Mag XI.2.1/6")
def test_the_phase_counts_that_a_minor_before_has_begun() -> None:
    """Minor 2 buys the first 3-train, and minor 3 acts in the green phase."""
    deck = with_entries({"do": "buy_train", "train": "3"})
    game = solo_scene(his={"2": 5, "3": 9}, deck=deck, turns=["2", "3"], cash={"2": 130})
    assert state_of(game).phase == "green"
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", 10)]


@pytest.mark.rule("18Mag XI.2.1/6")
def test_the_humans_minors_pay_for_extra_tiles_only() -> None:
    game = solo_scene(his={"2": 5}, deck=NOTHING, agenda=[Rounds(2, 1, 1), OperatingRound(("11", "2"))])
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert payments(game, target="SzKÉV") == [("2", "SzKÉV", 10)]
