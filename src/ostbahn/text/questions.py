"""What is being asked, of whom, and what may be answered, in words."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.steps import Decision
from ostbahn.text.faces import face_of
from ostbahn.text.speech import Speech


class ListedOption(NamedTuple):
    """An option as a list shows it."""

    number: int
    option: Option
    words: str
    remark: str

    def __str__(self) -> str:
        return f"{self.words}  ({self.remark})" if self.remark else self.words


def asked(game: Game) -> Question:
    """The current question; after the end there is none."""
    if game.question is None:
        raise Refused(Refusal("", "the game is over"))
    return game.question


def choices(game: Game) -> list[ListedOption]:
    """All options with their numbers."""
    face, question, speech = face_of(game), asked(game), Speech(game)
    return [
        ListedOption(number, option, speech.describe_option(option), face.remark(question, option.action))
        for number, option in enumerate(question.options, start=1)
    ]


def asks_for(game: Game) -> str:
    """What is being decided, in words."""
    chapter = game.rulebook.chapters[type(asked(game).task)]
    return chapter.asks_for if isinstance(chapter, Decision) else asked(game).kind


def heading(game: Game) -> list[str]:
    """Who is asked what, and what they should know."""
    face, question = face_of(game), asked(game)
    whose = f" for {face.table.name(question.company)}" if question.company else ""
    return [f"{face.table.name(question.decider)}{whose}: {asks_for(game)}", face.matter(question)]
