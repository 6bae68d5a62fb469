"""The JSON interface: a key opens a table, every answer carries the version it answers."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Response, get, post, put
from litestar.params import FromCookie, FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import ServerSentEvent
from msgspec import Struct

from ostbahn.bots.registry import all_bots
from ostbahn.interop.saves import decode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile
from ostbahn.server.faults import Stale, Unreadable
from ostbahn.server.play.access import Access
from ostbahn.server.play.new_table import NewTable
from ostbahn.server.sent import LONGEST_FIELD, WITH_GAME
from ostbahn.server.views.notices import numbers_about
from ostbahn.server.views.stops import stops_after
from ostbahn.server.views.table import TableView, marked
from ostbahn.server.web.home_pages import rules_of
from ostbahn.server.web.rate_limits import GAMES, KEYS, SEATS, TALK
from ostbahn.server.web.render import Page, Update, drawn_routes, theme_of
from ostbahn.server.web.services import Services
from ostbahn.server.web.visitors import GivenAccess, GivenServices
from ostbahn.telling.consequences import consequences
from ostbahn.telling.reasons import reasons
from ostbahn.telling.speech import Speech
from ostbahn.telling.verbs import past, sentence_case
from ostbahn.views.hints import HintView, hint_view
from ostbahn.views.log import Teller, filtered
from ostbahn.views.mentions import Mentions
from ostbahn.views.models import LogLine, TextPart
from ostbahn.views.moves import MoveView, move_view
from ostbahn.views.question_models import RoutesView
from ostbahn.views.routes import routes_view
from ostbahn.views.rules import RuleView, rule_text
from ostbahn.views.setup import EntryView, catalogue_view

ThemeCookie = FromCookie[str]


class Sent(Struct, frozen=True, kw_only=True):
    """Something done at a table: what version of the game it answers, and what the page shows."""

    version: int
    page: Page | None = None
    """If given, the answer says what the page has to change."""


class SentAnswer(Sent, frozen=True, kw_only=True):
    action: dict[str, Any]
    """As it stands among the answers of the question: `{"do": "pass"}`."""


class SentProposal(Sent, frozen=True, kw_only=True):
    keep: int
    """How many answers shall stay."""


class SentReply(Sent, frozen=True, kw_only=True):
    agree: bool
    keep: int | None = None
    """What was proposed, so that nobody agrees to something else that was proposed meanwhile."""


class SentText(Struct, frozen=True):
    text: str


class SentSeat(Struct, frozen=True):
    seat: str
    who: str
    """`here`, `link` or the code of a bot."""


class SentRuns(Struct, frozen=True):
    action: dict[str, Any]


class ForeseenView(Struct, frozen=True):
    """Something that an answer would bring about."""

    text: str
    grave: bool
    """Whether one should be asked before it is done."""
    parts: tuple[TextPart, ...]
    """The text, cut at the hexes and companies in it."""


class Preview(Struct, frozen=True):
    """What an answer would bring about, or why it is refused."""

    words: str
    done: str
    """The same as something that was done."""
    consequences: list[ForeseenView]
    refusal: str | None = None
    rule: str | None = None
    rule_text: str | None = None
    refusal_parts: tuple[TextPart, ...] = ()


class LinkView(Struct, frozen=True):
    key: str
    role: str
    seats: tuple[str, ...]
    path: str


class RunsView(Struct, frozen=True):
    """Routes that somebody would like to run, told and drawn."""

    view: RoutesView
    svg: str


class BotView(Struct, frozen=True):
    code: str
    about: str
    name: str
    """What people call it, where that says more than its code."""
    group: str
    """`levels`, `characters` or `for researchers`."""


class CatalogueView(Struct, frozen=True):
    entries: tuple[EntryView, ...]
    bots: tuple[BotView, ...]


class HouseApi(Controller):
    path = "/api"
    tags = ("house",)
    request_max_body_size = WITH_GAME

    @get("/catalogue", summary="All titles, variants, rulings and bots")
    async def catalogue(self) -> CatalogueView:
        return CatalogueView(
            catalogue_view(), tuple(BotView(bot.code, bot.about, bot.name, bot.group) for bot in all_bots())
        )

    @get("/rules/{title:str}", summary="Rules by id, chapter or words")
    async def rules(
        self, title: FromPath[str], words: Annotated[str, QueryParameter(max_length=LONGEST_FIELD)] = ""
    ) -> list[RuleView]:
        return rules_of(title, words)

    @post("/games", summary="Set up a table", middleware=[GAMES.middleware])
    async def open(self, data: JSONBody[NewTable], services: GivenServices) -> list[LinkView]:
        game = await services.customs.begun(data)
        host = await asyncio.to_thread(services.house.open, data, game)
        return await asyncio.to_thread(_links, services, host)


class TableApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @get("/", summary="The table as the key's owner sees it")
    async def table(self, access: GivenAccess, services: GivenServices, at: FromQuery[int | None] = None) -> TableView:
        view, _ = await asyncio.to_thread(services.seen, access, at)
        return view

    @post("/answer", status_code=200, summary="Answer the question")
    async def answer(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[SentAnswer], theme: ThemeCookie = ""
    ) -> Update | None:
        def answered() -> Update | None:
            _act(services, access, data)
            return None if data.page is None else services.update(access, data.page, theme)

        return await asyncio.to_thread(answered)

    @post("/undo", status_code=200, summary="Take back one's last move")
    async def undo(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        version = await asyncio.to_thread(services.house.undo, access, data.version)
        return await after_change(services, access, version, data.page, theme)

    @post("/propose", status_code=200, summary="Ask all to go further back")
    async def propose(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[SentProposal], theme: ThemeCookie = ""
    ) -> Update | None:
        version = await asyncio.to_thread(services.proposals.make, access, data.version, data.keep)
        return await after_change(services, access, version, data.page, theme)

    @post("/reply", status_code=200, summary="Agree, or not, to going back")
    async def reply(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[SentReply], theme: ThemeCookie = ""
    ) -> Update | None:
        version = await asyncio.to_thread(services.proposals.reply, access, data.version, data.agree, data.keep)
        return await after_change(services, access, version, data.page, theme)

    @post("/update", status_code=200, summary="What a page has to change")
    async def update(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[Page], theme: ThemeCookie = ""
    ) -> Update:
        return await asyncio.to_thread(services.update, access, data, theme)

    @post("/preview", status_code=200, summary="What an answer would bring about")
    async def preview(self, access: GivenAccess, services: GivenServices, data: JSONBody[SentRuns]) -> Preview:
        return await asyncio.to_thread(_preview, services, access, data.action)

    @post("/hint", status_code=200, summary="What the best bot would answer, and why")
    async def hint(self, access: GivenAccess, services: GivenServices) -> HintView:
        position, version = await asyncio.to_thread(services.house.position, access)
        found = await services.hints.at(access.game, version, position)
        return await asyncio.to_thread(hint_view, position, found, version)

    @get("/reasons/{what:str}", summary="Why a hex or company is not among the answers")
    async def reasons(self, access: GivenAccess, services: GivenServices, what: FromPath[str]) -> list[str]:
        def told() -> list[str]:
            game = services.house.looked_at(access.game)
            return [] if game.over else reasons(game, what)

        return await asyncio.to_thread(told)

    @post("/runs", status_code=200, summary="What trains would earn on other ways")
    async def runs(
        self, access: GivenAccess, services: GivenServices, data: JSONBody[SentRuns], theme: ThemeCookie = ""
    ) -> RunsView:
        def told() -> RunsView:
            runs, game = _runs(data.action), services.house.looked_at(access.game)
            view = routes_view(game, runs)
            if view is None:
                raise Stale("no trains are run at the moment")
            return RunsView(view, drawn_routes(view, game, theme_of(theme)))

        return await asyncio.to_thread(told)

    @get("/log", summary="Earlier lines of the log, the last first")
    async def log(
        self,
        access: GivenAccess,
        services: GivenServices,
        before: FromQuery[int | None] = None,
        seat: FromQuery[str | None] = None,
        company: FromQuery[str | None] = None,
        topic: FromQuery[str | None] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=200)] = 40,
    ) -> list[LogLine]:
        def told() -> list[LogLine]:
            with services.house.holding(access.game) as room:
                first = None if before is None else min(before - room.skipped, len(room.game) + 1)
                also = {number - room.skipped for number in numbers_about(room, seat, company, topic)}
                lines = filtered(
                    room.game, seat=seat, company=company, kind=topic, before=first, limit=limit, also=also
                )
                return list(marked(room, lines))

        return await asyncio.to_thread(told)

    @get("/moves", summary="What others have done since so many answers, the first first")
    async def moves(
        self,
        access: GivenAccess,
        services: GivenServices,
        after: FromQuery[int],
        limit: Annotated[int, QueryParameter(ge=1, le=200)] = 100,
    ) -> list[MoveView]:
        def told() -> list[MoveView]:
            with services.house.holding(access.game) as room:
                games = [room.at(number) for number in stops_after(room, access, after)[:limit]]
                lines = marked(room, [Teller(game).line(len(game)) for game in games])
                views = [move_view(game, line) for game, line in zip(games, lines, strict=True)]
                return [view for view in views if view is not None]

        return await asyncio.to_thread(told)

    @post("/chat", status_code=200, summary="Say something at the table", middleware=[TALK.middleware])
    async def chat(self, access: GivenAccess, services: GivenServices, data: JSONBody[SentText]) -> None:
        def say() -> None:
            with services.house.holding(access.game) as room:
                services.talk.say(access, room.game.setup, data.text)

        await asyncio.to_thread(say)

    @get("/note", summary="One's private notes")
    async def note(self, access: GivenAccess, services: GivenServices) -> SentText:
        return SentText(await asyncio.to_thread(services.talk.note, access))

    @put("/note", summary="Write one's private notes")
    async def keep_note(self, access: GivenAccess, services: GivenServices, data: JSONBody[SentText]) -> None:
        await asyncio.to_thread(services.talk.keep_note, access, data.text)

    @get("/links", summary="The links that one may hand out")
    async def links(self, access: GivenAccess, services: GivenServices) -> list[LinkView]:
        return await asyncio.to_thread(_links, services, access)

    @post("/seat", status_code=200, summary="Let somebody else play a seat (host)", middleware=[SEATS.middleware])
    async def seat(self, access: GivenAccess, services: GivenServices, data: JSONBody[SentSeat]) -> list[LinkView]:
        await asyncio.to_thread(services.house.seat, access, data.seat, data.who)
        return await asyncio.to_thread(_links, services, access)

    @get("/events", summary="News of the table, as server-sent events", media_type="text/event-stream")
    async def events(self, access: GivenAccess, services: GivenServices) -> ServerSentEvent:
        return ServerSentEvent(
            services.live.news(access), headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
        )

    @get("/save", summary="The game as a save file")
    async def save(self, access: GivenAccess, services: GivenServices) -> Response[bytes]:
        name, data = await asyncio.to_thread(services.house.save, access)
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return Response(data, media_type="application/json", headers=headers)


async def after_change(
    services: Services, access: Access, version: int, page: Page | None, theme: str
) -> Update | None:
    """Say what the page has to change; all others were told with the change itself."""
    return None if page is None else await asyncio.to_thread(services.update, access, page, theme)


def _act(services: Services, access: Access, sent: SentAnswer) -> int:
    with services.house.changing(access.game) as (room, _):
        return services.house.act(access, sent.version, decode(room.game.setup.title, sent.action))


def decode(title: str, fields: dict[str, Any]) -> Action:
    """The action that was sent."""
    try:
        return decode_action(title, fields)
    except BadFile as fault:
        raise Unreadable(f"this is no action of {title}: {fault}") from None


def _runs(fields: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The runs that somebody has drawn; None asks for the best."""
    runs = fields.get("runs")
    if runs is None or (isinstance(runs, list) and all(isinstance(run, dict) for run in runs)):
        return runs
    raise Unreadable("`runs` is a list of trains with their paths")


def _preview(services: Services, access: Access, fields: dict[str, Any]) -> Preview:
    game = services.house.looked_at(access.game)
    action = decode(game.setup.title, fields)
    try:
        told = Speech(game).describe(action)
    except LookupError as fault:
        raise Unreadable(f"this names something that is not in the game: {str(fault)[:100]}") from None
    words, done = sentence_case(told), sentence_case(past(told))
    refusal, mentions = game.refusal(action), Mentions(game)
    if refusal is None:
        found = consequences(game, action)
        return Preview(words, done, [ForeseenView(row.text, row.grave, mentions.parts(row.text)) for row in found])
    rule, parts = rule_text(game.setup.title, refusal.rule), mentions.parts(refusal.text)
    return Preview(words, done, [], refusal.text, refusal.rule, rule, parts)


def _links(services: Services, access: Access) -> list[LinkView]:
    links = services.house.links(access)
    return [LinkView(each.key, each.role, each.seats, f"/t/{each.key}") for each in links if each.key]
