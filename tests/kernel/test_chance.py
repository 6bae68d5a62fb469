"""The game's own chance: the same draws as at 18xx.games, so that its games can be replayed."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.kernel.state import RngState

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


# Games that note their draws


def setup(seed: int, *draws: int) -> Setup:
    return Setup(title="18CZ", variant="base", players=("Anna",), seed=seed, draws=draws)


def noted(chance: Chance) -> tuple[int, ...]:
    assert isinstance(chance.state, RngState)
    return chance.state.draws


def test_noting_changes_no_draw() -> None:
    for seed in (1, 77, 2**31 - 1):
        plain, noting = Chance(seed), Chance.of(setup(seed))
        assert noting.shuffled("abcde") == plain.shuffled("abcde")
        assert noting.pick(7) == plain.pick(7)
        assert noting.first("abcde", 2) == plain.shuffled("abcde")[:2]
        assert noting.value == plain.value
        assert len(noted(noting)) == 5 + 1 + 2


def test_a_long_seed_has_other_draws_than_its_last_bits() -> None:
    """Else whoever tried all 31 bits would find the generator that leads to what they have seen."""
    long = 2**128 + 1
    found = [Chance.of(setup(long)).shuffled(range(12)) for _ in range(2)]
    assert found[0] == found[1] != Chance(1).shuffled(range(12))
    assert Chance.of(setup(long)).shuffled(range(12)) != Chance.of(setup(long + 1)).shuffled(range(12))
    chance = Chance.of(setup(long))
    drawn = [chance.pick(5) for _ in range(500)]
    assert min(Counter(drawn).values()) > 60
    assert chance.value >= 2**127, "it never falls back to a short state"


def test_draws_of_the_set_up_come_first_and_then_its_seed_decides() -> None:
    real = Chance.of(setup(2**128 + 5))
    order, number = real.shuffled("abcde"), real.pick(9)
    copies = [Chance.of(setup(seed, *noted(real))) for seed in range(2**128 + 6, 2**128 + 46)]
    assert {(copy.shuffled("abcde"), copy.pick(9)) for copy in copies} == {(order, number)}
    assert {copy.pick(4) for copy in copies} == {0, 1, 2, 3}


def test_nobody_sees_which_of_two_equal_things_was_drawn() -> None:
    chance = Chance.of(setup(9))
    drawn = chance.first("aabbcc", 4)
    assert [("aabbcc")[place] for place in noted(chance)] == list(drawn)
    assert set(noted(chance)) <= {0, 2, 4}


@pytest.mark.parametrize("draws", [(3,), (-1,), (0, 0, 1), (0, 1)])
def test_a_draw_that_cannot_have_been_is_refused(draws: tuple[int, ...]) -> None:
    with pytest.raises(BadSetup, match="draw 1 of the set-up cannot have been"):
        Chance.of(setup(1, *draws)).shuffled("abc")
