"""Keys in the database: hashed, sealed with a secret that lies elsewhere, and shown again to those who may see them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, select

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.chat.service import Chat
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.db.encryption import KeyCipher, hashed
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import KeyRow
from ostbahn.table.access import NotHere
from tests.server.tables import another, keys, people_on, step, wanted

KEY = "0123456789-abcdefghij_"


@pytest.fixture
def file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


@pytest.fixture
def secret(file: Path) -> Path:
    return file.with_name(f"{file.name}.secret")


def in_files(folder: Path) -> bytes:
    """All that a thief of the database finds, what SQLite writes beside it included."""
    return b"".join(each.read_bytes() for each in folder.iterdir() if each.suffix != ".secret")


# Sealing


def test_a_seal_is_opened_by_its_secret_alone() -> None:
    key_cipher = KeyCipher(b"a" * 32)
    assert key_cipher.decrypt(hashed(KEY), key_cipher.encrypt(KEY)) == KEY
    assert KeyCipher(b"b" * 32).decrypt(hashed(KEY), key_cipher.encrypt(KEY)) == ""
    assert key_cipher.decrypt(hashed("another"), key_cipher.encrypt(KEY)) == ""


def test_an_encrypted_key_is_never_the_same_twice_and_cannot_be_altered() -> None:
    key_cipher = KeyCipher(b"a" * 32)
    encrypted = key_cipher.encrypt(KEY)
    assert encrypted != key_cipher.encrypt(KEY)
    data = urlsafe_b64decode(encrypted.removeprefix("gcm1."))
    for place in range(len(data)):
        altered = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        assert key_cipher.decrypt(hashed(KEY), f"gcm1.{urlsafe_b64encode(altered).decode()}") == ""


def test_an_encrypted_key_put_into_another_row_is_not_shown(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    with game_service.database.session() as session:
        rows = {row.seats: row for row in session.scalars(select(KeyRow).where(KeyRow.role == "seat"))}
        rows["p2"].sealed = rows["p3"].sealed
    shown = keys(game_service, host)
    assert (shown["p2"].key, bool(shown["p3"].key)) == ("", True)


# In the database


def test_a_stolen_database_opens_no_seat(game_service: GameService, file: Path) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    step(game_service, host)
    stolen = in_files(file.parent)
    assert host.game.encode() in stolen, "the search would find something"
    assert not [name for name, each in found.items() if each.key.encode() in stolen]
    with game_service.database.session() as session:
        rows = list(session.scalars(select(KeyRow)))
    for tried in [each for row in rows for each in (row.hash, row.sealed, row.sealed.removeprefix("gcm1."))]:
        with pytest.raises(NotHere):
            game_service.access(tried)


def test_a_copy_without_the_secret_shows_no_links(game_service: GameService, file: Path, tmp_path: Path) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    game_service.database.close()
    (tmp_path / "stolen").mkdir()
    shutil.copy(file, tmp_path / "stolen")
    with another(sqlite_url_in(tmp_path / "stolen")) as thief:
        shown = thief.links(host)
        assert [each.key for each in shown] == [host.key, "", "", ""], "only the key that he has"


def test_the_host_sees_the_links_again_after_a_restart(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    with another(url) as later:
        assert later.links(host) == game_service.links(host)


def test_the_secret_is_for_the_owner_alone(game_service: GameService, secret: Path) -> None:
    game_service.create_game(wanted())
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_without_the_secret_links_still_open_and_are_known_again_when_used(
    game_service: GameService, url: str, secret: Path
) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    people = people_on(game_service.database)
    cookie, visitor = people.welcome()
    MyGames(people.database).keep(visitor, found["p2"])
    game_service.database.close()
    secret.unlink()
    with another(url) as later:
        here = people_on(later.database)
        known = here.visitor(cookie)
        assert known is not None
        assert [game.key for game in MyGames(here.database).games(known)] == [""]
        assert [each.key for each in later.links(host)] == [host.key, "", "", ""]
        assert later.access(found["p2"].key) == found["p2"]
        assert [each.key for each in later.links(host)] == [host.key, found["p2"].key, "", ""]
        assert [game.key for game in MyGames(here.database).games(known)] == [found["p2"].key]


@pytest.mark.parametrize("content", ["", "x" * 64, "0" * 63, "0" * 65, "ž" * 64])
def test_a_damaged_secret_is_told_and_left_alone(
    game_service: GameService, url: str, secret: Path, content: str
) -> None:
    game_service.create_game(wanted())
    game_service.database.close()
    secret.write_text(content, encoding="utf-8")
    with pytest.raises(BadSetup, match=f"{secret.name} is damaged") as told:
        Database(url)
    assert "\n" not in str(told.value)
    assert secret.read_text(encoding="utf-8") == content


# Databases of before


@pytest.fixture
def of_before(file: Path) -> dict[str, str]:
    """A database as an earlier version left it, with keys as they were: their names to their texts."""
    engine = create_engine(f"sqlite:///{file}")
    config = Config()
    config.set_main_option("script_location", "ostbahn.server.db:migrations")
    with engine.begin() as connection:
        config.attributes |= {"connection": connection}
        command.upgrade(config, "0001")
    engine.dispose()
    texts = {name: f"{name}-of-before-{'x' * 8}" for name in ("host", "p2", "spectator")}
    base = sqlite3.connect(file)
    setup = '{"title":"18CZ","variant":"base","players":["Anna","Boris","Clara"],"seed":3,"draw_order":false}'
    base.execute("INSERT INTO games VALUES ('g','A game',?,0,0,'2030-01-01','2030-01-01',1,'Pre-Stock','p2')", [setup])
    answer = '{"do":"buy_local","local":"S1"}'
    base.execute("INSERT INTO entries VALUES ('g',1,'answer','p1',?,'person','','2030-01-01')", [answer])
    base.executemany("INSERT INTO seats VALUES ('g',?,NULL)", [("p1",), ("p2",), ("p3",)])
    rows = [("host", "host", "p1,p3"), ("p2", "seat", "p2"), ("spectator", "spectator", "")]
    base.executemany("INSERT INTO keys VALUES (?,'g',?,?)", [(texts[name], role, seats) for name, role, seats in rows])
    base.execute("INSERT INTO visitors VALUES (1,?,NULL)", [hashed("cookie")])
    base.execute("INSERT INTO notes VALUES (?,'Boris wants kk')", [texts["p2"]])
    base.execute("INSERT INTO keepings VALUES (1,?,1,NULL)", [texts["p2"]])
    base.commit()
    base.close()
    return texts


def test_links_of_before_go_on_working_and_can_be_shown(url: str, file: Path, of_before: dict[str, str]) -> None:
    assert of_before["p2"].encode() in in_files(file.parent), "the search would find them"
    with another(url) as game_service:
        for name, text in of_before.items():
            assert game_service.access(text).key == text, name
        host = game_service.access(of_before["host"])
        assert {name: each.key for name, each in keys(game_service, host).items()} == of_before
        people = people_on(game_service.database)
        visitor = people.visitor("cookie")
        assert visitor is not None
        assert [game.key for game in MyGames(people.database).games(visitor)] == [of_before["p2"]]
        assert Chat(game_service).note(game_service.access(of_before["p2"])) == "Boris wants kk"
        assert step(game_service, game_service.access(of_before["p2"])) == 2
        game_service.rooms.find_damaged_games()
        assert game_service.rooms.damaged == {}
    left = in_files(file.parent)
    assert not [name for name, text in of_before.items() if text.encode() in left]


RELEASES = sorted((Path(__file__).parent / "databases").glob("*.sql"))


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_keys_of_a_release_are_encrypted_anew_and_shown_as_before(url: str, file: Path, release: Path) -> None:
    told = json.loads(release.with_suffix(".json").read_text())
    file.with_name(f"{file.name}.secret").write_text(told["secret"])
    base = sqlite3.connect(file)
    base.executescript(release.read_text())
    before = dict(base.execute("SELECT hash, sealed FROM keys WHERE sealed != ''"))
    base.close()
    assert all(set(sealed) <= set("0123456789abcdef") for sealed in before.values())
    with another(url) as game_service:
        with game_service.database.session() as session:
            after = {row.hash: row.sealed for row in session.scalars(select(KeyRow)) if row.sealed}
        assert after.keys() == before.keys()
        assert all(sealed.startswith("gcm1.") for sealed in after.values())
        opened = {hash_: game_service.database.key_cipher.decrypt(hash_, sealed) for hash_, sealed in after.items()}
    assert all(hashed(key) == hash_ for hash_, key in opened.items())
    assert {game["key"] for game in told["games"]} <= set(opened.values())


def test_a_key_that_is_not_encrypted_as_today_is_so_when_it_is_used(game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    with game_service.database.session() as session:
        session.get_one(KeyRow, host.hash).sealed = "00"
    assert game_service.access(host.key).key == host.key
    with game_service.database.session() as session:
        assert (
            game_service.database.key_cipher.decrypt(host.hash, session.get_one(KeyRow, host.hash).sealed) == host.key
        )


# Links that have been used


@pytest.mark.parametrize("deed", ["chat", "note", "proposal"])
def test_whoever_speaks_or_writes_with_a_link_has_used_it(game_service: GameService, deed: str) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    step(game_service, host)
    guest = keys(game_service, host)["p2"]
    with game_service.holding(host.game) as room:
        setup, version = room.game.setup, room.version
    talk = Chat(game_service)
    if deed == "chat":
        talk.post_message(guest, setup, "hello")
    elif deed == "note":
        talk.save_note(guest, "kk first")
    else:
        Proposals(game_service).make(guest, version, 0)
    shown = keys(game_service, host)
    assert (shown["p2"].key, bool(shown["p3"].key)) == ("", True)


def test_a_key_that_somebody_altered_is_not_shown_and_harms_no_other(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    with game_service.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE keys SET sealed = 'zz' WHERE role = 'spectator'")
    shown = keys(game_service, host)
    assert (shown["spectator"].key, bool(shown["p2"].key)) == ("", True)


def test_the_host_sees_a_link_until_somebody_has_played_with_it(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    step(game_service, host)
    assert keys(game_service, host)["p2"].key == found["p2"].key
    step(game_service, game_service.access(found["p2"].key))
    with another(url) as later:
        shown = keys(later, host)
        assert (shown["p2"].key, shown["p2"].used) == ("", True)
        assert shown["p3"].key == found["p3"].key
        mine = later.access(found["p2"].key)
        assert keys(later, mine)["p2"].key == found["p2"].key, "whoever has it sees it"
        later.assign_seat(host, "p2", "link")
        assert game_service.access(keys(later, host)["p2"].key).seats == ("p2",)
        with pytest.raises(NotHere, match="no longer works"):
            later.access(found["p2"].key)
