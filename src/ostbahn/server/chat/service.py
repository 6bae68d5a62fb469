"""The chat of a table, private notes, and the routes for both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from litestar.params import JSONBody
from msgspec import Struct
from sqlalchemy import ColumnElement, ForeignKey, String, Text, bindparam, delete, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import AccountRow
from ostbahn.server.accounts.rate_limits import CHAT
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.events import bus
from ostbahn.server.games.listeners import GameListener, Notification
from ostbahn.server.games.service import GameService, mark_key_used
from ostbahn.server.games.services import GameServices, InjectedAccess, KeyRoutes
from ostbahn.server.games.tables import KeepingRow
from ostbahn.server.routing import get, post, put
from ostbahn.table.access import Access, NotYours, Unreadable
from ostbahn.table.room import Room, names_by_seat, seats_of
from ostbahn.table.slots import Message


class MessageRow(Base):
    """A line of the chat at a table."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    who: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    hash: Mapped[str] = mapped_column(String(64), server_default="")
    """Hash of the author's key; empty for messages of early releases."""


class NoteRow(Base):
    """The private notes of a seat."""

    __tablename__ = "notes"

    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


LONGEST_MESSAGE: Final = 1000
MENTION_INTERVAL: Final = 600  # seconds between two notifications of mentions
LONGEST_NOTE: Final = 20_000
LONGEST_AUTHOR: Final = 80
NEWEST_MESSAGES: Final = (
    select(MessageRow.id, MessageRow.who, MessageRow.text, MessageRow.at)
    .where(MessageRow.game == bindparam("game"), MessageRow.id > bindparam("after"))
    .order_by(MessageRow.id.desc())
    .limit(bindparam("most"))
)
"""Compiled once, since every update of a page runs it."""
MESSAGES_FLAG: Final = "said"
"""Key in `Room.flags`: whether there are messages."""


class ChatListener(GameListener):
    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {MESSAGES_FLAG: exists().where(MessageRow.game == bindparam("game"))}
    )

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        for key in keys:
            session.execute(delete(NoteRow).where(NoteRow.hash == key))

    def board_deleted(self, session: Session, board: str) -> None:
        session.execute(delete(MessageRow).where(MessageRow.game == board))


class Chat:
    def __init__(self, game_service: GameService) -> None:
        self.game_service, self.database, self.clock = game_service, game_service.database, game_service.clock

    def messages(self, game: str, after: int = 0, limit: int = 100) -> list[Message]:
        """The last lines of the chat, oldest first."""
        with self.database.session() as session:
            rows = session.execute(NEWEST_MESSAGES, {"game": game, "after": after, "most": limit}).all()
            return [Message(row.id, row.who, row.text, row.at) for row in reversed(rows)]

    def slot(self, room: Room, _: Access) -> Mapping[str, Any]:
        return {"messages": tuple(self.messages(room.id)) if room.flags.get(MESSAGES_FLAG) else ()}

    def post_message(self, who: Access, setup: Setup, text: str) -> None:
        text = text.strip()
        if not text or len(text) > LONGEST_MESSAGE:
            raise Unreadable(f"a message has 1 to {LONGEST_MESSAGE} letters")
        with self.database.session() as session:
            mark_key_used(session, who)
            _check_not_banned(session, who)
            author, now = author_name(who, setup), self.clock()
            session.add(MessageRow(game=who.game, who=author, text=text, at=now, hash=who.hash))
            mark = str(int(now.timestamp()) // MENTION_INTERVAL)
            seats = [seat for seat in mentioned_seats(text, setup) if seat not in who.seats]
            mentions = [Notification("mention", who.game, seat, mark, author) for seat in seats]
            self.game_service.notify(session, mentions)
            bus.publish(session, who.game, "chat")

    def note(self, who: Access) -> str:
        with self.database.session() as session:
            row = session.get(NoteRow, who.hash)
            return "" if row is None else row.text

    def save_note(self, who: Access, text: str) -> None:
        if len(text) > LONGEST_NOTE:
            raise Unreadable(f"notes have at most {LONGEST_NOTE} letters")
        with self.database.session() as session:
            mark_key_used(session, who)
            session.merge(NoteRow(hash=who.hash, text=text))


def _check_not_banned(session: Session, who: Access) -> None:
    """Refuse messages from closed accounts, which may still play so that no table has to wait."""
    owners = select(AccountRow.id).join(KeepingRow, KeepingRow.account == AccountRow.id)
    banned = owners.where(KeepingRow.hash == who.hash, AccountRow.banned != "")
    if who.role != "spectator" and session.scalar(banned.limit(1)) is not None:
        raise NotYours("whoever runs this server has closed your account, so you cannot write here; you may play on")


def author_name(who: Access, setup: Setup) -> str:
    """The names of the key's seats, or "Host" or "Spectator"."""
    names = names_by_seat(setup)
    author = " & ".join(names[seat] for seat in who.seats) or ("Host" if who.role == "host" else "Spectator")
    return author if len(author) <= LONGEST_AUTHOR else f"{author[: LONGEST_AUTHOR - 1]}…"


def mentioned_seats(text: str, setup: Setup) -> list[str]:
    """Seats whose players a text mentions, as `@Anna`."""
    names = zip(seats_of(setup), setup.players, strict=True)
    return [seat for seat, name in names if re.search(rf"@{re.escape(name)}(?!\w)", text, re.IGNORECASE)]


@dataclass(frozen=True, kw_only=True)
class ChatServices(GameServices):
    chat: Chat


InjectedChat = Injected[ChatServices]


class SentText(Struct, frozen=True):
    """A text: a message or your notes."""

    text: str


class ChatApi(KeyRoutes):
    path = "/api/t/{key:str}"
    tags = ("table",)

    @post(
        "/chat",
        status_code=200,
        operation_id="sendMessage",
        summary="Say something in the chat",
        errors=(403,),
        middleware=[CHAT.middleware],
    )
    def chat(self, access: InjectedAccess, services: InjectedChat, data: JSONBody[SentText]) -> None:
        """All at the table read it."""
        with services.game_service.holding(access.game) as room:
            services.chat.post_message(access, room.game.setup, data.text)

    @get("/note", operation_id="getNotes", summary="Read your private notes")
    def note(self, access: InjectedAccess, services: InjectedChat) -> SentText:
        """Only the owner of the key sees them."""
        return SentText(services.chat.note(access))

    @put("/note", operation_id="saveNotes", summary="Save your private notes")
    def save_note(self, access: InjectedAccess, services: InjectedChat, data: JSONBody[SentText]) -> None:
        """Replaces what was written there before."""
        services.chat.save_note(access, data.text)
