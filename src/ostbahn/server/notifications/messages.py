"""What there is to tell somebody, and in which words."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import json

from ostbahn.kernel.game import Setup
from ostbahn.server.games.listeners import Telling
from ostbahn.server.games.tables import GameRow
from ostbahn.table.room import names_by_seat


class Words(NamedTuple):
    """The same for different ears."""

    title: str
    to_them: str
    """To whoever it is about."""
    to_all: str
    """In a room where others read."""


class ToldTable(NamedTuple):
    """What is said of a table."""

    name: str
    round: str
    player: str


OF_EVENTS: Final = {
    "turn": Words(
        "Your turn: {table.name}",
        "It is your turn in {table.name} ({table.round}). You play {table.player}.",
        "{table.player}, it is your turn in {table.name} ({table.round}).",
    ),
    "time": Words(
        "Your time: {table.name}",
        "{detail} You play {table.player} in {table.name} ({table.round}).",
        "{table.player} in {table.name}: {detail}",
    ),
    "seat": Words(
        "You lost your seat: {table.name}",
        "{detail} You played {table.player} in {table.name} ({table.round}).",
        "{table.player} in {table.name}: {detail}",
    ),
    "vote": Words(
        "You are asked to agree: {table.name}",
        "{detail} What do you say? You play {table.player} in {table.name}.",
        "{table.player}, you are asked to agree in {table.name}: {detail}",
    ),
    "mention": Words(
        "You were mentioned: {table.name}",
        "{detail} mentioned you in the chat of {table.name}.",
        "{table.player}, {detail} mentioned you in the chat of {table.name}.",
    ),
    "begin": Words(
        "The game begins: {table.name}",
        "Everybody has sat down: {table.name} begins. You play {table.player}.",
        "{table.player}, everybody has sat down: {table.name} begins.",
    ),
    "over": Words(
        "The game is over: {table.name}",
        "{table.name} is over. You played {table.player}.",
        "{table.name} is over.",
    ),
}


def table_of(row: GameRow, seat: str) -> ToldTable:
    setup = json.decode(row.setup, type=Setup)
    names = names_by_seat(setup)
    return ToldTable(row.name, row.round, names.get(seat, seat))


def worded(telling: Telling, table: ToldTable) -> Words:
    return Words(*(each.format(table=table, detail=telling.detail) for each in OF_EVENTS[telling.event]))
