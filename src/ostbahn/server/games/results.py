"""Results of games, kept until somebody undoes their end, and ratings by OpenSkill, computed from results alone.

Only people are rated, by their order. Bots are not: whoever plays against them all day would rise without ever having
met a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple

from openskill.models import PlackettLuce
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import AccountRow
from ostbahn.server.db.tables import RATINGS, lock_server_flag
from ostbahn.server.games.tables import KeepingRow, KeyRow, ResultRow
from ostbahn.table.access import parted
from ostbahn.table.plans import PlanRoom
from ostbahn.table.room import LogEntry, Room
from ostbahn.views.wealth import result_view

FEWEST: Final = 2  # people who can be compared
START: Final = 1000  # points of a new player
STRETCH: Final = 40  # points for one unit of OpenSkill

_MODEL: Final = PlackettLuce()


class Rating(NamedTuple):
    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """What somebody has shown for certain: three deviations below what is expected of them."""
        known = _MODEL.create_rating(list(self))
        return round(known.ordinal(alpha=STRETCH, target=START))


def after_game(places: Mapping[str, int], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of people after a game that ended in these places; none where there are too few of them."""
    if len(places) < FEWEST:
        return {}
    people = sorted(places)  # so that it makes no difference who is told first
    known = [before.get(person) for person in people]
    teams = [[_MODEL.rating() if each is None else _MODEL.create_rating(list(each))] for each in known]
    rated = _MODEL.rate(teams, ranks=[float(places[person]) for person in people])
    return {person: Rating(team[0].mu, team[0].sigma) for person, team in zip(people, rated, strict=True)}


PLAYING: Final = ("host", "seat")  # roles of keys


class SeatedAccount(NamedTuple):
    """Somebody's account has a seat."""

    person: str
    rated: bool  # whether they want to be


def record(session: Session, room: Room, entries: Sequence[LogEntry], now: datetime) -> None:
    """Enter or withdraw the result after lines were added to the log of a room."""
    if isinstance(room, PlanRoom):
        return
    kinds = {entry.kind for entry in entries}
    if "undo" in kinds:
        _take_back(session, room.id)
    if room.game.over and "answer" in kinds:
        _enter(session, room, now)


def _enter(session: Session, room: Room, now: datetime) -> None:
    lock_server_flag(session, RATINGS)
    session.execute(delete(ResultRow).where(ResultRow.game == room.id))
    number = 1 + (session.scalar(select(func.max(ResultRow.number))) or 0)
    rows = _rows(room, sitting(session, room.id), number, now)
    rate(rows, _known(session, room.game.setup.title, [row.person for row in rows if row.counts]))
    session.add_all(rows)


def _rows(room: Room, sitters: Mapping[str, SeatedAccount], number: int, now: datetime) -> list[ResultRow]:
    result = result_view(room.game)
    people = [sitter.person for sitter in sitters.values()]
    rows = []
    for place in () if result is None else result.places:
        sitter = None if place.seat in room.bots else sitters.get(place.seat)
        counts = sitter is not None and sitter.rated and people.count(sitter.person) == 1
        row = ResultRow(
            game=room.id,
            seat=place.seat,
            number=number,
            title=room.game.setup.title,
            variant=room.game.setup.variant,
            person="" if sitter is None else sitter.person,
            bot=room.bots.get(place.seat),
            place=place.place,
            won=place.winner,
            worth=place.worth,
            ended=now,
            counts=counts,
        )
        rows.append(row)
    return rows


def sitting(session: Session, game: str) -> dict[str, SeatedAccount]:
    """Whose accounts have the seats of a game; where several have used a key, whoever did so first."""
    found = session.execute(
        select(KeyRow.seats, AccountRow.person, AccountRow.rated)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .join(AccountRow, AccountRow.id == KeepingRow.account)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING))
        .order_by(KeepingRow.id)
    )
    sitters: dict[str, SeatedAccount] = {}
    for seats, person, rated in found:
        for seat in parted(seats):
            sitters.setdefault(seat, SeatedAccount(person, rated))
    return sitters


def _take_back(session: Session, game: str) -> None:
    """A game goes on that had ended: its result goes, and those rated since are rated without it."""
    title = session.scalar(select(ResultRow.title).where(ResultRow.game == game).limit(1))
    if title is None:
        return
    lock_server_flag(session, RATINGS)
    session.execute(delete(ResultRow).where(ResultRow.game == game))
    rate_anew(session, title)


def claim(session: Session, account: AccountRow) -> None:
    """Games that somebody finished before they had an account, or before they logged in; they are not rated."""
    found = session.execute(
        select(ResultRow, KeyRow.seats)
        .join(KeyRow, KeyRow.game == ResultRow.game)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeepingRow.account == account.id, KeyRow.role.in_(PLAYING))
        .where(ResultRow.person == "", ResultRow.bot.is_(None))
    )
    for row, seats in found.all():
        if row.seat in parted(seats):
            row.person = account.person


def rate(rows: Iterable[ResultRow], before: Mapping[str, Rating]) -> None:
    """The ratings after one game, from its rows and what was known before."""
    counted = {row.person: row for row in rows if row.counts}
    places = {person: row.place - row.won for person, row in counted.items()}  # who wins is before all others
    after = after_game(places, before)
    for row in rows:
        rating = after.get(row.person) if row.counts else None
        row.mu, row.sigma = rating or (None, None)


def rate_anew(session: Session, title: str | None = None) -> int:
    """All ratings, or those of a title, from the results in their order; returns how many games were rated."""
    lock_server_flag(session, RATINGS)
    wanted = select(ResultRow).order_by(ResultRow.number, ResultRow.seat)
    rows = session.scalars(wanted if title is None else wanted.where(ResultRow.title == title)).all()
    known: dict[str, dict[str, Rating]] = {}
    games = 0
    for _, found in groupby(rows, key=lambda row: row.number):
        of_game = list(found)
        before = known.setdefault(of_game[0].title, {})
        rate(of_game, before)
        after = {row.person: Rating(row.mu, row.sigma) for row in of_game if row.mu is not None and row.sigma}
        before.update(after)
        games += bool(after)
    return games


def _known(session: Session, title: str, people: Sequence[str]) -> dict[str, Rating]:
    """Today's ratings of people."""
    rated = (ResultRow.title == title) & ResultRow.person.in_(people) & ResultRow.mu.is_not(None)
    newest = select(func.max(ResultRow.number)).where(rated).group_by(ResultRow.person)
    found = session.execute(
        select(ResultRow.person, ResultRow.mu, ResultRow.sigma)
        .where(rated, ResultRow.number.in_(newest))
        .order_by(ResultRow.number)
    )
    return {person: Rating(mu, sigma) for person, mu, sigma in found if mu is not None and sigma is not None}
