"""Bots of somebody's own: whatever they do to the game that they are handed, the real one is not changed by it."""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ostbahn.bots.limits import TimeLimitedBot
from ostbahn.bots.playing import Bot, GameChanged, RandomBot, answer, play_out
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.bots.search import GreedyBot
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game, reseeded
from tests.golden.games import golden_game

Deed = Callable[[Any, Any], object]


class Doing:
    """Does something to what it is handed, and answers what was listed first before that."""

    def __init__(self, deed: Deed) -> None:
        self.deed = deed

    def choose(self, question: Question, game: Game) -> Action:
        action = question.options[0].action
        self.deed(question, game)
        return action


class Enriched(GreedyBot):
    """A subclass of a bot that comes with Ostbahn is somebody's own."""

    def choose(self, question: Question, game: Game) -> Action:
        action = question.options[0].action
        enrich(question, game)
        return action


def enrich(question: Any, game: Any) -> None:
    game.state.cash[question.decider] += 1000


def enrich_in_a_branch(question: Any, game: Any) -> None:
    game.branch().state.cash[question.decider] += 1000
    game.position(len(game)).state.cash[question.decider] += 1000


def lay_tiles(question: Any, game: Any) -> None:
    game.state.board.tiles.clear()
    game.state.board.stations["D4.0"] = ("BCB",)


def empty_the_question(question: Any, game: Any) -> None:
    question._options = ()
    game.question.task = None


def enrich_in_the_past(question: Any, game: Any) -> None:
    for number in range(len(game)):
        game.state_at(number).cash[question.decider] += 1000
    game.undo()
    game.state.cash[question.decider] += 1000
    game.redo()


def change_rulings(question: Any, game: Any) -> None:
    game.setup.rulings.clear()


def play_on_and_forget(question: Any, game: Any) -> None:
    game.apply(question.options[0].action)
    game.drop_history()


def fail_afterwards(question: Any, game: Any) -> None:
    enrich(question, game)
    raise ZeroDivisionError


DEEDS = [
    enrich,
    enrich_in_a_branch,
    lay_tiles,
    empty_the_question,
    enrich_in_the_past,
    change_rulings,
    play_on_and_forget,
    fail_afterwards,
]


def begun(answers: int = 30, title: str = "18CZ", variant: str = "base", players: int = 3) -> Game:
    game = new_game(title, ["Anna", "Boris", "Clara"][:players], variant=variant, seed=3)
    bot = RandomBot(2)
    while len(game) < answers or (game.question is not None and game.question.obvious):
        assert game.question is not None
        game.apply(bot.choose(game.question, game))
    return game


def facts(game: Game) -> Any:
    """All of a game that a bot might want to be otherwise."""
    assert game.question is not None
    states = [game.state_at(number).digest for number in range(len(game) + 1)]
    return states, game.records, dict(game.setup.rulings), [option.action for option in game.question.options]


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_real_game_stays_as_it_was(deed: Deed, wrapped: bool) -> None:
    game = begun()
    before = facts(game)
    bot = TimeLimitedBot(Doing(deed)) if wrapped else Doing(deed)
    answered = answer(bot, game)
    assert facts(game) == before
    assert bool(answered.note) == (deed is fail_afterwards)


@pytest.mark.parametrize("cheat", [Doing(enrich), Enriched(), TimeLimitedBot(Enriched())])
def test_a_bot_that_enriches_itself_gains_nothing_by_it(cheat: Bot) -> None:
    """It won every game, and the save could not be read."""
    ends = []
    for bot in (cheat, Doing(lambda question, game: None)):
        game = new_game("18CZ", ["Anna", "Boris", "Clara"], seed=3)
        play_out(game, {"p1": bot, "p2": RandomBot(1), "p3": RandomBot(2)})
        ends.append(game.state.digest)
        assert saves.load(saves.dump(game)).state.digest == game.state.digest
    assert ends[0] == ends[1]


def test_a_game_of_an_earlier_question_leads_nowhere() -> None:
    kept: list[Any] = []

    def enrich_all(question: Any, game: Any) -> None:
        kept.append(game)
        for earlier in kept:
            earlier.state.cash[question.decider] += 1000

    game = begun()
    for _ in range(5):
        before = facts(game)
        action = answer(Doing(enrich_all), game).action
        assert facts(game) == before
        game.apply(action)
    assert len(kept) > 1


def test_a_bot_can_look_back_and_try_things_out() -> None:
    game = begun()
    lengths: list[int] = []

    def look(question: Question, own: Game) -> None:
        assert game.question is not None
        assert (len(own), own.records, own.opening) == (len(game), game.records, game.opening)
        assert own.question is question
        assert question.options == game.question.options
        for option in question.options[:5]:
            tried = own.copy()
            tried.apply(option.action if option.span is None else option.with_price(option.span.low))
            lengths.append(len(tried))
        own.apply(question.options[0].action)
        own.undo()
        assert own.position(10).state.cash == game.position(10).state.cash
        assert own.state.cash == game.state.cash

    assert not answer(Doing(look), game).note
    assert set(lengths) == {len(game) + 1}


# Chance


def seen_in(game: Game) -> Any:
    """All that a bot sees of what may hang on chance."""
    seen: list[Any] = []

    def look(question: Question, own: Game) -> None:
        seen.append((own.setup.seed, [state.digest for state in own.history.states], own.copy().state.digest))

    assert not answer(Doing(look), game).note
    return seen


@pytest.mark.parametrize(("title", "variant", "players"), [("18CZ", "bohemia", 2), ("18Mag", "solo", 1)])
def test_games_that_differ_in_seed_and_chance_alone_look_alike(title: str, variant: str, players: int) -> None:
    game = begun(3, title, variant, players)

    def other(number: int) -> Game:
        states = tuple(msgspec.structs.replace(state, chance=number) for state in game.history.states)
        setup = msgspec.structs.replace(game.setup, seed=number)
        return Game.from_history(game.rulebook, game.history._replace(states=states, setup=setup))

    assert seen_in(other(1)) == seen_in(other(2))


def test_the_seed_of_a_game_cannot_be_read_off_the_seed_of_a_bot(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "class Seeded:\n"
        "    def __init__(self, seed):\n"
        "        self.seed = seed\n"
        "    def choose(self, question, game):\n"
        "        return question.options[0].action\n"
    )
    seeds = [vars(bot_named(f"{file}:Seeded", seed_for(seed, 1)))["seed"] for seed in (7, 7, 8)]
    assert seeds[0] == seeds[1] != seeds[2]
    assert not {(seed - 2) / 16 for seed in seeds} & {7, 8}


# Those who reach for the real game all the same


class Digging:
    """Looks through its callers for the real game."""

    def choose(self, question: Question, game: Game) -> Action:
        frame = sys._getframe(1)
        real: Any = frame.f_locals["game"]
        real.state.cash[question.decider] += 1000
        return question.options[0].action


@pytest.mark.parametrize("bot", [Digging(), TimeLimitedBot(Digging())])
def test_whoever_reaches_the_real_game_is_named_and_no_answer_is_taken(bot: Bot) -> None:
    with pytest.raises(GameChanged, match=r"the bot test_isolation\.py:Digging changed the game"):
        answer(bot, begun())


def disguised(deed: Deed) -> list[Bot]:
    """Bots that pass for ours: by the name of their module, and by another method in one of ours."""
    own = Doing(deed)
    posing = type("GreedyBot", (Doing,), {"__module__": "ostbahn.bots.search"})(deed)
    turned = GreedyBot(seed_for(1, 0))
    turned.choose = own.choose  # type: ignore[method-assign]
    return [posing, turned]


def test_a_bot_that_poses_as_one_of_ours_gets_no_more_than_others() -> None:
    game = new_game("18CZ", ["Anna", "Ben"], variant="bohemia", seed=7)
    seen: list[tuple[Any, int]] = []
    for bot in disguised(lambda _, handed: seen.append((handed.state.chance, handed.setup.seed))):
        answer(bot, game)
    assert len(seen) == 2
    assert game.state.chance not in {chance for chance, _ in seen}  # type: ignore[attr-defined]
    assert 7 not in {seed for _, seed in seen}


def test_draws_that_are_still_to_come_are_not_in_the_set_up_that_a_bot_sees() -> None:
    whole = reseeded(golden_game("18CZ-bohemia-2"), 2**128 + 5)
    seen: list[Any] = []
    game = whole.position(20)
    answer(Doing(lambda _, handed: seen.append(handed.setup.draws)), game)
    assert seen == [game.state.chance.draws[: game.state.chance.used]]  # type: ignore[attr-defined]
    assert len(seen[0]) < len(whole.setup.draws)  # type: ignore[arg-type]


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize("fault", [GeneratorExit(), CancelledError(), BaseException("own"), Wordless()])
def test_whatever_a_bot_raises_its_game_goes_on(fault: BaseException) -> None:
    def fail(*_: object) -> None:
        raise fault

    game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
    answered = answer(Doing(fail), game)
    assert game.refusal(answered.action) is None
    assert answered.note.startswith("the bot failed, and another answer was taken for it: ")


@pytest.mark.parametrize("bot", [GreedyBot, "G", None])
def test_what_is_no_bot_plays_no_game(bot: Any) -> None:
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
    with pytest.raises(BadSetup, match=r"is not a bot: give an object with a method choose\(question, game\)$"):
        play_out(game, dict.fromkeys(game.state.players, bot))
    assert len(game) == 0
