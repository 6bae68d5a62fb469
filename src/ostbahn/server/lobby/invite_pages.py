"""Inviting others to a table: links, QR codes, and guests who say what they are called."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, Final

import segno
from litestar import Controller, Response, get, post
from litestar.params import FromPath

from ostbahn.bots.registry import offered
from ostbahn.kernel.errors import OstbahnError
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.rate_limits import KEYS, SEATS
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor, guest
from ostbahn.server.addresses import is_loopback
from ostbahn.server.faults import status_of, told
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import LONGEST_FIELD, form_in
from ostbahn.server.lobby.invite_views import InviteView, Place, handed_out, invite_view
from ostbahn.server.lobby.lobby import Listing
from ostbahn.server.lobby.services import GivenLobby, LobbyServices
from ostbahn.table.access import Access, NotHere, Unreadable
from ostbahn.table.table_view import TableView

LONGEST_ADDRESS: Final = 300
"""Letters of a link; with more of them a QR code could not be scanned from a screen."""
BORDER: Final = 4
"""Modules that are left free around a QR code, so that it is found."""


class Invites(Controller):
    path = "/t/{key:str}"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/invite")
    async def card(
        self, request: AnyRequest, access: GivenAccess, services: GivenLobby, visitor: GivenVisitor
    ) -> Response[str]:
        """The invite card as a page of its own: for those without scripts, and for tables that fetch it anew."""
        return await _shown(request, services, access, visitor)

    @post("/join", middleware=[SEATS.middleware])
    async def join(
        self, request: AnyRequest, access: GivenAccess, services: GivenLobby, visitor: GivenVisitor
    ) -> Response[Any]:
        """Say what one is called; whoever has a seat by link sits down with it."""
        sent = await form_in(request)
        name, seat = str(sent.get("name") or "")[:LONGEST_FIELD], str(sent.get("seat") or "")

        try:
            await asyncio.to_thread(services.house.name_seat, access, seat, name)
        except OstbahnError as error:
            return await _shown(request, services, access, visitor, error)
        someone = await guest(request, services)

        def remember() -> None:
            services.my_games.keep(someone.known, access)
            services.people.call(someone.known, " ".join(name.split()))

        await asyncio.to_thread(remember)
        return someone.greeted(go(f"/t/{access.key}"))

    @post("/listing", middleware=[SEATS.middleware])
    async def announce(self, request: AnyRequest, access: GivenAccess, services: GivenLobby) -> Response[Any]:
        """The host opens the table to strangers, or closes it."""
        sent = await form_in(request)
        listing = Listing("listed" in sent, "watchable" in sent)
        await asyncio.to_thread(services.lobby.announce, access, listing)
        return go(f"/t/{access.key}#invite")

    @get("/qr/{what:str}")
    async def qr(
        self, request: AnyRequest, access: GivenAccess, services: GivenLobby, what: FromPath[str]
    ) -> Response[bytes]:
        """A link that one may hand out, to scan: of a seat, of spectators (`watch`), or one's own (`me`)."""

        def drawn() -> bytes:
            key = handed_out(services.house.links(access), access, what)
            if not key:
                raise NotHere("there is no such link to hand out")
            return qr_svg(f"{origin_of(request)}/t/{key}")

        svg = await asyncio.to_thread(drawn)
        return Response(svg, media_type="image/svg+xml")


def qr_svg(text: str) -> bytes:
    """Dark on light whatever the colours of the page, since not every camera reads it otherwise."""
    if len(text) > LONGEST_ADDRESS:
        raise Unreadable(f"this address is longer than {LONGEST_ADDRESS} letters")
    drawn = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", border=BORDER, light="#ffffff", xmldecl=False, omitsize=True)
    return drawn.getvalue()


def card_at(
    request: AnyRequest, services: LobbyServices, access: Access, visitor: Visitor | None, view: TableView
) -> InviteView:
    """The invite card of a table, for the page on which it lies."""
    place = Place(
        origin=origin_of(request),
        only_here=is_loopback(request.base_url.hostname or ""),
        called="" if visitor is None else visitor.called,
    )
    return invite_view(view, services.house.links(access), services.lobby.listing(access.game), place)


def origin_of(request: AnyRequest) -> str:
    """What stands before the paths of this site, as whoever asks has written it."""
    return f"{request.base_url.scheme}://{request.base_url.netloc}"


async def _shown(
    request: AnyRequest,
    services: LobbyServices,
    access: Access,
    visitor: Visitor | None,
    error: OstbahnError | None = None,
) -> Response[str]:
    def rendered() -> Response[str]:
        view, game = services.seen(access, None)
        card, status = card_at(request, services, access, visitor, view), 200 if error is None else status_of(error)
        values = {"invite": card, "bots": offered(game.setup.title), "error": None if error is None else told(error)}
        return page(services, request, visitor, "invite_page.html", status, **values)

    return await asyncio.to_thread(rendered)
