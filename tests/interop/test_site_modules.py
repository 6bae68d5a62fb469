"""Files of 18xx.games with supporters: which steps the site waits in, and for whom a supporter acts (18Mag M.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ostbahn.interop.importer import SiteEntry
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import (
    AddTown,
    DeclareToken,
    LayByFeketehazy,
    LayTile,
    PayDividend,
    PlaceByDdsg,
    PromoteBySina,
    RunTrains,
    TakeFromRothschild,
)
from ostbahn.titles.mag.interop.steps import site_waits
from ostbahn.titles.mag.state import EstablishStation, LayTrack, PlaceMarker, Rounds, ScrapTrains
from tests.interop.site_scenes import answers, operating, read, said, told
from tests.titles.mag.modules.playing import helped, helpers
from tests.titles.mag.run_scenes import CITY_20, STRAIGHT, gains, in_set, turned
from tests.titles.mag.scenes import state_of, table_of
from tests.titles.mag.share_scenes import question_of
from tests.titles.mag.track_scenes import PLENTY, TITLE, facing, lay

NO_GREEN = {name: 0 if TITLE.tiles[name].colour == "green" else number for name, number in PLENTY.items()}
"""A supply in which Sina finds nothing to promote a tile to."""
CLAIM = said("choose_ability", "SMFvR", choice="claim")
DECLARE = said("choose_ability", "FJ", choice="virtual_token")
TOKEN = said("special_buy", "6", description="Use Terrain Token", cost=0)
CITY, TRACK = lay("E10", "57", "W", "E"), lay("E8", "9", "W", "E")


def passes(*minors: str) -> list[SiteEntry]:
    return [said("pass", minor) for minor in minors]


def laid(minor: str, action: LayTile) -> SiteEntry:
    """A lay as the file tells it: by the first copy of a tile."""
    return said("lay_tile", minor, hex=action.hex, tile=f"{action.tile}-0", rotation=action.rotation)


def both_ways(game: Game, given: Sequence[Action], file: list[SiteEntry]) -> Game:
    """The answers are told as this file, and this file is read as the answers; the game after them."""
    assert told(game, *given) == file
    after = game.copy()
    for action in given:
        after.apply(action)
    again = read(game, *file).position(len(given))
    assert [type(action) for action in answers(again)] == [type(action) for action in given]
    assert again.state.digest == after.state.digest
    return after


# Sina


def two_lays(*supporters: str, **fields: Any) -> Game:
    """Minors 3 and 6 of p1 are about to operate; minor 3 has money for a second tile, and no more."""
    return operating("3", "6", supporters=supporters, **{"supply": NO_GREEN, "cash": {"3": 10}, **fields})


@pytest.mark.rule("18Mag M.5/6")
def test_the_site_waits_for_a_pass_while_sina_is_unused_whatever_is_left_to_lay() -> None:
    """Two tiles are laid and nothing can be promoted: the first pass ends the track step, the second the scrapping."""
    given = [CITY, TRACK, Pass(), Pass(), RunTrains(()), Pass()]
    game = both_ways(two_lays("GSvS"), given, [laid("3", CITY), laid("3", TRACK), *passes("3", "3")])
    assert question_of(game).company == "6"


@pytest.mark.rule("18Mag M.5/6")
def test_every_minor_of_her_owner_is_waited_for_in_turn() -> None:
    """Minor 6 too, which cannot pay a second tile and lays the first."""
    own = lay("B17", "57", "W", "E")
    game = two_lays("GSvS", cash={"3": 0, "6": 10})
    track = [CITY, Pass(), Pass(), Pass(), RunTrains(()), Pass(), own]
    file = [laid("3", CITY), *passes("3", "3"), said("lay_tile", "6", hex="B17", tile="57-1", rotation=own.rotation)]
    assert told(game, *track) == file
    again = read(game, *file, *passes("6"))
    assert isinstance(question_of(again).task, ScrapTrains), "the pass was that of the track step"
    assert question_of(again).company == "6"


@pytest.mark.rule("18Mag M.5/6", "18Mag M.5/2")
@pytest.mark.parametrize(
    "fields",
    [
        {"phase": "yellow"},
        {"used": {"GSvS": "OR 2.1"}},
        {"player": "p2"},
    ],
    ids=["in the yellow phase", "used in this round", "somebody else's"],
)
def test_without_sina_at_hand_there_is_no_such_pass(fields: dict[str, Any]) -> None:
    given = [CITY, TRACK, Pass(), Pass(), RunTrains(()), Pass()]
    both_ways(two_lays("GSvS", **fields), given, [laid("3", CITY), laid("3", TRACK), *passes("3")])


@pytest.mark.rule("18Mag M.5/6", "18Mag M.5/2")
def test_a_card_of_the_round_before_is_at_hand_again() -> None:
    given = [CITY, TRACK, Pass(), Pass()]
    game = two_lays("GSvS", used={"GSvS": "OR 1.1"})
    both_ways(game, given, [laid("3", CITY), laid("3", TRACK), *passes("3", "3")])


@pytest.mark.rule("18Mag M.5/6")
def test_once_she_has_helped_the_track_step_ends_with_the_last_tile() -> None:
    game = operating("3", "6", supporters=["GSvS"], cash={"3": 10}, tiles={"E10": facing("57", "W", "E")})
    promotion = lay("E10", "14", "W", "E", "NE", "SW")
    by_sina = PromoteBySina("E10", "14", promotion.rotation)
    west = lay("E8", "9", "W", "E")
    town = lay("E6", "3", "NE", "E")
    file = [laid("GSvS", promotion), laid("3", west), laid("3", town), *passes("3")]
    both_ways(game, [by_sina, west, town, Pass(), Pass()], file)


@pytest.mark.rule("18Mag M.5/6", "18Mag M.5/5")
def test_rothschild_gives_between_the_last_tile_and_the_pass() -> None:
    """The gift comes in the track step of the site, before anybody looks whether a station can be paid."""
    given = [CITY, TRACK, TakeFromRothschild(), Pass(), Pass()]
    file = [laid("3", CITY), laid("3", TRACK), CLAIM, *passes("3", "3")]
    game = both_ways(two_lays("GSvS", "SMFvR"), given, file)
    assert state_of(game).cash["3"] == 10


@pytest.mark.rule("18Mag M.5/6", "18Mag M.5/5")
def test_a_file_may_end_in_that_track_step() -> None:
    start = two_lays("GSvS", "SMFvR")
    for entries, given in (([], 2), ([CLAIM], 3), ([CLAIM, *passes("3")], 4)):
        again = read(start, laid("3", CITY), laid("3", TRACK), *entries)
        assert len(again) == given
        assert question_of(again).company == "3"


# DDSG


PAIR = {"E10": turned(CITY_20, "W", "E"), "E8": turned(STRAIGHT, "W", "E"), "E6": turned(CITY_20, "E")}


@pytest.mark.rule("18Mag M.5/7")
@pytest.mark.parametrize(
    ("supporters", "cash", "fields", "waiting"),
    [
        (["DDSG"], 20, {}, True),
        (["DDSG"], 19, {}, False),
        ([], 20, {}, False),
        ([], 39, {}, False),
        ([], 40, {}, True),
        (["DDSG"], 20, {"used": {"DDSG": "OR 2.1"}}, False),
        (["DDSG"], 40, {"used": {"DDSG": "OR 2.1"}}, True),
        (["DDSG"], 20, {"used": {"DDSG": "OR 1.1"}}, True),
        (["DDSG"], 20, {"player": "p2"}, False),
        (["DDSG"], 20, {"tiles": {}}, False),
    ],
)
def test_the_site_waits_for_a_station_of_a_minor_that_half_the_price_could_pay(
    supporters: list[str], cash: int, fields: dict[str, Any], waiting: bool
) -> None:
    particulars = {"tiles": PAIR, "owners": {"3": "p1"}, "cash": {"3": cash}, **fields}
    game = helped(*supporters, agenda=[EstablishStation("3")], **particulars)
    assert site_waits(table_of(game), question_of(game)) == waiting


@pytest.mark.rule("18Mag M.5/7")
def test_a_pass_for_such_a_station_is_in_the_file() -> None:
    """Track, station, scrapping."""
    game = operating("3", "6", supporters=["DDSG"], tiles=PAIR, cash={"3": 20})
    both_ways(game, [Pass(), Pass(), Pass()], passes("3", "3", "3"))
    used = operating("3", "6", supporters=["DDSG"], tiles=PAIR, cash={"3": 20}, used={"DDSG": "OR 2.1"})
    both_ways(used, [Pass(), Pass(), Pass()], passes("3", "3"))


@pytest.mark.rule("18Mag M.5/7", "18Mag VI.4.2/3")
@pytest.mark.parametrize(
    ("director", "cash", "fields", "waiting"),
    [
        ("p1", 20, {}, True),
        ("p1", 19, {}, False),
        ("p2", 20, {}, False),
        ("p2", 40, {}, True),
        ("p1", 20, {"used": {"DDSG": "OR 2.1"}}, False),
        ("p1", 400, {"markers": {"SIK": 0}}, False),
    ],
)
def test_it_waits_for_majors_directed_by_the_owner_of_the_card_too(
    director: str, cash: int, fields: dict[str, Any], waiting: bool
) -> None:
    """The card is of no use to a major, but the site does not know."""
    particulars = {"cash": {"SIK": cash}, "directors": {"SIK": director}, **fields}
    game = helped("DDSG", agenda=[PlaceMarker("SIK")], **particulars)
    assert site_waits(table_of(game), question_of(game)) == waiting


FULL = {f"{hex_.id}.{node}": ["X"] * 4 for hex_ in TITLE.map for node in range(2)}
"""No city has a free place."""


@pytest.mark.rule("18Mag VI.4.2/2")
@pytest.mark.parametrize(("cash", "asks"), [(40, True), (39, False)])
def test_a_major_that_can_pay_is_asked_for_a_marker_even_if_no_city_is_free(cash: int, asks: bool) -> None:
    """Whatever it has, it decides about a dividend after that."""
    game = operating(majors=["SIK"], cash={"SIK": cash}, directors={"SIK": "p1"}, stations=FULL)
    assert [option.action for option in question_of(game)] == [Pass()]
    dividend = said("dividend", "SIK", kind="variable", amount=10)
    both_ways(game, [Pass(), PayDividend(10)], [*passes("SIK")[: int(asks)], dividend])


# Feketeházy


MOUNTAIN, SLOPE = lay("B17", "57", "W", "E"), lay("B19", "9", "W", "E")


def two_rounds(**fields: Any) -> Game:
    """Minor 6 of p1 at home in the mountains, in the first of two Operating Rounds."""
    game = operating("6", supporters=["FJ"], **{"cash": {"6": 50}, "terrain_tokens": {"6": 1}, **fields})
    return in_set(game, Rounds(2, 1, 2))


@pytest.mark.rule("18Mag M.5/4")
def test_feketehazy_pays_the_next_terrain_of_the_turn() -> None:
    given = [LayByFeketehazy(MOUNTAIN.hex, MOUNTAIN.tile, MOUNTAIN.rotation)]
    game = both_ways(two_rounds(), given, [DECLARE, laid("6", MOUNTAIN)])
    assert state_of(game).cash["6"] == 50


@pytest.mark.rule("18Mag M.5/4")
def test_what_feketehazy_declared_lapses_with_the_turn() -> None:
    """Minor 6 lays nothing in its turn; in the next Operating Round it pays for its mountain itself."""
    start = two_rounds()
    idle = read(start, DECLARE, *passes("6", "6"))
    assert state_of(idle).round == "OR 2.2"
    again = read(start, DECLARE, *passes("6", "6"), laid("6", MOUNTAIN))
    assert answers(again)[len(idle)] == MOUNTAIN
    assert gains(idle, again.position(len(idle) + 1)) == {"6": -10, "SIK": 10}
    assert "FJ" not in helpers(again).used


@pytest.mark.rule("18Mag M.5/4")
def test_it_is_not_for_another_minor_either() -> None:
    start = operating("6", "14", supporters=["FJ"], modules=("new_minors_challenge",), cash={"14": 50})
    far = lay("F23", "57", "W", "E")
    again = read(start, DECLARE, *passes("6", "6"), laid("14", far))
    assert far in answers(again)
    assert state_of(again).cash["14"] == 50 - TITLE.map["F23"].printed.cost


@pytest.mark.rule("18Mag M.5/4", "18Mag VI.3.2/13")
@pytest.mark.parametrize("declared", [[TOKEN, DECLARE], [DECLARE, TOKEN]], ids=["token first", "Feketeházy first"])
def test_where_a_terrain_token_was_declared_too_feketehazy_is_wasted(declared: list[SiteEntry]) -> None:
    """The token covers the terrain of the tile; the second tile is paid by the minor."""
    again = read(two_rounds(), *declared, laid("6", MOUNTAIN), laid("6", SLOPE))
    assert answers(again)[:3] == [DeclareToken(), MOUNTAIN, SLOPE]
    assert (state_of(again).cash["6"], state_of(again).terrain_tokens["6"]) == (50 - 10 - 30, 0)


# For whom a supporter acts


@pytest.mark.rule("18Mag M.5/2", "18Mag M.5/5")
def test_a_supporter_helps_the_minor_that_the_site_waits_for() -> None:
    """Minor 3 can buy no train, so its turn is over after the scrapping; minor 5 of somebody else has the next one."""
    owners = {"3": "p1", "5": "p2", "6": "p1"}
    game = operating("3", "5", "6", owners=owners, supporters=["SMFvR"], player="p2", cash={"3": 0})
    again = read(game, *passes("3", "3"), CLAIM)
    assert state_of(again).cash["5"] == 60
    own = operating("3", "5", "6", owners=owners, supporters=["SMFvR"], cash={"3": 0, "5": 0})
    again = read(own, *passes("3", "3", "5", "5"), CLAIM, *passes("6"))
    assert (state_of(again).cash["3"], state_of(again).cash["6"]) == (0, 60)


@pytest.mark.rule("18Mag M.5/5", "18Mag M.5/8")
def test_a_supporter_may_be_the_last_of_a_file() -> None:
    game = operating("3", "6", supporters=["SMFvR", "MA", "DDSG", "GSvS"], tiles=PAIR, cash={"3": 20})
    town = said("choose_ability", "MA", choice="2")
    again = read(game, CLAIM)
    assert (answers(again), state_of(again).cash["3"]) == ([TakeFromRothschild()], 30)
    assert answers(read(game, *passes("3", "3"), town)) == [Pass(), Pass(), AddTown("2-1")]
    assert answers(read(game, *passes("3"), said("place_token", "DDSG", city="E6-0-0", slot=0))) == [
        Pass(),
        PlaceByDdsg("E6.0"),
    ]
    promotion = lay("E10", "14", "W", "E", "NE", "SW")
    by_sina = read(game, laid("GSvS", promotion))
    assert answers(by_sina) == [PromoteBySina("E10", "14", promotion.rotation)]
    assert isinstance(question_of(by_sina).task, LayTrack)


@pytest.mark.rule("18Mag M.5/5")
def test_a_supporter_may_act_though_its_minor_does_nothing_else_any_more() -> None:
    """In the step that scraps trains, with players' moves behind it; no other action of the minor is in the file."""
    game = operating("3", supporters=["SMFvR"], cash={"3": 0})
    again = read(game, *passes("3"), CLAIM, {"type": "end_game", "entity": 0, "entity_type": "player"})
    assert answers(again)[:2] == [Pass(), Pass()], "track and station"
    assert TakeFromRothschild() in answers(again)
    assert state_of(again).cash["3"] == 10
