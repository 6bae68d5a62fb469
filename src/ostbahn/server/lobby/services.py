"""What the routes of the lobby need."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices
from ostbahn.server.lobby.lobby import Lobby


@dataclass(frozen=True, kw_only=True)
class LobbyServices(GameServices):
    lobby: Lobby


GivenLobby = NamedDependency[SkipValidation[LobbyServices]]
