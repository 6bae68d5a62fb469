"""`ostbahn check` finds what is wrong, and says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.server.play.house import House
from ostbahn.server.settings import Settings
from ostbahn.server.store.archive import Archive
from ostbahn.server.upkeep.checks import check
from tests.server.tables import now, step, wanted


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A house with a game of which a state was kept."""
    found = Settings(data=tmp_path_factory.mktemp("data"))
    archive = Archive(found.database_url)
    house = House(archive, now)
    host = house.open(wanted())
    for _ in range(110):
        step(house, host)
    archive.close()
    assert list(check(found, deep=True)) == []
    return found


@pytest.fixture
def settings(whole: Settings, tmp_path: Path) -> Settings:
    """A copy of it, to be harmed."""
    return Settings(data=shutil.copytree(whole.data, tmp_path / "data"))


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("UPDATE entries SET data = '{}' WHERE version = 7", "line 7 of its log is missing, or not as it was written"),
        ("DELETE FROM entries WHERE version = 9", "line 9 of its log is missing, or not as it was written"),
        ("UPDATE games SET setup = '{}'", "its set-up cannot be read"),
        ("DELETE FROM seats WHERE seat = 'p2'", "its seats are not those of its set-up"),
        ("UPDATE keys SET game = 'nowhere'", "rows of keys belong to games that are not there (by game)"),
        ("UPDATE snapshots SET digest = '0000000000000000'", "the state kept at line"),
        ("UPDATE games SET turn = 'p9'", "its log leads elsewhere than lists of games say"),
        ("DROP TABLE notes", "there is no table notes"),
        ("UPDATE alembic_version SET version_num = '0006'", "the tables are those of version 0006"),
    ],
)
def test_what_is_wrong_is_found_and_told(settings: Settings, harm: str, told: str) -> None:
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text(harm))
    engine.dispose()
    done = CliRunner().invoke(app, ["check", "--deep", "--data", str(settings.data)], env={"COLUMNS": "300"})
    assert done.exit_code == 1
    assert told in " ".join(done.output.split())
