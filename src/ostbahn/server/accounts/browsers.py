"""Browsers in which somebody is logged in: which there are, when they were here last, and logging them out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.tables import VisitorRow
from ostbahn.server.db.database import Archive
from ostbahn.table.access import NotHere

OFTEN: Final = timedelta(minutes=10)
"""A browser that was here so shortly ago is not noted again."""
GONE: Final = "you are not logged in there any more"
PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
"""What browsers call themselves, and what people do; those that name others too stand first."""
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


class Browser(Struct, frozen=True):
    """One in which somebody is logged in."""

    id: int
    name: str
    seen: datetime | None
    here: bool
    """Whether it is the one that asks."""


def browser_name(agent: str) -> str:
    """What a browser says of itself, in coarse words: no version, no model."""
    program = next((name for sign, name in PROGRAMS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return " on ".join(filter(None, (program or "A browser", system)))


class Browsers:
    def __init__(self, archive: Archive, clock: Callable[[], datetime]) -> None:
        self.archive = archive
        self.clock = clock

    def note(self, visitor: Visitor, agent: str) -> None:
        """Somebody logged in is here; most requests write nothing."""
        now = self.clock()
        if visitor.account is None or (visitor.seen is not None and now - visitor.seen < OFTEN):
            return
        seen = {"seen": now, "browser": browser_name(agent)}
        # a database that is busy is no reason to keep a page from anybody
        with suppress(OperationalError), self.archive.session() as session:
            session.execute(update(VisitorRow).where(VisitorRow.id == visitor.id).values(seen))

    def of(self, visitor: Visitor) -> list[Browser]:
        """Where somebody is logged in: here first, then by when they were there last."""
        with self.archive.session() as session:
            rows = session.scalars(select(VisitorRow).where(VisitorRow.account == visitor.account)).all()
        found = [Browser(row.id, row.browser or "A browser", row.seen, row.id == visitor.id) for row in rows]
        found.sort(key=lambda each: (not each.here, -each.seen.timestamp() if each.seen else 0.0, each.id))
        return found

    def log_out(self, visitor: Visitor, browser: int) -> None:
        """One of somebody's own."""
        mine = (VisitorRow.id == browser) & (VisitorRow.account == visitor.account)
        with self.archive.session() as session:
            done = session.scalar(update(VisitorRow).where(mine).values(account=None).returning(VisitorRow.id))
        if visitor.account is None or done is None:
            raise NotHere(GONE)

    def log_out_others(self, visitor: Visitor) -> None:
        """All but the one that asks."""
        if visitor.account is not None:
            others = (VisitorRow.account == visitor.account) & (VisitorRow.id != visitor.id)
            with self.archive.session() as session:
                session.execute(update(VisitorRow).where(others).values(account=None))
