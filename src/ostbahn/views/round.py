"""Where the game stands: round, phase, what comes next and who has priority."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.pictures.look import full_name
from ostbahn.text.faces import face_of
from ostbahn.views.common import who_view
from ostbahn.views.models import RoundView
from ostbahn.views.setup import module_names
from ostbahn.views.title_views import views_of


def round_view(game: Game) -> RoundView:
    face, table, views = face_of(game), game.table, views_of(game)
    course, turns, setup = views.course(), views.turns(), game.setup
    return RoundView(
        title=setup.title,
        variant=setup.variant,
        name=full_name(table.title),
        modules=setup.modules,
        module_names=module_names(setup.title, setup.variant, setup.modules),
        currency=face.words.currency,
        number=len(game),
        over=game.over,
        round=views.round,
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
        scene=views.scene(game.question),
    )
