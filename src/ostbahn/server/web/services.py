"""The services of all features, put together: pages of the site, listeners to games and accounts, what routes get."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from ostbahn.server.accounts.logins import Attempts, Browsers, Devices
from ostbahn.server.accounts.people import AccountListener, People
from ostbahn.server.accounts.visitors import Given
from ostbahn.server.bots import service as bot_turns
from ostbahn.server.bots.service import BotListener, Hints, HintServices
from ostbahn.server.chat.service import ChatListener, ChatServices, Talk
from ostbahn.server.clocks.service import Clocks, ClockServices, holiday_settings
from ostbahn.server.clocks.timekeeper import ClockListener, HolidayOwners
from ostbahn.server.db.database import Archive
from ostbahn.server.games.bot_pool import Opponents
from ostbahn.server.games.import_sandbox import Customs
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.live import Live, channels
from ostbahn.server.games.service import Clock, House
from ostbahn.server.games.services import Proposals
from ostbahn.server.jobs.concurrency import Lookout
from ostbahn.server.jobs.queue import Jobs
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.lobby.service import Lobby, LobbyServices
from ostbahn.server.metrics import Figures, watch_connections
from ostbahn.server.notifications.channels import Outlets, outlets_of
from ostbahn.server.notifications.service import NotificationListener, Notifications, NotificationServices
from ostbahn.server.notifications.subscriptions import NotificationOwners, forget_old
from ostbahn.server.ops.health import Health, HouseTally, tally
from ostbahn.server.ops.leaving import Leaving
from ostbahn.server.plans.service import Plans, PlanServices
from ostbahn.server.profiles.service import Profiles, ProfileServices
from ostbahn.server.programmed.service import Preparations, PreparedServices, ProgrammedListener
from ostbahn.server.reviews.service import Coaches, Reports, ReviewServices
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
    modules=("bell.js", "clocks.js", "invite.js", "prepare.js", "talk.js"),
    styles=("invite", "prepare", "told"),
    set_up=lambda env: env.globals.update(clock_groups=CLOCKS, clock_labels=LABELS, clock_ends=END_WORDS),
)


def game_listeners(clock: Clock) -> tuple[GameListener, ...]:
    """For every game service that changes games; clocks are set before anybody is notified."""
    return (
        ProgrammedListener(),
        ClockListener(clock),
        NotificationListener(clock),
        ChatListener(),
        BotListener(clock),
        TournamentListener(),
    )


def account_listeners(archive: Archive) -> tuple[AccountListener, ...]:
    """For every service with which people register or log in."""
    return MyGames(archive), HolidayOwners(), NotificationOwners()


@dataclass(frozen=True, kw_only=True)
class Services(
    LobbyServices,
    TournamentServices,
    ClockServices,
    ChatServices,
    PreparedServices,
    PlanServices,
    ReviewServices,
    NotificationServices,
    HintServices,
    ProfileServices,
):
    """Those of all features: routes ask for the ones of their own feature, and are given this."""

    leaving: Leaving
    runner: JobRunner
    clocks: Clocks
    notifications: Notifications
    settings: Settings
    figures: Figures
    health: Health


GivenServices = Given[Services]


def services(
    url: str,
    clock: Clock,
    opponents: Opponents | None = None,
    data: Path | None = None,
    settings: Settings | None = None,
    damaged: Mapping[str, str] | None = None,
    outlets: Outlets | None = None,
) -> Services:
    """damaged: games known to be, where that was checked already. outlets: if not those of the settings."""
    settings = settings or Settings()
    archive = Archive(url, data, settings.key_secret)
    figures = figures_of(archive, clock)
    house = House(archive, clock, opponents, figures, game_listeners(clock))
    if damaged is None:
        house.rooms.look_over()
    else:
        house.rooms.damaged.update(damaged)
    people, tournaments, lookout = People(archive, account_listeners(archive)), Tournaments(house), Lookout()
    clocks = Clocks(house, chores=[forget_old])
    live = Live(house, channels(), clocks.seen.note)
    outlets = outlets_of(settings) if outlets is None else outlets
    notifications = Notifications(house, outlets, lambda game: live.presence.at(game).seats)
    runner = JobRunner(Jobs(archive), clock)
    # bots are waited for in threads of their own, so that people need not wait until one is free
    runner.register(
        bot_turns.KIND, partial(bot_turns.play, house), max(2, os.cpu_count() or 1, house.opponents.at_once)
    )
    runner.register(tournament_service.KIND, tournaments.begin_next)
    clocks.register(runner)
    notifications.register(runner)
    talk, preparations, plans = Talk(house), Preparations(house), Plans(house)
    return Services(
        archive=archive,
        clock=clock,
        is_key=house.is_key,
        house=house,
        attempts=Attempts(archive),
        devices=Devices(archive, clock),
        people=people,
        my_games=MyGames(archive),
        lobby=Lobby(house),
        talk=talk,
        proposals=Proposals(house),
        preparations=preparations,
        renderer=Renderer(SITE),
        live=live,
        customs=Customs(),
        lookout=lookout,
        hints=Hints(house.opponents, lookout),
        plans=plans,
        reports=Reports(house),
        coaches=Coaches(house.opponents, lookout),
        browsers=Browsers(archive, clock),
        profiles=Profiles(archive),
        leaving=Leaving(house, people),
        tournaments=tournaments,
        runner=runner,
        clocks=clocks,
        votes=clocks.votes,
        holidays=clocks.holidays,
        notifications=notifications,
        wishes=notifications.wishes,
        outlets=notifications.outlets,
        messenger=notifications.messenger,
        other_settings=partial(holiday_settings, clocks.holidays),
        slots=(talk.slot, preparations.slot, plans.slot, clocks.slot),
        settings=settings,
        figures=figures,
        health=Health(house),
    )


def figures_of(archive: Archive, clock: Clock) -> Figures:
    """Figures of this server, if the library is there that counts them."""
    try:
        from ostbahn.server.ops.prometheus import Prometheus
    except ModuleNotFoundError:
        return Figures()

    def counted() -> HouseTally:
        with archive.session() as session:
            return tally(session, clock())

    figures = Prometheus(counted)
    watch_connections(figures, archive.engine)
    return figures
