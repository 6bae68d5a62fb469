"""Everything that the routes work with, put together once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.server.play import bot_turns
from ostbahn.server.play.access import Access
from ostbahn.server.play.coaches import Coaches
from ostbahn.server.play.customs import Customs
from ostbahn.server.play.hints import Hints
from ostbahn.server.play.house import Clock, House
from ostbahn.server.play.job_runner import JobRunner
from ostbahn.server.play.leaving import Leaving
from ostbahn.server.play.live import Live, channels
from ostbahn.server.play.lobby import Lobby
from ostbahn.server.play.lookout import Lookout
from ostbahn.server.play.opponents import Opponents
from ostbahn.server.play.plan_room import PlanRoom
from ostbahn.server.play.plans import Plans
from ostbahn.server.play.preparations import Preparations
from ostbahn.server.play.proposals import Proposals
from ostbahn.server.play.reports import Reports
from ostbahn.server.play.room import Room
from ostbahn.server.play.talk import Talk
from ostbahn.server.play.tournaments import Tournaments
from ostbahn.server.settings import Settings
from ostbahn.server.store import rounds
from ostbahn.server.store.archive import Archive
from ostbahn.server.store.attempts import Attempts
from ostbahn.server.store.browsers import Browsers
from ostbahn.server.store.devices import Devices
from ostbahn.server.store.jobs import Jobs
from ostbahn.server.store.people import People
from ostbahn.server.store.profiles import Profiles
from ostbahn.server.told.desk import Desk
from ostbahn.server.told.outlets import Outlets, outlets_of
from ostbahn.server.upkeep.figures import Figures, NoFigures, watch_connections
from ostbahn.server.upkeep.health import Health
from ostbahn.server.upkeep.tally import HouseTally, tally
from ostbahn.server.views.plan import plan_view
from ostbahn.server.views.stops import moment_after
from ostbahn.server.views.table import TableView, table_view
from ostbahn.server.web.render import Page, Renderer, Update


class Services(NamedTuple):
    archive: Archive
    house: House
    attempts: Attempts
    devices: Devices
    people: People
    lobby: Lobby
    talk: Talk
    proposals: Proposals
    preparations: Preparations
    renderer: Renderer
    live: Live
    customs: Customs
    lookout: Lookout
    hints: Hints
    plans: Plans
    reports: Reports
    coaches: Coaches
    browsers: Browsers
    profiles: Profiles
    leaving: Leaving
    tournaments: Tournaments
    runner: JobRunner
    desk: Desk
    settings: Settings
    figures: Figures
    health: Health

    def view(self, room: Room, who: Access, at: int | None = None) -> TableView:
        """The table as somebody sees it."""
        messages = tuple(self.talk.messages(room.id)) if room.said else ()
        present = self.live.presence.at(room.id)
        proposal, prepared = self.proposals.standing(room), self.preparations.of(room, who)
        plan = plan_view(room, self.plans, who) if isinstance(room, PlanRoom) else None
        clocks = self.desk.clocks(room, who)
        return table_view(room, who, at, proposal, messages, present, prepared, plan, clocks)

    def seen(self, who: Access, at: int | None) -> tuple[TableView, Game]:
        with self.house.holding(who.game) as room:
            view = self.view(room, who, at)
            return view, room.at(view.at)

    def update(self, who: Access, page: Page, theme: str) -> Update:
        """What has changed for a page."""
        with self.house.holding(who.game) as room:
            at = page.at if page.after is None else moment_after(room, who, page.after)
            view = self.view(room, who, at)
            return self.renderer.update(view, room.at(view.at), room, page, theme)


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
    house = House(archive, clock, opponents, figures)
    if damaged is None:
        house.look_over()
    else:
        house.rooms.damaged.update(damaged)
    people, tournaments, talk = People(archive), Tournaments(house), Talk(archive, clock)
    live, lookout = Live(house, channels()), Lookout()
    desk = Desk(house, live, talk, outlets_of(settings) if outlets is None else outlets)
    runner = JobRunner(Jobs(archive), clock)
    # bots are waited for in threads of their own, so that people need not wait until one is free
    runner.register(
        bot_turns.KIND, partial(bot_turns.play, house), max(2, os.cpu_count() or 1, house.opponents.at_once)
    )
    runner.register(rounds.KIND, tournaments.begin_next)
    desk.register(runner)
    return Services(
        archive=archive,
        house=house,
        attempts=Attempts(archive),
        devices=Devices(archive, clock),
        people=people,
        lobby=Lobby(house),
        talk=talk,
        proposals=Proposals(house),
        preparations=Preparations(house),
        renderer=Renderer(),
        live=live,
        customs=Customs(),
        lookout=lookout,
        hints=Hints(house.opponents, lookout),
        plans=Plans(house),
        reports=Reports(house),
        coaches=Coaches(house.opponents, lookout),
        browsers=Browsers(archive, clock),
        profiles=Profiles(archive),
        leaving=Leaving(house, people),
        tournaments=tournaments,
        runner=runner,
        desk=desk,
        settings=settings,
        figures=figures,
        health=Health(house),
    )


def figures_of(archive: Archive, clock: Clock) -> Figures:
    """Figures of this server, if the library is there that counts them."""
    try:
        from ostbahn.server.upkeep.prometheus import Prometheus
    except ModuleNotFoundError:
        return NoFigures()

    def counted() -> HouseTally:
        with archive.session() as session:
            return tally(session, clock())

    figures = Prometheus(counted)
    watch_connections(figures, archive.engine)
    return figures
