"""The game service: keys, answers that come twice or too late, several servers on one database, and starting again."""

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
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.db.database import Database
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import GameRow, KeyRow, SeatRow
from ostbahn.table.access import NotYours, Stale
from ostbahn.testing import apart_from_chance, play_random
from tests.server.tables import (
    FEWEST,
    NAMES,
    WAYS,
    another,
    first_answer,
    game_service_on,
    keys,
    play_on,
    standing,
    step,
    waiting_for_bots,
    wanted,
)

# All ways to play


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_a_restart_loses_nothing(url: str, game_service: GameService, title: str, variant: str) -> None:
    who = ("here", "R", "here")[: FEWEST[title, variant]]
    host = game_service.create_game(wanted(*who, title=title, variant=variant))
    play_on(game_service, host, 40, Random(1))
    game_service.undo_own_move(host, standing(game_service, host)[0])
    play_on(game_service, host, 40, Random(2))
    name, saved = game_service.save_file(host)
    assert name.startswith(f"{title}-{variant}-")
    with another(url) as later:
        assert later.access(host.key) == host
        assert standing(later, host) == standing(game_service, host)
        assert later.save_file(host) == (name, saved)
        with later.holding(host.game) as read, game_service.holding(host.game) as held:
            assert (read.given, read.bots, read.name) == (held.given, held.bots, held.name)
    with game_service.holding(host.game) as room:
        assert apart_from_chance(load(saved)) == apart_from_chance(room.game)


def test_a_save_says_which_seats_bots_have_now(url: str, game_service: GameService) -> None:
    host = game_service.create_game(wanted("R", "here", "G"))
    assert restore(parse(game_service.save_file(host)[1])).bots == {"p1": "R", "p3": "G"}
    game_service.assign_seat(host, "p3", "here")
    game_service.assign_seat(host, "p2", "S")
    game_service.assign_seat(host, "p1", "here")
    game_service.assign_seat(host, "p1", "G")
    saved = game_service.save_file(host)
    assert restore(parse(saved[1])).bots == {"p1": "G", "p2": "S"}
    with another(url) as later:
        assert later.save_file(host) == saved
    game_service.assign_seat(host, "p1", "here")
    game_service.assign_seat(host, "p2", "here")
    assert json.loads(game_service.save_file(host)[1]).keys() == {
        "format",
        "version",
        "setup",
        "rules",
        "actions",
        "digest",
    }


def test_a_game_older_than_a_ruling_goes_on_as_it_was_played(url: str, game_service: GameService) -> None:
    """Its set-up names none of today's rulings; Vaclav's company had passed its track, as one could in those days."""
    then = {"emergency_money": "for any train", "vaclav_track": "optional"}
    host = game_service.create_game(wanted("here", "here", variant="bohemia"))
    while standing(game_service, host)[0] < 10:
        with game_service.holding(host.game) as room:
            version, action = room.version, Pass() if Pass() in room.game.ask() else first_answer(room.game)
        game_service.answer(host, version, action)
    before = standing(game_service, host)
    with game_service.database.session() as session:
        row = session.get_one(GameRow, host.game)
        row.setup = json.dumps(json.loads(row.setup) | {"rulings": {}})
    with another(url) as later:
        assert standing(later, host) == before
        with later.holding(host.game) as room:
            assert {name: room.game.setup.rulings[name] for name in then} == then


def test_a_bot_plays_a_whole_game(game_service: GameService) -> None:
    """Even where the rules play for somebody whom nobody asks: István."""
    host = game_service.create_game(wanted("R", title="18Mag", variant="solo"))
    while play_bot_turn(game_service, host.game):
        pass
    with game_service.holding(host.game) as room:
        assert room.game.over
        assert {given.how for given in room.given} == {"bot"}
    with game_service.database.session() as session:
        row = session.get_one(GameRow, host.game)
        assert (row.turn, row.round, row.number) == (None, "finished", room.number)
    assert waiting_for_bots(game_service.database) == []


# Acting


def test_an_answer_for_another_version_is_stale(game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    with game_service.holding(host.game) as room:
        action = first_answer(room.game)
    assert game_service.answer(host, 0, action) == 1
    for version in (0, 2, -1, 10**30):
        with pytest.raises(Stale):
            game_service.answer(host, version, action)
    assert standing(game_service, host)[:2] == (1, 1)


def test_seats_do_not_act_for_each_other(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    with game_service.holding(host.game) as room:
        action = first_answer(room.game)
        assert room.turn == "p1"
    with pytest.raises(Refused, match="Anna") as refused:
        game_service.answer(found["p2"], 0, action)
    assert refused.value.rule, "the refusal should cite the rule of turns"
    with pytest.raises(NotYours):
        game_service.answer(found["spectator"], 0, action)
    for who in (found["p2"], found["spectator"]):
        with pytest.raises(OstbahnError):
            game_service.undo_own_move(who, 0)
    assert standing(game_service, host)[0] == 0
    assert game_service.answer(host, 0, action) == 1


def test_a_refusal_names_the_rule_and_changes_nothing(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted(title="18Mag"))
    with pytest.raises(Refused) as refused:
        game_service.answer(host, 0, Pass())
    assert refused.value.rule == "18Mag V/3"
    with another(url) as later:
        assert standing(later, host)[0] == 0


def test_of_two_answers_at_once_one_counts(game_service: GameService) -> None:
    host = game_service.create_game(wanted())
    with ThreadPoolExecutor(4) as pool:
        for version in range(10):
            with game_service.holding(host.game) as room:
                assert room.version == version
                action = first_answer(room.game)
            ready = Barrier(4)

            def act(version: int = version, action: Action = action, ready: Barrier = ready) -> int | None:
                ready.wait()
                try:
                    return game_service.answer(host, version, action)
                except Stale:
                    return None

            made = [future.result() for future in [pool.submit(act) for _ in range(4)]]
            assert sorted(made, key=str) == [version + 1, None, None, None]


def test_two_houses_on_one_database_do_not_write_over_each_other(url: str) -> None:
    with another(url) as one, another(url) as two:
        host = one.create_game(wanted(ask_all=True))
        for version in range(8):
            assert step((one, two)[version % 2], host) == version + 1
        assert standing(one, host) == standing(two, host)
        action = first_answer(new_game("18CZ", NAMES[:3], draw_order=False))
        with pytest.raises(Stale):
            two.answer(host, 0, action)


def test_of_two_houses_that_write_at_once_one_is_told_that_it_was_late(url: str) -> None:
    with another(url) as one, another(url) as two, ThreadPoolExecutor(2) as pool:
        host = one.create_game(wanted())
        for version in range(10):
            with one.holding(host.game) as room:
                action = first_answer(room.game)
            tries = [pool.submit(game_service.answer, host, version, action) for game_service in (one, two)]
            faults = [each.exception() for each in tries]
            assert sorted(type(fault).__name__ for fault in faults) == ["NoneType", "Stale"]
            assert standing(two, host) == standing(one, host)
            assert standing(one, host)[0] == version + 1


def test_what_cannot_be_written_has_not_happened(game_service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    host = game_service.create_game(wanted())
    before = standing(game_service, host)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("ostbahn.server.games.repository._update_summary", full)
    with pytest.raises(OSError, match="full"):
        step(game_service, host)
    monkeypatch.undo()
    assert standing(game_service, host) == before
    assert step(game_service, host) == 1


def test_an_engine_that_stumbles_half_way_does_not_leave_half_an_answer(
    game_service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = game_service.create_game(wanted())
    before = standing(game_service, host)

    def stumble(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ostbahn.table.room.Room._answer_obvious", stumble)
    with pytest.raises(ZeroDivisionError):
        step(game_service, host)
    monkeypatch.undo()
    assert standing(game_service, host) == before


def test_a_finished_game_takes_no_answer(game_service: GameService) -> None:
    game = play_random(new_game("18Mag", ["Anna"], variant="solo", seed=2), Random(2))
    assert game.over
    host = game_service.import_game(game)
    with pytest.raises(Refused, match="over"):
        game_service.answer(host, len(game), Pass())
    game_service.undo_own_move(host, len(game))
    assert standing(game_service, host)[1] < len(game)


# Taking back


def test_undo_at_a_table(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    with pytest.raises(Refused, match="nothing"):
        game_service.undo_own_move(host, 0)
    before = standing(game_service, host)
    version = step(game_service, host)
    with pytest.raises(Stale):
        game_service.undo_own_move(host, 0)
    with pytest.raises(Refused, match="somebody else"):
        game_service.undo_own_move(found["p2"], version)
    with pytest.raises(NotYours):
        game_service.undo_own_move(found["spectator"], version)
    assert game_service.undo_own_move(host, version) == 2
    assert standing(game_service, host)[1:] == before[1:]
    version = step(game_service, host)
    step(game_service, found["p2"])
    with pytest.raises(Refused, match="somebody else"):
        game_service.undo_own_move(host, version + 1)


# Bots


class Broken:
    def choose(self, question: object, game: Game) -> Pass:
        raise ValueError("no idea")


class Loops:
    def choose(self, question: object, game: Game) -> Pass:
        while True:
            pass


@pytest.mark.parametrize(("bot", "words"), [(Broken(), "no idea"), (Loops(), "it had 0.1 seconds and did not answer")])
def test_a_bot_that_fails_or_overruns_does_not_stop_the_game(database: Database, bot: Bot, words: str) -> None:
    game_service = game_service_on(database, SeatedBots(0.1, make=lambda code, seed: bot))
    host = game_service.create_game(wanted("R", "here", "here", pace=7))
    assert play_bot_turn(game_service, host.game)
    with game_service.holding(host.game) as room:
        assert room.given[0].how == "bot"
        assert words in room.given[0].note


def test_a_bot_that_is_known_no_more_does_not_stop_the_game(game_service: GameService, url: str) -> None:
    host = game_service.create_game(wanted("R", "here", "here"))
    with game_service.database.session() as session:
        session.execute(update(SeatRow).where(SeatRow.seat == "p1").values(bot="GONE:2000"))
    with another(url) as later:
        assert play_bot_turn(later, host.game)
        with later.holding(host.game) as room:
            assert "GONE" in room.given[0].note


def test_undo_while_a_bot_thinks_makes_its_answer_void(database: Database) -> None:
    class Slow:
        def choose(self, question: object, game: Game) -> Action:
            game_service.undo_own_move(host, 1)
            return first_answer(game)

    game_service = game_service_on(database, SeatedBots(make=lambda code, seed: Slow()))
    host = game_service.create_game(wanted("here", "R", "here"))
    assert step(game_service, host) == 1
    assert play_bot_turn(game_service, host.game)
    assert standing(game_service, host)[:2] == (2, 0)
    assert not play_bot_turn(game_service, host.game)


def test_a_seat_given_away_while_its_bot_thinks_is_not_played_by_it(database: Database) -> None:
    class Slow:
        def choose(self, question: object, game: Game) -> Action:
            game_service.assign_seat(host, "p1", "here")
            return first_answer(game)

    game_service = game_service_on(database, SeatedBots(make=lambda code, seed: Slow()))
    host = game_service.create_game(wanted("R", "here", "here"))
    play_bot_turn(game_service, host.game)
    assert standing(game_service, host)[1] == 0


class Counted(SeatedBots):
    """Counts how many bots were made."""

    def __init__(self, bot: Callable[[], Bot] = RandomBot, limit: float = 20.0) -> None:
        self.made: list[str] = []

        def make(code: str, seed: int) -> Bot:
            self.made.append(code)
            return bot()

        super().__init__(limit, make)


def test_a_bot_is_made_once_for_its_seat_and_stays_over_taking_back(database: Database) -> None:
    seated_bots = Counted()
    game_service = game_service_on(database, seated_bots)
    host = game_service.create_game(wanted("here", "R", "R"))
    for _ in range(3):
        play_on(game_service, host, 6, Random(1))
        Proposals(game_service).make(host, standing(game_service, host)[0], 0)
    assert seated_bots.made == ["R", "R"]


def test_a_bot_goes_when_its_seat_is_given_away_and_when_the_game_is_over(database: Database) -> None:
    seated_bots = Counted()
    game_service = game_service_on(database, seated_bots)
    host = game_service.create_game(wanted("R", "here", "here"))
    play_bot_turn(game_service, host.game)
    for who in ("here", "R"):
        game_service.assign_seat(host, "p1", who)
    play_on(game_service, host, 6, Random(1))
    assert seated_bots.made == ["R", "R"]
    solo = game_service.create_game(wanted("R", title="18Mag", variant="solo"))
    while play_bot_turn(game_service, solo.game):
        pass
    assert solo.game not in seated_bots._seated


def test_bots_of_tables_that_are_forgotten_are_forgotten_too(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ostbahn.server.games.rooms.ROOMS", 3)
    seated_bots = Counted()
    game_service = game_service_on(database, seated_bots)
    for _ in range(8):
        play_bot_turn(game_service, game_service.create_game(wanted("R", "here", "here")).game)
    assert len(seated_bots._seated) == 3


def test_a_bot_that_is_too_slow_again_and_again_is_not_asked_for_ever(database: Database) -> None:
    game_service = game_service_on(database, Counted(Loops, 0.05))
    host = game_service.create_game(wanted("R", "R", "R"))
    for _ in range(12):
        play_bot_turn(game_service, host.game)
    with game_service.holding(host.game) as room:
        assert sum("not asked any more" in given.note for given in room.given) == 3


def test_bots_keep_no_threads_while_people_think(database: Database) -> None:
    game_service = game_service_on(database)
    host = game_service.create_game(wanted("here", "R", "R"))
    before = set(enumerate_threads())
    play_on(game_service, host, 7, Random(1))
    while play_bot_turn(game_service, host.game):
        pass
    for thread in set(enumerate_threads()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_bots_that_are_asked_are_found_again_after_a_restart(game_service: GameService, url: str) -> None:
    waiting = game_service.create_game(wanted("R", "here", "here"))
    game_service.create_game(wanted("here", "R", "R"))
    with another(url) as later:
        assert waiting_for_bots(later.database) == [waiting.game]


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
def test_a_table_that_cannot_be_set_up_leaves_nothing_behind(game_service: GameService, wrong: NewTable) -> None:
    with pytest.raises(BadSetup):
        game_service.create_game(wrong)
    with game_service.database.session() as session:
        assert [session.scalar(select(func.count()).select_from(table)) for table in (GameRow, KeyRow, SeatRow)] == [
            0,
            0,
            0,
        ]


def test_players_with_long_names_can_play_without_thinking_of_a_name_for_the_game(game_service: GameService) -> None:
    seats = tuple(NewSeat(letter * 40) for letter in "ABCDEF")
    host = game_service.create_game(NewTable(title="18CZ", seats=seats))
    with game_service.holding(host.game) as room:
        assert 0 < len(room.name) <= 80


@pytest.mark.parametrize("seed", [0, -1, 2**70])
def test_any_seed_survives_a_restart(game_service: GameService, url: str, seed: int) -> None:
    host = game_service.create_game(wanted(seed=seed))
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)


def test_a_game_from_elsewhere_goes_on_here(game_service: GameService, url: str) -> None:
    game = play_random(new_game("18CZ", NAMES[:4], seed=11), Random(11), 230)
    host = game_service.import_game(game, "From a file")
    assert host.seats == ("p1", "p2", "p3", "p4")
    with game_service.holding(host.game) as room:
        assert room.number >= 230  # what is obvious next was answered
        assert apart_from_chance(room.at(230)) == apart_from_chance(game)
        assert room.name == "From a file"
    step(game_service, host)
    assert dump(game) != game_service.save_file(host)[1]
    with another(url) as later:
        assert standing(later, host) == standing(game_service, host)


def test_a_whole_game_is_taken_in_as_it_was(game_service: GameService, url: str, mag_game: Game) -> None:
    host = game_service.import_game(mag_game)
    with another(url) as later:
        assert later.save_file(host)[1] == dump(mag_game)


def test_no_id_looks_like_an_option_of_the_command_line() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert not [each for each in ids if each.startswith("-") or len(each) != 11]
