"""Games of 18CZ that G has played to their end, each once, and the rehearsals of their Stock Rounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ostbahn.bots.playing import BotAnswer, play_out
from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.opponents.course import GameRollout
from ostbahn.titles.cz.opponents.policy import proposals
from ostbahn.titles.cz.opponents.weights import cz_weights
from tests.titles.cz.asking import idle
from tests.titles.cz.scenes import NAMES, state_of


class Played(NamedTuple):
    """A game to its end, and how many answers had been given when each Stock Round began."""

    game: Game
    stock_rounds: dict[str, int]

    def begun(self, name: str) -> Game:
        return self.game.position(self.stock_rounds[name])

    def within(self, name: str) -> Iterator[Game]:
        """At every question of a Stock Round."""
        number = self.stock_rounds[name]
        while state_of(now := self.game.position(number)).round == name:
            yield now
            number += 1

    @property
    def last(self) -> list[str]:
        return list(self.stock_rounds)[-2:]


@cache
def played(variant: str, players: int) -> Played:
    game = new_game("18CZ", NAMES[:players], variant=variant, seed=1)
    begins: dict[str, int] = {}

    def watch(game: Game, answered: BotAnswer) -> None:
        name = state_of(game).round
        if name.startswith("SR"):
            begins.setdefault(name, len(game))

    play_out(game, dict.fromkeys(game.state.players, GreedyBot()), watch=watch)
    return Played(game, begins)


def as_g(question: Question, game: Game) -> Action:
    """Without the haste of a rehearsal, so that it can be compared with the game that was played."""
    return proposals(question, game, cz_weights())[0].action


def by_idleness(question: Question, game: Game) -> Action:
    """As little as possible: a rehearsal that costs no time."""
    return idle(game)


@cache
def rehearsal_of(variant: str, players: int, name: str) -> GameRollout:
    return GameRollout(played(variant, players).begun(name), as_g)
