"""18Mag as people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.text.chapters import QuestionsFile
from ostbahn.text.formatting import seat_names
from ostbahn.text.naming import Names
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.reckoning import standings, winners
from ostbahn.titles.mag.state import MagTable, Rounds
from ostbahn.titles.mag.title import read
from ostbahn.titles.mag.words.foresight import foresee
from ostbahn.titles.mag.words.reasons import tries
from ostbahn.titles.mag.words.remarks import mag_table, matter, remark
from ostbahn.titles.mag.words.words import WORDS


@cache
def _questions() -> QuestionsFile:
    return read("questions.toml", QuestionsFile)


class MagFace:
    words = WORDS

    def __init__(self, game: Game) -> None:
        self.table = mag_table(game)

    def names(self) -> Names:
        minors = {minor: self.table.name(minor) for minor in self.table.title.minors}
        return {**seat_names(self.table.players), **minors}

    def remark(self, question: Question, action: Action) -> str:
        return remark(self.table, question, action)

    def matter(self, question: Question) -> str:
        return matter(self.table, question)

    def chapters(self, question: Question) -> tuple[str, ...]:
        title = self.table.title
        return _questions().chapters(question.kind, question, [title.variant, *title.modules])

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        return tries(self.table, question, what)

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        assert isinstance(later, MagTable)
        return foresee(self.table, later, question, action)

    def accounts(self, seat: str) -> set[str]:
        majors = (major for major in self.table.title.companies if director(self.table, major) == seat)
        return {seat, *minors_of(self.table, seat), *majors}

    def standings(self) -> dict[str, int]:
        return standings(self.table)

    def winners(self) -> list[str]:
        return winners(self.table)

    def round_name(self) -> str:
        return self.words.round_name(self.table.state.round)

    def headline(self) -> list[str]:
        state = self.table.state
        parts = [f"{state.phase} phase"]
        course = next((task for task in state.agenda if isinstance(task, Rounds)), None)
        if course is not None and course.round:
            if course.last:
                parts.append(f"the last set, of {course.length} operating rounds")
            elif state.phase_began:
                parts.append("a phase began, so the set ends with this round")
            elif course.length > 1:
                parts.append(f"set of {course.length} operating rounds")
        return parts
