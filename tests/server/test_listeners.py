"""Features take part in what happens at tables: in their order, and in the one transaction in which it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import bindparam, event, exists
from sqlalchemy.orm import Session

from ostbahn.server.db.database import Archive
from ostbahn.server.games.listeners import Asked, GameListener, Telling
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import House
from ostbahn.server.games.tables import KeyRow
from ostbahn.table.room import Entry, Room
from tests.server.tables import keys, now, standing, step, wanted

PASS = {"do": "pass"}


class Notes(GameListener):
    """Writes down what it hears."""

    def __init__(self, name: str, heard: list[str]) -> None:
        self.name, self.heard = name, heard

    def begun(self, session: Session, room: Room, wanted: NewTable, asked: Asked | None) -> None:
        assert asked is not None
        self.heard.append(f"{self.name}: {asked.seat} begins")

    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: Asked | None) -> None:
        self.heard.append(f"{self.name}: {entries[-1].kind}, {asked.seat if asked else 'nobody else'} is asked")

    def complete(self, session: Session, room: Room) -> None:
        self.heard.append(f"{self.name}: complete")

    def seat_taken_away(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        self.heard.append(f"{self.name}: {seat} is taken from {len(keys)}")

    def notify(self, session: Session, tellings: Sequence[Telling]) -> None:
        self.heard.append(f"{self.name}: {tellings[0].detail}")


class Falls(GameListener):
    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: Asked | None) -> None:
        raise RuntimeError("a fault of a feature")


def test_listeners_are_called_in_their_order(archive: Archive) -> None:
    heard: list[str] = []
    house = House(archive, now, listeners=[Notes("one", heard), Notes("two", heard)])
    host = house.open(wanted("here", "link", "R"))
    house.act(host, 0, PASS)
    with house.changing(host.game) as (_, session):
        house.notify(session, [Telling("vote", host.game, "p2", "", "is that right?")])
    house.name_seat(keys(house, host)["p2"], "p2", "Boris")
    house.seat(host, "p2", "R")
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


def test_what_a_listener_cannot_do_has_not_happened(archive: Archive) -> None:
    house = House(archive, now)
    host = house.open(wanted())
    fallible = House(archive, now, listeners=[Falls()])
    before = standing(house, host)
    with pytest.raises(RuntimeError):
        step(fallible, host)
    assert standing(fallible, host) == standing(house, host) == before


def test_what_listeners_want_to_know_is_read_with_the_room(archive: Archive) -> None:
    class Wants(GameListener):
        flags = {"keys": exists().where(KeyRow.game == bindparam("game"))}  # noqa: RUF012

    house = House(archive, now, listeners=[Wants()])
    host = house.open(wanted())
    statements: list[str] = []
    with house.holding(host.game):
        pass

    def note(*given: Any) -> None:
        statements.append(given[2])

    event.listen(archive.engine, "before_cursor_execute", note)
    with house.holding(host.game) as room:
        assert room.flags == {"proposed": False, "keys": True}
    assert len(statements) == 1, statements


def test_an_answer_is_one_transaction(house: House) -> None:
    """What was sent is understood by the game that it is for, which takes no further transaction."""
    host = house.open(wanted())
    begun: list[object] = []
    event.listen(house.archive.engine, "begin", begun.append)
    house.act(host, 0, PASS)
    assert len(begun) == 1
    step(house, host)
    assert len(begun) == 3, "one to look at the table, and one to answer"


def test_nobody_changes_a_game_within_a_change_of_it(house: House) -> None:
    host = house.open(wanted())
    with pytest.raises(RuntimeError, match="already"), house.changing(host.game), house.changing(host.game):
        pass
    step(house, host)
