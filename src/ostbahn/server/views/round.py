"""Where the game stands: round, phase, what comes next and who has priority."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.pictures.views import name_of, table_of_game
from ostbahn.server.views.common import by_title, who_view
from ostbahn.server.views.cz_round import cz_course
from ostbahn.server.views.mag_round import mag_course
from ostbahn.server.views.models import RoundView
from ostbahn.server.views.turns import turns_of
from ostbahn.telling.faces import face_of


def round_view(game: Game) -> RoundView:
    face, table = face_of(game), table_of_game(game)
    course = by_title(game, cz_course, mag_course)
    turns = turns_of(table)
    return RoundView(
        title=game.setup.title,
        variant=game.setup.variant,
        name=name_of(table.title),
        currency=face.words.currency,
        number=len(game),
        over=game.over,
        round=table.state.round,
        round_name=face.round_name(),
        phase=table.state.phase,
        phase_name=course.phase_name,
        phase_colour=course.phase_colour,
        headline=tuple(face.headline()),
        boxes=course.boxes,
        next="the game is over" if game.over else course.next,
        priority=None if game.over else who_view(table, course.priority),
        priority_words=course.priority_words,
        waiting=turns.waiting,
        in_turn=turns.in_turn,
    )
