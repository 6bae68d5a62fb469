"""Damage: files that are not what they were are told when the server starts, and a damaged game harms no other."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.faults import Damaged
from ostbahn.server.games.service import GameService
from ostbahn.server.web.services import create_services
from ostbahn.table.access import Access
from ostbahn.testing import uniform
from tests.server.loops import run
from tests.server.site import alert, client, words
from tests.server.tables import another, game_service_on, now, standing, step, wanted
from tests.server.test_bot_turns import at_work, jobs_left, until

PAGE = 4096

# Files


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with some games in it, of a server that has ended."""
    folder = tmp_path / "data"
    database = Database(sqlite_url_in(folder))
    game_service = game_service_on(database)
    for _ in range(5):
        host = game_service.create_game(wanted())
        for _ in range(8):
            step(game_service, host)
    database.close()
    return folder


def noise(size: int) -> bytes:
    return Random(1).randbytes(size)


def emptied(content: bytes) -> bytes:
    return b""


def in_half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def without_its_last_page(content: bytes) -> bytes:
    return content[:-PAGE]


def cut_in_its_head(content: bytes) -> bytes:
    return content[:50]


def all_noise(content: bytes) -> bytes:
    return noise(len(content))


def noise_at_its_head(content: bytes) -> bytes:
    return noise(PAGE) + content[PAGE:]


def noise_in_its_head(content: bytes) -> bytes:
    return content[:100] + noise(200) + content[300:]


def noise_in_the_middle(content: bytes) -> bytes:
    middle = len(content) // PAGE // 2 * PAGE
    return content[:middle] + noise(PAGE) + content[middle + PAGE :]


def another_text(content: bytes) -> bytes:
    return b"Dear Anna, " * 500


MANGLED = [
    emptied,
    in_half,
    without_its_last_page,
    cut_in_its_head,
    all_noise,
    noise_at_its_head,
    noise_in_its_head,
    noise_in_the_middle,
    another_text,
]


def serve(folder: Path) -> str:
    """What is told when the server does not start."""
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(folder), "--no-browser"])
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("ostbahn: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.output
    return result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mangle", MANGLED)
def test_a_damaged_file_is_told_and_left_as_it_is(data: Path, mangle: Callable[[bytes], bytes]) -> None:
    file = data / "ostbahn.sqlite"
    broken = mangle(file.read_bytes())
    file.write_bytes(broken)
    told = serve(data)
    assert str(file) in told
    assert "Put a copy of it back" in told
    assert file.read_bytes() == broken
    beside = {each.name for each in data.iterdir()} - {"ostbahn.sqlite.lock"}  # by which it is served once only
    assert beside == {"ostbahn.sqlite", "ostbahn.sqlite.secret"}


def test_a_file_that_is_gone_is_told(data: Path) -> None:
    (data / "ostbahn.sqlite").unlink()
    told = serve(data)
    assert "ostbahn.sqlite is missing" in told
    assert "move it and ostbahn.sqlite.secret away" in told
    assert not (data / "ostbahn.sqlite").exists()
    (data / "ostbahn.sqlite.secret").unlink()
    Database(sqlite_url_in(data)).close()


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        (["keys"], "has no table keys"),
        (["entries", "proposals"], "has no table entries, proposals"),
        (["alembic_version"], "tables are missing"),
        (None, "nothing is in it"),
    ],
)
def test_tables_that_are_gone_are_told_and_not_made_anew(data: Path, gone: list[str] | None, words: str) -> None:
    file = data / "ostbahn.sqlite"
    base = sqlite3.connect(file)
    tables = [
        name
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'sqlite_sequence'")
    ]
    for name in tables if gone is None else gone:
        base.execute(f"DROP TABLE {name}")
    base.commit()
    base.close()
    before = file.read_bytes()
    assert words in serve(data)
    assert file.read_bytes() == before


def test_a_first_start_that_came_to_nothing_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "ostbahn.sqlite").touch()
    Database(sqlite_url_in(tmp_path)).close()
    Database(sqlite_url_in(tmp_path)).close()


def test_a_letter_that_is_damaged_keeps_nobody_from_reading_all_others(url: str, game_service: GameService) -> None:
    host = game_service.create_game(wanted(name="Friends of 18CZ"))
    with game_service.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE games SET name = CAST(X'4672FF65' AS TEXT)")
    with another(url) as later, later.holding(host.game) as room:
        assert room.name == "Fr\N{REPLACEMENT CHARACTER}e"


# Games


LINES: dict[str, tuple[str, str]] = {
    "missing": ("DELETE FROM entries WHERE game = ? AND version = 5", "line 5 of its log is missing"),
    "first": ("DELETE FROM entries WHERE game = ? AND version = 1", "line 1 of its log is missing"),
    "end": ("DELETE FROM entries WHERE game = ? AND version > 6", "8 answers stood in its log, and 6 are left"),
    "all": ("DELETE FROM entries WHERE game = ?", "8 answers stood in its log, and 0 are left"),
    "garbled": ("UPDATE entries SET data = '{\"do' WHERE game = ? AND version = 5", "line 5 of its log"),
    "emptied": ("UPDATE entries SET data = '' WHERE game = ? AND version = 5", "line 5 of its log"),
    "bytes": ("UPDATE entries SET data = X'00FF' WHERE game = ? AND version = 5", "line 5 of its log"),
    "unknown": ("UPDATE entries SET how = 'x' WHERE game = ? AND version = 5", "line 5 of its log"),
    "far": ("UPDATE entries SET version = 1 << 60 WHERE game = ? AND version = 8", "8 answers stood in its log, and 7"),
    "another": ('UPDATE entries SET data = \'{"do":"pass"}\' WHERE game = ? AND version = 1', "line 1 of its log"),
    "title": ("UPDATE games SET setup = replace(setup, '18CZ', '18XX') WHERE id = ?", "set-up"),
    "names": ("UPDATE games SET setup = replace(setup, 'Boris', 'Anna') WHERE id = ?", "set-up"),
    "set-up": ("UPDATE games SET setup = '{\"title' WHERE id = ?", "set-up"),
}


def damage(database: Database, host: Access, statement: str) -> None:
    with database.engine.begin() as connection:
        assert connection.exec_driver_sql(statement, (host.game,)).rowcount >= 1


def dump(database: Database) -> list[object]:
    with database.engine.connect() as connection:
        tables = ("games", "entries", "snapshots", "seats")
        return [row for name in tables for row in connection.exec_driver_sql(f"SELECT * FROM {name}")]


@pytest.fixture
def hosts(game_service: GameService) -> tuple[Access, Access]:
    """Of two games, after eight answers each; the first is to be damaged."""
    found = game_service.create_game(wanted(name="Broken")), game_service.create_game(wanted(name="Whole"))
    for host in found:
        while standing(game_service, host)[1] < 8:
            step(game_service, host)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", LINES)
def test_a_damaged_game_is_told_and_harms_no_other(
    url: str, game_service: GameService, hosts: tuple[Access, Access], kind: str
) -> None:
    statement, what = LINES[kind]
    broken, whole = hosts
    damage(game_service.database, broken, statement)
    before = dump(game_service.database)
    with client(url) as browser:
        for host in hosts:
            browser.get(f"/t/{host.key}")
        page = browser.get(f"/t/{broken.key}")
        assert page.status_code == 500
        assert "this game is damaged: " in alert(page)
        assert what in alert(page)
        assert "put a copy of the database back" in alert(page)
        for answer in (
            browser.get(f"/api/t/{broken.key}"),
            browser.post(f"/api/t/{broken.key}/undo", json={"version": 8}),
        ):
            assert (answer.status_code, what in answer.json()["error"]) == (500, True)
        assert browser.get(f"/t/{whole.key}").status_code == 200
        assert browser.post(f"/api/t/{whole.key}/undo", json={"version": 8}).status_code == 200
    after = dump(game_service.database)
    assert [row for row in before if broken.game in str(row)] == [row for row in after if broken.game in str(row)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["missing", "first", "garbled"])
def test_a_damaged_game_is_known_in_the_list_from_the_start(
    url: str, game_service: GameService, hosts: tuple[Access, Access], kind: str
) -> None:
    with client(url) as browser:
        for host in hosts:
            browser.get(f"/t/{host.key}")
        cookies = dict(browser.cookies)
    statement, what = LINES[kind]
    damage(game_service.database, hosts[0], statement)
    with client(url) as browser:
        browser.cookies.update(cookies)
        home = words(browser.get("/"))
        assert home.count("damaged") == 1
        assert what in home
        assert home.index("Broken") < home.index("damaged") or home.index("Whole") < home.index("Broken")
    assert list(create_services(url, now).game_service.rooms.damaged) == [hosts[0].game]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["missing", "first", "garbled"])
def test_a_game_with_a_later_state_goes_on_and_says_what_is_wrong(
    url: str, game_service: GameService, kind: str
) -> None:
    host = game_service.create_game(wanted(name="Long"))
    rng = Random(3)
    while standing(game_service, host)[0] < 105:
        with game_service.holding(host.game) as room:
            version, action = room.version, uniform(room.game, rng)
        game_service.answer(host, version, action)
    where = standing(game_service, host)
    damage(game_service.database, host, LINES[kind][0])
    with client(url) as browser:
        page = browser.get(f"/t/{host.key}")
        assert page.status_code == 200
        assert f"This game is damaged: {LINES[kind][1]}" in words(page)
        assert "damaged" in words(browser.get("/"))
    with another(url) as later:
        assert standing(later, host) == where
        later.undo_own_move(host, step(later, host))
    with another(url) as again:
        assert standing(again, host)[1:] == where[1:]


def test_a_state_from_beyond_the_end_of_a_log_does_not_close_it(url: str, game_service: GameService) -> None:
    host = game_service.create_game(wanted(name="Long"))
    rng = Random(3)
    while standing(game_service, host)[0] < 105:
        with game_service.holding(host.game) as room:
            version, action = room.version, uniform(room.game, rng)
        game_service.answer(host, version, action)
    where = standing(game_service, host)
    damage(game_service.database, host, "UPDATE snapshots SET version = version + 100000 WHERE game = ?")
    with another(url) as later:
        assert standing(later, host) == where


def test_the_bots_of_a_damaged_game_stop_and_the_log_says_why(
    url: str, game_service: GameService, caplog: pytest.LogCaptureFixture
) -> None:
    host = game_service.create_game(wanted("here", "R", "R"))
    step(game_service, host)
    damage(game_service.database, host, "DELETE FROM entries WHERE game = ? AND version = 1")

    async def scene() -> None:
        with another(url) as later:
            async with at_work(later):
                await until(lambda: not jobs_left(later))

    with caplog.at_level(logging.ERROR):
        run(scene())
    (record,) = caplog.records
    assert "have stopped: this game is damaged" in record.getMessage()


def test_whoever_starts_the_server_is_told_of_damaged_games(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with another(sqlite_url_in(data)) as game_service, game_service.database.engine.begin() as connection:
        (game,) = connection.exec_driver_sql("SELECT id FROM games LIMIT 1").one()
        connection.exec_driver_sql("DELETE FROM entries WHERE game = ? AND version = 3", (game,))
    monkeypatch.setattr("uvicorn.Server.run", lambda *given, **more: None)
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(data), "--no-browser"])
    assert result.exit_code == 0
    assert f"Game {game} is damaged: line 3 of its log is missing" in result.stderr


def test_damage_that_was_mended_is_forgotten(game_service: GameService, url: str, hosts: tuple[Access, Access]) -> None:
    broken, _ = hosts
    with another(url) as later:
        damage(game_service.database, broken, "UPDATE entries SET version = 99 WHERE game = ? AND version = 8")
        with pytest.raises(Damaged), later.holding(broken.game):
            pass
        assert later.rooms.damaged
        damage(game_service.database, broken, "UPDATE entries SET version = 8 WHERE game = ? AND version = 99")
        step(later, broken)
        assert later.rooms.damaged == {}


def test_no_archive_is_opened_on_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "ostbahn.sqlite").mkdir()
    with pytest.raises(BadSetup, match=r"ostbahn\.sqlite is a folder"):
        Database(sqlite_url_in(tmp_path))
