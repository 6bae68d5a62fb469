"""Clocks: read from moments that were written down, fair when nobody could answer, and acted on once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import select, update

from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.server.accounts.people import Subscription, Visitor, owner_of
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.clocks.clock import (
    ClockState,
    ExtraTime,
    HeartbeatRow,
    Interval,
    expires_at,
    load_clock_state,
    time_left,
)
from ostbahn.server.clocks.timekeeper import record_heartbeat
from ostbahn.server.clocks.votes import Motion
from ostbahn.server.games.listeners import TurnChange
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.notifications.subscriptions import IdempotencyKeyRow, claim_idempotency_key
from ostbahn.table.access import Access, NotYours, Stale, Unreadable
from ostbahn.table.slots import TableClock, check_clock, clock_in_words, duration
from tests.server.receivers import mail_server, web_server
from tests.server.tables import first_answer, keys, step, wanted
from tests.server.test_notification_delivery import Town, texts

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
MOVE = TableClock(kind="move", seconds=600)
GAME = TableClock(kind="game", seconds=3600, increment=30)
DAYS = TableClock(kind="days", seconds=2 * 86400)


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def minutes_left(clock_state: ClockState, seat: str, now: datetime) -> float:
    return time_left(clock_state, seat, now).total_seconds() / 60


# The pure clock


def test_a_clock_for_each_turn_begins_anew_with_it() -> None:
    asked = [TurnChange(1, "p1", 1, at(0)), TurnChange(2, "p2", 1, at(4)), TurnChange(3, "p1", 2, at(9))]
    clock_state = ClockState(MOVE, NOON, asked)
    assert minutes_left(clock_state, "p1", at(12)) == 7
    assert minutes_left(clock_state, "p2", at(12)) == 10
    assert expires_at(clock_state, at(12)) == at(19)
    assert minutes_left(clock_state, "p1", at(30)) == -11


def test_taking_back_gives_nobody_their_time_back() -> None:
    """Boris had five minutes of his first turn before Anna took back; he is asked again in the same turn."""
    asked = [TurnChange(1, "p2", 1, at(0)), TurnChange(2, "p1", 3, at(5)), TurnChange(3, "p2", 1, at(8))]
    assert minutes_left(ClockState(MOVE, NOON, asked), "p2", at(9)) == 4


def test_a_clock_for_the_whole_game_adds_up_and_gains() -> None:
    asked = [
        TurnChange(1, "p1", 1, at(0)),
        TurnChange(2, "p2", 1, at(10)),
        TurnChange(3, "p1", 2, at(15)),
        TurnChange(4, None, 0, at(20)),
    ]
    clock_state = ClockState(GAME, NOON, asked)
    assert minutes_left(clock_state, "p1", at(500)) == 60 - 15 + 0.5 * 2
    assert minutes_left(clock_state, "p2", at(500)) == 60 - 5 + 0.5
    assert expires_at(clock_state, at(500)) is None


def test_a_clock_stands_in_pauses_and_holidays_and_never_runs_backwards() -> None:
    asked = [TurnChange(1, "p1", 1, at(0))]
    pauses = [Interval(at(2), at(5)), Interval(at(4), at(6))]
    clock_state = ClockState(MOVE, NOON, asked, stopped=pauses)
    assert minutes_left(clock_state, "p1", at(9)) == 5
    assert expires_at(clock_state, at(1)) == at(14), "a pause that lies ahead counts"
    assert minutes_left(clock_state, "p1", at(-60)) == 10, "a clock that was put back takes nothing"
    away = {"p1": [Interval(at(60), at(60 + 1440))]}
    assert expires_at(ClockState(DAYS, NOON, asked, away=away), at(0)) == at(3 * 1440)
    assert expires_at(ClockState(MOVE, NOON, asked, away=away), at(0)) == at(10), "holidays are for clocks of days"


def test_more_time_counts_in_the_turn_for_which_it_was_given() -> None:
    asked = [TurnChange(1, "p1", 1, at(0)), TurnChange(2, "p2", 1, at(5)), TurnChange(3, "p1", 2, at(6))]
    more = [ExtraTime("p1", 1, 600), ExtraTime("p1", 2, 60), ExtraTime("p2", 1, 600)]
    assert minutes_left(ClockState(MOVE, NOON, asked, extra_times=more), "p1", at(6)) == 11
    assert minutes_left(ClockState(GAME, NOON, asked, extra_times=more), "p1", at(6)) == 60 - 5 + 0.5 + 11


def test_only_sensible_clocks_are_taken() -> None:
    for clock in (
        TableClock(kind="move", seconds=0),
        TableClock(kind="move", seconds=10**9),
        TableClock(kind="days", seconds=3600),
        TableClock(kind="game", seconds=3600, increment=-5),
        TableClock(kind="move", seconds=600, increment=5),
    ):
        with pytest.raises(BadSetup):
            check_clock(clock)
    assert duration(90_061) == "1 day 1 hour"
    assert clock_in_words(GAME) == "1 hour for the whole game and 30 seconds more with each turn"


# At a table


@pytest.fixture
def town(url: str) -> Iterator[Town]:
    with mail_server() as mail, web_server() as web:
        made = Town(url, mail, web)
        made.time = NOON
        yield made
        made.services.game_service.seated_bots.close()
        made.services.database.close()


def table(town: Town, clock: TableClock, *who: str) -> tuple[dict[str, Access], Visitor]:
    """Anna, whose turn it is, and Boris, who has sat down and wants mail of his time."""
    new: NewTable = msgspec.structs.replace(wanted(*(who or ("here", "link", "R"))), clock=clock)
    game_service = town.services.game_service
    found = keys(game_service, game_service.create_game(new))
    boris = town.person(found["p2"])
    game_service.name_seat(found["p2"], "p2", "Boris")
    town.mail_wire(boris, "boris@example.org")
    town.subscribe(boris, events=("time",))
    return found, boris


def until_boris(town: Town, found: dict[str, Access]) -> None:
    game_service = town.services.game_service
    while (turn := town.services.game_service.game_copy(found["host"].game).question.decider) != "p2":  # type: ignore[union-attr]
        if turn == "p3":
            play_bot_turn(game_service, found["host"].game)
        else:
            step(game_service, found["host"])


def clock_state(town: Town, game: str) -> ClockState:
    with town.services.database.session() as session:
        found = load_clock_state(session, game, town.time)
        assert found is not None
        return found


def answers_by(town: Town, game: str, seat: str) -> int:
    return sum(record.by == seat for record in town.services.game_service.game_copy(game).records)


def test_time_runs_when_everybody_has_sat_down(town: Town) -> None:
    new = msgspec.structs.replace(wanted("here", "link", "R"), clock=MOVE)
    game_service = town.services.game_service
    found = keys(game_service, game_service.create_game(new))
    game = found["host"].game
    town.time += timedelta(hours=5)
    assert expires_at(clock_state(town, game), town.time) is None
    game_service.name_seat(found["p2"], "p2", "Boris")
    assert expires_at(clock_state(town, game), town.time) == town.time + timedelta(minutes=10)


def test_reminders_come_at_half_and_before_the_end(town: Town) -> None:
    found, _ = table(town, DAYS)
    until_boris(town, found)
    town.time += timedelta(hours=23)
    town.work()
    assert texts(town.mail.letters) == []
    town.time += timedelta(hours=1, seconds=1)
    town.work()
    (half,) = texts(town.mail.letters)
    assert "You have 1 day left" in half
    town.time += timedelta(hours=20)
    town.work()
    (last,) = texts(town.mail.letters)
    assert "You have 4 hours 48 minutes left" in last
    town.time += timedelta(hours=4)
    town.work()
    (over,) = texts(town.mail.letters)
    assert "Your time is over" in over
    town.time += timedelta(days=9)
    town.work()
    assert texts(town.mail.letters) == []
    assert answers_by(town, found["host"].game, "p2") == 0, "nothing happens but that it is told"


def test_a_bot_answers_in_this_turn(town: Town) -> None:
    found, _ = table(town, msgspec.structs.replace(MOVE, end="bot_once"))
    game = found["host"].game
    until_boris(town, found)
    town.time += timedelta(minutes=9, seconds=59)
    town.work()
    assert answers_by(town, game, "p2") == 0
    town.time += timedelta(seconds=2)
    town.work()
    assert answers_by(town, game, "p2") > 0
    with town.services.game_service.holding(game) as room:
        assert room.turn != "p2"
        assert "p2" not in room.bots
        assert any("their time was over" in given.note for given in room.given)


def test_a_bot_has_the_seat_for_good(town: Town) -> None:
    found, boris = table(town, msgspec.structs.replace(MOVE, end="bot_stays"))
    game = found["host"].game
    until_boris(town, found)
    town.time += timedelta(minutes=11)
    town.work()
    with town.services.game_service.holding(game) as room:
        assert room.bots["p2"] == "5"
        assert [notice.by for notice in room.notices.all if notice.handover] == ["clock"]
    assert town.services.my_games.seat_at(boris, game) is None
    view, _ = town.services.seen(found["host"], None)
    assert any("The clock" in notice.by_name for line in view.log for notice in line.notices)


def test_whoever_answers_in_time_keeps_their_seat(town: Town) -> None:
    found, _ = table(town, msgspec.structs.replace(MOVE, end="bot_stays"))
    game = found["host"].game
    until_boris(town, found)
    town.time += timedelta(minutes=9)
    game_service = town.services.game_service
    while game_service.game_copy(game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    until_boris(town, found)
    town.time += timedelta(minutes=9)
    town.work()
    with game_service.holding(game) as room:
        assert "p2" not in room.bots


def test_time_in_which_no_worker_ran_does_not_count(town: Town) -> None:
    found, _ = table(town, MOVE)
    game = found["host"].game
    until_boris(town, found)
    for _ in range(12):
        pulse(town)
        town.time += timedelta(seconds=15)
    pulse(town)
    assert time_left(clock_state(town, game), "p2", town.time) == timedelta(minutes=7)
    town.time += timedelta(hours=8)  # the server is down
    pulse(town)
    assert time_left(clock_state(town, game), "p2", town.time) == timedelta(minutes=7)
    town.work()
    town.time += timedelta(seconds=30)
    pulse(town)
    assert time_left(clock_state(town, game), "p2", town.time) == timedelta(minutes=6, seconds=30)
    town.time -= timedelta(hours=2)  # somebody puts the clock back
    pulse(town)
    assert time_left(clock_state(town, game), "p2", town.time) >= timedelta(minutes=6, seconds=30)


def pulse(town: Town) -> None:
    with town.services.database.session() as session:
        record_heartbeat(session, town.time)


def test_what_was_told_long_ago_is_forgotten_though_the_server_never_rests(town: Town) -> None:
    with town.services.database.session() as session:
        claim_idempotency_key(session, "old", town.time)
    town.clocks.heartbeat.record()
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    with town.services.database.session() as session:
        session.execute(update(HeartbeatRow).values(ends=midnight - timedelta(seconds=10)))
        claim_idempotency_key(session, "new", midnight)
    town.time = midnight + timedelta(seconds=5)
    town.clocks.heartbeat.record()
    with town.services.database.session() as session:
        assert len(session.scalars(select(HeartbeatRow)).all()) == 1, "there was no silence"
        assert session.scalars(select(IdempotencyKeyRow.name)).all() == ["new"]


# Votes


def test_all_people_decide_about_the_time(town: Town) -> None:
    found, _ = table(town, MOVE)
    game, votes = found["host"].game, town.clocks.votes
    assert not votes.propose(found["host"], Motion(what="pause"))
    with pytest.raises(Stale):
        votes.reply(found["p2"], 7, True)
    with pytest.raises(NotYours):
        votes.reply(found["spectator"], 1, True)
    assert votes.reply(found["p2"], 1, True)
    town.time += timedelta(days=3)
    assert expires_at(clock_state(town, game), town.time) is None
    assert time_left(clock_state(town, game), "p1", town.time) == timedelta(minutes=10)
    assert not votes.propose(found["p2"], Motion(what="resume"))
    assert not votes.reply(found["host"], 2, False)
    with pytest.raises(Stale):
        votes.reply(found["host"], 2, True)
    assert clock_state(town, game).paused
    votes.propose(found["p2"], Motion(what="resume"))
    assert votes.reply(found["host"], 3, True)
    votes.propose(found["p2"], Motion(what="more", seat="p1", seconds=300))
    assert votes.reply(found["host"], 4, True)
    assert expires_at(clock_state(town, game), town.time) == town.time + timedelta(minutes=15)
    votes.propose(found["p2"], Motion(what="clock", clock=DAYS))
    assert votes.reply(found["host"], 5, True)
    assert clock_state(town, game).clock == DAYS


def test_others_let_a_bot_play_for_somebody_who_is_gone(town: Town) -> None:
    found, _ = table(town, MOVE, "here", "link", "link")
    votes = town.clocks.votes
    votes.propose(found["host"], Motion(what="bot", seat="p2"))
    with pytest.raises(NotYours):
        votes.reply(found["p2"], 1, False)
    assert votes.reply(found["p3"], 1, True)
    with town.services.game_service.holding(found["host"].game) as room:
        assert room.bots == {"p2": "5"}


def test_nonsense_is_not_voted_on(town: Town) -> None:
    found, _ = table(town, MOVE)
    for motion in (
        Motion(what="more", seat="p3", seconds=300),
        Motion(what="more", seat="p1", seconds=10**9),
        Motion(what="bot", seat="p3"),
    ):
        with pytest.raises(Refused):
            town.clocks.votes.propose(found["host"], motion)
    with pytest.raises(BadSetup):
        town.clocks.votes.propose(found["host"], Motion(what="clock", clock=TableClock(kind="move", seconds=1)))
    with pytest.raises(NotYours):
        town.clocks.votes.propose(found["spectator"], Motion(what="pause"))


# Holidays


def test_holidays_stop_clocks_of_days(town: Town) -> None:
    found, boris = table(town, DAYS)
    game, owner, holidays = found["host"].game, owner_of(boris), town.clocks.holidays
    town.notifications.subscriptions.save(owner, Subscription(zone="Europe/Prague"))
    until_boris(town, found)
    due = expires_at(clock_state(town, game), town.time)
    assert due is not None
    holidays.add(owner, date(2026, 7, 2), date(2026, 7, 5))
    assert expires_at(clock_state(town, game), town.time) == due + timedelta(days=4)
    town.time = datetime(2026, 7, 3, 12, tzinfo=UTC)
    view, _ = town.services.seen(found["host"], None)
    assert view.clocks is not None
    clocks = {each.seat: each for each in view.clocks.seats}
    assert clocks["p2"].away_until == datetime(2026, 7, 5, 22, tzinfo=UTC)
    assert clocks["p2"].until is None
    (holiday,) = holidays.upcoming(owner)
    assert holiday.now
    holidays.end(owner, holiday.id)
    assert expires_at(clock_state(town, game), town.time) == due + timedelta(hours=38)


def test_holidays_have_limits(town: Town) -> None:
    owner, holidays = "v1", town.clocks.holidays
    for first, last in ((date(1, 1, 1), date(9999, 12, 31)), (date(1, 1, 1), date(1, 1, 1))):
        with pytest.raises(Unreadable):
            holidays.add(owner, first, last)
    with pytest.raises(Unreadable):
        holidays.add(owner, date(2026, 6, 1), date(2026, 6, 10))
    with pytest.raises(Unreadable):
        holidays.add(owner, date(2026, 8, 10), date(2026, 8, 1))
    with pytest.raises(Refused):
        holidays.add(owner, date(2026, 8, 1), date(2026, 9, 30))
    holidays.add(owner, date(2026, 8, 1), date(2026, 8, 30))
    assert holidays.days_left(owner) <= 5
    with pytest.raises(Refused):
        holidays.add(owner, date(2026, 8, 20), date(2026, 9, 1))
    with pytest.raises(Refused):
        holidays.add(owner, date(2026, 12, 1), date(2026, 12, 10))


def test_alarms_of_other_turns_have_nothing_to_say(town: Town) -> None:
    """Also where the clock's own job is claimed a moment before somebody answers."""
    found, _ = table(town, msgspec.structs.replace(MOVE, end="bot_once"))
    game, game_service = found["host"].game, town.services.game_service
    until_boris(town, found)
    town.time += timedelta(minutes=11)
    with game_service.holding(game) as room:
        version, action = room.version, first_answer(room.game)
    with town.runner.jobs.claim(["clock"], town.time) as job:
        assert job is not None
        game_service.answer(found["p2"], version, action)
        while game_service.game_copy(game).question.decider == "p2":  # type: ignore[union-attr]
            step(game_service, found["p2"])
        given = answers_by(town, game, "p2")
        town.runner._workers["clock"].handler(job)
    assert answers_by(town, game, "p2") == given
