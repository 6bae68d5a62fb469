"""The application: all routes, their dependencies, headers of all responses, and preloading.

If two threads decode a msgspec type for the first time at once, the process crashes; so `preload` does that first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext, suppress
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from typing import Any, Final, TypeVar

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler, Message, Scope
from msgspec import Struct
from msgspec.json import Decoder

import ostbahn
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.state import State as GameState
from ostbahn.kits.catalogue import CATALOGUE, kits, rulebook
from ostbahn.kits.installed import InstalledKit, blame_package
from ostbahn.server.accounts.pages import AccountPages
from ostbahn.server.accounts.visitors import COOKIE, DEVICE, THEME, AnyRequest, check_not_banned, visit, visitor
from ostbahn.server.bots.service import HintApi, enqueue_missing_bot_turns
from ostbahn.server.chat.service import ChatApi
from ostbahn.server.clocks.service import TimeApi, TimePages
from ostbahn.server.games.api import GamesApi, TableApi, TableQueriesApi
from ostbahn.server.imports.pages import ImportPages
from ostbahn.server.limits import USUAL, form_in, own_cookies, reject_unreadable_address
from ostbahn.server.lobby.invites import InvitePages
from ostbahn.server.lobby.pages import LobbyApi, LobbyPages, NewGamePages, OwnSeatPages
from ostbahn.server.notifications.pages import BellPages, NotificationPages
from ostbahn.server.plans.service import BoardApi, PlanPages, PlansApi
from ostbahn.server.profiles.service import PeopleApi, ProfilePages
from ostbahn.server.programmed.service import ProgrammedApi, ProgrammedPages
from ostbahn.server.reviews.pages import CoachPages, FiguresApi, ReportPages
from ostbahn.server.tournaments.pages import TournamentApi, TournamentPages
from ostbahn.server.web.fault_pages import handlers as exception_handlers
from ostbahn.server.web.openapi import openapi_config
from ostbahn.server.web.own_account_pages import OwnAccount
from ostbahn.server.web.pages import Assets, HolidayPages, Monitoring, Pages, TablePages
from ostbahn.server.web.request_middleware import SAFE, reject_cross_site_forms
from ostbahn.server.web.services import InjectedServices, Services
from ostbahn.table.access import Access
from ostbahn.table.snapshots import change_decoder, record_decoder
from ostbahn.views.catalogue import catalogue_view

COOKIES: Final = (COOKIE.encode(), THEME.encode(), DEVICE.encode())
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    # other sites must not see addresses, which contain keys; the check of our own forms needs them
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # the default, since most responses depend on a key or cookie
    "Cache-Control": "no-store",
}
CONTROLLERS: Final[tuple[ControllerRouterHandler, ...]] = (
    *(Pages, NewGamePages, LobbyPages, OwnSeatPages, LobbyApi, ImportPages),
    *(AccountPages, OwnAccount, ProfilePages, PeopleApi, TournamentPages, TournamentApi),
    *(TablePages, ReportPages, CoachPages, InvitePages, Assets, Monitoring),
    *(
        GamesApi,
        TableApi,
        ChatApi,
        HintApi,
        TableQueriesApi,
        ProgrammedApi,
        ProgrammedPages,
        PlanPages,
        PlansApi,
        BoardApi,
    ),
    *(FiguresApi, NotificationPages, HolidayPages, BellPages, TimePages, TimeApi),
)


class App(Litestar):
    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Remove cookies that are not ours; count the request as a person's, unless it is an event stream."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["headers"] = own_cookies(scope["headers"], COOKIES)
        is_stream = scope["path"].endswith("/events")
        with nullcontext() if is_stream else self.state.services.game_service.priority_gate.serving_person():
            await super().__call__(scope, receive, send)


def create_app(services: Services) -> Litestar:
    """The web application on these services, which only its state refers to."""
    app = App(
        route_handlers=CONTROLLERS,
        dependencies={
            "services": Provide(_services, sync_to_thread=False),
            "access": Provide(_access),
            "visitor": Provide(visitor),
            "visit": Provide(visit, sync_to_thread=False),
            "form": Provide(form_in),
        },
        guards=[reject_cross_site_forms, reject_unreadable_address],
        exception_handlers=exception_handlers(),
        before_send=[_add_headers],
        on_startup=[_start],
        on_shutdown=[_close],
        state=State({"services": services}),
        lifespan=[_live_updates],
        # compression would delay events
        compression_config=CompressionConfig("gzip", gzip_compress_level=5, exclude=[r"/events$"]),
        logging_config=None,  # `ops/logs.py` sets up the logs
        request_max_body_size=USUAL,
        openapi_config=openapi_config(),
    )
    preload()  # after the application, which creates types too
    return app


async def _start(app: Litestar) -> None:
    services: Services = app.state.services
    services.game_service.seated_bots.warm_up()
    await services.live_updates.start()
    await services.clocks.heartbeat.start()
    await services.notifications.start()
    await asyncio.to_thread(enqueue_missing_bot_turns, services.database)
    await services.runner.start()


@asynccontextmanager
async def _live_updates(app: Litestar) -> AsyncIterator[None]:
    """Run the plugin of live updates, and end it after all that publish with it (Litestar would end it first)."""
    services: Services = app.state.services
    async with services.live_updates.plugin:
        try:
            yield
        finally:
            await services.runner.close()
            await services.live_updates.close()


async def _close(app: Litestar) -> None:
    services: Services = app.state.services
    await services.clocks.heartbeat.close()
    for service in (services.hints, services.plans, services.reports, services.coach_service):
        service.close()
    services.game_service.seated_bots.close()
    services.database.close()


def _services(state: State) -> Services:
    services: Services = state.services
    return services


async def _access(key: FromPath[str], request: AnyRequest, services: InjectedServices) -> Access:
    """The access of the key in the address. A banned account keeps its seats, but cannot take another one."""
    access = await asyncio.to_thread(services.game_service.access, key)
    is_new_to_seat = access.role == "spectator" or (access.role == "seat" and not access.used)
    if is_new_to_seat and request.method not in SAFE:
        check_not_banned(await visitor(request, services))
    return access


async def _add_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers: Any = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)


Kind = TypeVar("Kind", bound=Struct)
LOG: Final = logging.getLogger(__name__)
NOT_PRELOADED: Final = (
    "ostbahn.cli",
    "ostbahn.bots.arena",
    "ostbahn.bots.cluster",
    "ostbahn.bots.jobs",
    "ostbahn.review.reports",
    "ostbahn.server.db.migrations",
    "ostbahn.server.ops.prometheus",
)
"""Modules that no request needs: above or beside the server, or run in another process or by Alembic."""


def preload() -> None:
    """Load all modules, types and titles that requests may need."""
    for module in walk_packages(ostbahn.__path__, "ostbahn."):
        if not module.name.startswith(NOT_PRELOADED):
            import_module(module.name)
    for broken in kits().broken:
        LOG.warning("%s", broken)
    for kit in kits().outside:
        _load_all_modules(kit)
    for kind in _subclasses(Struct):
        with suppress(TypeError):  # a library's type that cannot be decoded
            Decoder(kind)
    for kind in _subclasses(GameState):
        change_decoder(kind)
    for entry in CATALOGUE:
        record_decoder(entry.title)
        for number in entry.players:
            book = rulebook(entry.title, entry.variant, number).title
            _ = book.rules, book.readings  # loaded at first use
    catalogue_view()


def _load_all_modules(kit: InstalledKit) -> None:
    """Load the package of an outside title, except modules whose requirements are not installed."""
    names = [kit.module]
    for name in names:
        try:
            with blame_package(kit.package):
                path = getattr(import_module(name), "__path__", ())
                names += [module.name for module in iter_modules(path, f"{name}.")]
        except OstbahnError as fault:
            LOG.warning("%s was not loaded: %s", name, fault)


def _subclasses(base: type[Kind]) -> Iterator[type[Kind]]:
    """All direct and indirect subclasses of a type."""
    for subclass in base.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)
