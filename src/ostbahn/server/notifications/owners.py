"""What happens to somebody's channels and wishes when they get an account."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import AccountListener, Visitor
from ostbahn.server.accounts.preferences import account_owner, owner_of
from ostbahn.server.accounts.tables import AccountRow, WishRow
from ostbahn.server.jobs.queue import unwant, want
from ostbahn.server.jobs.tables import JobRow
from ostbahn.server.notifications.tables import BellRow, WireRow

DIGEST: Final = "digest"
"""The kind of job that sends a daily mail."""


class NotificationOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        if visitor.account is None:
            move(session, owner_of(visitor), account_owner(account.id))


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


def digest_job(owner: str) -> str:
    """What the job is called that sends somebody's daily mail."""
    return f"{DIGEST}/{owner}"


def _move_digest(session: Session, before: str, after: str) -> None:
    due = session.scalar(select(JobRow.due).where(JobRow.name == digest_job(before)))
    unwant(session, [digest_job(before), digest_job(after)])  # whoever sends it just now finds out
    if due is not None:
        want(session, DIGEST, digest_job(after), due, msgspec.json.encode(after).decode())
