"""What the routes of tournaments need."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices
from ostbahn.server.tournaments.service import Tournaments


@dataclass(frozen=True, kw_only=True)
class TournamentServices(GameServices):
    tournaments: Tournaments


GivenTournaments = NamedDependency[SkipValidation[TournamentServices]]
