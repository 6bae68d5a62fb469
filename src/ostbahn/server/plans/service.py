"""Planning boards, each a room with its own key, and their routes. Only `play` changes the game."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct
from sqlalchemy import update
from sqlalchemy.orm import Session

from ostbahn.analysis.runs import best_run
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.planning.comparing import PATIENCE, Comparison, Figures, compare, figures
from ostbahn.planning.plan import compare_with_game, plan_name, replay_on
from ostbahn.server.accounts.rate_limits import PLANS
from ostbahn.server.accounts.visitors import Injected, InjectedForm, InjectedVisit, go
from ostbahn.server.events import bus
from ostbahn.server.games import repository
from ostbahn.server.games.api import Sent, ThemeCookie, after_change
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.new_table import LARGEST_SEED, NewSeat, check_seats
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import GameServices, InjectedAccess, KeyPages, KeyRoutes
from ostbahn.server.games.tables import GameRow, PlanRow
from ostbahn.server.jobs.concurrency import BoundedExecutor
from ostbahn.server.limits import LONGEST_FIELD, number_in
from ostbahn.server.routing import delete, get, post, put
from ostbahn.table.access import BOARD, Access, NotHere, NotYours, Stale
from ostbahn.table.plans import (
    PlannedGame,
    PlanRecord,
    PlanRoom,
    PlanSummary,
    PlanView,
    first_planned,
    plan_summaries,
    plan_view,
)
from ostbahn.table.rendering import Update
from ostbahn.table.room import Room, check_version, seats_of
from ostbahn.text.speech import text_renderer_of

MOST_PLANS: Final = 12  # of one key
MOST_SPECTATOR_BOARDS: Final = 40
"""For all spectators of a table together, as they share a key; new boards replace the oldest."""
BOT_BURST_SECONDS: Final = 1.5
"""Bots move for this long in one request; short, so that the page shows progress."""
MOST_WAITING: Final = 20  # requests for bots


class BotsDone(Struct, frozen=True, kw_only=True):
    """What bots have done on a planning board."""

    version: int
    """The version of the planning board."""
    answers: int
    """How many answers they gave."""
    done: bool
    """Whether they have reached the seat they play up to; otherwise ask again."""


class Plans:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service
        busy = "bots think on many boards at the moment; try again in a minute"
        self._executor = BoundedExecutor("plan", game_service.seated_bots.max_parallel, MOST_WAITING, busy)

    # Boards

    def create(self, who: Access, name: str = "", at: int | None = None) -> Access:
        """Create a board that begins after `at` answers of a game, by default after all of them."""
        if who.origin:
            raise NotHere("a plan is made at the table of the game, not of another plan")
        with self.game_service.holding(who.game) as room:
            if room.skipped:
                raise Stale("the beginning of this game cannot be replayed any more, so there are no plans for it")
            number = room.number if at is None else at
            position, given = room.game.position(number), room.given[:number]
            board = PlanRoom(
                id_=new_id(),
                name=plan_name(name) if name.strip() else f"Plan from move {number}",
                setup=room.game.setup,
                bots={},
                pace=0,
                ask_all=room.ask_all,
                hints=room.hints,
            )
        entries = board.fork_game(position, given, secrets.randbelow(LARGEST_SEED) + 1)
        self._enforce_board_limit(who)
        with self.game_service.database.session() as session:
            repository.insert_game(session, board, self.game_service.clock(), dict.fromkeys(seats_of(board.game.setup)))
            session.add(PlanRow(game=board.id, origin=who.game, owner=who.hash))
            repository.append_entries(session, board, entries, self.game_service.clock())
        return self.game_service.access(f"{who.key}{BOARD}{board.id}")

    def _enforce_board_limit(self, who: Access) -> None:
        """Make room for a new board: delete the oldest boards of spectators, and refuse players who have too many."""
        with self.game_service.database.session() as session:
            boards = repository.plans_of_key(session, who.hash)
        if who.role == "spectator":
            for board in boards[MOST_SPECTATOR_BOARDS - 1 :]:
                self._delete_board(board.id)
        elif len(boards) >= MOST_PLANS:
            raise Refused(Refusal("", f"you have {len(boards)} plans for this game, which is the most; throw one away"))

    def list_boards(self, who: Access, known: Iterable[str] = ()) -> list[PlanRecord]:
        """The boards of a key, the latest first; spectators share a key, so they get only boards that they know."""
        with self.game_service.database.session() as session:
            boards = repository.plans_of_key(session, who.hash)
        known_ids, is_shared = set(known), self.owner(who).role == "spectator"
        return [board for board in boards if not is_shared or board.id in known_ids]

    def rename(self, who: Access, name: str) -> None:
        name = plan_name(name)
        with self.changing(who) as (room, session):
            session.execute(update(GameRow).where(GameRow.id == who.game).values(name=name))
            room.name = name
            bus.publish(session, who.game, "joined")

    def delete(self, who: Access) -> None:
        with self.holding(who):
            self._delete_board(who.game)

    def _delete_board(self, board: str) -> None:
        with self.game_service.database.session() as session:
            self.game_service.delete_board(session, board)
        self.game_service.evict(board)

    @contextmanager
    def holding(self, who: Access) -> Iterator[PlanRoom]:
        """Lock a board."""
        with self.game_service.holding(who.game) as room:
            yield _as_plan_room(room)

    @contextmanager
    def changing(self, who: Access) -> Iterator[tuple[PlanRoom, Session]]:
        """Lock a board for a change, with the transaction of the change."""
        with self.game_service.changing(who.game) as (room, session):
            yield _as_plan_room(room), session

    # The game that is planned for

    def real(self, who: Access) -> PlannedGame:
        """The present state of a board's game. Lock order: a board may be locked before its game, never after it."""
        own = self.owner(who)
        with self.game_service.holding(own.game) as room:
            return PlannedGame(room.game.branch(), tuple(room.given), room.version, room.name, own.seats)

    def owner(self, who: Access) -> Access:
        """Access by the key that created the board, at the table of the game."""
        return self.game_service.access(who.key.partition(BOARD)[0])

    def play(self, who: Access, version: int) -> Access:
        """Play the first planned move in the game; return the owner's access to it."""
        with self.holding(who) as room:
            check_version(room, version)
            real = self.real(who)
            action = first_planned(room, real).action
        owner = self.owner(who)
        self.game_service.answer(owner, real.version, action)
        return owner

    def rebase(self, who: Access, version: int) -> int:
        """Move the board to the present game with the answers that are still legal; return its new version."""
        real = self.real(who)
        with self.changing(who) as (room, session):
            check_version(room, version)
            plan = room.plan
            common, kept = compare_with_game(plan, real.game).common, replay_on(plan, real.game).kept
            self.game_service.record_entries(session, room, room.refork_game(real.game, real.given, common, kept))
            return room.version

    # Playing on

    def redo(self, who: Access, version: int) -> int:
        """Make the move again that was undone last; return the new version."""
        with self.changing(who) as (room, session):
            check_version(room, version)
            self.game_service.record_entries(session, room, room.redo(room.turn or who.seats[0]))
            return room.version

    async def let_bot_play(self, who: Access, version: int, code: str, until: str | None = None) -> BotsDone:
        """Let a bot answer once; with `until`, until that seat is to move or BOT_BURST_SECONDS are over."""
        return await self._executor.run(lambda: self._let_bot_play(who, version, code, until))

    def _let_bot_play(self, who: Access, version: int, code: str, until: str | None) -> BotsDone:
        end, answers = time.monotonic() + BOT_BURST_SECONDS, 0
        while True:
            version = self._play_bot_answer(who, version, code, until)
            answers += 1
            with self.holding(who) as room:
                done = until is None or room.turn in (None, until)
            if done or time.monotonic() > end:
                return BotsDone(version=version, answers=answers, done=done)

    def _play_bot_answer(self, who: Access, version: int, code: str, until: str | None) -> int:
        """Let a bot answer once; return the new version."""
        with self.holding(who) as room:
            check_version(room, version)
            check_seats((NewSeat("?", code),), room.game.setup.title)
            if not room.hints:
                raise NotYours("there are no hints at this table, so no bots answer on its planning boards")
            seat, position = room.turn, room.game.branch()
            if seat is None or seat == until:
                name_to_move = "nobody" if seat is None else text_renderer_of(position).names()[seat]
                raise Refused(Refusal("", f"{name_to_move} is asked now"))
        bot = self.game_service.seated_bots.bot_for(who.game, position, seat, code)
        action, note = ask_bot(bot, position)
        with self.changing(who) as (room, session):
            check_version(room, version)
            self.game_service.record_entries(session, room, room.answer(action, seat, "bot", note))
            return room.version

    def slot(self, room: Room, who: Access) -> Mapping[str, Any]:
        return {"plan": plan_view(room, self.real(who), self.owner(who).key)} if isinstance(room, PlanRoom) else {}

    def close(self) -> None:
        self._executor.close()


def _as_plan_room(room: Room) -> PlanRoom:
    if not isinstance(room, PlanRoom):
        raise NotHere("this is a game, and no planning board")
    return room


@dataclass(frozen=True, kw_only=True)
class PlanServices(GameServices):
    plans: Plans


InjectedPlans = Injected[PlanServices]


GAME_ITSELF: Final = "game"
"""Stands for the game in a comparison."""
MOST_KNOWN_BOARDS: Final = 50

KnownBoards = Annotated[list[str] | None, QueryParameter(max_items=MOST_KNOWN_BOARDS)]
ComparedBoard = Annotated[str, QueryParameter(max_length=LONGEST_FIELD)]


class SentPlan(Struct, frozen=True):
    """A new planning board."""

    name: str = ""
    """Its name; if empty, it is named for the move at which it begins."""
    at: int | None = None
    """After how many answers it begins; null for the present moment."""


class SentName(Struct, frozen=True):
    """A new name."""

    name: str


class SentBot(Sent, frozen=True, kw_only=True):
    """A request to a bot to move on a planning board."""

    bot: str
    """The code of a bot."""
    until: str | None = None
    """A seat: bots move for all others until it is to move, or until they pause. Null: one answer."""


class BotAnswers(Struct, frozen=True, kw_only=True):
    """What bots did on a planning board."""

    answered: BotsDone
    update: Update | None
    """What a page has to redraw; null unless you sent `page`."""


class PlayedForReal(Struct, frozen=True):
    """A planned move was played in the game."""

    version: int
    """The version of the game."""
    path: str


class RunView(Struct, frozen=True):
    """The best run of a company."""

    company: str
    revenue: int
    subsidy: int
    proven: bool
    paths: tuple[tuple[str, ...], ...]


class PlansApi(KeyRoutes):
    """At the table of a game."""

    path = "/api/t/{key:str}/plans"
    tags = ("plans",)

    @post("/", operation_id="createPlan", summary="Fork the game into a planning board", middleware=[PLANS.middleware])
    def make(self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[SentPlan]) -> PlanSummary:
        """Make a private copy of the game in which you play all seats. Its `key` opens it like a table."""
        board = services.plans.create(access, data.name, data.at)
        return next(plan for plan in _summaries(services, access, [board.game]) if plan.id == board.game)

    @get("/", operation_id="listPlans", summary="List your planning boards")
    def mine(self, access: InjectedAccess, services: InjectedPlans, known: KnownBoards = None) -> list[PlanSummary]:
        """Your planning boards of this game, the latest first. Spectators share a key, so they name the boards they
        know.
        """
        return _summaries(services, access, known or [])

    @get("/compare", operation_id="comparePlans", summary="Compare two planning boards")
    def compare(
        self,
        access: InjectedAccess,
        services: InjectedPlans,
        one: ComparedBoard = GAME_ITSELF,
        other: ComparedBoard = GAME_ITSELF,
    ) -> Comparison:
        """Two planning boards, or a board and the game, side by side: cash, worth, prices, trains."""
        return comparison(services, access, one, other)


class BoardApi(KeyRoutes):
    """On a planning board."""

    path = "/api/t/{key:str}/plan"
    tags = ("plans",)

    @get("/", operation_id="getPlan", summary="Compare a planning board with its game")
    def plan(self, access: InjectedAccess, services: InjectedPlans) -> PlanView:
        """Whether the plan still fits the game, and what can be played of it."""
        view = services.seen(access, None)[0].plan
        if view is None:
            raise NotHere("this is a game, and no planning board")
        return view

    @put("/", operation_id="renamePlan", summary="Rename a planning board")
    def rename(self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[SentName]) -> None:
        """Give the planning board another name."""
        services.plans.rename(access, data.name)

    @delete("/", operation_id="deletePlan", summary="Delete a planning board")
    def throw_away(self, access: InjectedAccess, services: InjectedPlans) -> None:
        """Delete the planning board with all its moves. This cannot be undone."""
        services.plans.delete(access)

    @post("/redo", status_code=200, operation_id="redoPlannedMove", summary="Redo a move on a planning board")
    def redo(
        self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        """Make the move again that was undone last."""
        services.plans.redo(access, data.version)
        return after_change(services, access, data.page, theme)

    @post("/renew", status_code=200, operation_id="rebasePlan", summary="Move a planning board to the present game")
    def renew(
        self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        """Start again where the game stands now, with the planned moves that are still legal."""
        services.plans.rebase(access, data.version)
        return after_change(services, access, data.page, theme)

    @post(
        "/bot", status_code=200, operation_id="letBotPlan", summary="Let a bot move on a planning board", errors=(403,)
    )
    async def bot(
        self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[SentBot], theme: ThemeCookie = ""
    ) -> BotAnswers:
        """A bot makes one move, or moves for all others until a seat is to move."""
        answered = await services.plans.let_bot_play(access, data.version, data.bot, data.until)
        update = await asyncio.to_thread(after_change, services, access, data.page, theme)
        return BotAnswers(answered=answered, update=update)

    @post(
        "/play",
        status_code=200,
        operation_id="playPlannedMove",
        summary="Play the first planned move in the game",
        errors=(403,),
    )
    def play(self, access: InjectedAccess, services: InjectedPlans, data: JSONBody[Sent]) -> PlayedForReal:
        """Make the first planned move at the table itself, if you are to move there."""
        owner = services.plans.play(access, data.version)
        with services.game_service.holding(owner.game) as room:
            return PlayedForReal(room.version, f"/t/{owner.key}")

    @get("/run/{company:str}", operation_id="getPlannedRun", summary="Get the best run of a company")
    def run(self, access: InjectedAccess, services: InjectedPlans, company: FromPath[str]) -> RunView:
        """What a company would run for on the planning board."""
        run = best_run(services.game_service.game_copy(access.game), company, StepBudget(PATIENCE))
        return RunView(company, run.revenue, run.subsidy, run.proven, tuple(route.path for route in run.routes))


def _summaries(services: PlanServices, access: Access, known: list[str]) -> list[PlanSummary]:
    return plan_summaries(services.plans.list_boards(access, known), access)


def comparison(services: PlanServices, access: Access, one: str, other: str) -> Comparison:
    """Compare two boards of the same key, or one with the game."""
    currency = text_renderer_of(services.game_service.game_copy(access.game)).words.currency
    return compare(_figures(services, access, one), _figures(services, access, other), currency)


def _figures(services: PlanServices, access: Access, which: str) -> Figures:
    """The figures of a board by its id, or of GAME_ITSELF."""
    own = access.key.partition(BOARD)[0]
    who = services.game_service.access(own if which == GAME_ITSELF else f"{own}{BOARD}{which}")
    with services.game_service.holding(who.game) as room:
        name, game, version = "The game" if which == GAME_ITSELF else room.name, room.game.branch(), room.version
    return services.single_flight.once(("figures", who.game, version, name), lambda: figures(name, game))


class PlanPages(KeyPages):
    path = "/t/{key:str}/plans"

    @get("/")
    def mine(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedPlans, known: KnownBoards = None
    ) -> Response[str]:
        """All plans for a game, to open and to compare."""
        plans = _summaries(services, access, known or [])
        return visit.page("plans.html", plans=plans, key=access.key, board=access.game if access.origin else "")

    @post("/", middleware=[PLANS.middleware])
    def make(self, form: InjectedForm, access: InjectedAccess, services: InjectedPlans) -> Response[Any]:
        """Create a board that begins after a move, from pages other than tables."""
        board = services.plans.create(access, "", number_in(form, "at"))
        return go(f"/t/{board.key}")

    @get("/compare")
    def compare(
        self,
        visit: InjectedVisit,
        access: InjectedAccess,
        services: InjectedPlans,
        one: ComparedBoard = GAME_ITSELF,
        other: ComparedBoard = GAME_ITSELF,
    ) -> Response[str]:
        return visit.page("comparison.html", comparison=comparison(services, access, one, other))
