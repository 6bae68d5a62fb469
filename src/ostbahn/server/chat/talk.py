"""Talking at the table, and notes that nobody else sees."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.tables import AccountRow
from ostbahn.server.chat.tables import MessageRow, NoteRow
from ostbahn.server.db.database import Archive
from ostbahn.server.events import bus as news
from ostbahn.server.faults import NotYours, Unreadable
from ostbahn.server.games.access import Access
from ostbahn.server.games.listeners import Witness
from ostbahn.server.games.service import Clock, use
from ostbahn.server.games.tables import KeepingRow
from ostbahn.table.room import seats_of

LONGEST: Final = 1000
LONGEST_NOTE: Final = 20_000
LONGEST_SPEAKER: Final = 80
NEWEST: Final = (
    select(MessageRow.id, MessageRow.who, MessageRow.text, MessageRow.at)
    .where(MessageRow.game == bindparam("game"), MessageRow.id > bindparam("after"))
    .order_by(MessageRow.id.desc())
    .limit(bindparam("most"))
)
"""Asked at every update of a page, so it is put together once."""


class Message(Struct, frozen=True):
    id: int
    who: str
    text: str
    at: datetime


class Talk:
    def __init__(self, archive: Archive, clock: Clock) -> None:
        self.archive = archive
        self.clock = clock
        self.witness = Witness()

    def messages(self, game: str, after: int = 0, limit: int = 100) -> list[Message]:
        """The last lines of the chat, oldest first."""
        with self.archive.session() as session:
            rows = session.execute(NEWEST, {"game": game, "after": after, "most": limit}).all()
            return [Message(row.id, row.who, row.text, row.at) for row in reversed(rows)]

    def say(self, who: Access, setup: Setup, text: str) -> None:
        text = text.strip()
        if not text or len(text) > LONGEST:
            raise Unreadable(f"a message has 1 to {LONGEST} letters")
        with self.archive.session() as session:
            use(session, who)
            _check_open(session, who)
            called = speaker(who, setup)
            session.add(MessageRow(game=who.game, who=called, text=text, at=self.clock(), hash=who.hash))
            self.witness.said(session, who, setup, called, text)
            news.tell(session, who.game, "chat")

    def note(self, who: Access) -> str:
        with self.archive.session() as session:
            row = session.get(NoteRow, who.hash)
            return "" if row is None else row.text

    def keep_note(self, who: Access, text: str) -> None:
        if len(text) > LONGEST_NOTE:
            raise Unreadable(f"notes have at most {LONGEST_NOTE} letters")
        with self.archive.session() as session:
            use(session, who)
            session.merge(NoteRow(hash=who.hash, text=text))


def _check_open(session: Session, who: Access) -> None:
    """Whose account was closed has nothing to say; they may play on, so that nobody waits for them in vain."""
    banned = (
        select(AccountRow.id)
        .join(KeepingRow, KeepingRow.account == AccountRow.id)
        .where(KeepingRow.hash == who.hash, AccountRow.banned != "")
    )
    if who.role != "spectator" and session.scalar(banned.limit(1)) is not None:
        raise NotYours("whoever runs this server has closed your account, so you cannot write here; you may play on")


def speaker(who: Access, setup: Setup) -> str:
    """What somebody is called in the chat: the players of his seats, or a spectator."""
    names = dict(zip(seats_of(setup), setup.players, strict=True))
    called = " & ".join(names[seat] for seat in who.seats) or ("Host" if who.role == "host" else "Spectator")
    return called if len(called) <= LONGEST_SPEAKER else f"{called[: LONGEST_SPEAKER - 1]}…"
