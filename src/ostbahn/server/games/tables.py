"""What the database keeps: games as append-only logs, seats with their keys, talk, and people who want to be known."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, Text, false, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from ostbahn.server.db.columns import Moment


class Base(DeclarativeBase):
    pass


class GameRow(Base):
    """A game; what stands here beside the set-up can be found from its log, and is kept for lists."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    setup: Mapped[str] = mapped_column(Text)
    """The set-up as JSON."""
    pace: Mapped[int]
    """Milliseconds between two answers of bots."""
    ask_all: Mapped[bool]
    """Whether questions with one possible answer are asked too."""
    created: Mapped[datetime] = mapped_column(Moment)
    touched: Mapped[datetime] = mapped_column(Moment)
    """When somebody acted last."""
    number: Mapped[int]
    """How many answers stand."""
    round: Mapped[str] = mapped_column(String(80))
    turn: Mapped[str | None] = mapped_column(String(8))
    """The seat that is asked; none when the game is over."""
    listed: Mapped[bool] = mapped_column(server_default=false())
    """Whether it stands in the lobby, so that anybody may take a free seat."""
    watchable: Mapped[bool] = mapped_column(server_default=false())
    """Whether it stands in the lobby, so that anybody may look on."""
    hints: Mapped[bool] = mapped_column(server_default=true())
    """Whether those at the table may ask what a bot would do."""
    rules: Mapped[int] = mapped_column(server_default="0")
    """The version of its title's rules under which the last line was written; 0 where that was not said yet."""
    digest: Mapped[str] = mapped_column(String(16), server_default="")
    """Of the state after the last line; empty where that was not said yet."""
    leg: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """The answers since the last state that was kept, with what came of them (`table/snapshots.py`); none where that
    was not kept."""


class SeatRow(Base):
    """Who sits where: a person with the key, or a bot."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    bot: Mapped[str | None] = mapped_column(String(200))
    """The code of the bot; none where a person plays."""
    free: Mapped[bool] = mapped_column(server_default=false())
    """Whether its link waits for somebody: nobody has sat down with it yet."""


class KeyRow(Base):
    """A secret link: whoever has it sits on these seats, or looks on if there are none."""

    __tablename__ = "keys"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the key, so that nobody gets in with a copy of the database."""
    sealed: Mapped[str] = mapped_column(String(120))
    """The key, encrypted, to be shown again by whoever has the secret of the house."""
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    role: Mapped[str] = mapped_column(String(12))
    """host, seat, spectator, or void: it opens nothing any more."""
    seats: Mapped[str] = mapped_column(String(64))
    """Seats with commas between them."""
    used: Mapped[bool]
    """Whether somebody has sat down or played with it: from then on it is shown to nobody else."""


class EntryRow(Base):
    """One line of a game's log. Lines are added, never changed: taking back is a line too."""

    __tablename__ = "entries"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    """Its place in the log, from 1: the version of the game that it makes."""
    kind: Mapped[str] = mapped_column(String(8))
    """answer, undo, seat (somebody else plays one from now on) or name (somebody says what they are called); on a
    planning board also fork (which answers of the game it begins with) and redo."""
    by: Mapped[str] = mapped_column(String(8))
    """The seat, or `host`."""
    data: Mapped[str] = mapped_column(Text)
    """The action as JSON; for undo and redo the number of answers that stand then; for a seat or a name what it was and
    is; for a fork all that it tells."""
    how: Mapped[str] = mapped_column(String(8))
    """person, bot, prepared, or obvious: what was answered by itself."""
    note: Mapped[str] = mapped_column(Text)
    """What the log should tell beside it."""
    at: Mapped[datetime] = mapped_column(Moment)
    sum: Mapped[str] = mapped_column(String(8), server_default="")
    """Of all that the line says, to find out whether it is as it was written."""


class SnapshotRow(Base):
    """A state as it was. A log that a later referee would refuse goes on from here."""

    __tablename__ = "snapshots"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(16))
    state: Mapped[bytes] = mapped_column(LargeBinary)
    """As JSON, compressed; earlier versions kept it as it is."""
    leg: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The answers since the state kept before; none where that was not kept."""
    rules: Mapped[int] = mapped_column(server_default="0")
    """The version of its title's rules then; 0 where that was not said yet."""


class PlanRow(Base):
    """A planning board: its game stands among the games, but in no list, and is opened with the key that made it."""

    __tablename__ = "plans"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    """The board."""
    origin: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    """The game that is planned for."""
    owner: Mapped[str] = mapped_column(ForeignKey("keys.hash"), index=True)
    """The key with which it was made."""


class MessageRow(Base):
    """A line of the chat at a table."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    who: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)
    hash: Mapped[str] = mapped_column(String(64), server_default="")
    """Of the key with which it was said; empty for what was said before that was kept."""


class NoteRow(Base):
    """What somebody noted for themselves."""

    __tablename__ = "notes"

    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class ProposalRow(Base):
    """Somebody would like to go further back than to their own last move; all have to agree."""

    __tablename__ = "proposals"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int]
    """The version of the game to which it was made; it lapses when the game goes on."""
    by: Mapped[str] = mapped_column(String(64))
    """The seats that propose."""
    keep: Mapped[int]
    """How many answers would stay."""
    agreed: Mapped[str] = mapped_column(String(64))
    """Seats that agree, with commas between them."""


class PreparedRow(Base):
    """What somebody has prepared to answer; those who have the seat see it, and nobody else."""

    __tablename__ = "prepared_moves"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    data: Mapped[str] = mapped_column(Text)
    """The move as JSON."""
    number: Mapped[int]
    """After how many answers it was prepared."""
    stamp: Mapped[int]
    """The version that made the state which its owner saw: where it is another by now, they went back."""
    ended: Mapped[str] = mapped_column(Text)
    """Why it stands no more; empty while it does."""
    done: Mapped[bool]
    """Whether it was carried out or what it was for is over; else it was cancelled."""


class AccountRow(Base):
    """Somebody who wants to find their seats on every device."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(80), unique=True)
    """The name without regard to capitals: Anna and anna are the same."""
    skeleton: Mapped[str | None] = mapped_column(String(200), index=True, unique=True)
    """What the name looks like (`lookalikes.py`); none where an older account looks the same."""
    password: Mapped[str] = mapped_column(String(200))
    """An argon2 hash."""
    recovery: Mapped[str] = mapped_column(String(64), server_default="")
    """A hash of the code with which a new password can be chosen; empty if there is none."""
    person: Mapped[str] = mapped_column(String(32), server_default="")
    """By which results know them; it is drawn by lot, so it says nothing when the account is gone."""
    public: Mapped[bool] = mapped_column(server_default=false())
    """Whether everybody may see their profile."""
    rated: Mapped[bool] = mapped_column(server_default=true())
    """Whether their games count for a rating."""
    banned: Mapped[str] = mapped_column(Text, server_default="")
    """Why whoever runs the server has closed it; empty while it is open."""


class VisitorRow(Base):
    """A browser that has been here, known by its cookie."""

    __tablename__ = "visitors"

    id: Mapped[int] = mapped_column(primary_key=True)
    cookie: Mapped[str] = mapped_column(String(64), unique=True)
    """A hash of the cookie, so that nobody gets in with a copy of the database."""
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    called: Mapped[str] = mapped_column(String(40), server_default="")
    """What whoever sits there called themselves last, so that they need not type it again."""
    seen: Mapped[datetime | None] = mapped_column(Moment)
    """When it was here last, as far as that is noted."""
    browser: Mapped[str] = mapped_column(String(40), server_default="")
    """What it is, in coarse words."""


class KeepingRow(Base):
    """A key that a visitor, or their account, has used: one of their games."""

    __tablename__ = "keepings"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"))
    visitor: Mapped[int | None] = mapped_column(ForeignKey("visitors.id"), index=True)
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    removed: Mapped[bool] = mapped_column(server_default=false())
    """Whether it was taken off the list; it can be put back."""


class JobRow(Base):
    """Something to be done by whichever worker is free (`jobs.py`)."""

    __tablename__ = "jobs"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012 - SQLAlchemy's way to say it
    # else the next job would get the number of the one that was just done

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(120), unique=True)
    """Of which there is one only."""
    game: Mapped[str | None] = mapped_column(String(16), index=True)
    """What it is about; it finds out by itself if there is no such game any more."""
    due: Mapped[datetime] = mapped_column(Moment, index=True)
    soon: Mapped[bool]
    """Whether it is never due later than in a few minutes: where it is, the clock was put back."""
    data: Mapped[str] = mapped_column(Text)
    tries: Mapped[int]
    """How often it has failed so far."""
    fault: Mapped[str] = mapped_column(Text)
    """Why it failed last."""
