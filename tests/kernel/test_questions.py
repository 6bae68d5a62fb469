"""Questions: what may be answered."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.agenda import Task
from ostbahn.kernel.questions import Option, Question, Span


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
    question = Question(Task(), "p1", None, lambda: iter(options), lambda action: None)
    assert question.obvious is obvious
