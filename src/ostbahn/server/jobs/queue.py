"""The job queue: work that follows from a change, done by any free worker, and retried until it succeeds.

A job is queued in the transaction of the change. A worker claims it: on PostgreSQL by an advisory lock, which ends with
its connection, on SQLite in memory. It deletes the job in the transaction that stores the result (`finish`), so
only one worker can succeed. Effects outside the database, such as a mail, happen at least once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, String, Text, delete, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert as insert_there
from sqlalchemy.dialects.sqlite import insert as insert_here
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.server.db.database import Database, commit_hook
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.table.access import RequestFault


class JobRow(Base):
    """A job for any free worker."""

    __tablename__ = "jobs"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012 - SQLAlchemy's way to say it
    # ids must not be reused: a new job would get the id of a job that was just done

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(120), unique=True)
    game: Mapped[str | None] = mapped_column(String(16), index=True)  # no foreign key: the game may be gone
    due: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    soon: Mapped[bool]  # due in five minutes at most: if it seems later, the clock was put back
    data: Mapped[str] = mapped_column(Text)
    tries: Mapped[int]  # failures so far
    fault: Mapped[str] = mapped_column(Text)  # the last failure


AT_ONCE: Final = datetime(2000, 1, 1, tzinfo=UTC)
FIRST_WAIT: Final = 1.0  # seconds until a failed job is retried; doubles each time
LONGEST_WAIT: Final = 300.0
CANDIDATES: Final = 200  # due jobs among which a worker looks for an unclaimed one
LOCKS: Final = 1872  # the first of the two numbers of an advisory lock; the second is the job's


NAME: Final = "jobs"  # of the commit hook, and of the wakers of a database

Waker = Callable[[Mapping[str, datetime]], None]
"""Called with the kinds of newly queued jobs, and when the first of each is due."""


def wakers_of(database: Database) -> list[Waker]:
    """The wakers of all runners in this process for a database."""
    wakers: list[Waker] = database.shared.setdefault(NAME, [])
    return wakers


class EnqueuedKinds:
    """A commit hook: wakes the runners for the kinds of jobs that a transaction has queued."""

    def __init__(self, wakers: Sequence[Waker]) -> None:
        self._wakers = wakers
        self._kinds: dict[str, datetime] = {}

    def add(self, kind: str, due: datetime) -> None:
        self._kinds[kind] = min(due, self._kinds.get(kind, due))

    def before_commit(self, session: Session) -> None:
        """Does nothing: the jobs are already in the database."""

    def after_commit(self) -> None:
        for wake in list(self._wakers):
            wake(self._kinds)


class Job(NamedTuple):
    id: int
    kind: str
    name: str
    data: str
    game: str | None
    tries: int


JOB: Final = select(JobRow.id, JobRow.kind, JobRow.name, JobRow.data, JobRow.game, JobRow.tries)


class AlreadyDone(RequestFault):
    """Another worker has done the job."""

    status = 409


def enqueue(
    session: Session,
    kind: str,
    name: str,
    due: datetime = AT_ONCE,
    data: str = "",
    game: str | None = None,
    soon: bool = False,
) -> None:
    """Queue a job, unless there is one of the same name.

    soon: the job is due in five minutes at most; if it seems later, the clock was put back, and it is due at once.
    """
    fields = {"kind": kind, "name": name, "due": due, "data": data, "game": game, "soon": soon, "tries": 0, "fault": ""}
    insert = insert_here if session.get_bind().dialect.name == "sqlite" else insert_there
    session.execute(insert(JobRow).values(fields).on_conflict_do_nothing(index_elements=["name"]))
    commit_hook(session, NAME, lambda database: EnqueuedKinds(wakers_of(database))).add(kind, due)


def finish(session: Session, job: Job) -> None:
    """Delete a job in the transaction of its result; raises, and so rolls it back, if another worker was faster."""
    result: Any = session.execute(delete(JobRow).where(JobRow.id == job.id))
    if not result.rowcount:
        raise AlreadyDone("somebody else has done that already")


def cancel_jobs(session: Session, names: Iterable[str]) -> None:
    """Delete jobs by name; a worker that has claimed one fails in `finish`."""
    session.execute(delete(JobRow).where(JobRow.name.in_(list(names))))


class Jobs:
    """The job queue of a database, for one worker. Every method may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._claims = MemoryClaims() if database.is_single_process else PostgresClaims(database)

    @contextmanager
    def claim(self, kinds: Collection[str], now: datetime) -> Iterator[Job | None]:
        """Claim a due job while the context lasts; None if there is none."""
        job = self._claim_one(kinds, now)
        try:
            yield job
        finally:
            if job is not None:
                self._claims.release(job.id)

    def _claim_one(self, kinds: Collection[str], now: datetime) -> Job | None:
        with self.database.session() as session:
            due = select(JobRow.id).where(JobRow.kind.in_(kinds), _is_due(now)).order_by(JobRow.due, JobRow.id)
            ids = session.scalars(due.limit(CANDIDATES)).all()
        for id_ in ids:
            if self._claims.take(id_) and (job := self._still_due(id_, now)) is not None:
                return job
        return None

    def _still_due(self, id_: int, now: datetime) -> Job | None:
        """The job that was just claimed; None, after releasing it, if it was done or postponed meanwhile."""
        row = None
        try:
            with self.database.session() as session:
                row = session.execute(JOB.where(JobRow.id == id_, _is_due(now))).one_or_none()
        finally:
            if row is None:
                self._claims.release(id_)
        return None if row is None else Job(*row)

    def due(self, kinds: Collection[str], now: datetime) -> set[str]:
        """The kinds with at least one due job, claimed or not."""
        with self.database.session() as session:
            return set(session.scalars(select(JobRow.kind).where(JobRow.kind.in_(kinds), _is_due(now)).distinct()))

    def retry_later(self, job: Job, fault: str, now: datetime) -> float:
        """Postpone a failed job; returns by how many seconds."""
        wait: float = min(FIRST_WAIT * 2 ** min(job.tries, 20), LONGEST_WAIT)
        values = {"tries": job.tries + 1, "due": now + timedelta(seconds=wait), "soon": True, "fault": fault[:1000]}
        with self.database.session() as session:
            session.execute(update(JobRow).where(JobRow.id == job.id).values(values))
        return wait

    def end(self, job: Job) -> None:
        """Delete a done job, if `finish` has not."""
        with self.database.session() as session:
            session.execute(delete(JobRow).where(JobRow.id == job.id))

    def close(self) -> None:
        self._claims.close()


def _is_due(now: datetime) -> Any:
    put_back = JobRow.soon & (JobRow.due > now + timedelta(seconds=LONGEST_WAIT))
    return or_(JobRow.due <= now, put_back)


class MemoryClaims:
    """Claims of jobs in a single process."""

    def __init__(self) -> None:
        self._held: set[int] = set()
        self._lock = Lock()

    def take(self, job: int) -> bool:
        with self._lock:
            is_free = job not in self._held
            self._held.add(job)
            return is_free

    def release(self, job: int) -> None:
        with self._lock:
            self._held.discard(job)

    def close(self) -> None:
        """Nothing to close."""


class PostgresClaims(MemoryClaims):
    """Claims of jobs among all workers: advisory locks of one connection, which end with it."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._connection: Connection | None = None
        self._statement_lock = Lock()  # one statement at a time on the one connection

    def take(self, job: int) -> bool:
        if not super().take(job):
            return False
        is_taken = False
        try:
            is_taken = self._execute("SELECT pg_try_advisory_lock(:of, :job)", job)
        finally:
            if not is_taken:
                super().release(job)
        return is_taken

    def release(self, job: int) -> None:
        with suppress(SQLAlchemyError):  # a lost connection has released the lock
            self._execute("SELECT pg_advisory_unlock(:of, :job)", job)
        super().release(job)

    def _execute(self, statement: str, job: int) -> bool:
        with self._statement_lock:
            try:
                if self._connection is None:
                    self._connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                # the second number has 31 bits; two jobs that share one only wait for each other
                return bool(self._connection.scalar(text(statement), {"of": LOCKS, "job": job % 2**31}))
            except SQLAlchemyError:
                self._disconnect()
                raise

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()

    def close(self) -> None:
        with self._statement_lock:
            self._disconnect()
