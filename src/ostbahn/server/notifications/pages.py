"""Pages of notifications: settings, the bell of a table, and the links in mails."""

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
from ostbahn.server.accounts.people import Subscription, owner_of, zone_named
from ostbahn.server.accounts.rate_limits import KEYS, NOTIFICATION_SETTINGS, address_of
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, InjectedVisitor, Visit, go
from ostbahn.server.faults import TooManyAttempts
from ostbahn.server.games.services import InjectedAccess, KeyPages, part
from ostbahn.server.limits import LONGEST_FIELD, as_number, number_in
from ostbahn.server.notifications.channels import PushSubscription, check_push_subscription, checked_address, domains_of
from ostbahn.server.notifications.delivery import Delivery, enqueue_delivery
from ostbahn.server.notifications.service import InjectedNotifications, NotificationServices, schedule_digest
from ostbahn.server.notifications.subscriptions import (
    EVENTS,
    ChannelRow,
    check_subscription,
    check_webhook,
    in_page_order,
)
from ostbahn.server.routing import get, post
from ostbahn.table.access import NotHere, Unreadable

REMEDIES = {
    "mail": "Check that the address is right and that its mailbox is not full. To get the confirmation mail again, add"
    " the address once more. If the fault lies with this site's mail server, ask the people who run the site.",
    "webhook": "Check that the webhook still exists and that its address is right. If it has changed, remove it here"
    " and add the new one.",
    "push": "Open this page in that browser, remove the browser here and add it again.",
}
"""What to do about messages that fail, by kind of channel."""
MOST_CONFIRMATIONS_PER_IP = 10  # an hour, so that no single visitor uses up those of a domain
MOST_CONFIRMATIONS_PER_DOMAIN = 30  # an hour, from all visitors
FORMAT_LABELS = {"discord": "Discord", "slack": "Slack", "json": "something else (JSON)"}


class NotificationPages(Controller):
    include_in_schema = False

    @get("/told")
    def settings(self, visit: InjectedVisit, services: InjectedNotifications) -> Response[str]:
        return _settings_page(visit, services)

    @post("/told", middleware=[NOTIFICATION_SETTINGS.middleware])
    def keep(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        subscription = Subscription(
            events=in_page_order([str(event) for event in form.getall("event", [])]),
            every_game=form.get("games") == "all",
            when_there="when_there" in form,
            zone=str(form.get("zone") or "UTC").strip()[:LONGEST_FIELD],
            digest_hour=as_number(str(form.get("digest_hour") or "")),
        )

        def keep(owner: str) -> None:
            services.subscriptions.save(owner, subscription)
            with services.database.session() as session:
                schedule_digest(session, owner, subscription, services.game_service.clock())

        return change_settings(visit, services, lambda: check_subscription(subscription), keep)

    @post("/told/mail", middleware=[NOTIFICATION_SETTINGS.middleware])
    def add_mail(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        address = str(form.get("address") or "")

        def check() -> None:
            if not services.notification_config.can_mail:
                raise Unreadable("no mail is sent from here: whoever runs this server has not set that up")
            services.subscriptions.check_mail(address)
            _check_confirmations(services, address_of(visit.request), address)

        def add(owner: str) -> None:
            with services.database.session() as session:
                channel = session.get_one(ChannelRow, services.subscriptions.add_mail(session, owner, address))
                now = services.game_service.clock()
                delivery = Delivery(channel.id, now, made=channel.made)
                enqueue_delivery(session, "mail", f"confirm/{channel.id}/{now:%Y%m%d%H%M%S}", delivery)

        return change_settings(visit, services, check, add)

    @post("/told/webhook", middleware=[NOTIFICATION_SETTINGS.middleware])
    def add_webhook(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        address, shape = str(form.get("address") or ""), str(form.get("shape") or "")

        def check() -> None:
            if not services.notification_config.address:
                raise Unreadable("no webhooks are called from here: the server does not know its own address")
            check_webhook(address, shape)

        add = services.subscriptions.add_webhook
        return change_settings(visit, services, check, lambda owner: add(owner, address, shape))

    @post("/told/push", status_code=200, middleware=[NOTIFICATION_SETTINGS.middleware])
    def add_push(
        self, visit: InjectedVisit, services: InjectedNotifications, data: JSONBody[PushSubscription]
    ) -> Response[None]:
        check_push_subscription(data)
        guest = visit.guest()
        services.subscriptions.add_push(owner_of(guest.known), data)
        return guest.greeted(Response(None))

    @post("/told/remove", middleware=[NOTIFICATION_SETTINGS.middleware])
    def remove(self, visit: InjectedVisit, form: InjectedForm, services: InjectedNotifications) -> Response[Any]:
        channel = number_in(form, "wire") or 0
        remove = services.subscriptions.remove
        return change_settings(visit, services, partial(require_visitor, visit), lambda owner: remove(owner, channel))

    # Links in mails: mail scanners open them too, so GET changes nothing

    @get("/told/{what:str}/{token:str}", middleware=[KEYS.middleware])
    def confirm_form(
        self, visit: InjectedVisit, services: InjectedNotifications, what: FromPath[str], token: FromPath[str]
    ) -> Response[str]:
        channel = services.subscriptions.channel_of_token(token, _checked_purpose(what))
        return visit.page("notification_link.html", what=what, token=token, channel=channel, done=False)

    @post("/told/{what:str}/{token:str}", status_code=200, middleware=[KEYS.middleware])
    def follow_link(
        self, visit: InjectedVisit, services: InjectedNotifications, what: FromPath[str], token: FromPath[str]
    ) -> Response[str]:
        subscriptions, is_confirmation = services.subscriptions, _checked_purpose(what) == "confirm"
        channel = subscriptions.confirm(token) if is_confirmation else subscriptions.remove_by_token(token)
        return visit.page("notification_link.html", what=what, token=token, channel=channel, done=True)


class BellPages(KeyPages):
    path = "/t/{key:str}/bell"

    @get("/")
    def card(self, access: InjectedAccess, services: InjectedNotifications, visitor: InjectedVisitor) -> Response[str]:
        """The notifications of this game, for a dialog of the page."""
        owner = "" if visitor is None else owner_of(visitor)
        return part(
            services,
            "bell.html",
            rings=bool(owner) and services.subscriptions.is_notified_of_game(owner, access.origin or access.game),
            channels=services.subscriptions.channels(owner) if owner else [],
            plays=bool(access.seats),
        )

    @post("/", status_code=200, middleware=[NOTIFICATION_SETTINGS.middleware])
    def ring(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedNotifications, data: JSONBody[bool]
    ) -> Response[None]:
        """Switch the notifications of a game on or off; a planning board stands for its game."""
        guest, game = visit.guest(), access.origin or access.game
        services.subscriptions.set_for_game(owner_of(guest.known), game, data)
        return guest.greeted(Response(None))


def change_settings(
    visit: Visit,
    services: NotificationServices,
    check: Callable[[], object],
    act: Callable[[str], object],
    place: str = "",
) -> Response[Any]:
    """Run `check`, then `act` for the visitor, and show the settings again. A visitor who fails it gets no cookie."""
    try:
        check()
    except OstbahnError as error:
        return _settings_page(visit, services, error)
    guest = visit.guest()
    try:
        act(owner_of(guest.known))
    except OstbahnError as error:
        return guest.greeted(_settings_page(replace(visit, visitor=guest.known), services, error))
    return guest.greeted(go(f"/told{place}"))


def _settings_page(visit: Visit, services: NotificationServices, error: OstbahnError | None = None) -> Response[str]:
    owner = "" if visit.visitor is None else owner_of(visit.visitor)
    subscription = services.subscriptions.get(owner)
    return visit.page(
        "notifications.html",
        error,
        subscription=subscription,
        channels=services.subscriptions.channels(owner) if owner else [],
        local=partial(_local_time, subscription.zone),
        remedies=REMEDIES,
        events=EVENTS,
        shapes=FORMAT_LABELS,
        mails=services.notification_config.can_mail,
        webhooks=bool(services.notification_config.address),
        push_key=services.dispatcher.signer.public,
        host_of=lambda address: urlsplit(address).hostname,
        **services.other_settings(owner),
    )


def _local_time(zone: str, moment: datetime) -> str:
    return f"{moment.astimezone(zone_named(zone)):%-d %b %Y, %H:%M} ({zone})"


def _check_confirmations(services: NotificationServices, visitor: str, address: str) -> None:
    """Apply the rate limits of confirmation mails, by visitor and by domain."""
    now, hour = services.game_service.clock(), timedelta(hours=1)
    domains = domains_of(checked_address(address))
    if services.attempts.too_many(f"mail for {visitor}", now, MOST_CONFIRMATIONS_PER_IP, hour):
        raise TooManyAttempts("you have asked for many confirmation mails in the last hour; try again later")
    for domain in domains:
        if services.attempts.too_many(f"mail to {domain}", now, MOST_CONFIRMATIONS_PER_DOMAIN, hour):
            raise TooManyAttempts(f"many addresses of {domain} were asked in the last hour; try again later")


def _checked_purpose(what: str) -> str:
    if what not in ("confirm", "end"):
        raise NotHere("there is no such page")
    return what


def require_visitor(visit: Visit) -> None:
    if visit.visitor is None:
        raise NotHere("nothing is kept for this browser")
