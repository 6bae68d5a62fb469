"""Questions: what may be answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.questions import Option, Question, Span
from ostbahn.kernel.state import Task
from ostbahn.kernel.steps import Decision, PassStep
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import new_game

TABLE = new_game("18CZ", ("Anna", "Ben", "Cyril")).table


class Offered(PassStep[Table, Task]):
    """A step with the answers that it was given."""

    def __init__(self, options: list[Option]) -> None:
        self.options = options

    def answers(self, table: Table, task: Task) -> Iterator[Option]:
        return iter(self.options)


class CompanyTurnDecision(Decision[Table, Task]):
    def decider(self, table: Table, task: Task) -> str:
        return "p1"


@pytest.mark.parametrize(
    ("options", "obvious"),
    [
        ([Option(Pass())], True),
        ([Option(Pass()), Option(Accept())], False),
        ([Option(Pass(), Span(5, 5))], True),
        ([Option(Pass(), Span(5, 6))], False),
        ([], False),
    ],
)
def test_a_question_is_obvious_with_only_one_thing_to_answer(options: list[Option], obvious: bool) -> None:
    assert Question(Task(), TABLE, CompanyTurnDecision(Offered(options))).obvious is obvious
