"""18Mag in words: actions, events, remarks."""

from __future__ import annotations

import random
import re
from itertools import count
from typing import get_args

import pytest

from ostbahn.kernel import chart, records
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Span
from ostbahn.kits.catalogue import new_game
from ostbahn.text.speech import Speech, heading, listed_options, text_renderer_of
from ostbahn.text.words import Naming
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import events
from ostbahn.titles.mag.running import best
from ostbahn.titles.mag.state import EstablishStation, MagTable, OperateWithCars, PlaceMarker
from ostbahn.titles.mag.words.text_renderer import MagTextRenderer, mag_table
from ostbahn.titles.mag.words.words import WORDS
from tests.text.positions import INNER_ID
from tests.titles.mag.scenes import scene
from tests.titles.mag.solo_scenes import printed, solo_scene, with_entries

NAMING = Naming(scene(trains={"7": ["2"]}, tiles={"G10": ("L32", 3)}).table, {"p2": "Ben"})
"""Minor 7 has a 2-train, and a tile lies in Pécs & Mohács."""


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (mag.DraftMinor("7"), "take minor 7"),
        (mag.DraftShare("SIK"), "take a share of SIK"),
        (mag.LayTile("D9", "57", 2), "lay 57 in Györ"),
        (mag.LayTile("D11", "9", 2), "lay 9 on D11"),
        (mag.LayTile("D9", "57", 2, token=True), "lay 57 in Györ with a terrain token"),
        (mag.LayTile("G10", "L32", 3, track_for="7"), "lay L32 in Pécs & Mohács, its track for minor 7"),
        (mag.LayTile("G10", "L32", 3, track_for="SIK"), "lay L32 in Pécs & Mohács, its track for SIK"),
        (mag.BuyCar("off_board"), "buy the off-board car"),
        (mag.BuyCar("mine", 20), "buy the mine car, said to cost 20 Ft"),
        (mag.RunTrains(()), "run no train"),
        (mag.RunTrains((), 60, 30), "run no train, said to earn 60 Ft and 30 Ft from mines"),
        (mag.RunTrains((mag.TrainRun("2-7", ("D7.0", "D9.0"), ("plus", "mine")),)), "run Sopron – Györ"),
        (mag.ScrapTrain("2-7"), "scrap a 2-train"),
        (mag.PayDividend(120), "pay out 120 Ft"),
        (mag.PayDividend(0), "pay nothing out"),
    ],
)
def test_an_action_in_words(action: Action, text: str) -> None:
    assert WORDS.describe(action, NAMING) == text


def test_an_option_with_a_free_price_tells_its_bounds() -> None:
    option = Option(mag.OfferForTrain("2-7", 1), Span(1, 90))
    assert WORDS.describe_option(option, NAMING) == "offer 1–90 Ft for a 2-train of minor 7"


def test_minors_place_stations_and_majors_markers() -> None:
    minor, major = (Naming(scene(agenda=[task]).table) for task in (EstablishStation("7"), PlaceMarker("SIK")))
    assert WORDS.describe(mag.PlaceStation("E12.1"), minor) == "place a station in Pest"
    assert WORDS.describe(mag.PlaceStation("E12.0"), major) == "place a marker in Buda"


def test_every_action_has_words_of_its_own() -> None:
    values = {"str": "D4", "int": 3, "bool": False, "Car": "plus", "tuple[TrainRun, ...]": ()}
    told = set()
    for kind in get_args(mag.MagAction):
        said: dict[str, object] = {}
        for base in reversed(kind.__mro__):
            said |= getattr(base, "__annotations__", {})
        fields = {name: str(said[name]) for name in kind.__struct_fields__}
        text = WORDS.describe(kind(**{name: values.get(of) for name, of in fields.items()}), NAMING)
        assert text
        assert "{" not in text
        assert "_" not in text
        told.add(text)
    assert len(told) == len(get_args(mag.MagAction))
    assert set(get_args(mag.MagAction)) == {*WORDS.actions, Pass}


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (records.Paid("7", "SIK", 20, "terrain on D11"), "minor 7 pays SIK 20 Ft (terrain on D11)"),
        (records.DirectorChanged("SIK", "bank", "p1"), "Anna becomes director of SIK"),
        (records.DirectorChanged("SIK", "p2", "p1"), "Anna becomes director of SIK instead of Ben"),
        (records.PriceMoved("SIK", 75, 90, "dividend"), "SIK rises from 75 to 90 Ft (dividend)"),
        (records.TileLaid("D9", "57", 2, "7"), "minor 7 lays 57 in Györ"),
        (records.StationPlaced("D9.0", "7"), "minor 7 has a station in Györ"),
        (records.StationPlaced("D9.0", "SIK"), "SIK has a marker in Györ"),
        (records.TrainMoved("2-7", "2", "stack", "7"), "minor 7 gets a 2-train from the stack"),
        (records.TrainMoved("2-7", "2", "7", "3"), "minor 3 gets a 2-train from minor 7"),
        (records.TrainMoved("2-7", "2", "7", "stack"), "a 2-train of minor 7 goes back to the stack"),
        (records.TrainMoved("2-7", "2", "7", "scrap"), "a 2-train of minor 7 is scrapped"),
        (records.PhaseBegan("green"), "the green phase begins"),
        (records.RoundBegan("SR 2"), "Share round 2 begins"),
        (events.PaidOut("SIK", 160), "SIK pays out 160 Ft"),
        (events.PaidOut("SIK", 0), "SIK pays nothing out"),
        (events.NoTrainSold(2), "no train was sold in this round: no-train-sold token 2"),
        (events.CardEntryDone("7", 3), "entry 3 on the card of minor 7 is done"),
    ],
)
def test_an_event_in_words(event: records.Event, text: str) -> None:
    assert WORDS.tell(event, NAMING) == text


def test_rounds_by_name() -> None:
    assert [WORDS.round_name(code) for code in ("PRE", "SR 3", "OR 5.2")] == [
        "First share round",
        "Share round 3",
        "Operating round 5.2",
    ]


@pytest.mark.parametrize(("variant", "players", "seed"), [("base", 4, 1), ("two_player", 2, 2)])
def test_whatever_happens_in_a_game_has_words(variant: str, players: int, seed: int) -> None:
    """All options, remarks and events of random games, without a name that only the engine knows."""
    chance = random.Random(seed)
    game = new_game("18Mag", ["Anna", "Ben", "Cyril", "Dora"][:players], variant=variant, seed=seed)
    inner = {"p1", "p2", "p3", "p4", "None", "Event", "bank:"}
    while game.question is not None and len(game) < 300:
        renderer, question = text_renderer_of(game), game.question
        options = chance.sample(question.options, min(len(question), 5))
        speech = Speech(game)
        texts = [f"{speech.describe_option(option)} {renderer.remark(question, option.action)}" for option in options]
        texts += heading(game)
        option = chance.choice(question.options)
        record = game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
        texts += [speech.did(record), *map(speech.tell, record.events)]
        for text in texts:
            assert not inner & set(re.split(r"[ ,()]+", text)), text
            assert "_" not in text, text
            assert variant == "two_player" or not INNER_ID.search(text), text
            assert not re.search(r"\d K\b", text), text


# Remarks


def until(kind: str, wanted: type[Action], seed: int = 1, variant: str = "base") -> tuple[Game, MagTable]:
    """A random game up to a question of a kind that has an answer of a kind; another game, if there is none in it."""
    chance = random.Random(seed)
    names = ["Anna", "Ben"] if variant == "two_player" else ["Anna", "Ben", "Cyril"]
    game = new_game("18Mag", names, seed=seed, variant=variant, draw_order=False)
    while game.question is not None:
        if game.question.kind == kind and game.question.only(wanted):
            return game, mag_table(game)
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.with_price(option.span.low))
    return until(kind, wanted, seed + 1000, variant)


def remarks(game: Game, wanted: type[Action]) -> dict[Action, str]:
    return {
        choice.option.action: choice.remark
        for choice in listed_options(game)
        if isinstance(choice.option.action, wanted)
    }


def test_a_minor_is_told_with_home_and_tokens() -> None:
    game = new_game("18Mag", ["Anna", "Ben", "Cyril"])
    found = remarks(game, mag.DraftMinor)
    assert found[mag.DraftMinor("1")] == "Magyar Északi Vasút, home Pest in E12"
    assert found[mag.DraftMinor("5")] == "Első Erdélyi Vasút, home Brassó in H27, 3 terrain tokens"


def test_a_share_is_told_with_what_its_major_sells() -> None:
    game = new_game("18Mag", ["Anna", "Ben", "Cyril"])
    found = remarks(game, mag.DraftShare)
    price = chart.price(game.table, "LdStEG")
    assert found[mag.DraftShare("LdStEG")] == f"sells 2- and 4-trains; price {price} Ft"
    two = new_game("18Mag", ["Anna", "Ben"], variant="two_player")
    told = remarks(two, mag.DraftShare)[mag.DraftShare("LdStEG")]
    assert told.startswith("sells 2-, 3- and 4-trains; price ")


def test_track_is_told_with_terrain_extra_tile_and_token() -> None:
    game, _ = until("lay_track", mag.LayTile)
    question = game.question
    assert question is not None
    renderer = text_renderer_of(game)
    assert renderer.remark(question, mag.LayTile("A12", "9", 0)) == "yellow SW-NE, costs 30 Ft for the terrain"
    assert renderer.remark(question, mag.LayTile("A12", "9", 0, token=True)) == "yellow SW-NE, the token saves 30 Ft"
    assert renderer.remark(question, mag.LayTile("E16", "9", 0)) == "yellow SW-NE"
    assert renderer.remark(question, mag.LayTile("E12", "L33", 2)) == "E12, yellow NE-SE, SW-NW"
    game.apply(question.only(mag.LayTile)[0].action)
    assert game.question is not None
    text = text_renderer_of(game).remark(game.question, mag.LayTile("A12", "9", 0))
    assert text == "yellow SW-NE, costs 30 Ft for the terrain and 10 Ft for the extra tile"


@pytest.mark.rule("18Mag XI.2.1/3")
@pytest.mark.parametrize(("minor", "cards"), [("1", (8, 11)), ("7", (13,))])
def test_terrain_costs_istvan_nothing_and_the_bank_is_told_to_pay(minor: str, cards: tuple[int, ...]) -> None:
    """Budapest, and the two cities of Pécs and Mohács, become green."""
    tiles = printed(*cards)
    game = solo_scene(
        turns=[minor], his={minor: 5}, trains={minor: ()}, deck=with_entries(), phase="green", tiles=tiles
    )
    found = remarks(game, mag.LayTile)
    assert found
    for text in found.values():
        assert text.endswith(", the bank pays 20 Ft for the terrain")
        assert "costs" not in text
    assert game.question is not None
    matter = text_renderer_of(game).matter(game.question)
    assert matter.endswith("; the bank pays for terrain"), "his tokens have no end, whatever minor 7 was printed with"
    assert "token" not in matter


def test_a_rail_car_is_told_with_what_the_best_run_gains() -> None:
    for seed in range(1, 9):
        game, table = until("operate_trains", mag.BuyCar, seed)
        assert game.question is not None
        task = game.question.task
        assert isinstance(task, OperateWithCars)
        for action, text in remarks(game, mag.BuyCar).items():
            assert isinstance(action, mag.BuyCar)
            more = best(table, task.company, (*task.cars, action.car))
            gain = more.revenue - best(table, task.company, task.cars).revenue
            assert "costs 10 Ft; best run: " in text
            if gain:
                assert f"best run: {gain:+} Ft" in text


def test_a_run_is_told_with_both_halves_and_the_mine(mag_game: Game) -> None:
    (text,) = remarks(mag_game.position(475), mag.RunTrains).values()
    assert text == "earns 60 Ft: Cyril 30 Ft, minor 6 30 Ft, and 30 Ft from the mine"


def test_a_train_is_told_with_the_phase_it_begins() -> None:
    game, _ = until("purchase_trains", Pass)
    assert game.question is not None
    renderer = MagTextRenderer(game)
    assert renderer.remark(game.question, mag.BuyTrain("2")) == "costs 80 Ft"
    assert renderer.remark(game.question, mag.BuyTrain("6")) == "costs 320 Ft, begins the green phase"
    renderer.table.state.phase, renderer.table.state.indicators = "brown", ("6",)
    assert renderer.remark(game.question, mag.BuyTrain("4")) == "costs 200 Ft"
    assert renderer.remark(game.question, mag.BuyTrain("6")) == "costs 320 Ft, begins the grey phase"


def _space(game: Game, table: MagTable) -> int | None:
    """Where the price of the company stands; 0 is the lowest, from which it cannot fall."""
    assert game.question is not None
    return chart.position(table, game.question.company or "")


def test_a_payout_is_told_with_the_price_after_it() -> None:
    games = (until("pay_out", mag.PayDividend, seed) for seed in count(1))
    game, space = next((game, space) for game, table in games if (space := _space(game, table)))
    assert game.question is not None
    prices = game.table.title.prices
    renderer = text_renderer_of(game)
    assert renderer.remark(game.question, mag.PayDividend(0)) == f"the price falls to {prices[space - 1]} Ft"
    assert renderer.remark(game.question, mag.PayDividend(20)) == f"2 Ft a share, the price stays at {prices[space]} Ft"
    assert renderer.remark(game.question, mag.PayDividend(110)) == (
        f"11 Ft a share, the price rises to {prices[space + 3]} Ft"
    )
