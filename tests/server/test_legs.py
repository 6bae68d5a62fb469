"""Rooms that were put away come back from what was kept, as they were, and nothing is replayed for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest
from sqlalchemy import select, update

from ostbahn.kernel.game import Game
from ostbahn.server.games.repository import SNAPSHOT_INTERVAL
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import GameRow, SnapshotRow
from ostbahn.server.programmed.service import LAST_CHECKED
from ostbahn.table.access import Access, Stale
from ostbahn.table.room import Room
from ostbahn.table.table_view import TableView, table_view
from ostbahn.testing import uniform
from tests.server.tables import WAYS, another, keys, standing, wanted

FEW = [pair for pair in WAYS if pair[1] in ("base", "solo", "moravia")]


def answer(game_service: GameService, host: Access, steps: int, rng: Random) -> None:
    for _ in range(steps):
        with game_service.holding(host.game) as room:
            if room.turn is None:
                return
            version, action = room.version, uniform(room.game, rng)
        game_service.answer(host, version, action)


def seen(game_service: GameService, who: Access, at: int | None = None) -> TableView:
    with game_service.holding(who.game) as room:
        return table_view(room, who, at)


@contextmanager
def never_replayed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise AssertionError("it was replayed")

    with monkeypatch.context() as patched:
        patched.setattr(Room, "replay", refuse)
        patched.setattr(Game, "apply", refuse)
        patched.setattr(Game, "apply_unchecked", refuse)
        yield


def alike(one: Room, other: Room) -> None:
    assert (other.version, other.moved, other.number) == (one.version, one.moved, one.number)
    assert other.given == one.given
    assert other.notices.all == one.notices.all
    assert other.game.records == one.game.records
    states = zip(one.game.history.states, other.game.history.states, strict=True)
    assert all(before == after for before, after in states)
    assert other.game.opening == one.game.opening


@pytest.mark.parametrize(("title", "variant"), FEW)
def test_a_room_comes_back_as_it_was_without_a_replay(
    url: str, game_service: GameService, monkeypatch: pytest.MonkeyPatch, title: str, variant: str
) -> None:
    players = {"base": 3, "solo": 1, "moravia": 2}[variant]
    host = game_service.create_game(wanted(*["here"] * players, title=title, variant=variant))
    answer(game_service, host, 2 * SNAPSHOT_INTERVAL + 12, Random(2))
    with another(url) as later, game_service.holding(host.game) as room:
        with never_replayed(monkeypatch):
            assert standing(later, host) == (room.version, room.number, room.game.state.digest)
            with later.holding(host.game) as back:
                alike(room, back)
                assert back.stored_history is not None
        for at in (None, 0, SNAPSHOT_INTERVAL - 1, SNAPSHOT_INTERVAL, room.number - 1):
            assert seen(later, host, at) == seen(game_service, host, at)
        assert later.save_file(host) == game_service.save_file(host)


def test_whoever_goes_on_at_a_room_that_came_back_leaves_it_as_it_would_have_been(
    url: str, game_service: GameService
) -> None:
    """Taking back beyond what was kept, names, seats, and all of it put away again and again."""
    host = game_service.create_game(wanted())
    rng = Random(5)
    for round_ in range(6):
        with another(url) as later:
            answer(later, host, rng.randint(5, 30), rng)
            if round_ == 2:
                later.assign_seat(host, "p3", "link")
                later.name_seat(keys(later, host)["p3"], "p3", "Petra")
                later.assign_seat(host, "p3", "here")
                host = later.access(host.key)
            if round_ in (1, 3, 4):
                version, number, _ = standing(later, host)
                Proposals(later).make(host, version, max(0, number - rng.randint(1, 2 * SNAPSHOT_INTERVAL)))
                assert standing(later, host)[1] < number
        with another(url) as taken, another(url) as other, taken.holding(host.game) as room:
            with other.database.session() as session:
                session.execute(update(GameRow).values(leg=None))  # so that it is replayed
            with other.holding(host.game) as replayed:
                assert room.stored_history is not None
                assert replayed.stored_history is None
                alike(replayed, room)


def test_a_room_takes_only_the_lines_that_another_process_has_written(
    url: str, game_service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = game_service.create_game(wanted())
    with another(url) as other:
        answer(other, host, 10, Random(1))
        with game_service.holding(host.game) as room:
            before = room
            room.memory[LAST_CHECKED] = {}
        answer(other, host, SNAPSHOT_INTERVAL, Random(2))
        other.undo_own_move(host, standing(other, host)[0])
        with game_service.holding(host.game) as room:
            assert room is before
            assert LAST_CHECKED in room.memory
            with other.holding(host.game) as there:
                alike(there, room)
        answer(game_service, host, SNAPSHOT_INTERVAL + 3, Random(3))
        with another(url) as later, later.holding(host.game) as back, game_service.holding(host.game) as room:
            alike(room, back)


def test_what_earlier_versions_kept_is_replayed_once(
    url: str, game_service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = game_service.create_game(wanted())
    answer(game_service, host, 3 * SNAPSHOT_INTERVAL, Random(4))
    with game_service.database.session() as session:
        session.execute(update(SnapshotRow).values(leg=None, rules=0))
        session.execute(update(GameRow).values(leg=None, rules=0, digest=""))
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)
    with another(url) as again, never_replayed(monkeypatch):
        assert standing(again, host) == standing(game_service, host)
    with game_service.database.session() as session:
        assert session.scalars(select(GameRow.rules)).one() >= 1


@pytest.mark.parametrize(
    "values",
    [{"leg": b"noise"}, {"digest": "0" * 16}, {"state": b"{}"}, {"number": 3}],
    ids=lambda values: next(iter(values)),
)
def test_what_was_kept_and_is_damaged_is_not_believed(
    url: str, game_service: GameService, values: dict[str, object]
) -> None:
    host = game_service.create_game(wanted())
    answer(game_service, host, 2 * SNAPSHOT_INTERVAL, Random(4))
    with game_service.database.session() as session:
        first = session.scalars(select(SnapshotRow.version).order_by(SnapshotRow.version)).first()
        session.execute(update(SnapshotRow).where(SnapshotRow.version == first).values(values))
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)
        with suppress(Stale):  # who asks for a state that is lost makes the room be read from the log
            seen(later, host, 1)
        assert seen(later, host, 1) == seen(game_service, host, 1)


def test_a_line_that_is_missing_is_noticed(url: str, game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    answer(game_service, host, 2 * SNAPSHOT_INTERVAL, Random(4))
    with game_service.database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM entries WHERE version = 5")
    with another(url) as later, later.holding(host.game) as room:
        assert "line 5" in room.damage
