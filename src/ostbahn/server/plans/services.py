"""What the routes of planning boards need, and what a board shows beside its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices, SlotProvider
from ostbahn.server.plans.service import Plans
from ostbahn.table.access import Access
from ostbahn.table.plans import PlanRoom, plan_view
from ostbahn.table.room import Room


@dataclass(frozen=True, kw_only=True)
class PlanServices(GameServices):
    plans: Plans


GivenPlans = NamedDependency[SkipValidation[PlanServices]]


def plan_slot(plans: Plans) -> SlotProvider:
    def provide(room: Room, who: Access) -> Mapping[str, Any]:
        if not isinstance(room, PlanRoom):
            return {}
        return {"plan": plan_view(room, plans.real(who), plans.owner(who).key)}

    return provide
