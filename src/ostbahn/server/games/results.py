"""Results of finished games, and OpenSkill ratings, computed from results alone.

Only people are rated, by their order: who played bots all day would rise without ever meeting a person.
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

FEWEST: Final = 2  # people in a rated game
START: Final = 1000  # points of a new player
STRETCH: Final = 40  # points for one unit of OpenSkill

_MODEL: Final = PlackettLuce()


class Rating(NamedTuple):
    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """A conservative estimate: three deviations below the mean."""
        return round(_MODEL.create_rating(list(self)).ordinal(alpha=STRETCH, target=START))


def ratings_after_game(places: Mapping[str, int], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of people after a game that ended in these places; empty with too few people."""
    if len(places) < FEWEST:
        return {}
    people = sorted(places)  # the order of `places` must not matter
    ratings = [before.get(person) for person in people]
    teams = [[_MODEL.rating() if rating is None else _MODEL.create_rating(list(rating))] for rating in ratings]
    rated = _MODEL.rate(teams, ranks=[float(places[person]) for person in people])
    return {person: Rating(team[0].mu, team[0].sigma) for person, team in zip(people, rated, strict=True)}


PLAYING: Final = ("host", "seat")  # roles of keys


class SeatedAccount(NamedTuple):
    """The account that plays a seat."""

    person: str
    rated: bool  # whether they want a rating


def record(session: Session, room: Room, entries: Sequence[LogEntry], now: datetime) -> None:
    """Store the result if these new log entries end the game; delete it if they undo its end."""
    if isinstance(room, PlanRoom):
        return
    kinds = {entry.kind for entry in entries}
    if "undo" in kinds:
        _delete_result(session, room.id)
    if room.game.over and "answer" in kinds:
        _store_result(session, room, now)


def _store_result(session: Session, room: Room, now: datetime) -> None:
    lock_server_flag(session, RATINGS)
    session.execute(delete(ResultRow).where(ResultRow.game == room.id))
    number = 1 + (session.scalar(select(func.max(ResultRow.number))) or 0)
    rows = _result_rows(room, seated_accounts(session, room.id), number, now)
    rate(rows, _current_ratings(session, room.game.setup.title, [row.person for row in rows if row.counts]))
    session.add_all(rows)


def _result_rows(room: Room, accounts: Mapping[str, SeatedAccount], number: int, now: datetime) -> list[ResultRow]:
    result = result_view(room.game)
    people = [account.person for account in accounts.values()]
    rows = []
    for place in () if result is None else result.places:
        account = None if place.seat in room.bots else accounts.get(place.seat)
        counts = account is not None and account.rated and people.count(account.person) == 1
        row = ResultRow(
            game=room.id,
            seat=place.seat,
            number=number,
            title=room.game.setup.title,
            variant=room.game.setup.variant,
            person="" if account is None else account.person,
            bot=room.bots.get(place.seat),
            place=place.place,
            won=place.winner,
            worth=place.worth,
            ended=now,
            counts=counts,
        )
        rows.append(row)
    return rows


def seated_accounts(session: Session, game: str) -> dict[str, SeatedAccount]:
    """The accounts that play in a game, by seat; of several that have used a key, the first."""
    keys = session.execute(
        select(KeyRow.seats, AccountRow.person, AccountRow.rated)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .join(AccountRow, AccountRow.id == KeepingRow.account)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING))
        .order_by(KeepingRow.id)
    )
    accounts: dict[str, SeatedAccount] = {}
    for seats, person, rated in keys:
        for seat in parted(seats):
            accounts.setdefault(seat, SeatedAccount(person, rated))
    return accounts


def _delete_result(session: Session, game: str) -> None:
    """Delete the result of a game that continues, and compute all ratings of its title without it."""
    title = session.scalar(select(ResultRow.title).where(ResultRow.game == game).limit(1))
    if title is None:
        return
    lock_server_flag(session, RATINGS)
    session.execute(delete(ResultRow).where(ResultRow.game == game))
    rate_anew(session, title)


def claim(session: Session, account: AccountRow) -> None:
    """Assign an account the results of games that it finished before it registered or logged in; unrated."""
    unclaimed = session.execute(
        select(ResultRow, KeyRow.seats)
        .join(KeyRow, KeyRow.game == ResultRow.game)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeepingRow.account == account.id, KeyRow.role.in_(PLAYING))
        .where(ResultRow.person == "", ResultRow.bot.is_(None))
    )
    for row, seats in unclaimed.all():
        if row.seat in parted(seats):
            row.person = account.person


def rate(rows: Iterable[ResultRow], before: Mapping[str, Rating]) -> None:
    """Fill in the ratings after one game, from its rows and the ratings before it."""
    places = {row.person: row.place - row.won for row in rows if row.counts}  # a winner precedes all others
    after = ratings_after_game(places, before)
    for row in rows:
        rating = after.get(row.person) if row.counts else None
        row.mu, row.sigma = rating or (None, None)


def rate_anew(session: Session, title: str | None = None) -> int:
    """Compute all ratings, or those of a title, from the results again; returns how many games were rated."""
    lock_server_flag(session, RATINGS)
    results = select(ResultRow).order_by(ResultRow.number, ResultRow.seat)
    rows = session.scalars(results if title is None else results.where(ResultRow.title == title)).all()
    ratings: dict[str, dict[str, Rating]] = {}
    rated_games = 0
    for _, group in groupby(rows, key=lambda row: row.number):
        game_rows = list(group)
        of_title = ratings.setdefault(game_rows[0].title, {})
        rate(game_rows, of_title)
        after = {row.person: Rating(row.mu, row.sigma) for row in game_rows if row.mu is not None and row.sigma}
        of_title.update(after)
        rated_games += bool(after)
    return rated_games


def _current_ratings(session: Session, title: str, people: Sequence[str]) -> dict[str, Rating]:
    rated = (ResultRow.title == title) & ResultRow.person.in_(people) & ResultRow.mu.is_not(None)
    newest = select(func.max(ResultRow.number)).where(rated).group_by(ResultRow.person)
    rows = session.execute(
        select(ResultRow.person, ResultRow.mu, ResultRow.sigma)
        .where(rated, ResultRow.number.in_(newest))
        .order_by(ResultRow.number)
    )
    return {person: Rating(mu, sigma) for person, mu, sigma in rows if mu is not None and sigma is not None}
