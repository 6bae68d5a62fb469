"""What the page of a table asks for while somebody looks and thinks: nothing here changes a game, or holds one up."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from litestar import Controller, Response, get
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.server.play.access import Access
from ostbahn.server.web.api import ThemeCookie
from ostbahn.server.web.drawing import ghost_svg, network_svg
from ostbahn.server.web.rate_limits import KEYS
from ostbahn.server.web.render import theme_of
from ostbahn.server.web.services import Services
from ostbahn.server.web.visitors import GivenAccess, GivenServices
from ostbahn.views.gains import GainView, gain_views

SVG: Final = "image/svg+xml"


class GainsView(Struct, frozen=True, kw_only=True):
    """What the answers to the present question add to the best run of the company."""

    version: int
    """The version of the game that was looked at: figures for another one say nothing."""
    gains: Mapping[int, GainView]
    """By the index of the answer; empty where nothing is built, or the company has no train."""


class LookingApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @get("/gains", summary="What each offered tile or station adds to the best run")
    async def gains(self, access: GivenAccess, services: GivenServices) -> GainsView:
        def told() -> GainsView:
            with services.house.holding(access.game) as room:
                game, version = room.game.copy(), room.version
            key = ("gains", access.game, version)
            return GainsView(version=version, gains=services.lookout.once(key, lambda: gain_views(game)))

        return await asyncio.to_thread(told)

    @get("/ghost/{hex_id:str}/{tile:str}/{rotation:str}", summary="A hex with a tile on it", media_type=SVG)
    async def ghost(
        self,
        access: GivenAccess,
        services: GivenServices,
        hex_id: FromPath[str],
        tile: FromPath[str],
        rotation: FromPath[str],
        theme: ThemeCookie = "",
        v: FromQuery[int | None] = None,
    ) -> Response[str]:
        """v: the stamp of the board that the page shows."""

        def drawn() -> str:
            return ghost_svg(_stamped(services, access, v), hex_id, tile, rotation, theme_of(theme))

        return Response(await asyncio.to_thread(drawn), media_type=SVG)

    @get("/network/{company:str}", summary="What a company reaches, and its best run", media_type=SVG)
    async def network(
        self,
        access: GivenAccess,
        services: GivenServices,
        company: FromPath[str],
        theme: ThemeCookie = "",
        at: FromQuery[int | None] = None,
    ) -> Response[str]:
        """at: after how many answers; as the game stands if nothing is said."""

        def drawn() -> str:
            with services.house.holding(access.game) as room:
                number = room.number if at is None else max(room.skipped, min(at, room.number))
                game, stamp = room.at(number).copy(), room.stamp(number)
            key = ("network", access.game, stamp, company, theme_of(theme).name)
            return services.lookout.once(key, lambda: network_svg(game, company, theme_of(theme)))

        return Response(await asyncio.to_thread(drawn), media_type=SVG)


def _stamped(services: Services, access: Access, stamp: int | None) -> Game:
    """The game with the board that a page shows, or as it stands."""
    with services.house.holding(access.game) as room:
        shown = None if stamp is None else room.stamped(stamp)
        return (shown or room.game).copy()
