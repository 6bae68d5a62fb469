"""Style sheets, scripts, and pictures that depend on nothing but a title: all may be kept by browsers for good."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Final

from litestar import Controller, Response, get
from litestar.params import FromPath, FromQuery

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import entry_of, new_game
from ostbahn.pictures import gallery
from ostbahn.server.web.services import GivenServices, Services
from ostbahn.table.access import NotHere
from ostbahn.table.rendering import static_file

KEPT: Final = "public, max-age=31536000, immutable"
NOT_KEPT: Final = "no-cache"
PICTURES: Final = ("board", "tile", "tiles", "legend", "upgrades", "aid", "services")
"""What can be drawn of a title without a game of it."""


class Assets(Controller):
    include_in_schema = False

    @get("/static/{release:str}/{path:path}")
    async def static(self, release: FromPath[str], path: FromPath[str], services: GivenServices) -> Response[bytes]:
        media, data = await asyncio.to_thread(static_file, services.renderer.packages, path)
        return Response(data, media_type=media, headers=_caching(services, release))

    @get("/sw.js")
    async def service_worker(self, services: GivenServices) -> Response[bytes]:
        """At the root, since a browser lets it work for what lies below it only."""
        media, data = await asyncio.to_thread(static_file, services.renderer.packages, "js/sw.js")
        return Response(data, media_type=media, headers={"Cache-Control": NOT_KEPT})

    @get("/pictures/{title:str}/{variant:str}/{theme:str}/{what:path}")
    async def picture(
        self,
        title: FromPath[str],
        variant: FromPath[str],
        theme: FromPath[str],
        what: FromPath[str],
        services: GivenServices,
        v: FromQuery[str] = "",
    ) -> Response[str]:
        drawn = await asyncio.to_thread(picture, title, variant, theme, what.strip("/"))
        return Response(drawn, media_type="image/svg+xml", headers=_caching(services, v))


def _caching(services: Services, release: str) -> dict[str, str]:
    """An address with today's release in it will never mean anything else."""
    return {"Cache-Control": KEPT if release == services.renderer.release else NOT_KEPT}


@lru_cache(maxsize=1024)
def picture(title: str, variant: str, theme: str, what: str) -> str:
    """`tile/57/2` is the tile 57 in its second rotation."""
    name, slash, detail = what.partition("/")
    if name not in PICTURES:
        raise NotHere(f"there is no picture {name!r} of a title; there are {', '.join(PICTURES)}")
    try:
        return gallery.draw(_untouched(title, variant), f"{name}:{detail}" if slash else name, theme)
    except BadSetup as fault:
        raise NotHere(str(fault)) from None


@lru_cache(maxsize=16)
def _untouched(title: str, variant: str) -> Game:
    """A game that nobody has begun."""
    players = entry_of(title, variant).players[0]
    return new_game(title, [f"Player {seat}" for seat in range(1, players + 1)], variant=variant)
