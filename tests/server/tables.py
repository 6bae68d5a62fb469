"""Tables for tests: wanted in one line, and playing on from wherever a game stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random

from sqlalchemy import select

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import CATALOGUE, new_game
from ostbahn.server.accounts.people import AccountService
from ostbahn.server.bots.service import BOT_TO_MOVE, play_bot_turn
from ostbahn.server.db.database import Database
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow, SeatRow
from ostbahn.server.web.services import account_listeners, game_listeners
from ostbahn.table.access import Access
from ostbahn.table.room import LogEntry, Room
from ostbahn.testing import uniform
from tests.server.postgres import data_of

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")
WAYS = [(entry.title, entry.variant) for entry in CATALOGUE]
"""All ways to play."""
FEWEST = {(entry.title, entry.variant): entry.players[0] for entry in CATALOGUE}


def now() -> datetime:
    return datetime.now(UTC)


def wanted(
    *who: str,
    title: str = "18CZ",
    variant: str = "base",
    seed: int = 3,
    name: str = "",
    pace: int = 0,
    ask_all: bool = False,
) -> NewTable:
    """A game in which Anna, the first seat, is asked first; without further words three people play at one screen."""
    seats = tuple(NewSeat(name, kind) for name, kind in zip(NAMES, who or ("here",) * 3, strict=False))
    return NewTable(
        title=title,
        variant=variant,
        seats=seats,
        seed=seed,
        draw_order=False,
        name=name,
        pace=pace,
        ask_all=ask_all,
    )


def room_for(title: str, variant: str, *, bots: tuple[str, ...] = (), ask_all: bool = False, seed: int = 5) -> Room:
    """A room at the start of a game with as few players as can play it."""
    game = new_game(title, NAMES[: FEWEST[title, variant]], variant=variant, seed=seed)
    room = Room("room", "A game", game.setup, dict.fromkeys(bots, "R"), 0, ask_all)
    assert room.begin(game) == []
    return room


def play(room: Room, steps: int, rng: Random) -> list[LogEntry]:
    """Answer at random for whoever is asked; returns the log of it."""
    log: list[LogEntry] = []
    for _ in range(steps):
        if room.turn is None:
            break
        log += room.answer(uniform(room.game, rng), room.turn, "bot" if room.turn in room.bots else "person")
    return log


def game_service_on(database: Database, seated_bots: SeatedBots | None = None) -> GameService:
    """A game service with all features, as the server has it."""
    return GameService(database, now, seated_bots, listeners=game_listeners(now))


def people_on(database: Database) -> AccountService:
    return AccountService(database, account_listeners(database))


@contextmanager
def another(url: str) -> Iterator[GameService]:
    """The game service of another process, or of this one after a restart: it shares nothing but the database."""
    database = Database(url, data_of(url))
    yield game_service_on(database)
    database.close()


def standing(game_service: GameService, who: Access) -> tuple[int, int, str]:
    """Where a game stands: version, number of answers, digest."""
    with game_service.holding(who.game) as room:
        return room.version, room.number, room.game.state.digest


def first_answer(game: Game) -> Action:
    return game.ask().options[0].action


def step(game_service: GameService, who: Access) -> int:
    """The first answer that is offered, for whoever is asked."""
    with game_service.holding(who.game) as room:
        version, action = room.version, first_answer(room.game)
    return game_service.answer(who, version, action)


def keys(game_service: GameService, host: Access) -> dict[str, Access]:
    """All keys of a table: `host`, `spectator`, and each seat with a link by its name."""
    return {each.role if each.role != "seat" else each.seats[0]: each for each in game_service.links(host)}


def play_on(game_service: GameService, host: Access, steps: int, rng: Random) -> None:
    """People and bots answer, through the front door."""
    for _ in range(steps):
        if not play_bot_turn(game_service, host.game):
            with game_service.holding(host.game) as room:
                if room.turn is None:
                    return
                version, action = room.version, uniform(room.game, rng)
            game_service.answer(host, version, action)


def waiting_for_bots(database: Database) -> list[str]:
    """Games in which a bot is asked."""
    with database.session() as session:
        return list(session.scalars(select(GameRow.id).join(SeatRow, BOT_TO_MOVE)))
