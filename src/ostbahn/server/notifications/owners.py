"""What happens to somebody's wires and wishes when they get an account, take all that is theirs along, or are gone."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ostbahn.server.accounts.tables import WishRow
from ostbahn.server.clocks.tables import HolidayRow
from ostbahn.server.jobs.queue import unwant, want
from ostbahn.server.jobs.tables import JobRow
from ostbahn.server.notifications.tables import BellRow, WireRow

OWNED: Final = (WireRow, BellRow, WishRow, HolidayRow)
"""Whose rows have an owner: `a7` for an account, `v7` for a visitor without one."""
DIGEST: Final = "digest"
"""The kind of job that sends a daily mail."""
UNTOLD: Final = ("owner", "digest", "data")


def move(session: Session, before: str, after: str) -> None:
    """Somebody has an account from now on: what they wanted without one they go on wanting."""
    held = set(session.scalars(select(WireRow.digest).where(WireRow.owner == after)))
    for wire in session.scalars(select(WireRow).where(WireRow.owner == before)).all():
        if wire.digest in held:
            session.delete(wire)
        else:
            wire.owner = after
    for bell in session.scalars(select(BellRow).where(BellRow.owner == before)).all():
        session.merge(BellRow(owner=after, game=bell.game, rings=bell.rings))
        session.delete(bell)
    wish = session.get(WishRow, before)
    if wish is not None:
        if session.get(WishRow, after) is None:
            fields = {"events", "every_game", "when_there", "zone", "digest_hour"}
            session.add(WishRow(owner=after, **{name: getattr(wish, name) for name in fields}))
            _move_digest(session, before, after)
        session.delete(wish)
    session.execute(update(HolidayRow).where(HolidayRow.owner == before).values(owner=after))


def digest_job(owner: str) -> str:
    """What the job is called that sends somebody's daily mail."""
    return f"{DIGEST}/{owner}"


def _move_digest(session: Session, before: str, after: str) -> None:
    due = session.scalar(select(JobRow.due).where(JobRow.name == digest_job(before)))
    unwant(session, [digest_job(before), digest_job(after)])  # whoever sends it just now finds out
    if due is not None:
        want(session, DIGEST, digest_job(after), due, msgspec.json.encode(after).decode())


def told_of(session: Session, owner: str) -> dict[str, list[dict[str, Any]]]:
    """All that somebody wanted, table by table. Whoever finds it must not be able to write in their name to a room or
    a browser, so of these addresses only the host is told."""
    return {
        table.__tablename__: [
            {name: getattr(row, name) for name in table.__table__.columns.keys() if name not in UNTOLD}  # noqa: SIM118
            | ({"address": _open_address(row)} if isinstance(row, WireRow) else {})
            for row in session.scalars(select(table).where(table.owner == owner))
        ]
        for table in OWNED
    }


def _open_address(wire: WireRow) -> str:
    return wire.address if wire.kind == "mail" else urlsplit(wire.address).hostname or ""


def forget(session: Session, owner: str) -> None:
    """Somebody is gone, with all that they wanted."""
    for table in OWNED:
        session.execute(delete(table).where(table.owner == owner))
