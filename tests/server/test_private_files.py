"""Files of a server that only their owner reads, whatever the umask says."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.db.files import only_server
from ostbahn.server.ops.backups import back_up, restore
from ostbahn.server.settings import Settings
from tests.server.tables import another, now, step, wanted


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    """As most systems are set: what is made can be read by all."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir() if file.is_file()}


def in_use(folder: Path) -> dict[str, str]:
    """What lies in a data folder while a server writes."""
    url = sqlite_url_in(folder)
    with only_server(url), another(url) as game_service:
        step(game_service, game_service.create_game(wanted()))
        return modes(folder)


def test_all_that_a_server_writes_is_for_its_owner_alone(tmp_path: Path) -> None:
    found = in_use(tmp_path)
    names = {f"ostbahn.sqlite{more}" for more in ("", "-wal", "-shm", ".secret", ".lock")}
    assert found == dict.fromkeys(names, "0o600")


def test_what_others_could_read_is_tightened_at_the_next_start(tmp_path: Path) -> None:
    for name in in_use(tmp_path):
        if (tmp_path / name).exists():
            (tmp_path / name).chmod(0o666)
    assert "0o666" in modes(tmp_path).values()
    assert set(in_use(tmp_path).values()) == {"0o600"}


def test_backups_and_what_is_restored_are_for_their_owner_alone(tmp_path: Path) -> None:
    in_use(tmp_path / "data")
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "copy.gz"
    back_up(Settings(data=tmp_path / "data"), copy, now(), with_secret=True)
    (tmp_path / "restored").mkdir()
    restore(Settings(data=tmp_path / "restored"), copy)
    assert set(modes(tmp_path / "copies").values()) == {"0o600"}
    assert set(modes(tmp_path / "restored").values()) == {"0o600"}
