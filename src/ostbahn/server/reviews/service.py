"""The coach and reports of games: computed in other processes, cached by chunk of answers and by version."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, Final, NamedTuple, cast

from ostbahn.bots.limits import BotTimeout
from ostbahn.bots.playing import BotUnavailable
from ostbahn.bots.worker_pool import WorkerDied, WorkFailed
from ostbahn.bots.worker_process import GameWork
from ostbahn.extras import MissingExtra
from ostbahn.kernel.game import Game
from ostbahn.review.coach import Coaching, CoachingPart, Verdict, check_answer, coach_answers, merge_findings
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.faults import Busy
from ostbahn.server.games.bot_pool import SeatedBots, busy_when_slow
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import GameServices
from ostbahn.server.jobs.concurrency import BoundedExecutor, SingleFlightCache
from ostbahn.table.access import NotHere

LOG: Final = logging.getLogger(__name__)
CHUNK_SIZE: Final = 25  # answers reviewed at a time, so that bots of other tables get their turn
CHUNK_SECONDS: Final = 60.0  # limit for a chunk or an attempt; a chunk takes two or three seconds
MOST_WAITING: Final = 10  # games for the coach, and requests for a verdict or a report
MOST_CACHED_COACHINGS: Final = 32


class ReviewedGame(NamedTuple):
    """A game to review, and what identifies its state."""

    table: str
    stamps: tuple[int, ...]
    """The version of every answer, which differs after undo."""
    game: Game

    @property
    def key(self) -> tuple[str, int, int]:
        return self.table, len(self.game), self.stamps[-1] if self.stamps else 0


class Progress:
    """The progress of the coach with a game."""

    def __init__(self, parts: int) -> None:
        self.parts = max(1, parts)
        self.done = 0  # parts
        self.coaching: Coaching | None = None
        self.failed = False


class CoachService:
    def __init__(self, seated_bots: SeatedBots, single_flight: SingleFlightCache) -> None:
        self.seated_bots, self.single_flight = seated_bots, single_flight
        self._progress_by_key: dict[tuple[str, int, int], Progress] = {}
        """By `ReviewedGame.key`, the least recently used first."""
        self._lock = Lock()
        # one game at a time, to leave the pool to bots at the tables
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="coach")
        busy = "many people ask the coach at the moment; try again in a minute"
        self._attempts = BoundedExecutor("attempt", 2, MOST_WAITING, busy)

    def progress_of(self, reviewed_game: ReviewedGame) -> Progress:
        """The progress with a game; the first call starts the review."""
        with self._lock:
            cached = self._progress_by_key.pop(reviewed_game.key, None)
            if cached is not None and not cached.failed:
                self._progress_by_key[reviewed_game.key] = cached
                return cached
            all_progress = self._progress_by_key.values()
            if sum(other.coaching is None and not other.failed for other in all_progress) >= MOST_WAITING:
                raise Busy("many games wait for the coach at the moment; try again in a few minutes")
            progress = self._progress_by_key[reviewed_game.key] = Progress(-(-len(reviewed_game.game) // CHUNK_SIZE))
            while len(self._progress_by_key) > MOST_CACHED_COACHINGS:
                del self._progress_by_key[next(iter(self._progress_by_key))]
        self._threads.submit(self._review, reviewed_game, progress)
        return progress

    def _review(self, reviewed_game: ReviewedGame, progress: Progress) -> None:
        """Review a game chunk by chunk, and store the merged findings in its progress."""
        try:
            chunks = list(self._review_chunks(reviewed_game, progress))
            progress.coaching = self._run_in_bot_process(reviewed_game, partial(merge_findings, parts=chunks))
        except Exception:
            LOG.exception("the coach could not look at game %s", reviewed_game.table)
            progress.failed = True

    def _review_chunks(self, reviewed_game: ReviewedGame, progress: Progress) -> Iterator[CoachingPart]:
        length, over = len(reviewed_game.game), reviewed_game.game.over
        for first in range(1, length + 1, CHUNK_SIZE):
            last = min(length, first + CHUNK_SIZE - 1)
            work = partial(coach_answers, first=first, last=last)
            # some findings are known only when the game is over
            key = ("coach", reviewed_game.table, first, last, reviewed_game.stamps[last - 1], over)
            yield self.single_flight.once(key, partial(self._run_in_bot_process, reviewed_game, work))
            progress.done += 1

    async def try_answer(self, reviewed_game: ReviewedGame, number: int, proven: bool, option: int) -> Verdict:
        """Judge a player's answer to the exercise at a move."""
        return await self._attempts.run(lambda: self._judge_answer(reviewed_game, number, proven, option))

    def _judge_answer(self, reviewed_game: ReviewedGame, number: int, proven: bool, option: int) -> Verdict:
        key = ("attempt", *reviewed_game.key, number, option)
        work = partial(check_answer, number=number, proven=proven, option=option)
        try:
            return cast(Verdict, self.single_flight.once(key, lambda: self._run_in_bot_process(reviewed_game, work)))
        except (BotTimeout, WorkerDied, BotUnavailable, WorkFailed) as fault:
            LOG.warning("the coach said nothing of game %s: %s", reviewed_game.table, fault)
            raise Busy("the coach found no answer this time; ask again later") from None

    def _run_in_bot_process(self, reviewed_game: ReviewedGame, work: GameWork) -> Any:
        return self.seated_bots.run_in_pool(reviewed_game.table, reviewed_game.game, work, CHUNK_SECONDS)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._attempts.close()


REPORT_SECONDS: Final = 90.0  # limit; the longest games take a fifth of that
MOST_CACHED_REPORTS: Final = 12  # some megabytes each


class RenderedReport(NamedTuple):
    """A report as HTML, or the name of a missing extra."""

    style: str = ""
    body: str = ""
    missing: str = ""


class ReportService:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service
        self._cache = SingleFlightCache(MOST_CACHED_REPORTS)
        # one at a time: a report takes a core for some seconds
        busy = "many people ask for reports at the moment; try again in a minute"
        self._executor = BoundedExecutor("report", 1, MOST_WAITING, busy)

    async def page(self, table: str) -> RenderedReport:
        return cast(RenderedReport, await self._requested(table, "page", page_of))

    async def pdf(self, table: str) -> bytes:
        return await self._file(table, "pdf", pdf_of)

    async def figures(self, table: str, name: str, file_format: str) -> bytes:
        return await self._file(table, f"{name}.{file_format}", partial(figures_file_of, name, file_format))

    async def _file(self, table: str, what: str, make: Callable[[bool, Game], Any]) -> bytes:
        data = await self._requested(table, what, make)
        if isinstance(data, str):  # the text names a missing extra
            raise NotHere(data)
        return bytes(data)

    async def _requested(self, table: str, what: str, make: Callable[[bool, Game], Any]) -> Any:
        return await self._executor.run(lambda: self._cached(table, what, make))

    def _cached(self, table: str, what: str, make: Callable[[bool, Game], Any]) -> Any:
        """Make a document once per version. Without hints, a running game gets only sections of public record."""
        with self.game_service.holding(table) as room:
            game, version, full = room.game.branch(), room.version, room.hints or room.game.over
        return self._cache.once((what, table, version), lambda: self._make_in_process(table, game, partial(make, full)))

    def _make_in_process(self, table: str, game: Game, work: Callable[[Game], Any]) -> Any:
        with busy_when_slow(f"report of game {table}", "the report could not be made this time; try again later"):
            return self.game_service.seated_bots.run_in_pool(table, game, work, REPORT_SECONDS)

    def close(self) -> None:
        self._executor.close()


# These run in another process, and need libraries that may be missing


def page_of(full: bool, game: Game) -> RenderedReport:
    """Render a report as HTML; `full` adds sections that need more than the public record."""
    try:
        from ostbahn.review.reports.report import RECORDED, SECTIONS, body_of, report_of, style_of

        report = report_of(game, sections=SECTIONS if full else RECORDED)
        return RenderedReport(style_of(report.inks), body_of(report))
    except MissingExtra as fault:
        return RenderedReport(missing=str(fault))


def pdf_of(full: bool, game: Game) -> bytes | str:
    """Render a report as PDF; a text names a missing extra."""
    try:
        from ostbahn.review.reports.report import RECORDED, SECTIONS, report_of
        from ostbahn.review.reports.report import pdf_of as render_pdf

        return render_pdf(report_of(game, sections=SECTIONS if full else RECORDED))
    except MissingExtra as fault:
        return str(fault)


def figures_file_of(name: str, file_format: str, _: bool, game: Game) -> bytes | str:
    """Encode a table of figures; a text names a missing extra."""
    try:
        from ostbahn.review.accounts import accounts_of
        from ostbahn.review.reports.frames import FORMS, encoded, to_dataframe

        return encoded(to_dataframe(accounts_of(game), name), next(form for form in FORMS if form == file_format))
    except MissingExtra as fault:
        return str(fault)


@dataclass(frozen=True, kw_only=True)
class ReviewServices(GameServices):
    reports: ReportService
    coach_service: CoachService


InjectedReviews = Injected[ReviewServices]
