"""The game's own chance: the same draws as at 18xx.games, so that its games can be replayed."""

from __future__ import annotations

from ostbahn.kernel.chance import Chance

FROM_ONE = [1103527590, 377401575, 662824084, 1147902781, 2035015474]
"""What this generator, that of old C libraries, draws first from the seed 1."""


def test_draws_are_those_of_the_generator_that_others_use() -> None:
    chance = Chance(1)
    assert [chance.draw() for _ in FROM_ONE] == FROM_ONE


def test_whoever_keeps_the_last_draw_can_go_on() -> None:
    assert Chance(FROM_ONE[1]).draw() == FROM_ONE[2]


def test_only_the_last_31_bits_of_a_seed_count() -> None:
    for seed in (1 + 2**31, 1 - 2**31):
        assert Chance(seed).draw() == FROM_ONE[0]


def test_things_are_put_in_the_order_of_their_draws() -> None:
    assert Chance(1).shuffled("abcde") == ("b", "c", "a", "d", "e")
