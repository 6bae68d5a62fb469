"""Pages of the lobby, and the form for a new game."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from litestar import Controller, Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, QueryParameter

from ostbahn.bots.registry import offered
from ostbahn.interop.files import text_in
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.catalogue import PRESETS, kits
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.rate_limits import GAMES, LOBBY, LOBBY_LIST
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor, check_welcome, go, guest, page
from ostbahn.server.faults import status_of, told
from ostbahn.server.games.new_table import (
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
from ostbahn.server.limits import LONGEST_FIELD, WITH_GAME, form_in
from ostbahn.server.lobby.service import GivenLobby, LobbyServices, LobbyWish, OpenTableView, open_table_views
from ostbahn.table.access import Access, NotHere
from ostbahn.table.room import HERE, LINK
from ostbahn.views.catalogue import catalogue_view


class Lobbies(Controller):
    path = "/lobby"
    include_in_schema = False

    @get("/")
    async def tables(
        self,
        request: AnyRequest,
        services: GivenLobby,
        visitor: GivenVisitor,
        game: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
        kind: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
    ) -> Response[str]:
        """Open tables: those with free seats, and those to watch; all, or one way to play."""
        wish = wish_of(game, kind)
        tables = await asyncio.to_thread(services.lobby.tables, wish)
        views = open_table_views(tables, services.house.clock())
        values: dict[str, Any] = {"entries": catalogue_view(), "game": game if wish.title else "", "kind": wish.kind}
        return page(services, request, visitor, "lobby.html", tables=views, **values)

    @get("/{game:str}/join")
    async def form(
        self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor, game: FromPath[str]
    ) -> Response[Any]:
        """Whoever sits at the table already need not say their name."""
        if seat := await _own_seat(services, visitor, game):
            return go(f"/t/{seat.key}")
        return await _join_page(services, request, visitor, game, "" if visitor is None else visitor.called)

    @post("/{game:str}/join", middleware=[LOBBY.middleware])
    async def join(
        self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor, game: FromPath[str]
    ) -> Response[Any]:
        """Take a free seat; one is enough for everybody."""
        if seat := await _own_seat(services, visitor, game):
            return go(f"/t/{seat.key}")
        check_welcome(visitor)
        name = str((await form_in(request)).get("name") or "")[:LONGEST_FIELD]
        try:
            seat = await asyncio.to_thread(services.lobby.join, game, name)
        except OstbahnError as error:
            return await _join_page(services, request, visitor, game, name, error)
        someone = await guest(request, services)
        await asyncio.to_thread(services.my_games.keep, someone.known, seat)
        await asyncio.to_thread(services.people.call, someone.known, name.strip())
        return someone.greeted(go(f"/t/{seat.key}"))

    @get("/{game:str}/watch", middleware=[LOBBY.middleware])
    async def watch(self, services: GivenLobby, game: FromPath[str]) -> Response[Any]:
        spectator = await asyncio.to_thread(services.lobby.watch, game)
        return go(f"/t/{spectator.key}")


class OwnSeats(Controller):
    include_in_schema = False

    @get("/g/{game:str}", middleware=[LOBBY.middleware])
    async def own_seat(self, services: GivenLobby, visitor: GivenVisitor, game: FromPath[str]) -> Response[Any]:
        """To a table, for whoever has a seat there: to that; for others, if anybody may watch, to look on."""
        seat = None if visitor is None else await asyncio.to_thread(services.my_games.seat_at, visitor, game)
        if seat is not None:
            return go(f"/t/{seat.key}")
        try:
            return go(f"/t/{(await asyncio.to_thread(services.lobby.watch, game)).key}")
        except NotHere:
            raise NotHere("in this browser you have no seat at that table; open the link of your seat") from None


class LobbyApi(Controller):
    path = "/api/lobby"
    tags = ("lobby",)

    @get(
        "/",
        operation_id="listOpenTables",
        summary="List open tables",
        errors=(404,),
        middleware=[LOBBY_LIST.middleware],
    )
    async def tables(
        self,
        services: GivenLobby,
        game: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
        kind: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = "",
    ) -> list[OpenTableView]:
        """Tables at which anybody may sit down or watch."""
        tables = await asyncio.to_thread(services.lobby.tables, wish_of(game, kind))
        return open_table_views(tables, services.house.clock())


def wish_of(game: str, kind: str) -> LobbyWish:
    """What somebody wants to see; whatever says nothing wants all."""
    wanted: Literal["", "join", "watch"] = "join" if kind == "join" else "watch" if kind == "watch" else ""
    if not game:
        return LobbyWish(kind=wanted)
    entry = entry_coded(game)
    return LobbyWish(entry.title, entry.variant, wanted)


async def _own_seat(services: LobbyServices, visitor: Visitor | None, game: str) -> Access | None:
    return None if visitor is None else await asyncio.to_thread(services.my_games.seat_at, visitor, game)


async def _join_page(
    services: LobbyServices,
    request: AnyRequest,
    visitor: Visitor | None,
    game: str,
    name: str,
    error: OstbahnError | None = None,
) -> Response[str]:
    """The form for a name; where the table has left the lobby meanwhile, only what is wrong."""
    try:
        found = await asyncio.to_thread(services.lobby.table, game)
    except NotHere as gone:
        raise error or gone from None
    (table,) = open_table_views([found], services.house.clock())
    values = {"table": table, "name": name, "error": None if error is None else told(error)}
    return page(services, request, visitor, "join.html", 200 if error is None else status_of(error), **values)


class NewGames(Controller):
    include_in_schema = False
    request_max_body_size = WITH_GAME

    @get("/new")
    async def new(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[str]:
        fields = {name: str(value) for name, value in request.query_params.items()}
        return _new_game_page(services, request, visitor, fitting(_new_game_form(fields, visitor)))

    @get("/watch")
    async def watch(self, request: AnyRequest, services: GivenLobby, visitor: GivenVisitor) -> Response[str]:
        """The same with bots on all seats."""
        fields = {name: str(value) for name, value in request.query_params.items()}
        return _new_game_page(services, request, visitor, fitting(read_form(fields, watching=True)))

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
        form = _new_game_form({name: value for name, value in sent.items() if isinstance(value, str)}, visitor)
        try:
            wanted = new_table_of(form, await _text(sent.get("board")), await _text(sent.get("deck")))
            game = await services.customs.begun(wanted)
            host = await asyncio.to_thread(services.house.open, wanted, game)
        except OstbahnError as error:
            return _new_game_page(services, request, visitor, form, error)
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


def _new_game_form(fields: dict[str, str], visitor: Visitor | None) -> NewForm:
    return read_form(fields, first="" if visitor is None else visitor.called)


def _new_game_page(
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
