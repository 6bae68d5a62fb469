"""What the database keeps of games: append-only logs, seats and their keys, plans, proposals, turns, and results."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Double, ForeignKey, LargeBinary, String, Text, false, true
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base, UtcDateTime


class GameRow(Base):
    """A game; what stands here beside the set-up can be found from its log, and is kept for lists."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    setup: Mapped[str] = mapped_column(Text)  # the set-up as JSON
    pace: Mapped[int]  # milliseconds between two answers of bots
    ask_all: Mapped[bool]  # whether questions with one possible answer are asked too
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    touched: Mapped[datetime] = mapped_column(UtcDateTime)  # when somebody acted last
    number: Mapped[int]  # how many answers stand
    round: Mapped[str] = mapped_column(String(80))
    turn: Mapped[str | None] = mapped_column(String(8))  # the seat that is asked; none when the game is over
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
    """The answers since the last kept state, with what came of them (`table/snapshots.py`)."""


class SeatRow(Base):
    """Who sits where: a person with the key, or a bot."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    bot: Mapped[str | None] = mapped_column(String(200))  # the code of the bot; none where a person plays
    free: Mapped[bool] = mapped_column(server_default=false())
    """Whether its link waits for somebody: nobody has sat down with it yet."""


class KeyRow(Base):
    """A secret link: whoever has it sits on these seats, or looks on if there are none."""

    __tablename__ = "keys"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the key, so that nobody gets in with a copy of the database."""
    sealed: Mapped[str] = mapped_column(String(120))
    """The key, encrypted, to be shown again by whoever has the server secret."""
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    role: Mapped[str] = mapped_column(String(12))  # host, seat, spectator, or void: it opens nothing any more
    seats: Mapped[str] = mapped_column(String(64))  # seats with commas between them
    used: Mapped[bool]  # whether somebody has sat down or played with it: from then on it is shown to nobody else


class KeepingRow(Base):
    """A key that a visitor, or their account, has used: one of their games."""

    __tablename__ = "keepings"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"))
    visitor: Mapped[int | None] = mapped_column(ForeignKey("visitors.id"), index=True)
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    removed: Mapped[bool] = mapped_column(server_default=false())
    """Whether it was taken off the list; it can be put back."""


class EntryRow(Base):
    """One line of a game's log. Lines are added, never changed: taking back is a line too."""

    __tablename__ = "entries"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    """Its place in the log, from 1: the version of the game that it makes."""
    kind: Mapped[str] = mapped_column(String(8))
    """answer, undo, seat (given away) or name (changed); on a planning board also fork (its first answers) and redo."""
    by: Mapped[str] = mapped_column(String(8))  # the seat, or `host`
    data: Mapped[str] = mapped_column(Text)
    """As JSON: an action, the answers left (undo, redo), a `Handover` (seat), a `Naming` (name) or a `Fork`."""
    how: Mapped[str] = mapped_column(String(8))  # person, bot, prepared, or obvious: what was answered by itself
    note: Mapped[str] = mapped_column(Text)  # what the log should tell beside it
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    sum: Mapped[str] = mapped_column(String(8), server_default="")
    """Of all that the line says, to find out whether it is as it was written."""


class SnapshotRow(Base):
    """A state as it was. A log that a later referee would refuse goes on from here."""

    __tablename__ = "snapshots"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(16))
    state: Mapped[bytes] = mapped_column(LargeBinary)  # as JSON, compressed; earlier versions kept it as it is
    leg: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The answers since the state kept before; none where that was not kept."""
    rules: Mapped[int] = mapped_column(server_default="0")
    """The version of its title's rules then; 0 where that was not said yet."""


class PlanRow(Base):
    """A planning board: its game stands among the games, but in no list, and is opened with the key that made it."""

    __tablename__ = "plans"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)  # the board
    origin: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)  # the game that is planned for
    owner: Mapped[str] = mapped_column(ForeignKey("keys.hash"), index=True)  # the key with which it was made


class ProposalRow(Base):
    """Somebody would like to go further back than to their own last move; all have to agree."""

    __tablename__ = "proposals"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int]  # the version of the game to which it was made; it lapses when the game goes on
    by: Mapped[str] = mapped_column(String(64))  # the seats that propose
    keep: Mapped[int]  # how many answers would stay
    agreed: Mapped[str] = mapped_column(String(64))  # seats that agree, with commas between them


class ResultRow(Base):
    """How a finished game ended for one seat."""

    __tablename__ = "results"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(16), primary_key=True)
    """A seat, or somebody without one whom the rules play."""
    number: Mapped[int] = mapped_column(index=True)  # of the game among all that have ended here, in this order
    title: Mapped[str] = mapped_column(String(40))
    variant: Mapped[str] = mapped_column(String(40))
    person: Mapped[str] = mapped_column(String(32), index=True)
    """Whose account had the seat (`accounts.person`), even if it was deleted since; empty for nobody's."""
    bot: Mapped[str | None] = mapped_column(String(200))
    place: Mapped[int]
    won: Mapped[bool]
    worth: Mapped[int]
    ended: Mapped[datetime] = mapped_column(UtcDateTime)
    counts: Mapped[bool]
    """Whether it counts for the person's rating; they choose that, and nobody counts who had several seats."""
    mu: Mapped[float | None] = mapped_column(Double)  # the rating after this game, where it was rated at all
    sigma: Mapped[float | None] = mapped_column(Double)


class TurnChangeRow(Base):
    """From this version of a game on somebody else is asked than before; with the next line that is over."""

    __tablename__ = "asked"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str | None] = mapped_column(String(8))  # none when the game is over
    turn: Mapped[int]
    """The how manieth turn of that seat it is: taking back and giving again begin no new one. 0 for bots."""
    at: Mapped[datetime] = mapped_column(UtcDateTime)
