"""How to be told: somebody's own page, the bell of a table, and the links in mails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody

from ostbahn.kernel.errors import OstbahnError
from ostbahn.server.accounts.people import Wish, owner_of, zone_named
from ostbahn.server.accounts.rate_limits import KEYS, WIRES, address_of
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, InjectedVisitor, Visit, go
from ostbahn.server.faults import TooManyAttempts
from ostbahn.server.games.services import InjectedAccess, KeyPages, part
from ostbahn.server.limits import LONGEST_FIELD, as_number, number_in
from ostbahn.server.notifications.channels import Subscription, checked_address, checked_subscription, domains_of
from ostbahn.server.notifications.delivery import Errand, send_errand
from ostbahn.server.notifications.service import InjectedNotifications, NotificationServices, arrange_digest
from ostbahn.server.notifications.subscriptions import EVENTS, WireRow, check_webhook, check_wish, chosen
from ostbahn.server.routing import get, post
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
    def settings(self, visit: InjectedVisit, services: InjectedNotifications) -> Response[str]:
        return _shown(visit, services)

    @post("/told", middleware=[WIRES.middleware])
    def keep(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        """What somebody wants to be told of."""
        wish = Wish(
            events=chosen([str(event) for event in form.getall("event", [])]),
            every_game=form.get("games") == "all",
            when_there="when_there" in form,
            zone=str(form.get("zone") or "UTC").strip()[:LONGEST_FIELD],
            digest_hour=as_number(str(form.get("digest_hour") or "")),
        )

        def keep(owner: str) -> None:
            services.wishes.keep(owner, wish)
            with services.database.session() as session:
                arrange_digest(session, owner, wish, services.game_service.clock())

        return change_settings(visit, services, lambda: check_wish(wish), keep)

    @post("/told/mail", middleware=[WIRES.middleware])
    def add_mail(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        address = str(form.get("address") or "")

        def check() -> None:
            if not services.outlets.mails:
                raise Unreadable("no mail is sent from here: whoever runs this server has not set that up")
            services.wishes.check_mail(address)
            _check_confirmations(services, address_of(visit.request), address)

        def add(owner: str) -> None:
            with services.database.session() as session:
                wire = session.get_one(WireRow, services.wishes.add_mail(session, owner, address))
                now = services.game_service.clock()
                errand = Errand(wire.id, now, made=wire.made)
                send_errand(session, "mail", f"confirm/{wire.id}/{now:%Y%m%d%H%M%S}", errand)

        return change_settings(visit, services, check, add)

    @post("/told/webhook", middleware=[WIRES.middleware])
    def add_webhook(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        address, shape = str(form.get("address") or ""), str(form.get("shape") or "")

        def check() -> None:
            if not services.outlets.address:
                raise Unreadable("no webhooks are called from here: the server does not know its own address")
            check_webhook(address, shape)

        add = services.wishes.add_webhook
        return change_settings(visit, services, check, lambda owner: add(owner, address, shape))

    @post("/told/push", status_code=200, middleware=[WIRES.middleware])
    def add_push(
        self, visit: InjectedVisit, services: InjectedNotifications, data: JSONBody[Subscription]
    ) -> Response[None]:
        """A browser is told by its own server of push messages."""
        checked_subscription(data)
        guest = visit.guest()
        services.wishes.add_push(owner_of(guest.known), data)
        return guest.greeted(Response(None))

    @post("/told/remove", middleware=[WIRES.middleware])
    def remove(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        wire = number_in(form, "wire") or 0
        remove = services.wishes.remove
        return change_settings(visit, services, partial(check_known, visit), lambda owner: remove(owner, wire))

    # Links in mails: those who look through mail for somebody open them too, so opening does nothing yet

    @get("/told/{what:str}/{token:str}", middleware=[KEYS.middleware])
    def asked(
        self, visit: InjectedVisit, services: InjectedNotifications, what: FromPath[str], token: FromPath[str]
    ) -> Response[str]:
        wire = services.wishes.meant(token, _purpose(what))
        return visit.page("told_link.html", what=what, token=token, wire=wire, done=False)

    @post("/told/{what:str}/{token:str}", status_code=200, middleware=[KEYS.middleware])
    def done(
        self, visit: InjectedVisit, services: InjectedNotifications, what: FromPath[str], token: FromPath[str]
    ) -> Response[str]:
        act = services.wishes.confirm if _purpose(what) == "confirm" else services.wishes.end
        return visit.page("told_link.html", what=what, token=token, wire=act(token), done=True)


class BellPages(KeyPages):
    path = "/t/{key:str}/bell"

    @get("/")
    def card(self, access: InjectedAccess, services: InjectedNotifications, visitor: InjectedVisitor) -> Response[str]:
        """What somebody is told of this game, for the page to show in a dialog."""
        owner = "" if visitor is None else owner_of(visitor)
        return part(
            services,
            "bell.html",
            rings=bool(owner) and services.wishes.rings(owner, access.origin or access.game),
            wires=services.wishes.wires(owner) if owner else [],
            plays=bool(access.seats),
        )

    @post("/", status_code=200, middleware=[WIRES.middleware])
    def ring(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedNotifications, data: JSONBody[bool]
    ) -> Response[None]:
        """At a plan it rings for the game that is planned for."""
        guest, game = visit.guest(), access.origin or access.game
        services.wishes.ring(owner_of(guest.known), game, data)
        return guest.greeted(Response(None))


def change_settings(
    visit: Visit,
    services: NotificationServices,
    check: Callable[[], object],
    act: Callable[[str], object],
    place: str = "",
) -> Response[Any]:
    """Do something for whoever asks, and show their page again; nobody is made known to be refused."""
    try:
        check()
    except OstbahnError as error:
        return _shown(visit, services, error)
    guest = visit.guest()
    try:
        act(owner_of(guest.known))
    except OstbahnError as error:
        return guest.greeted(_shown(replace(visit, visitor=guest.known), services, error))
    return guest.greeted(go(f"/told{place}"))


def _shown(visit: Visit, services: NotificationServices, error: OstbahnError | None = None) -> Response[str]:
    owner = "" if visit.visitor is None else owner_of(visit.visitor)
    wish = services.wishes.of(owner)
    return visit.page(
        "told.html",
        error,
        wish=wish,
        wires=services.wishes.wires(owner) if owner else [],
        local=partial(_local, wish.zone),
        remedies=REMEDIES,
        events=EVENTS,
        shapes=SHAPES,
        mails=services.outlets.mails,
        webhooks=bool(services.outlets.address),
        push_key=services.messenger.signer.public,
        host_of=lambda address: urlsplit(address).hostname,
        **services.other_settings(owner),
    )


def _local(zone: str, moment: datetime) -> str:
    """A moment as somebody's own clock shows it."""
    return f"{moment.astimezone(zone_named(zone)):%-d %b %Y, %H:%M} ({zone})"


def _check_confirmations(services: NotificationServices, visitor: str, address: str) -> None:
    """Count a confirmation mail for whoever asks and for the domains to which it goes, and refuse one too many."""
    now, hour = services.game_service.clock(), timedelta(hours=1)
    domains = domains_of(checked_address(address))
    if services.attempts.too_many(f"mail for {visitor}", now, MOST_FOR_A_VISITOR, hour):
        raise TooManyAttempts("you have asked for many confirmation mails in the last hour; try again later")
    for domain in domains:
        if services.attempts.too_many(f"mail to {domain}", now, MOST_TO_A_DOMAIN, hour):
            raise TooManyAttempts(f"many addresses of {domain} were asked in the last hour; try again later")


def _purpose(what: str) -> str:
    if what not in ("confirm", "end"):
        raise NotHere("there is no such page")
    return what


def check_known(visit: Visit) -> None:
    if visit.visitor is None:
        raise NotHere("nothing is kept for this browser")
