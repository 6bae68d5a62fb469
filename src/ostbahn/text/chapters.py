"""Which chapters of the rulebook a question is about: what is in a title's `questions.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from ostbahn.kernel.questions import Question
from ostbahn.kits.data import Spec

Chapters = tuple[str, ...]
"""Ids of chapters, the most important first."""


class QuestionsFile(Spec, frozen=True):
    questions: Mapping[str, Chapters]
    """By the kind of question."""
    answers: Mapping[str, Chapters] = {}
    """Further ones where such an answer is offered, by its kind."""
    otherwise: Mapping[str, Chapters] = {}
    """For questions about which neither of these says anything."""
    also: Mapping[str, Mapping[str, Chapters]] = {}
    """What variants and modules add, by their names and the kind of question."""

    def chapters(self, kind: str, question: Question, played: Iterable[str]) -> Chapters:
        """For a kind of question and its answers, in a game of a variant with modules."""
        offered = (chapters for answer, chapters in self.answers.items() if question.offers(answer))
        found = [*self.questions[kind], *chain.from_iterable(offered)] or [*self.otherwise[kind]]
        found += [chapter for name in played for chapter in self.also.get(name, {}).get(kind, ())]
        return tuple(dict.fromkeys(found))
