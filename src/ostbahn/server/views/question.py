"""What is being asked, and everything that may be answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ostbahn.interop.saves import encode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.pictures.views import table_of_game
from ostbahn.server.views import cz_costs, mag_costs
from ostbahn.server.views.common import by_title, mark_view, who_view
from ostbahn.server.views.kinds import GROUPS, ORDER, PLACES, SUBJECTS, WIDGETS
from ostbahn.server.views.play_models import AnswerView, QuestionView, SpanView
from ostbahn.telling.faces import Face, face_of
from ostbahn.telling.questions import asks_for, heading
from ostbahn.telling.text import printable

Cost = Callable[[Action], int | None]
Heading = Callable[[Action], str | None]
"""Another heading than that of the kind of answer, where a title has one."""


def question_view(game: Game, answers: bool = True) -> QuestionView | None:
    """The present question; None when the game is over. Those who only look on need no answers."""
    question = game.question
    if question is None:
        return None
    face, table = face_of(game), table_of_game(game)
    listed = answer_views(game) if answers else ()
    company = question.company
    head, matter = heading(game)
    return QuestionView(
        kind=question.kind,
        widget=WIDGETS[question.kind],
        decider=who_view(table, question.decider),
        company=company,
        company_name=table.name(company) if company is not None else "",
        mark=mark_view(table, company) if company is not None else None,
        asks_for=asks_for(game),
        heading=printable(head),
        matter=printable(matter),
        chapter=face.chapter(question),
        obvious=answers and question.obvious,
        groups=tuple(sorted({answer.group for answer in listed}, key=ORDER.__getitem__)),
        answers=listed,
    )


def answer_views(game: Game) -> tuple[AnswerView, ...]:
    """All options, in the order in which the engine lists them."""
    question = game.question
    if question is None:
        return ()
    face = face_of(game)
    return by_title(
        game,
        lambda table: _answers(
            face, question, partial(cz_costs.cost, table, question), partial(cz_costs.heading, table)
        ),
        lambda table: _answers(face, question, partial(mag_costs.cost, table, question), lambda action: None),
    )


def _answers(face: Face, question: Question, cost: Cost, heading_of: Heading) -> tuple[AnswerView, ...]:
    return tuple(
        AnswerView(
            index=index,
            action=encode_action(option.action),
            kind=tag_of(option.action),
            words=face.words.describe_option(option),
            remark=face.remark(question, option.action),
            group=heading_of(option.action) or GROUPS[tag_of(option.action)],
            span=_span(option),
            place=_field(option.action, PLACES),
            subject=_field(option.action, SUBJECTS),
            cost=None if option.span is not None else cost(option.action),
        )
        for index, option in enumerate(question.options)
    )


def tag_of(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _span(option: Option) -> SpanView | None:
    return None if option.span is None else SpanView(low=option.span.low, high=option.span.high)


def _field(action: Action, names: tuple[str, ...]) -> str | None:
    """The first of several fields that an action has."""
    for name in names:
        if (value := getattr(action, name, None)) is not None:
            return str(value)
    return None
