"""What is being asked, and everything that may be answered."""

from __future__ import annotations

from typing import Any, Final

from msgspec import structs

from ostbahn.interop.saves import encode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.text.faces import Face, face_of
from ostbahn.text.formatting import printable
from ostbahn.text.questions import asks_for, heading
from ostbahn.text.speech import DONE, Speech
from ostbahn.text.verbs import sentence_case
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.offers import offer_views, span_view
from ostbahn.views.question_models import AnswerView, QuestionView
from ostbahn.views.title_views import TitleViews, views_of

PASSING: Final = "pass"
PLACES: Final = ("city", "hex")
"""Fields of an action that name a place on the board."""


def question_view(game: Game, answers: bool = True) -> QuestionView | None:
    """The present question; None when the game is over. Those who only look on need no answers."""
    question = game.question
    if question is None:
        return None
    face, table, views = face_of(game), game.table, views_of(game)
    listed = answer_views(game) if answers else ()
    order = list(dict.fromkeys(views.groups.values()))
    company = question.company
    head, matter = heading(game)
    chapters = face.chapters(question)
    return QuestionView(
        kind=question.kind,
        widget=views.widgets.get(question.kind, "answers"),
        decider=who_view(table, question.decider),
        company=company,
        company_name=table.name(company) if company is not None else "",
        mark=mark_view(table, company) if company is not None else None,
        asks_for=sentence_case(asks_for(game)),
        heading=printable(head),
        matter=printable(matter),
        chapter=chapters[0],
        chapters=chapters,
        obvious=answers and question.obvious,
        groups=tuple(sorted({answer.group for answer in listed}, key=order.index)),
        answers=listed,
        scene=views.scene(question),
        offers=offer_views(views, question) if answers else {},
        auction=views.auction(question),
    )


def answer_views(game: Game) -> tuple[AnswerView, ...]:
    """All options, in the order in which the engine lists them. Who can do nothing but asides is done without them."""
    question = game.question
    if question is None:
        return ()
    face, speech, views = face_of(game), Speech(game), views_of(game)
    listed = tuple(
        _answer(face, speech, views, question, index, option) for index, option in enumerate(question.options)
    )
    main = [answer for answer in listed if not answer.aside]
    if len(listed) > 1 and len(main) == 1 and main[0].kind == PASSING:
        return tuple(structs.replace(each, words=DONE) if each is main[0] else each for each in listed)
    return listed


def _answer(
    face: Face, speech: Speech, views: TitleViews, question: Question, index: int, option: Option
) -> AnswerView:
    action, kind = option.action, tag_of(option.action)
    return AnswerView(
        index=index,
        action=encode_action(action),
        kind=kind,
        words=speech.label(option),
        remark=face.remark(question, action),
        group=views.heading(action) or views.groups[kind],
        span=span_view(option),
        place=_field(action, PLACES),
        subject=_field(action, views.subjects),
        tile=views.tile(question, action),
        pick=views.pick(action) if kind in views.picked else None,
        aside=views.aside(question, action),
        how=views.how(action),
        cost=None if option.span is not None else views.cost(question, action),
    )


def tag_of(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _field(action: Action, names: tuple[str, ...]) -> str | None:
    """The first of several fields that an action has."""
    for name in names:
        if (value := getattr(action, name, None)) is not None:
            return str(value)
    return None


# What the page's own code wants to know, as short as it can be said: there may be hundreds of lays


def answers_data(game: Game, question: QuestionView) -> dict[str, Any]:
    """All answers by their index, and the tiles that can be laid."""
    table = game.table
    answers = [_in_short(answer) for answer in question.answers]
    tiles = dict.fromkeys(answer["tile"] for answer in answers if "tile" in answer)
    return {
        "answers": answers,
        "tiles": {
            tile: {"colour": table.title.tiles[tile].colour, "left": table.state.supply.get(tile)} for tile in tiles
        },
    }


def _in_short(answer: AnswerView) -> dict[str, Any]:
    found: dict[str, Any] = {"index": answer.index, "action": answer.action}
    if answer.place is not None:
        found["place"] = answer.place
    if answer.tile is None:
        found["words"] = answer.words
    else:
        found["tile"] = answer.tile
        found["remark"] = answer.remark
        if answer.cost:
            found["cost"] = answer.cost
    if answer.how:
        found["how"] = answer.how
    return found


def place_names(game: Game) -> dict[str, str]:
    """What hexes are called that have a name."""
    return {hex_.id: hex_.printed.name for hex_ in game.table.title.map if hex_.printed.name}
