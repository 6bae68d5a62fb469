"""Pages of the lobby, and the form for a new game."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Response
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import FromPath, QueryParameter

from ostbahn.bots.registry import bots_for_title
from ostbahn.interop.files import decode_text
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kits.catalogue import PRESETS, kits
from ostbahn.server.accounts.rate_limits import GAMES, LOBBY, LOBBY_LIST
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, Visit, check_not_banned, go
from ostbahn.server.games.new_table import (
    BOTS,
    NAMES,
    PACES,
    NewForm,
    entry_by_code,
    new_table_of,
    quick_table,
    read_form,
    without_unplayable,
)
from ostbahn.server.games.services import to_table
from ostbahn.server.limits import LONGEST_FIELD, WITH_GAME
from ostbahn.server.lobby.service import FILTERS, InjectedLobby, LobbyServices, OpenTableView
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, NotHere
from ostbahn.table.room import HERE, LINK
from ostbahn.views.catalogue import EntryView, catalogue_view

FilterParameter = Annotated[str, QueryParameter(max_length=LONGEST_FIELD)]


class LobbyPages(Controller):
    path = "/lobby"
    include_in_schema = False

    @get("/")
    def tables(
        self, visit: InjectedVisit, services: InjectedLobby, game: FilterParameter = "", kind: FilterParameter = ""
    ) -> Response[str]:
        """List open tables, filtered by game and kind."""
        tables = services.lobby.tables(_entry(game), kind)
        kind = kind if kind in FILTERS else ""
        return visit.page("lobby.html", tables=tables, entries=catalogue_view(), game=game, kind=kind)

    @get("/{game:str}/join")
    def form(self, visit: InjectedVisit, services: InjectedLobby, game: FromPath[str]) -> Response[Any]:
        if seat := _own_seat(visit, services, game):
            return go(f"/t/{seat.key}")
        return _join_page(visit, services, game, visit.called)

    @post("/{game:str}/join", middleware=[LOBBY.middleware])
    def join(
        self, visit: InjectedVisit, form: InjectedForm, services: InjectedLobby, game: FromPath[str]
    ) -> Response[Any]:
        """Take a free seat, or return to the visitor's own."""
        if seat := _own_seat(visit, services, game):
            return go(f"/t/{seat.key}")
        check_not_banned(visit.visitor)
        name = str(form.get("name") or "")[:LONGEST_FIELD]
        try:
            seat = services.lobby.join(game, name)
        except OstbahnError as error:
            return _join_page(visit, services, game, name, error)
        return to_table(visit, services, seat, name.strip())

    @get("/{game:str}/watch", middleware=[LOBBY.middleware])
    def watch(self, services: InjectedLobby, game: FromPath[str]) -> Response[Any]:
        return go(f"/t/{services.lobby.watch(game).key}")


class OwnSeatPages(Controller):
    include_in_schema = False

    @get("/g/{game:str}", middleware=[LOBBY.middleware])
    def own_seat(self, visit: InjectedVisit, services: InjectedLobby, game: FromPath[str]) -> Response[Any]:
        """Redirect to the visitor's seat at a table, or to watching it."""
        if seat := _own_seat(visit, services, game):
            return go(f"/t/{seat.key}")
        try:
            return go(f"/t/{services.lobby.watch(game).key}")
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
    def tables(
        self, services: InjectedLobby, game: FilterParameter = "", kind: FilterParameter = ""
    ) -> list[OpenTableView]:
        """Tables at which anybody may sit down or watch."""
        return services.lobby.tables(_entry(game), kind)


def _entry(game: str) -> EntryView | None:
    return entry_by_code(game) if game else None


def _own_seat(visit: Visit, services: LobbyServices, game: str) -> Access | None:
    return None if visit.visitor is None else services.my_games.seat_at(visit.visitor, game)


def _join_page(
    visit: Visit, services: LobbyServices, game: str, name: str, error: OstbahnError | None = None
) -> Response[str]:
    """The form for a name; if the table has left the lobby, the error is raised instead."""
    try:
        table = services.lobby.table(game)
    except NotHere as gone:
        raise error or gone from None
    return visit.page("join.html", error, table=table, name=name)


class NewGamePages(Controller):
    include_in_schema = False
    request_max_body_size = WITH_GAME

    @get("/new")
    def new(self, visit: InjectedVisit) -> Response[str]:
        return _new_game_page(visit, without_unplayable(read_form(_query(visit), first=visit.called)))

    @get("/watch")
    def watch(self, visit: InjectedVisit) -> Response[str]:
        """The form with bots on all seats."""
        return _new_game_page(visit, without_unplayable(read_form(_query(visit), watching=True)))

    @post("/play", middleware=[GAMES.middleware])
    async def play_now(self, visit: InjectedVisit, form: InjectedForm, services: InjectedLobby) -> Response[Any]:
        return await _start_quick_game(visit, form, services, watching=False)

    @post("/watch", middleware=[GAMES.middleware])
    async def watch_now(self, visit: InjectedVisit, form: InjectedForm, services: InjectedLobby) -> Response[Any]:
        return await _start_quick_game(visit, form, services, watching=True)

    @post("/new", middleware=[GAMES.middleware])
    async def begin(self, visit: InjectedVisit, form: InjectedForm, services: InjectedLobby) -> Response[Any]:
        check_not_banned(visit.visitor)
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        choices = read_form(fields, first=visit.called)
        try:
            board, deck = await _uploaded_text(form.get("board")), await _uploaded_text(form.get("deck"))
            wanted = new_table_of(choices, board, deck)
            game = await services.import_sandbox.game_for(wanted)
            host = await asyncio.to_thread(services.game_service.create_game, wanted, game)
        except OstbahnError as error:
            return _new_game_page(visit, choices, error)
        own_name = next((seat.name for seat in wanted.seats if seat.who == HERE and seat.name not in NAMES), "")
        has_guests = any(seat.who == LINK for seat in wanted.seats)
        return await asyncio.to_thread(to_table, visit, services, host, own_name, "#invite" if has_guests else "")


async def _start_quick_game(
    visit: Visit, form: FormMultiDict, services: LobbyServices, watching: bool
) -> Response[Any]:
    check_not_banned(visit.visitor)
    wanted = quick_table(entry_by_code(str(form.get("game") or "")), visit.called, watching)
    game = await services.import_sandbox.game_for(wanted)
    host = await asyncio.to_thread(services.game_service.create_game, wanted, game)
    return await asyncio.to_thread(to_table, visit, services, host)


def _query(visit: Visit) -> dict[str, str]:
    return {name: str(value) for name, value in visit.request.query_params.items()}


def _new_game_page(visit: Visit, form: NewForm, error: OstbahnError | None = None) -> Response[str]:
    return visit.page(
        "new.html",
        error,
        form=form,
        entries=catalogue_view(),
        broken=kits().broken,
        bots=bots_for_title(form.entry.title),
        paces=PACES,
        presets=PRESETS,
        here=HERE,
        link=LINK,
        by_bots=BOTS,
        watching=visit.request.url.path == "/watch",
    )


async def _uploaded_text(sent: object) -> str | None:
    if not isinstance(sent, UploadFile):
        return None
    data = await sent.read()
    return decode_text(data) if data.strip() else None
