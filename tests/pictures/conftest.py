"""Games of which charts, cards and manifests are drawn."""

from __future__ import annotations

import pytest

from ostbahn.kernel.game import Game
from tests.pictures.panel_reading import moments


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    number: int = request.param
    return moments()[number]
