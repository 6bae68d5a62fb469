"""18Mag as the commands draw it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ostbahn.kernel.game import Game
from ostbahn.titles.mag.terminal import board, overview
from ostbahn.titles.mag.words.face import mag_table


class MagDisplay:
    legend = board.LEGEND

    def __init__(self, game: Game) -> None:
        self.table = mag_table(game)

    def show_table(self, console: Console) -> None:
        overview.show_table(console, self.table)

    def board_lines(self, width: int) -> list[Text]:
        return board.board_lines(self.table, width)
