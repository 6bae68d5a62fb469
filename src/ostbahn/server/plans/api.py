"""Routes of planning boards. A board is a table with a key of its own; this is what it has beside that."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct

from ostbahn.analysis.runs import best_run
from ostbahn.kernel.routes.search import Steps
from ostbahn.planning.comparing import PATIENCE, Comparison, Figures, compare, figures
from ostbahn.server.accounts.rate_limits import KEYS, PLANS
from ostbahn.server.accounts.visitors import GivenForm, GivenVisit, go
from ostbahn.server.games.api import Sent, ThemeCookie, after_change
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.limits import LONGEST_FIELD, number_in
from ostbahn.server.plans.service import BotsDone, GivenPlans, PlanServices
from ostbahn.server.routing import delete, get, post, put
from ostbahn.table.access import BOARD, Access, NotHere
from ostbahn.table.plans import PlanSummary, PlanView, summaries
from ostbahn.table.rendering import Update
from ostbahn.text.speech import face_of

GAME: Final = "game"
"""In the place of a plan: the game itself."""
MOST_KNOWN: Final = 50

Known = Annotated[list[str] | None, QueryParameter(max_items=MOST_KNOWN)]
Which = Annotated[str, QueryParameter(max_length=LONGEST_FIELD)]


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


class PlansApi(Controller):
    """At the table of a game."""

    path = "/api/t/{key:str}/plans"
    tags = ("plans",)
    middleware = (KEYS.middleware,)

    @post("/", operation_id="createPlan", summary="Fork the game into a planning board", middleware=[PLANS.middleware])
    def make(self, access: GivenAccess, services: GivenPlans, data: JSONBody[SentPlan]) -> PlanSummary:
        """Make a private copy of the game in which you play all seats. Its `key` opens it like a table."""
        board = services.plans.make(access, data.name, data.at)
        return next(each for each in _listed(services, access, [board.game]) if each.id == board.game)

    @get("/", operation_id="listPlans", summary="List your planning boards")
    def mine(self, access: GivenAccess, services: GivenPlans, known: Known = None) -> list[PlanSummary]:
        """Your planning boards of this game, the latest first. Spectators share a key, so they name the boards they
        know.
        """
        return _listed(services, access, known or [])

    @get("/compare", operation_id="comparePlans", summary="Compare two planning boards")
    def compare(self, access: GivenAccess, services: GivenPlans, one: Which = GAME, other: Which = GAME) -> Comparison:
        """Two planning boards, or a board and the game, side by side: cash, worth, prices, trains."""
        return comparison(services, access, one, other)


class BoardApi(Controller):
    """On a planning board."""

    path = "/api/t/{key:str}/plan"
    tags = ("plans",)
    middleware = (KEYS.middleware,)

    @get("/", operation_id="getPlan", summary="Compare a planning board with its game")
    def plan(self, access: GivenAccess, services: GivenPlans) -> PlanView:
        """Whether the plan still fits the game, and what can be played of it."""
        view = services.seen(access, None)[0].plan
        if view is None:
            raise NotHere("this is a game, and no planning board")
        return view

    @put("/", operation_id="renamePlan", summary="Rename a planning board")
    def rename(self, access: GivenAccess, services: GivenPlans, data: JSONBody[SentName]) -> None:
        """Give the planning board another name."""
        services.plans.rename(access, data.name)

    @delete("/", operation_id="deletePlan", summary="Delete a planning board")
    def throw_away(self, access: GivenAccess, services: GivenPlans) -> None:
        """Delete the planning board with all its moves. This cannot be undone."""
        services.plans.throw_away(access)

    @post("/redo", status_code=200, operation_id="redoPlannedMove", summary="Redo a move on a planning board")
    def redo(
        self, access: GivenAccess, services: GivenPlans, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        """Make the move again that was undone last."""
        services.plans.redo(access, data.version)
        return after_change(services, access, data.page, theme)

    @post("/renew", status_code=200, operation_id="rebasePlan", summary="Move a planning board to the present game")
    def renew(
        self, access: GivenAccess, services: GivenPlans, data: JSONBody[Sent], theme: ThemeCookie = ""
    ) -> Update | None:
        """Start again where the game stands now, with the planned moves that are still legal."""
        services.plans.renew(access, data.version)
        return after_change(services, access, data.page, theme)

    @post(
        "/bot", status_code=200, operation_id="letBotPlan", summary="Let a bot move on a planning board", errors=(403,)
    )
    async def bot(
        self, access: GivenAccess, services: GivenPlans, data: JSONBody[SentBot], theme: ThemeCookie = ""
    ) -> BotAnswers:
        """A bot makes one move, or moves for all others until a seat is to move."""
        answered = await services.plans.bot(access, data.version, data.bot, data.until)
        update = await asyncio.to_thread(after_change, services, access, data.page, theme)
        return BotAnswers(answered=answered, update=update)

    @post(
        "/play",
        status_code=200,
        operation_id="playPlannedMove",
        summary="Play the first planned move in the game",
        errors=(403,),
    )
    def play(self, access: GivenAccess, services: GivenPlans, data: JSONBody[Sent]) -> PlayedForReal:
        """Make the first planned move at the table itself, if you are to move there."""
        owner = services.plans.play(access, data.version)
        version = _version(services, owner)
        return PlayedForReal(version, f"/t/{owner.key}")

    @get("/run/{company:str}", operation_id="getPlannedRun", summary="Get the best run of a company")
    def run(self, access: GivenAccess, services: GivenPlans, company: FromPath[str]) -> RunView:
        """What a company would run for on the planning board."""
        run = best_run(services.house.looked_at(access.game), company, Steps(PATIENCE))
        return RunView(company, run.revenue, run.subsidy, run.proven, tuple(route.path for route in run.routes))


def _listed(services: PlanServices, access: Access, known: list[str]) -> list[PlanSummary]:
    return summaries(services.plans.mine(access, known), access)


def comparison(services: PlanServices, access: Access, one: str, other: str) -> Comparison:
    """Both are plans of the same key, or the game itself."""
    currency = face_of(services.house.looked_at(access.game)).words.currency
    return compare(_figures(services, access, one), _figures(services, access, other), currency)


def _figures(services: PlanServices, access: Access, which: str) -> Figures:
    own = access.key.partition(BOARD)[0]
    who = services.house.access(own if which == GAME else f"{own}{BOARD}{which}")
    with services.house.holding(who.game) as room:
        name, game, version = "The game" if which == GAME else room.name, room.game.branch(), room.version
    return services.lookout.once(("figures", who.game, version, name), lambda: figures(name, game))


def _version(services: PlanServices, who: Access) -> int:
    with services.house.holding(who.game) as room:
        return room.version


class PlanPages(Controller):
    path = "/t/{key:str}/plans"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/")
    def mine(self, visit: GivenVisit, access: GivenAccess, services: GivenPlans, known: Known = None) -> Response[str]:
        """All plans for a game, to open and to compare."""
        plans = _listed(services, access, known or [])
        return visit.page("plans.html", plans=plans, key=access.key, board=access.game if access.origin else "")

    @post("/", middleware=[PLANS.middleware])
    def make(self, form: GivenForm, access: GivenAccess, services: GivenPlans) -> Response[Any]:
        """A board that begins after a move; for pages that are no tables."""
        board = services.plans.make(access, "", number_in(form, "at"))
        return go(f"/t/{board.key}")

    @get("/compare")
    def compare(
        self, visit: GivenVisit, access: GivenAccess, services: GivenPlans, one: Which = GAME, other: Which = GAME
    ) -> Response[str]:
        found = comparison(services, access, one, other)
        return visit.page("comparison.html", comparison=found)
