"""Backups: made while others write, put back elsewhere, and what is refused."""

from __future__ import annotations

import gzip
import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.server.db.database import Database
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow
from ostbahn.server.ops.backups import METADATA, back_up, restore
from ostbahn.server.ops.checks import check
from ostbahn.server.settings import Settings
from ostbahn.table.access import Access
from tests.server.postgres import Cluster
from tests.server.tables import game_service_on, now, people_on, standing, step, wanted


def of(folder: Path) -> Settings:
    return Settings(data=folder)


def on(server: Cluster, folder: Path) -> Settings:
    """An empty database of a server."""
    return Settings(database=server.url(server.empty()), data=folder)


def opened(settings: Settings) -> Database:
    return Database(settings.database_url, settings.data, settings.key_secret)


def rows(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """All that a database keeps."""
    with database.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
        }


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A small server, and a backup of it with its secret."""
    found = of(tmp_path_factory.mktemp("here"))
    database = opened(found)
    game_service = game_service_on(database)
    step(game_service, game_service.create_game(wanted("here", "link", "R")))
    people_on(database).register(None, "Žofie", "eisenbahn")
    database.close()
    back_up(found, found.data / "backup", now(), with_secret=True)
    return found


@pytest.fixture
def here(original: Settings, tmp_path: Path) -> Settings:
    return of(shutil.copytree(original.data, tmp_path / "here"))


@pytest.fixture
def there(tmp_path: Path) -> Settings:
    return of(tmp_path / "there")


@pytest.fixture
def file(here: Settings) -> Path:
    return here.data / "backup"


def test_what_was_kept_is_all_there_again_and_the_game_goes_on(here: Settings, there: Settings, file: Path) -> None:
    assert restore(there, file)["games"] == 1
    before, after = opened(here), opened(there)
    assert rows(after) == rows(before)
    game_service = game_service_on(after)
    with after.session() as session:
        (game,) = session.scalars(select(GameRow.id)).all()
    (link,) = [each for each in _keys(game_service_on(before), game) if each.startswith("p2:")]
    who = game_service.access(link.removeprefix("p2:"))
    assert who.seats == ("p2",)
    assert game_service.name_seat(who, "p2", "Ben") == standing(game_service, who)[0]
    assert [found for found in check(there, deep=True)] == []
    before.close()
    after.close()


def _keys(game_service: GameService, game: str) -> list[str]:
    """Links, as only the secret shows them."""
    host = Access("", "", game, "host", ())
    return [f"{','.join(each.seats)}:{each.key}" for each in game_service.links(host)]


def test_from_a_file_to_a_server_and_back_nothing_is_lost(
    here: Settings, there: Settings, file: Path, postgres: Cluster, tmp_path: Path
) -> None:
    between = on(postgres, tmp_path / "between")
    restore(between, file)
    database = opened(between)
    before = rows(database)
    original = opened(here)
    assert before == rows(original)
    original.close()
    with pytest.raises(BadSetup, match="is not empty; --replace"):
        restore(between, file)
    with pytest.raises(BadSetup, match="others are connected to the database; stop the server first"):
        restore(between, file, replace=True)
    assert rows(database) == before
    assert people_on(database).register(None, "Anna", "eisenbahn"), (
        "new rows get numbers behind those that came with it"
    )
    database.close()
    back_up(between, tmp_path / "again", now(), with_secret=True)
    restore(there, tmp_path / "again")
    restore(between, tmp_path / "again", replace=True)
    assert list(check(between, deep=True)) == list(check(there, deep=True)) == []
    one, two = opened(between), opened(there)
    assert rows(one) == rows(two) != before
    one.close()
    two.close()


@pytest.mark.parametrize("database_kind", ["sqlite", "postgres"])
def test_a_backup_made_while_others_write_has_every_game_whole(
    there: Settings, tmp_path: Path, database_kind: str, request: pytest.FixtureRequest
) -> None:
    busy = tmp_path / "busy"
    here = of(busy) if database_kind == "sqlite" else on(request.getfixturevalue("postgres"), busy)
    database = opened(here)
    game_service, stop, rng = game_service_on(database), Event(), Random(1)
    hosts = [game_service.create_game(wanted(seed=seed)) for seed in range(3)]

    def play() -> None:
        while not stop.is_set():
            step(game_service, rng.choice(hosts))

    writer = Thread(target=play)
    writer.start()
    try:
        sizes = [back_up(here, tmp_path / f"backup {number}", now())["entries"] for number in range(5)]
    finally:
        stop.set()
        writer.join()
    database.close()
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0], "nobody wrote meanwhile, so nothing was tried"
    restore(there, tmp_path / "backup 3")
    assert [found for found in check(there, deep=True) if found.kind == "fault"] == []


def test_the_secret_is_in_it_only_on_demand_and_only_its_owner_reads_it(here: Settings, file: Path) -> None:
    secret = (here.data / "ostbahn.sqlite.secret").read_text().strip()
    assert secret in gzip.decompress(file.read_bytes()).decode()
    file.chmod(0o644)
    back_up(here, file, now(), force=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret not in gzip.decompress(file.read_bytes()).decode()
    with pytest.raises(BadFile, match="is there already; --force overwrites it"):
        back_up(here, file, now())


def test_nothing_is_put_where_something_is_unless_that_is_wanted(here: Settings, there: Settings, file: Path) -> None:
    database = opened(there)
    game_service_on(database).create_game(wanted())
    before = rows(database)
    with pytest.raises(BadSetup, match="is there already; --replace"):
        restore(there, file)
    with pytest.raises(BadSetup, match="stop the server first"):
        restore(there, file, replace=True)
    assert rows(database) == before
    database.close()
    restore(there, file, replace=True)
    again, original = opened(there), opened(here)
    assert rows(again) == rows(original)
    assert [path.name for path in there.data.iterdir() if path.name.startswith(".")] == []
    again.close()
    original.close()


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def changed_row(lines: list[bytes]) -> list[bytes]:
    place = next(number for number, line in enumerate(lines) if line.startswith(b'["entries"'))
    return [*lines[:place], lines[place].replace(b"p1", b"p2"), *lines[place + 1 :]]


def from_later(lines: list[bytes]) -> list[bytes]:
    header = json.loads(lines[0]) | {"revision": "9999", "version": "99.0"}
    return [json.dumps(header).encode() + b"\n", *lines[1:]]


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda lines: lines[:-1], "its end is missing"),
        (lambda lines: lines[:5] + lines[6:], "something in it is not as it was written"),
        (changed_row, "something in it is not as it was written"),
        (lambda lines: [*lines, b"[]\n"], "something stands behind its end"),
        (lambda lines: [lines[0], b'["games", [1]]\n'], "a row in it is not as it was written"),
        (lambda lines: [b'{"hello": 1}\n'], "is no backup of Ostbahn"),
        (from_later, "was made by Ostbahn 99.0, which is newer than this one"),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_refused_before_anything_is_touched(
    there: Settings, file: Path, harm: Callable[[list[bytes]], list[bytes]], told: str
) -> None:
    file.write_bytes(gzip.compress(b"".join(harm(lines_of(file)))))
    with pytest.raises(BadFile, match=told):
        restore(there, file)
    assert not any(there.data.iterdir()) if there.data.exists() else True


@pytest.mark.parametrize("kept", [10, 500])
def test_a_file_that_is_cut_off_is_refused(there: Settings, file: Path, kept: int) -> None:
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(BadFile, match=r"cut off|no backup"):
        restore(there, file)


def test_the_commands_tell_what_they_did(here: Settings, there: Settings, file: Path, tmp_path: Path) -> None:
    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == status, done.output
        return done.output

    other = tmp_path / "other"
    assert "1 games with" in run("backup", str(other), "--data", str(here.data))
    assert "1 games with" in run("restore", str(other), "--data", str(there.data))
    told = run("check", "--deep", "--data", str(there.data))
    assert "links were sealed with another secret" in told, "it was not in the backup"
    assert told.endswith("All is well.\n")
    assert "there is no" in run("check", "--data", str(tmp_path / "nowhere"), status=2)
    assert not (tmp_path / "nowhere").exists()
