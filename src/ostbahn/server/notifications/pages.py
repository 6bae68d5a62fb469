"""How to be told: somebody's own page, the bell of a table, and the links in mails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from litestar import Controller, MediaType, Response, get, post
from litestar.params import FromPath, JSONBody

from ostbahn.kernel.errors import OstbahnError
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.preferences import Wish, owner_of, zone_named
from ostbahn.server.accounts.rate_limits import KEYS, WIRES, address_of
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor, guest, visitor
from ostbahn.server.faults import TooMany, status_of, told
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import LONGEST_FIELD, as_number, form_in, number_in
from ostbahn.server.notifications import digest, push
from ostbahn.server.notifications import mail as mail
from ostbahn.server.notifications.delivery import Errand, send_errand
from ostbahn.server.notifications.services import GivenNotifications, NotificationServices
from ostbahn.server.notifications.subscriptions import EVENTS, check_webhook, check_wish, chosen
from ostbahn.server.notifications.tables import WireRow
from ostbahn.table.access import NotHere, Unreadable

REMEDIES = {
    "mail": "Check that the address is right and that its mailbox is not full. To get the confirmation mail again, add"
    " the address once more. If the fault lies with this site's mail server, ask the people who run the site.",
    "webhook": "Check that the webhook still exists and that its address is right. If it has changed, remove it here"
    " and add the new one.",
    "push": "Open this page in that browser, remove the browser here and add it again.",
}
"""What somebody can do about messages that fail."""
MOST_FOR_A_VISITOR = 10
"""Confirmation mails that one address of the internet asks for in an hour: nobody alone uses up those of a domain."""
MOST_TO_A_DOMAIN = 30
"""Confirmation mails to one domain in an hour, whoever wants them."""
SHAPES = {"discord": "Discord", "slack": "Slack", "json": "something else (JSON)"}


class ToldPages(Controller):
    include_in_schema = False

    @get("/told")
    async def settings(self, request: AnyRequest, services: GivenNotifications, visitor: GivenVisitor) -> Response[str]:
        return await _shown(services, request, visitor)

    @post("/told", middleware=[WIRES.middleware])
    async def keep(self, request: AnyRequest, services: GivenNotifications) -> Response[Any]:
        """What somebody wants to be told of."""
        form = await form_in(request)
        wish = Wish(
            events=chosen(str(each) for each in form.getall("event", [])),
            every_game=form.get("games") == "all",
            when_there="when_there" in form,
            zone=str(form.get("zone") or "UTC").strip()[:LONGEST_FIELD],
            digest_hour=as_number(str(form.get("digest_hour") or "")),
        )

        def keep(owner: str) -> None:
            services.wishes.keep(owner, wish)
            with services.archive.session() as session:
                digest.arrange(session, owner, wish, services.house.clock())

        return await change_settings(request, services, lambda: check_wish(wish), keep)

    @post("/told/mail", middleware=[WIRES.middleware])
    async def add_mail(self, request: AnyRequest, services: GivenNotifications) -> Response[Any]:
        address = str((await form_in(request)).get("address") or "")

        def check() -> None:
            if not services.outlets.mails:
                raise Unreadable("no mail is sent from here: whoever runs this server has not set that up")
            services.wishes.check_mail(address)
            _check_confirmations(services, address_of(request), address)

        def add(owner: str) -> None:
            with services.archive.session() as session:
                wire = session.get_one(WireRow, services.wishes.add_mail(session, owner, address))
                now = services.house.clock()
                errand = Errand(wire.id, now, made=wire.made)
                send_errand(session, "mail", f"confirm/{wire.id}/{now:%Y%m%d%H%M%S}", errand)

        return await change_settings(request, services, check, add)

    @post("/told/webhook", middleware=[WIRES.middleware])
    async def add_webhook(self, request: AnyRequest, services: GivenNotifications) -> Response[Any]:
        form = await form_in(request)
        address, shape = str(form.get("address") or ""), str(form.get("shape") or "")

        def check() -> None:
            if not services.outlets.address:
                raise Unreadable("no webhooks are called from here: the server does not know its own address")
            check_webhook(address, shape)

        def add(owner: str) -> None:
            services.wishes.add_webhook(owner, address, shape)

        return await change_settings(request, services, check, add)

    @post("/told/push", status_code=200, middleware=[WIRES.middleware])
    async def add_push(
        self, request: AnyRequest, services: GivenNotifications, data: JSONBody[push.Subscription]
    ) -> Response[None]:
        """A browser is told by its own server of push messages."""
        await asyncio.to_thread(push.checked, data)
        someone = await guest(request, services)
        await asyncio.to_thread(services.wishes.add_push, owner_of(someone.known), data)
        return someone.greeted(Response(None))

    @post("/told/remove", middleware=[WIRES.middleware])
    async def remove(self, request: AnyRequest, services: GivenNotifications, visitor: GivenVisitor) -> Response[Any]:
        wire = number_in(await form_in(request), "wire") or 0
        remove = services.wishes.remove
        return await change_settings(request, services, lambda: check_known(visitor), lambda owner: remove(owner, wire))

    # Links in mails: those who look through mail for somebody open them too, so opening does nothing yet

    @get("/told/{what:str}/{token:str}", middleware=[KEYS.middleware])
    async def asked(
        self,
        request: AnyRequest,
        services: GivenNotifications,
        visitor: GivenVisitor,
        what: FromPath[str],
        token: FromPath[str],
    ) -> Response[str]:
        wire = await asyncio.to_thread(services.wishes.meant, token, _purpose(what))
        return page(services, request, visitor, "told_link.html", what=what, token=token, wire=wire, done=False)

    @post("/told/{what:str}/{token:str}", status_code=200, middleware=[KEYS.middleware])
    async def done(
        self,
        request: AnyRequest,
        services: GivenNotifications,
        visitor: GivenVisitor,
        what: FromPath[str],
        token: FromPath[str],
    ) -> Response[str]:
        wishes = services.wishes
        act = wishes.confirm if _purpose(what) == "confirm" else wishes.end
        wire = await asyncio.to_thread(act, token)
        return page(services, request, visitor, "told_link.html", what=what, token=token, wire=wire, done=True)


class BellPages(Controller):
    path = "/t/{key:str}/bell"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/", media_type=MediaType.HTML)
    async def card(self, access: GivenAccess, services: GivenNotifications, visitor: GivenVisitor) -> Response[str]:
        """What somebody is told of this game, for the page to show in a dialog."""

        def rendered() -> str:
            owner = "" if visitor is None else owner_of(visitor)
            wishes = services.wishes
            return services.renderer.part(
                "bell.html",
                rings=bool(owner) and wishes.rings(owner, access.origin or access.game),
                wires=wishes.wires(owner) if owner else [],
                plays=bool(access.seats),
            )

        return Response(await asyncio.to_thread(rendered), media_type=MediaType.HTML)

    @post("/", status_code=200, middleware=[WIRES.middleware])
    async def ring(
        self, request: AnyRequest, access: GivenAccess, services: GivenNotifications, data: JSONBody[bool]
    ) -> Response[None]:
        """At a plan it rings for the game that is planned for."""
        someone, game = await guest(request, services), access.origin or access.game
        await asyncio.to_thread(services.wishes.ring, owner_of(someone.known), game, data)
        return someone.greeted(Response(None))


async def change_settings(
    request: AnyRequest,
    services: NotificationServices,
    check: Callable[[], object],
    act: Callable[[str], object],
    place: str = "",
) -> Response[Any]:
    """Do something for whoever asks, and show their page again; nobody is made known to be refused."""
    try:
        await asyncio.to_thread(check)
    except OstbahnError as error:
        return await _shown(services, request, await visitor(request, services), error)
    someone = await guest(request, services)
    try:
        await asyncio.to_thread(act, owner_of(someone.known))
    except OstbahnError as error:
        return someone.greeted(await _shown(services, request, someone.known, error))
    return someone.greeted(go(f"/told{place}"))


async def _shown(
    services: NotificationServices, request: AnyRequest, visitor: Visitor | None, error: OstbahnError | None = None
) -> Response[str]:
    def read() -> dict[str, Any]:
        owner = "" if visitor is None else owner_of(visitor)
        return {
            "wish": services.wishes.of(owner),
            "wires": services.wishes.wires(owner) if owner else [],
            **services.other_settings(owner),
        }

    values = await asyncio.to_thread(read)
    values |= {
        "local": partial(_local, values["wish"].zone),
        "remedies": REMEDIES,
        "events": EVENTS,
        "shapes": SHAPES,
        "mails": services.outlets.mails,
        "webhooks": bool(services.outlets.address),
        "push_key": services.messenger.signer.public,
        "host_of": lambda address: urlsplit(address).hostname,
    }
    if error is None:
        return page(services, request, visitor, "told.html", error=None, **values)
    return page(services, request, visitor, "told.html", status_of(error), error=told(error), **values)


def _local(zone: str, moment: datetime) -> str:
    """A moment as somebody's own clock shows it."""
    return f"{moment.astimezone(zone_named(zone)):%-d %b %Y, %H:%M} ({zone})"


def _check_confirmations(services: NotificationServices, visitor: str, address: str) -> None:
    """Count a confirmation mail for whoever asks and for the domains to which it goes, and refuse one too many."""
    now, hour = services.house.clock(), timedelta(hours=1)
    domains = mail.domains_of(mail.checked(address))
    if services.attempts.too_many(f"mail for {visitor}", now, MOST_FOR_A_VISITOR, hour):
        raise TooMany("you have asked for many confirmation mails in the last hour; try again later")
    for domain in domains:
        if services.attempts.too_many(f"mail to {domain}", now, MOST_TO_A_DOMAIN, hour):
            raise TooMany(f"many addresses of {domain} were asked in the last hour; try again later")


def _purpose(what: str) -> str:
    if what not in ("confirm", "end"):
        raise NotHere("there is no such page")
    return what


def check_known(visitor: Visitor | None) -> None:
    if visitor is None:
        raise NotHere("nothing is kept for this browser")
