"""What the page of a table asks for while somebody looks and thinks: nothing here changes a game, or holds one up."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from litestar import Controller, Response, get
from litestar.datastructures import ResponseHeader
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, HeaderParameter

from ostbahn.kernel.game import Game
from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.games.api import ThemeCookie
from ostbahn.server.games.services import GameServices, GivenAccess, GivenGames
from ostbahn.server.limits import LONGEST_FIELD, OptionalNumber
from ostbahn.table.access import Access
from ostbahn.table.drawing import ghost_svg, network_svg
from ostbahn.table.rendering import theme_of
from ostbahn.table.requests import GainsView, PresentQuestion, present_question
from ostbahn.views.gains import gain_views

SVG: Final = "image/svg+xml"
ETAG: Final = ResponseHeader("ETag", value="", description="The version in quotes.", documentation_only=True)
UNCHANGED: Final = ResponseSpec(None, description="The version is the one that `If-None-Match` names.")
KnownVersion = Annotated[str, HeaderParameter(name="If-None-Match", max_length=LONGEST_FIELD)]


class LookingApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @get(
        "/question",
        operation_id="getQuestion",
        summary="Get the question alone",
        response_description="Who is to move, and what you are asked if it is you.",
        response_headers=(ETAG,),
        responses={304: UNCHANGED},
        writes=PresentQuestion,
    )
    async def question(
        self, access: GivenAccess, services: GivenGames, known: KnownVersion = ""
    ) -> Response[PresentQuestion | None]:
        """Made for polling: some 150 bytes while others move, the question with all its answers when it is your turn.

        Send the `ETag` of the last response, which is the version in quotes, as `If-None-Match`: as long as nothing has
        happened, you get 304 without a body.
        """

        def asked() -> Response[PresentQuestion | None]:
            with services.house.holding(access.game) as room:
                headers = {"ETag": f'"{room.version}"'}
                if f'"{room.version}"' in known:
                    return Response(None, status_code=304, headers=headers)
                return Response(present_question(room, access), headers=headers)

        return await asyncio.to_thread(asked)

    @get("/gains", operation_id="getGains", summary="Get what tiles and stations add to the best run")
    async def gains(self, access: GivenAccess, services: GivenGames) -> GainsView:
        """How much each offered tile or station adds to the best run of the company, by the index of the answer."""

        def told() -> GainsView:
            with services.house.holding(access.game) as room:
                game, version = room.game.branch(), room.version
            key = ("gains", access.game, version)
            return GainsView(version=version, gains=services.lookout.once(key, lambda: gain_views(game)))

        return await asyncio.to_thread(told)

    @get(
        "/ghost/{hex_id:str}/{tile:str}/{rotation:str}",
        operation_id="drawHexWithTile",
        summary="Draw a hex with a tile on it",
        media_type=SVG,
    )
    async def ghost(
        self,
        access: GivenAccess,
        services: GivenGames,
        hex_id: FromPath[str],
        tile: FromPath[str],
        rotation: FromPath[str],
        theme: ThemeCookie = "",
        v: OptionalNumber = None,
    ) -> Response[str]:
        """An SVG group for the board: the hex as it would look with the tile. `v`: the stamp of the board you show."""

        def drawn() -> str:
            return ghost_svg(_stamped(services, access, v), hex_id, tile, rotation, theme_of(theme))

        return Response(await asyncio.to_thread(drawn), media_type=SVG)

    @get("/network/{company:str}", operation_id="drawNetwork", summary="Draw what a company reaches", media_type=SVG)
    async def network(
        self,
        access: GivenAccess,
        services: GivenGames,
        company: FromPath[str],
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        """An SVG group for the board: all that a company reaches, and its best run (`data-revenue`, `data-proven`)."""

        def drawn() -> str:
            with services.house.holding(access.game) as room:
                number = room.number if at is None else max(room.skipped, min(at, room.number))
                game, stamp = room.at(number).branch(), room.stamp(number)
            key = ("network", access.game, stamp, company, theme_of(theme).name)
            return services.lookout.once(key, lambda: network_svg(game, company, theme_of(theme)))

        return Response(await asyncio.to_thread(drawn), media_type=SVG)


def _stamped(services: GameServices, access: Access, stamp: int | None) -> Game:
    """The game with the board that a page shows, or as it stands."""
    with services.house.holding(access.game) as room:
        shown = None if stamp is None else room.stamped(stamp)
        return (shown or room.game).branch()
