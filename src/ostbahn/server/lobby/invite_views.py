"""Who plays at a table, as its invite card shows it: links to send, who has joined, and who one is oneself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from ostbahn.server.games.list_views import ago
from ostbahn.server.lobby.lobby import Listing
from ostbahn.table.access import Access
from ostbahn.table.table_view import SeatView, TableView

State = Literal["you", "bot", "host", "joined", "free"]
WATCH: Final = "watch"
ME: Final = "me"
"""What QR codes are called that lead to no seat: to the table for spectators, and to where one is."""


class InviteLink(Struct, frozen=True):
    """A link to send: as an address, and as a QR code to scan."""

    url: str
    qr: str


class InviteSeat(Struct, frozen=True, kw_only=True):
    seat: str
    name: str
    state: State
    bot: str | None
    here: bool
    """Whether whoever plays it looks at the table now."""
    seen: str
    """How long ago they did last; empty if that is not known."""
    by_link: bool
    link: InviteLink | None
    """For the host, until somebody has sat down with it."""


class InviteView(Struct, frozen=True, kw_only=True):
    key: str
    name: str
    """Of the game."""
    what: str
    """Title and variant."""
    host: bool
    you: str
    ask: str
    """The seat of a guest who has not sat down yet, and so is asked for their name; empty for all others."""
    called: str
    """What that guest was called last, if it is known."""
    seats: tuple[InviteSeat, ...]
    spectators: InviteLink | None
    own: InviteLink
    """The link by which this page was opened, to go on elsewhere."""
    watching: int
    seed_known: bool
    listing: Listing
    only_here: bool
    """Whether the address of this page means this very machine, so that nobody else gets anywhere with the links."""

    @property
    def others(self) -> list[str]:
        """Names of people who have joined."""
        return [seat.name for seat in self.seats if seat.state in ("joined", "host")]

    @property
    def waiting(self) -> int:
        """Seats that wait for somebody."""
        return sum(seat.state == "free" for seat in self.seats)


class Place(Struct, frozen=True):
    """Where the page was opened, and by whom."""

    origin: str
    """What stands before a path in links: `https://example.org`."""
    only_here: bool
    called: str


def invite_view(view: TableView, links: Iterable[Access], listing: Listing, place: Place) -> InviteView:
    shown = {link.seats: link for link in links if link.role == "seat"}
    watch = next((link for link in links if link.role == "spectator" and link.key), None)
    guest = view.role == "seat"
    return InviteView(
        key=view.key,
        name=view.name,
        what=" with ".join(filter(None, (view.round.name, ", ".join(view.round.module_names).lower()))),
        host=view.role == "host",
        you=view.you,
        ask=next((seat.seat for seat in view.seats if guest and seat.mine and seat.free), ""),
        called=place.called,
        seats=tuple(_seat(view, seat, shown.get((seat.seat,)), place) for seat in view.seats),
        spectators=None if watch is None else _link(view, watch.key, WATCH, place),
        own=_link(view, view.key, ME, place),
        watching=view.watching,
        seed_known=view.seed_known,
        listing=listing,
        only_here=place.only_here,
    )


def _seat(view: TableView, seat: SeatView, link: Access | None, place: Place) -> InviteSeat:
    shown = link is not None and link.key and view.role == "host"
    return InviteSeat(
        seat=seat.seat,
        name=seat.name,
        state=_state(seat),
        bot=seat.bot,
        here=seat.here,
        seen=_seen(view, seat.seat),
        by_link=link is not None,
        link=_link(view, link.key, seat.seat, place) if link is not None and shown else None,
    )


def _seen(view: TableView, seat: str) -> str:
    clocks = view.clocks
    return "" if clocks is None or seat not in clocks.seen else ago(clocks.now - clocks.seen[seat])


def _state(seat: SeatView) -> State:
    if seat.bot is not None:
        return "bot"
    if seat.mine:
        return "you"
    return "free" if seat.free else "host" if seat.host else "joined"


def _link(view: TableView, key: str, what: str, place: Place) -> InviteLink:
    return InviteLink(f"{place.origin}/t/{key}", f"/t/{view.key}/qr/{what}")


def handed_out(links: Iterable[Access], who: Access, what: str) -> str:
    """The key to which such a QR code leads; empty if somebody may not hand it out."""
    if what == ME:
        return who.key
    wanted = ("spectator", ()) if what == WATCH else ("seat", (what,))
    return next((link.key for link in links if (link.role, link.seats) == wanted), "")
