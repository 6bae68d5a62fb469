"""What a title tells people of a game: its words, what to add to an answer, and how everybody stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_of
from ostbahn.text.naming import Names
from ostbahn.text.words import Words


class Face(Protocol):
    """A game as its title tells it to people."""

    @property
    def words(self) -> Words: ...
    @property
    def table(self) -> Table: ...

    def names(self) -> Names:
        """What people call the seats, and companies that need more than their letters."""

    def remark(self, question: Question, action: Action) -> str:
        """What to add to an answer in a list; empty where its words say all."""

    def matter(self, question: Question) -> str:
        """What a question is about, where its kind does not say it."""

    def chapters(self, question: Question) -> tuple[str, ...]:
        """The chapters of the rulebook that the question is about, the most important first."""

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """All that somebody can mean who names a hex or a company at this question."""

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        """What else somebody wants to know before they give an answer, beside what happens then.

        later: the table after it; of that, nobody may be told what lies beyond the next turn or a lot.
        """

    def accounts(self, seat: str) -> set[str]:
        """Whose money somebody decides about: his own, and that of his companies."""

    def standings(self) -> dict[str, int]:
        """What everybody is worth, the richest first."""

    def winners(self) -> list[str]: ...

    def round_name(self) -> str: ...

    def headline(self) -> list[str]:
        """The phase, and what else tells the moment of the game."""


def face_of(game: Game) -> Face:
    return kit_of(game).face(game)
