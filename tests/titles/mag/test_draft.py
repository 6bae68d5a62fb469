"""The first Share Round (18Mag V)."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid, TurnBegan
from ostbahn.titles.mag.actions import BuyShare, DraftMinor, DraftShare, PlaceStation, SellShares
from ostbahn.titles.mag.events import MinorUnused
from ostbahn.titles.mag.state import EstablishStation, OperatingRound, PlaceMarker, StockRound
from tests.titles.mag.scenes import cards_of, scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    MINORS,
    answer_all,
    cards_held,
    cash_of,
    director_of,
    draft_choices,
    draft_of,
    events_of,
    finish_draft,
    is_offered,
    new_mag_game,
    on_charter,
    percent_of,
    play_until,
    question_of,
    refusal_rule,
    stock_scene,
)

TABLE_5 = {3: (4, 2), 4: (3, 1), 5: (2, 2), 6: (2, 2)}
"""Minors and shares of each player."""


# What is offered


@pytest.mark.rule("18Mag V/1")
@pytest.mark.parametrize("players", [3, 4])
def test_three_or_four_players_choose_among_20_papers(players: int) -> None:
    game = new_mag_game(players)
    assert draft_choices(game) == (set(MINORS), set(MAJORS))
    assert len(question_of(game)) == 20
    answer_all(game, DraftShare("SIK"))
    assert refusal_rule(game, DraftShare("SIK")) == "18Mag V/1"
    assert draft_choices(game) == (set(MINORS), set(MAJORS) - {"SIK"})


@pytest.mark.rule("18Mag V/2")
@pytest.mark.parametrize("players", [5, 6])
def test_five_or_six_players_choose_among_27_papers(players: int) -> None:
    game = new_mag_game(players)
    assert draft_choices(game) == (set(MINORS), set(MAJORS))
    assert sum(state_of(game).package.values()) + len(MINORS) == 27
    answer_all(game, DraftShare("SIK"))
    assert is_offered(game, DraftShare("SIK"))
    answer_all(game, DraftShare("SIK"))
    assert refusal_rule(game, DraftShare("SIK")) == "18Mag V/2"
    assert draft_choices(game) == (set(MINORS), set(MAJORS) - {"SIK"})


@pytest.mark.rule("18Mag V/1", "18Mag III.3.2/1")
def test_a_paper_is_there_once_and_nothing_else_is_there() -> None:
    game = new_mag_game()
    answer_all(game, DraftMinor("5"))
    assert refusal_rule(game, DraftMinor("5")) == "18Mag III.3.2/1"
    assert refusal_rule(game, DraftMinor("14")) == "18Mag V/1"
    assert refusal_rule(game, DraftShare("CIWL")) == "18Mag V/1"


# Whose turn it is


@pytest.mark.rule("18Mag V/3", "18Mag VII.4/1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_turn_takes_a_paper_and_nothing_else(players: int) -> None:
    game = new_mag_game(players)
    turns = 0
    while draft_of(game) is not None:
        assert refusal_rule(game, Pass()) == "18Mag V/3"
        assert {type(option.action) for option in question_of(game)} <= {DraftMinor, DraftShare}
        game.apply(question_of(game).options[-1].action)
        turns += 1
    assert turns == players * sum(TABLE_5[players])


@pytest.mark.rule("18Mag V/4")
@pytest.mark.parametrize(
    ("players", "laps"),
    [
        (3, ["123", "231", "312", "123", "231", "312"]),
        (4, ["1234", "2341", "3412", "4123"]),
        (5, ["12345", "23451", "34512", "45123"]),
        (6, ["123456", "234561", "345612", "456123"]),
    ],
)
def test_each_turn_of_choosing_begins_one_seat_further_left(players: int, laps: list[str]) -> None:
    game = new_mag_game(players)
    finish_draft(game)
    assert "".join(by.removeprefix("p") for by, _ in game.actions()) == "".join(laps)


@pytest.mark.rule("18Mag V/4")
def test_nobody_takes_a_paper_out_of_turn() -> None:
    game = new_mag_game()
    assert refusal_rule(game, DraftMinor("1"), by="p2") == "18Mag V/4"
    answer_all(game, DraftMinor("1"), DraftMinor("2"), DraftMinor("3"))
    assert refusal_rule(game, DraftMinor("4"), by="p1") == "18Mag V/4"
    assert refusal_rule(game, DraftMinor("4"), by="p2") == "allowed"


# How much everybody takes


@pytest.mark.rule("18Mag V/5", "18Mag I/3")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("choice", [0, -1])
def test_everybody_ends_with_the_numbers_of_table_5(players: int, choice: int) -> None:
    """Whether people begin with minors or with shares. Six players take two minors each: #3503 of 18xx.games."""
    game = new_mag_game(players)
    while draft_of(game) is not None:
        game.apply(question_of(game).options[choice].action)
    minors, shares = TABLE_5[players]
    owners = Counter(state_of(game).owners.values())
    percents = {player: sum(percent_of(game, player, major) for major in MAJORS) for player in state_of(game).players}
    assert owners == dict.fromkeys(state_of(game).players, minors)
    assert percents == dict.fromkeys(state_of(game).players, 10 * shares)


@pytest.mark.rule("18Mag V/6")
def test_a_player_with_four_minors_must_take_a_share() -> None:
    """The example: player A in a game of three."""
    game = new_mag_game()
    for _ in range(4):
        for _ in range(3):
            game.apply(question_of(game).options[0].action)
    assert len(draft_choices(game)[1]) == 7
    for _ in range(3):
        assert refusal_rule(game, DraftMinor("13")) == "18Mag V/6"
        assert draft_choices(game)[0] == set()
        game.apply(question_of(game).options[0].action)


@pytest.mark.rule("18Mag V/6")
def test_a_player_with_all_his_shares_must_take_a_minor() -> None:
    game = new_mag_game(4)
    answer_all(game, *(DraftShare(major) for major in MAJORS[:4]))
    assert refusal_rule(game, DraftShare("MÁVAG")) == "18Mag V/6"
    assert draft_choices(game) == (set(MINORS), set())


@pytest.mark.rule("18Mag V/6", "18Mag V/10")
def test_a_director_share_is_two_shares_taken() -> None:
    game = new_mag_game(5)
    draft_on_shares: list[Action] = [DraftShare(major) for major in ("SIK", "SNW", "SNW", "G&C", "G&C")]
    answer_all(game, *draft_on_shares, *(DraftMinor(str(number)) for number in range(1, 5)), DraftShare("SIK"))
    assert director_of(game, "SIK") == "p1"
    answer_all(game, *(DraftMinor(str(number)) for number in range(5, 8)))
    assert question_of(game).decider == "p1", "fourth in the third turn"
    assert refusal_rule(game, DraftShare("RÁBA")) == "18Mag V/6"


# What a chosen minor gets


@pytest.mark.rule("18Mag V/7", "18Mag III.3.2/2", "18Mag III.1/6")
def test_a_chosen_minor_is_ready_at_once() -> None:
    game = new_mag_game()
    game.apply(DraftMinor("8"))
    state = state_of(game)
    assert state.owners["8"] == "p1"
    assert [train.face for train in state.trains["8"]] == ["2"]
    assert cash_of(game, "8") == 50
    assert state.board.stations == {"H5.0": ("8",)}
    assert state.markers["8"] == 2
    assert state.revenue.get("8", 0) == 0
    assert cash_of(game, "LdStEG") == 0


@pytest.mark.rule("18Mag II.2/2")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_nobody_pays_for_what_he_takes(players: int) -> None:
    game = new_mag_game(players)
    finish_draft(game)
    state = state_of(game)
    assert {state.cash[who] for who in (*state.players, *MAJORS)} == {0}
    paid = events_of(Paid, game.records)
    assert {(payment.source, payment.amount) for payment in paid} == {(BANK, 50)}
    assert sorted(payment.target for payment in paid) == sorted(state.owners)


# What remains


@pytest.mark.rule("18Mag V/8")
def test_minors_that_remain_leave_the_game() -> None:
    game = new_mag_game()
    finish_draft(game, {"p1": [DraftMinor("13")]})
    state = state_of(game)
    assert sorted(state.owners, key=int) == [minor for minor in MINORS if minor != "12"]
    assert not any("12" in companies for companies in state.board.stations.values())
    assert "12" not in state.trains
    assert cash_of(game, "12") == 0
    play_until(game, lambda question: isinstance(question.task, StockRound))
    turns = [event.company for event in events_of(TurnBegan, game.records)]
    assert [who for who in turns if who in MINORS] == [*MINORS[:11], "13"]


@pytest.mark.rule("18Mag V/8")
@pytest.mark.parametrize(("out", "free"), [("8", True), ("1", False)])
def test_the_home_of_a_minor_that_is_out_is_a_city_like_others(out: str, free: bool) -> None:
    """Minor 13 is connected with Zágráb, the home of minor 8."""
    game = scene(
        owners={minor: "p1" for minor in MINORS if minor != out},
        directors={"SIK": "p2"},
        cash={"13": 40, "SIK": 40},
        tiles={"I2": ("6", 3), "H3": ("8", 4), "H5": ("57", 1)},
        agenda=[PlaceMarker("SIK"), EstablishStation("13")],
    )
    assert refusal_rule(game, PlaceStation("H5.0")) == ("allowed" if free else "18Mag VI.3.4/5")
    answer_all(game, Pass())
    play_until(game, lambda question: isinstance(question.task, PlaceMarker))
    assert is_offered(game, PlaceStation("H5.0")) == free


@pytest.mark.rule("18Mag V/9")
def test_shares_that_remain_are_on_their_charters() -> None:
    game = new_mag_game(4)
    finish_draft(game)
    assert [on_charter(game, major) for major in MAJORS] == [7, 7, 7, 7, 8, 8, 8]
    rich = stock_scene(
        players=4, shares={major: {f"p{n + 1}": 1} for n, major in enumerate(MAJORS[:4])}, cash={"p1": 400}
    )
    assert [option.action for option in question_of(rich).only(BuyShare)] == [BuyShare(major) for major in MAJORS]


@pytest.mark.rule("18Mag V/10")
@pytest.mark.parametrize("players", [5, 6])
def test_two_shares_of_one_major_become_its_director_share(players: int) -> None:
    game = new_mag_game(players)
    finish_draft(game, {"p1": [DraftShare("SIK"), DraftShare("SIK")]})
    assert cards_held(game, "p1", "SIK") == (1, 0)
    assert on_charter(game, "SIK") == 8
    play_until(game, lambda question: isinstance(question.task, PlaceMarker))
    assert (question_of(game).company, question_of(game).decider) == ("SIK", "p1")


@pytest.mark.rule("18Mag V/10")
@pytest.mark.parametrize("players", [3, 4])
def test_among_three_or_four_nobody_can_direct_before_the_second_share_round(players: int) -> None:
    game = new_mag_game(players)
    while draft_of(game) is not None:
        game.apply(question_of(game).options[-1].action)
        assert [director_of(game, major) for major in MAJORS] == [None] * 7


@pytest.mark.rule("18Mag V/11")
@pytest.mark.parametrize(("players", "minors", "shares"), [(3, 1, 1), (4, 1, 3), (5, 3, 4), (6, 1, 2)])
def test_what_remains(players: int, minors: int, shares: int) -> None:
    game = new_mag_game(players)
    offered_shares = sum(state_of(game).package.values())
    finish_draft(game)
    assert 13 - len(state_of(game).owners) == minors
    taken = sum(percent_of(game, player, major) // 10 for player in state_of(game).players for major in MAJORS)
    assert offered_shares - taken == shares
    gone = [event.company for event in events_of(MinorUnused, game.records)]
    assert sorted(gone) == sorted(set(MINORS) - set(state_of(game).owners))


# What follows


@pytest.mark.rule("18Mag V/12")
@pytest.mark.parametrize(("players", "holder"), [(3, "p3"), (4, "p4"), (5, "p4"), (6, "p4")])
def test_an_operating_round_follows_and_the_priority_deal_stays_where_it_is(players: int, holder: str) -> None:
    game = new_mag_game(players)
    finish_draft(game)
    assert (state_of(game).round, state_of(game).phase) == ("OR 1.1", "yellow")
    assert any(isinstance(task, OperatingRound) for task in state_of(game).agenda)
    assert question_of(game).company == "1"
    assert state_of(game).priority == holder
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert (state_of(game).round, question_of(game).decider) == ("SR 2", holder)


@pytest.mark.rule("18Mag VII.4/1")
def test_drafted_shares_cannot_be_sold_before_the_second_share_round() -> None:
    game = new_mag_game()
    answer_all(game, DraftShare("SIK"), DraftShare("RÁBA"), DraftShare("SNW"), DraftMinor("1"), DraftMinor("2"))
    assert question_of(game).decider == "p1"
    assert refusal_rule(game, SellShares("SIK", 10)) == "18Mag V/3", "the only thing to do is to take a paper"
    finish_draft(game)
    play_until(game, lambda question: isinstance(question.task, StockRound) and question.decider == "p1")
    assert is_offered(game, SellShares("SIK", 10))


def test_trains_of_the_draft_are_cards_of_their_own() -> None:
    game = new_mag_game()
    finish_draft(game)
    cards = [card for minor in state_of(game).owners for card in cards_of(game, minor)]
    assert len(set(cards)) == 12
