"""Bots that answer once for a person, who keeps the seat."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.orm import Session

from ostbahn.bots.playing import answer as ask_bot
from ostbahn.bots.registry import STRONGEST
from ostbahn.server.games.service import House
from ostbahn.server.metrics import thinking


def stand_in(house: House, game: str, seat: str, note: str, also: Callable[[Session], None]) -> None:
    """A bot answers once for a person, for the reason that is noted; nothing happens if they were quicker.

    also: done in the same transaction as the answer, before it; whatever it raises keeps all as it was.
    """
    with house.holding(game) as room:
        if room.turn != seat:
            return
        version, position = room.version, room.game.branch()
    bot = house.opponents.at(game, position, seat, STRONGEST)
    with thinking(house.figures, STRONGEST):  # outside, since it may think for long
        answered = ask_bot(bot, position)
    with house.changing(game) as (room, session):
        if room.version == version:
            also(session)
            told = f"{note}; {answered.note}" if answered.note else note
            house.go_on(session, room, room.answer(answered.action, seat, "bot", told))
