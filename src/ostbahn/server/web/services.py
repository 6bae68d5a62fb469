"""Everything that the routes work with, put together once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.server.play.access import Access
from ostbahn.server.play.coaches import Coaches
from ostbahn.server.play.customs import Customs
from ostbahn.server.play.hints import Hints
from ostbahn.server.play.house import Clock, House
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
from ostbahn.server.store.archive import Archive
from ostbahn.server.store.people import People
from ostbahn.server.views.plan import plan_view
from ostbahn.server.views.stops import moment_after
from ostbahn.server.views.table import TableView, table_view
from ostbahn.server.web.render import Page, Renderer, Update


class Services(NamedTuple):
    archive: Archive
    house: House
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

    def view(self, room: Room, who: Access, at: int | None = None) -> TableView:
        """The table as somebody sees it."""
        messages, present = tuple(self.talk.messages(room.id)), self.live.presence.at(room.id)
        proposal, prepared = self.proposals.standing(room), self.preparations.of(room, who)
        plan = plan_view(room, self.plans, who) if isinstance(room, PlanRoom) else None
        return table_view(room, who, at, proposal, messages, present, prepared, plan)

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


def services(url: str, clock: Clock, opponents: Opponents | None = None, data: Path | None = None) -> Services:
    archive = Archive(url, data)
    house = House(archive, clock, opponents)
    house.look_over()
    live, lookout = Live(house, channels(), house.opponents.at_once), Lookout()
    return Services(
        archive=archive,
        house=house,
        people=People(archive),
        lobby=Lobby(house),
        talk=Talk(archive, clock),
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
    )
