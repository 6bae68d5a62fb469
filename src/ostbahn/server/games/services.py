"""What routes need of games: one table as somebody sees it, with what the features add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.kernel.game import Game
from ostbahn.server.accounts.services import AccountServices
from ostbahn.server.games.import_sandbox import Customs
from ostbahn.server.games.live import Live
from ostbahn.server.games.my_games import MyGames
from ostbahn.server.games.proposals import Proposals
from ostbahn.server.games.service import House
from ostbahn.server.jobs.single_flight import Lookout
from ostbahn.table.access import Access
from ostbahn.table.rendering import Page, Update
from ostbahn.table.room import Room
from ostbahn.table.slots import Slots
from ostbahn.table.table_view import TableView, moment_after, table_view

SlotProvider = Callable[[Room, Access], Mapping[str, Any]]
"""What a feature shows to somebody at a table: fields of `Slots` by name, such as `messages`."""


@dataclass(frozen=True, kw_only=True)
class GameServices(AccountServices):
    house: House
    live: Live
    lookout: Lookout
    customs: Customs
    proposals: Proposals
    my_games: MyGames
    slots: Sequence[SlotProvider]
    """One for each feature that has a place at the table."""

    def view(self, room: Room, who: Access, at: int | None = None) -> TableView:
        """The table as somebody sees it."""
        slots: dict[str, Any] = {
            "proposal": self.proposals.standing(room),
            "present": self.live.presence.at(room.id),
        }
        for provide in self.slots:
            slots |= provide(room, who)
        return table_view(room, who, at, Slots(**slots))

    def seen(self, who: Access, at: int | None) -> tuple[TableView, Game]:
        """The same with the game at that moment."""
        with self.house.holding(who.game) as room:
            view = self.view(room, who, at)
            return view, room.at(view.at)

    def update(self, who: Access, page: Page, theme: str) -> Update:
        """What has changed for a page."""
        with self.house.holding(who.game) as room:
            at = page.at if page.after is None else moment_after(room, who, page.after)
            view = self.view(room, who, at)
            return self.renderer.update(view, room.at(view.at), room, page, theme)


GivenGames = NamedDependency[SkipValidation[GameServices]]
GivenAccess = NamedDependency[SkipValidation[Access]]
"""As `access`: what the key in the address opens."""
