"""Parameters of the router."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.routes.parameters import RouterParameters


@pytest.mark.parametrize(
    "changes",
    [
        {"game_steps": -1},
        {"single_route_share": 0.0},
        {"column_generation_share": 1.5},
        {"price_unit": 0},
        {"max_bounds": 0},
        {"neighbourhood_size": 31},
        {"tolerance": 0.0},
        {"tolerance": 0.01},
        {"perturbation": 1.0},
    ],
    ids=str,
)
def test_senseless_parameters_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        RouterParameters(**changes)
