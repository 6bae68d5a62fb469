"""Profiles in words, for pages and the JSON interface."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from urllib.parse import quote

from msgspec import Struct

from ostbahn.bots.registry import in_words
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import entry_of, rulebook
from ostbahn.server.accounts.logins import Browser
from ostbahn.server.games.list_views import NO_SETUP, ago, way_name
from ostbahn.server.games.repository import setup_in
from ostbahn.server.profiles.profiles import PastGame, Placing, Profile, RatedTitle, Tally
from ostbahn.table.room import names_by_seat


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
