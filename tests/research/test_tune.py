from __future__ import annotations

import pytest

from ostbahn.bots.policies import POLICIES
from ostbahn.bots.weights import varied, with_at_most
from ostbahn.research.tune import multiplied, names_of, rewritten

TEXT = """\
# A comment.
[dealing]
levy = 1.4      # what 1 K costs
count = 3
[trains.typical]
levy = 2.0
"""


@pytest.mark.parametrize("title", POLICIES)
def test_every_decimal_weight_can_be_changed_by_its_name(title: str) -> None:
    weights = POLICIES[title].weights()
    names = list(names_of(weights))
    assert len(names) == len(set(names)) > 10
    for name in names:
        changed = multiplied(weights, {name: 2.0})
        assert changed != weights or _value(weights, name) == 0
        assert _value(changed, name) == 2 * _value(weights, name)


def _value(weights: object, name: str) -> float:
    for part in name.split("."):
        weights = getattr(weights, part)
    assert isinstance(weights, float)
    return weights


def test_a_weights_file_keeps_everything_but_the_numbers() -> None:
    changed = rewritten(TEXT, {"dealing.levy": 0.5, "dealing.count": 7.0})
    assert changed == TEXT.replace("levy = 1.4", "levy = 0.7", 1)


@pytest.mark.parametrize("title", POLICIES)
def test_a_character_is_near_the_weights_and_always_the_same(title: str) -> None:
    weights = POLICIES[title].weights()
    one, again, other = (varied(weights, seed, 0.05) for seed in (3, 3, 4))
    assert one == again != other
    for name in names_of(weights):
        assert _value(one, name) == pytest.approx(_value(weights, name), rel=0.051)


def test_close_looks_can_be_limited() -> None:
    weights = with_at_most(POLICIES["18CZ"].weights(), "candidates", 2)
    assert weights.building.candidates == 2
