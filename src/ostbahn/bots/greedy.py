"""`G`: answers by rules of thumb, without looking ahead."""

from __future__ import annotations

from ostbahn.bots.policies import player_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question


class GreedyBot:
    """Takes what its rules of thumb think best. It draws no lots; a seed gives it a character of its own."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        return player_of(game.setup.title, self.seed).proposals(question, game)[0].action
