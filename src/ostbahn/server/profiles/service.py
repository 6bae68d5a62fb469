"""Profiles: the finished games of an account, with statistics and ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Final, TypeVar
from urllib.parse import quote

from litestar import Controller, Response
from litestar.params import PathParameter
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.bots.registry import bot_phrase
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import entry_of, rulebook
from ostbahn.server.accounts.logins import Browser
from ostbahn.server.accounts.people import AccountRow, Visitor, account_named
from ostbahn.server.accounts.rate_limits import PROFILES
from ostbahn.server.accounts.visitors import AccountServices, Injected, InjectedVisit
from ostbahn.server.db.database import Database
from ostbahn.server.games.keys import NO_SETUP, ago, variant_name
from ostbahn.server.games.repository import decode_setup
from ostbahn.server.games.results import Rating
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow, ResultRow
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.routing import get
from ostbahn.table.access import NotHere
from ostbahn.table.room import names_by_seat

MOST_GAMES: Final = 100  # listed, the newest first; statistics count all
K = TypeVar("K")


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


class VariantStatsView(Struct, frozen=True, kw_only=True):
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
    tallies: tuple[VariantStatsView, ...]
    games: tuple[PastGameView, ...]
    """Past games, the latest first."""


class BrowserView(Struct, frozen=True, kw_only=True):
    """Where somebody is logged in."""

    id: int
    name: str
    seen: str
    here: bool


class Profiles:
    def __init__(self, database: Database) -> None:
        self.database = database

    def view(self, name: str, visitor: Visitor | None) -> ProfileView:
        """Return a profile; private profiles and unknown names give the same error."""
        with self.database.session() as session:
            row = account_named(session, name)
            is_own = row is not None and visitor is not None and visitor.account == row.id
            if row is None or row.banned or not (row.public or is_own):
                raise NotHere("there is no profile by this name, or only its owner sees it")
            own_results = select(ResultRow).where(ResultRow.person == row.person)
            newest_first = session.scalars(own_results.order_by(ResultRow.number.desc())).all()
            return ProfileView(
                name=row.name,
                own=is_own,
                public=row.public,
                rated=row.rated,
                ratings=_ratings(newest_first) if row.rated else (),
                tallies=_variant_stats(newest_first),
                games=self._games(session, newest_first, row.id if is_own else None),
            )

    def _games(self, session: Session, own: Sequence[ResultRow], owner: int | None) -> tuple[PastGameView, ...]:
        """The games of these results; `owner` is the account of a visitor who looks at their own profile."""
        results = _grouped(own, lambda row: row.game)
        ids = list(results)[:MOST_GAMES]
        rows = {row.id: row for row in session.scalars(select(GameRow).where(GameRow.id.in_(ids)))}
        order = (ResultRow.won.desc(), ResultRow.place, ResultRow.seat)
        all_results = session.scalars(select(ResultRow).where(ResultRow.game.in_(ids)).order_by(*order)).all()
        placings = _grouped(all_results, lambda row: row.game)
        names = _public_names(session, ids)
        keys = {} if owner is None else self._keys(session, ids, owner)
        return tuple(_past_game(rows[id_], results[id_], placings[id_], names, keys.get(id_, "")) for id_ in ids)

    def _keys(self, session: Session, games: Sequence[str], account: int) -> dict[str, str]:
        """The owner's keys by game."""
        keys = select(KeyRow).join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        own = keys.where(KeepingRow.account == account, KeyRow.game.in_(games), KeyRow.seats != "")
        return {row.game: self.database.key_cipher.decrypt(row.hash, row.sealed) for row in session.scalars(own)}


def _past_game(
    row: GameRow, own: Sequence[ResultRow], results: Sequence[ResultRow], public: Mapping[str, str], key: str
) -> PastGameView:
    """own: results of the profile's owner. results: all, winner first. public: names by person. key: the owner's."""
    title, variant, ended = own[0].title, own[0].variant, own[0].ended
    rating = next(filter(None, map(_rating, own)), None)
    names = names_by_seat(decode_setup(row.setup) or NO_SETUP)
    own_seats = {result.seat for result in own}
    return PastGameView(
        name=row.name,
        what=variant_name(title, variant),
        title=title,
        variant=variant,
        ended=ended,
        date=f"{ended:%d %B %Y}".lstrip("0"),
        placings=tuple(_placing(result, names, result.seat in own_seats, public) for result in results),
        currency=_currency(title, variant),
        rating=None if rating is None else rating.points,
        watch=f"/lobby/{row.id}/watch" if row.watchable else "",
        path=f"/t/{key}" if key else "",
    )


def _placing(row: ResultRow, names: Mapping[str, str], mine: bool, public: Mapping[str, str]) -> PlacingView:
    return PlacingView(
        name=names.get(row.seat, row.seat.capitalize()),
        place=row.place,
        worth=row.worth,
        won=row.won,
        bot="" if row.bot is None else bot_phrase(row.bot),
        profile=profile_path(public[row.person]) if row.person in public and not mine else "",
        mine=mine,
    )


def _rating(row: ResultRow) -> Rating | None:
    """The rating after a game; None if the game was not rated."""
    return None if row.mu is None else Rating(row.mu, row.sigma or 0.0)


def _public_names(session: Session, games: Sequence[str]) -> dict[str, str]:
    """Names of the players with public profiles, by person."""
    players = select(ResultRow.person).where(ResultRow.game.in_(games), ResultRow.person != "")
    is_public = AccountRow.person.in_(players) & AccountRow.public & (AccountRow.banned == "")
    rows = session.execute(select(AccountRow.person, AccountRow.name).where(is_public))
    return {person: name for person, name in rows}


def _variant_stats(rows: Sequence[ResultRow]) -> tuple[VariantStatsView, ...]:
    """Statistics by variant, without games in which the player had several seats."""
    single = [results[0] for results in _grouped(rows, lambda row: row.game).values() if len(results) == 1]
    by_variant = _grouped(single, lambda row: (row.title, row.variant))
    return tuple(
        VariantStatsView(
            what=variant_name(title, variant),
            title=title,
            variant=variant,
            games=len(results),
            won=sum(row.won for row in results),
            best=max(row.worth for row in results),
            currency=_currency(title, variant),
            mean_place=round(sum(row.place for row in results) / len(results), 2),
        )
        for (title, variant), results in sorted(by_variant.items())
    )


def _ratings(rows: Sequence[ResultRow]) -> tuple[RatingView, ...]:
    """The latest rating in each title; `rows` begin with the newest."""
    rated = [(row.title, rating) for row in rows if (rating := _rating(row)) is not None]
    games = Counter(title for title, _ in rated)
    newest = dict(reversed(rated))  # later entries overwrite earlier ones
    return tuple(
        RatingView(
            title=title, points=rating.points, games=games[title], mu=round(rating.mu, 2), sigma=round(rating.sigma, 2)
        )
        for title, rating in sorted(newest.items())
    )


def _grouped(rows: Sequence[ResultRow], key: Callable[[ResultRow], K]) -> dict[K, list[ResultRow]]:
    groups: dict[K, list[ResultRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def browser_view(browser: Browser, now: datetime) -> BrowserView:
    seen = "here now" if browser.here else "" if browser.seen is None else ago(now - browser.seen)
    return BrowserView(id=browser.id, name=browser.name, seen=seen, here=browser.here)


def profile_path(name: str) -> str:
    return f"/people/{quote(name, safe='')}"


@cache
def _currency(title: str, variant: str) -> str:
    """The currency of a variant; empty if it is no longer installed."""
    try:
        return rulebook(title, variant, entry_of(title, variant).players[0]).title.currency
    except BadSetup:
        return ""


@dataclass(frozen=True, kw_only=True)
class ProfileServices(AccountServices):
    profiles: Profiles


InjectedProfiles = Injected[ProfileServices]


NameParameter = Annotated[str, PathParameter(max_length=LONGEST_FIELD)]


class ProfilePages(Controller):
    include_in_schema = False
    middleware = (PROFILES.middleware,)

    @get("/people/{name:str}")
    def profile(self, visit: InjectedVisit, services: InjectedProfiles, name: NameParameter) -> Response[str]:
        return visit.page("profile.html", profile=services.profiles.view(name, visit.visitor))


class PeopleApi(Controller):
    path = "/api/people"
    tags = ("lobby",)
    middleware = (PROFILES.middleware,)

    @get("/{name:str}", operation_id="getProfile", summary="Get a public profile")
    def profile(self, services: InjectedProfiles, name: NameParameter) -> ProfileView:
        """Past games, records and ratings of a player who has made them public."""
        return services.profiles.view(name, None)
