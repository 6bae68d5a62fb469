"""General pages: home, rules, tables, holidays, pictures, static files; health and metrics of the server.

Only operators get metrics and faults: with the metrics token, or from this machine if the server has no public address.
"""

from __future__ import annotations

import hmac
from datetime import date
from functools import lru_cache, partial
from typing import Annotated, Any, Final

from litestar import Controller, MediaType, Response
from litestar.datastructures import FormMultiDict
from litestar.params import FromPath, FromQuery, QueryParameter

from ostbahn.bots.registry import STRONGEST, bots_for_title
from ostbahn.extras import install_command
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import entry_of, new_game
from ostbahn.pictures import gallery
from ostbahn.server.accounts.people import owner_of
from ostbahn.server.accounts.rate_limits import NOTIFICATION_SETTINGS
from ostbahn.server.accounts.visitors import AnyRequest, InjectedForm, InjectedVisit, InjectedVisitor, go
from ostbahn.server.games.api import ThemeCookie
from ostbahn.server.games.keys import GameView, game_views
from ostbahn.server.games.services import InjectedAccess, KeyPages
from ostbahn.server.limits import LONGEST_FIELD, OptionalNumber, QueryNumber, fields_in, is_loopback, number_in
from ostbahn.server.lobby.invites import invite_view
from ostbahn.server.notifications.pages import change_settings, require_visitor
from ostbahn.server.routing import get, post
from ostbahn.server.settings import Settings
from ostbahn.server.web.request_middleware import host_in
from ostbahn.server.web.services import InjectedServices, Services
from ostbahn.table.access import NotHere, NotYours, Unreadable
from ostbahn.table.rendering import static_file, theme_of
from ostbahn.table.requests import log_lines, picture, rules_values
from ostbahn.views.catalogue import catalogue_view


class Pages(Controller):
    include_in_schema = False

    @get("/")
    def home(self, visit: InjectedVisit, services: InjectedServices) -> Response[str]:
        def games(removed: bool) -> list[GameView]:
            mine = [] if visit.visitor is None else services.my_games.games(visit.visitor, removed)
            return game_views(mine, services.game_service.clock(), services.game_service.rooms.damaged)

        entries, tables = catalogue_view(), services.lobby.tables()
        return visit.page("home.html", entries=entries, games=games(False), removed=games(True), tables=tables)

    @post("/games/{hashed:str}/remove")
    def remove(self, hashed: FromPath[str], services: InjectedServices, visitor: InjectedVisitor) -> Response[Any]:
        if visitor is not None:
            services.my_games.remove(visitor, hashed)
        return go("/#mine")

    @post("/games/{hashed:str}/put-back")
    def put_back(self, hashed: FromPath[str], services: InjectedServices, visitor: InjectedVisitor) -> Response[Any]:
        if visitor is not None:
            services.my_games.remove(visitor, hashed, False)
        return go("/#mine")

    @get("/rules/{title:str}")
    def rules(
        self,
        visit: InjectedVisit,
        title: FromPath[str],
        words: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
    ) -> Response[str]:
        return visit.page("rules.html", **rules_values(title, words))


class TablePages(KeyPages):
    path = "/t/{key:str}"

    @get("/", media_type=MediaType.HTML)
    def table(
        self,
        visit: InjectedVisit,
        access: InjectedAccess,
        services: InjectedServices,
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        view, game = services.seen(access, at)
        guest = visit.guest()  # only now, so that a refused visitor gets no cookie
        if not access.origin:  # planning boards stand in no list
            services.my_games.keep(guest.known, access)
        table = services.renderer.table(
            view,
            game,
            theme,
            guest.known,
            links=services.game_service.links(access),
            bots=bots_for_title(game.setup.title),
            strongest=STRONGEST,
            note=services.chat.note(access),
            invite=None if access.origin else invite_view(visit, services, access, view),
        )
        return guest.greeted(Response(table, media_type=MediaType.HTML))

    @get("/log", media_type=MediaType.HTML)
    def log(
        self,
        access: InjectedAccess,
        services: InjectedServices,
        before: OptionalNumber = None,
        seat: FromQuery[str | None] = None,
        company: FromQuery[str | None] = None,
        topic: FromQuery[str | None] = None,
        since: QueryNumber = 0,
    ) -> str:
        with services.game_service.holding(access.game) as room:
            lines = log_lines(room, before, seat, company, topic)
        return services.renderer.log(lines, since)

    @get("/pictures/{what:path}", media_type="image/svg+xml")
    def picture(
        self,
        access: InjectedAccess,
        services: InjectedServices,
        what: FromPath[str],
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        """A picture from the gallery for the position at this table: `tiles`, `charter/COMPANY`, `upgrades`."""
        _, game = services.seen(access, at)
        return Response(picture(game, what, theme_of(theme)), media_type="image/svg+xml")


class HolidayPages(Controller):
    include_in_schema = False

    @post("/told/holiday", middleware=[NOTIFICATION_SETTINGS.middleware])
    def take_holiday(self, visit: InjectedVisit, form: InjectedForm, services: InjectedServices) -> Response[Any]:
        owner = "" if visit.visitor is None else owner_of(visit.visitor)

        def check() -> None:
            services.holidays.check_new(owner, *_days(form))

        def take(owner: str) -> None:
            services.holidays.add(owner, *_days(form))

        return change_settings(visit, services, check, take, "#holidays")

    @post("/told/holiday/end", middleware=[NOTIFICATION_SETTINGS.middleware])
    def end_holiday(self, visit: InjectedVisit, form: InjectedForm, services: InjectedServices) -> Response[Any]:
        holiday = number_in(form, "holiday") or 0

        def end(owner: str) -> None:
            services.holidays.end(owner, holiday)

        return change_settings(visit, services, partial(require_visitor, visit), end, "#holidays")


def _days(form: FormMultiDict) -> tuple[date, date]:
    first, last = fields_in(form, "first", "last")
    try:
        return date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        raise Unreadable("a day is written like 2026-07-14") from None


KEPT: Final = "public, max-age=31536000, immutable"
NOT_KEPT: Final = "no-cache"
PICTURES: Final = ("board", "tile", "tiles", "legend", "upgrades", "aid", "services")
"""What can be drawn of a title without a game of it."""


class Assets(Controller):
    include_in_schema = False

    @get("/static/{release:str}/{path:path}")
    def static(self, release: FromPath[str], path: FromPath[str], services: InjectedServices) -> Response[bytes]:
        media, data = static_file(services.renderer.packages, path)
        return Response(data, media_type=media, headers=_caching(services, release))

    @get("/sw.js")
    def service_worker(self, services: InjectedServices) -> Response[bytes]:
        """The service worker; served at the root, since its scope is the folder it comes from."""
        media, data = static_file(services.renderer.packages, "js/sw.js")
        return Response(data, media_type=media, headers={"Cache-Control": NOT_KEPT})

    @get("/pictures/{title:str}/{variant:str}/{theme:str}/{what:path}")
    def picture(
        self,
        title: FromPath[str],
        variant: FromPath[str],
        theme: FromPath[str],
        what: FromPath[str],
        services: InjectedServices,
        v: FromQuery[str] = "",
    ) -> Response[str]:
        drawn = title_picture(title, variant, theme, what.strip("/"))
        return Response(drawn, media_type="image/svg+xml", headers=_caching(services, v))


def _caching(services: Services, release: str) -> dict[str, str]:
    """Cache headers: addresses with today's release are immutable."""
    return {"Cache-Control": KEPT if release == services.renderer.release else NOT_KEPT}


@lru_cache(maxsize=1024)
def title_picture(title: str, variant: str, theme: str, what: str) -> str:
    """A picture of a title without a game; `tile/57/2` is tile 57 in its second rotation."""
    name, slash, detail = what.partition("/")
    if name not in PICTURES:
        raise NotHere(f"there is no picture {name!r} of a title; there are {', '.join(PICTURES)}")
    try:
        return gallery.draw(_untouched(title, variant), f"{name}:{detail}" if slash else name, theme)
    except BadSetup as fault:
        raise NotHere(str(fault)) from None


@lru_cache(maxsize=16)
def _untouched(title: str, variant: str) -> Game:
    """A game in its initial position."""
    players = entry_of(title, variant).players[0]
    return new_game(title, [f"Player {seat}" for seat in range(1, players + 1)], variant=variant)


FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers that proxies add; a request with one does not come from this machine itself."""
BEARER: Final = "Bearer "


class Monitoring(Controller):
    include_in_schema = False

    @get("/health/live")
    async def live(self) -> Response[dict[str, bool]]:
        return Response({"live": True})

    @get("/health/ready")
    async def ready(self, request: AnyRequest, services: InjectedServices) -> Response[dict[str, Any]]:
        """Whether the server can do its work; operators also get the faults."""
        faults = await services.health.faults()
        content: dict[str, Any] = {"ready": not faults}
        if is_operator(request, services.settings):
            content["faults"] = faults
        return Response(content, status_code=503 if faults else 200)

    @get("/metrics")
    def metrics(self, request: AnyRequest, services: InjectedServices) -> Response[bytes]:
        if not is_operator(request, services.settings):
            raise NotYours("figures are for whoever runs this server: by the metrics token, as a bearer")
        exposition = services.metrics.exposition()
        if exposition is None:
            raise NotHere(f"figures need the service extra: {install_command('service')}")
        media_type, text = exposition
        return Response(text, media_type=media_type)


def is_operator(request: AnyRequest, settings: Settings) -> bool:
    """Whether a request has the metrics token; without a token, whether it comes from this machine itself."""
    if settings.metrics_token is not None:
        sent = request.headers.get("authorization", "")
        expected = f"{BEARER}{settings.metrics_token.reveal()}"
        return hmac.compare_digest(sent.encode("utf-8", "replace"), expected.encode())
    if settings.public_url or any(name in request.headers for name in FORWARDED):
        return False
    client = request.client.host if request.client else ""
    return is_loopback(client) and is_loopback(host_in(request.headers.get("host", "")))
