"""Bots in processes of their own: they answer as they would here, and none of them can hold anybody up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import pytest
from msgspec import structs

from ostbahn.bots import worker_pool
from ostbahn.bots.hints import hint
from ostbahn.bots.limits import MAX_OVERRUNS
from ostbahn.bots.playing import BotAnswer, BotUnavailable, RandomBot, answer
from ostbahn.bots.registry import built_in
from ostbahn.bots.worker_pool import BotWorkerPool, RemoteBot, WorkFailed, default_pool_size
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan
from ostbahn.kits.catalogue import new_game
from ostbahn.planning.plan import board_at
from ostbahn.testing import play_random
from tests.bots.strange_bots import first_state, is_never_ready, process, strange, told, waits_for
from tests.programs import started

GOLDEN = Path(__file__).parents[1] / "golden"
LONG = 60.0
"""Seconds that nobody here waits."""
SHORT = 0.05

Seat = Callable[..., RemoteBot]


@pytest.fixture(scope="module")
def thinkers() -> Iterator[BotWorkerPool]:
    """One process, so that all tests share it."""
    with BotWorkerPool(1) as made:
        yield made


@pytest.fixture
def game() -> Game:
    return new_game("18CZ", ["Anna", "Boris"], variant="moravia", seed=1)


@pytest.fixture
def seat(thinkers: BotWorkerPool) -> Seat:
    def seated(code: str, limit: float = LONG, seed: int = 1, table: str = "table") -> RemoteBot:
        return RemoteBot(thinkers, table, code, seed, limit, strange)

    return seated


def safe(game: Game) -> Action:
    return RandomBot().choose(game.ask(), game)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# The same answers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "variant", "players"),
    [("18CZ", "moravia", 2), ("18Mag", "two_player", 2), ("18Mag", "solo", 1)],
)
def test_a_whole_game_is_answered_as_it_would_be_here(
    thinkers: BotWorkerPool, title: str, variant: str, players: int
) -> None:
    """With a move taken back now and then, which another one follows."""
    game = new_game(title, ["Anna", "Boris"][:players], variant=variant, seed=4)
    table, chance, asked = f"{title} {variant}", Random(4), 0
    for _ in range(100_000):
        if game.over:
            break
        code, seed = chance.choice((("S", 17), ("S", 0), ("G", 3), ("R", 5)))
        answered = answer(RemoteBot(thinkers, table, code, seed, LONG), game)
        assert answered == answer(built_in(code, seed), game)
        game.apply(answered.action)
        asked += 1
        if chance.random() < 0.03:
            for _ in range(min(len(game), chance.randrange(6))):
                game.undo()
            play_random(game, chance, steps=1)
    assert game.over
    assert asked > 100


def test_a_bot_that_goes_back_to_the_beginning_of_a_round_finds_it(thinkers: BotWorkerPool) -> None:
    """S of 18CZ rehearses the rest of the game from the beginning of a Stock Round."""
    whole = saves.read(GOLDEN / "18CZ-base-3.json")
    last = max(
        number
        for number, record in enumerate(whole.records, start=1)
        if any(isinstance(event, RoundBegan) and event.round.startswith("SR") for event in record.events)
    )
    numbers = [number for number in range(last, last + 12) if not whole.position(number).ask().obvious]
    bot, here = RemoteBot(thinkers, "rehearsed", "S", 2, LONG), built_in("S", 2)
    for number in (*numbers, numbers[0], numbers[-1]):
        game = whole.position(number)
        assert answer(bot, game) == answer(here, game)


def test_a_game_that_goes_on_from_a_state_is_answered_from_there(thinkers: BotWorkerPool, game: Game) -> None:
    """As when the rules refuse what was played earlier. R draws by the number of answers."""
    play_random(game, Random(1), steps=30)
    later = Game.from_state(game.rulebook, game.setup, game.state)
    play_random(later, Random(2), steps=5)
    assert thinkers.ask("later", later, told, LONG) == told(later)
    assert answer(RemoteBot(thinkers, "later", "R", 3, LONG), later) == answer(RandomBot(3), later)


def test_hints_are_the_same_too(thinkers: BotWorkerPool, mag_game: Game) -> None:
    game = mag_game.position(200)
    assert thinkers.ask("hint", game, hint, LONG) == hint(game)


# What a process is told


def test_a_game_is_told_as_it_is_whatever_was_taken_back(thinkers: BotWorkerPool, game: Game) -> None:
    chance = Random(7)
    for _ in range(12):
        for _ in range(min(len(game), chance.randrange(7))):
            game.undo()
        play_random(game, chance, steps=chance.randrange(9))
        assert thinkers.ask("back and forth", game, told, LONG) == told(game)


def test_a_board_on_which_chance_goes_on_elsewhere_is_told_as_it_is(thinkers: BotWorkerPool, game: Game) -> None:
    """Its answers lead to another state than they did in the game: no hint was ever given on a planning board."""
    play_random(game, Random(1), steps=12)
    assert thinkers.ask("forked", game, told, LONG) == told(game)
    for number, lots in ((12, 99), (7, 100)):
        board = board_at(game, number, lots)
        assert thinkers.ask("forked", board, told, LONG) == told(board)
        play_random(board, Random(2), steps=4)
        assert thinkers.ask("forked", board, told, LONG) == told(board)
        board.undo()
        assert thinkers.ask("forked", board, told, LONG) == told(board)
    assert thinkers.ask("forked", game, told, LONG) == told(game)


def test_a_process_goes_on_with_the_game_that_it_knows(thinkers: BotWorkerPool, game: Game) -> None:
    """Bots keep what they found out with the very state that they looked at."""
    play_random(game, Random(1), steps=8)
    first = thinkers.ask("kept", game, first_state, LONG)
    thinkers.ask("another", new_game("18CZ", ["Anna", "Boris", "Clara"]), process, LONG)
    play_random(game, Random(1), steps=8)
    assert thinkers.ask("kept", game, first_state, LONG) == first
    for _ in range(4):
        game.undo()
    assert thinkers.ask("kept", game, first_state, LONG) == first


def test_another_name_for_a_player_is_told(thinkers: BotWorkerPool, game: Game) -> None:
    play_random(game, Random(1), steps=4)
    assert thinkers.ask("names", game, told, LONG)[0] == ("Anna", "Boris")
    setup = structs.replace(game.setup, players=("Anna", "Boleslav"))
    renamed = Game.from_history(game.rulebook, game.history._replace(setup=setup))
    assert thinkers.ask("names", renamed, told, LONG) == told(renamed)


def test_games_that_are_not_asked_about_are_forgotten(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "GAMES_KEPT", 2)
    with BotWorkerPool(1) as thinkers:
        for table in ("a", "b", "c", "b", "a"):
            assert thinkers.ask(table, game, told, LONG) == told(game)
        (worker,) = thinkers._workers
        assert [worker.knows(table) for table in "abc"] == [True, True, False]


def test_a_process_that_knows_the_game_is_asked_rather_than_another(game: Game, tmp_path: Path) -> None:
    with BotWorkerPool(2) as thinkers, ThreadPoolExecutor(1) as pool:
        first = pool.submit(thinkers.ask, "first", game, partial(waits_for, str(tmp_path / "go")), LONG)
        until_there(tmp_path / "go.waits")
        second = thinkers.ask("second", game, process, LONG)
        (tmp_path / "go").touch()
        assert first.result() != second
        for _ in range(3):
            assert thinkers.ask("first", game, process, LONG) == first.result()
            assert thinkers.ask("second", game, process, LONG) == second


def until_there(path: Path) -> None:
    while not path.exists():
        Event().wait(0.01)


# Bots that fail


@pytest.mark.parametrize("code", ["counts", "holds_on"])
def test_a_bot_that_thinks_for_ever_is_ended_whatever_it_is_at(
    thinkers: BotWorkerPool, seat: Seat, game: Game, code: str
) -> None:
    before = thinkers.ask("table", game, process, LONG)
    answered = answer(seat(code, SHORT), game)
    assert answered.action == safe(game)
    assert answered.note.endswith("it had 0.05 seconds and did not answer")
    assert not is_there(before)
    assert answer(seat("says_the_last"), game) == BotAnswer(game.ask().options[-1].action)
    assert thinkers.ask("table", game, process, LONG) != before


@pytest.mark.parametrize(("code", "status"), [("dies", -9), ("leaves", 3)])
def test_the_end_of_a_process_is_a_failure_of_the_bot_and_of_none_after_it(
    seat: Seat, game: Game, code: str, status: int
) -> None:
    answered = answer(seat(code), game)
    assert answered.action == safe(game)
    assert answered.note.endswith(f"its process ended before it answered, with status {status}")
    assert not answer(seat("says_the_last"), game).note


def test_a_process_that_ends_while_nobody_asks_it_is_nobody_s_failure(
    thinkers: BotWorkerPool, seat: Seat, game: Game
) -> None:
    pid = thinkers.ask("table", game, process, LONG)
    os.kill(pid, signal.SIGKILL)
    (worker,) = thinkers._workers
    while worker.alive:
        Event().wait(0.01)
    assert answer(seat("says_the_last"), game) == BotAnswer(game.ask().options[-1].action)


@pytest.mark.parametrize("code", ["raises", "exits", "says_a_number", "GONE"])
def test_what_a_bot_does_wrong_is_told_as_it_would_be_here(
    thinkers: BotWorkerPool, seat: Seat, game: Game, code: str
) -> None:
    before = thinkers.ask("table", game, process, LONG)
    try:
        here = answer(strange(code, 1), game).note
    except BadSetup as fault:  # who cannot be made here is not asked at all
        here = str(fault)
    assert here
    assert answer(seat(code), game).note.endswith(here)
    assert thinkers.ask("table", game, process, LONG) == before


def test_where_something_went_wrong_is_told_to_whoever_wants_to_know(seat: Seat, game: Game) -> None:
    with pytest.raises(WorkFailed, match=r"^ZeroDivisionError: by zero$") as caught:
        seat("raises").choose(game.ask(), game)
    assert "in raises" in caught.value.trace


def test_an_answer_that_cannot_travel_is_told(seat: Seat, game: Game) -> None:
    assert "lambda" in answer(seat("says_what_cannot_travel"), game).note
    assert not answer(seat("says_the_last"), game).note


@pytest.mark.parametrize("code", ["counts", "dies"])
def test_a_bot_that_never_answers_is_soon_not_asked_any_more(
    thinkers: BotWorkerPool, seat: Seat, game: Game, code: str
) -> None:
    bot = seat(code, SHORT if code == "counts" else LONG)
    notes = [answer(bot, game).note for _ in range(MAX_OVERRUNS)]
    assert not any("not asked any more" in note for note in notes)
    before = thinkers.ask("table", game, process, LONG)
    notes = [answer(bot, game).note for _ in range(2)]
    assert all("it gave no answer 3 times in a row, and is not asked any more" in note for note in notes)
    assert thinkers.ask("table", game, process, LONG) == before


@pytest.mark.parametrize("code", ["says_the_last", "raises"])
def test_a_word_in_time_makes_up_for_earlier_overruns(seat: Seat, game: Game, code: str) -> None:
    bot, other = seat("counts", SHORT), seat(code)
    for _ in range(2):
        for _ in range(MAX_OVERRUNS - 1):
            assert "did not answer" in answer(bot, game).note
        bot._choose, choose, bot.limit = other._choose, bot._choose, LONG
        assert "did not answer" not in answer(bot, game).note
        bot._choose, bot.limit = choose, SHORT


# Processes


def test_who_waits_for_a_process_loses_no_time_of_their_own(game: Game, tmp_path: Path) -> None:
    limit = 1.0
    with BotWorkerPool(1) as thinkers, ThreadPoolExecutor(2) as pool:
        first = pool.submit(thinkers.ask, "first", game, partial(waits_for, str(tmp_path / "go")), LONG)
        until_there(tmp_path / "go.waits")
        second = pool.submit(thinkers.ask, "second", game, process, limit)
        Event().wait(1.5 * limit)
        assert not second.done()
        (tmp_path / "go").touch()
        assert second.result() == first.result()


def test_a_process_starts_when_it_is_needed(game: Game) -> None:
    with BotWorkerPool(3) as thinkers:
        assert thinkers._workers == []
        thinkers.warm_up()
        thinkers.warm_up()
        (worker,) = thinkers._workers
        for table in "abc":
            thinkers.ask(table, game, process, LONG)
        assert thinkers._workers == [worker]


def test_closing_ends_who_thinks_and_tells_who_waits(game: Game, tmp_path: Path) -> None:
    """No answer is taken for a bot that did nothing wrong."""
    thinkers = BotWorkerPool(1)
    pid = thinkers.ask("first", game, process, LONG)
    with ThreadPoolExecutor(2) as pool:
        thinks = pool.submit(thinkers.ask, "first", game, partial(waits_for, str(tmp_path / "never")), LONG)
        until_there(tmp_path / "never.waits")
        waits = pool.submit(answer, RemoteBot(thinkers, "second", "R", 1, LONG), game)
        thinkers.close()
        for each in (thinks, waits):
            with pytest.raises(BotUnavailable):
                each.result()
    assert not is_there(pid)
    thinkers.close()
    with pytest.raises(BotUnavailable):
        answer(RemoteBot(thinkers, "third", "R", 1, LONG), game)


def test_a_process_that_cannot_be_started_is_not_the_bot_s_fault(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(worker: object, back: int) -> None:
        raise OSError(12, "Cannot allocate memory")

    with BotWorkerPool(1) as thinkers:
        bot = RemoteBot(thinkers, "table", "R", 1, LONG)
        with monkeypatch.context() as patch:
            patch.setattr(worker_pool, "run_worker", is_never_ready)
            with pytest.raises(BotUnavailable, match="it ended with status 7"):
                answer(bot, game)
        with monkeypatch.context() as patch:
            patch.setattr(worker_pool.BotWorker, "__init__", fails)
            with pytest.raises(BotUnavailable, match="Cannot allocate memory"):
                answer(bot, game)
        assert answer(bot, game) == answer(RandomBot(1), game)


def test_a_game_that_stands_otherwise_elsewhere_is_not_answered(
    game: Game, thinkers: BotWorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when another version of Ostbahn was installed while the server runs."""
    with monkeypatch.context() as patch:
        patch.setattr(type(game.state), "digest", "another")
        with pytest.raises(BotUnavailable, match="stands otherwise"):
            thinkers.ask("digest", game, process, LONG)
    assert thinkers.ask("digest", game, told, LONG) == told(game)


def test_there_are_a_few_processes_whatever_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = []
    for cores in (None, 1, 2, 3, 64):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        numbers.append(default_pool_size())
    assert numbers == [2, 2, 2, 3, 4]
    with pytest.raises(BadSetup, match="at least one process"):
        BotWorkerPool(0)


def test_any_time_can_be_waited(thinkers: BotWorkerPool, game: Game) -> None:
    assert thinkers.ask("table", game, process, float("inf"))
    with pytest.raises(BadSetup, match="a bot needs some time to answer"):
        RemoteBot(thinkers, "table", "R", 1, 0)


# Programs that end


THINKING = """\
import sys
from functools import partial
from threading import Thread
from ostbahn.bots.worker_pool import BotWorkerPool
from ostbahn.bots.worker_process import choose_action
from ostbahn.kits.catalogue import new_game
from tests.bots.strange_bots import strange

game = new_game("18CZ", ["Anna", "Boris"], variant="moravia", seed=1)
thinkers = BotWorkerPool(2)
asked = ("table", game, partial(choose_action, strange, sys.argv[1], 1, "table"), float(sys.argv[2]))
Thread(target=thinkers.ask, args=asked, daemon=True).start()
thinkers.warm_up()
input()
"""
"""A program with a bot that says so when it thinks, and never answers."""


def ends(program: subprocess.Popen[str]) -> None:
    """All that the program has started has its output too; so this is at an end when the last of them has ended."""
    assert program.stdout is not None
    assert program.stdout.read() == ""


@pytest.mark.parametrize(
    ("code", "limit"),
    [("tells_and_holds_on", "100000"), pytest.param("tells_and_counts", "0.5", marks=pytest.mark.slow)],
)
def test_processes_end_by_themselves_when_the_program_is_killed(code: str, limit: str) -> None:
    with started([sys.executable, "-c", THINKING, code, limit]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "thinking\n"
        program.kill()
        ends(program)


def test_processes_end_with_the_program() -> None:
    with started([sys.executable, "-c", THINKING, "tells_and_counts", "100000"]) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "thinking\n"
        program.stdin.write("\n")
        program.stdin.flush()
        ends(program)
        assert program.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C cannot be sent to one process")
def test_ctrl_c_does_nothing_to_a_process_also_while_it_loads(game: Game) -> None:
    """A terminal sends it to all processes at once; the one in front decides what comes of it."""
    with BotWorkerPool(1) as thinkers, ThreadPoolExecutor(1) as pool:
        thinkers.warm_up()
        (worker,) = thinkers._workers
        pid = worker._process.pid
        assert pid is not None
        found = pool.submit(thinkers.ask, "table", game, process, LONG)
        while not found.done():
            os.kill(pid, signal.SIGINT)
            Event().wait(0.005)
        assert found.result() == pid
