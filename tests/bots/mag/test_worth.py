"""The value of a position in 18Mag: what counts in the end, and what it is expected to become."""

from __future__ import annotations

import pytest

from ostbahn.bots.playing import RandomBot, play_out
from ostbahn.bots.policies import parse_weights
from ostbahn.kernel.errors import BadData
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.opponents.weights import MagWeights, mag_weights
from ostbahn.titles.mag.opponents.worth import MagBotView, estimate_final_wealth, moves, price_at, treasury_value
from ostbahn.titles.mag.state import MagTable


@pytest.fixture(scope="module")
def finished() -> Game:
    game = new_game("18Mag", ("Anna", "Boris", "Clara"), seed=4)
    return play_out(game, {seat: RandomBot(4) for seat in game.state.players})


def table_of(game: Game) -> MagTable:
    table = game.table
    assert isinstance(table, MagTable)
    return table


def in_the_middle(finished: Game) -> MagTable:
    return table_of(finished.position(len(finished) // 2))


def test_in_the_end_it_is_the_reckoning(finished: Game) -> None:
    table = table_of(finished)
    assert estimate_final_wealth(table, mag_weights()) == pytest.approx(table.standings())


def test_cash_counts_in_full(finished: Game) -> None:
    table = in_the_middle(finished)
    before = estimate_final_wealth(table, mag_weights())
    table.state.cash = {**table.state.cash, "p2": table.state.cash["p2"] + 100}
    assert estimate_final_wealth(table, mag_weights())["p2"] == pytest.approx(before["p2"] + 100)


def test_a_better_train_is_worth_something_to_its_owner_only(finished: Game) -> None:
    table = in_the_middle(finished)
    minor, owner = next(iter(table.state.owners.items()))
    before = estimate_final_wealth(table, mag_weights())
    table.state.trains = {**table.state.trains, minor: (*table.state.trains[minor][:1], Train("6-99", "6"))}
    after = estimate_final_wealth(table, mag_weights())
    assert after[owner] > before[owner]
    assert all(after[player] == before[player] for player in table.state.players if player != owner)


def test_a_gift_to_a_major_is_worth_something_to_its_shareholders_only(finished: Game) -> None:
    table = in_the_middle(finished)
    holders = table.state.certificates["MÁVAG"]
    for player in table.state.players:
        worth = MagBotView(table, mag_weights()).gift(player, "MÁVAG", 100)
        assert (worth > 0) == (player in holders)


@pytest.mark.parametrize(("amount", "spaces"), [(0, -1), (10, 0), (30, 1), (60, 2), (110, 3), (210, 4), (900, 4)])
def test_moves_agree_with_the_table_where_the_marker_just_moves(finished: Game, amount: int, spaces: int) -> None:
    assert moves(table_of(finished), amount) == spaces


def test_prices_between_two_spaces(finished: Game) -> None:
    table = table_of(finished)
    assert price_at(table, 0.5) == 57.5
    assert price_at(table, 99) == 400


def test_a_forint_of_a_minor_is_worth_less_and_less(finished: Game) -> None:
    weights = mag_weights()
    values = [treasury_value(rounds, weights) for rounds in (0, 1, 3, 6)]
    assert values == sorted(values)
    assert values[0] < 0.1


def test_rounds_to_come_are_none_after_the_last(finished: Game) -> None:
    assert MagBotView(table_of(finished), mag_weights()).rounds == 0
    assert MagBotView(table_of(finished.position(20)), mag_weights()).rounds > 6


def test_a_misspelt_weight_is_an_error() -> None:
    with pytest.raises(BadData, match=r"weights\.toml"):
        parse_weights("[turns]\nyelow = 3.0\n", "weights.toml", MagWeights)
