"""What the routes of prepared moves need, and what they show at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices, SlotProvider
from ostbahn.server.programmed.service import Preparations
from ostbahn.table.access import Access
from ostbahn.table.room import Room


@dataclass(frozen=True, kw_only=True)
class PreparedServices(GameServices):
    preparations: Preparations


GivenPrepared = NamedDependency[SkipValidation[PreparedServices]]


def prepared_slot(preparations: Preparations) -> SlotProvider:
    def provide(room: Room, who: Access) -> Mapping[str, Any]:
        return {"prepared": preparations.of(room, who)}

    return provide
