"""Routes for the time at a table: what is voted on, and the card with all that can be."""

from __future__ import annotations

from litestar import Controller, MediaType, Response
from litestar.params import JSONBody
from msgspec import Struct

from ostbahn.server.accounts.rate_limits import KEYS, SEATS
from ostbahn.server.clocks.service import GivenClocks
from ostbahn.server.clocks.votes import ENDS, Motion
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.routing import get, post
from ostbahn.table.access import NotHere


class SentVote(Struct, frozen=True):
    """Your reply to a proposal about the clock."""

    number: int
    """The `number` of the proposal that you saw, so that you never agree to a newer one by accident."""
    agree: bool


class TimePages(Controller):
    path = "/t/{key:str}/time"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/", media_type=MediaType.HTML)
    def card(self, access: GivenAccess, services: GivenClocks) -> Response[str]:
        """What can be changed about the time, for the page to show in a dialog."""
        if access.origin:
            raise NotHere("a plan has no clock")
        with services.house.holding(access.game) as room:
            view = services.view(room, access)
        part = services.renderer.part("time.html", view=view, clocks=view.clocks, ends=ENDS)
        return Response(part, media_type=MediaType.HTML)


class TimeApi(Controller):
    path = "/api/t/{key:str}/vote"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @post(
        "/",
        status_code=200,
        operation_id="proposeTimeChange",
        summary="Propose a change of the clock",
        response_description="Whether it takes effect at once; otherwise the others have to agree.",
        errors=(403,),
        middleware=[SEATS.middleware],
    )
    def propose(self, access: GivenAccess, services: GivenClocks, data: JSONBody[Motion]) -> bool:
        """Propose more time for a player, a pause, another clock, or a bot for a player who is away."""
        return services.votes.propose(access, data)

    @post(
        "/reply",
        status_code=200,
        operation_id="replyToTimeProposal",
        summary="Agree or object to a change of the clock",
        response_description="Whether it takes effect with your reply.",
        errors=(403,),
    )
    def reply(self, access: GivenAccess, services: GivenClocks, data: JSONBody[SentVote]) -> bool:
        """Answer the proposal about the clock that stands at the table."""
        return services.votes.reply(access, data.number, data.agree)
