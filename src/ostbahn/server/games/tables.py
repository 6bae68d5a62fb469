"""Database tables of games: append-only logs, seats and their keys, plans, proposals, turns, and results."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Double, ForeignKey, LargeBinary, String, Text, false, true
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base, UtcDateTime


class GameRow(Base):
    """A game. All columns but the set-up follow from its log; they are stored for lists of games."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    setup: Mapped[str] = mapped_column(Text)  # the set-up as JSON
    pace: Mapped[int]  # milliseconds between two answers of bots
    ask_all: Mapped[bool]  # whether questions with one possible answer are asked too
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    touched: Mapped[datetime] = mapped_column(UtcDateTime)  # when a player acted last
    number: Mapped[int]  # answers that are not undone
    round: Mapped[str] = mapped_column(String(80))
    turn: Mapped[str | None] = mapped_column(String(8))  # the seat to move; None when the game is over
    listed: Mapped[bool] = mapped_column(server_default=false())  # the lobby lists it: anybody may take a free seat
    watchable: Mapped[bool] = mapped_column(server_default=false())  # the lobby lists it: anybody may watch
    hints: Mapped[bool] = mapped_column(server_default=true())  # players may ask what a bot would do
    rules: Mapped[int] = mapped_column(server_default="0")
    """The version of the title's rules at the last log entry; 0 for games of old versions."""
    digest: Mapped[str] = mapped_column(String(16), server_default="")
    """The digest of the state after the last log entry; empty for games of old versions."""
    leg: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """The delta since the last snapshot: answers and their effects (`table/snapshots.py`)."""


class SeatRow(Base):
    """A seat of a game, and who plays it: a person with the key, or a bot."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    bot: Mapped[str | None] = mapped_column(String(200))  # the code of the bot; None if a person plays
    free: Mapped[bool] = mapped_column(server_default=false())  # nobody has used its link yet


class KeyRow(Base):
    """A key, the secret part of a link: its owner plays these seats, or watches if there are none."""

    __tablename__ = "keys"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The hash of the key: a copy of the database opens no seat."""
    sealed: Mapped[str] = mapped_column(String(120))
    """The key, encrypted with the server secret, so that the server can show it again."""
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    role: Mapped[str] = mapped_column(String(12))  # host, seat, spectator, or void: it opens nothing any more
    seats: Mapped[str] = mapped_column(String(64))  # separated by commas
    used: Mapped[bool]  # whether a player has sat down or played with it; then only they can see it


class KeepingRow(Base):
    """A key that a visitor or account has used: it puts the game on their list."""

    __tablename__ = "keepings"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"))
    visitor: Mapped[int | None] = mapped_column(ForeignKey("visitors.id"), index=True)
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    removed: Mapped[bool] = mapped_column(server_default=false())  # taken off the list; it can be put back


class EntryRow(Base):
    """One entry of a game's append-only log; an undo is an entry too."""

    __tablename__ = "entries"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    """Its index in the log, from 1, which is the version of the game after it."""
    kind: Mapped[str] = mapped_column(String(8))
    """answer, undo, seat (reassigned) or name (changed); on a planning board also fork (its first answers) and redo."""
    by: Mapped[str] = mapped_column(String(8))  # the seat, or `host`
    data: Mapped[str] = mapped_column(Text)
    """JSON: an action, the number of answers left (undo, redo), a `Handover` (seat), a `NameChange` or a `Fork`."""
    how: Mapped[str] = mapped_column(String(8))  # person, bot, prepared, or obvious: the only possible answer
    note: Mapped[str] = mapped_column(Text)  # a remark that the log shows
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    sum: Mapped[str] = mapped_column(String(8), server_default="")  # a checksum of all other columns but `at`


class SnapshotRow(Base):
    """A stored state. A game whose log today's rules refuse continues from it."""

    __tablename__ = "snapshots"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(16))
    state: Mapped[bytes] = mapped_column(LargeBinary)  # JSON, compressed; uncompressed in old versions
    leg: Mapped[bytes | None] = mapped_column(LargeBinary)  # the delta since the snapshot before it, if there is one
    rules: Mapped[int] = mapped_column(server_default="0")  # the version of the title's rules; 0 in old versions


class PlanRow(Base):
    """A planning board: a game that no list shows, opened with the key that made it."""

    __tablename__ = "plans"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)  # the board
    origin: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)  # the game for which it plans
    owner: Mapped[str] = mapped_column(ForeignKey("keys.hash"), index=True)  # the key with which it was made


class ProposalRow(Base):
    """A proposal to undo more than the player's own last move; all players have to agree."""

    __tablename__ = "proposals"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int]  # the version of the game; the proposal lapses with the next move
    by: Mapped[str] = mapped_column(String(64))  # the seats that propose
    keep: Mapped[int]  # how many answers would stay
    agreed: Mapped[str] = mapped_column(String(64))  # seats that agree, separated by commas


class ResultRow(Base):
    """The result of one seat in a finished game."""

    __tablename__ = "results"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(16), primary_key=True)  # also of an automated opponent
    number: Mapped[int] = mapped_column(index=True)  # of the game, counted in the order in which games ended
    title: Mapped[str] = mapped_column(String(40))
    variant: Mapped[str] = mapped_column(String(40))
    person: Mapped[str] = mapped_column(String(32), index=True)
    """The `accounts.person` of the player, also of a deleted account; empty without an account."""
    bot: Mapped[str | None] = mapped_column(String(200))
    place: Mapped[int]
    won: Mapped[bool]
    worth: Mapped[int]
    ended: Mapped[datetime] = mapped_column(UtcDateTime)
    counts: Mapped[bool]
    """Whether it counts for the person's rating: their choice, and never if they played several seats."""
    mu: Mapped[float | None] = mapped_column(Double)  # the rating after this game; None if it was not rated
    sigma: Mapped[float | None] = mapped_column(Double)


class TurnChangeRow(Base):
    """A change of turn: from this version of a game on, until its next row, this seat is to move."""

    __tablename__ = "asked"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str | None] = mapped_column(String(8))  # None when the game is over
    turn: Mapped[int]  # counts the turns of that seat, from 1; undo and redo begin no new one; 0 for bots
    at: Mapped[datetime] = mapped_column(UtcDateTime)
