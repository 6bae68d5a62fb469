"""What the commands draw of a title: its table and its board."""

from __future__ import annotations

from typing import Protocol

from rich.console import Console
from rich.text import Text

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_of


class Display(Protocol):
    """A game as it is drawn at the terminal."""

    @property
    def legend(self) -> tuple[str, ...]:
        """What the signs on the board mean."""

    def show_table(self, console: Console) -> None:
        """Players, companies, chart and trains."""

    def board_lines(self, width: int) -> list[Text]: ...


def display_of(game: Game) -> Display:
    return kit_of(game).display(game)
