"""Invitations to a table: links, QR codes, and the names of guests."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any, Final, Literal

import segno
from litestar import Response
from litestar.params import FromPath
from msgspec import Struct

from ostbahn.bots.registry import bots_for_title
from ostbahn.kernel.errors import OstbahnError
from ostbahn.server.accounts.rate_limits import SEATS
from ostbahn.server.accounts.visitors import AnyRequest, InjectedForm, InjectedVisit, Visit, go
from ostbahn.server.games.keys import ago
from ostbahn.server.games.services import InjectedAccess, KeyPages, to_table
from ostbahn.server.limits import LONGEST_FIELD, is_loopback
from ostbahn.server.lobby.service import InjectedLobby, LobbyListing, LobbyServices
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, NotHere, Unreadable
from ostbahn.table.table_view import SeatView, TableView

InviteSeatState = Literal["you", "bot", "host", "joined", "free"]
WATCH: Final = "watch"
ME: Final = "me"
"""QR codes of the spectators' link, and of the link of this page."""


class InviteLink(Struct, frozen=True):
    """A link, and the path of its QR code."""

    url: str
    qr: str


class InviteSeat(Struct, frozen=True, kw_only=True):
    seat: str
    name: str
    state: InviteSeatState
    bot: str | None
    here: bool
    """Whether its player has the table open now."""
    seen: str
    """How long ago they last had; empty if unknown."""
    by_link: bool
    link: InviteLink | None
    """For the host, until the seat is taken."""


class InviteView(Struct, frozen=True, kw_only=True):
    what: str
    """Title and variant."""
    ask: str
    """The seat of a guest who has yet to enter a name; empty for all others."""
    called: str
    """That guest's last name, if known."""
    seats: tuple[InviteSeat, ...]
    spectators: InviteLink | None
    own: InviteLink
    """The link of this page, to continue on another device."""
    listing: LobbyListing
    only_here: bool
    """Whether this page has a loopback address: its links work on no other machine."""

    @property
    def others(self) -> list[str]:
        return [seat.name for seat in self.seats if seat.state in ("joined", "host")]

    @property
    def waiting(self) -> int:
        return sum(seat.state == "free" for seat in self.seats)


def invite_view(visit: Visit, services: LobbyServices, access: Access, view: TableView) -> InviteView:
    links, origin = services.game_service.links(access), site_origin(visit.request)
    seat_links = {link.seats: link for link in links if link.role == "seat"}
    watch = next((link for link in links if link.role == "spectator" and link.key), None)
    is_guest = view.role == "seat"
    return InviteView(
        what=" with ".join(filter(None, (view.round.name, ", ".join(view.round.module_names).lower()))),
        ask=next((seat.seat for seat in view.seats if is_guest and seat.mine and seat.free), ""),
        called=visit.called,
        seats=tuple(_invite_seat(view, seat, seat_links.get((seat.seat,)), origin) for seat in view.seats),
        spectators=None if watch is None else _link(view, watch.key, WATCH, origin),
        own=_link(view, view.key, ME, origin),
        listing=services.lobby.listing(access.game),
        only_here=is_loopback(visit.request.base_url.hostname or ""),
    )


def _invite_seat(view: TableView, seat: SeatView, link: Access | None, origin: str) -> InviteSeat:
    clocks, is_host = view.clocks, view.role == "host"
    return InviteSeat(
        seat=seat.seat,
        name=seat.name,
        state=_seat_state(seat),
        bot=seat.bot,
        here=seat.here,
        seen=ago(clocks.now - clocks.seen[seat.seat]) if clocks is not None and seat.seat in clocks.seen else "",
        by_link=link is not None,
        link=_link(view, link.key, seat.seat, origin) if is_host and link is not None and link.key else None,
    )


def _seat_state(seat: SeatView) -> InviteSeatState:
    if seat.bot is not None:
        return "bot"
    if seat.mine:
        return "you"
    return "free" if seat.free else "host" if seat.host else "joined"


def _link(view: TableView, key: str, what: str, origin: str) -> InviteLink:
    return InviteLink(f"{origin}/t/{key}", f"/t/{view.key}/qr/{what}")


def shareable_key(links: Iterable[Access], who: Access, what: str) -> str:
    """The key behind a QR code; empty if this link may not be shared."""
    if what == ME:
        return who.key
    wanted = ("spectator", ()) if what == WATCH else ("seat", (what,))
    return next((link.key for link in links if (link.role, link.seats) == wanted), "")


LONGEST_ADDRESS: Final = 300  # a longer QR code could not be scanned from a screen
QR_QUIET_ZONE: Final = 4  # modules


class InvitePages(KeyPages):
    path = "/t/{key:str}"

    @get("/invite")
    def card(self, visit: InjectedVisit, access: InjectedAccess, services: InjectedLobby) -> Response[str]:
        """The invite card as a page: without scripts, and for tables to fetch again."""
        return _card_page(visit, services, access)

    @post("/join", middleware=[SEATS.middleware])
    def join(
        self, visit: InjectedVisit, form: InjectedForm, access: InjectedAccess, services: InjectedLobby
    ) -> Response[Any]:
        """Enter a name and take the seat of the link."""
        name, seat = str(form.get("name") or "")[:LONGEST_FIELD], str(form.get("seat") or "")
        try:
            services.game_service.name_seat(access, seat, name)
        except OstbahnError as error:
            return _card_page(visit, services, access, error)
        return to_table(visit, services, access, " ".join(name.split()))

    @post("/listing", middleware=[SEATS.middleware])
    def set_listing(self, form: InjectedForm, access: InjectedAccess, services: InjectedLobby) -> Response[Any]:
        """List the table in the lobby, or remove it (host only)."""
        services.lobby.set_listing(access, LobbyListing("listed" in form, "watchable" in form))
        return go(f"/t/{access.key}#invite")

    @get("/qr/{what:str}")
    def qr(
        self, request: AnyRequest, access: InjectedAccess, services: InjectedLobby, what: FromPath[str]
    ) -> Response[bytes]:
        """The QR code of a seat's link, of the spectators' (`watch`) or of the visitor's own (`me`)."""
        key = shareable_key(services.game_service.links(access), access, what)
        if not key:
            raise NotHere("there is no such link to hand out")
        return Response(qr_svg(f"{site_origin(request)}/t/{key}"), media_type="image/svg+xml")


def qr_svg(text: str) -> bytes:
    """A QR code, dark on light in every theme: not all cameras read inverted codes."""
    if len(text) > LONGEST_ADDRESS:
        raise Unreadable(f"this address is longer than {LONGEST_ADDRESS} letters")
    svg = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(svg, kind="svg", border=QR_QUIET_ZONE, light="#ffffff", xmldecl=False, omitsize=True)
    return svg.getvalue()


def site_origin(request: AnyRequest) -> str:
    """Scheme and host of this site as the request names them."""
    return f"{request.base_url.scheme}://{request.base_url.netloc}"


def _card_page(
    visit: Visit, services: LobbyServices, access: Access, error: OstbahnError | None = None
) -> Response[str]:
    view, game = services.seen(access, None)
    invite, bots = invite_view(visit, services, access, view), bots_for_title(game.setup.title)
    return visit.page("invite_page.html", error, view=view, invite=invite, bots=bots)
