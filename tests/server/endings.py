"""Games that are over with the next answer, and people with accounts at their seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.server.accounts.people import AccountService, Visitor
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.table.access import Access
from tests.golden.games import golden_game
from tests.server.tables import keys

SHORT = "18CZ-moravia-2"
"""A golden game of two."""


class Ending(NamedTuple):
    """A table at which one answer is left to give."""

    game_service: GameService
    host: Access
    seats: dict[str, Access]
    golden: str

    @property
    def game(self) -> str:
        return self.host.game

    def finish(self) -> None:
        """Whoever is asked gives the last answer."""
        *_, (by, action) = golden_game(self.golden).actions()
        with self.game_service.holding(self.game) as room:
            version = room.version
        self.game_service.answer(self.seats[by], version, action)

    def take_back(self) -> None:
        """Whoever gave it thinks again."""
        *_, (by, _) = golden_game(self.golden).actions()
        with self.game_service.holding(self.game) as room:
            version = room.version
        self.game_service.undo_own_move(self.seats[by], version)


def ending(
    game_service: GameService, *who: str, golden: str = SHORT, name: str = "", watchable: bool = False
) -> Ending:
    """A table with everybody at `here`, `link` or a bot, as in a new table."""
    game = golden_game(golden)
    names = game.setup.players
    kinds = who or ("link",) * len(names)
    table = NewTable(
        title=game.setup.title,
        variant=game.setup.variant,
        name=name,
        seats=tuple(NewSeat(each, kind) for each, kind in zip(names, kinds, strict=True)),
        ask_all=True,
        watchable=watchable,
    )
    host = game_service.create_game(table, game.position(len(game) - 1))
    found = keys(game_service, host)
    seats = {seat: found[seat] if kind == "link" else host for seat, kind in zip(_seats(names), kinds, strict=True)}
    return Ending(game_service, host, seats, golden)


def _seats(names: Sequence[str]) -> list[str]:
    return [f"p{number}" for number in range(1, len(names) + 1)]


def person(people: AccountService, name: str) -> Visitor:
    """Somebody who is logged in."""
    found = people.visitor(people.register(None, name, "eisenbahn").cookie)
    assert found is not None
    return found


def played(game_service: GameService, people: AccountService, *players: Visitor | None, golden: str = SHORT) -> Ending:
    """A game that these have played to its end, each at a seat of their own."""
    table = ending(game_service, golden=golden)
    for player, key in zip(players, table.seats.values(), strict=True):
        if player is not None:
            MyGames(people.database).keep(player, key)
    table.finish()
    return table
