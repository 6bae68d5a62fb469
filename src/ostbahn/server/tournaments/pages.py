"""Tournaments: views and routes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, Final, Literal

from litestar import Controller, Response
from litestar.params import FromPath
from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.server.accounts.people import AccountRow, Visitor
from ostbahn.server.accounts.rate_limits import TOURNAMENTS
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, Visit, go
from ostbahn.server.db.database import Database
from ostbahn.server.games.keys import variant_name
from ostbahn.server.games.new_table import (
    Fields,
    code_of,
    default_player_count,
    entry_by_code,
    module_choices,
    modules_in,
)
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow, ResultRow
from ostbahn.server.limits import LONGEST_FIELD, OptionalNumber, as_number
from ostbahn.server.lookalikes import SOMEBODY
from ostbahn.server.routing import get, post
from ostbahn.server.tournaments.seatings import TablePlaces, standings, table_points
from ostbahn.server.tournaments.service import (
    MOST_ROUNDS,
    NO_ACCOUNT,
    EntrantRow,
    InjectedTournaments,
    NewTournament,
    Programme,
    TournamentRow,
    TournamentServices,
    TournamentTableRow,
    entrants_of,
    programme_of,
    seating_of,
    tournament_of,
)
from ostbahn.table.access import NotYours
from ostbahn.views.catalogue import EntryView, catalogue_view

MOST_LISTED: Final = 50  # the newest
TournamentStage = Literal["open", "running", "finished"]


class ListedTournament(Struct, frozen=True, kw_only=True):
    """A tournament in a list."""

    id: str
    name: str
    what: str
    host: str
    stage: TournamentStage
    size: int
    rounds: int
    round: int
    """The round that is played, from 1; 0 before the first."""
    entrants: int
    created: datetime


class EntrantView(Struct, frozen=True, kw_only=True):
    """A line of the standings."""

    name: str
    profile: bool
    """Whether their profile is public."""
    rank: int
    points: float
    first: int
    played: int
    you: bool


class TournamentPlayerView(Struct, frozen=True, kw_only=True):
    """A player at a table of a tournament, in the order of seats."""

    name: str
    you: bool
    place: int | None = None
    """Their place at this table; null until it has ended."""
    worth: int | None = None
    """What they were worth at the end; null until then."""
    points: float | None = None


class TournamentTableView(Struct, frozen=True, kw_only=True):
    """A table of a tournament."""

    number: int
    players: tuple[TournamentPlayerView, ...]
    """The players in the order of seats."""
    stage: Literal["later", "running", "finished"]
    where: str
    """The round of its game."""
    asked: str
    """The name of whoever is to move there."""
    game: str
    """The id of its game, to watch it; empty before it begins."""
    key: str = ""
    """Always empty here."""
    host_key: str = ""


class TournamentRoundView(Struct, frozen=True, kw_only=True):
    """A round of a tournament."""

    number: int
    tables: tuple[TournamentTableView, ...]
    """Its tables."""
    out: tuple[str, ...]
    """The names of those who sit out."""


class TournamentView(Struct, frozen=True, kw_only=True):
    """A tournament with its tables and standings."""

    id: str
    name: str
    what: str
    options: Mapping[str, str]
    """Options of the games, by name."""
    host: str
    stage: TournamentStage
    size: int
    rounds: int
    round: int
    """The round that is played, from 1; 0 before the first."""
    seed: int | None
    """The seed of the seatings; null until they are drawn from it, so that nobody can foretell them."""
    created: datetime
    standings: tuple[EntrantView, ...]
    schedule: tuple[TournamentRoundView, ...]
    hosting: bool = False
    """Whether you set it up; always false here."""
    entered: bool = False
    """Whether you take part; always false here."""
    incomplete: bool = False
    """Whether tables of this round are still to be set up."""


def listed_tournaments(database: Database) -> list[ListedTournament]:
    with database.session() as session:
        rows = session.scalars(select(TournamentRow).order_by(TournamentRow.created.desc()).limit(MOST_LISTED)).all()
        counts = select(EntrantRow.tournament, func.count(EntrantRow.id)).group_by(EntrantRow.tournament)
        entrants = {tournament: count for tournament, count in session.execute(counts)}
        return [_listed(session, row, entrants.get(row.id, 0)) for row in rows]


def _listed(session: Session, row: TournamentRow, entrants: int) -> ListedTournament:
    programme = programme_of(row)
    return ListedTournament(
        id=row.id,
        name=row.name,
        what=variant_name(programme.title, programme.variant, programme.modules),
        host=_host(session, row),
        stage=_stage(session, row),
        size=row.size,
        rounds=row.rounds,
        round=row.round,
        entrants=entrants,
        created=row.created,
    )


def tournament_view(database: Database, tournament: str, visitor: Visitor | None) -> TournamentView:
    with database.session() as session:
        row = tournament_of(session, tournament)
        return _TournamentViewBuilder(database, session, row, None if visitor is None else visitor.account).view()


def _host(session: Session, row: TournamentRow) -> str:
    account = None if row.host is None else session.get(AccountRow, row.host)
    return SOMEBODY if account is None else account.name


def _stage(session: Session, row: TournamentRow) -> TournamentStage:
    if row.round == 0:
        return "open"
    games = select(GameRow.id).join(TournamentTableRow, TournamentTableRow.game == GameRow.id)
    unfinished = games.where(TournamentTableRow.tournament == row.id, GameRow.turn.is_not(None))
    is_running = row.round < row.rounds or session.scalar(unfinished.limit(1)) is not None
    return "running" if is_running else "finished"


class _TournamentViewBuilder:
    def __init__(self, database: Database, session: Session, row: TournamentRow, account: int | None) -> None:
        self.database, self.session, self.row, self.account = database, session, row, account
        self.entrants = entrants_of(session, row.id)
        own_tables = select(TournamentTableRow).where(TournamentTableRow.tournament == row.id)
        order = (TournamentTableRow.round, TournamentTableRow.number)
        self.tables = session.scalars(own_tables.order_by(*order)).all()
        ids = [table.game for table in self.tables if table.game is not None]
        self.games = {game.id: game for game in session.scalars(select(GameRow).where(GameRow.id.in_(ids)))}
        self.results: dict[str, dict[str, ResultRow]] = {}  # by game and seat
        for result in session.scalars(select(ResultRow).where(ResultRow.game.in_(ids))):
            self.results.setdefault(result.game, {})[result.seat] = result

    def view(self) -> TournamentView:
        row, programme = self.row, programme_of(self.row)
        current_tables = [table for table in self.tables if table.round == row.round and table.number]
        return TournamentView(
            id=row.id,
            name=row.name,
            what=variant_name(programme.title, programme.variant, programme.modules),
            options=programme.options,
            host=_host(self.session, row),
            stage=_stage(self.session, row),
            size=row.size,
            rounds=row.rounds,
            round=row.round,
            seed=row.seed if row.round else None,
            created=row.created,
            standings=self._standings(),
            schedule=tuple(self._round(number) for number in sorted({table.round for table in self.tables})),
            hosting=self.account is not None and row.host == self.account,
            entered=any(self.is_you(entrant) for entrant in self.entrants),
            incomplete=any(table.game is None for table in current_tables),
        )

    def name(self, entrant: int) -> str:
        account = self.entrants.get(entrant)
        return SOMEBODY if account is None else account.name

    def is_you(self, entrant: int) -> bool:
        account = self.entrants.get(entrant)
        return account is not None and account.id == self.account

    def _standings(self) -> tuple[EntrantView, ...]:
        ended = [places for table in self.tables if (places := self._places(table)) is not None]
        out_rows = [table for table in self.tables if not table.number and table.round <= self.row.round]
        out = [entrant for table in out_rows for entrant in seating_of(table)]
        return tuple(
            EntrantView(
                name=self.name(score.entrant),
                profile=(account := self.entrants[score.entrant]) is not None and account.public,
                rank=score.rank,
                points=_rounded(score.points),
                first=score.first,
                played=score.played,
                you=self.is_you(score.entrant),
            )
            for score in standings(self.entrants, ended, out, self.row.size)
        )

    def _places(self, table: TournamentTableRow) -> TablePlaces | None:
        """The places of a table; None until it has ended."""
        results = self.results.get(table.game or "")
        if not results:
            return None
        by_entrant = {entrant: results[f"p{seat}"] for seat, entrant in enumerate(seating_of(table), start=1)}
        places = {entrant: 0 if result.won else result.place for entrant, result in by_entrant.items()}
        total = sum(max(0, result.worth) for result in by_entrant.values()) or 1
        return TablePlaces(places, {entrant: Fraction(result.worth, total) for entrant, result in by_entrant.items()})

    def _round(self, number: int) -> TournamentRoundView:
        tables = [table for table in self.tables if table.round == number]
        return TournamentRoundView(
            number=number,
            tables=tuple(self._table(table) for table in tables if table.number),
            out=tuple(self.name(entrant) for table in tables if not table.number for entrant in seating_of(table)),
        )

    def _table(self, table: TournamentTableRow) -> TournamentTableView:
        game = self.games.get(table.game or "")
        seating, places = seating_of(table), self._places(table)
        results = self.results.get(table.game or "", {})
        points = {} if places is None else table_points(places.places, self.row.size)
        to_move = None if game is None or game.turn is None else int(game.turn[1:]) - 1
        return TournamentTableView(
            number=table.number,
            players=tuple(
                self._player(entrant, results.get(f"p{seat}"), points.get(entrant))
                for seat, entrant in enumerate(seating, start=1)
            ),
            stage="later" if game is None else "running" if game.turn is not None else "finished",
            where="" if game is None or not game.number else game.round,
            asked="" if to_move is None or to_move >= len(seating) else self.name(seating[to_move]),
            game=table.game or "",
            key=self._key(table, "seat"),
            host_key=self._key(table, "host") if self.row.host == self.account else "",
        )

    def _player(self, entrant: int, result: ResultRow | None, points: Fraction | None) -> TournamentPlayerView:
        return TournamentPlayerView(
            name=self.name(entrant),
            you=self.is_you(entrant),
            place=None if result is None else result.place,
            worth=None if result is None else result.worth,
            points=None if points is None else _rounded(points),
        )

    def _key(self, table: TournamentTableRow, role: str) -> str:
        """The viewer's key of a table, for their seat or as its host."""
        if table.game is None or self.account is None:
            return ""
        keys = select(KeyRow).where(KeyRow.game == table.game, KeyRow.role == role)
        if role == "seat":
            keys = keys.join(KeepingRow, KeepingRow.hash == KeyRow.hash).where(KeepingRow.account == self.account)
        row = self.session.scalar(keys.limit(1))
        return "" if row is None else self.database.key_cipher.decrypt(row.hash, row.sealed)


def _rounded(points: Fraction) -> float:
    return round(float(points), 2)


class TournamentPages(Controller):
    path = "/tournaments"
    include_in_schema = False

    @get("/")
    def listed(self, visit: InjectedVisit, services: InjectedTournaments) -> Response[str]:
        return visit.page("tournaments.html", tournaments=listed_tournaments(services.database))

    @get("/new")
    def form(self, visit: InjectedVisit) -> Response[str]:
        query = visit.request.query_params
        return _form_page(visit, {name: str(value)[:LONGEST_FIELD] for name, value in query.items()})

    @post("/new", middleware=[TOURNAMENTS.middleware])
    def make(self, visit: InjectedVisit, form: InjectedForm, services: InjectedTournaments) -> Response[Any]:
        fields = {name: value[:LONGEST_FIELD] for name, value in form.items() if isinstance(value, str)}
        try:
            tournament = services.tournaments.create(visit.visitor, _new_tournament(fields))
        except OstbahnError as error:
            return _form_page(visit, fields, error)
        return go(f"/tournaments/{tournament}")

    @get("/{tournament:str}")
    def shown(self, visit: InjectedVisit, services: InjectedTournaments, tournament: FromPath[str]) -> Response[str]:
        return _tournament_page(visit, services, tournament)

    @post("/{tournament:str}/enter", middleware=[TOURNAMENTS.middleware])
    def enter(self, visit: InjectedVisit, services: InjectedTournaments, tournament: FromPath[str]) -> Response[Any]:
        return _act_and_redirect(visit, services, tournament, services.tournaments.enter)

    @post("/{tournament:str}/leave", middleware=[TOURNAMENTS.middleware])
    def leave(self, visit: InjectedVisit, services: InjectedTournaments, tournament: FromPath[str]) -> Response[Any]:
        return _act_and_redirect(visit, services, tournament, services.tournaments.leave)

    @post("/{tournament:str}/go-on", middleware=[TOURNAMENTS.middleware])
    def go_on(
        self,
        visit: InjectedVisit,
        services: InjectedTournaments,
        tournament: FromPath[str],
        seen: OptionalNumber = None,
    ) -> Response[Any]:
        """Begin the first round, or the one after the round that the page showed."""
        return _act_and_redirect(visit, services, tournament, partial(services.tournaments.begin_round, seen=seen))


class TournamentApi(Controller):
    path = "/api/tournaments"
    tags = ("lobby",)

    @get("/", operation_id="listTournaments", summary="List tournaments")
    def listed(self, services: InjectedTournaments) -> list[ListedTournament]:
        """All tournaments, the newest first."""
        return listed_tournaments(services.database)

    @get("/{tournament:str}", operation_id="getTournament", summary="Get a tournament")
    def shown(self, services: InjectedTournaments, tournament: FromPath[str]) -> TournamentView:
        """A tournament with its rounds, tables and standings."""
        return tournament_view(services.database, tournament, None)


def _act_and_redirect(visit: Visit, services: TournamentServices, tournament: str, action: Any) -> Response[Any]:
    try:
        action(visit.visitor, tournament)
    except OstbahnError as error:
        return _tournament_page(visit, services, tournament, error)
    return go(f"/tournaments/{tournament}")


def _tournament_page(
    visit: Visit, services: TournamentServices, tournament: str, error: OstbahnError | None = None
) -> Response[str]:
    view = tournament_view(services.database, tournament, visit.visitor)
    return visit.page("tournament.html", error, tournament=view)


def _form_page(visit: Visit, fields: Fields, error: OstbahnError | None = None) -> Response[str]:
    entries = [entry for entry in catalogue_view() if max(entry.players) > 1]
    entry = _entry(fields, entries[0])
    status = None
    if error is None and (visit.visitor is None or visit.visitor.account is None):
        error, status = NotYours(NO_ACCOUNT), 200
    players = as_number(fields.get("size", "")) or default_player_count(entry)
    return visit.page(
        "new_tournament.html",
        error,
        status=status,
        entries=entries,
        entry=entry,
        game=code_of(entry),
        fields=fields,
        modules=module_choices(entry, modules_in(fields, entry), players),
        most_rounds=MOST_ROUNDS,
    )


def _entry(fields: Fields, first: EntryView) -> EntryView:
    return entry_by_code(fields["game"]) if fields.get("game") else first


def _new_tournament(fields: Fields) -> NewTournament:
    entry = _entry(fields, catalogue_view()[0])
    options = {option.name: value for option in entry.options if (value := fields.get(f"option.{option.name}"))}
    return NewTournament(
        name=fields.get("name", ""),
        programme=Programme(
            title=entry.title, variant=entry.variant, options=options, modules=modules_in(fields, entry)
        ),
        size=_number(fields, "size", "How many play at a table"),
        rounds=_number(fields, "rounds", "How many rounds there are"),
    )


def _number(fields: Fields, name: str, what: str) -> int:
    number = as_number(fields.get(name, "").strip())
    if number is None:
        raise BadSetup(f"{what} is a whole number")
    return number
