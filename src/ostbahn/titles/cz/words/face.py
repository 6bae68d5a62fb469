"""18CZ as people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.text.chapters import QuestionsFile
from ostbahn.text.formatting import seat_names
from ostbahn.text.naming import Names
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.reckoning import standings, winners
from ostbahn.titles.cz.state import Consent, CzTable
from ostbahn.titles.cz.title import read
from ostbahn.titles.cz.words.foresight import foresee
from ostbahn.titles.cz.words.reasons import tries
from ostbahn.titles.cz.words.remarks import cz_table, matter, remark
from ostbahn.titles.cz.words.words import WORDS

VACLAV: Final = "vaclav"
"""Under which name `questions.toml` says what is added for his companies."""


@cache
def _questions() -> QuestionsFile:
    return read("questions.toml", QuestionsFile)


class CzFace:
    words = WORDS

    def __init__(self, game: Game) -> None:
        self.table = cz_table(game)

    def names(self) -> Names:
        return seat_names(self.table.players)

    def remark(self, question: Question, action: Action) -> str:
        return remark(self.table, question, action)

    def matter(self, question: Question) -> str:
        return matter(self.table, question)

    def chapters(self, question: Question) -> tuple[str, ...]:
        task = question.task
        what = task.offer if isinstance(task, Consent) else task
        his = question.company is not None and is_his(self.table, question.company)
        played = [self.table.title.variant, *([VACLAV] if his else ())]
        return _questions().chapters(str(what.__struct_config__.tag), question, played)

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        return tries(self.table, question, what)

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        assert isinstance(later, CzTable)
        return foresee(self.table, later, question, action)

    def accounts(self, seat: str) -> set[str]:
        return {seat, *(company for company in self.table.state.certificates if director(self.table, company) == seat)}

    def standings(self) -> dict[str, int]:
        return standings(self.table)

    def winners(self) -> list[str]:
        return winners(self.table)

    def round_name(self) -> str:
        return self.words.round_name(self.table.state.round)

    def headline(self) -> list[str]:
        state = self.table.state
        parts = [f"phase {state.phase} ({self.table.title.phases[state.phase].colour} tiles)"]
        if state.local_price:
            parts.append(f"Local Railways at {state.local_price} K")
        return parts
