"""Notifying people, put together once: its jobs, the daily mail for slow games, and what routes need of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import Wish, WishRow, wish_of, zone_named
from ostbahn.server.games.listeners import last_asked
from ostbahn.server.games.service import House
from ostbahn.server.games.services import GameServices
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.server.jobs.queue import Job, finish, unwant
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.notifications.channels import Outlets
from ostbahn.server.notifications.delivery import WIRES, Messenger, Outcomes, WhoIsThere
from ostbahn.server.notifications.queue import TELL
from ostbahn.server.notifications.safe_http import NotSent, Outside
from ostbahn.server.notifications.subscriptions import DIGEST, WireRow, Wishes, digest_job, want_digest, wires_of
from ostbahn.table.access import parted
from ostbahn.table.slots import duration

DAY: Final = timedelta(days=1)
MOST: Final = 100
"""Games in a mail."""
SHORTLY: Final = timedelta(minutes=1)
"""By when a mail that failed is tried again."""
GIVEN_UP: Final = 6
"""Tries for a mail that comes again tomorrow anyway."""


def arrange_digest(session: Session, owner: str, wish: Wish, now: datetime) -> None:
    """The next mail at the hour that somebody wants; none if they want none."""
    unwant(session, [digest_job(owner)])
    _want_next(session, owner, wish, now)


def _want_next(session: Session, owner: str, wish: Wish, now: datetime) -> None:
    if wish.digest_hour is not None:
        want_digest(session, owner, next_at(wish.digest_hour, wish.zone, now))


def next_at(hour: int, zone: str, now: datetime) -> datetime:
    """The next time that it is this hour there: as its clocks show it, in summer and in winter."""
    there = now.astimezone(zone_named(zone))
    today = there.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (today if today > there else today + DAY).astimezone(now.tzinfo)


class Digests:
    def __init__(self, messenger: Messenger) -> None:
        self.messenger = messenger

    def arrange_all(self) -> None:
        """When the house opens: all that are wanted are on their way already, unless something was lost."""
        with self.messenger.archive.session() as session:
            for owner in session.scalars(select(WishRow.owner).where(WishRow.digest_hour.is_not(None))).all():
                _want_next(session, owner, wish_of(session, owner), self.messenger.clock())

    def send(self, job: Job) -> None:
        owner = msgspec.json.decode(job.data, type=str)
        clock, archive = self.messenger.clock, self.messenger.archive
        with archive.session() as session:
            wish = wish_of(session, owner)
            lines = self._asked(session, owner, clock()) if wish.digest_hour is not None else []
            wires = [wire for wire in wires_of(session, owner) if wire.kind == "mail" and wire.confirmed]
        next_try = clock() + SHORTLY if job.tries < GIVEN_UP else None
        fault = self._mail(wires, lines, next_try) if lines else None
        if fault is not None and next_try is not None:
            raise fault
        with archive.session() as session:
            finish(session, job)
            arrange_digest(session, owner, wish, clock())

    def _mail(self, wires: list[WireRow], lines: list[str], next_try: datetime | None) -> NotSent | None:
        """What went wrong, if no address was reached: those that were get no second mail."""
        subject = f"It is your turn in {len(lines)} game{'' if len(lines) == 1 else 's'}"
        troubles = []
        for wire in wires:
            try:
                self.messenger.mail_digest(wire, subject, "\n\n".join(lines), next_try)
            except NotSent as fault:
                troubles.append(fault)
        return troubles[0] if troubles and len(troubles) == len(wires) else None

    def _asked(self, session: Session, owner: str, now: datetime) -> list[str]:
        """A few lines for each game in which somebody is asked, those first that have waited longest."""
        column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
        seal, address = self.messenger.archive.seal, self.messenger.outlets.address
        wanted = (
            select(KeyRow, GameRow)
            .join(GameRow, GameRow.id == KeyRow.game)
            .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
            .where(column == int(owner[1:]), KeepingRow.removed.is_(False), GameRow.turn.is_not(None))
        )
        waiting: dict[str, tuple[datetime, str]] = {}
        for key, game in session.execute(wanted):
            last = last_asked(session, game.id)
            if last is None or game.turn not in parted(key.seats):
                continue
            opened = seal.open(key.hash, key.sealed)
            path = f"/t/{opened}" if opened else f"/g/{game.id}"
            since = duration(max(60, int((now - last.at).total_seconds())))
            waiting[game.id] = last.at, f"{game.name} ({game.round}): you are asked since {since}\n{address}{path}"
        return [text for _, text in sorted(waiting.values())[:MOST]]


AT_ONCE: Final = 4
"""Messages of a kind that are on their way side by side."""


class Notifications:
    def __init__(self, house: House, outlets: Outlets, present: WhoIsThere) -> None:
        """present: seats whose players look at a table now."""
        archive, clock = house.archive, house.clock
        self.outlets = outlets
        self.wishes = Wishes(archive, clock)
        outside, outcomes = Outside(outlets.let_in), Outcomes(house.figures, clock)
        self.messenger = Messenger(archive, clock, outlets, self.wishes, present, outside, outcomes)
        self.digests = Digests(self.messenger)

    def register(self, runner: JobRunner) -> None:
        runner.register(TELL, self.messenger.spread)
        for kind in WIRES:
            runner.register(kind, self.messenger.deliver, at_once=AT_ONCE)
        runner.register(DIGEST, self.digests.send)

    async def start(self) -> None:
        await asyncio.to_thread(self.digests.arrange_all)


@dataclass(frozen=True, kw_only=True)
class NotificationServices(GameServices):
    wishes: Wishes
    outlets: Outlets
    messenger: Messenger
    other_settings: Callable[[str], Mapping[str, Any]]
    """What other features show on the page of an owner (empty for somebody new): `sections`, the templates to include,
    and the values that these need.
    """


GivenNotifications = NamedDependency[SkipValidation[NotificationServices]]
