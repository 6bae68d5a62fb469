"""Jobs: work that follows from a change, done by whichever worker is free, and tried again until it succeeds.

A job is wanted in the transaction of the change. A worker claims it: on PostgreSQL by an advisory lock, which goes with
its connection, on SQLite by a set in memory. It deletes the job in the transaction that keeps the result (`finish`), so
two workers cannot both succeed. What is kept elsewhere, as a mail, may happen twice, but never not at all.
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
    """Something to be done by whichever worker is free."""

    __tablename__ = "jobs"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012 - SQLAlchemy's way to say it
    # else the next job would get the number of the one that was just done

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(120), unique=True)  # of which there is one only
    game: Mapped[str | None] = mapped_column(String(16), index=True)
    """What it is about; it finds out by itself if there is no such game any more."""
    due: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    soon: Mapped[bool]  # whether it is never due later than in a few minutes: where it is, the clock was put back
    data: Mapped[str] = mapped_column(Text)
    tries: Mapped[int]  # how often it has failed so far
    fault: Mapped[str] = mapped_column(Text)  # why it failed last


AT_ONCE: Final = datetime(2000, 1, 1, tzinfo=UTC)  # due whatever the clock says
FIRST_WAIT: Final = 1.0  # seconds until a job that failed is tried again; each time it is twice as long
LONGEST_WAIT: Final = 300.0
MOST_LOOKED_AT: Final = 200  # jobs that are due, of which one is sought that nobody else is at
LOCKS: Final = 1872  # the first of the two numbers by which PostgreSQL knows a claim; the second is the job's


WANTED: Final = "jobs"
"""Under this a session knows which jobs were wanted in it, and an archive whom to wake for them."""

Waker = Callable[[Mapping[str, datetime]], None]
"""Called with the kinds of jobs that were wanted just now, and when the first of each is due."""


def wakers_of(database: Database) -> list[Waker]:
    """Those who do jobs of a database in this process."""
    wakers: list[Waker] = database.shared.setdefault(WANTED, [])
    return wakers


class EnqueuedKinds:
    """The kinds of jobs that one transaction wants."""

    def __init__(self, wakers: Sequence[Waker]) -> None:
        self._wakers = wakers
        self._kinds: dict[str, datetime] = {}

    def add(self, kind: str, due: datetime) -> None:
        self._kinds[kind] = min(due, self._kinds.get(kind, due))

    def before_commit(self, session: Session) -> None:
        """The jobs stand in the database already."""

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
    """Somebody else has done the job."""

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
    """Have something done when it is due; a name is wanted only once until its job is done.

    soon: it is never due later than in five minutes, so if it seems to be, the clock was put back: do it at once.
    """
    fields = {"kind": kind, "name": name, "due": due, "data": data, "game": game, "soon": soon, "tries": 0, "fault": ""}
    insert = insert_here if session.get_bind().dialect.name == "sqlite" else insert_there
    session.execute(insert(JobRow).values(fields).on_conflict_do_nothing(index_elements=["name"]))
    wanted = commit_hook(session, WANTED, lambda database: EnqueuedKinds(wakers_of(database)))
    wanted.add(kind, due)


def finish(session: Session, job: Job) -> None:
    """The job is done if this transaction is committed; it must not be, if somebody else has done it."""
    result: Any = session.execute(delete(JobRow).where(JobRow.id == job.id))
    if not result.rowcount:
        raise AlreadyDone("somebody else has done that already")


def cancel_jobs(session: Session, names: Iterable[str]) -> None:
    """What was wanted need not be done; whoever is at it learns so when they finish."""
    session.execute(delete(JobRow).where(JobRow.name.in_(list(names))))


class Jobs:
    """The jobs of a database, for one worker. Every method may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._claims = MemoryClaims() if database.is_single_process else PostgresClaims(database)

    @contextmanager
    def claim(self, kinds: Collection[str], now: datetime) -> Iterator[Job | None]:
        """One that is due, for oneself; None if there is none that nobody else is at."""
        job = self._claimed(kinds, now)
        try:
            yield job
        finally:
            if job is not None:
                self._claims.release(job.id)

    def _claimed(self, kinds: Collection[str], now: datetime) -> Job | None:
        with self.database.session() as session:
            due = select(JobRow.id).where(JobRow.kind.in_(kinds), _is_due(now)).order_by(JobRow.due, JobRow.id)
            ids = session.scalars(due.limit(MOST_LOOKED_AT)).all()
        for id_ in ids:
            if self._claims.take(id_) and (job := self._still_due(id_, now)) is not None:
                return job
        return None

    def _still_due(self, id_: int, now: datetime) -> Job | None:
        """A claimed job, unless it was done or put off since it was read: then it is let go."""
        row = None
        try:
            with self.database.session() as session:
                row = session.execute(JOB.where(JobRow.id == id_, _is_due(now))).one_or_none()
        finally:
            if row is None:
                self._claims.release(id_)
        return None if row is None else Job(*row)

    def due(self, kinds: Collection[str], now: datetime) -> set[str]:
        """Kinds of jobs of which at least one is due, whether or not somebody is at it."""
        with self.database.session() as session:
            return set(session.scalars(select(JobRow.kind).where(JobRow.kind.in_(kinds), _is_due(now)).distinct()))

    def retry_later(self, job: Job, fault: str, now: datetime) -> float:
        """A job failed: make it due again after a while; returns how many seconds."""
        wait: float = min(FIRST_WAIT * 2 ** min(job.tries, 20), LONGEST_WAIT)
        told = {"tries": job.tries + 1, "due": now + timedelta(seconds=wait), "soon": True, "fault": fault[:1000]}
        with self.database.session() as session:
            session.execute(update(JobRow).where(JobRow.id == job.id).values(told))
        return wait

    def end(self, job: Job) -> None:
        """It is done, if it has not been deleted with what came of it."""
        with self.database.session() as session:
            session.execute(delete(JobRow).where(JobRow.id == job.id))

    def close(self) -> None:
        self._claims.close()


def _is_due(now: datetime) -> Any:
    put_back = JobRow.soon & (JobRow.due > now + timedelta(seconds=LONGEST_WAIT))
    return or_(JobRow.due <= now, put_back)


class MemoryClaims:
    """Who is at which job, where all are in this process."""

    def __init__(self) -> None:
        self._held: set[int] = set()
        self._lock = Lock()

    def take(self, job: int) -> bool:
        with self._lock:
            free = job not in self._held
            self._held.add(job)
            return free

    def release(self, job: int) -> None:
        with self._lock:
            self._held.discard(job)

    def close(self) -> None:
        """Nothing to close."""


class PostgresClaims(MemoryClaims):
    """Claims that the workers of all machines see: locks of one connection, which are gone with it."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._archive = database
        self._line: Connection | None = None
        self._talking = Lock()  # one statement at a time on the one connection

    def take(self, job: int) -> bool:
        if not super().take(job):
            return False
        taken = False
        try:
            taken = self._ask("SELECT pg_try_advisory_lock(:of, :job)", job)
        finally:
            if not taken:
                super().release(job)
        return taken

    def release(self, job: int) -> None:
        with suppress(SQLAlchemyError):  # where the connection is lost, so is the lock
            self._ask("SELECT pg_advisory_unlock(:of, :job)", job)
        super().release(job)

    def _ask(self, question: str, job: int) -> bool:
        with self._talking:
            try:
                if self._line is None:
                    self._line = self._archive.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                # the second number has 31 bits; where two jobs share one, they only wait for each other
                return bool(self._line.scalar(text(question), {"of": LOCKS, "job": job % 2**31}))
            except SQLAlchemyError:
                self._disconnect()
                raise

    def _disconnect(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(SQLAlchemyError):
                line.invalidate()
                line.close()

    def close(self) -> None:
        with self._talking:
            self._disconnect()
