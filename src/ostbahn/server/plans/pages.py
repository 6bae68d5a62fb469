"""What planning boards show in boxes over the table: one's plans, and two of them side by side."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Response, get, post

from ostbahn.server.accounts.rate_limits import KEYS, PLANS
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import form_in, number_in
from ostbahn.server.plans.api import GAME, Known, Which, comparison
from ostbahn.server.plans.services import GivenPlans
from ostbahn.table.plans import summaries


class PlanPages(Controller):
    path = "/t/{key:str}/plans"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/")
    async def mine(
        self,
        request: AnyRequest,
        access: GivenAccess,
        services: GivenPlans,
        visitor: GivenVisitor,
        known: Known = None,
    ) -> Response[str]:
        """All plans for a game, to open and to compare."""

        def rendered() -> Response[str]:
            plans = summaries(services.plans.mine(access, known or []), access)
            board = access.game if access.origin else ""
            return page(services, request, visitor, "plans.html", plans=plans, key=access.key, board=board)

        return await asyncio.to_thread(rendered)

    @post("/", middleware=[PLANS.middleware])
    async def make(self, request: AnyRequest, access: GivenAccess, services: GivenPlans) -> Response[Any]:
        """A board that begins after a move; for pages that are no tables."""
        at = number_in(await form_in(request), "at")
        board = await asyncio.to_thread(services.plans.make, access, "", at)
        return go(f"/t/{board.key}")

    @get("/compare")
    async def compare(
        self,
        request: AnyRequest,
        access: GivenAccess,
        services: GivenPlans,
        visitor: GivenVisitor,
        one: Which = GAME,
        other: Which = GAME,
    ) -> Response[str]:
        def rendered() -> Response[str]:
            found = comparison(services, access, one, other)
            return page(services, request, visitor, "comparison.html", comparison=found)

        return await asyncio.to_thread(rendered)
