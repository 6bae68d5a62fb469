"""Databases of before are brought up to date, and what was kept in them means what it meant."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, select

from ostbahn.server.play.house import House
from ostbahn.server.play.lobby import Listing, Lobby
from ostbahn.server.play.plans import Plans
from ostbahn.server.store.archive import Archive
from ostbahn.server.store.people import People
from ostbahn.server.store.schema import AccountRow
from ostbahn.server.store.seals import Seal, hashed
from ostbahn.server.store.shelf import newest
from tests.server.tables import another, now

SETUP = '{"title":"18CZ","variant":"base","players":["Anna","Boris","Clara"],"seed":3,"draw_order":false}'
KEYS = [("host", "host", "p1", 0), ("used", "seat", "p2", 1), ("fresh", "seat", "p3", 0), ("watch", "spectator", "", 0)]


@pytest.fixture
def of_before(url: str) -> Path:
    """As the version before lobbies and recovery codes left it: a table at which one of two guests has played."""
    file = Path(url.removeprefix("sqlite:///"))
    file.with_name(f"{file.name}.secret").write_text("ab" * 32 + "\n")
    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", "ostbahn.server.store:migrations")
    with engine.begin() as connection:
        config.attributes |= {"connection": connection, "seal": Seal(b"\xab" * 32)}
        command.upgrade(config, "0003")
    engine.dispose()
    base = sqlite3.connect(file)
    base.execute("INSERT INTO games VALUES ('g','A game',?,0,0,'2030-01-01','2030-01-01',0,'Pre-Stock','p1')", [SETUP])
    base.executemany("INSERT INTO seats VALUES ('g',?,NULL)", [("p1",), ("p2",), ("p3",)])
    seal = Seal(b"\xab" * 32)
    rows = [(hashed(key), seal.close(key), role, seats, used) for key, role, seats, used in KEYS]
    base.executemany("INSERT INTO keys VALUES (?,?,'g',?,?,?)", rows)
    base.execute("INSERT INTO accounts VALUES (1,'Ida','ida','x')")
    base.execute("INSERT INTO visitors VALUES (1,?,1)", [hashed("cookie")])
    base.execute("INSERT INTO keepings VALUES (1,?,NULL,1)", [hashed("host")])
    base.commit()
    base.close()
    return file


def test_tables_of_before_are_closed_to_strangers_and_go_on(of_before: Path, url: str) -> None:
    with another(url) as house:
        host = house.access("host")
        with house.archive.session() as session:
            assert newest(session, "g").free == {"p3"}, "nobody has played there yet"
        with house.holding("g") as room:
            assert room.hints
        lobby = Lobby(house)
        assert lobby.tables() == []
        assert lobby.listing("g") == Listing(False, False)
        lobby.announce(host, Listing(True, False))
        assert lobby.join("g", "Petra").seats == ("p3",)


def test_people_of_before_have_their_games_and_no_recovery_code(of_before: Path, url: str) -> None:
    archive = Archive(url)
    people = People(archive)
    visitor = people.visitor("cookie")
    assert visitor is not None
    assert visitor.name == "Ida"
    assert [game.key for game in people.games(visitor)] == ["host"]
    with archive.session() as session:
        assert session.scalars(select(AccountRow.recovery)).one() == ""
    House(archive, now).look_over()
    archive.close()


def test_plans_can_be_made_for_games_of_before(of_before: Path, url: str) -> None:
    with another(url) as house:
        plans = Plans(house)
        board = plans.make(house.access("host"), "Ahead")
        assert [plan.name for plan in plans.mine(board)] == ["Ahead"]
        plans.close()
