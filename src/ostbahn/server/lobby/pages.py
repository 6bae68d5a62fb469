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
from ostbahn.server.accounts.rate_limits import GAMES, LOBBY, LOBBY_LIST
from ostbahn.server.accounts.visitors import GivenVisit, Visit, check_welcome, go
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
from ostbahn.server.games.services import to_table
from ostbahn.server.limits import LONGEST_FIELD, WITH_GAME
from ostbahn.server.lobby.service import GivenLobby, LobbyServices, LobbyWish, OpenTableView
from ostbahn.table.access import Access, NotHere
from ostbahn.table.room import HERE, LINK
from ostbahn.views.catalogue import catalogue_view

Wanted = Annotated[str, QueryParameter(max_length=LONGEST_FIELD)]


class Lobbies(Controller):
    path = "/lobby"
    include_in_schema = False

    @get("/")
    async def tables(
        self, visit: GivenVisit, services: GivenLobby, game: Wanted = "", kind: Wanted = ""
    ) -> Response[str]:
        """Open tables: those with free seats, and those to watch; all, or one way to play."""
        wish = wish_of(game, kind)
        tables = await asyncio.to_thread(services.lobby.tables, wish)
        values: dict[str, Any] = {"entries": catalogue_view(), "game": game if wish.title else "", "kind": wish.kind}
        return visit.page("lobby.html", tables=tables, **values)

    @get("/{game:str}/join")
    async def form(self, visit: GivenVisit, services: GivenLobby, game: FromPath[str]) -> Response[Any]:
        """Whoever sits at the table already need not say their name."""
        if seat := await _own_seat(visit, services, game):
            return go(f"/t/{seat.key}")
        return await _join_page(visit, services, game, visit.called)

    @post("/{game:str}/join", middleware=[LOBBY.middleware])
    async def join(self, visit: GivenVisit, services: GivenLobby, game: FromPath[str]) -> Response[Any]:
        """Take a free seat; one is enough for everybody."""
        if seat := await _own_seat(visit, services, game):
            return go(f"/t/{seat.key}")
        check_welcome(visit.visitor)
        name = str((await visit.form()).get("name") or "")[:LONGEST_FIELD]
        try:
            seat = await asyncio.to_thread(services.lobby.join, game, name)
        except OstbahnError as error:
            return await _join_page(visit, services, game, name, error)
        return await to_table(visit, services, seat, name.strip())

    @get("/{game:str}/watch", middleware=[LOBBY.middleware])
    async def watch(self, services: GivenLobby, game: FromPath[str]) -> Response[Any]:
        spectator = await asyncio.to_thread(services.lobby.watch, game)
        return go(f"/t/{spectator.key}")


class OwnSeats(Controller):
    include_in_schema = False

    @get("/g/{game:str}", middleware=[LOBBY.middleware])
    async def own_seat(self, visit: GivenVisit, services: GivenLobby, game: FromPath[str]) -> Response[Any]:
        """To a table, for whoever has a seat there: to that; for others, if anybody may watch, to look on."""
        if seat := await _own_seat(visit, services, game):
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
    async def tables(self, services: GivenLobby, game: Wanted = "", kind: Wanted = "") -> list[OpenTableView]:
        """Tables at which anybody may sit down or watch."""
        return await asyncio.to_thread(services.lobby.tables, wish_of(game, kind))


def wish_of(game: str, kind: str) -> LobbyWish:
    """What somebody wants to see; whatever says nothing wants all."""
    wanted: Literal["", "join", "watch"] = "join" if kind == "join" else "watch" if kind == "watch" else ""
    if not game:
        return LobbyWish(kind=wanted)
    entry = entry_coded(game)
    return LobbyWish(entry.title, entry.variant, wanted)


async def _own_seat(visit: Visit, services: LobbyServices, game: str) -> Access | None:
    return None if visit.visitor is None else await asyncio.to_thread(services.my_games.seat_at, visit.visitor, game)


async def _join_page(
    visit: Visit, services: LobbyServices, game: str, name: str, error: OstbahnError | None = None
) -> Response[str]:
    """The form for a name; where the table has left the lobby meanwhile, only what is wrong."""
    try:
        table = await asyncio.to_thread(services.lobby.table, game)
    except NotHere as gone:
        raise error or gone from None
    return visit.page("join.html", error, table=table, name=name)


class NewGames(Controller):
    include_in_schema = False
    request_max_body_size = WITH_GAME

    @get("/new")
    async def new(self, visit: GivenVisit) -> Response[str]:
        return _new_game_page(visit, fitting(read_form(_query(visit), first=visit.called)))

    @get("/watch")
    async def watch(self, visit: GivenVisit) -> Response[str]:
        """The same with bots on all seats."""
        return _new_game_page(visit, fitting(read_form(_query(visit), watching=True)))

    @post("/play", middleware=[GAMES.middleware])
    async def play_now(self, visit: GivenVisit, services: GivenLobby) -> Response[Any]:
        """A game against bots, at once."""
        return await _at_once(visit, services, watching=False)

    @post("/watch", middleware=[GAMES.middleware])
    async def watch_now(self, visit: GivenVisit, services: GivenLobby) -> Response[Any]:
        """A game of bots, at once."""
        return await _at_once(visit, services, watching=True)

    @post("/new", middleware=[GAMES.middleware])
    async def begin(self, visit: GivenVisit, services: GivenLobby) -> Response[Any]:
        check_welcome(visit.visitor)
        sent = await visit.form()
        fields = {name: value for name, value in sent.items() if isinstance(value, str)}
        form = read_form(fields, first=visit.called)
        try:
            wanted = new_table_of(form, await _text(sent.get("board")), await _text(sent.get("deck")))
            game = await services.customs.begun(wanted)
            host = await asyncio.to_thread(services.house.open, wanted, game)
        except OstbahnError as error:
            return _new_game_page(visit, form, error)
        own = next((seat.name for seat in wanted.seats if seat.who == HERE and seat.name not in NAMES), "")
        inviting = any(seat.who == LINK for seat in wanted.seats)  # what to send them lies on the table
        return await to_table(visit, services, host, own, "#invite" if inviting else "")


async def _at_once(visit: Visit, services: LobbyServices, watching: bool) -> Response[Any]:
    check_welcome(visit.visitor)
    sent = await visit.form()
    wanted = quick_table(entry_coded(str(sent.get("game") or "")), visit.called, watching)
    game = await services.customs.begun(wanted)
    return await to_table(visit, services, await asyncio.to_thread(services.house.open, wanted, game))


def _query(visit: Visit) -> dict[str, str]:
    return {name: str(value) for name, value in visit.request.query_params.items()}


def _new_game_page(visit: Visit, form: NewForm, error: OstbahnError | None = None) -> Response[str]:
    return visit.page(
        "new.html",
        error,
        form=form,
        entries=catalogue_view(),
        broken=kits().broken,
        bots=offered(form.entry.title),
        paces=PACES,
        presets=PRESETS,
        here=HERE,
        link=LINK,
        by_bots=BOTS,
        watching=visit.request.url.path == "/watch",
    )


async def _text(sent: object) -> str | None:
    """The text of a file, if one was chosen."""
    if not isinstance(sent, UploadFile):
        return None
    data = await sent.read()
    return text_in(data) if data.strip() else None
