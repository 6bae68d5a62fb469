"""Turns of bots, as jobs for any worker, and hints for people."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from litestar import post
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ostbahn.bots.hints import Hint
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.kernel.game import Game
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.db.database import Database
from ostbahn.server.faults import Damaged
from ostbahn.server.games.bot_pool import SeatedBots, busy_when_slow
from ostbahn.server.games.listeners import GameListener, TurnChange
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.services import GameServices, InjectedAccess, KeyRoutes
from ostbahn.server.games.tables import EntryRow, GameRow, SeatRow
from ostbahn.server.jobs.concurrency import BoundedExecutor, SingleFlightCache
from ostbahn.server.jobs.queue import AT_ONCE, Job, JobRow, enqueue, finish
from ostbahn.server.metrics import timed_bot_answer
from ostbahn.table.access import NotHere
from ostbahn.table.room import LogEntry, Room
from ostbahn.views.hints import HintView, hint_view

LOG: Final = logging.getLogger(__name__)
BOT_JOB: Final = "bot"
BOT_TO_MOVE: Final = (SeatRow.game == GameRow.id) & (SeatRow.seat == GameRow.turn) & SeatRow.bot.is_not(None)


class BotListener(GameListener):
    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def game_created(self, session: Session, room: Room, wanted: NewTable, new_turn: TurnChange | None) -> None:
        enqueue_bot_turn(session, room, self.clock(), paced=False)

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        enqueue_bot_turn(session, room, self.clock(), paced=any(entry.how == "bot" for entry in entries))


def enqueue_bot_turn(session: Session, room: Room, now: datetime, paced: bool) -> None:
    """Enqueue the turn of a bot if one is to move; `paced` delays it so that people can follow."""
    if room.turn is not None and room.turn in room.bots:
        due = now + timedelta(milliseconds=room.pace) if paced and room.pace else AT_ONCE
        _enqueue_turn(session, room.id, room.version, due)


def _enqueue_turn(session: Session, game: str, version: int, due: datetime) -> None:
    """Enqueue a bot job. Its name holds the table's version, so each version gets one job."""
    enqueue(session, BOT_JOB, f"{BOT_JOB} {game} {version}", due, str(version), game, soon=True)


def enqueue_missing_bot_turns(database: Database) -> None:
    """Enqueue the turns of bots that have no job, as in databases of releases without jobs."""
    bot_jobs = select(JobRow.game).where(JobRow.kind == BOT_JOB, JobRow.game == GameRow.id)
    version = select(func.coalesce(func.max(EntryRow.version), 0)).where(EntryRow.game == GameRow.id).scalar_subquery()
    without_job = select(GameRow.id, version).join(SeatRow, BOT_TO_MOVE).where(~bot_jobs.exists())
    with database.session() as session:
        for game, last_version in session.execute(without_job).all():
            _enqueue_turn(session, game, last_version, AT_ONCE)


def run_bot_job(game_service: GameService, job: Job) -> None:
    """Run the job of a bot's turn. Missing and damaged games are logged; the job runner retries other failures."""
    try:
        play_bot_turn(game_service, job.game or "", job)
    except (NotHere, Damaged) as fault:
        LOG.error("the bots of game %s have stopped: %s", job.game, fault)


def play_bot_turn(game_service: GameService, game: str, job: Job | None = None) -> bool:
    """Ask the bot that is to move, and record its answer unless the table has changed meanwhile.

    A job for an older version is ignored. Return whether a bot was asked.
    """
    game_service.priority_gate.wait_for_people()
    with game_service.holding(game) as room:
        seat, version = room.turn, room.version
        code = room.bots.get(seat or "")
        if seat is None or code is None:
            game_service.seated_bots.release_threads(game)
            return False
        if job is not None and job.data != str(version):
            return False
        position = room.game.branch()
    bot = game_service.seated_bots.bot_for(game, position, seat, code)
    with timed_bot_answer(game_service.metrics, code):  # without the lock, since thinking may take long
        bot_answer = ask_bot(bot, position)
    game_service.priority_gate.wait_for_people()
    with game_service.changing(game) as (room, session):
        if room.version == version and room.bots.get(seat) == code:  # no undo and no change of seats meanwhile
            entries = room.answer(bot_answer.action, seat, "bot", bot_answer.note)
            if job is not None:
                finish(session, job)
            game_service.record_with_follow_ups(session, room, entries)
        if room.turn not in room.bots:
            game_service.seated_bots.release_threads(game)
        return True


MOST_WAITING: Final = 20  # requests for hints


class HintService:
    def __init__(self, seated_bots: SeatedBots, single_flight: SingleFlightCache) -> None:
        self.seated_bots = seated_bots
        self.single_flight = single_flight
        busy = "many people ask for hints at the moment; try again in a minute"
        self._executor = BoundedExecutor("hint", seated_bots.max_parallel, MOST_WAITING, busy)

    async def hint_at(self, table: str, version: int, position: Game) -> Hint:
        """Return the hint for a version of a table; concurrent requests share one search."""
        find_once = partial(self.single_flight.once, ("hint", table, version), partial(self._find, table, position))
        return await self._executor.run(find_once)

    def _find(self, table: str, position: Game) -> Hint:
        with busy_when_slow(f"hint for game {table}", "the bot found no answer this time; ask it again later"):
            return self.seated_bots.hint(table, position)

    def close(self) -> None:
        self._executor.close()


@dataclass(frozen=True, kw_only=True)
class HintServices(GameServices):
    hints: HintService


InjectedHints = Injected[HintServices]


class HintApi(KeyRoutes):
    path = "/api/t/{key:str}"
    tags = ("table",)

    @post("/hint", status_code=200, operation_id="getHint", summary="Ask a bot for advice", errors=(403,))
    async def hint(self, access: InjectedAccess, services: InjectedHints) -> HintView:
        """What the strongest bot would answer in your place, and why. It may think for some seconds."""
        position, version = await asyncio.to_thread(services.game_service.hint_position, access)
        hint = await services.hints.hint_at(access.game, version, position)
        return await asyncio.to_thread(hint_view, position, hint, version)
