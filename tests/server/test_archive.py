"""The database: its tables, what cannot be opened, and what a crash leaves behind."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, func, inspect, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.accounts.people import AccountRow
from ostbahn.server.db.database import Database, engine_of, sqlite_url_in
from ostbahn.server.games.tables import EntryRow, GameRow, KeyRow
from ostbahn.server.ops.backups import METADATA
from tests.programs import started
from tests.server.tables import game_service_on, step, wanted

# Tables


def test_the_steps_make_exactly_the_tables_of_the_models(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert set(inspect(connection).get_table_names()) == {*METADATA.tables, "alembic_version"}


def test_opening_it_again_changes_nothing(database: Database, url: str) -> None:
    game_service_on(database).create_game(wanted())
    again = Database(url)
    with again.session() as session:
        assert session.scalar(select(func.count()).select_from(GameRow)) == 1
    again.close()


@pytest.mark.slow
def test_several_processes_may_open_a_new_one_at_once(url: str) -> None:
    script = "import sys; from ostbahn.server.db.database import Database; input(); Database(sys.argv[1]).close()"
    command = [sys.executable, "-c", script, url]
    with started(command) as one, started(command) as other:
        for process in (one, other):
            assert process.stdin is not None
            process.stdin.write("now\n")
            process.stdin.flush()
        assert [process.communicate()[1] for process in (one, other)] == ["", ""]


def test_those_who_write_wait_for_their_turn(database: Database) -> None:
    """SQLite would let each ask again until its patience ends; here that is a moment, and nobody asks in vain."""
    event.listen(database.engine, "checkout", lambda line, *_: line.execute("PRAGMA busy_timeout = 1"))
    game_service = game_service_on(database)
    refused: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(5):
                game_service.create_game(wanted())
        except OperationalError as fault:
            refused.append(fault)

    writers = [Thread(target=write) for _ in range(8)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert refused == []
    with database.session() as session:
        assert session.scalar(select(func.count()).select_from(GameRow)) == 40


def test_a_new_file_is_begun_by_many_at_the_same_moment(tmp_path: Path) -> None:
    refused: list[Exception] = []

    def begin(url: str, together: Barrier) -> None:
        engine = engine_of(url)
        together.wait()
        try:
            engine.connect().close()
        except OperationalError as fault:
            refused.append(fault)
        engine.dispose()

    for number in range(20):
        together = Barrier(4)
        threads = [Thread(target=begin, args=(f"sqlite:///{tmp_path}/{number}", together)) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert refused == []


def test_references_hold_and_readers_do_not_wait(database: Database) -> None:
    with database.engine.connect() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
    with pytest.raises(IntegrityError), database.session() as session:
        session.add(KeyRow(hash="k", sealed="", game="no such game", role="host", seats="", used=False))


def test_it_serves_all_threads(database: Database) -> None:
    host = game_service_on(database).create_game(wanted())
    found: list[str] = []

    def look() -> None:
        with database.session() as session:
            found.extend(session.scalars(select(GameRow.id)))

    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert found == [host.game]


# What cannot be opened


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "nonsense",
        "no_such_base://x",
        "sqlite:////no/such/folder/x.sqlite",
        "sqlite:///\0",
        "postgresql://somebody:pa55word@127.0.0.1:1/x",
        "no_such_base://somebody:pa55word@127.0.0.1:1/x",
        "sqlite://",
        "sqlite:///:memory:",
    ],
)
def test_a_database_that_cannot_be_opened_is_told(wrong: str) -> None:
    with pytest.raises(BadSetup) as told:
        Database(wrong)
    assert "pa55word" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match=tmp_path.name):
        Database(f"sqlite:///{tmp_path}")


def test_another_file_is_no_database_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Anna, " * 200)
    with pytest.raises(BadSetup, match=r"letter\.txt"):
        Database(f"sqlite:///{file}")
    assert file.read_text() == "Dear Anna, " * 200


def test_a_database_of_a_later_version_is_left_alone(database: Database, url: str) -> None:
    with database.session() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadSetup, match="later"):
        Database(url)


def test_a_data_folder_is_made(tmp_path: Path) -> None:
    Database(sqlite_url_in(tmp_path / "a" / "b")).close()
    assert (tmp_path / "a" / "b" / "ostbahn.sqlite").exists()


@pytest.mark.parametrize("name", ["two words", "česká", "what?mode=ro", "100%41", "#1", "a@b:c"])
def test_a_data_folder_may_be_called_anything(tmp_path: Path, name: str) -> None:
    Database(sqlite_url_in(tmp_path / name)).close()
    assert (tmp_path / name / "ostbahn.sqlite").exists()


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper", Path("no\0folder")):
        with pytest.raises(BadSetup, match="data folder"):
            sqlite_url_in(folder)


# Crashes


def test_what_fails_half_way_has_not_happened(database: Database) -> None:
    def half() -> None:
        with database.session() as session:
            session.add(AccountRow(name="Anna", known_as="anna", password="x"))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    with database.session() as session:
        assert session.scalar(select(AccountRow)) is None


DYING = """
import os, sys
from datetime import UTC, datetime
from ostbahn.server.games import repository
from ostbahn.server.db.database import Database
from ostbahn.server.games.service import GameService
from tests.server.tables import wanted, step

game_service = GameService(Database(sys.argv[1]), lambda: datetime(2030, 1, 1, tzinfo=UTC))
host = game_service.create_game(wanted())
step(game_service, host)
summary = repository._update_summary
def die(session, room, now):
    session.flush()  # the line of the log is with the database, but not yet for good
    os._exit(9)
repository._update_summary = die
print(host.key, flush=True)
step(game_service, host)
"""


@pytest.mark.slow
def test_a_process_that_dies_while_writing_leaves_nothing_half_written(url: str) -> None:
    root = Path(__file__).parents[2]
    died = subprocess.run([sys.executable, "-c", DYING, url], capture_output=True, text=True, cwd=root, check=False)
    assert died.returncode == 9, died.stderr
    database = Database(url)
    with database.session() as session:
        assert list(session.scalars(select(EntryRow.version))) == [1]
        assert session.scalars(select(GameRow)).one().number == 1
    game_service = game_service_on(database)
    assert step(game_service, game_service.access(died.stdout.strip())) == 2
    database.close()


def test_tables_are_made_all_or_none(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies while it makes them must not leave a database that nobody can open."""
    from alembic import op

    made = op.create_table

    def create(name: str, *given: object, **more: object) -> object:
        if name == "visitors":
            raise ZeroDivisionError
        return made(name, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(op, "create_table", create)
    with pytest.raises(ZeroDivisionError):
        Database(url)
    monkeypatch.undo()
    file = url.removeprefix("sqlite:///")
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    connection.close()
    Database(url).close()
