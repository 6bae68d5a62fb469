"""Games in the form of 18xx.games: our import reads them back, and they are told as the site tells them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ostbahn.interop import site_adapter
from ostbahn.interop.exporter import ExportedAnswer
from ostbahn.interop.importer import SiteEntry, effective_entries
from ostbahn.interop.site_adapter import dump, export_game, exportable_variants, import_game, state_line
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.kits.catalogue import CATALOGUE, SITE, entry_of, new_game
from ostbahn.testing import play_random
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.actions import ReturnTrain, ScrapTrain, TurnTrain
from ostbahn.titles.cz.interop.exporter import CzExporter
from ostbahn.titles.cz.interop.importer import CzImporter
from ostbahn.titles.cz.state import HomeCity, LayTrack, PreStock, PurchaseTrains, StockRound
from ostbahn.titles.mag.actions import SellShares
from ostbahn.titles.mag.interop.importer import MagImporter
from ostbahn.titles.mag.state import StockRound as MagStockRound
from tests.golden.games import GOLDEN, Golden, digests, golden_game
from tests.interop.reference import MISSING, document, imported, reference_games
from tests.interop.site_scenes import as_on_the_site
from tests.titles.cz.test_acquisition_trains import taking
from tests.titles.mag.scenes import scene

NAMES = ("Anna", "Ben", "Cyril", "Dora", "Emil", "Fanny")
GAMES = reference_games("18CZ") + reference_games("18Mag")
THERE = [golden for golden in GOLDEN if golden.preset == SITE]

in_each_variant = pytest.mark.parametrize(("title", "variant"), exportable_variants())


def begun(title: str, variant: str, **more: Any) -> Game:
    players = NAMES[: entry_of(title, variant).players[0]]
    return new_game(title, players, variant=variant, seed=7, preset=SITE, **more)


def read_back(game: Game) -> Game:
    return import_game(json.loads(dump(export_game(game)))).game


# Read back


@pytest.mark.parametrize("golden", THERE, ids=lambda golden: golden.name)
def test_a_golden_game_is_read_back_to_the_same_state_after_every_action(golden: Golden) -> None:
    game = golden_game(golden.name)
    assert golden.export is not None
    assert digests(import_game(json.loads(golden.export.read_bytes())).game) == digests(game)


def test_there_is_an_export_of_each_title() -> None:
    assert sorted(golden.title for golden in THERE) == ["18CZ", "18Mag"]


@in_each_variant
@pytest.mark.parametrize("drawn", [False, True], ids=["given order", "drawn order"])
def test_a_game_that_goes_on_is_read_back(title: str, variant: str, drawn: bool) -> None:
    """The file ends where the site waits; what is passed by itself before that may be missing."""
    game = begun(title, variant, draw_order=drawn)
    rng = Random(3)
    for _ in range(6):
        play_random(game, rng, 40, policy=as_on_the_site)
        again = read_back(game)
        number = min(len(game), len(again))
        assert number > len(game) - 9
        assert state_line(again.position(number)) == state_line(game.position(number))


def played(game: Game, answer: Callable[[Question], Option], most: int = 1000) -> Game:
    while game.question is not None and len(game) < most:
        game.apply(answer(game.question).action)
    return game


def test_a_round_in_which_nobody_can_do_anything_leaves_no_trace() -> None:
    """After all Local Railways are sold, six players have less than any Director's certificate costs."""

    def spendthrift(question: Question) -> Option:
        wanted = (*question.only(cz.BuyLocal), *question.only(cz.StartCompany), *question.only(Pass))
        return next(iter(wanted), question.options[0])

    game = played(new_game("18CZ", NAMES, preset=SITE, draw_order=False), spendthrift, 60)
    assert [type(action) for _, action in game.actions()][18:25] == [Pass] * 6 + [cz.StartCompany]
    told = [entry["type"] for entry in export_game(game)["actions"]]
    assert told[18:20] == ["par", "pass"]
    assert digests(read_back(game))[:50] == digests(game)[:50]


def test_a_pass_belongs_to_the_next_round_in_which_its_player_could_do_something() -> None:
    """Nobody can act in the first Share Round, and in the second only the first player, who passes in the file."""

    def saver(question: Question) -> Option:
        return next(iter((*question.only(cz.BuyLocal), *question.only(Pass))))

    game = played(new_game("18CZ", NAMES, preset=SITE, draw_order=False), saver, 30)
    asked_for = [(len(game.position(number).ask()), game.records[number].by) for number in range(18, 30)]
    assert {options for options, _ in asked_for[:6]} == {1}
    assert asked_for[6][1] == asked_for[5][1] == "p1", "he is asked in both rounds, one after the other"
    assert [options > 1 for options, _ in asked_for[6:]] == [True] + [False] * 5
    document = export_game(game)
    assert [entry["type"] for entry in document["actions"]] == ["bid"] * 18 + ["pass"]
    again = import_game(document)
    assert [mark.actions for mark in again.marks[-2:]] == [24, 30]
    assert digests(again.game) == digests(game)


def test_turns_of_the_only_company_that_follow_each_other_are_told_apart() -> None:
    """Four passes in a row then belong to two turns: trains, Local Railways, track, station."""
    lays = [cz.LayTile("C25", "201", 0), cz.LayTile("C23", "6", 4)]

    def lonely(question: Question) -> Option:
        match question.task:
            case PreStock() if question.decider != "p1":
                wanted = question.only(cz.BuyLocal, local="S1")
            case StockRound(player="p1"):
                wanted = question.only(cz.StartCompany, company="OFE", price=50)
            case LayTrack(first=True):
                wanted = [option for option in question if option.action in lays]
            case PurchaseTrains():
                wanted = [] if game.state.trains.get("OFE") else question.only(cz.BuyTrain)
            case _:
                wanted = []
        return next(iter([*wanted, *question.only(Pass), *question.only(cz.Withhold), *question.options]))

    game = new_game("18CZ", NAMES[:3], preset=SITE, draw_order=False)
    played(game, lonely)
    told = " ".join(str(entry["type"]) for entry in export_game(game)["actions"])
    assert "dividend pass pass pass pass run_routes" in told
    assert digests(read_back(game)) == digests(game)


def test_what_comes_before_a_home_is_chosen_comes_after_it_on_the_site() -> None:
    """ATE buys a Local Railway before it says where its home is."""
    whole = golden_game(THERE[0].name)
    moments = (whole.position(number) for number in range(len(whole)))
    game = next(moment for moment in moments if isinstance(moment.ask().task, HomeCity))
    game.apply(game.ask().only(cz.OfferForLocal)[0].action)
    game.apply(game.ask().only(cz.ChooseCity)[0].action)
    assert [entry["type"] for entry in export_game(game)["actions"][-2:]] == ["place_token", "buy_company"]
    assert digests(read_back(game))[-1] == game.state.digest


# In the site's words


def essence(entry: SiteEntry, players: dict[str, int]) -> tuple[Any, ...]:
    """What an action is, without times and without names that one program may choose freely.

    Which of several equal shares is meant is free, and so is the place within a city.
    """
    who = players[str(entry["entity"])] if entry["entity_type"] == "player" else entry["entity"]
    free = {"entity", "id", "user", "created_at", "original_id", "shares", "slot", "tokener", "routes"}
    free |= {"extra_revenue", "subsidy"}
    rest = {name: value for name, value in entry.items() if name not in free}
    if entry.get("city", "").startswith("B9"):
        del rest["city"]  # a bare home hex: the site asks again when it has a tile
    return (who, tuple(sorted(rest.items())))


def in_words(entries: list[SiteEntry], players: dict[str, int], without: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """The actions but for what Local Railways do at any point of a turn: in which step it was our game cannot know."""
    left = [entry for entry in entries if entry["type"] not in without and entry["entity_type"] != "company"]
    return [essence(entry, players) for entry in left]


def runs_in(entries: list[SiteEntry]) -> list[tuple[Any, ...]]:
    """What all trains earned together, and between which places each of them ran."""
    runs = [entry["routes"] for entry in entries if entry["type"] == "run_routes"]
    return [(sum(route["revenue"] for route in run), [way(route) for route in run]) for run in runs]


def way(route: SiteEntry) -> tuple[str, list[list[str]]]:
    return route["train"], sorted(sorted((chain[0], chain[-1])) for chain in route["connections"])


NUMBERED_TWICE = "3p_major+supporters_1130"
"""There the site gives two trains one number, and scraps neither when a minor scraps the older one."""


def essentials(entry: SiteEntry) -> tuple[Any, ...]:
    """The kind of an action with its fields."""
    noise = {"id", "created_at", "user", "original_id", "auto_actions", "skip"}
    return entry["type"], entry["entity_type"], tuple(sorted(entry.keys() - noise))


FORMS = {
    title: {
        essentials(entry) for path in reference_games(title) for entry in effective_entries(document(path)["actions"])
    }
    for title in ("18CZ", "18Mag")
}
"""Which kinds of actions files of the site have, with which fields."""


@pytest.mark.slow
@pytest.mark.skipif(not GAMES, reason=MISSING)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_of_the_site_is_told_as_the_site_told_it_and_read_back(path: Path) -> None:
    """Action by action, passes included; read back it is the same after every one."""
    said, game = document(path), imported(path).game
    theirs = [entry for entry in effective_entries(said["actions"]) if entry["type"] not in ("message", "end_game")]
    told = json.loads(dump(export_game(game)))
    ours = told["actions"]
    players = {str(player.get("id", player["name"])): number for number, player in enumerate(said["players"])}
    numbers = {str(number): number for number in players.values()}
    by_people = path.stem == "29247"  # they sold Local Railways after a pass, left routes out, and ran an illegal one
    without = ("buy_company", "sell_company", "pass") if by_people else ("buy_company",)
    if path.stem != NUMBERED_TWICE:
        assert in_words(ours, numbers, without) == in_words(theirs, players, without)
    assert by_people or path.stem == NUMBERED_TWICE or runs_in(ours) == runs_in(theirs)
    assert {essentials(entry) for entry in ours} <= FORMS[said["title"]]
    assert digests(import_game(told).game) == digests(game)


@pytest.mark.parametrize("golden", THERE, ids=lambda golden: golden.name)
def test_an_export_has_what_the_site_wants(golden: Golden) -> None:
    told = export_game(golden_game(golden.name))
    assert told["title"] == golden.title
    assert [player["name"] for player in told["players"]] == list(golden_game(golden.name).setup.players)
    assert (told["status"], told["settings"]["optional_rules"]) == ("finished", [])
    assert [entry["id"] for entry in told["actions"]] == list(range(1, len(told["actions"]) + 1))
    assert all(one["created_at"] < two["created_at"] for one, two in pairwise(told["actions"]))
    assert {entry["entity_type"] for entry in told["actions"]} >= {"player", "corporation"}
    assert set(told["result"]) == {str(player["id"]) for player in told["players"]}


@pytest.mark.slow
@pytest.mark.parametrize("golden", THERE, ids=lambda golden: golden.name)
def test_a_game_may_be_broken_off_near_its_end(golden: Golden) -> None:
    """Read back it may be over: the site passes by itself what is left."""
    game = golden_game(golden.name)
    for number in range(len(game) - 12, len(game)):
        read_back(game.position(number))


@pytest.mark.rule("18Mag VII.4/7")
def test_who_can_only_pass_after_a_sale_may_sell_the_same_again_in_his_next_turn() -> None:
    """The file has one sale after the other: the site passes for all who can do nothing else."""
    sale = {"type": "sell_shares", "entity": 0, "entity_type": "player", "percent": 10}
    sales = [{**sale, "id": number, "shares": [f"SIK_{number}"]} for number in (1, 2)]
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES[:3])]
    importer = MagImporter({"players": players, "actions": sales, "settings": {"seed": 1}})
    dear = dict.fromkeys(("RÁBA", "G&C", "SNW", "SzKÉV", "LdStEG", "MÁVAG"), 400)
    importer.game = scene(shares={"SIK": {"p1": 2}}, prices=dear, agenda=[MagStockRound("p1")], site=True)
    game = importer.run().game
    assert [action for _, action in game.actions() if action != Pass()] == [SellShares("SIK", 10)] * 2
    assert {by for by, action in game.actions() if action == Pass()} == {"p1", "p2", "p3"}


# What the site cannot tell


TURNED = TurnTrain("d1", "3+3")


@pytest.mark.rule("18CZ VIII.9/12", "18CZ VIII.9/13")
def test_a_train_that_was_just_turned_is_not_scrapped_on_the_site() -> None:
    """Our rules allow it, but there nobody is asked again about such a train."""
    game = taking("BN", ("d1", "3"), phase="f")
    begun = len(game)
    for action in (TURNED, ScrapTrain("d1")):
        game.apply(action)
    exporter = CzExporter(game)
    exporter.write_answer(ExportedAnswer(game, begun))
    with pytest.raises(OstbahnError, match="no words for BN scrapping d1, which it has just turned"):
        exporter.write_answer(ExportedAnswer(game, begun + 1))


@pytest.mark.rule("18CZ VIII.9/13")
def test_a_train_that_was_turned_can_be_returned_afterwards() -> None:
    """The file says the same of a train that is scrapped and of one that goes to the pool."""
    entry = {"entity": "BN", "entity_type": "corporation", "train": "3d-0"}
    entries = [{**entry, "id": 1, "type": "swap_train"}, {**entry, "id": 2, "type": "discard_train"}]
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES[:3])]
    importer = CzImporter({"players": players, "actions": entries, "settings": {"seed": 1}})
    own = (("d3", "3+3"), ("d4", "3+3"))
    importer.game = taking("BN", ("d1", "3"), own=own, phase="f", site=True)
    actions = [action for _, action in importer.run().game.actions()]
    assert TURNED in actions
    assert ReturnTrain("d1") in actions


@pytest.mark.parametrize(
    ("title", "variant"),
    [(entry.title, entry.variant) for entry in CATALOGUE if (entry.title, entry.variant) not in exportable_variants()],
)
def test_a_variant_that_the_site_does_not_have_is_refused(title: str, variant: str) -> None:
    with pytest.raises(BadSetup, match=rf"18xx\.games has no {title} \({variant}\): it plays 18CZ \(base\), "):
        export_game(begun(title, variant))


def test_other_rulings_than_those_of_the_site_are_refused_by_name() -> None:
    with pytest.raises(BadSetup, match=r"this game has others \(consent\): only games begun with --preset 18xx"):
        export_game(begun("18CZ", "base", rulings={"consent": "asked"}))
    with pytest.raises(BadSetup, match=r"\(praha_first_tile, price_drop_per, marker_price_after_acquisition, …\)"):
        export_game(new_game("18CZ", NAMES[:3]))


def test_what_would_not_be_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_random(begun("18CZ", "base", draw_order=False), Random(1), 200)
    export_game(game)
    monkeypatch.setattr(CzExporter, "deal", lambda self, moment: None)
    with pytest.raises(OstbahnError, match=r"18xx\.games has no words for this game"):
        export_game(game)
    monkeypatch.setattr(site_adapter, "import_game", lambda told: import_game({**told, "actions": []}))
    with pytest.raises(OstbahnError, match="read back it would end otherwise"):
        export_game(golden_game(THERE[0].name))
