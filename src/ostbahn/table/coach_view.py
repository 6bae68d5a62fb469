"""Values for the templates of the coach's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from ostbahn.kernel.game import Game
from ostbahn.pictures.themes import Theme
from ostbahn.review.coach import Coaching, Exercise, Verdict, choices, exercises
from ostbahn.review.estimated import CATEGORIES
from ostbahn.table.drawing import board_svg, routes_svg
from ostbahn.text.speech import text_renderer_of


def coach_values(game: Game, coaching: Coaching, seats: Sequence[str], seat: str) -> dict[str, Any]:
    """Values for the coach's page about one seat, or about all `seats` that may be shown if `seat` is empty."""
    own = coaching.of([seat] if seat else seats)
    return {
        "seats": seats,
        "seat": seat,
        "own": own,
        "mistakes": {(mistakes.seat, mistakes.category): mistakes for mistakes in own.mistakes},
        "categories": CATEGORIES,
        "exercises": exercises(game, own),
        "name": game.table.name,
        "money": text_renderer_of(game).words.money,
    }


def exercise_at(game: Game, coaching: Coaching, seats: Sequence[str], number: int) -> Exercise | None:
    """The exercise with this number, as listed for any of `seats` or for all together; None if it is not listed."""
    groups = [list(seats), *([seat] for seat in seats)]
    listed = (exercise for group in groups for exercise in exercises(game, coaching.of(group)))
    return next((exercise for exercise in listed if exercise.number == number), None)


def exercise_values(
    game: Game,
    exercise: Exercise,
    theme: Theme,
    verdict: Verdict | None = None,
    chosen: int | None = None,
    answered: bool = False,
) -> dict[str, Any]:
    """Values for the page of an exercise. answered: show the best answer, as after a good attempt."""
    before = game.position(exercise.number - 1)
    listed = choices(game, exercise.number) if exercise.asks == "answer" else []
    board = board_svg(before, theme)
    routes = routes_svg(before, exercise.routes, theme) if answered and exercise.routes else ""
    return {
        "exercise": exercise,
        "verdict": verdict,
        "chosen": chosen,
        "answered": answered or (verdict is not None and verdict.good),
        "name": game.table.name(exercise.seat),
        "money": text_renderer_of(game).words.money,
        "groups": list(dict.fromkeys(choice.group for choice in listed)),
        "choices": listed,
        "board": Markup(board.replace("</svg>", f"{routes}</svg>")),
    }
