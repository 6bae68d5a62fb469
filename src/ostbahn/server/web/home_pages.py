"""Pages for people: home with one's games, and the rules."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, MediaType, Response, get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.catalogue import kits
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.visitors import AnyRequest, GivenServices, GivenVisitor, theme_in
from ostbahn.server.games.list_views import game_views, open_table_views
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.web.services import Services
from ostbahn.table.errors import NotHere
from ostbahn.text.rules import title_named
from ostbahn.views.rules import RuleView, chapter_views, rule_views
from ostbahn.views.setup import catalogue_view


def rules_of(title: str, words: str) -> list[RuleView]:
    if title_named(title) not in kits():
        raise NotHere(f"there is no title {title_named(title)}; there are {', '.join(kits())}")
    return rule_views(title, words)


def page(
    services: Services, request: AnyRequest, visitor: Visitor | None, template: str, status: int = 200, **values: Any
) -> Response[str]:
    """A page in the colours of whoever looks at it."""
    text = services.renderer.page(template, theme_in(request), visitor, **values)
    return Response(text, status_code=status, media_type=MediaType.HTML)


def go(path: str) -> Response[Any]:
    """Somewhere else, after a form."""
    return Redirect(path, status_code=303)


def told(error: OstbahnError) -> str:
    """An error as a sentence above a form."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"


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
        found = await asyncio.to_thread(rules_of, title, words)
        values: dict[str, Any] = {"title": title_named(title), "words": words, "number": len(found)}
        return page(services, request, visitor, "rules.html", chapters=chapter_views(found), **values)
