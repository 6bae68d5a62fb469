"""The course of the game, its end and the last count (18Mag I, IV, IX)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan, TurnBegan, Wealth
from ostbahn.titles.mag.actions import (
    BuyCar,
    BuyShare,
    BuyTrain,
    LayTile,
    PlaceStation,
    RunTrains,
    SellShares,
)
from ostbahn.titles.mag.state import (
    EstablishStation,
    LayTrack,
    MagTask,
    OperateWithCars,
    OperatingRound,
    PurchaseTrains,
    Rounds,
    StockRound,
)
from tests.titles.mag.scenes import scene, state_of, table_of
from tests.titles.mag.share_scenes import (
    answer_all,
    cash_of,
    events_of,
    finish_draft,
    is_offered,
    new_mag_game,
    play_until,
    question_of,
    refusal_rule,
    stock_scene,
)


def with_agenda(game: Game, *agenda: MagTask) -> Game:
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(state_of(game), agenda=agenda))


def rounds_of(game: Game) -> list[str]:
    return [event.round for event in events_of(RoundBegan, game.records)]


# I and IV: rounds


@pytest.mark.rule("18Mag IV/1", "18Mag I/3")
def test_share_rounds_and_operating_rounds_alternate() -> None:
    """A game in which no train is sold: the phases go on by themselves, and with them the sets grow longer."""
    game = new_mag_game()
    assert state_of(game).round == "PRE"
    finish_draft(game)
    play_until(game)
    assert rounds_of(game) == [
        *["OR 1.1", "SR 2", "OR 2.1", "SR 3", "OR 3.1", "SR 4"],
        *["OR 4.1", "OR 4.2", "SR 5", "OR 5.1", "SR 6"],
        *["OR 6.1", "OR 6.2", "SR 7", "OR 7.1", "SR 8"],
        *["OR 8.1", "OR 8.2", "OR 8.3"],
    ]


@pytest.mark.rule("18Mag I/3")
@pytest.mark.parametrize(("players", "minors"), [(3, 4), (4, 3), (5, 2), (6, 2)])
def test_only_three_players_own_four_minors(players: int, minors: int) -> None:
    game = new_mag_game(players)
    finish_draft(game)
    owned = list(state_of(game).owners.values())
    assert max(map(owned.count, owned)) == minors


# IV: whose money


@pytest.mark.rule("18Mag IV/2")
def test_companies_act_with_their_own_money() -> None:
    """Whatever a minor pays for, a rich owner cannot help, and a rich minor leaves him alone."""
    rich = {"p1": 1000, "p2": 1000, "p3": 1000}
    for task, action in (
        (LayTrack("1"), LayTile("E14", "57", 1)),
        (EstablishStation("10"), PlaceStation("G16.0")),
        (OperateWithCars("11"), BuyCar("off_board")),
        (PurchaseTrains("1"), BuyTrain("2")),
    ):
        for treasury in (0, 200):
            game = scene(
                cash={**rich, task.company: treasury},
                tiles={"E18": ("57", 1), "E16": ("9", 1), "G16": ("57", 2), "H17": ("57", 2), "D7": ("57", 2)},
                stations={"E18.0": ["1"]},
                agenda=[task],
            )
            assert is_offered(game, action) == (treasury > 0)
        game.apply(action)
        assert [cash_of(game, player) for player in rich] == [1000] * 3
        assert cash_of(game, task.company) < 200


@pytest.mark.rule("18Mag IV/2")
def test_players_buy_shares_with_their_own_money() -> None:
    game = stock_scene(cash={"p1": 0, "1": 500, "4": 500, "SIK": 500}, directors={"SIK": "p1"})
    assert not question_of(game).only(BuyShare)


@pytest.mark.rule("18Mag IV/2")
def test_the_owner_acts_for_his_minor() -> None:
    game = scene(agenda=[LayTrack("2")])
    assert question_of(game).decider == "p2"
    for other in ("p1", "p3"):
        assert refusal_rule(game, Pass(), by=other) == "18Mag IV/2"


# IX.1 The end


@pytest.mark.rule("18Mag IX.1/1")
@pytest.mark.parametrize("length", [1, 2])
def test_grey_brings_one_more_share_round_and_three_operating_rounds(length: int) -> None:
    """The first 6-train is sold in the first round of a set; minors 2 and 12 have not acted in it yet."""
    game = scene(phase="brown", cash={"1": 320}, trains={"1": []})
    state = state_of(game)
    assert state.indicators == ("6",)
    game = with_agenda(game, Rounds(5, 1, length), OperatingRound(("2", "12")), PurchaseTrains("1"))
    game.apply(BuyTrain("6"))
    assert state_of(game).phase == "grey"
    play_until(game)
    assert game.over
    assert rounds_of(game) == ["SR 6", "OR 6.1", "OR 6.2", "OR 6.3"]
    events = [event for record in game.records for event in record.events]
    until = events.index(RoundBegan("SR 6"))
    turns = [event.company for event in events[:until] if isinstance(event, TurnBegan)]
    assert turns[:2] == ["2", "12"]
    assert len(turns) == 2 + 7, "the majors too"


@pytest.mark.rule("18Mag IX.1/1")
def test_money_of_the_last_operating_round_counts() -> None:
    game = scene(phase="grey", tiles={"D7": ("57", 2)})
    game = with_agenda(game, Rounds(6, 3, 3, last=True), OperateWithCars("11"))
    game.apply(question_of(game).only(RunTrains)[0].action)
    assert game.over
    assert game.question is None
    assert table_of(game).standings()["p2"] == (20 + 70) // 2


@pytest.mark.rule("18Mag IX.1/1")
def test_the_game_goes_on_as_long_as_it_is_not_grey() -> None:
    game = with_agenda(scene(phase="brown", agenda=[StockRound("p1")]), Rounds(6, 2, 2), OperatingRound((), ()))
    assert isinstance(question_of(game).task, StockRound)
    assert state_of(game).round == "SR 7"


# IX.2 Final totals


def ended(**particulars: Any) -> Game:
    """A game that is over, in a position of one's own."""
    game = with_agenda(scene(phase="grey", agenda=[StockRound("p1")], **particulars), Rounds(6, 3, 3, last=True))
    assert game.over
    return game


@pytest.mark.rule("18Mag IX.2/1", "18Mag III.3.3/2")
def test_cash_and_shares_at_their_last_price() -> None:
    """123 Ft, a director share at 140 and a share at 75 are 478."""
    game = ended(
        cash={"p1": 123},
        directors={"SIK": "p1"},
        shares={"SNW": {"p1": 1}},
        prices={"SIK": 140, "SNW": 75},
    )
    assert table_of(game).standings() == {"p1": 478, "p2": 0, "p3": 0}


@pytest.mark.rule("18Mag IX.2/1")
def test_the_last_price_is_the_one_after_all_moves() -> None:
    """p2 sells in the last Share Round, and p1 has a share that is worth less for it."""
    game = stock_scene("p2", shares={"SIK": {"p1": 1, "p2": 1}}, prices={"SIK": 100})
    answer_all(game, SellShares("SIK", 10))
    assert table_of(game).standings() == {"p2": 100, "p1": 95, "p3": 0}


@pytest.mark.rule("18Mag IX.2/2")
def test_what_companies_own_counts_for_nothing() -> None:
    poor = ended(cash={"p1": 100})
    rich = ended(
        cash={"p1": 100, "1": 1000, "SIK": 1000},
        trains={"1": ["6", "6"]},
        stations={"E18.0": ["1"]},
    )
    assert table_of(poor).standings() == table_of(rich).standings() == {"p1": 100, "p2": 0, "p3": 0}


@pytest.mark.rule("18Mag I/2")
def test_the_richest_wins() -> None:
    """Totals of 900, 905 and 640."""
    game = ended(
        cash={"p1": 900, "p2": 5, "p3": 400},
        directors={"SIK": "p2", "SNW": "p3"},
        shares={"SIK": {"p2": 1}},
        prices={"SIK": 300, "SNW": 120},
    )
    assert table_of(game).standings() == {"p2": 905, "p1": 900, "p3": 640}
    assert table_of(game).winners() == ["p2"]
    told = {event.player: event.amount for event in game.opening if isinstance(event, Wealth)}
    assert told == {"p2": 905, "p1": 900, "p3": 640}


@pytest.mark.rule("18Mag I/2")
def test_players_with_the_same_total_win_together() -> None:
    game = ended(cash={"p1": 500, "p3": 220}, directors={"SIK": "p3"}, prices={"SIK": 140})
    assert table_of(game).winners() == ["p1", "p3"]
