"""Setting up a table, to play or to watch bots."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from litestar import Controller, Response, get, post
from litestar.datastructures import UploadFile

from ostbahn.bots.registry import known
from ostbahn.interop.files import text_in
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.catalogue import PRESETS
from ostbahn.server.play.plans import HERE, LINK
from ostbahn.server.sent import WITH_GAME, form_in
from ostbahn.server.store.people import Visitor
from ostbahn.server.web.fault_pages import status_of
from ostbahn.server.web.forms import PACES, WATCHING_PACE, NewForm, bot_codes, plan_of, read_form
from ostbahn.server.web.home_pages import go, page, told
from ostbahn.server.web.rate_limits import GAMES
from ostbahn.server.web.services import Services
from ostbahn.server.web.visitors import AnyRequest, GivenServices, GivenVisitor, guest
from ostbahn.views.setup import catalogue_view


class NewGames(Controller):
    include_in_schema = False
    request_max_body_size = WITH_GAME

    @get("/new")
    async def new(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[str]:
        fields = {name: str(value) for name, value in request.query_params.items()}
        return _shown(services, request, visitor, _form(fields, request, visitor))

    @get("/watch")
    async def watch(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[str]:
        """The same with bots on all seats."""
        fields = {name: str(value) for name, value in request.query_params.items()}
        form = read_form(fields, who=bot_codes()[0], pace=WATCHING_PACE)
        return _shown(services, request, visitor, form)

    @post("/new", middleware=[GAMES.middleware])
    async def begin(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        sent = await form_in(request)
        form = _form({name: value for name, value in sent.items() if isinstance(value, str)}, request, visitor)
        try:
            plan = plan_of(form, await _text(sent.get("board")), await _text(sent.get("deck")))
            game = await services.customs.begun(plan)
            host = await asyncio.to_thread(services.house.open, plan, game)
        except OstbahnError as error:
            return _shown(services, request, visitor, form, error)
        someone = await guest(request, services)
        await asyncio.to_thread(services.people.keep, someone.known, host)
        services.live.wake(host.game)
        return someone.greeted(go(f"/t/{host.key}"))


def _form(fields: dict[str, str], request: AnyRequest, visitor: Visitor | None) -> NewForm:
    """Whoever sits at the server's own machine may well play with others at one screen; elsewhere people have links."""
    first = "" if visitor is None else visitor.name or ""
    return read_form(fields, who=HERE if _is_here(request) else LINK, first=first)


def _is_here(request: AnyRequest) -> bool:
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:  # a socket file has no address
        return False


def _shown(
    services: Services,
    request: AnyRequest,
    visitor: Visitor | None,
    form: NewForm,
    error: OstbahnError | None = None,
) -> Response[str]:
    values: dict[str, Any] = {
        "form": form,
        "entries": catalogue_view(),
        "bots": known(),
        "paces": PACES,
        "presets": PRESETS,
    }
    values |= {"here": HERE, "link": LINK, "watching": request.url.path == "/watch"}
    if error is None:
        return page(services, request, visitor, "new.html", error=None, **values)
    return page(services, request, visitor, "new.html", status_of(error), error=told(error), **values)


async def _text(sent: object) -> str | None:
    """The text of a file, if one was chosen."""
    if not isinstance(sent, UploadFile):
        return None
    data = await sent.read()
    return text_in(data) if data.strip() else None
