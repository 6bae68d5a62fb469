"""Everything that the routes work with, put together once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.accounts.attempts import Attempts
from ostbahn.server.accounts.browsers import Browsers
from ostbahn.server.accounts.devices import Devices
from ostbahn.server.accounts.people import People
from ostbahn.server.bots import service as bot_turns
from ostbahn.server.bots.service import Hints, HintServices
from ostbahn.server.chat.service import ChatServices, Talk, message_slot
from ostbahn.server.clocks.service import Clocks, ClockServices, clock_slot, holiday_settings
from ostbahn.server.db.database import Archive
from ostbahn.server.games.bot_pool import Opponents
from ostbahn.server.games.import_sandbox import Customs
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.live import Live, channels
from ostbahn.server.games.service import Clock, House
from ostbahn.server.games.services import Proposals
from ostbahn.server.jobs.queue import Jobs
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.jobs.single_flight import Lookout
from ostbahn.server.lobby.service import Lobby, LobbyServices
from ostbahn.server.metrics import Figures, NoFigures, watch_connections
from ostbahn.server.notifications.config import Outlets, outlets_of
from ostbahn.server.notifications.queue import forget_old
from ostbahn.server.notifications.service import Notifications
from ostbahn.server.notifications.services import NotificationServices
from ostbahn.server.ops.health import Health
from ostbahn.server.ops.leaving import Leaving
from ostbahn.server.ops.stats import HouseTally, tally
from ostbahn.server.plans.service import Plans, PlanServices, plan_slot
from ostbahn.server.profiles.service import Profiles, ProfileServices
from ostbahn.server.programmed.service import Preparations, PreparedServices, prepared_slot
from ostbahn.server.reviews.service import Coaches, Reports, ReviewServices
from ostbahn.server.settings import Settings
from ostbahn.server.tournaments import service
from ostbahn.server.tournaments.service import Tournaments, TournamentServices
from ostbahn.server.web.listeners import account_listeners, game_listeners
from ostbahn.server.web.site import SITE
from ostbahn.table.rendering import Renderer


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


GivenServices = NamedDependency[SkipValidation[Services]]


def services(
    url: str,
    clock: Clock,
    opponents: Opponents | None = None,
    data: Path | None = None,
    settings: Settings | None = None,
    damaged: Mapping[str, str] | None = None,
    outlets: Outlets | None = None,
) -> Services:
    """damaged: games of which that is known, where somebody has looked already.

    outlets: where they are others than the settings say.
    """
    settings = settings or Settings()
    archive = Archive(url, data, settings.key_secret)
    figures = figures_of(archive, clock)
    house = House(archive, clock, opponents, figures, game_listeners(clock))
    if damaged is None:
        house.look_over()
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
    runner.register(service.KIND, tournaments.begin_next)
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
        slots=(message_slot(talk), prepared_slot(preparations), plan_slot(plans), clock_slot(clocks.view)),
        settings=settings,
        figures=figures,
        health=Health(house),
    )


def figures_of(archive: Archive, clock: Clock) -> Figures:
    """Figures of this server, if the library is there that counts them."""
    try:
        from ostbahn.server.ops.prometheus import Prometheus
    except ModuleNotFoundError:
        return NoFigures()

    def counted() -> HouseTally:
        with archive.session() as session:
            return tally(session, clock())

    figures = Prometheus(counted)
    watch_connections(figures, archive.engine)
    return figures
