"""Databases as each release left them: every game in them stands as it stood, and goes on."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ostbahn import __version__
from ostbahn.server.games.repository import checksum
from ostbahn.server.games.tables import EntryRow, GameRow
from tests.server.tables import another, standing, step

DATABASES = sorted((Path(__file__).parent / "databases").glob("*.sql"))
"""Made by `databases/make.py`."""


def kept_games(url: str, release: Path) -> list[dict[str, Any]]:
    """Puts a database where the server looks for its own; what stood in it."""
    told: dict[str, Any] = json.loads(release.with_suffix(".json").read_text())
    file = Path(url.removeprefix("sqlite:///"))
    file.with_name(f"{file.name}.secret").write_text(told["secret"])
    base = sqlite3.connect(file)
    base.executescript(release.read_text())
    base.close()
    games: list[dict[str, Any]] = told["games"]
    return games


def test_there_is_a_database_of_every_release() -> None:
    assert __version__.rpartition(".")[0] in {database.stem for database in DATABASES}


@pytest.mark.parametrize("release", DATABASES, ids=lambda path: path.stem)
def test_games_of_every_release_stand_as_they_stood_and_go_on(url: str, release: Path) -> None:
    games = kept_games(url, release)
    with another(url) as game_service:
        game_service.rooms.find_damaged_games()
        assert not game_service.rooms.damaged
        for game in games:
            host = game_service.access(game["key"])
            assert standing(game_service, host) == (game["version"], game["number"], game["digest"])
            with game_service.holding(host.game) as room:
                assert room.skipped == 0
                assert room.name == game["name"]
            assert step(game_service, host) > game["version"]
        with game_service.database.session() as session:
            assert all(version >= 1 for version in session.scalars(select(GameRow.rules)))
        hosts = [game_service.access(game["key"]) for game in games]
        with another(url) as later:
            assert [standing(later, host) for host in hosts] == [standing(game_service, host) for host in hosts]


@pytest.mark.parametrize("release", DATABASES, ids=lambda path: path.stem)
def test_games_of_every_release_go_on_from_their_last_state_where_rules_refuse_them(url: str, release: Path) -> None:
    games = kept_games(url, release)
    with another(url) as game_service:
        with game_service.database.session() as session:
            for row in session.scalars(select(EntryRow).where(EntryRow.version == 1)):
                row.by = "p9"  # nobody
                row.sum = checksum(row)
        for game in games:
            host = game_service.access(game["key"])
            assert standing(game_service, host) == (game["version"], game["number"], game["digest"])
            with game_service.holding(host.game) as room:
                assert room.skipped > 0
            step(game_service, host)
