"""A bot that overruns never stops a game: it is stopped or left behind, and the log is told."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread, enumerate, get_ident

import pytest

from ostbahn.bots.limits import MAX_OVERRUNS, BotThread, TimeLimitedBot
from ostbahn.bots.playing import BotAnswer, RandomBot, answer, play_out
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from tests.programs import started

LONG = 60.0
"""Seconds that nobody here waits."""
SHORT = 0.05


class Counting:
    """A bot that counts how often it is asked, and then does as the test says."""

    def __init__(self, choose: Callable[[Question, Game], Action]) -> None:
        self.asked = 0
        self._choose = choose

    def choose(self, question: Question, game: Game) -> Action:
        self.asked += 1
        return self._choose(question, game)


def loops(question: Question, game: Game) -> Action:
    while True:
        pass


def goes_on_whatever_happens(question: Question, game: Game) -> Action:
    while True:
        try:
            game.copy().apply(question.options[0].action)
        except Exception:
            continue


@pytest.fixture
def game() -> Game:
    return new_game("18CZ", ["Anna", "Boris"], variant="moravia", seed=1)


def safe(game: Game) -> Action:
    assert game.question is not None
    return RandomBot().choose(game.question, game)


def thinkers() -> set[Thread]:
    return {thread for thread in enumerate() if isinstance(thread, BotThread)}


def test_an_answer_in_time_is_the_bot_s_own(game: Game) -> None:
    assert game.question is not None
    last = game.question.options[-1].action
    assert answer(TimeLimitedBot(Counting(lambda question, game: last), LONG), game) == BotAnswer(last, "")


def test_what_a_bot_raises_is_told_as_without_a_limit(game: Game) -> None:
    def divides(question: Question, game: Game) -> Action:
        raise ZeroDivisionError("by zero")

    def leaves(question: Question, game: Game) -> Action:
        raise SystemExit(1)

    for choose, words in ((divides, "ZeroDivisionError: by zero"), (leaves, "SystemExit: 1")):
        bot = Counting(choose)
        assert answer(TimeLimitedBot(bot, LONG), game) == answer(bot, game)
        assert words in answer(bot, game).note


@pytest.mark.parametrize("choose", [loops, goes_on_whatever_happens])
def test_a_bot_that_thinks_for_ever_is_stopped(game: Game, choose: Callable[[Question, Game], Action]) -> None:
    before = thinkers()
    answered = answer(TimeLimitedBot(Counting(choose), SHORT), game)
    assert answered.action == safe(game)
    assert "it had 0.05 seconds and did not answer" in answered.note
    assert thinkers() <= before, "it would take its share of the machine from everybody else"


def test_this_works_in_any_thread(game: Game) -> None:
    """The server asks bots in threads, where no signal arrives."""

    def asks() -> tuple[int, BotAnswer]:
        return get_ident(), answer(TimeLimitedBot(Counting(loops), SHORT), game)

    with ThreadPoolExecutor(1) as pool:
        thread, answered = pool.submit(asks).result()
    assert thread != get_ident()
    assert "did not answer" in answered.note


def test_a_bot_that_cannot_be_stopped_is_left_behind_and_asked_again_when_it_is_done(game: Game) -> None:
    wake = Event()

    def sleeps(question: Question, game: Game) -> Action:
        wake.wait()
        return safe(game)

    before = thinkers()
    bot = Counting(sleeps)
    limited = TimeLimitedBot(bot, SHORT)
    assert "did not answer" in answer(limited, game).note
    assert "it still thinks about an earlier question" in answer(limited, game).note
    assert bot.asked == 1, "nobody may be asked two things at once"
    wake.set()
    for thread in thinkers() - before:
        thread.join()
    limited.limit = LONG
    assert answer(limited, game) == BotAnswer(safe(game), "")


def test_a_bot_that_nobody_has_any_more_leaves_no_thread_behind(game: Game) -> None:
    """A contest has thousands of them in one process."""
    before = thinkers()
    bot = TimeLimitedBot(RandomBot(), LONG)
    assert answer(bot, game) == answer(bot, game)
    (thinker,) = thinkers() - before
    del bot
    thinker.join()


def test_a_bot_that_always_overruns_is_soon_not_asked_any_more(game: Game) -> None:
    bot = Counting(loops)
    limited = TimeLimitedBot(bot, 0.01)
    notes = [answer(limited, game).note for _ in range(MAX_OVERRUNS + 2)]
    assert bot.asked == MAX_OVERRUNS
    assert all("did not answer" in note for note in notes[:MAX_OVERRUNS])
    assert all("is not asked any more" in note for note in notes[MAX_OVERRUNS:])


def test_an_answer_in_time_makes_up_for_earlier_overruns(game: Game) -> None:
    bot = Counting(lambda question, game: loops(question, game) if bot.asked % MAX_OVERRUNS else safe(game))
    limited = TimeLimitedBot(bot)
    late = []
    for number in range(1, 2 * MAX_OVERRUNS + 1):
        limited.limit = SHORT if number % MAX_OVERRUNS else LONG
        late.append(bool(answer(limited, game).note))
    assert late == [True, True, False] * 2


def test_a_game_with_a_bot_that_loops_ends() -> None:
    game = new_game("18Mag", ["Anna", "Boris"], variant="two_player", seed=1)
    notes: dict[str, list[str]] = {"p1": [], "p2": []}
    play_out(
        game,
        {"p1": TimeLimitedBot(Counting(loops), 0.01), "p2": TimeLimitedBot(RandomBot(1), LONG)},
        watch=lambda game, answered: notes[game.records[-1].by].append(answered.note),
    )
    assert game.over
    assert sum("did not answer" in note for note in notes["p1"]) == MAX_OVERRUNS
    assert not any(notes["p2"])


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_a_limit_is_more_than_nothing(limit: float) -> None:
    with pytest.raises(BadSetup, match="a bot needs some time to answer"):
        TimeLimitedBot(RandomBot(), limit)


def test_no_limit_is_too_long_to_wait(game: Game) -> None:
    assert not answer(TimeLimitedBot(RandomBot(), float("inf")), game).note


LOOPING = """\
from ostbahn.bots.limits import TimeLimitedBot
from ostbahn.kits.catalogue import new_game

class Loops:
    def choose(self, question, game):
        print("thinking", flush=True)
        while True:
            try:
                pass
            except BaseException:
                pass

game = new_game("18CZ", ["Anna", "Boris"], variant="moravia", seed=1)
TimeLimitedBot(Loops(), 60).choose(game.question, game)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C cannot be sent to one process")
def test_ctrl_c_ends_a_program_while_a_bot_thinks() -> None:
    with started([sys.executable, "-c", LOOPING]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "thinking\n"
        program.send_signal(signal.SIGINT)
        _, complaint = program.communicate()
    assert "KeyboardInterrupt" in complaint
