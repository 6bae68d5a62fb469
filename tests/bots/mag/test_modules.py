"""Bots of 18Mag with modules of the expansion: every answer is their own, and each card is used where it pays."""

from __future__ import annotations

import os
from typing import Any

import pytest

from ostbahn.bots.hints import hint
from ostbahn.bots.learnt import LearntBot, learnt_model_of
from ostbahn.bots.playing import BotAnswer, answer, play_out
from ostbahn.bots.registry import bot_named
from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from ostbahn.review.estimated import NoForecast, forecasts
from ostbahn.titles.mag.actions import (
    AddTown,
    BuyByKando,
    BuyDirectorShare,
    BuyShare,
    BuyTrain,
    DraftSupporter,
    LayByFeketehazy,
    LayTile,
    PayDividend,
    PlaceByDdsg,
    PromoteBySina,
    TakeFromRothschild,
)
from ostbahn.titles.mag.opponents.policy import proposals
from ostbahn.titles.mag.opponents.weights import mag_weights
from ostbahn.titles.mag.opponents.worth import MagBotView
from ostbahn.titles.mag.state import (
    EstablishStation,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PurchaseTrains,
    ScrapTrains,
    StockRound,
)
from tests.titles.mag.modules.playing import COMBINATIONS, SUPPORTERS, helped, with_modules
from tests.titles.mag.run_scenes import CITY_20, CITY_40, TOWN_10, line
from tests.titles.mag.scenes import NAMES, scene, state_of, table_of
from tests.titles.mag.share_scenes import question_of

ALL = ("standard_divs", "new_minors_challenge", "new_major", "supporters")
SIMPLE = ("new_minors_simple", "new_major", "supporters")
GAMES = int(os.environ.get("OSTBAHN_SOAK_GAMES", "60")) // 20


def no_notes(game: Game, answered: BotAnswer) -> None:
    assert not answered.note, answered.note


def answers(game: Game) -> Action:
    """What G does; it must be allowed."""
    action = proposals(question_of(game), game, mag_weights())[0].action
    assert game.refusal(action) is None
    return action


# Games


@pytest.mark.parametrize(
    ("modules", "players"),
    [(ALL, 3), (SIMPLE, 4), (("supporters",), 6), (("new_minors_challenge", "new_major"), 5), (("standard_divs",), 2)],
)
def test_every_proposal_is_allowed_and_the_best_comes_first(modules: tuple[str, ...], players: int) -> None:
    variant = "two_player" if players == 2 else "base"
    game = new_game("18Mag", NAMES[:players], variant=variant, seed=2, modules=modules)
    while (question := game.question) is not None and len(game) < 160:
        found = proposals(question, game, mag_weights())
        assert all(game.refusal(proposal.action) is None for proposal in found)
        assert [proposal.score for proposal in found] == sorted((p.score for p in found), reverse=True)
        game.apply(found[0].action)


class OneOfEach:
    """A slow bot, which is asked once at every kind of question; else G answers for it."""

    def __init__(self, code: str) -> None:
        self.bot, self.quick = bot_named(code, 1), GreedyBot(1)
        self.asked: set[str] = set()

    def choose(self, question: Question, game: Game) -> Action:
        if question.kind in self.asked:
            return self.quick.choose(question, game)
        self.asked.add(question.kind)
        return self.bot.choose(question, game)


@pytest.mark.parametrize("code", ["S", "N", "raider"])
def test_bots_that_look_ahead_have_answers_of_their_own(code: str) -> None:
    game, bot = with_modules(*ALL, seed=3), OneOfEach(code)
    wanted = {"draft", "stock_round", "lay_track", "operate_trains", "purchase_trains", "pay_out"}
    while not wanted <= bot.asked and len(game) < 500:
        answered = answer(bot, game)
        no_notes(game, answered)
        game.apply(answered.action)
    assert wanted <= bot.asked


def test_every_card_is_used_before_long() -> None:
    wanted = {TakeFromRothschild, AddTown, LayByFeketehazy, PromoteBySina, BuyByKando}
    game, bot, done = with_modules("supporters", seed=5), GreedyBot(), set[type[Action]]()
    while not wanted <= done and game.question is not None and len(game) < 900:
        action = bot.choose(game.question, game)
        done.add(type(action))
        game.apply(action)
    assert wanted <= done


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("modules", COMBINATIONS[1:], ids="+".join)
def test_quick_bots_play_every_combination(modules: tuple[str, ...], players: int) -> None:
    """Three games with each number of players, twelve in all, unless more are asked for."""
    for seed in range(100, 100 + GAMES):
        game = new_game("18Mag", NAMES[:players], seed=seed, modules=modules)
        bots = {seat: bot_named(code, seed) for seat, code in zip(game.state.players, "GG2G1R", strict=False)}
        assert play_out(game, bots, watch=no_notes).over


# Supporters


@pytest.mark.rule("18Mag M.5/1")
def test_supporters_are_drafted_before_a_minor_that_is_worth_less() -> None:
    weights = mag_weights().draft
    game = with_modules("supporters")
    found = [each.action for each in proposals(question_of(game), game, mag_weights())]
    assert {each.supporter for each in found if isinstance(each, DraftSupporter)} == set(SUPPORTERS)
    supporters = [each.supporter for each in found if isinstance(each, DraftSupporter)]
    assert supporters == sorted(SUPPORTERS, key=lambda card: -weights.supporters[card])


@pytest.mark.rule("18Mag M.5/5")
@pytest.mark.parametrize("step", [LayTrack, EstablishStation, ScrapTrains, OperateWithCars, PurchaseTrains])
def test_the_last_minor_of_a_round_gets_the_money_at_once(step: Any) -> None:
    game = helped("SMFvR", agenda=[OperatingRound(("11",)), step("10")])
    assert answers(game) == TakeFromRothschild(), "11 belongs to somebody else"


@pytest.mark.rule("18Mag M.5/5")
@pytest.mark.parametrize(("cash", "takes"), [(69, False), (70, True), (79, True), (80, False)])
def test_an_earlier_minor_gets_it_only_if_it_buys_a_train_by_it(cash: int, takes: bool) -> None:
    tiles = line("F9", TOWN_10, CITY_20, TOWN_10, TOWN_10, CITY_40)
    game = helped(
        "SMFvR",
        tiles=tiles,
        stations={"F11.0": ["1"]},
        agenda=[OperatingRound(("4",)), PurchaseTrains("1")],
        cash={"1": cash},
    )
    assert (answers(game) == TakeFromRothschild()) == takes


@pytest.mark.rule("18Mag M.5/3")
def test_kando_is_asked_for_a_train_that_is_bought_anyway() -> None:
    tiles = line("F9", TOWN_10, CITY_20, TOWN_10, TOWN_10, CITY_40)
    fields: Any = {"tiles": tiles, "stations": {"F11.0": ["1"]}}
    game = helped("KK", **fields, agenda=[PurchaseTrains("1")], cash={"1": 85})
    assert answers(game) == BuyByKando("2")
    poor = helped("KK", **fields, agenda=[PurchaseTrains("1")], cash={"1": 75})
    assert answers(poor) == BuyByKando("2"), "the lower price is enough"
    later = helped("KK", **fields, agenda=[OperatingRound(("4",)), PurchaseTrains("1")], cash={"1": 85, "4": 300})
    assert answers(later) == BuyTrain("2"), "he saves more on a dearer train of minor 4"


@pytest.mark.rule("18Mag M.5/7")
def test_a_station_is_placed_by_the_ddsg() -> None:
    tiles = line("F9", TOWN_10, CITY_20, CITY_40)
    game = helped("DDSG", tiles=tiles, stations={"F11.0": ["1"]}, agenda=[EstablishStation("1")], cash={"1": 100})
    found = [each.action for each in proposals(question_of(game), game, mag_weights())]
    assert PlaceByDdsg("F13.0") in found
    assert {type(action) for action in found} == {PlaceByDdsg, Pass}, "nobody pays more for the same"


@pytest.mark.rule("18Mag M.5/4")
@pytest.mark.parametrize("tokens", [0, 2])
def test_feketehazy_comes_before_terrain_tokens_and_money(tokens: int) -> None:
    game = helped("FJ", owners={"6": "p1"}, agenda=[LayTrack("6")], cash={"6": 100}, terrain_tokens={"6": tokens})
    lays = [
        each.action for each in proposals(question_of(game), game, mag_weights()) if isinstance(each.action, LayTile)
    ]
    assert {type(lay) for lay in lays if lay.hex == "B17"} == {LayByFeketehazy}


@pytest.mark.rule("18Mag M.5/6")
def test_sina_promotes_and_leaves_the_lays_of_the_turn() -> None:
    tiles = line("E8", CITY_20, CITY_20)
    game = helped("GSvS", owners={"3": "p1"}, phase="green", tiles=tiles, agenda=[LayTrack("3")], cash={"3": 100})
    first = answers(game)
    assert isinstance(first, PromoteBySina)
    game.apply(first)
    second = answers(game)
    assert type(second) is LayTile


@pytest.mark.rule("18Mag M.5/8")
def test_a_town_is_added_where_a_run_gains_by_it() -> None:
    fields: Any = {"owners": {"3": "p1"}, "stations": {"F11.0": ["3"]}, "agenda": [OperateWithCars("3")]}
    game = helped("MA", tiles=line("F9", TOWN_10, CITY_20, TOWN_10), **fields)
    assert answers(game) == AddTown("2-1")
    short = helped("MA", tiles=line("F11", CITY_20, CITY_20), **fields)
    assert not isinstance(answers(short), AddTown), "there is no town"


@pytest.mark.rule("18Mag M.5/8")
def test_it_waits_for_a_minor_that_gains_more() -> None:
    game = helped(
        "MA",
        owners={"3": "p1", "4": "p1"},
        tiles={**line("F9", TOWN_10, CITY_20, TOWN_10), **line("H9", "L38", CITY_20, "L38")},
        stations={"F11.0": ["3"], "H11.0": ["4"]},
        agenda=[OperatingRound(("4",)), OperateWithCars("3")],
    )
    assert not isinstance(answers(game), AddTown)


# CIWL and dividends


@pytest.mark.rule("18Mag M.4/3")
def test_a_share_of_ciwl_brings_a_fifth_of_what_it_pays() -> None:
    game = scene(modules=["new_major"], agenda=[PayOut("CIWL")], directors={"CIWL": "p1"}, cash={"CIWL": 0})
    view = MagBotView(table_of(game), mag_weights())
    before, after = (view.outlook("CIWL", more).dividends for more in (0, 100))
    assert after - before == pytest.approx(20)


@pytest.mark.rule("18Mag M.4/7")
def test_the_director_share_is_bought_like_another_share() -> None:
    holders = {"p1": 1, "p2": 1, "p3": 1}
    money = dict.fromkeys(("p1", "p2", "p3"), 300)
    game = scene(modules=["new_major"], agenda=[StockRound("p1")], shares={"CIWL": holders}, cash=money, round="SR 2")
    found = {each.action: each for each in proposals(question_of(game), game, mag_weights())}
    assert found[BuyDirectorShare("CIWL")].score > 0
    assert not any(isinstance(action, BuyShare) and action.major == "CIWL" for action in found)


@pytest.mark.rule("18Mag M.2/1")
def test_everything_or_nothing_is_paid_out() -> None:
    game = scene(modules=["standard_divs"], cash={"SIK": 128}, directors={"SIK": "p1"}, agenda=[PayOut("SIK")])
    assert {each.action for each in proposals(question_of(game), game, mag_weights())} == {
        PayDividend(0),
        PayDividend(120),
    }


# The net


def test_where_the_net_knows_no_module_rules_of_thumb_decide() -> None:
    game = with_modules("supporters")
    model = learnt_model_of("18Mag", modules=game.setup.modules)
    assert all(kind in model.variant.settled for kind in model.settings.studies)
    assert not learnt_model_of("18Mag").variant.settled
    thought = LearntBot(1).evaluate(question_of(game), game)
    usual = learnt_model_of("18Mag", seed=1, modules=game.setup.modules).search_bot.evaluate(question_of(game), game)
    assert [each.candidate.action for each in thought] == [each.candidate.action for each in usual]
    assert all(each.judgement is None for each in thought)
    assert hint(game).expected is None, "nothing is foretold"


def test_characters_go_by_what_the_rules_of_thumb_foresee() -> None:
    game = with_modules("supporters")
    first = LearntBot(1, "raider").evaluate(question_of(game), game)[0]
    assert first.judgement is not None
    assert set(first.judgement.doubt.values()) == {0.0}
    assert set(first.judgement.wealth) == set(state_of(game).players)


def test_nobody_tells_who_was_ahead_in_a_game_with_modules() -> None:
    with pytest.raises(NoForecast, match="modules"):
        forecasts(with_modules("new_major"))
