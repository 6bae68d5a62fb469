"""What the coach's page shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.pictures.themes import Theme
from ostbahn.review.coach import Coaching, Costly, Exercise, Mistakes, Verdict, choices, exercises
from ostbahn.review.estimated import CATEGORIES
from ostbahn.review.proven import Finding
from ostbahn.table.drawing import board_svg, routes_svg
from ostbahn.text.formatting import sentence_case
from ostbahn.text.speech import face_of
from ostbahn.views.title_views import views_of


class ProvenView(Struct, frozen=True):
    number: int
    round: str
    name: str
    company: str
    lost: str
    words: str


class EstimatedView(Struct, frozen=True):
    number: int
    round: str
    name: str
    category: str
    lost: str
    interval: str
    played: str
    best: str


class ErrorsView(Struct, frozen=True):
    """What decisions of each category cost somebody on average."""

    name: str
    cells: tuple[str, ...]
    decisions: tuple[int, ...]


class ExerciseView(Struct, frozen=True):
    number: int
    round: str
    name: str
    task: str
    proven: bool


class CoachView(Struct, frozen=True):
    seats: tuple[tuple[str, str], ...]
    """Those that can be chosen, with their names."""
    seat: str
    proven: tuple[ProvenView, ...]
    lost: str
    """By all that is proven."""
    estimated: tuple[EstimatedView, ...]
    categories: tuple[str, ...]
    errors: tuple[ErrorsView, ...]
    judged: bool
    """Whether anything could be estimated."""
    exercises: tuple[ExerciseView, ...]


def coach_view(game: Game, coaching: Coaching, seats: Sequence[str], seat: str) -> CoachView:
    """seats: whose decisions may be shown; seat: whose are wanted, or nothing for all of them."""
    own = coaching.of([seat] if seat else seats)
    name, money = game.table.name, face_of(game).words.money
    wanted = [each for each in seats if not seat or each == seat]
    return CoachView(
        seats=tuple((each, name(each)) for each in seats),
        seat=seat,
        proven=tuple(_proven(each, name, money) for each in own.proven),
        lost=money(sum(each.lost for each in own.proven)),
        estimated=tuple(_estimated(each, name, money) for each in own.estimated),
        categories=CATEGORIES,
        errors=tuple(_errors(name(each), each, own.mistakes, money) for each in wanted) if own.mistakes else (),
        judged=bool(coaching.judged),
        exercises=tuple(_exercise(each, name) for each in exercises(game, own)),
    )


def exercise_at(game: Game, coaching: Coaching, seats: Sequence[str], number: int) -> Exercise | None:
    """An exercise of somebody whose decisions may be shown; those of each seat and of all of them count."""
    groups = [list(seats), *([seat] for seat in seats)]
    found = (each for group in groups for each in exercises(game, coaching.of(group)))
    return next((each for each in found if each.number == number), None)


def exercise_values(
    game: Game,
    exercise: Exercise,
    theme: Theme,
    verdict: Verdict | None = None,
    chosen: int | None = None,
    answered: bool = False,
) -> dict[str, Any]:
    """What the page of an exercise shows. answered: with the best answer, which an attempt that was good shows too."""
    before = game.at(exercise.number - 1)
    listed = choices(game, exercise.number) if exercise.asks == "answer" else []
    board = board_svg(before, theme)
    drawn = routes_svg(before, exercise.routes, theme) if answered and exercise.routes else ""
    return {
        "exercise": exercise,
        "verdict": verdict,
        "chosen": chosen,
        "answered": answered or (verdict is not None and verdict.good),
        "name": game.table.name(exercise.seat),
        "money": face_of(game).words.money,
        "groups": list(dict.fromkeys(choice.group for choice in listed)),
        "choices": listed,
        "board": Markup(board.replace("</svg>", f"{drawn}</svg>")),
        "phase": views_of(before).round,
    }


Named = Callable[[str], str]
Money = Callable[[int], str]


def _proven(found: Finding, name: Named, money: Money) -> ProvenView:
    company = name(found.company) if found.company else ""
    words = sentence_case(found.words)
    return ProvenView(found.number, found.round, name(found.seat), company, money(found.lost), words)


def _estimated(found: Costly, name: Named, money: Money) -> EstimatedView:
    interval = f"{found.low} to {money(found.high)}"
    return EstimatedView(
        found.number,
        found.round,
        name(found.seat),
        found.category,
        money(found.lost),
        interval,
        sentence_case(found.played),
        sentence_case(found.best),
    )


def _errors(name: str, seat: str, mistakes: Sequence[Mistakes], money: Money) -> ErrorsView:
    own = {each.category: each for each in mistakes if each.seat == seat}
    cells = tuple(money(own[each].each) if each in own else "–" for each in CATEGORIES)
    return ErrorsView(name, cells, tuple(own[each].decisions if each in own else 0 for each in CATEGORIES))


def _exercise(found: Exercise, name: Named) -> ExerciseView:
    return ExerciseView(found.number, found.round, name(found.seat), found.task, found.proven)
