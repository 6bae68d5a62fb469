"""18Mag with modules in the form of 18xx.games: CIWL, dividends, trains, cities, and what has no words there."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from ostbahn.interop.importer import SiteEntry
from ostbahn.interop.site_adapter import dump, export_game, import_game, state_line
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import ClaimBelieved
from ostbahn.kits.catalogue import SITE, new_game
from ostbahn.testing import play_random
from ostbahn.titles.mag.actions import (
    AddTown,
    BuyCar,
    BuyDirectorShare,
    BuyShare,
    DeclareToken,
    PayDividend,
    PlaceByDdsg,
    PlaceStation,
    RunTrains,
    ScrapTrain,
    TakeFromRothschild,
    TrainRun,
)
from ostbahn.titles.mag.interop.exporter import MagExporter
from ostbahn.titles.mag.state import (
    OperateWithCars,
    OperatingRound,
    PayOut,
    PlaceMarker,
    Rounds,
    ScrapTrains,
    StockRound,
)
from tests.interop.site_scenes import answers, as_on_the_site, operating, read, said, told
from tests.titles.mag.modules.playing import COMBINATIONS
from tests.titles.mag.run_scenes import CITY_20, STRAIGHT, TOWN_10, in_set, line, path_of_line, turned
from tests.titles.mag.scenes import NAMES, cards_of, scene, state_of
from tests.titles.mag.share_scenes import cards_held, director_of, events_of, question_of
from tests.titles.mag.track_scenes import TITLE, lay

# CIWL


def last_share(**shares: int) -> Game:
    return scene(
        modules=["new_major"],
        shares={"CIWL": shares},
        prices={"CIWL": 75},
        cash={"p1": 200},
        agenda=[StockRound("p1")],
        site=True,
    )


@pytest.mark.rule("18Mag M.4/7")
@pytest.mark.parametrize(("shares", "held"), [({"p1": 1, "p2": 1, "p3": 1}, 1), ({"p2": 2, "p3": 1}, 0)])
def test_the_last_director_share_is_bought_as_one_certificate_of_forty_percent(
    shares: dict[str, int], held: int
) -> None:
    game = last_share(**shares)
    entry = said("buy_shares", 0, shares=["CIWL_0"], percent=40)
    assert told(game, BuyDirectorShare("CIWL")) == [entry]
    again = read(game, entry)
    assert answers(again)[0] == BuyDirectorShare("CIWL")
    assert director_of(again, "CIWL") == "p1"
    assert (state_of(again).cash["p1"], cards_held(again, "p1", "CIWL")) == (200 - 150, (1, held))


@pytest.mark.rule("18Mag M.4/6")
def test_while_others_are_to_be_had_a_share_of_twenty_percent_is_meant() -> None:
    game = last_share(p2=1)
    entry = said("buy_shares", 0, shares=["CIWL_2"], percent=20)
    assert told(game, BuyShare("CIWL")) == [entry]
    assert answers(read(game, entry))[0] == BuyShare("CIWL")


# Dividends


@pytest.mark.rule("18Mag M.2/1")
@pytest.mark.parametrize(("amount", "kind"), [(60, "payout"), (0, "withhold")])
def test_with_standard_divs_the_file_says_payout_or_withhold_and_no_amount(amount: int, kind: str) -> None:
    fields: dict[str, Any] = {"directors": {"SIK": "p1"}, "cash": {"SIK": 65}, "agenda": [PayOut("SIK")], "site": True}
    game = scene(modules=["standard_divs"], **fields)
    entry = said("dividend", "SIK", kind=kind)
    assert told(game, PayDividend(amount)) == [entry]
    assert answers(read(game, entry))[0] == PayDividend(amount)
    usual = told(scene(**fields), PayDividend(amount))
    assert usual == [said("dividend", "SIK", kind="variable", amount=amount)]


# Stations


PAIR = {"E10": turned(CITY_20, "W", "E"), "E8": turned(STRAIGHT, "W", "E"), "E6": turned(CITY_20, "E")}


@pytest.mark.rule("18Mag M.5/7")
def test_a_station_of_the_ddsg_names_the_minor() -> None:
    game = operating("3", supporters=["DDSG"], tiles=PAIR, cash={"3": 20})
    _, entry = told(game, Pass(), PlaceByDdsg("E6.0"))
    assert entry == said("place_token", "DDSG", city=entry["city"], slot=0, tokener="3")
    assert answers(read(game, said("pass", "3"), entry))[:2] == [Pass(), PlaceByDdsg("E6.0")]


@pytest.mark.parametrize(
    "number",
    ["C12-0-0", "C16-1-0", "G16-6-0", "H5-7-0", "H17-8-0", "G10-1-0", "G10-1-1", "C8-0-0", "B17-0-0"],
)
def test_printed_cities_have_the_number_of_their_hex_among_those_printed_alike(number: str) -> None:
    """As files of the site have it: H17 is the ninth of the plain cities, G10 the second hex with two of them."""
    hex_id, _, node = number.split("-")
    game = scene(agenda=[PlaceMarker("SIK")], directors={"SIK": "p1"}, cash={"SIK": 40}, owners={}, site=True)
    city = f"{hex_id}.{node}"
    entry = said("place_token", "SIK", city=number, slot=0)
    assert told(game, PlaceStation(city)) == [entry]
    assert answers(read(game, entry))[0] == PlaceStation(city)


@pytest.mark.rule("18Mag VI.3.4/1")
def test_a_city_with_a_tile_goes_by_the_tile() -> None:
    game = operating("3", cash={"3": 100}, owners={"3": "p1"})
    track = [lay("E10", "57", "W", "E")]
    (entry,) = told(game, *track)
    assert entry["tile"] == "57-0"
    exporter = MagExporter(game)
    exporter.tile("E10", "57", track[0].rotation)
    assert exporter.city("E10.0") == "57-0-0"


# Trains


def with_trains(*minors: str, **fields: Any) -> Game:
    return scene(**{"owners": dict.fromkeys(minors, "p1"), "agenda": [OperatingRound(minors)], "site": True, **fields})


TWIN = "2-0"
"""The number that the site gave to trains of both minors."""


def shared_number() -> tuple[Game, list[SiteEntry]]:
    """Minor 3 has the train 2-0; minor 1 buys another, which the file calls 2-0, too."""
    game = with_trains("1", "3", cash={"1": 100, "3": 0}, trains={"1": (), "3": ("2",)}, tiles=PAIR)
    price = TITLE.stacks["2"].price
    purchase = said("buy_train", "1", train=TWIN, price=price, variant="2")
    return game, [said("pass", "1"), purchase]


@pytest.mark.rule("18Mag VI.3.5/1")
def test_of_two_trains_with_one_number_a_minor_runs_its_own() -> None:
    game, file = shared_number()
    bought = read(game, *file)
    assert (cards_of(bought, "1"), cards_of(bought, "3")) == (["2-2"], ["2-1"])
    route = {"train": TWIN, "connections": [["E6", "E8", "E10"]], "revenue": 40}
    after = read(game, *file, said("pass", "3"), said("pass", "3"), said("run_routes", "3", routes=[route]))
    (run,) = [action for action in answers(after) if isinstance(action, RunTrains) and action.runs]
    assert run.runs == (TrainRun("2-1", ("E6.0", "E8", "E10.0")),)


@pytest.mark.rule("18Mag VI.3.5/1")
def test_the_site_scraps_only_the_latest_of_two_trains_with_one_number() -> None:
    """It looks for the train by its number, finds that of minor 1, and leaves minor 3 what it has."""
    game, file = shared_number()
    kept = read(game, *file, said("pass", "3"), said("discard_train", "3", train=TWIN))
    assert not [action for action in answers(kept) if isinstance(action, ScrapTrain)]
    assert cards_of(kept, "3") == ["2-1"]
    assert isinstance(question_of(kept).task, ScrapTrains), "the step goes on"


@pytest.mark.rule("18Mag VI.3.5/1")
def test_the_minor_with_the_latest_train_scraps_it() -> None:
    game = in_set(with_trains("1", "3", cash={"1": 0, "3": 100}, trains={"1": ("2",), "3": ()}), Rounds(2, 1, 2))
    purchase = said("buy_train", "3", train=TWIN, price=TITLE.stacks["2"].price, variant="2")
    file = [*[said("pass", minor) for minor in ("1", "1", "3")], purchase, said("pass", "3")]
    bought = read(game, *file)
    assert (cards_of(bought, "1"), cards_of(bought, "3")) == (["2-1"], ["2-2"])
    assert state_of(bought).round == "OR 2.2"
    scrapped = [*[said("pass", minor) for minor in ("1", "1", "3")], said("discard_train", "3", train=TWIN)]
    after = read(game, *file, *scrapped)
    assert ScrapTrain("2-2") in answers(after)
    assert (cards_of(after, "1"), cards_of(after, "3")) == (["2-1"], [])


# What the site has no words for


@pytest.mark.rule("18Mag VI.3.7/5")
def test_a_rail_car_without_a_route_is_refused_by_name() -> None:
    """Our rules let a minor buy one by the site's ruling; there its run is passed over."""
    game = scene(owners={"3": "p1"}, cash={"3": 100}, agenda=[OperateWithCars("3")], site=True)
    with pytest.raises(
        OstbahnError,
        match="no words for answer 1: there a minor without a route buys no rail car, and minor 3 has none",
    ):
        told(game, BuyCar("plus"))


@pytest.mark.rule("18Mag VI.3.2/13")
def test_a_terrain_token_without_an_affordable_tile_is_refused_by_name() -> None:
    game = with_trains("6", cash={"6": 10}, terrain_tokens={"6": 1})
    mountain = lay("B17", "57", "W", "E")
    with pytest.raises(OstbahnError, match=r"no words for answer 2: there no terrain token is declared .* minor 6"):
        told(game, mountain, DeclareToken())
    rich = with_trains("6", cash={"6": 20}, terrain_tokens={"6": 1})
    assert told(rich, mountain, DeclareToken())[1] == said("special_buy", "6", description="Use Terrain Token", cost=0)


# Supporters in steps that the site skips


def poor(**fields: Any) -> Game:
    """Minor 3 with Rothschild behind it has 5 Ft: the site goes on after its first tile."""
    return operating("3", "6", supporters=["SMFvR", "MA"], **{"cash": {"3": 5}, "phase": "yellow", **fields})


CITY, CLAIM = lay("E10", "57", "W", "E"), said("choose_ability", "SMFvR", choice="claim")


@pytest.mark.rule("18Mag M.5/5")
def test_a_gift_in_a_step_that_the_site_skips_is_given_in_the_next_one() -> None:
    """The passes of track and station are not in the file, though 15 Ft would pay a second tile."""
    given = [CITY, TakeFromRothschild(), Pass(), Pass(), Pass()]
    file = told(poor(), *given)
    assert [entry["type"] for entry in file] == ["lay_tile", "choose_ability", "pass"]
    again = read(poor(), *file)
    assert answers(again)[:5] == [CITY, Pass(), Pass(), TakeFromRothschild(), Pass()]


@pytest.mark.rule("18Mag M.5/5")
def test_a_station_is_not_waited_for_where_only_a_late_gift_could_pay_it() -> None:
    """At 30 Ft the site skips the station, and scraps trains when the gift comes."""
    game = poor(tiles=PAIR, cash={"3": 30})
    given = [Pass(), TakeFromRothschild(), Pass(), Pass()]
    file = told(game, *given)
    assert file == [said("pass", "3"), CLAIM, said("pass", "3")]
    assert answers(read(game, *file))[:4] == [Pass(), Pass(), TakeFromRothschild(), Pass()]


@pytest.mark.rule("18Mag M.5/5")
def test_what_only_a_gift_in_a_skipped_step_pays_is_refused_by_name() -> None:
    words = "no words for answer 3: there the step is over for minor 3, which could not pay before Rothschild gave"
    with pytest.raises(OstbahnError, match=words):
        told(poor(), CITY, TakeFromRothschild(), lay("E8", "9", "W", "E"))


@pytest.mark.rule("18Mag M.5/5", "18Mag M.5/8")
def test_supporters_at_the_end_of_a_turn_that_is_over_there_are_refused_by_name() -> None:
    end = [Pass(), Pass(), Pass(), RunTrains(())]
    with pytest.raises(OstbahnError, match="no words for answer 5: there the turn of minor 3 is over by then"):
        told(poor(cash={"3": 0}), *end, TakeFromRothschild())
    with pytest.raises(OstbahnError, match="no words for answer 4: there a minor without a route gets no town"):
        told(poor(), *end[:3], AddTown("2-1"))


@pytest.mark.rule("18Mag M.5/8")
def test_of_two_trains_of_a_kind_the_first_has_the_number_of_the_one_with_the_town() -> None:
    """The file names the kind, and the site takes the first: its number runs to one more town."""
    towns = line("F11", CITY_20, TOWN_10, TOWN_10)
    game = operating(
        "3", "6", supporters=["MA"], tiles=towns, stations={"F11.0": ["3"]}, trains={"3": ("2", "2")}, cash={"3": 0}
    )
    longer = RunTrains((TrainRun("2-2", path_of_line(towns)),))
    file = told(game, Pass(), AddTown("2-2"), Pass(), Pass(), longer)
    assert [route["train"] for route in file[-1]["routes"]] == ["2-0"]
    again = read(game, *file)
    assert AddTown("2-1") in answers(again)
    assert not events_of(ClaimBelieved, again.records), "it is a route of the train with the town"


# Every module


@pytest.mark.rule("18Mag M.1/1")
@pytest.mark.parametrize("modules", COMBINATIONS[1::3], ids="+".join)
def test_a_game_with_modules_is_read_back_to_equal_states(modules: tuple[str, ...]) -> None:
    """At several moments of a random game; the file ends where the site waits."""
    number = 3 + len(modules) % 4
    game = new_game("18Mag", NAMES[:number], seed=number, preset=SITE, draw_order=False, modules=modules)
    rng = Random(number)
    for _ in range(4):
        play_random(game, rng, 90, policy=as_on_the_site)
        document = json.loads(dump(export_game(game)))
        assert document["settings"]["optional_rules"] == list(modules)
        again = import_game(document).game
        last = min(len(game), len(again))
        assert last > len(game) - 9
        for moment in (*range(0, last, 15), last):
            assert state_line(again.position(moment)) == state_line(game.position(moment)), f"after answer {moment}"
