"""Trying something out: nothing of it happens in the game, and nothing is learnt of what the game will draw by lot."""

from __future__ import annotations

import msgspec
import pytest

from ostbahn.bots.playing import RandomBot, trial_game
from ostbahn.bots.registry import bot_named
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz import table as cz_table

GAMES = [("18CZ", "base", 3), ("18CZ", "bohemia", 2), ("18Mag", "base", 3), ("18Mag", "solo", 1)]


def begun(title: str, variant: str, players: int) -> Game:
    """A game after a few answers."""
    game = new_game(title, ["A", "B", "C"][:players], variant=variant, seed=5)
    bot = RandomBot(seed=5)
    for _ in range(20):
        assert game.question is not None
        game.apply(bot.choose(game.question, game))
    return game


@pytest.mark.parametrize(("title", "variant", "players"), GAMES)
def test_the_same_is_asked_and_the_game_stays_as_it_is(title: str, variant: str, players: int) -> None:
    game = begun(title, variant, players)
    digest, length = game.state.digest, len(game)
    tried = trial_game(game)
    assert tried.question is not None is not game.question
    assert tried.question.task == game.question.task
    assert [option.action for option in tried.question.options] == [option.action for option in game.question.options]
    tried.apply(tried.question.options[0].action)
    assert (game.state.digest, len(game)) == (digest, length)


@pytest.mark.parametrize(("title", "variant", "players"), GAMES)
def test_games_that_differ_in_their_chance_alone_look_alike(title: str, variant: str, players: int) -> None:
    game = begun(title, variant, players)
    states = [msgspec.structs.replace(game.state, chance=chance) for chance in (1, 2)]
    others = [Game.from_state(game.rulebook, game.setup, state) for state in states]
    assert others[0].state.digest != others[1].state.digest
    assert trial_game(others[0]).state.digest == trial_game(others[1]).state.digest


def test_bots_that_come_with_ostbahn_never_draw_as_the_game_will(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vaclav's companies are drawn while they look ahead, but from a chance of their own."""
    drawn: list[int] = []

    class Watched(Chance):
        def __init__(self, seed: int) -> None:
            drawn.append(seed)
            super().__init__(seed)

    monkeypatch.setattr(cz_table, "Chance", Watched)
    game = new_game("18CZ", ["A", "B"], variant="bohemia", seed=5)
    elsewhere = 0
    while len(game) < 60:
        assert game.question is not None
        real = msgspec.structs.asdict(game.state)["chance"]
        drawn.clear()
        action, *_ = [bot_named(code, 3).choose(game.question, game) for code in ("G", "S", "N")]
        assert real not in drawn
        elsewhere += len(drawn)
        game.apply(action)
    assert elsewhere, "somebody looked as far as that"


def test_a_trial_that_forgets_goes_on_as_before() -> None:
    game, kept = trial_game(begun("18CZ", "base", 3)), trial_game(begun("18CZ", "base", 3))
    for _ in range(10):
        assert game.question is not None is not kept.question
        kept.apply(kept.question.options[0].action)
        game.apply(game.question.options[0].action)
        game.drop_history()
    assert (len(game), len(kept)) == (0, 10)
    assert game.state.digest == kept.state.digest
    with pytest.raises(Refused, match="nothing to take back"):
        game.undo()
