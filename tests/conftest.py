"""What tests of several packages need."""

from __future__ import annotations

import pytest

from ostbahn.interop import files
from ostbahn.kernel.game import Game
from tests.interop.reference import MISSING, games


@pytest.fixture(scope="session")
def reference() -> Game:
    """A whole game of 18Mag that three people played at 18xx.games."""
    found = [path for path in games("18Mag") if path.stem.startswith("hs_puhjabag")]
    if not found:
        pytest.skip(MISSING)
    return files.open_game(found[0])
