"""What the commands ask of a title: its words, what to add to an answer, and what lies on the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

from rich.console import Console
from rich.text import Text

from ostbahn.cli.cz.face import CzFace
from ostbahn.cli.mag.face import MagFace
from ostbahn.cli.words import Names, Words
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table


class Face(Protocol):
    """A game as its title shows it to people."""

    @property
    def words(self) -> Words: ...
    @property
    def table(self) -> Table: ...
    @property
    def legend(self) -> tuple[str, ...]:
        """What the signs on the board mean."""

    def names(self) -> Names:
        """What people call the seats, and companies that need more than their letters."""

    def remark(self, question: Question, action: Action) -> str:
        """What to add to an answer in a list; empty where its words say all."""

    def matter(self, question: Question) -> str:
        """What a question is about, where its kind does not say it."""

    def chapter(self, question: Question) -> str:
        """The chapter of the rulebook that the question belongs to."""

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """All that somebody can mean who names a hex or a company at this question."""

    def standings(self) -> dict[str, int]:
        """What everybody is worth, the richest first."""

    def winners(self) -> list[str]: ...

    def round_name(self) -> str: ...

    def headline(self) -> list[str]:
        """The phase, and what else tells the moment of the game."""

    def show_table(self, console: Console) -> None:
        """Players, companies, chart and trains."""

    def board_lines(self, width: int) -> list[Text]: ...


_FACES: Final[Mapping[str, Callable[[Game], Face]]] = {"18CZ": CzFace, "18Mag": MagFace}


def face_of(game: Game) -> Face:
    return _FACES[game.setup.title](game)
