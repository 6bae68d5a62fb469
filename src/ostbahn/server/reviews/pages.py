"""Pages of the coach and of reports: findings, exercises, playing on from any move, PDF and data files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Annotated, Any, Final

from litestar import Response
from litestar.params import FromPath, QueryParameter
from markupsafe import Markup

from ostbahn.bots.registry import STRONGEST, bots_for_title
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.review.coach import Coaching, Exercise, Verdict, check_amount
from ostbahn.server.accounts.rate_limits import COACH, GAMES
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, Visit, check_not_banned, theme_in
from ostbahn.server.games.new_table import NewSeat, NewTable, check_seats
from ostbahn.server.games.services import InjectedAccess, KeyPages, KeyRoutes, to_table
from ostbahn.server.limits import LONGEST_FIELD, OptionalNumber, as_number, number_in
from ostbahn.server.reviews.service import InjectedReviews, ReviewedGame, ReviewServices
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.coach_view import coach_values, exercise_at, exercise_values
from ostbahn.table.rendering import theme_of
from ostbahn.table.room import HERE, seats_of
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.title_views import views_of

Seat = Annotated[str, QueryParameter(max_length=LONGEST_FIELD)]


class CoachPages(KeyPages):
    path = "/t/{key:str}"

    @get("/coach")
    def coach(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedReviews, seat: Seat = ""
    ) -> Response[str]:
        """The findings, or the progress until they are ready."""
        reviewed_game, seats = _reviewed_game(services, access)
        if seat and seat not in seats:
            raise NotYours("these are not your decisions")
        progress = services.coach_service.progress_of(reviewed_game)
        values: dict[str, Any] = {"key": access.key, "over": reviewed_game.game.over}
        if progress.coaching is None:
            values |= {"done": progress.done, "parts": progress.parts, "failed": progress.failed}
            return visit.page("coach_wait.html", seat=seat, **values)
        return visit.page("coach.html", **values, **coach_values(reviewed_game.game, progress.coaching, seats, seat))

    @get("/coach/{number:str}")
    def exercise(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedReviews, number: FromPath[str]
    ) -> Response[str]:
        return _exercise_page(visit, access, *_find_exercise(services, access, number))

    @post("/coach/{number:str}", status_code=200, middleware=[COACH.middleware])
    async def attempt(
        self,
        visit: InjectedVisit,
        form: InjectedForm,
        access: InjectedAccess,
        services: InjectedReviews,
        number: FromPath[str],
    ) -> Response[str]:
        """Try an answer, or show the best one."""
        reviewed_game, exercise = await asyncio.to_thread(_find_exercise, services, access, number)
        if form.get("show"):
            return await asyncio.to_thread(_exercise_page, visit, access, reviewed_game, exercise, answered=True)
        chosen = number_in(form, "answer")
        if chosen is None:
            verdict = Verdict(False, "Choose an answer." if exercise.asks == "answer" else "Say an amount.")
        elif exercise.asks == "amount":
            verdict = check_amount(exercise, chosen, text_renderer_of(reviewed_game.game).words.money(exercise.best))
        else:
            verdict = await services.coach_service.try_answer(reviewed_game, exercise.number, exercise.proven, chosen)
        return await asyncio.to_thread(_exercise_page, visit, access, reviewed_game, exercise, verdict, chosen)

    @get("/play-on")
    def ask_to_play_on(
        self, visit: InjectedVisit, access: InjectedAccess, services: InjectedReviews, at: OptionalNumber = None
    ) -> Response[str]:
        """The form for seat and bots."""
        return _seats_page(visit, access, _position_at(services, access, at))

    @post("/play-on", middleware=[GAMES.middleware])
    def play_on(
        self, visit: InjectedVisit, form: InjectedForm, access: InjectedAccess, services: InjectedReviews
    ) -> Response[Any]:
        """Create a table that continues from a move of this game."""
        check_not_banned(visit.visitor)
        position = _position_at(services, access, number_in(form, "at"))
        try:
            wanted = _new_table(position, str(form.get("seat") or ""), str(form.get("bot") or STRONGEST))
            host = services.game_service.create_copy(wanted, position)
        except OstbahnError as error:
            return _seats_page(visit, access, position, error)
        return to_table(visit, services, host)


def _reviewed_game(services: ReviewServices, access: Access) -> tuple[ReviewedGame, list[str]]:
    """The game, and the seats whose decisions may be shown: in a running game the visitor's own, if hints are on."""
    own = services.game_service.table_access(access)
    with services.game_service.holding(own.game) as table:
        over = table.game.over
    with services.game_service.holding(access.game) as room:
        if room.skipped:
            raise Stale("the beginning of this game cannot be replayed any more, so the coach cannot look at it")
        game = room.game.branch()
        stamps = tuple(given.version for given in room.given)
        seats = list(seats_of(game.setup)) if over and game.over else list(own.seats)
        if not game.over and not room.hints:
            raise NotYours("the coach waits for the end of this game: there are no hints at this table")
    if not seats:
        raise NotYours("while a game goes on the coach speaks only to those who play it")
    return ReviewedGame(access.game, stamps, game), seats


def _find_exercise(services: ReviewServices, access: Access, number: str) -> tuple[ReviewedGame, Exercise]:
    reviewed_game, seats = _reviewed_game(services, access)
    coaching: Coaching | None = services.coach_service.progress_of(reviewed_game).coaching
    move = as_number(number)
    exercise = None if coaching is None or move is None else exercise_at(reviewed_game.game, coaching, seats, move)
    if exercise is None:
        raise NotHere("there is no such exercise; the list of the coach has all of them")
    return reviewed_game, exercise


def _exercise_page(
    visit: Visit,
    access: Access,
    reviewed_game: ReviewedGame,
    exercise: Exercise,
    verdict: Verdict | None = None,
    chosen: int | None = None,
    answered: bool = False,
) -> Response[str]:
    theme = theme_of(theme_in(visit.request))
    values = exercise_values(reviewed_game.game, exercise, theme, verdict, chosen, answered)
    return visit.page("coach_exercise.html", key=access.key, **values)


def _position_at(services: ReviewServices, access: Access, at: int | None) -> Game:
    """A copy of the game after `at` answers."""
    services.game_service.check_copy(access)
    with services.game_service.holding(access.game) as room:
        number = room.number if at is None else at
        if room.skipped:
            raise Stale("the beginning of this game cannot be replayed any more, so nobody can play on from there")
        if not 0 <= number <= room.number:
            raise NotHere(f"there is no move {number}: this game has {room.number}")
        return room.at(number).branch()


def _new_table(position: Game, seat: str, bot: str) -> NewTable:
    setup = position.setup
    players = zip(seats_of(setup), setup.players, strict=True)
    seats = tuple(NewSeat(name, HERE if other == seat else bot) for other, name in players)
    if seat not in seats_of(setup):
        raise NotHere("choose whom you would like to play")
    if position.over:
        raise NotHere("the game is over there; go back to an earlier move first")
    check_seats(seats, setup.title)
    return NewTable(title=setup.title, variant=setup.variant, name="", seats=seats)


def _seats_page(visit: Visit, access: Access, position: Game, error: OstbahnError | None = None) -> Response[str]:
    question, setup = position.question, position.setup
    return visit.page(
        "play_on.html",
        error,
        key=access.key,
        at=len(position),
        round=views_of(position).round,
        seats=list(zip(seats_of(setup), setup.players, strict=True)),
        asked=None if question is None else question.decider,
        bots=bots_for_title(setup.title),
        strongest=STRONGEST,
    )


FIGURE_TABLES: Final = ("payments", "players", "wealth", "holdings", "companies", "trains", "phases")
"""The names in `review/reports/frames.py`, as a test checks."""
FILE_TYPES: Final[Mapping[str, str]] = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


class ReportPages(KeyPages):
    path = "/t/{key:str}"

    @get("/report")
    async def report(self, visit: InjectedVisit, access: InjectedAccess, services: InjectedReviews) -> Response[str]:
        report = await services.reports.page(access.game)
        return await asyncio.to_thread(
            visit.page,
            "report.html",
            key=access.key,
            style=Markup(report.style),
            body=Markup(report.body),
            missing=report.missing,
            pdf=not report.missing and find_spec("typst") is not None,
            tables=FIGURE_TABLES if not report.missing and find_spec("polars") is not None else (),
        )

    @get("/report.pdf", media_type="application/pdf")
    async def pdf(self, access: InjectedAccess, services: InjectedReviews) -> Response[bytes]:
        data = await services.reports.pdf(access.game)
        headers = {"Content-Disposition": 'attachment; filename="report.pdf"'}
        return Response(data, media_type="application/pdf", headers=headers)


class FiguresApi(KeyRoutes):
    path = "/api/t/{key:str}"
    tags = ("table",)

    @get(
        "/figures/{file:str}",
        operation_id="downloadFigures",
        summary="Download the figures of a game",
        files=tuple(FILE_TYPES.values()),
    )
    async def figures(self, access: InjectedAccess, services: InjectedReviews, file: FromPath[str]) -> Response[bytes]:
        """A table of figures as CSV or Parquet: `payments`, `players`, `wealth`, `holdings`, `companies`, `trains`
        or `phases`.
        """
        name, _, file_format = file.partition(".")
        if name not in FIGURE_TABLES or file_format not in FILE_TYPES:
            raise NotHere(f"there is no {file[:40]}; there are {', '.join(FIGURE_TABLES)}, each as .csv and .parquet")
        data = await services.reports.figures(access.game, name, file_format)
        headers = {"Content-Disposition": f'attachment; filename="{file}"'}
        return Response(data, media_type=FILE_TYPES[file_format], headers=headers)
