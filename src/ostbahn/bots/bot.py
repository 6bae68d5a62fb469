"""What a bot is: somebody who answers questions.

    class Thrifty:
        def choose(self, question, game):
            return question.options[-1].action

That is a whole bot. The game is its own, to look at and to try things out on; it does not show what chance will bring
(`isolation.py`). A bot that draws lots takes a keyword `seed` when it is made, and draws from that and the game alone,
so that a game can be played again; one that looks ahead takes a keyword `budget`: how many answers it may try before it
gives one. A clock would make its play hang on the machine.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question


@runtime_checkable
class Bot(Protocol):
    """Answers questions, for whichever seat is asked."""

    def choose(self, question: Question, game: Game) -> Action:
        """One of the answers that the question allows."""
