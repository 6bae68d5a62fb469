"""The features that take part in what happens at tables and to accounts, in their order."""

from __future__ import annotations

from ostbahn.server.accounts.people import AccountListener
from ostbahn.server.bots.service import BotListener
from ostbahn.server.chat.service import ChatListener
from ostbahn.server.clocks.timekeeper import ClockListener, HolidayOwners
from ostbahn.server.db.database import Archive
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.service import Clock
from ostbahn.server.notifications.listener import NotificationListener
from ostbahn.server.notifications.owners import NotificationOwners
from ostbahn.server.programmed.service import ProgrammedListener
from ostbahn.server.tournaments.service import TournamentListener


def game_listeners(clock: Clock) -> tuple[GameListener, ...]:
    """For every game service that changes games; clocks are set before anybody is notified."""
    return (
        ProgrammedListener(),
        ClockListener(clock),
        NotificationListener(clock),
        ChatListener(),
        BotListener(clock),
        TournamentListener(),
    )


def account_listeners(archive: Archive) -> tuple[AccountListener, ...]:
    """For every service with which people register or log in."""
    return MyGames(archive), HolidayOwners(), NotificationOwners()
