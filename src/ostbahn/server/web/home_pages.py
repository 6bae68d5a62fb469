"""Pages for people: home with one's games, and the rules."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Response, get, post
from litestar.params import FromPath, QueryParameter

from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor
from ostbahn.server.games.keys import game_views
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.lobby.service import open_table_views
from ostbahn.server.web.services import GivenServices, Services
from ostbahn.table.requests import rules_values
from ostbahn.views.catalogue import catalogue_view


def _lists(services: Services, visitor: Visitor | None) -> dict[str, Any]:
    """The games on the first page: one's own, those one has removed, and the lobby."""
    now = services.house.clock()
    mine, removed = ([] if visitor is None else services.my_games.games(visitor, gone) for gone in (False, True))
    return {
        "games": game_views(mine, now, services.house.damaged),
        "removed": game_views(removed, now, services.house.damaged),
        "tables": open_table_views(services.lobby.tables(), now),
    }


class Pages(Controller):
    include_in_schema = False

    @get("/")
    async def home(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[str]:
        lists = await asyncio.to_thread(_lists, services, visitor)
        return page(services, request, visitor, "home.html", entries=catalogue_view(), **lists)

    @post("/games/{hashed:str}/remove")
    async def remove(self, hashed: FromPath[str], services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        """Take a game off one's list; the link to it goes on working."""
        if visitor is not None:
            await asyncio.to_thread(services.my_games.remove, visitor, hashed)
        return go("/#mine")

    @post("/games/{hashed:str}/put-back")
    async def put_back(self, hashed: FromPath[str], services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        if visitor is not None:
            await asyncio.to_thread(services.my_games.remove, visitor, hashed, False)
        return go("/#mine")

    @get("/rules/{title:str}")
    async def rules(
        self,
        request: AnyRequest,
        services: GivenServices,
        visitor: GivenVisitor,
        title: FromPath[str],
        words: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
    ) -> Response[str]:
        values = await asyncio.to_thread(rules_values, title, words)
        return page(services, request, visitor, "rules.html", **values)
