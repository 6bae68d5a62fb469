"""What tests of several packages need."""

from __future__ import annotations

import pytest

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from tests.interop.reference import OLD


@pytest.fixture(scope="session")
def mag_game() -> Game:
    """A whole game of 18Mag for five, known by heart."""
    return saves.read(OLD / "18Mag-base-5.json")
