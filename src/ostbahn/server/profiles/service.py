"""Profiles: the games that somebody has finished by their account, and what they come to, in words.

Its owner decides who sees it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final, TypeVar
from urllib.parse import quote

from litestar.di import NamedDependency
from litestar.params import SkipValidation
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.bots.registry import in_words
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import entry_of, rulebook
from ostbahn.server.accounts.logins import Browser
from ostbahn.server.accounts.people import AccountRow, Visitor, account_named
from ostbahn.server.accounts.visitors import AccountServices
from ostbahn.server.db.database import Archive
from ostbahn.server.games.keys import NO_SETUP, ago, way_name
from ostbahn.server.games.repository import setup_in
from ostbahn.server.games.results import Rating
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow, ResultRow
from ostbahn.table.access import NotHere
from ostbahn.table.room import names_by_seat

MOST: Final = 100
"""Games that are listed, the newest first; tallies know all."""
K = TypeVar("K")


class Placing(Struct, frozen=True, kw_only=True):
    """How a game ended for somebody at the table."""

    seat: str
    place: int
    won: bool
    worth: int
    bot: str | None
    profile: str
    """The name of their account, where everybody may see it; else empty."""


class PastGame(Struct, frozen=True, kw_only=True):
    game: str
    name: str
    setup: str
    title: str
    variant: str
    ended: datetime
    mine: tuple[str, ...]
    """The seats of whose profile it is."""
    placings: tuple[Placing, ...]
    """Of all, the best first."""
    rating: Rating | None
    """Theirs after it, where it was rated."""
    watchable: bool
    key: str
    """To the table, for themselves; else empty."""


class Tally(Struct, frozen=True, kw_only=True):
    """What somebody has come to in one way to play; a game at several seats of one's own counts for none."""

    title: str
    variant: str
    games: int
    won: int
    best: int
    """The greatest worth."""
    mean_place: float


class RatedTitle(Struct, frozen=True, kw_only=True):
    title: str
    games: int
    rating: Rating


class Profile(Struct, frozen=True, kw_only=True):
    name: str
    own: bool
    public: bool
    rated: bool
    ratings: tuple[RatedTitle, ...]
    tallies: tuple[Tally, ...]
    games: tuple[PastGame, ...]


class Profiles:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def of(self, name: str, visitor: Visitor | None) -> Profile:
        """Somebody's profile; for all who may not see it there is none, whether or not there is such a person."""
        with self.archive.session() as session:
            row = account_named(session, name)
            own = row is not None and visitor is not None and visitor.account == row.id
            if row is None or row.banned or not (row.public or own):
                raise NotHere("there is no profile by this name, or only its owner sees it")
            mine = session.scalars(
                select(ResultRow).where(ResultRow.person == row.person).order_by(ResultRow.number.desc())
            ).all()
            return Profile(
                name=row.name,
                own=own,
                public=row.public,
                rated=row.rated,
                ratings=_ratings(mine) if row.rated else (),
                tallies=_tallies(mine),
                games=self._games(session, mine, row.id if own else None),
            )

    def _games(self, session: Session, mine: Sequence[ResultRow], owner: int | None) -> tuple[PastGame, ...]:
        seats = _grouped(mine, lambda row: row.game)
        ids = list(seats)[:MOST]
        rows = {row.id: row for row in session.scalars(select(GameRow).where(GameRow.id.in_(ids)))}
        known = _public_names(session, ids)
        order = (ResultRow.won.desc(), ResultRow.place, ResultRow.seat)
        all_ = session.scalars(select(ResultRow).where(ResultRow.game.in_(ids)).order_by(*order)).all()
        placings = _grouped(all_, lambda row: row.game)
        keys = {} if owner is None else self._keys(session, ids, owner)
        return tuple(_past_game(rows[id_], seats[id_], placings[id_], known, keys.get(id_, "")) for id_ in ids)

    def _keys(self, session: Session, games: Sequence[str], account: int) -> dict[str, str]:
        """To the tables at which somebody had a seat."""
        kept = select(KeyRow).join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        wanted = kept.where(KeepingRow.account == account, KeyRow.game.in_(games), KeyRow.seats != "")
        return {row.game: self.archive.seal.open(row.hash, row.sealed) for row in session.scalars(wanted)}


def _past_game(
    row: GameRow, mine: Sequence[ResultRow], all_: Sequence[ResultRow], known: Mapping[str, str], key: str
) -> PastGame:
    rated = next((each for each in mine if each.mu is not None), None)
    return PastGame(
        game=row.id,
        name=row.name,
        setup=row.setup,
        title=mine[0].title,
        variant=mine[0].variant,
        ended=mine[0].ended,
        mine=tuple(each.seat for each in mine),
        placings=tuple(
            Placing(
                seat=each.seat,
                place=each.place,
                won=each.won,
                worth=each.worth,
                bot=each.bot,
                profile=known.get(each.person, ""),
            )
            for each in all_
        ),
        rating=None if rated is None else Rating(rated.mu or 0.0, rated.sigma or 0.0),
        watchable=row.watchable,
        key=key,
    )


def _public_names(session: Session, games: Sequence[str]) -> dict[str, str]:
    """Of those at these tables whose profiles everybody may see."""
    people = select(ResultRow.person).where(ResultRow.game.in_(games), ResultRow.person != "")
    wanted = select(AccountRow.person, AccountRow.name).where(
        AccountRow.person.in_(people), AccountRow.public, AccountRow.banned == ""
    )
    return {person: name for person, name in session.execute(wanted)}


def _alone(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Games at which somebody had one seat."""
    return [found[0] for found in _grouped(rows, lambda row: row.game).values() if len(found) == 1]


def _tallies(rows: Sequence[ResultRow]) -> tuple[Tally, ...]:
    ways = _grouped(_alone(rows), lambda row: (row.title, row.variant))
    return tuple(
        Tally(
            title=title,
            variant=variant,
            games=len(found),
            won=sum(row.won for row in found),
            best=max(row.worth for row in found),
            mean_place=sum(row.place for row in found) / len(found),
        )
        for (title, variant), found in sorted(ways.items())
    )


def _ratings(rows: Sequence[ResultRow]) -> tuple[RatedTitle, ...]:
    """Those of today; the rows are the newest first."""
    titles = _grouped([row for row in rows if row.mu is not None], lambda row: row.title)
    return tuple(
        RatedTitle(title=title, games=len(found), rating=Rating(found[0].mu or 0.0, found[0].sigma or 0.0))
        for title, found in sorted(titles.items())
    )


def _grouped(rows: Sequence[ResultRow], key: Callable[[ResultRow], K]) -> dict[K, list[ResultRow]]:
    """By something they share, in the order in which it comes."""
    groups: dict[K, list[ResultRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


class PlacingView(Struct, frozen=True, kw_only=True):
    """A player of a past game."""

    name: str
    place: int
    """Their place, 1 for the winner."""
    worth: int
    won: bool
    bot: str
    """What kind of bot; empty for people."""
    profile: str
    """The address of their profile; empty unless it is public."""
    mine: bool
    """Whether the profile is theirs."""


class PastGameView(Struct, frozen=True, kw_only=True):
    """A game that somebody has played to its end."""

    name: str
    what: str
    title: str
    variant: str
    ended: datetime
    date: str
    placings: tuple[PlacingView, ...]
    """The players, the winner first."""
    currency: str
    rating: int | None
    """The rating after this game; null if it was not rated."""
    watch: str
    """The address at which everybody may look at the table; empty if nobody may."""
    path: str
    """The address of the table for its owner; empty for all others."""


class TallyView(Struct, frozen=True, kw_only=True):
    """Games, wins and places in one title and variant."""

    what: str
    title: str
    variant: str
    games: int
    won: int
    """How many games were won."""
    best: int
    currency: str
    mean_place: float


class RatingView(Struct, frozen=True, kw_only=True):
    """A rating in one title."""

    title: str
    points: int
    """The rating."""
    games: int
    mu: float
    sigma: float


class ProfileView(Struct, frozen=True, kw_only=True):
    """A public profile."""

    name: str
    own: bool
    public: bool
    rated: bool
    ratings: tuple[RatingView, ...]
    tallies: tuple[TallyView, ...]
    games: tuple[PastGameView, ...]
    """Past games, the latest first."""


class BrowserView(Struct, frozen=True, kw_only=True):
    """Where somebody is logged in."""

    id: int
    name: str
    seen: str
    here: bool


def profile_view(profile: Profile) -> ProfileView:
    return ProfileView(
        name=profile.name,
        own=profile.own,
        public=profile.public,
        rated=profile.rated,
        ratings=tuple(map(_rating_view, profile.ratings)),
        tallies=tuple(map(_tally_view, profile.tallies)),
        games=tuple(map(_past_game_view, profile.games)),
    )


def browser_view(browser: Browser, now: datetime) -> BrowserView:
    seen = "here now" if browser.here else "" if browser.seen is None else ago(now - browser.seen)
    return BrowserView(id=browser.id, name=browser.name, seen=seen, here=browser.here)


def profile_path(name: str) -> str:
    return f"/people/{quote(name, safe='')}"


def _rating_view(rated: RatedTitle) -> RatingView:
    return RatingView(
        title=rated.title,
        points=rated.rating.points,
        games=rated.games,
        mu=round(rated.rating.mu, 2),
        sigma=round(rated.rating.sigma, 2),
    )


def _tally_view(tally: Tally) -> TallyView:
    return TallyView(
        what=way_name(tally.title, tally.variant),
        title=tally.title,
        variant=tally.variant,
        games=tally.games,
        won=tally.won,
        best=tally.best,
        currency=_currency(tally.title, tally.variant),
        mean_place=round(tally.mean_place, 2),
    )


def _past_game_view(game: PastGame) -> PastGameView:
    setup = setup_in(game.setup) or NO_SETUP
    names = names_by_seat(setup)
    return PastGameView(
        name=game.name,
        what=way_name(game.title, game.variant),
        title=game.title,
        variant=game.variant,
        ended=game.ended,
        date=f"{game.ended:%d %B %Y}".lstrip("0"),
        placings=tuple(_placing_view(each, names, each.seat in game.mine) for each in game.placings),
        currency=_currency(game.title, game.variant),
        rating=None if game.rating is None else game.rating.points,
        watch=f"/lobby/{game.game}/watch" if game.watchable else "",
        path=f"/t/{game.key}" if game.key else "",
    )


def _placing_view(placing: Placing, names: dict[str, str], mine: bool) -> PlacingView:
    return PlacingView(
        name=names.get(placing.seat, placing.seat.capitalize()),
        place=placing.place,
        worth=placing.worth,
        won=placing.won,
        bot="" if placing.bot is None else in_words(placing.bot),
        profile=profile_path(placing.profile) if placing.profile and not mine else "",
        mine=mine,
    )


@cache
def _currency(title: str, variant: str) -> str:
    try:
        return rulebook(title, variant, entry_of(title, variant).players[0]).title.currency
    except BadSetup:
        return ""


@dataclass(frozen=True, kw_only=True)
class ProfileServices(AccountServices):
    profiles: Profiles


GivenProfiles = NamedDependency[SkipValidation[ProfileServices]]
