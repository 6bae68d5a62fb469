"""The house: keys, answers that come twice or too late, several houses on one database, and starting again."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from threading import enumerate as enumerate_threads

import pytest
from sqlalchemy import func, select, update

from ostbahn.bots.playing import Bot, RandomBot
from ostbahn.interop.saves import dump, load, parse, restore
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadSetup, OstbahnError, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.bots.service import bot_turn
from ostbahn.server.db.database import Archive
from ostbahn.server.games.bot_pool import Opponents
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import House
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import GameRow, KeyRow, SeatRow
from ostbahn.table.access import NotYours, Stale
from tests.harness import apart_from_chance, ask, play_random
from tests.server.tables import (
    FEWEST,
    NAMES,
    WAYS,
    another,
    first_answer,
    house_on,
    keys,
    play_on,
    standing,
    step,
    waiting_for_bots,
    wanted,
)

# All ways to play


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_a_restart_loses_nothing(url: str, house: House, title: str, variant: str) -> None:
    who = ("here", "R", "here")[: FEWEST[title, variant]]
    host = house.open(wanted(*who, title=title, variant=variant))
    play_on(house, host, 40, Random(1))
    house.undo(host, standing(house, host)[0])
    play_on(house, host, 40, Random(2))
    name, saved = house.save(host)
    assert name.startswith(f"{title}-{variant}-")
    with another(url) as later:
        assert later.access(host.key) == host
        assert standing(later, host) == standing(house, host)
        assert later.save(host) == (name, saved)
        with later.holding(host.game) as read, house.holding(host.game) as held:
            assert (read.given, read.bots, read.name) == (held.given, held.bots, held.name)
    with house.holding(host.game) as room:
        assert apart_from_chance(load(saved)) == apart_from_chance(room.game)


def test_a_save_says_which_seats_bots_have_now(url: str, house: House) -> None:
    host = house.open(wanted("R", "here", "G"))
    assert restore(parse(house.save(host)[1])).bots == {"p1": "R", "p3": "G"}
    house.seat(host, "p3", "here")
    house.seat(host, "p2", "S")
    house.seat(host, "p1", "here")
    house.seat(host, "p1", "G")
    saved = house.save(host)
    assert restore(parse(saved[1])).bots == {"p1": "G", "p2": "S"}
    with another(url) as later:
        assert later.save(host) == saved
    house.seat(host, "p1", "here")
    house.seat(host, "p2", "here")
    assert json.loads(house.save(host)[1]).keys() == {"format", "version", "setup", "rules", "actions", "digest"}


def test_a_game_older_than_a_ruling_goes_on_as_it_was_played(url: str, house: House) -> None:
    """Its set-up names none of today's rulings; Vaclav's company had passed its track, as one could in those days."""
    then = {"emergency_money": "for any train", "vaclav_track": "optional"}
    host = house.open(wanted("here", "here", variant="bohemia"))
    while standing(house, host)[0] < 10:
        with house.holding(host.game) as room:
            version, action = room.version, Pass() if Pass() in ask(room.game) else first_answer(room.game)
        house.act(host, version, action)
    before = standing(house, host)
    with house.archive.session() as session:
        row = session.get_one(GameRow, host.game)
        row.setup = json.dumps(json.loads(row.setup) | {"rulings": {}})
    with another(url) as later:
        assert standing(later, host) == before
        with later.holding(host.game) as room:
            assert {name: room.game.setup.rulings[name] for name in then} == then


def test_a_bot_plays_a_whole_game(house: House) -> None:
    """Even where the rules play for somebody whom nobody asks: István."""
    host = house.open(wanted("R", title="18Mag", variant="solo"))
    while bot_turn(house, host.game):
        pass
    with house.holding(host.game) as room:
        assert room.game.over
        assert {given.how for given in room.given} == {"bot"}
    with house.archive.session() as session:
        row = session.get_one(GameRow, host.game)
        assert (row.turn, row.round, row.number) == (None, "finished", room.number)
    assert waiting_for_bots(house.archive) == []


# Acting


def test_an_answer_for_another_version_is_stale(house: House) -> None:
    host = house.open(wanted())
    with house.holding(host.game) as room:
        action = first_answer(room.game)
    assert house.act(host, 0, action) == 1
    for version in (0, 2, -1, 10**30):
        with pytest.raises(Stale):
            house.act(host, version, action)
    assert standing(house, host)[:2] == (1, 1)


def test_seats_do_not_act_for_each_other(house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    found = keys(house, host)
    with house.holding(host.game) as room:
        action = first_answer(room.game)
        assert room.turn == "p1"
    with pytest.raises(Refused, match="Anna") as refused:
        house.act(found["p2"], 0, action)
    assert refused.value.rule, "the refusal should cite the rule of turns"
    with pytest.raises(NotYours):
        house.act(found["spectator"], 0, action)
    for who in (found["p2"], found["spectator"]):
        with pytest.raises(OstbahnError):
            house.undo(who, 0)
    assert standing(house, host)[0] == 0
    assert house.act(host, 0, action) == 1


def test_a_refusal_names_the_rule_and_changes_nothing(house: House, url: str) -> None:
    host = house.open(wanted(title="18Mag"))
    with pytest.raises(Refused) as refused:
        house.act(host, 0, Pass())
    assert refused.value.rule == "18Mag V/3"
    with another(url) as later:
        assert standing(later, host)[0] == 0


def test_of_two_answers_at_once_one_counts(house: House) -> None:
    host = house.open(wanted())
    with ThreadPoolExecutor(4) as pool:
        for version in range(10):
            with house.holding(host.game) as room:
                assert room.version == version
                action = first_answer(room.game)
            ready = Barrier(4)

            def act(version: int = version, action: Action = action, ready: Barrier = ready) -> int | None:
                ready.wait()
                try:
                    return house.act(host, version, action)
                except Stale:
                    return None

            made = [future.result() for future in [pool.submit(act) for _ in range(4)]]
            assert sorted(made, key=str) == [version + 1, None, None, None]


def test_two_houses_on_one_database_do_not_write_over_each_other(url: str) -> None:
    with another(url) as one, another(url) as two:
        host = one.open(wanted(ask_all=True))
        for version in range(8):
            assert step((one, two)[version % 2], host) == version + 1
        assert standing(one, host) == standing(two, host)
        action = first_answer(new_game("18CZ", NAMES[:3], draw_order=False))
        with pytest.raises(Stale):
            two.act(host, 0, action)


def test_of_two_houses_that_write_at_once_one_is_told_that_it_was_late(url: str) -> None:
    with another(url) as one, another(url) as two, ThreadPoolExecutor(2) as pool:
        host = one.open(wanted())
        for version in range(10):
            with one.holding(host.game) as room:
                action = first_answer(room.game)
            tries = [pool.submit(house.act, host, version, action) for house in (one, two)]
            faults = [each.exception() for each in tries]
            assert sorted(type(fault).__name__ for fault in faults) == ["NoneType", "Stale"]
            assert standing(two, host) == standing(one, host)
            assert standing(one, host)[0] == version + 1


def test_what_cannot_be_written_has_not_happened(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host = house.open(wanted())
    before = standing(house, host)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("ostbahn.server.games.repository._summary", full)
    with pytest.raises(OSError, match="full"):
        step(house, host)
    monkeypatch.undo()
    assert standing(house, host) == before
    assert step(house, host) == 1


def test_an_engine_that_stumbles_half_way_does_not_leave_half_an_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = house.open(wanted())
    before = standing(house, host)

    def stumble(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ostbahn.table.room.Room._settle", stumble)
    with pytest.raises(ZeroDivisionError):
        step(house, host)
    monkeypatch.undo()
    assert standing(house, host) == before


def test_a_finished_game_takes_no_answer(house: House) -> None:
    game = play_random(new_game("18Mag", ["Anna"], variant="solo", seed=2), Random(2))
    assert game.over
    host = house.take_in(game)
    with pytest.raises(Refused, match="over"):
        house.act(host, len(game), Pass())
    house.undo(host, len(game))
    assert standing(house, host)[1] < len(game)


# Taking back


def test_undo_in_a_house(house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    found = keys(house, host)
    with pytest.raises(Refused, match="nothing"):
        house.undo(host, 0)
    before = standing(house, host)
    version = step(house, host)
    with pytest.raises(Stale):
        house.undo(host, 0)
    with pytest.raises(Refused, match="somebody else"):
        house.undo(found["p2"], version)
    with pytest.raises(NotYours):
        house.undo(found["spectator"], version)
    assert house.undo(host, version) == 2
    assert standing(house, host)[1:] == before[1:]
    version = step(house, host)
    step(house, found["p2"])
    with pytest.raises(Refused, match="somebody else"):
        house.undo(host, version + 1)


# Bots


class Broken:
    def choose(self, question: object, game: Game) -> Pass:
        raise ValueError("no idea")


class Loops:
    def choose(self, question: object, game: Game) -> Pass:
        while True:
            pass


@pytest.mark.parametrize(("bot", "words"), [(Broken(), "no idea"), (Loops(), "it had 0.1 seconds and did not answer")])
def test_a_bot_that_fails_or_overruns_does_not_stop_the_game(archive: Archive, bot: Bot, words: str) -> None:
    house = house_on(archive, Opponents(0.1, make=lambda code, seed: bot))
    host = house.open(wanted("R", "here", "here", pace=7))
    assert bot_turn(house, host.game)
    with house.holding(host.game) as room:
        assert room.given[0].how == "bot"
        assert words in room.given[0].note


def test_a_bot_that_is_known_no_more_does_not_stop_the_game(house: House, url: str) -> None:
    host = house.open(wanted("R", "here", "here"))
    with house.archive.session() as session:
        session.execute(update(SeatRow).where(SeatRow.seat == "p1").values(bot="GONE:2000"))
    with another(url) as later:
        assert bot_turn(later, host.game)
        with later.holding(host.game) as room:
            assert "GONE" in room.given[0].note


def test_undo_while_a_bot_thinks_makes_its_answer_void(archive: Archive) -> None:
    class Slow:
        def choose(self, question: object, game: Game) -> Action:
            house.undo(host, 1)
            return first_answer(game)

    house = house_on(archive, Opponents(make=lambda code, seed: Slow()))
    host = house.open(wanted("here", "R", "here"))
    assert step(house, host) == 1
    assert bot_turn(house, host.game)
    assert standing(house, host)[:2] == (2, 0)
    assert not bot_turn(house, host.game)


def test_a_seat_given_away_while_its_bot_thinks_is_not_played_by_it(archive: Archive) -> None:
    class Slow:
        def choose(self, question: object, game: Game) -> Action:
            house.seat(host, "p1", "here")
            return first_answer(game)

    house = house_on(archive, Opponents(make=lambda code, seed: Slow()))
    host = house.open(wanted("R", "here", "here"))
    bot_turn(house, host.game)
    assert standing(house, host)[1] == 0


class Counted(Opponents):
    """Counts how many bots were made."""

    def __init__(self, bot: Callable[[], Bot] = RandomBot, limit: float = 20.0) -> None:
        self.made: list[str] = []

        def make(code: str, seed: int) -> Bot:
            self.made.append(code)
            return bot()

        super().__init__(limit, make)


def test_a_bot_is_made_once_for_its_seat_and_stays_over_taking_back(archive: Archive) -> None:
    opponents = Counted()
    house = house_on(archive, opponents)
    host = house.open(wanted("here", "R", "R"))
    for _ in range(3):
        play_on(house, host, 6, Random(1))
        Proposals(house).make(host, standing(house, host)[0], 0)
    assert opponents.made == ["R", "R"]


def test_a_bot_goes_when_its_seat_is_given_away_and_when_the_game_is_over(archive: Archive) -> None:
    opponents = Counted()
    house = house_on(archive, opponents)
    host = house.open(wanted("R", "here", "here"))
    bot_turn(house, host.game)
    for who in ("here", "R"):
        house.seat(host, "p1", who)
    play_on(house, host, 6, Random(1))
    assert opponents.made == ["R", "R"]
    solo = house.open(wanted("R", title="18Mag", variant="solo"))
    while bot_turn(house, solo.game):
        pass
    assert solo.game not in opponents._seated


def test_bots_of_tables_that_are_forgotten_are_forgotten_too(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.server.games.rooms.ROOMS", 3)
    opponents = Counted()
    house = house_on(archive, opponents)
    for _ in range(8):
        bot_turn(house, house.open(wanted("R", "here", "here")).game)
    assert len(opponents._seated) == 3


def test_a_bot_that_is_too_slow_again_and_again_is_not_asked_for_ever(archive: Archive) -> None:
    house = house_on(archive, Counted(Loops, 0.05))
    host = house.open(wanted("R", "R", "R"))
    for _ in range(12):
        bot_turn(house, host.game)
    with house.holding(host.game) as room:
        assert sum("not asked any more" in given.note for given in room.given) == 3


def test_bots_keep_no_threads_while_people_think(archive: Archive) -> None:
    house = house_on(archive)
    host = house.open(wanted("here", "R", "R"))
    before = set(enumerate_threads())
    play_on(house, host, 7, Random(1))
    while bot_turn(house, host.game):
        pass
    for thread in set(enumerate_threads()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_bots_that_are_asked_are_found_again_after_a_restart(house: House, url: str) -> None:
    waiting = house.open(wanted("R", "here", "here"))
    house.open(wanted("here", "R", "R"))
    with another(url) as later:
        assert waiting_for_bots(later.archive) == [waiting.game]


# New games


@pytest.mark.parametrize(
    "wrong",
    [
        wanted(title="18XX"),
        wanted("here"),
        wanted("here", "here", "S:999999999999"),
        wanted("here", "here", "/etc/passwd.py:Bot"),
        wanted("here", "here", "here", name="x" * 81),
        wanted("here", "here", "here", name="two\nlines"),
        wanted(pace=-1),
        wanted(pace=10**9),
        NewTable(title="18CZ", seats=(NewSeat("Anna"), NewSeat(" Anna "), NewSeat("Boris"))),
        NewTable(title="18CZ", seats=(NewSeat(""), NewSeat("Anna"), NewSeat("Boris"))),
        NewTable(title="18CZ", seats=(NewSeat("x" * 41), NewSeat("Anna"), NewSeat("Boris"))),
    ],
)
def test_a_table_that_cannot_be_set_up_leaves_nothing_behind(house: House, wrong: NewTable) -> None:
    with pytest.raises(BadSetup):
        house.open(wrong)
    with house.archive.session() as session:
        assert [session.scalar(select(func.count()).select_from(table)) for table in (GameRow, KeyRow, SeatRow)] == [
            0,
            0,
            0,
        ]


def test_players_with_long_names_can_play_without_thinking_of_a_name_for_the_game(house: House) -> None:
    seats = tuple(NewSeat(letter * 40) for letter in "ABCDEF")
    host = house.open(NewTable(title="18CZ", seats=seats))
    with house.holding(host.game) as room:
        assert 0 < len(room.name) <= 80


@pytest.mark.parametrize("seed", [0, -1, 2**70])
def test_any_seed_survives_a_restart(house: House, url: str, seed: int) -> None:
    host = house.open(wanted(seed=seed))
    with another(url) as later:
        assert standing(later, host) == standing(house, host)


def test_a_game_from_elsewhere_goes_on_here(house: House, url: str) -> None:
    game = play_random(new_game("18CZ", NAMES[:4], seed=11), Random(11), 230)
    host = house.take_in(game, "From a file")
    assert host.seats == ("p1", "p2", "p3", "p4")
    with house.holding(host.game) as room:
        assert room.number >= 230  # what is obvious next was answered
        assert apart_from_chance(room.at(230)) == apart_from_chance(game)
        assert room.name == "From a file"
    step(house, host)
    assert dump(game) != house.save(host)[1]
    with another(url) as later:
        assert standing(later, host) == standing(house, host)


def test_a_whole_game_is_taken_in_as_it_was(house: House, url: str, mag_game: Game) -> None:
    host = house.take_in(mag_game)
    with another(url) as later:
        assert later.save(host)[1] == dump(mag_game)


def test_no_id_looks_like_an_option_of_the_command_line() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert not [each for each in ids if each.startswith("-") or len(each) != 11]
