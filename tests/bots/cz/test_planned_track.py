"""Track that S lays: always legal and paid for, chosen for where it leads, with the powers that bring enough."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec import structs

from ostbahn.bots.policies import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import LayPurpleTile, LayTile
from ostbahn.titles.cz.opponents.building import TrackBeamSearch, later_fleet, private_lays_proposed
from ostbahn.titles.cz.opponents.building import proposals as building_proposals
from ostbahn.titles.cz.opponents.policy import proposals, search_proposals
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights
from ostbahn.titles.cz.state import LayTrack, OperatingRound, Timetable
from ostbahn.titles.cz.track import is_promotion
from tests.titles.cz.asking import asked
from tests.titles.cz.building import lay, on, turn
from tests.titles.cz.scenes import state_of, table_of

SECOND_OR, FIFTH_OR = 5, 14
"""Boxes of the process track that come after these rounds."""


def with_building(**numbers: Any) -> CzWeights:
    """S's weights with other numbers for building."""
    weights = cz_search_weights()
    return structs.replace(weights, building=structs.replace(weights.building, **numbers))


def at_box(game: Game, box: int) -> Game:
    """The same position with the rest of the process track ahead, from a box on."""
    agenda = (Timetable(box), *state_of(game).agenda[1:])
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(game.state, agenda=agenda))


def building(company: str, home: str, *sides: str, tile: str = "57", box: int = SECOND_OR, **fields: Any) -> Game:
    """A later turn of a small company whose home tile joins these sides; it runs a 2-train, in phase a."""
    tiles = {home: on(tile, *sides), **fields.pop("tiles", {})}
    fields = {"phase": "a", "trains": {company: [("a1", "2")]}, **fields}
    return at_box(turn(company, tiles=tiles, stations={f"{home}.0": [company]}, **fields), box)


def builder_of(game: Game, weights: CzWeights) -> TrackBeamSearch:
    return TrackBeamSearch(asked(game), CzBotView(table_of(game), weights))


def futures(game: Game, **numbers: Any) -> Mapping[LayTile, tuple[float, float]]:
    """By lay what can come of it, and what it adds at once; with room for all lays to be looked at."""
    return builder_of(game, with_building(candidates=60, beam=60, **numbers)).futures()


def proposed(game: Game, weights: CzWeights | None = None) -> list[Proposal]:
    """What S thinks of laying; each of it can be done."""
    found = building_proposals(asked(game), game, CzBotView(table_of(game), weights or cz_search_weights()))
    for proposal in found:
        refusal = asked(game).refusal(proposal.action)
        assert refusal is None, f"{proposal.action} is proposed, but {refusal}"
    return found


def best(game: Game, weights: CzWeights | None = None) -> Proposal:
    return max(proposed(game, weights), key=lambda proposal: proposal.score)


# Legal and paid for


def test_in_a_game_every_lay_that_is_proposed_is_legal() -> None:
    """Asked here without the policy, which would leave out what is refused."""
    game = new_game("18CZ", ("Anna", "Bert", "Cilli"), seed=3)
    turns = 0
    while game.question is not None and len(game) < 200:
        question = game.question
        if isinstance(question.task, LayTrack):
            turns += 1
            assert proposed(game)
        chosen = search_proposals if len(game) % 2 else proposals
        weights = cz_search_weights() if len(game) % 2 else cz_weights()
        game.apply(question.options[0].action if question.obvious else chosen(question, game, weights)[0].action)
    assert turns > 10


@pytest.mark.parametrize("cash", [0, 10, 20, 39, 40, 100])
def test_only_lays_that_can_be_paid_for(cash: int) -> None:
    """A mountain for 40 K on one side, a hill for 20 K on the other."""
    game = building("EKJ", "D4", "NW", "SE", cash={"EKJ": cash})
    hexes = {each.action.hex for each in proposed(game) if isinstance(each.action, LayTile)}
    assert hexes == {hex_id for hex_id, cost in (("C3", 40), ("E5", 20)) if cost <= cash}


def test_passing_is_always_thought_of() -> None:
    for cash in (0, 100):
        assert Pass() in {each.action for each in proposed(building("EKJ", "D4", "NW", "SE", cash={"EKJ": cash}))}


def test_after_a_yellow_tile_no_promotion() -> None:
    fields: dict[str, Any] = {"phase": "d", "tiles": {"D2": on("57", "W", "E")}}
    offered = {}
    for yellows in (0, 1):
        agenda = [OperatingRound(()), LayTrack("EKJ", first=True, yellows=yellows)]
        game = building("EKJ", "D4", "W", "E", agenda=agenda, **fields)
        offered[yellows] = {is_promotion(table_of(game), action.hex) for action in futures(game)}
    assert offered == {0: {True, False}, 1: {False}}


def test_the_first_tile_is_laid_at_home() -> None:
    game = at_box(turn("EKJ", phase="a", trains={}), SECOND_OR)
    assert {each.action.hex for each in proposed(game) if isinstance(each.action, LayTile)} == {"D4"}


# Looking ahead


TO_PLZEN = lay("E5", "9", "NW", "SE")
"""From Karlovy Vary (D4) over the hill E5 straight to Plzeň (F6)."""


def same_track(one: LayTile, other: LayTile) -> bool:
    """A straight tile may lie either way round."""
    return (one.hex, one.tile, one.rotation % 3) == (other.hex, other.tile, other.rotation % 3)


def test_looking_ahead_finds_the_way_to_a_city_two_tiles_away() -> None:
    game = building("EKJ", "D4", "NW", "SE")
    near, far = (futures(game, ahead=ahead, way=0.0) for ahead in (1, 2))
    over_the_hill = {action for action in near if action.hex == "E5"}
    assert len({near[action] for action in over_the_hill}) == 1, "the first tile alone shows no difference"
    assert all(far[TO_PLZEN][0] > worth for action, (worth, _) in far.items() if not same_track(action, TO_PLZEN))
    assert far[TO_PLZEN][0] > near[TO_PLZEN][0]
    assert far[TO_PLZEN][1] == 0, "at once it adds nothing"


def test_s_takes_that_way() -> None:
    game = building("EKJ", "D4", "NW", "SE")
    found = best(game, with_building(way=0.0)).action
    assert isinstance(found, LayTile)
    assert same_track(found, TO_PLZEN)


def test_looking_farther_never_makes_a_lay_look_worse() -> None:
    game = building("EKJ", "D4", "W", "E")
    one, two, three = (futures(game, ahead=ahead) for ahead in (1, 2, 3))
    for action, (worth, added) in one.items():
        assert worth <= two[action][0] <= three[action][0]
        assert added == two[action][1] == three[action][1]


def test_a_city_at_once_is_better_than_the_same_city_later() -> None:
    """Cheb (D2) is next to Karlovy Vary; every run without it is lost."""
    game = building("EKJ", "D4", "W", "E")
    assert best(game).action.hex == "D2"  # type: ignore[attr-defined]


def test_later_tiles_must_be_paid_for_too() -> None:
    """From Pardubice (E15) over E17, which is free, to Hradec Králové (D16), which costs 10 K."""
    over_e17 = lay("E17", "7", "W", "NW")
    for cash, reaches in ((0, False), (9, False), (10, True)):
        game = building("BCB", "E15", "E", "SE", tile="5", cash={"BCB": cash})
        builder = builder_of(game, with_building(candidates=60, beam=60, ahead=2, way=0.0))
        worth, added = builder.futures()[over_e17]
        assert added == 0
        assert (worth > cash * builder.thrift) == reaches


def test_what_the_first_tile_costs_is_not_there_for_the_second() -> None:
    """From Karlovy Vary over the mountain C3 to the town on the mountain C5, for 40 K each."""
    over_c3 = lay("C3", "7", "SE", "E")
    for cash, reaches in ((79, False), (80, True)):
        game = building("EKJ", "D4", "NW", "SE", cash={"EKJ": cash})
        builder = builder_of(game, with_building(candidates=60, beam=60, ahead=2, way=0.0))
        assert (builder.futures()[over_c3][0] > (cash - 40) * builder.thrift) == reaches


def test_what_is_reached_later_misses_the_runs_until_then() -> None:
    """Between a city of 20 and Plzeň with its 30, from the second run on."""
    builder = builder_of(building("EKJ", "D4", "NW", "SE"), with_building(candidates=60, beam=60, ahead=2, way=0.0))
    assert len(builder.each_run) > 1
    expected = (500 - 20) * builder.thrift + 50 * sum(builder.each_run[1:])
    assert builder.futures()[TO_PLZEN][0] == pytest.approx(expected)


def test_track_is_worth_less_the_fewer_runs_are_left() -> None:
    worths = [futures(building("EKJ", "D4", "W", "E", box=box))[lay("D2", "57", "W", "E")][0] for box in (5, 14, 25)]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > worths[-1]


def test_a_terrain_cost_counts_against_a_lay() -> None:
    """Neither leads to a city yet; the mountain C3 costs 20 K more than the hill E5."""
    game = building("EKJ", "D4", "NW", "SE", cash={"EKJ": 100})
    builder = builder_of(game, with_building(candidates=60, beam=60, ahead=1, way=0.0))
    worths = {action.hex: worth for action, (worth, added) in builder.futures().items() if added == 0}
    assert worths["E5"] == pytest.approx(80 * builder.thrift)
    assert worths["C3"] == pytest.approx(60 * builder.thrift)


def test_it_builds_for_trains_of_its_own_size() -> None:
    for company, home in (("EKJ", "D4"), ("BTE", "D2"), ("KFN", "G19")):
        game = at_box(
            turn(company, phase="d", tiles={home: on("57", "W", "E")}, stations={f"{home}.0": [company]}), FIFTH_OR
        )
        table = table_of(game)
        faces = later_fleet(CzBotView(table, cz_search_weights()), company)
        assert faces
        assert {table.title.train_faces[face].size for face in faces} == {table.size(company)}


def test_asking_does_not_change_the_game() -> None:
    game = building("EKJ", "D4", "W", "E")
    before = state_of(game).digest
    assert proposed(game) == proposed(game)
    assert state_of(game).digest == before


# Powers of Local Railways


def with_locals(*locals_: str, phase: str = "d", tile: str = "57", **fields: Any) -> Game:
    """EKJ between Karlovy Vary and Cheb; purple-edged tiles there are worth more than the yellow ones."""
    sides = ("W", "E") if tile == "57" else ("NW", "W", "SE", "E")
    return building(
        "EKJ",
        "D4",
        *sides,
        tile=tile,
        phase=phase,
        tiles={"D2": on("57", "W", "E")},
        trains={"EKJ": [("d1", "3")]},
        locals_of=dict.fromkeys(locals_, "EKJ"),
        **fields,
    )


def purple_of(game: Game, power: float = 1.0) -> list[Proposal]:
    return private_lays_proposed(asked(game), builder_of(game, with_building(power=power, candidates=60)))


@pytest.mark.parametrize(
    ("locals_", "used"),
    [
        (("L1", "M1", "S1"), "S1"),
        (("S1", "M1", "L1"), "S1"),
        (("L1", "M1"), "M1"),
        (("L1",), "L1"),
    ],
)
def test_the_smallest_local_railway_that_can_lay_a_tile_is_used(locals_: tuple[str, ...], used: str) -> None:
    found = purple_of(with_locals(*locals_))
    assert found
    lays = [each.action for each in found]
    assert {action.local for action in lays if isinstance(action, LayPurpleTile)} == {used}
    assert len({(action.hex, action.tile, action.rotation) for action in lays}) == len(lays)  # type: ignore[attr-defined]


def test_a_small_one_does_not_do_what_only_a_larger_one_can() -> None:
    """Brown purple-edged tiles are for medium and large Local Railways."""
    game = with_locals("S1", "L1", "M1", phase="g", tile="14")
    brown = {
        action.local
        for each in purple_of(game)
        if isinstance(action := each.action, LayPurpleTile)
        and table_of(game).title.tiles[action.tile].colour == "brown"
    }
    assert brown == {"M1"}


def test_a_power_is_kept_where_it_brings_too_little() -> None:
    game = with_locals("S1")
    most = max(each.score for each in purple_of(game)) / builder_of(game, cz_search_weights()).interest
    assert purple_of(game, power=most)
    assert not purple_of(game, power=most + 0.1)


def test_without_local_railways_there_is_no_power() -> None:
    assert not purple_of(with_locals())
    assert not purple_of(with_locals("S1", used_powers=("S1",)))


def test_a_power_that_brings_enough_comes_before_ordinary_track_which_is_laid_after_it() -> None:
    game = with_locals("S1")
    first = best(game, with_building(power=1.0))
    assert isinstance(first.action, LayPurpleTile)
    game.apply(first.action)
    assert isinstance(best(game, with_building(power=1.0)).action, LayTile)


def test_a_power_that_brings_too_little_leaves_ordinary_track() -> None:
    kinds = {type(each.action) for each in proposed(with_locals("S1"), with_building(power=1000.0))}
    assert kinds == {Pass, LayTile}


def test_a_promotion_in_the_first_turn_ends_it_as_in_any_other() -> None:
    found = []
    for first in (True, False):
        agenda = [OperatingRound(()), LayTrack("EKJ", first)]
        tiles = {"D2": on("57", "W", "E")}
        game = building("EKJ", "D4", "W", "E", phase="d", box=10, tiles=tiles, agenda=agenda)
        worth = {lay: best for lay, (best, _) in futures(game, ahead=2).items()}
        found.append({lay: best for lay, best in worth.items() if is_promotion(table_of(game), lay.hex)})
    assert found[0]
    assert found[0] == pytest.approx(found[1])


def test_a_tile_that_is_laid_is_not_there_for_the_next_lay() -> None:
    """The only way from D6 to a city within three lays would take a second tile 8."""
    game = building("EKJ", "D4", "E", "SE", tile="5")
    supply = {**state_of(game).supply, "7": 0, "8": 1, "9": 0}
    game = Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(state_of(game), supply=supply))
    first = lay("D6", "8", "W", "SE")
    one, three = (futures(game, ahead=ahead, way=0.0)[first][0] for ahead in (1, 3))
    assert three == one


def test_a_waiver_pays_for_terrain_where_there_is_no_money() -> None:
    game = building("EKJ", "D4", "NW", "SE", cash={"EKJ": 0}, locals_of={"L1": "EKJ"})
    found = [each.action for each in proposed(game) if isinstance(each.action, LayTile)]
    assert found
    assert {each.waiver for each in found} == {"L1"}


def test_two_lays_of_the_same_track_are_one_idea() -> None:
    game = building("EKJ", "D4", "W", "E")
    faces = table_of(game).title.tile_set.faces
    found = [
        (each.hex, each.tile, faces[each.tile][each.rotation])
        for each in builder_of(game, cz_search_weights()).futures()
    ]
    looks = [(hex_id, tile, face.exits, tuple(sorted(face.node_exits))) for hex_id, tile, face in found]
    assert len(set(looks)) == len(looks)
