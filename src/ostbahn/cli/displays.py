"""What the commands draw of a title: its table and its board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from rich.console import Console
from rich.text import Text

from ostbahn.cli.cz.display import CzDisplay
from ostbahn.cli.mag.display import MagDisplay
from ostbahn.kernel.game import Game


class Display(Protocol):
    """A game as it is drawn at the terminal."""

    @property
    def legend(self) -> tuple[str, ...]:
        """What the signs on the board mean."""

    def show_table(self, console: Console) -> None:
        """Players, companies, chart and trains."""

    def board_lines(self, width: int) -> list[Text]: ...


_DISPLAYS: Final[Mapping[str, Callable[[Game], Display]]] = {"18CZ": CzDisplay, "18Mag": MagDisplay}


def display_of(game: Game) -> Display:
    return _DISPLAYS[game.setup.title](game)
