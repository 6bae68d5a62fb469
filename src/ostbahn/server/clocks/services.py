"""What the routes of clocks need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.clocks.holidays import MOST_DAYS, Holidays
from ostbahn.server.clocks.votes import Votes
from ostbahn.server.games.services import GameServices, SlotProvider
from ostbahn.table.access import Access
from ostbahn.table.room import Room
from ostbahn.table.slots import ClocksView


@dataclass(frozen=True, kw_only=True)
class ClockServices(GameServices):
    votes: Votes
    holidays: Holidays


GivenClocks = NamedDependency[SkipValidation[ClockServices]]


def holiday_settings(holidays: Holidays, owner: str) -> Mapping[str, Any]:
    """The section of holidays on somebody's page of notifications; without an owner, as somebody new would see it."""
    return {
        "sections": ("holidays.html",),
        "holidays": holidays.of(owner) if owner else [],
        "days_left": holidays.left(owner) if owner else MOST_DAYS,
        "most_days": MOST_DAYS,
    }


def clock_slot(clocks: Callable[[Room, Access], ClocksView | None]) -> SlotProvider:
    def provide(room: Room, who: Access) -> Mapping[str, Any]:
        return {"clocks": clocks(room, who)}

    return provide
