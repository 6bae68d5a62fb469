"""Databases of before are brought up to date, and what was kept in them means what it meant."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, inspect, select

from ostbahn.server.accounts.people import AccountRow
from ostbahn.server.chat.service import Chat
from ostbahn.server.db.database import SECRET, Database, sqlite_url_in
from ostbahn.server.db.encryption import KeyCipher, hashed
from ostbahn.server.games.keys import MyGames
from ostbahn.server.lobby.service import Lobby, LobbyListing
from ostbahn.server.plans.service import Plans
from tests.server.postgres import Cluster, data_of
from tests.server.tables import another, game_service_on, people_on

SETUP = '{"title":"18CZ","variant":"base","players":["Anna","Boris","Clara"],"seed":3,"draw_order":false}'
KEYS = [("host", "host", "p1", 0), ("used", "seat", "p2", 1), ("fresh", "seat", "p3", 0), ("watch", "spectator", "", 0)]


def inserted(table: str, *rows: tuple[object, ...]) -> str:
    values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
    return f"INSERT INTO {table} VALUES {values}"


def _literal(value: object) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


@pytest.fixture
def of_before(tmp_path: Path, database_kind: str, request: pytest.FixtureRequest) -> str:
    """As the version before lobbies and recovery codes left it: a table at which one of two guests has played."""
    if database_kind == "sqlite":
        url = sqlite_url_in(tmp_path / "data")
        secret = Path(f"{url.removeprefix('sqlite:///')}.secret")
    else:
        server: Cluster = request.getfixturevalue("postgres")
        name = server.empty()
        url, secret = server.url(name), server.data(name) / SECRET
        secret.parent.mkdir()
    secret.write_text("ab" * 32 + "\n")
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    config = Config()
    config.set_main_option("script_location", "ostbahn.server.db:migrations")
    key_cipher = KeyCipher(b"\xab" * 32)
    with engine.begin() as connection:
        config.attributes |= {"connection": connection, "key_cipher": key_cipher}
        command.upgrade(config, "0001")
        no, yes = (0, 1) if database_kind == "sqlite" else (False, True)
        at = "2030-01-01 12:00:00.000000"  # on PostgreSQL in the zone of the server, as an aware clock wrote it
        game = ("g", "A game", SETUP, 0, no, at, at, 0, "Pre-Stock", "p1")
        connection.exec_driver_sql(inserted("games", game))
        connection.exec_driver_sql(inserted("seats", *(("g", seat, None) for seat in ("p1", "p2", "p3"))))
        connection.exec_driver_sql(inserted("keys", *((key, "g", role, seats) for key, role, seats, _ in KEYS)))
        connection.exec_driver_sql(inserted("accounts", (1, "Ida", "ida", "x")))
        connection.exec_driver_sql(inserted("visitors", (1, hashed("cookie"), 1)))
        connection.exec_driver_sql(inserted("keepings", (1, "host", None, 1)))
        connection.exec_driver_sql(inserted("messages", (1, "g", "Anna", "Hello", at)))
        command.upgrade(config, "0002")
        used = [hashed(key) for key, _, _, used in KEYS if used]
        connection.exec_driver_sql(f"UPDATE keys SET used = {yes} WHERE hash = '{used[0]}'")
    engine.dispose()
    return url


def test_tables_of_before_are_closed_to_strangers_and_go_on(of_before: str) -> None:
    with another(of_before) as game_service:
        host = game_service.access("host")
        with game_service.holding("g") as room:
            assert room.free == {"p3"}, "nobody has played there yet"
            assert room.hints
        lobby = Lobby(game_service)
        assert lobby.tables() == []
        assert lobby.listing("g") == LobbyListing(False, False)
        lobby.set_listing(host, LobbyListing(True, False))
        assert lobby.join("g", "Petra").seats == ("p3",)


def test_people_of_before_have_their_games_and_no_recovery_code(of_before: str) -> None:
    database = Database(of_before, data_of(of_before))
    people = people_on(database)
    visitor = people.visitor("cookie")
    assert visitor is not None
    assert visitor.name == "Ida"
    assert [game.key for game in MyGames(people.database).games(visitor)] == ["host"]
    with database.session() as session:
        assert session.scalars(select(AccountRow.recovery)).one() == ""
    game_service_on(database).rooms.find_damaged_games()
    database.close()


def test_plans_can_be_made_for_games_of_before(of_before: str) -> None:
    with another(of_before) as game_service:
        plans = Plans(game_service)
        board = plans.create(game_service.access("host"), "Ahead")
        assert [plan.name for plan in plans.list_boards(board)] == ["Ahead"]
        plans.close()


def test_moments_of_before_are_what_they_were(of_before: str, database_kind: str) -> None:
    """PostgreSQL kept them without their zone, by the clock of the server: here that of Vienna, an hour ahead."""
    with another(of_before) as game_service:
        (message,) = Chat(game_service).messages("g")
    assert message.at == datetime(2030, 1, 1, 12 if database_kind == "sqlite" else 11, tzinfo=UTC)


def test_old_and_new_tables_are_the_same(of_before: str, database: Database) -> None:
    """Whether a database was made today, or has grown up."""
    old = Database(of_before, data_of(of_before))

    def columns(of: Database) -> dict[str, list[tuple[str, str, bool]]]:
        found = inspect(of.engine)
        return {
            table: [(each["name"], str(each["type"]), each["nullable"]) for each in found.get_columns(table)]
            for table in sorted(found.get_table_names())
        }

    assert columns(old) == columns(database)
    old.close()
