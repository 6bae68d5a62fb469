"""What both databases take and refuse alike, and how PostgreSQL begins."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import StatementError

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.accounts.people import AccountRow
from ostbahn.server.chat.service import MessageRow
from ostbahn.server.db.database import Database
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow
from ostbahn.table.access import Unreadable
from tests.server.postgres import Cluster
from tests.server.tables import game_service_on, step, wanted


@pytest.mark.parametrize("name", ["A\0", "A\ud800", "A" * 41])
def test_texts_that_one_of_them_would_not_keep_are_refused_by_both(database: Database, name: str) -> None:
    with pytest.raises(Unreadable), database.session() as session:
        session.add(AccountRow(name=name, known_as="a", password=""))
    with database.session() as session:
        assert session.scalars(select(AccountRow)).all() == []


def test_texts_of_any_script_are_kept_by_both(database: Database) -> None:
    name = "Ř" * 38 + "🚂𝄞"
    with database.session() as session:
        session.add(AccountRow(name=name, known_as="a", password=""))
    with database.session() as session:
        assert session.scalars(select(AccountRow.name)).one() == name


def test_moments_come_back_as_they_were_and_without_a_zone_are_refused(game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    at = datetime(2030, 7, 1, 12, 30, 15, 123456, tzinfo=timezone(timedelta(hours=5)))
    with game_service.database.session() as session:
        session.add(MessageRow(game=host.game, who="A", text="x", at=at))
    with game_service.database.session() as session:
        found = session.scalars(select(MessageRow.at)).one()
    assert (found, found.tzinfo) == (at, UTC)
    with pytest.raises(StatementError, match="with its time zone"), game_service.database.session() as session:
        session.add(MessageRow(game=host.game, who="A", text="x", at=at.replace(tzinfo=None)))


def test_damaged_games_are_found(game_service: GameService) -> None:
    hosts = [game_service.create_game(wanted()) for _ in range(2)]
    for host in hosts:
        for _ in range(3):
            step(game_service, host)
    with game_service.database.session() as session:
        altered = text("UPDATE entries SET note = 'x' WHERE game = :game AND version = 2")
        session.execute(altered, {"game": hosts[1].game})
    game_service.rooms.find_damaged_games()
    assert list(game_service.rooms.damaged) == [hosts[1].game]


def test_several_first_starts_at_once_are_none_too_many(postgres: Cluster) -> None:
    name = postgres.empty()
    script = "import sys; from ostbahn.server.db.database import Database; from pathlib import Path; input()\n"
    script += (
        "made = Database(sys.argv[1], Path(sys.argv[2])); print(made.key_cipher.derive('test').hex()); made.close()"
    )
    command = [sys.executable, "-c", script, postgres.url(name), str(postgres.data(name))]
    starts = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(3)]
    told = {start.communicate(b"\n")[0] for start in starts}
    assert [start.returncode for start in starts] == [0] * 3
    assert len(told) == 1, "all have the same secret"


def test_a_database_of_somebody_else_is_left_alone(postgres: Cluster) -> None:
    name = postgres.empty()
    postgres.ask("CREATE TABLE games (nothing integer)", name)
    with pytest.raises(BadSetup, match=f"the database '{name}' is damaged: tables are missing"):
        Database(postgres.url(name), postgres.data(name))
    assert postgres.ask("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'", name) == [(1,)]


def test_a_database_that_was_restarted_is_used_again(postgres: Cluster, database: Database) -> None:
    game_service = game_service_on(database)
    host = game_service.create_game(wanted())
    if not database.is_single_process:
        others = "pid != pg_backend_pid() AND datname ~ '^t'"
        postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    assert step(game_service, host) == 1
    with database.session() as session:
        assert session.get_one(GameRow, host.game).number == 1
