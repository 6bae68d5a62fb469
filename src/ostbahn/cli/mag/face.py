"""18Mag as the commands show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

from ostbahn.cli.mag import board, overview
from ostbahn.cli.mag.reasons import tries
from ostbahn.cli.mag.remarks import mag_table, matter, remark
from ostbahn.cli.mag.words import WORDS
from ostbahn.cli.screen import seat_names
from ostbahn.cli.words import Names
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.reckoning import standings, winners

CHAPTERS: Final = {
    "draft": "V",
    "stock_round": "VII.1",
    "lay_track": "VI.3.2",
    "establish_station": "VI.3.4",
    "scrap_trains": "VI.3.5",
    "operate_trains": "VI.3.7",
    "purchase_trains": "VI.3.8",
    "consent": "III.3.2",
    "place_marker": "VI.4.2",
    "pay_out": "VI.4.3",
    "solo_draft": "XI.1",
    "istvan_promotes": "XI.2.1",
}
"""For each question the chapter of the rulebook that a lone `?` points to."""


class MagFace:
    words = WORDS
    legend = board.LEGEND

    def __init__(self, game: Game) -> None:
        self.table = mag_table(game)

    def names(self) -> Names:
        minors = {minor: self.table.name(minor) for minor in self.table.title.minors}
        return {**seat_names(self.table.players), **minors}

    def remark(self, question: Question, action: Action) -> str:
        return remark(self.table, question, action)

    def matter(self, question: Question) -> str:
        return matter(self.table, question)

    def chapter(self, question: Question) -> str:
        return CHAPTERS[question.kind]

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        return tries(self.table, question, what)

    def standings(self) -> dict[str, int]:
        return standings(self.table)

    def winners(self) -> list[str]:
        return winners(self.table)

    def round_name(self) -> str:
        return self.words.round_name(self.table.state.round)

    def headline(self) -> list[str]:
        return overview.headline(self.table)

    def show_table(self, console: Console) -> None:
        overview.show_table(console, self.table)

    def board_lines(self, width: int) -> list[Text]:
        return board.board_lines(self.table, width)
