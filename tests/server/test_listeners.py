"""Features take part in what happens at tables: in their order, and in the one transaction in which it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import bindparam, event, exists
from sqlalchemy.orm import Session

from ostbahn.server.db.database import Database
from ostbahn.server.games.listeners import GameListener, Notification, TurnChange
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import KeyRow
from ostbahn.table.room import LogEntry, Room
from tests.server.tables import keys, now, standing, step, wanted

PASS = {"do": "pass"}


class Notes(GameListener):
    """Writes down what it hears."""

    def __init__(self, name: str, heard: list[str]) -> None:
        self.name, self.heard = name, heard

    def game_created(self, session: Session, room: Room, wanted: NewTable, new_turn: TurnChange | None) -> None:
        assert new_turn is not None
        self.heard.append(f"{self.name}: {new_turn.seat} begins")

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        self.heard.append(f"{self.name}: {entries[-1].kind}, {new_turn.seat if new_turn else 'nobody else'} is asked")

    def seats_filled(self, session: Session, room: Room) -> None:
        self.heard.append(f"{self.name}: complete")

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        self.heard.append(f"{self.name}: {seat} is taken from {len(keys)}")

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        self.heard.append(f"{self.name}: {notifications[0].detail}")


class Falls(GameListener):
    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        raise RuntimeError("a fault of a feature")


def test_listeners_are_called_in_their_order(database: Database) -> None:
    heard: list[str] = []
    game_service = GameService(database, now, listeners=[Notes("one", heard), Notes("two", heard)])
    host = game_service.create_game(wanted("here", "link", "R"))
    game_service.answer(host, 0, PASS)
    with game_service.changing(host.game) as (_, session):
        game_service.notify(session, [Notification("vote", host.game, "p2", "", "is that right?")])
    game_service.name_seat(keys(game_service, host)["p2"], "p2", "Boris")
    game_service.assign_seat(host, "p2", "R")
    assert heard[::2] == [
        "one: p1 begins",
        "one: answer, p2 is asked",
        "one: is that right?",
        "one: complete",
        "one: name, nobody else is asked",
        "one: p2 is taken from 1",
        "one: complete",
        "one: seat, p2 is asked",
    ]
    assert heard[1::2] == [line.replace("one", "two") for line in heard[::2]]


def test_what_a_listener_cannot_do_has_not_happened(database: Database) -> None:
    game_service = GameService(database, now)
    host = game_service.create_game(wanted())
    fallible = GameService(database, now, listeners=[Falls()])
    before = standing(game_service, host)
    with pytest.raises(RuntimeError):
        step(fallible, host)
    assert standing(fallible, host) == standing(game_service, host) == before


def test_what_listeners_want_to_know_is_read_with_the_room(database: Database) -> None:
    class Wants(GameListener):
        flags = {"keys": exists().where(KeyRow.game == bindparam("game"))}  # noqa: RUF012

    game_service = GameService(database, now, listeners=[Wants()])
    host = game_service.create_game(wanted())
    statements: list[str] = []
    with game_service.holding(host.game):
        pass

    def note(*given: Any) -> None:
        statements.append(given[2])

    event.listen(database.engine, "before_cursor_execute", note)
    with game_service.holding(host.game) as room:
        assert room.flags == {"proposed": False, "keys": True}
    assert len(statements) == 1, statements


def test_an_answer_is_one_transaction(game_service: GameService) -> None:
    """What was sent is understood by the game that it is for, which takes no further transaction."""
    host = game_service.create_game(wanted())
    begun: list[object] = []
    event.listen(game_service.database.engine, "begin", begun.append)
    game_service.answer(host, 0, PASS)
    assert len(begun) == 1
    step(game_service, host)
    assert len(begun) == 3, "one to look at the table, and one to answer"


def test_nobody_changes_a_game_within_a_change_of_it(game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    with (
        pytest.raises(RuntimeError, match="already"),
        game_service.changing(host.game),
        game_service.changing(host.game),
    ):
        pass
    step(game_service, host)
