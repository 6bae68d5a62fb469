"""What the routes of bots need."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.bots.hints import Hints
from ostbahn.server.games.services import GameServices


@dataclass(frozen=True, kw_only=True)
class HintServices(GameServices):
    hints: Hints


GivenHints = NamedDependency[SkipValidation[HintServices]]
