"""The JSON API of games: set up a table, play at it, and query it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from litestar import Controller, Response
from litestar.datastructures import ResponseHeader
from litestar.openapi import ResponseSpec
from litestar.params import FromCookie, FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.response import ServerSentEvent
from msgspec import Struct

from ostbahn.analysis.gains import gains
from ostbahn.bots.registry import all_bots
from ostbahn.server.accounts.rate_limits import GAMES, SEATS
from ostbahn.server.accounts.visitors import InjectedVisitor, check_not_banned
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.services import GameServices, InjectedAccess, InjectedGames, KeyRoutes
from ostbahn.server.limits import LONGEST_FIELD, WITH_GAME, OptionalNumber, QueryNumber
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, KeyRole
from ostbahn.table.drawing import network_svg, preview_svg
from ostbahn.table.rendering import Page, Update, theme_of
from ostbahn.table.requests import (
    GainsView,
    PresentQuestion,
    Preview,
    RunsView,
    log_lines,
    moves_after,
    present_question,
    preview,
    rules_of,
    valued_runs,
)
from ostbahn.table.table_view import TableView
from ostbahn.text.speech import refusal_reasons
from ostbahn.views.catalogue import EntryView, RuleView, catalogue_view
from ostbahn.views.models import LogLine
from ostbahn.views.moves import MoveView

EventName = Literal["state", "chat", "proposal", "seats", "joined", "presence", "origin"]


class TableEvent(Struct, frozen=True, kw_only=True):
    """A message of the event stream: `event: state`, then `data: 12`. It says what is new; ask for it if you need
    it.
    """

    event: EventName
    """What is new.

    - `state`: the game has moved on, or was undone. Ask for the question or the table.
    - `chat`: somebody has written in the chat.
    - `proposal`: somebody proposes to go back or to change the clock, or such a proposal is settled.
    - `seats`: other people or bots play some seats.
    - `joined`: somebody has sat down or has changed their name, or a planning board was renamed.
    - `presence`: somebody has come to the table or has left it.
    - `origin`: on a planning board, something is new in its game.
    """
    data: str
    """The version of the game in decimal digits; `0` where the message is not about a version."""


class SaveFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A save file: a game as its setup and every action."""

    format: str
    """Always `ostbahn`, or what an earlier version wrote."""
    version: int
    """The version of the file format."""
    setup: Mapping[str, Any]
    """Title, variant, players, options and rulings."""
    rules: int | str | None = None
    """The version of the rules."""
    bots: Mapping[str, str] | None = None
    """The bots by seat."""
    actions: tuple[Mapping[str, Any], ...] = ()
    """Every action in order, each with `by`, the seat that took it."""
    digest: str | None = None
    """A hash of the state at the end, by which readers check that they replay the same game."""


ThemeCookie = FromCookie[str]


class Sent(Struct, frozen=True, kw_only=True):
    """A request that changes the table: the version that you saw."""

    version: int
    page: Page | None = None
    """For the pages of this server: what the page shows. With it, the response says what to redraw."""


class SentAnswer(Sent, frozen=True, kw_only=True):
    """Your answer to the question."""

    action: dict[str, Any]
    """The `action` of one of the answers: `{"do": "pass"}`."""


class SentProposal(Sent, frozen=True, kw_only=True):
    """A proposal to go back."""

    keep: int
    """How many answers stay; all later ones are undone."""


class SentReply(Sent, frozen=True, kw_only=True):
    """Your reply to a proposal to go back."""

    agree: bool
    keep: int | None = None
    """The `keep` of the proposal that you saw, so that you never agree to a newer one by accident."""


class SentSeat(Struct, frozen=True):
    """Who plays a seat from now on."""

    seat: str
    who: str
    """`here`: you, the host. `link`: whoever gets the new link. Otherwise the code of a bot; one that searches may
    have a budget: `S:2000`.
    """


class SentAction(Struct, frozen=True):
    """An action to look at."""

    action: dict[str, Any]


class DrawnRuns(Struct, frozen=True):
    """Routes that you have drawn."""

    runs: list[dict[str, Any]] | None = None
    """A train and its way each: `{"card": "a1", "path": ["E11.0", "E12"]}`; the best run without any."""


class SentRuns(Struct, frozen=True):
    """Routes to value."""

    action: DrawnRuns
    """The routes as the action `run_trains` has them."""


class LinkView(Struct, frozen=True):
    """A key to a table."""

    key: str
    role: KeyRole
    seats: tuple[str, ...]
    """The seats that are played with it."""
    path: str
    """The page of the table for this key: `/t/KEY`."""


class BotView(Struct, frozen=True):
    """A bot that can take a seat."""

    code: str
    """What `who` says to seat it."""
    about: str
    name: str
    """What people call it; empty if that is its code."""
    group: str
    """`levels`, `characters` or `for researchers`."""


class CatalogueView(Struct, frozen=True):
    """What can be played, and against whom."""

    entries: tuple[EntryView, ...]
    bots: tuple[BotView, ...]


class GamesApi(Controller):
    path = "/api"
    tags = ("games",)
    request_max_body_size = WITH_GAME

    @get("/catalogue", operation_id="getCatalogue", summary="List titles, variants, rulings and bots")
    def catalogue(self) -> CatalogueView:
        """Everything that `POST /api/games` accepts: each title and variant with its numbers of players, rulings,
        options and modules, and the codes of all bots.
        """
        bots = tuple(BotView(bot.code, bot.about, bot.name, bot.group) for bot in all_bots())
        return CatalogueView(catalogue_view(), bots)

    @get("/rules/{title:str}", operation_id="findRules", summary="Find rules by id, chapter or words")
    def rules(
        self, title: FromPath[str], words: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = ""
    ) -> list[RuleView]:
        """The rules of a title in our words. Refusals cite them by `id`. Without `words` you get all of them."""
        return rules_of(title, words)

    @post("/games", operation_id="createGame", summary="Set up a table", errors=(403,), middleware=[GAMES.middleware])
    async def open(self, data: JSONBody[NewTable], services: InjectedGames, visitor: InjectedVisitor) -> list[LinkView]:
        """Set up a table and get its keys: one for the host, who also plays all seats with `who` = `here`, one for
        each seat played by link, and one for spectators.
        """
        check_not_banned(visitor)
        game = await services.import_sandbox.game_for(data)
        return await asyncio.to_thread(lambda: _links(services, services.game_service.create_game(data, game)))


class TableApi(KeyRoutes):
    path = "/api/t/{key:str}"
    tags = ("table",)

    @get("/", operation_id="getTable", summary="Get the whole table")
    def table(self, access: InjectedAccess, services: InjectedGames, at: OptionalNumber = None) -> TableView:
        """The table as the owner of the key sees it, now or at an earlier moment. It is large, some 70 KB: to learn
        whether it is your turn, ask for the question alone (`GET /api/t/{key}/question`).
        """
        return services.seen(access, at)[0]

    @post("/answer", status_code=200, operation_id="answerQuestion", summary="Answer the question", errors=(403,))
    def answer(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentAnswer], theme: ThemeCookie = ""
    ) -> Update | None:
        """Take your turn: send the `action` of one of the answers, and the `version` of the table that you saw. The
        body of the response is null unless you sent `page`.
        """
        services.game_service.answer(access, data.version, data.action)
        return after_change(services, access, data.page, theme)

    @post("/undo", status_code=200, operation_id="undoMove", summary="Undo your last move", errors=(403,))
    def undo(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        """Undo your last move, as long as no other person has moved since."""
        services.game_service.undo_own_move(access, data.version)
        return after_change(services, access, data.page, theme)

    @post("/propose", status_code=200, operation_id="proposeUndo", summary="Ask all players to go back", errors=(403,))
    def propose(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentProposal], theme: ThemeCookie = ""
    ) -> Update | None:
        """Propose to undo moves of others too. It happens once every player has agreed."""
        services.proposals.make(access, data.version, data.keep)
        return after_change(services, access, data.page, theme)

    @post(
        "/reply",
        status_code=200,
        operation_id="replyToUndoProposal",
        summary="Agree or object to going back",
        errors=(403,),
    )
    def reply(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentReply], theme: ThemeCookie = ""
    ) -> Update | None:
        """Answer the proposal to go back that stands at the table."""
        services.proposals.reply(access, data.version, data.agree, data.keep)
        return after_change(services, access, data.page, theme)

    @post("/update", status_code=200, operation_id="getPageUpdate", summary="Get what a page has to redraw")
    def update(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[Page], theme: ThemeCookie = ""
    ) -> Update:
        """For the pages of this server: the HTML panels and hexes that have changed since the page was drawn."""
        return services.update(access, data, theme)

    @post("/preview", status_code=200, operation_id="previewAction", summary="Find out what an action would do")
    def preview(self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentAction]) -> Preview:
        """The consequences of an action, or why the rules refuse it. Nothing changes."""
        return preview(services.game_service.game_copy(access.game), data.action)

    @get("/reasons/{what:str}", operation_id="explainRefusals", summary="Find out why a hex or company is no answer")
    def refusal_reasons(self, access: InjectedAccess, services: InjectedGames, what: FromPath[str]) -> list[str]:
        """Sentences that say why nothing can be done at a hex, or with a company, in answer to the present question."""
        game = services.game_service.game_copy(access.game)
        return [] if game.over else refusal_reasons(game, what)

    @post("/runs", status_code=200, operation_id="valueRuns", summary="Find out what drawn routes would earn")
    def runs(
        self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentRuns], theme: ThemeCookie = ""
    ) -> RunsView:
        """The revenue of routes that you draw, and why they are refused if they are. Works while a company runs its
        trains. Without `runs` you get the best run.
        """
        return valued_runs(services.game_service.game_copy(access.game), data.action.runs, theme_of(theme))

    @get("/log", operation_id="getLog", summary="Read the log backwards")
    def log(
        self,
        access: InjectedAccess,
        services: InjectedGames,
        before: OptionalNumber = None,
        seat: FromQuery[str | None] = None,
        company: FromQuery[str | None] = None,
        topic: FromQuery[str | None] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=200)] = 40,
    ) -> list[LogLine]:
        """Lines of the log, the latest first, all or only those about a seat, company or topic."""
        with services.game_service.holding(access.game) as room:
            return log_lines(room, before, seat, company, topic, limit)

    @get("/moves", operation_id="getMoves", summary="Get what others did")
    def moves(
        self,
        access: InjectedAccess,
        services: InjectedGames,
        after: QueryNumber,
        limit: Annotated[int, QueryParameter(ge=1, le=200)] = 100,
    ) -> list[MoveView]:
        """The moves that others made after a moment, the earliest first, with the hexes and companies they touched."""
        with services.game_service.holding(access.game) as room:
            return moves_after(room, access, after, limit)

    @get("/links", operation_id="getLinks", summary="List the keys that you may hand out")
    def links(self, access: InjectedAccess, services: InjectedGames) -> list[LinkView]:
        """The host gets the keys of all seats that are still free and that of spectators, everybody else their own
        and that of spectators.
        """
        return _links(services, access)

    @post(
        "/seat",
        status_code=200,
        operation_id="assignSeat",
        summary="Let somebody else play a seat",
        errors=(403,),
        middleware=[SEATS.middleware],
    )
    def seat(self, access: InjectedAccess, services: InjectedGames, data: JSONBody[SentSeat]) -> list[LinkView]:
        """For the host: give a seat to a bot, to yourself, or to whoever gets its new link. The old key stops
        working.
        """
        services.game_service.assign_seat(access, data.seat, data.who)
        return _links(services, access)

    @get(
        "/events",
        operation_id="streamEvents",
        summary="Listen to what happens at the table",
        media_type="text/event-stream",
        writes=TableEvent,
    )
    async def events(self, access: InjectedAccess, services: InjectedGames) -> ServerSentEvent:
        """A stream of server-sent events. The first message is `state` with the present version; a comment every 20
        seconds keeps the connection open. Messages only say that something is new: ask for what you need. Connect again
        when the stream ends, as it does when the server restarts.
        """
        headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
        return ServerSentEvent(services.live_updates.events(access), headers=headers)

    @get("/save", operation_id="getSave", summary="Download the game", writes=SaveFile)
    def save(self, access: InjectedAccess, services: InjectedGames) -> Response[bytes]:
        """The game as a save file with every action, which `ostbahn` and the import page read."""
        name, data = services.game_service.save_file(access)
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return Response(data, media_type="application/json", headers=headers)


def after_change(services: GameServices, access: Access, page: Page | None, theme: str) -> Update | None:
    """What this page has to redraw; all others are notified by the event bus."""
    return None if page is None else services.update(access, page, theme)


def _links(services: GameServices, access: Access) -> list[LinkView]:
    links = services.game_service.links(access)
    return [LinkView(link.key, link.role, link.seats, f"/t/{link.key}") for link in links if link.key]


SVG: Final = "image/svg+xml"
ETAG: Final = ResponseHeader("ETag", value="", description="The version in quotes.", documentation_only=True)
UNCHANGED: Final = ResponseSpec(None, description="The version is the one that `If-None-Match` names.")
KnownVersion = Annotated[str, HeaderParameter(name="If-None-Match", max_length=LONGEST_FIELD)]


class TableQueriesApi(KeyRoutes):
    path = "/api/t/{key:str}"
    tags = ("table",)

    @get(
        "/question",
        operation_id="getQuestion",
        summary="Get the question alone",
        response_description="Who is to move, and what you are asked if it is you.",
        response_headers=(ETAG,),
        responses={304: UNCHANGED},
        writes=PresentQuestion,
    )
    def question(
        self, access: InjectedAccess, services: InjectedGames, known: KnownVersion = ""
    ) -> Response[PresentQuestion | None]:
        """Made for polling: some 150 bytes while others move, the question with all its answers when it is your turn.

        Send the `ETag` of the last response, which is the version in quotes, as `If-None-Match`: as long as nothing has
        happened, you get 304 without a body.
        """
        with services.game_service.holding(access.game) as room:
            headers = {"ETag": f'"{room.version}"'}
            if f'"{room.version}"' in known:
                return Response(None, status_code=304, headers=headers)
            return Response(present_question(room, access), headers=headers)

    @get("/gains", operation_id="getGains", summary="Get what tiles and stations add to the best run")
    def gains(self, access: InjectedAccess, services: InjectedGames) -> GainsView:
        """How much each offered tile or station adds to the best run of the company, by the index of the answer."""
        with services.game_service.holding(access.game) as room:
            game, version = room.game.branch(), room.version
        key = ("gains", access.game, version)
        return GainsView(version=version, gains=services.single_flight.once(key, lambda: gains(game)))

    @get(
        "/ghost/{hex_id:str}/{tile:str}/{rotation:str}",
        operation_id="drawHexWithTile",
        summary="Draw a hex with a tile on it",
        media_type=SVG,
    )
    def ghost(
        self,
        access: InjectedAccess,
        services: InjectedGames,
        hex_id: FromPath[str],
        tile: FromPath[str],
        rotation: FromPath[str],
        theme: ThemeCookie = "",
        v: OptionalNumber = None,
    ) -> Response[str]:
        """An SVG group for the board: the hex as it would look with the tile. `v`: the stamp of the board you show."""
        with services.game_service.holding(access.game) as room:
            game = ((None if v is None else room.game_at_version(v)) or room.game).branch()
        drawn = preview_svg(game, hex_id, tile, rotation, theme_of(theme))
        return Response(drawn, media_type=SVG)

    @get("/network/{company:str}", operation_id="drawNetwork", summary="Draw what a company reaches", media_type=SVG)
    def network(
        self,
        access: InjectedAccess,
        services: InjectedGames,
        company: FromPath[str],
        theme: ThemeCookie = "",
        at: OptionalNumber = None,
    ) -> Response[str]:
        """An SVG group for the board: all that a company reaches, and its best run (`data-revenue`, `data-proven`)."""
        with services.game_service.holding(access.game) as room:
            number = room.number if at is None else max(room.skipped, min(at, room.number))
            game, stamp = room.at(number).branch(), room.version_at(number)
        key = ("network", access.game, stamp, company, theme_of(theme).name)
        drawn = services.single_flight.once(key, lambda: network_svg(game, company, theme_of(theme)))
        return Response(drawn, media_type=SVG)
