"""The title is played: by chance, by its opponent, and by the rules of its own book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import msgspec
import ostbahn_wee
import pytest
from ostbahn_wee import actions as wee
from ostbahn_wee.state import TITLE

import ostbahn
from ostbahn import testing
from ostbahn.bots.hints import hint
from ostbahn.bots.playing import RandomBot, play_out
from ostbahn.bots.registry import STRONGEST, bot_named, check_bot_plays
from ostbahn.bots.search import GreedyBot
from ostbahn.eighteen.actions import TrainRun
from ostbahn.interop import saves, site_adapter
from ostbahn.interop.site_adapter import import_game
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import DirectorChanged, PriceMoved, Record
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import new_game
from ostbahn.programmed.choices import programmable_kinds
from ostbahn.programmed.execution import answer_of_move
from ostbahn.programmed.moves import ProgrammedPurchases, ProgrammedTurn
from ostbahn.text.speech import refusal_reasons

NAMES = ("Anna", "Ben", "Cyril", "Dora")
EVERYWHERE = pytest.mark.parametrize("players", [2, 3, 4])
STRANGE: testing.Domains = {
    "company": [*TITLE.companies, "XX"],
    "price": [0, 39, *TITLE.game.start_prices],
    "hex": [*TITLE.map.hexes, "Z9"],
    "tile": [*TITLE.tiles, "99"],
    "rotation": range(-1, 7),
    "face": [*TITLE.trains, "4"],
    "runs": [(), (TrainRun("2.1", ("A5.0", "B6.0")),), (TrainRun("x", ()),)],
}


def begun(players: int, seed: int = 1) -> Game:
    return new_game("18Wee", NAMES[:players], seed=seed, draw_order=False)


class Inspector(testing.Inspector):
    free = (wee.RunTrains,)

    def audit(self, game: Game, before: State, record: Record) -> None:
        state = game.state
        laid = Counter(tile for tile, _ in state.board.tiles.values())
        assert all(state.supply[name] + laid[name] == tile.count for name, tile in TITLE.tiles.items())
        for company, holders in state.certificates.items():
            shares = Counter[str]()
            for percent, holder in zip(TITLE.companies[company].certificates, holders, strict=True):
                shares[holder] += percent
            players = {who: percent for who, percent in shares.items() if who != BANK}
            assert not players or players[holders[0]] == max(players.values()), f"{company} has the wrong Director"

    def strange_answers(self, game: Game) -> Iterable[Action]:
        listed = [option.action for option in game.ask()]
        others = [wee.BuyTrain("2"), wee.PayOut(), wee.SellShare("NB"), wee.LayTile("C5", "6", 0), Pass()]
        near = testing.mutations([*listed, *others], STRANGE, self.rng)
        found = [*others, *(action for action, _ in zip(near, range(self.strange), strict=False))]
        for action in found:
            refusal = game.refusal(action)
            assert refusal is None or refusal.rule.removeprefix("18Wee ") in TITLE.rules, f"no such rule: {refusal}"
        return found

    def richer(self, game: Game) -> Game:
        more = {who: amount + 500 for who, amount in game.state.cash.items() if who != BANK}
        cash = {**more, BANK: -sum(more.values())}
        return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(game.state, cash=cash))


# The environment


def test_it_is_the_installed_packages_that_are_tried() -> None:
    for package in (ostbahn, ostbahn_wee):
        assert package.__file__ is not None
        assert "site-packages" in Path(package.__file__).parts


# Whole games


@EVERYWHERE
@pytest.mark.parametrize("seed", range(4))
def test_everything_adds_up_in_a_random_game(players: int, seed: int) -> None:
    rng = Random(seed)
    game = testing.play_random(begun(players, seed), rng, watch=[Inspector(rng, options=3, strange=6, save_every=25)])
    assert game.over


@EVERYWHERE
def test_its_opponent_plays_it_to_the_end(players: int) -> None:
    game, faults = begun(players), []
    bots = {seat: GreedyBot(number) for number, seat in enumerate(game.state.players)}
    play_out(game, bots, watch=lambda _, answered: faults.append(answered.note))
    assert game.over
    assert set(faults) == {""}
    testing.check_save(game)
    testing.check_earlier(game, 0)


@EVERYWHERE
def test_its_opponent_beats_chance(players: int) -> None:
    for seed in range(3):
        game = begun(players, seed)
        play_out(game, {seat: RandomBot(seed) for seat in game.state.players} | {"p2": GreedyBot(seed)})
        assert game.table.winners() == ["p2"]


def test_hints_can_be_taken() -> None:
    game, asked = begun(3), set()
    while not game.over:
        told = hint(game, budget=40)
        assert game.refusal(told.action) is None
        assert told.reasons
        asked.add(game.ask().kind)
        game.apply(told.action)
    assert asked == {"stock_round", "lay_track", "operate_trains", "use_income", "purchase_trains"}


# Some of its rules


def play(game: Game, *actions: Action) -> Record:
    records = [game.apply(action) for action in actions]
    return records[-1]


def test_who_starts_a_company_directs_it_and_it_gets_its_capital() -> None:
    game = begun(2)
    play(game, wee.StartCompany("NB", 50))
    assert game.state.cash["p1"] == 260 - 100
    assert game.state.cash["NB"] == 250
    assert game.state.certificates["NB"] == ("p1", BANK, BANK, BANK)
    assert game.state.board.stations == {"A5.0": ("NB",)}


def test_who_holds_more_becomes_director() -> None:
    game = begun(2)
    play(game, wee.StartCompany("NB", 40), wee.BuyShare("NB"), Pass(), wee.BuyShare("NB"), Pass())
    assert game.state.certificates["NB"][0] == "p1"
    record = play(game, wee.BuyShare("NB"))
    assert DirectorChanged("NB", "p1", "p2") in record.events
    assert sorted(game.state.certificates["NB"]) == ["p1", "p1", "p2", "p2"]


def test_moves_can_be_prepared_without_a_word_about_it() -> None:
    game = begun(2)
    play(game, wee.StartCompany("NB", 50))
    assert [kind.prepare for kind in programmable_kinds(game, "p2")] == ["pass", "buy"]
    move = ProgrammedPurchases(company="NB", amount=1, alarms=("price",))
    assert answer_of_move(game, "p2", move, len(game)) == wee.BuyShare("NB")
    assert [kind.prepare for kind in programmable_kinds(game, "p1")] == ["pass", "buy", "turn"]
    routine = ProgrammedTurn(company="NB")
    play(game, Pass(), Pass())
    found = []
    while isinstance(answer := answer_of_move(game, "p1", routine, 1), Action):
        found.append(answer)
        play(game, answer)
    assert found[0] == Pass()


def test_a_sale_lowers_the_price_and_bars_from_buying_again() -> None:
    game = begun(2)
    play(game, wee.StartCompany("SO", 60), wee.BuyShare("SO"), Pass())
    record = play(game, wee.SellShare("SO"))
    assert PriceMoved("SO", 60, 55, "sale") in record.events
    play(game, Pass())
    refusal = game.refusal(wee.BuyShare("SO"))
    assert refusal is not None
    assert refusal.rule == "18Wee 2.5"


def test_green_tiles_come_with_the_first_3_train() -> None:
    game = begun(2)
    bots = {seat: GreedyBot() for seat in game.state.players}
    seen = []

    def look(now: Game, _: object) -> None:
        colours = {TITLE.tiles[tile].colour for tile, _ in now.state.board.tiles.values()}
        seen.append((now.state.phase, "green" in colours, now.state.sold.get("3", 0) > 0))  # type: ignore[attr-defined]

    play_out(game, bots, watch=look)
    assert {(phase, sold) for phase, _, sold in seen} == {("I", False), ("II", True)}
    assert {green for phase, green, _ in seen if phase == "I"} == {False}
    assert any(green for _, green, _ in seen)


def test_why_not_is_told_with_its_rule() -> None:
    game = begun(2)
    play(game, wee.StartCompany("NB", 60), Pass(), Pass())
    first, *rest = refusal_reasons(game, "C5")
    assert first.startswith("C5: 0 of ")
    assert any("18Wee 4.1" in line for line in rest)


# 18xx.games


def test_it_is_not_played_at_the_site_and_that_is_said() -> None:
    with pytest.raises(BadSetup, match=r"18xx\.games has no 18Wee"):
        site_adapter.export_game(begun(2))
    with pytest.raises(BadFile, match="'18Wee'; only 18CZ and 18Mag can be imported"):
        import_game({"title": "18Wee", "actions": [], "players": []})


def test_a_save_names_the_title(tmp_path: Path) -> None:
    game = testing.play_random(begun(4), Random(5))
    saves.write(tmp_path / "wee.json", game)
    assert saves.read(tmp_path / "wee.json").state.digest == game.state.digest


@pytest.mark.parametrize("level", ["1", "3", STRONGEST])
def test_levels_play_it_without_anything_learnt(level: str) -> None:
    game, notes = begun(2), list[str]()
    bots = {seat: bot_named(level, number) for number, seat in enumerate(game.state.players)}
    assert play_out(game, bots, watch=lambda game, answered: notes.append(answered.note)).over
    assert not any(notes), "nobody failed"


@pytest.mark.parametrize("code", ["N", "raider"])
def test_who_plays_by_what_was_learnt_says_that_nothing_was(code: str) -> None:
    with pytest.raises(BadSetup, match="nothing has been learnt for 18Wee; try 1, 2, 3, 4, 5, R, G, S"):
        check_bot_plays(code, "18Wee")
