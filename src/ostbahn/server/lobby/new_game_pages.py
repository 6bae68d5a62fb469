"""Setting up a table: by one click, or with all that can be chosen; to play, or to watch bots."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Response, get, post
from litestar.datastructures import UploadFile

from ostbahn.bots.registry import offered
from ostbahn.interop.files import text_in
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.catalogue import PRESETS, kits
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.rate_limits import GAMES
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor, check_welcome, guest
from ostbahn.server.faults import status_of, told
from ostbahn.server.games.forms import (
    BOTS,
    NAMES,
    PACES,
    NewForm,
    entry_coded,
    fitting,
    new_table_of,
    quick_table,
    read_form,
)
from ostbahn.server.limits import WITH_GAME, form_in
from ostbahn.server.lobby.services import GivenLobby, LobbyServices
from ostbahn.table.access import Access
from ostbahn.table.room import HERE, LINK
from ostbahn.views.setup import catalogue_view


class NewGames(Controller):
    include_in_schema = False
    request_max_body_size = WITH_GAME

    @get("/new")
    async def new(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[str]:
        fields = {name: str(value) for name, value in request.query_params.items()}
        return _shown(services, request, visitor, fitting(_form(fields, visitor)))

    @get("/watch")
    async def watch(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[str]:
        """The same with bots on all seats."""
        fields = {name: str(value) for name, value in request.query_params.items()}
        return _shown(services, request, visitor, fitting(read_form(fields, watching=True)))

    @post("/play", middleware=[GAMES.middleware])
    async def play_now(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[Any]:
        """A game against bots, at once."""
        return await _at_once(request, services, visitor, watching=False)

    @post("/watch", middleware=[GAMES.middleware])
    async def watch_now(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[Any]:
        """A game of bots, at once."""
        return await _at_once(request, services, visitor, watching=True)

    @post("/new", middleware=[GAMES.middleware])
    async def begin(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[Any]:
        check_welcome(visitor)
        sent = await form_in(request)
        form = _form({name: value for name, value in sent.items() if isinstance(value, str)}, visitor)
        try:
            wanted = new_table_of(form, await _text(sent.get("board")), await _text(sent.get("deck")))
            game = await services.customs.begun(wanted)
            host = await asyncio.to_thread(services.house.open, wanted, game)
        except OstbahnError as error:
            return _shown(services, request, visitor, form, error)
        own = next((seat.name for seat in wanted.seats if seat.who == HERE and seat.name not in NAMES), "")
        return await _seated(request, services, host, own, inviting=any(seat.who == LINK for seat in wanted.seats))


async def _at_once(
    request: AnyRequest, services: LobbyServices, visitor: Visitor | None, watching: bool
) -> Response[Any]:
    check_welcome(visitor)
    sent = await form_in(request)
    name = "" if visitor is None else visitor.called
    wanted = quick_table(entry_coded(str(sent.get("game") or "")), name, watching)
    game = await services.customs.begun(wanted)
    return await _seated(request, services, await asyncio.to_thread(services.house.open, wanted, game))


async def _seated(
    request: AnyRequest, services: LobbyServices, host: Access, own: str = "", inviting: bool = False
) -> Response[Any]:
    """To the table; where others are awaited, what to send them lies on it."""
    someone = await guest(request, services)

    def remember() -> None:
        services.my_games.keep(someone.known, host)
        if own:
            services.people.call(someone.known, own)

    await asyncio.to_thread(remember)
    return someone.greeted(go(f"/t/{host.key}{'#invite' if inviting else ''}"))


def _form(fields: dict[str, str], visitor: Visitor | None) -> NewForm:
    return read_form(fields, first="" if visitor is None else visitor.called)


def _shown(
    services: LobbyServices,
    request: AnyRequest,
    visitor: Visitor | None,
    form: NewForm,
    error: OstbahnError | None = None,
) -> Response[str]:
    values: dict[str, Any] = {
        "form": form,
        "entries": catalogue_view(),
        "broken": kits().broken,
        "bots": offered(form.entry.title),
        "paces": PACES,
        "presets": PRESETS,
    }
    values |= {"here": HERE, "link": LINK, "by_bots": BOTS, "watching": request.url.path == "/watch"}
    if error is None:
        return page(services, request, visitor, "new.html", error=None, **values)
    return page(services, request, visitor, "new.html", status_of(error), error=told(error), **values)


async def _text(sent: object) -> str | None:
    """The text of a file, if one was chosen."""
    if not isinstance(sent, UploadFile):
        return None
    data = await sent.read()
    return text_in(data) if data.strip() else None
