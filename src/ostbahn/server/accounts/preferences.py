"""Preferences of a person, with an account or without: of what and when to notify them, and their time zone."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.tables import WishRow

USUAL: Final = ("turn", "time", "vote")
NO_ZONE: Final = "UTC"


class Wish(Struct, frozen=True):
    """How somebody wants to be told."""

    events: tuple[str, ...] = USUAL
    every_game: bool = False
    when_there: bool = False
    zone: str = NO_ZONE
    digest_hour: int | None = None


def owner_of(visitor: Visitor) -> str:
    """By what somebody's wishes are found."""
    return f"v{visitor.id}" if visitor.account is None else account_owner(visitor.account)


def account_owner(account: int) -> str:
    """The same for an account."""
    return f"a{account}"


def wish_of(session: Session, owner: str) -> Wish:
    row = session.get(WishRow, owner)
    if row is None:
        return Wish()
    events = tuple(filter(None, row.events.split(",")))
    return Wish(events, row.every_game, row.when_there, row.zone, row.digest_hour)


@cache
def zones() -> frozenset[str]:
    """All that this machine knows, be it none at all; to look for them takes a while."""
    return frozenset({NO_ZONE, *available_timezones()})


def zone_named(name: str) -> tzinfo:
    return UTC if name == NO_ZONE or name not in zones() else ZoneInfo(name)
