"""What need not be asked: where only passing is possible, and all that could be done beside can be done later.

Some answers are possible nearly always and seldom wanted: offers for other people's things, the powers of private
railways. A title calls them asides (`TitleViews.asides`). They alone make no question, as long as nobody loses anything
by not being asked: what could be done now can be done at the next question, and none of it would open an answer of this
question after all.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from msgspec import structs

from ostbahn.kernel.actions import Accept, Action, Option, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.title_views import TitleViews, views_of

MOST_TRIED: Final = 40
"""Asides that are tried out at most; where there are more, somebody is asked."""
LIKE_EACH_OTHER: Final = ("price", "local", "card")
"""Fields in which asides may differ and still open the same answers: what is bought of whom, and for how much."""


class Settled(NamedTuple):
    """The answer to a question that need not be asked."""

    action: Action
    why: str
    """A word for the log; empty where there was just one answer."""


def settled(game: Game) -> Settled | None:
    """The only answer that makes sense now; None if there is something to decide.

    A run is shown even if one is offered: it may take other ways that earn as much.
    """
    question = game.question
    if question is None:
        return None
    if question.obvious:
        action = question.options[0].action
        return None if getattr(action, "runs", ()) else Settled(action, _why(game, question, action))
    views = views_of(game)
    asides = [option for option in question.options if views.aside(question, option.action)]
    main = [option.action for option in question.options if not views.aside(question, option.action)]
    if len(main) != 1 or not _does_nothing(main[0]) or not asides:
        return None
    if not _keeps(game, question, main[0], asides) or _opens(game, views, asides):
        return None
    return Settled(main[0], _why(game, question, main[0]))


def _does_nothing(action: Action) -> bool:
    """Passing, or a run without trains."""
    return isinstance(action, Pass) or getattr(action, "runs", None) == ()


def _why(game: Game, question: Question, action: Action) -> str:
    passing = text_renderer_of(game).words.passing.get(question.kind)
    return passing.why if passing is not None and _does_nothing(action) else ""


def _keeps(game: Game, question: Question, action: Action, asides: list[Option]) -> bool:
    """Whether everything aside can still be done at the question that comes next."""
    after = game.branch()
    after.apply(action)
    then = after.question
    if then is None or (then.decider, then.company) != (question.decider, question.company):
        return False
    return all(
        option.action in then if option.span is None else all(option.with_price(price) in then for price in option.span)
        for option in asides
    )


def _opens(game: Game, views: TitleViews, asides: list[Option]) -> bool:
    """Whether asides could lead to an answer that there is not now: each, what it opens, and all of a kind together."""
    kind, tried = type(game.state.agenda[-1]), 0
    seen = {_like(option.action) for option in asides}
    ahead = [(game, option.action) for option in asides]
    while ahead:
        before, action = ahead.pop()
        tried += 1
        if tried > MOST_TRIED:
            return True
        after = _with(before, action)
        question = after.question
        if question is None or type(question.task) is not kind:
            continue
        actions = [option.action for option in question.options if not _does_nothing(option.action)]
        if not all(views.aside(question, further) for further in actions):
            return True
        new = {_like(further): further for further in actions if _like(further) not in seen}
        more = [further for further in actions if type(further) is type(action) and not hasattr(further, "price")]
        seen |= set(new)
        ahead += [(after, further) for further in (*new.values(), *more[:1])]
    return False


def _with(game: Game, action: Action) -> Game:
    """The game after an aside, which whoever is asked accepts."""
    after = game.branch()
    after.apply(action)
    while after.question is not None and Accept() in after.question:
        after.apply(Accept())
    return after


def _like(action: Action) -> Any:
    """The same for actions that differ only in what does not matter here."""
    return type(action), *(value for name, value in structs.asdict(action).items() if name not in LIKE_EACH_OTHER)
