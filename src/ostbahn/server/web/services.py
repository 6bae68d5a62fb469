"""The composition root: templates of all features, listeners of games and accounts, and the services of all routes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from ostbahn.server.accounts.logins import Attempts, Browsers, Devices
from ostbahn.server.accounts.people import AccountListener, AccountService
from ostbahn.server.accounts.visitors import AccountServices, Injected
from ostbahn.server.bots import service as bot_turns
from ostbahn.server.bots.service import BotListener, HintService, HintServices
from ostbahn.server.chat.service import Chat, ChatListener, ChatServices
from ostbahn.server.clocks.service import Clocks, ClockServices, holiday_settings
from ostbahn.server.clocks.timekeeper import ClockListener, HolidayOwners
from ostbahn.server.db.database import Database
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.import_sandbox import ImportSandbox
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.live import LiveUpdates, channels
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.jobs.concurrency import SingleFlightCache
from ostbahn.server.jobs.queue import Jobs
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.lobby.service import Lobby, LobbyServices
from ostbahn.server.metrics import Metrics, watch_connections
from ostbahn.server.notifications.channels import NotificationConfig, notification_config_of
from ostbahn.server.notifications.service import NotificationListener, Notifications, NotificationServices
from ostbahn.server.notifications.subscriptions import NotificationOwners, delete_old_idempotency_keys
from ostbahn.server.ops.health import Health, ServerStats, server_stats
from ostbahn.server.ops.personal_data import PersonalData
from ostbahn.server.plans.service import Plans, PlanServices
from ostbahn.server.profiles.service import Profiles, ProfileServices
from ostbahn.server.programmed.service import ProgrammedListener, ProgrammedMoves, ProgrammedServices
from ostbahn.server.reviews.service import CoachService, ReportService, ReviewServices
from ostbahn.server.settings import Settings
from ostbahn.server.tournaments import service as tournament_service
from ostbahn.server.tournaments.service import TournamentListener, Tournaments, TournamentServices
from ostbahn.table.rendering import Application, Renderer
from ostbahn.table.slots import CLOCKS, END_WORDS, LABELS

WITH_PAGES: Final = (
    *("accounts", "chat", "clocks", "games", "imports", "lobby", "notifications", "profiles", "programmed", "reviews"),
    *("tournaments", "web"),
)
SITE: Final = Application(
    packages=tuple(f"ostbahn.server.{package}" for package in WITH_PAGES),
    layout="base.html",
    page="at_table.html",
    panels={
        "people": lambda view: {"seats": view.seats, "seen": {} if view.clocks is None else view.clocks.seen},
        "prepared": lambda view: {
            "open": view.now and not view.round.over and view.plan is None and any(seat.mine for seat in view.seats),
            "prepared": view.prepared,
        },
        "chat": lambda view: {"messages": view.messages},
    },
    scripts=("at_table.js",),
    modules=("bell.js", "clocks.js", "invite.js", "prepare.js", "chat.js"),
    styles=("invite", "prepare", "notifications"),
    set_up=lambda env: env.globals.update(clock_groups=CLOCKS, clock_labels=LABELS, clock_ends=END_WORDS),
)


def game_listeners(clock: Clock) -> tuple[GameListener, ...]:
    """The listeners of every game service, in order: clocks are set before notifications are queued."""
    return (
        ProgrammedListener(),
        ClockListener(clock),
        NotificationListener(clock),
        ChatListener(),
        BotListener(clock),
        TournamentListener(),
    )


def account_listeners(database: Database) -> tuple[AccountListener, ...]:
    """The listeners of every account service."""
    return MyGames(database), HolidayOwners(), NotificationOwners()


@dataclass(frozen=True, kw_only=True)
class Services(
    LobbyServices,
    TournamentServices,
    ClockServices,
    ChatServices,
    ProgrammedServices,
    PlanServices,
    ReviewServices,
    NotificationServices,
    HintServices,
    ProfileServices,
):
    """The services of all features. Routes get this object, and declare the type with their own feature's services."""

    personal_data: PersonalData
    runner: JobRunner
    clocks: Clocks
    notifications: Notifications
    settings: Settings
    metrics: Metrics
    health: Health


InjectedServices = Injected[Services]


def create_services(
    url: str,
    clock: Clock,
    seated_bots: SeatedBots | None = None,
    data: Path | None = None,
    settings: Settings | None = None,
    damaged: Mapping[str, str] | None = None,
    notification_config: NotificationConfig | None = None,
) -> Services:
    """All services on a database. damaged: the known damaged games (default: check all games)."""
    settings = settings or Settings()
    database = Database(url, data, settings.key_secret)
    game_service = GameService(database, clock, seated_bots, metrics_of(database, clock), game_listeners(clock))
    if damaged is None:
        game_service.rooms.find_damaged_games()
    else:
        game_service.rooms.damaged.update(damaged)
    return _feature_services(game_service, settings, notification_config or notification_config_of(settings))


def _feature_services(game_service: GameService, settings: Settings, config: NotificationConfig) -> Services:
    database = game_service.database
    accounts = _account_services(game_service)
    tournaments, single_flight = Tournaments(game_service), SingleFlightCache()
    clocks = Clocks(game_service, daily_tasks=[delete_old_idempotency_keys])
    live_updates = LiveUpdates(game_service, channels(), clocks.seen.note)
    notifications = Notifications(game_service, config, lambda game: live_updates.presence.at(game).seats)
    chat, programmed_moves, plans = Chat(game_service), ProgrammedMoves(game_service), Plans(game_service)
    return Services(
        **vars(accounts),
        game_service=game_service,
        my_games=MyGames(database),
        lobby=Lobby(game_service),
        chat=chat,
        proposals=Proposals(game_service),
        programmed_moves=programmed_moves,
        live_updates=live_updates,
        import_sandbox=ImportSandbox(),
        single_flight=single_flight,
        hints=HintService(game_service.seated_bots, single_flight),
        plans=plans,
        reports=ReportService(game_service),
        coach_service=CoachService(game_service.seated_bots, single_flight),
        profiles=Profiles(database),
        personal_data=PersonalData(game_service, accounts.people),
        tournaments=tournaments,
        runner=_job_runner(game_service, tournaments, clocks, notifications),
        clocks=clocks,
        votes=clocks.votes,
        holidays=clocks.holidays,
        notifications=notifications,
        subscriptions=notifications.subscriptions,
        notification_config=notifications.config,
        dispatcher=notifications.dispatcher,
        other_settings=partial(holiday_settings, clocks.holidays),
        slots=(chat.slot, programmed_moves.slot, plans.slot, clocks.slot),
        settings=settings,
        metrics=game_service.metrics,
        health=Health(game_service),
    )


def _account_services(game_service: GameService) -> AccountServices:
    database, clock = game_service.database, game_service.clock
    return AccountServices(
        database=database,
        clock=clock,
        people=AccountService(database, account_listeners(database)),
        attempts=Attempts(database),
        devices=Devices(database, clock),
        browsers=Browsers(database, clock),
        renderer=Renderer(SITE),
        is_key=game_service.is_key,
    )


def _job_runner(
    game_service: GameService, tournaments: Tournaments, clocks: Clocks, notifications: Notifications
) -> JobRunner:
    """A runner with a handler for every kind of job."""
    runner = JobRunner(Jobs(game_service.database), game_service.clock)
    bot_threads = max(2, os.cpu_count() or 1, game_service.seated_bots.max_parallel)
    runner.register(bot_turns.BOT_JOB, partial(bot_turns.run_bot_job, game_service), bot_threads)
    runner.register(tournament_service.ROUND_JOB, tournaments.begin_next_round)
    clocks.register(runner)
    notifications.register(runner)
    return runner


def metrics_of(database: Database, clock: Clock) -> Metrics:
    """Prometheus metrics, if its library is installed."""
    try:
        from ostbahn.server.ops.prometheus import Prometheus
    except ModuleNotFoundError:
        return Metrics()

    def stats() -> ServerStats:
        with database.session() as session:
            return server_stats(session, clock())

    metrics = Prometheus(stats)
    watch_connections(metrics, database.engine)
    return metrics
