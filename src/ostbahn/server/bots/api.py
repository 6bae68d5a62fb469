"""Hints, in the JSON interface."""

from __future__ import annotations

import asyncio

from litestar import Controller, post

from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.bots.services import GivenHints
from ostbahn.server.games.services import GivenAccess
from ostbahn.views.hints import HintView, hint_view


class HintApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @post("/hint", status_code=200, operation_id="getHint", summary="Ask a bot for advice", errors=(403,))
    async def hint(self, access: GivenAccess, services: GivenHints) -> HintView:
        """What the strongest bot would answer in your place, and why. It may think for some seconds."""
        position, version = await asyncio.to_thread(services.house.position, access)
        found = await services.hints.at(access.game, version, position)
        return await asyncio.to_thread(hint_view, position, found, version)
