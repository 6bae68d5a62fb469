"""Tournaments: several tables in rounds. All seatings are drawn at the beginning, games are created round by round.

If a process ends while it creates games, the host or the next round job creates those that are missing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct, field, structs
from sqlalchemy import ColumnElement, ForeignKey, String, Text, UniqueConstraint, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.errors import BadSetup, OstbahnError, Refusal, Refused
from ostbahn.kits.catalogue import DEFAULT, entry_of
from ostbahn.server.accounts.people import AccountRow, Visitor
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.new_table import LARGEST_SEED, NewSeat, NewTable, game_for
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import GameServices
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow, SeatRow
from ostbahn.server.jobs.queue import Job, enqueue
from ostbahn.server.lookalikes import SOMEBODY
from ostbahn.server.tournaments.seatings import draw_rounds, table_sizes
from ostbahn.table.access import NotHere, NotYours
from ostbahn.table.room import LINK, Room


class TournamentRow(Base):
    """Several tables, in rounds."""

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    host: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    wanted: Mapped[str] = mapped_column(Text)
    """What is played, as JSON."""
    size: Mapped[int]
    """Players at a table."""
    rounds: Mapped[int]
    seed: Mapped[int]
    round: Mapped[int]
    """The current round; 0 while people enter."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)


class EntrantRow(Base):
    """A participant; `account` is null after its deletion."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("tournament", "account"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), index=True)
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)


class TournamentTableRow(Base):
    """A table of a tournament, drawn when it begins; its game is created when its round begins."""

    __tablename__ = "tournament_tables"

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1; 0 for those who sit out."""
    seating: Mapped[str] = mapped_column(String(200))
    """Entrants in the order of their seats, with commas between them."""
    game: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)


ROUND_JOB: Final = "round"


class TournamentListener(GameListener):
    def game_over(self, session: Session, room: Room) -> None:
        enqueue_round_check(session, room.id)


def enqueue_round_check(session: Session, game: str) -> None:
    """If a game belongs to a tournament, enqueue a check whether its round is over."""
    table = session.scalar(select(TournamentTableRow).where(TournamentTableRow.game == game))
    if table is not None:
        enqueue(session, ROUND_JOB, f"{ROUND_JOB} {table.tournament} {table.round} {table.number}", data=game)


MOST_ENTRANTS: Final = 48
MOST_ROUNDS: Final = 10
MOST_NOT_BEGUN: Final = 5  # tournaments of one host
LONGEST_NAME: Final = 60
NO_ACCOUNT: Final = "tournaments are for people with an account; log in or create one first"
GONE: Final = "there is no such tournament"


class Programme(Struct, frozen=True, kw_only=True):
    """What is played at every table."""

    title: str
    variant: str
    options: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    preset: str = DEFAULT


def programme_of(row: TournamentRow) -> Programme:
    return msgspec.json.decode(row.wanted, type=Programme)


class NewTournament(Struct, frozen=True, kw_only=True):
    name: str
    programme: Programme
    size: int
    rounds: int
    seed: int | None = None
    """For the seatings; random by default."""


class Tournaments:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service
        self.database = game_service.database

    # Before it begins

    def create(self, visitor: Visitor | None, wanted: NewTournament) -> str:
        """Create a tournament that people can enter; return its id."""
        host = _account_of(visitor)
        _check_settings(wanted)
        row = TournamentRow(
            id=new_id(),
            name=" ".join(wanted.name.split()),
            host=host,
            wanted=msgspec.json.encode(wanted.programme).decode(),
            size=wanted.size,
            rounds=wanted.rounds,
            seed=secrets.randbelow(LARGEST_SEED) if wanted.seed is None else wanted.seed,
            round=0,
            created=self.game_service.clock(),
        )
        not_begun = select(func.count(TournamentRow.id)).where(TournamentRow.host == host, TournamentRow.round == 0)
        with self.database.session() as session:
            if (session.scalar(not_begun) or 0) >= MOST_NOT_BEGUN:
                raise Refused(Refusal("", f"{MOST_NOT_BEGUN} of your tournaments have not begun yet; begin one first"))
            session.add(row)
        return row.id

    def enter(self, visitor: Visitor | None, tournament: str) -> None:
        account = _account_of(visitor)
        try:
            with self.database.session() as session:
                _check_not_begun(session, tournament)
                count = select(func.count(EntrantRow.id)).where(EntrantRow.tournament == tournament)
                if (session.scalar(count) or 0) >= MOST_ENTRANTS:
                    raise Refused(Refusal("", f"no more than {MOST_ENTRANTS} people play in a tournament"))
                session.add(EntrantRow(tournament=tournament, account=account))
        except IntegrityError:
            return  # entered already

    def leave(self, visitor: Visitor | None, tournament: str) -> None:
        own = EntrantRow.tournament == tournament, EntrantRow.account == _account_of(visitor)
        with self.database.session() as session:
            _check_not_begun(session, tournament)
            session.execute(delete(EntrantRow).where(*own))

    # Rounds

    def begin_round(self, visitor: Visitor | None, tournament: str, seen: int | None = None) -> None:
        """Begin the next round (host only); if games of the current round are missing, create those instead.

        `seen` is the round that the host's page showed: in another round nothing happens, as after a double click.
        """
        account = _account_of(visitor)
        with self.database.session() as session:
            row = _locked_tournament(session, tournament)
            round_, rounds = row.round, row.rounds
            if row.host != account:
                raise NotYours("only whoever made the tournament lets rounds begin")
            if seen not in (None, round_):
                return
            if round_ == 0:  # in the same transaction, as nobody may leave once seats are drawn
                _draw_seatings(session, row)
                row.round = 1
        if self._open_tables(tournament) or round_ == 0:
            return
        if round_ == rounds:
            raise Refused(Refusal("", "this was the last round"))
        self._next_round(tournament, round_)

    def begin_next_round(self, job: Job) -> None:
        """Begin the next round if the ended game was the last of its round."""
        with self.database.session() as session:
            table = session.scalar(select(TournamentTableRow).where(TournamentTableRow.game == job.data))
            if table is None or not _is_over(session, table.tournament, table.round):
                return
            tournament, round_ = table.tournament, table.round
            rounds = session.get_one(TournamentRow, tournament).rounds
        if round_ < rounds:
            self._next_round(tournament, round_)
        self._open_tables(tournament)  # in case the worker that began the round crashed

    def _next_round(self, tournament: str, round_: int) -> None:
        """Begin the next round, unless another worker already has."""
        still_current = (TournamentRow.id == tournament) & (TournamentRow.round == round_)
        with self.database.session() as session:
            begin = update(TournamentRow).where(still_current).values(round=round_ + 1).returning(TournamentRow.id)
            if session.scalar(begin) is None:
                return
        self._open_tables(tournament)

    def _open_tables(self, tournament: str) -> int:
        """Create the missing games of the current round; return how many were missing."""
        with self.database.session() as session:
            row = tournament_of(session, tournament)
            is_missing = _is_table_of_round(tournament, row.round) & TournamentTableRow.game.is_(None)
            missing = select(TournamentTableRow).where(is_missing).order_by(TournamentTableRow.number)
            tables = session.scalars(missing).all()
            accounts = entrants_of(session, tournament)
        for table in tables:
            self._open_table(row, table, [accounts[entrant] for entrant in seating_of(table)])
        return len(tables)

    def _open_table(self, row: TournamentRow, table: TournamentTableRow, players: list[AccountRow | None]) -> None:
        """Create the game of a table, and give its seats to the players."""
        wanted = NewTable(
            **structs.asdict(programme_of(row)),
            name=f"{row.name} · round {table.round} · table {table.number}",
            seats=tuple(NewSeat(name, LINK) for name in _distinct_names(players)),
            draw_order=False,
            hints=False,
            watchable=True,
        )
        host = self.game_service.create_game(wanted)
        with self.game_service.changing(host.game) as (room, session):
            is_table = _is_table_of_round(row.id, table.round) & (TournamentTableRow.number == table.number)
            claim = update(TournamentTableRow).where(is_table, TournamentTableRow.game.is_(None))
            if session.scalar(claim.values(game=host.game).returning(TournamentTableRow.game)) is not None:
                _hand_out_seats(session, host.game, players)
                self.game_service.announce_full_table(session, room)
            else:  # another worker was quicker, so this game stays unused
                session.execute(update(GameRow).where(GameRow.id == host.game).values(watchable=False))


def _hand_out_seats(session: Session, game: str, players: list[AccountRow | None]) -> None:
    """Add each player's key to their games; marked as used, the host does not see it."""
    keys = {row.seats: row for row in session.scalars(select(KeyRow).where(KeyRow.game == game, KeyRow.role == "seat"))}
    for number, account in enumerate(players, start=1):
        key = keys[f"p{number}"]
        if account is not None:
            key.used = True
            session.get_one(SeatRow, (game, key.seats)).free = False
            session.add(KeepingRow(hash=key.hash, account=account.id))


def _draw_seatings(session: Session, row: TournamentRow) -> None:
    """Draw and store the seatings of all rounds, unless that has been done."""
    entrants = list(entrants_of(session, row.id))
    programme = programme_of(row)
    allowed = entry_of(programme.title, programme.variant).players
    if len(entrants) < max(2, row.size):
        raise Refused(Refusal("", f"{row.size} people are needed for a table, and {len(entrants)} have entered"))
    if session.scalar(select(TournamentTableRow.round).where(TournamentTableRow.tournament == row.id).limit(1)):
        return
    for number, round_ in enumerate(draw_rounds(len(entrants), row.size, row.rounds, allowed, row.seed), start=1):
        for table, seating in enumerate((round_.out, *round_.tables)):
            ids = ",".join(str(entrants[index]) for index in seating)
            session.add(TournamentTableRow(tournament=row.id, round=number, number=table, seating=ids))


# Queries


def entrants_of(session: Session, tournament: str) -> dict[int, AccountRow | None]:
    """Entrants in order of entry; None for deleted accounts."""
    with_account = select(EntrantRow.id, AccountRow).outerjoin(AccountRow, AccountRow.id == EntrantRow.account)
    rows = session.execute(with_account.where(EntrantRow.tournament == tournament).order_by(EntrantRow.id))
    return {entrant: account for entrant, account in rows}


def seating_of(table: TournamentTableRow) -> list[int]:
    """Ids of the entrants in the order of their seats."""
    return [int(entrant) for entrant in table.seating.split(",") if entrant]


def _is_over(session: Session, tournament: str, round_: int) -> bool:
    """Whether all tables of a round have ended."""
    is_unfinished = TournamentTableRow.game.is_(None) | GameRow.turn.is_not(None)
    with_game = select(TournamentTableRow.number).outerjoin(GameRow, GameRow.id == TournamentTableRow.game)
    unfinished = with_game.where(_is_table_of_round(tournament, round_), is_unfinished)
    return session.scalar(unfinished.limit(1)) is None


def _is_table_of_round(tournament: str, round_: int) -> ColumnElement[bool]:
    """The condition for tables of a round; the row of those who sit out is none."""
    is_of_round = (TournamentTableRow.tournament == tournament) & (TournamentTableRow.round == round_)
    return is_of_round & (TournamentTableRow.number > 0)


def tournament_of(session: Session, tournament: str) -> TournamentRow:
    row = session.get(TournamentRow, tournament)
    if row is None:
        raise NotHere(GONE)
    return row


def _locked_tournament(session: Session, tournament: str) -> TournamentRow:
    """Lock a tournament until the end of the transaction; a no-op update does so on SQLite, too."""
    no_op = update(TournamentRow).where(TournamentRow.id == tournament).values(round=TournamentRow.round)
    session.execute(no_op, execution_options={"synchronize_session": False})
    return tournament_of(session, tournament)


def _check_not_begun(session: Session, tournament: str) -> None:
    """Lock a tournament; refuse if it has begun, since then nobody may enter or leave."""
    if _locked_tournament(session, tournament).round:
        raise Refused(Refusal("", "this tournament has begun already"))


def _account_of(visitor: Visitor | None) -> int:
    if visitor is None or visitor.account is None:
        raise NotYours(NO_ACCOUNT)
    return visitor.account


def _distinct_names(players: list[AccountRow | None]) -> list[str]:
    """Names at a table; a repeated one becomes "Somebody" with a number."""
    names: list[str] = []
    for account in players:
        name = SOMEBODY if account is None else account.name
        names.append(name if name not in names else f"{SOMEBODY} {len(names) + 1}")
    return names


def _check_settings(wanted: NewTournament) -> None:
    name = " ".join(wanted.name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a tournament is one line of 1 to {LONGEST_NAME} letters")
    if not 1 <= wanted.rounds <= MOST_ROUNDS:
        raise BadSetup(f"a tournament has 1 to {MOST_ROUNDS} rounds, not {wanted.rounds}")
    programme = wanted.programme
    entry = entry_of(programme.title, programme.variant)
    if wanted.size not in entry.players or wanted.size < 2:
        raise BadSetup(f"{entry.name} is not played by {wanted.size} people at a table")
    seats = tuple(NewSeat(f"Player {number}", LINK) for number in range(wanted.size))
    try:
        game_for(NewTable(**structs.asdict(programme), seats=seats))
        table_sizes(wanted.size, wanted.size, entry.players)
    except OstbahnError as fault:
        raise BadSetup(str(fault)) from None


@dataclass(frozen=True, kw_only=True)
class TournamentServices(GameServices):
    tournaments: Tournaments


InjectedTournaments = Injected[TournamentServices]
