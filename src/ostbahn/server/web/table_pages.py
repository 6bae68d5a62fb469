"""The page of a table, and pictures of what lies on it."""

from __future__ import annotations

import asyncio

from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath

from ostbahn.bots.registry import STRONGEST, offered
from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.accounts.visitors import AnyRequest, guest
from ostbahn.server.games.api import ThemeCookie
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import OptionalNumber
from ostbahn.server.lobby.invites import card_at
from ostbahn.server.web.services import GivenServices
from ostbahn.table.rendering import theme_of
from ostbahn.table.requests import picture


class TablePages(Controller):
    path = "/t/{key:str}"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/", media_type=MediaType.HTML)
    async def table(
        self,
        request: AnyRequest,
        access: GivenAccess,
        services: GivenServices,
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        """The whole table; whoever opens it finds it among their games from then on."""
        view, game = await asyncio.to_thread(services.seen, access, at)
        someone = await guest(request, services)  # not before: who is refused is not made known

        def rendered() -> str:
            if not access.origin:  # planning boards stand in no list
                services.my_games.keep(someone.known, access)
            return services.renderer.table(
                view,
                game,
                theme,
                someone.known,
                links=services.house.links(access),
                bots=offered(game.setup.title),
                strongest=STRONGEST,
                note=services.talk.note(access),
                invite=None if access.origin else card_at(request, services, access, someone.known, view),
            )

        page = Response(await asyncio.to_thread(rendered), media_type=MediaType.HTML)
        return someone.greeted(page)

    @get("/pictures/{what:path}", media_type="image/svg+xml")
    async def picture(
        self,
        access: GivenAccess,
        services: GivenServices,
        what: FromPath[str],
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        """Anything from the gallery, as it is at this table: `tiles`, `charter/COMPANY`, `upgrades`."""

        def drawn() -> str:
            _, game = services.seen(access, at)
            return picture(game, what, theme_of(theme))

        svg = await asyncio.to_thread(drawn)
        return Response(svg, media_type="image/svg+xml")
