"""Prepared moves: the part of the JSON interface about them, and the form in which they are chosen."""

from __future__ import annotations

from litestar import Controller, MediaType, Response
from litestar.params import JSONBody

from ostbahn.programmed.preparing import AnyMove
from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.games.api import Sent, ThemeCookie, after_change
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import PathNumber
from ostbahn.server.programmed.service import GivenPrepared, KindsView
from ostbahn.server.routing import delete, get, post
from ostbahn.table.rendering import Update
from ostbahn.table.slots import PreparedView


class SentMove(Sent, frozen=True, kw_only=True):
    """A move to prepare."""

    move: AnyMove
    """`{"prepare": "pass", "until": "round", "alarms": ["sale"]}`"""
    seat: str = ""
    """The seat that prepares it; not needed if you play only one."""


class PreparedApi(Controller):
    path = "/api/t/{key:str}/prepared"
    tags = ("prepared moves",)
    middleware = (KEYS.middleware,)

    @get("/", operation_id="listPreparedMoves", summary="List your prepared moves")
    def standing(self, access: GivenAccess, services: GivenPrepared) -> tuple[PreparedView, ...]:
        """Moves that you have prepared and that still stand, then those that are over and why."""
        with services.house.holding(access.game) as room:
            return services.preparations.of(room, access)

    @get("/kinds", operation_id="listPreparableMoves", summary="List what you can prepare now")
    def kinds(self, access: GivenAccess, services: GivenPrepared) -> tuple[KindsView, ...]:
        """What each of your seats can prepare at this moment, with all choices."""
        return services.preparations.kinds(access)

    @post("/", status_code=200, operation_id="prepareMove", summary="Prepare a move", errors=(403,))
    def give(
        self, access: GivenAccess, services: GivenPrepared, data: JSONBody[SentMove], theme: ThemeCookie = ""
    ) -> Update | None:
        """Decide now what you will answer later. If you are to move and it fits, it is carried out at once."""
        seat = data.seat or (access.seats[0] if len(access.seats) == 1 else "")
        services.preparations.give(access, data.version, seat, data.move)
        return after_change(services, access, data.page, theme)

    @delete("/{number:int}", status_code=204, operation_id="cancelPreparedMove", summary="Cancel a prepared move")
    def drop(self, access: GivenAccess, services: GivenPrepared, number: PathNumber) -> None:
        """Cancel a move that stands, or remove one that is over from the list."""
        services.preparations.drop(access, number)


class PreparedPages(Controller):
    path = "/t/{key:str}/prepare"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/", media_type=MediaType.HTML)
    def form(self, access: GivenAccess, services: GivenPrepared) -> Response[str]:
        """What a table shows in its dialog."""
        view, _ = services.seen(access, None)
        part = services.renderer.part("prepare.html", view=view, choices=services.preparations.kinds(access))
        return Response(part, media_type=MediaType.HTML)
