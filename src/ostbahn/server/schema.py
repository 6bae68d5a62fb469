"""The whole schema: importing this module declares the tables of every package."""

from __future__ import annotations

from typing import Final

from sqlalchemy import MetaData

from ostbahn.server.accounts import people as accounts
from ostbahn.server.chat import service as chat
from ostbahn.server.clocks import clock as clocks
from ostbahn.server.db import tables
from ostbahn.server.db.tables import Base
from ostbahn.server.games import tables as games
from ostbahn.server.jobs import queue as jobs
from ostbahn.server.notifications import subscriptions as notifications
from ostbahn.server.programmed import service as programmed
from ostbahn.server.tournaments import service as tournaments

MODULES: Final = (tables, jobs, accounts, games, chat, clocks, notifications, programmed, tournaments)
"""They declare the tables."""
METADATA: Final[MetaData] = Base.metadata
"""All tables: whoever follows references or reads every table takes them from here, and not from `Base`."""
