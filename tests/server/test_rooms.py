"""Rooms: states from which a game goes on, and how many of them stay in memory."""

from __future__ import annotations

import gc
from random import Random

import pytest
from sqlalchemy import func, select, update

from ostbahn.server.db.database import Database
from ostbahn.server.games.repository import checksum
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import EntryRow, GameRow, SnapshotRow
from ostbahn.table.access import Access, Stale
from tests.server.tables import another, play_on, standing, step, wanted

# Snapshots


def _spoil(database: Database, host: Access) -> None:
    """A later referee refuses what was answered first, and nothing but states was kept, as by earlier versions."""
    with database.session() as session:
        session.execute(update(SnapshotRow).values(leg=None))
        session.execute(update(GameRow).values(leg=None))
        row = session.get_one(EntryRow, (host.game, 1))
        row.by = "p9"  # nobody
        row.sum = checksum(row)


def test_a_game_whose_log_is_refused_goes_on_from_its_last_snapshot(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted())
    play_on(game_service, host, 105, Random(3))
    with game_service.database.session() as session:
        last = session.scalar(select(func.max(SnapshotRow.number)).where(SnapshotRow.game == host.game))
    assert last is not None
    _spoil(game_service.database, host)
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)
        with later.holding(host.game) as room:
            assert room.skipped == last
        with pytest.raises(Stale, match="beginning"):
            later.save_file(host)
        step(later, host)
        with another(url) as again:
            assert standing(again, host) == standing(later, host)


def test_going_back_beyond_a_snapshot_leaves_one_to_go_on_from(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted())
    play_on(game_service, host, 105, Random(3))
    Proposals(game_service).make(host, standing(game_service, host)[0], 30)
    play_on(game_service, host, 3, Random(4))
    _spoil(game_service.database, host)
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)


# Memory


def test_rooms_take_only_so_much_memory_together(game_service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [game_service.create_game(wanted()) for _ in range(4)]
    with game_service.holding(hosts[0].game) as room:
        one = room.weight
    monkeypatch.setattr("ostbahn.server.games.rooms.MOST_MEMORY", 2 * one)
    for host in hosts:
        step(game_service, host)
    assert len(game_service.rooms._rooms) <= 2
    monkeypatch.setattr("ostbahn.server.games.rooms.MOST_MEMORY", 1)
    assert [standing(game_service, host)[1] for host in hosts] == [1] * 4
    assert len(game_service.rooms._rooms) == 1, "somebody has to be there"


def test_rooms_are_forgotten_and_read_again(game_service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.server.games.rooms.ROOMS", 3)
    hosts = [game_service.create_game(wanted()) for _ in range(8)]
    for host in hosts:
        step(game_service, host)
    assert len(game_service.rooms._rooms) == 3
    gc.collect()
    assert len(game_service.rooms._locks) <= 3
    assert [step(game_service, host) for host in hosts] == [2] * 8
