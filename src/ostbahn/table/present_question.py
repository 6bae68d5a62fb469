"""The question alone, for programs that wait for their turn: a few hundred bytes while others move."""

from __future__ import annotations

from msgspec import Struct

from ostbahn.table.access import Access
from ostbahn.table.room import Room
from ostbahn.views.common import who_view
from ostbahn.views.models import WhoView
from ostbahn.views.question import DividendView, QuestionView, RoutesView, dividend_views, question_view
from ostbahn.views.routes import routes_view


class PresentQuestion(Struct, frozen=True, kw_only=True):
    """Who is to move, and what you are asked if it is you."""

    version: int
    """Changes whenever anything happens in the game. Send it with your answer."""
    number: int
    """How many answers have been given."""
    over: bool
    """Whether the game is over."""
    to_move: WhoView | None
    """Who is asked now; null when the game is over."""
    my_turn: bool
    """Whether you are asked: `question` is there if so, and null otherwise."""
    bot_turn: bool
    """Whether a bot of this server is asked."""
    question: QuestionView | None
    """The question with all answers, exactly as the whole table has it."""
    routes: RoutesView | None
    """The best run, where the question is how to run trains."""
    dividends: tuple[DividendView, ...]
    """What each answer would do, where the question is what to do with income."""


def present_question(room: Room, who: Access) -> PresentQuestion:
    """The question as somebody sees it; only who is asked needs its answers."""
    game, seat = room.game, room.turn
    question = question_view(game) if seat in who.seats else None
    return PresentQuestion(
        version=room.version,
        number=room.number,
        over=game.over,
        to_move=None if seat is None else who_view(game.table, seat),
        my_turn=question is not None,
        bot_turn=seat in room.bots,
        question=question,
        routes=routes_view(game) if question is not None and question.widget == "routes" else None,
        dividends=dividend_views(game) if question is not None else (),
    )
