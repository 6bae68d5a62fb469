"""The application: all routes, what they are given, headers of all answers, and what is loaded at the start.

Two threads that decode a type of msgspec for the first time at once crash the process, so `preload` does that first.
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
    # the key is in the address, so no other site may see it; our own forms need it to be known as ours
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # what is behind a key or a cookie is left in no cache; whatever may be kept says so itself
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
        """Leave out cookies that are not ours before anybody looks at them."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["headers"] = own_cookies(scope["headers"], COOKIES)
        listens = scope["path"].endswith("/events")  # and waits for nothing
        with nullcontext() if listens else self.state.services.game_service.priority_gate.serving_person():
            await super().__call__(scope, receive, send)


def create_app(services: Services) -> Litestar:
    """The web application on these services. Only its state knows them, so an equal one needs no other routes."""
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
        # events have to leave at once, not when there is enough to pack
        compression_config=CompressionConfig("gzip", gzip_compress_level=5, exclude=[r"/events$"]),
        logging_config=None,  # whoever serves decides what is logged
        request_max_body_size=USUAL,
        openapi_config=openapi_config(),
    )
    preload()  # after the application, which makes types of its own
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
    """The plugin ends after all who publish by it: Litestar itself would end it first."""
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
    """What the key in the address opens. A closed account keeps its seats, but takes no other one."""
    access = await asyncio.to_thread(services.game_service.access, key)
    unused = access.role == "spectator" or (access.role == "seat" and not access.used)
    if unused and request.method not in SAFE:
        check_not_banned(await visitor(request, services))
    return access


async def _add_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers: Any = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)


Kind = TypeVar("Kind", bound=Struct)
LOG: Final = logging.getLogger(__name__)
ELSEWHERE: Final = (
    "ostbahn.cli",
    "ostbahn.bots.arena",
    "ostbahn.bots.cluster",
    "ostbahn.bots.jobs",
    "ostbahn.review.reports",
    "ostbahn.server.db.migrations",
    "ostbahn.server.ops.prometheus",
)
"""What no request comes to here: what stands above or beside the server, or runs in another process or by Alembic."""


def preload() -> None:
    """Load what requests may need: all modules, all types, all titles."""
    for module in walk_packages(ostbahn.__path__, "ostbahn."):
        if not module.name.startswith(ELSEWHERE):
            import_module(module.name)
    for broken in kits().broken:
        LOG.warning("%s", broken)
    for kit in kits().outside:
        _load_all_modules(kit)
    for kind in _kinds(Struct):
        with suppress(TypeError):  # of a library; what cannot be read at all is never read
            Decoder(kind)
    for kind in _kinds(GameState):
        change_decoder(kind)
    for entry in CATALOGUE:
        record_decoder(entry.title)
        for number in entry.players:
            book = rulebook(entry.title, entry.variant, number).title
            _ = book.rules, book.readings  # which are read when they are first asked for
    catalogue_view()


def _load_all_modules(kit: InstalledKit) -> None:
    """Load the package of an outside title; a module in it may need what is not installed."""
    names = [kit.module]
    for name in names:
        try:
            with blame_package(kit.package):
                path = getattr(import_module(name), "__path__", ())
                names += [module.name for module in iter_modules(path, f"{name}.")]
        except OstbahnError as fault:
            LOG.warning("%s was not loaded: %s", name, fault)


def _kinds(of: type[Kind]) -> Iterator[type[Kind]]:
    """All subclasses of a type, and theirs."""
    for kind in of.__subclasses__():
        yield kind
        yield from _kinds(kind)
