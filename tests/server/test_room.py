"""A room: answers, what answers itself, taking back, and reading the log again."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from ostbahn.kernel.errors import OstbahnError, Refused
from ostbahn.table.room import Handover, LogEntry, Room, Snapshot
from ostbahn.testing import uniform
from tests.server.tables import WAYS, first_answer, play, room_for

STEPS = 250


def twin(room: Room) -> Room:
    """An empty room for the same game."""
    return Room(room.id, room.name, room.game.setup, room.bots, room.pace, room.ask_all)


def test_an_answer_makes_a_version_and_a_line_of_the_log() -> None:
    room = room_for("18CZ", "base", ask_all=True)
    turn = room.turn or ""
    entries = room.answer(first_answer(room.game), turn, "bot", "a note")
    assert (room.version, room.number) == (1, 1)
    assert [(entry.kind, entry.by, entry.how, entry.note) for entry in entries] == [("answer", turn, "bot", "a note")]


def test_a_refused_answer_changes_nothing() -> None:
    room = room_for("18CZ", "base")
    other = next(seat for seat in room.persons if seat != room.turn)
    digest = room.game.state.digest
    with pytest.raises(Refused):
        room.answer(first_answer(room.game), other)
    assert (room.version, room.number, room.given, room.game.state.digest) == (0, 0, [], digest)


# What answers itself


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_people_are_asked_only_what_leaves_a_choice(title: str, variant: str) -> None:
    room = room_for(title, variant)
    rng = Random(1)
    obvious = 0
    for _ in range(STEPS):
        if room.turn is None:
            break
        question = room.game.ask()
        assert not question.obvious or question.kind == "operate_trains"
        entries = room.answer(uniform(room.game, rng), room.turn)
        assert {entry.how for entry in entries[1:]} <= {"obvious"}
        obvious += len(entries) - 1
    assert obvious, "nothing was obvious in this game, so the test has shown nothing"


def test_what_was_passed_over_says_why() -> None:
    log = play(room_for("18CZ", "base"), STEPS, Random(1))
    passes = {entry.note for entry in log if entry.how == "obvious" and entry.data == '{"do":"pass"}'}
    assert passes >= {"no station can be placed", "no company can be taken over"}
    assert "" not in passes


def test_whoever_wants_is_asked_everything() -> None:
    room = room_for("18CZ", "base", ask_all=True)
    log = play(room, STEPS, Random(1))
    assert len(log) == STEPS
    assert {entry.how for entry in log} == {"person"}


def test_bots_answer_for_themselves_even_the_obvious() -> None:
    room = room_for("18CZ", "base", bots=("p1", "p2", "p3"))
    assert {entry.how for entry in play(room, STEPS, Random(1))} == {"bot"}


# Taking back


def _chance(room: Room) -> object:
    return getattr(room.game.state, "chance", None)


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_ones_last_move_can_be_taken_back_with_all_that_followed_from_it(title: str, variant: str) -> None:
    room = room_for(title, variant)
    rng = Random(2)
    for _ in range(100):
        if room.turn is None:
            break
        turn, before, digest, chance = room.turn, room.number, room.game.state.digest, _chance(room)
        action = uniform(room.game, rng)
        room.answer(action, turn)
        drew = _chance(room) != chance
        assert room.own_move((turn,)) == (None if drew else before), "what was drawn by lot needs the others' consent"
        assert all(room.own_move((seat,)) is None for seat in room.persons if seat != turn)
        version = room.version
        assert room.undo(before, turn) == [LogEntry("undo", turn, str(before))]
        assert (room.version, room.number, room.game.state.digest) == (version + 1, before, digest)
        room.answer(action, turn)


def test_bots_do_not_keep_anybody_from_taking_back() -> None:
    room = room_for("18CZ", "base", bots=("p2", "p3"))
    rng = Random(4)
    while room.turn != "p1":
        play(room, 1, rng)
    while room.turn == "p1":
        before = room.number
        room.answer(first_answer(room.game), "p1")
    while room.turn != "p1":
        play(room, 1, rng)
    assert room.number > before + 1
    assert room.own_move(("p1",)) == before
    room.undo(before, "p1")
    assert room.turn == "p1"


def test_whoever_plays_two_seats_takes_back_for_both() -> None:
    room = room_for("18CZ", "base")
    play(room, 2, Random(1))
    first, second = (record.by for record in room.game.records)
    assert first != second
    assert room.own_move((first, second)) == 1
    assert room.own_move((first,)) is None


def test_nothing_can_be_taken_back_that_was_not_answered() -> None:
    room = room_for("18CZ", "base")
    play(room, 3, Random(1))
    for keep in (3, 4, -1):
        with pytest.raises(Refused):
            room.undo(keep, "p1")
    assert (room.version, room.number) == (3, 3)


# Stamps


def test_a_stamp_finds_its_state_until_that_is_taken_back() -> None:
    room = room_for("18Mag", "base")
    rng = Random(3)
    play(room, 20, rng)
    gone = [room.version_at(number) for number in range(room.number - 4, room.number + 1)]
    room.undo(room.number - 5, "p1")
    play(room, 10, rng)
    for number in range(room.number + 1):
        found = room.game_at_version(room.version_at(number))
        assert found is not None
        assert found.state.digest == room.at(number).state.digest
    assert [room.game_at_version(stamp) for stamp in gone] == [None] * 5
    assert room.game_at_version(room.version + 1) is None
    assert room.game_at_version(-1) is None
    assert len({room.version_at(number) for number in range(room.number + 1)}) == room.number + 1


# The log, read again


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_the_log_leads_to_the_same_game(title: str, variant: str) -> None:
    room = room_for(title, variant, bots=("p2",))
    rng = Random(6)
    log: list[LogEntry] = []
    for _ in range(12):
        log += play(room, rng.randint(1, 12), rng)
        if rng.random() < 0.5:
            log += room.undo(room.number - rng.randint(1, min(9, room.number)), "p1")
    again = twin(room)
    again.replay(log, None)
    assert again.game.state.digest == room.game.state.digest
    assert (again.version, again.given, again.skipped) == (room.version, room.given, 0)
    assert [*again.game.actions()] == [*room.game.actions()]


def long_game() -> tuple[Room, list[LogEntry], Snapshot]:
    """A game with a snapshot in the midst of it."""
    room = room_for("18CZ", "base")
    rng = Random(8)
    log = play(room, 60, rng)
    snapshot = room.snapshot()
    log += play(room, 40, rng)
    return room, log, snapshot


@pytest.mark.parametrize(
    "entry",
    [
        LogEntry("answer", "p9", '{"do": "pass"}'),
        LogEntry("answer", "p1", '{"do": "something else"}'),
        LogEntry("answer", "p1", "{broken"),
        LogEntry("undo", "p1", "many"),
        LogEntry("undo", "p1", "-3"),
    ],
)
def test_a_log_that_is_refused_goes_on_from_the_snapshot(entry: LogEntry) -> None:
    room, log, snapshot = long_game()
    again = twin(room)
    again.replay([*log[:5], entry, *log[6:]], snapshot)
    assert again.game.state.digest == room.game.state.digest
    assert (again.version, again.number, again.skipped) == (room.version, room.number, snapshot.number)
    for number in range(again.skipped, again.number + 1):
        assert again.at(number).state.digest == room.at(number).state.digest
    assert play(again, 10, Random(1)) == play(room, 10, Random(1))


def test_a_log_that_leads_elsewhere_goes_on_from_the_snapshot() -> None:
    """A later referee may take all answers and still come to another state."""
    room, log, snapshot = long_game()
    again = twin(room)
    again.replay(log, msgspec.structs.replace(snapshot, digest="0" * 16))
    assert (again.skipped, again.game.state.digest) == (snapshot.number, room.game.state.digest)


def test_without_a_snapshot_a_refused_log_is_an_error() -> None:
    room, log, _ = long_game()
    with pytest.raises(OstbahnError):
        twin(room).replay([LogEntry("answer", "p9", '{"do": "pass"}'), *log[1:]], None)


def test_what_happened_beside_the_game_is_told_after_the_last_answer_that_stands() -> None:
    room = room_for("18CZ", "base")
    log = play(room, 8, Random(1))
    log += room.hand_over(Handover("p2", "link", "here"))
    log += room.undo(5, "p1", "agreed")
    log += play(room, 3, Random(2))
    assert [(each.number, each.gone, each.note) for each in room.notices.all] == [(5, 0, ""), (5, 3, "agreed")]
    assert [room.notices.seats_replaced_since(keep) for keep in (3, 4, 5, 6)] == [("p2",), ("p2",), (), ()]
    again = room_for("18CZ", "base")
    again.replay(log, None)
    assert again.notices.all == room.notices.all


def test_what_happened_beside_the_game_is_told_though_its_beginning_is_not_at_hand() -> None:
    room = room_for("18CZ", "base")
    log = play(room, 8, Random(1)) + room.hand_over(Handover("p2", "link", "here")) + room.undo(5, "p1")
    snapshot = room.snapshot()
    log += play(room, 3, Random(2))
    again = room_for("18CZ", "base")
    again.replay([msgspec.structs.replace(log[0], by="p9"), *log[1:]], snapshot)
    assert again.skipped == 5
    assert [(each.version, each.number) for each in again.notices.all] == [(9, 5), (10, 5)]


def test_after_a_snapshot_nobody_goes_back_beyond_it() -> None:
    room, log, snapshot = long_game()
    again = twin(room)
    again.replay([LogEntry("answer", "p9", '{"do": "pass"}'), *log[1:]], snapshot)
    for keep in (0, snapshot.number - 1):
        with pytest.raises(Refused):
            again.undo(keep, "p1")
        with pytest.raises(Refused):
            again.at(keep)
    again.undo(snapshot.number, "p1")
    assert again.game.state.digest == snapshot.digest
    assert again.own_move(("p1", "p2", "p3")) is None


def test_a_board_from_before_the_snapshot_is_not_taken_for_one_at_hand() -> None:
    """A page that shows the start of the game must get the whole board, not the changes since the snapshot."""
    room, log, snapshot = long_game()
    again = twin(room)
    again.replay([LogEntry("answer", "p9", '{"do": "pass"}'), *log[1:]], snapshot)
    assert again.game_at_version(0) is None
    for number in range(again.skipped, again.number + 1):
        assert again.version_at(number) == room.version_at(number)
        found = again.game_at_version(again.version_at(number))
        assert found is not None
        assert found.state.digest == room.at(number).state.digest
