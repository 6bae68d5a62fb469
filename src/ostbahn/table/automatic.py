"""Skips questions where the player can only pass, or can do everything else later.

`TitleViews.rare_actions` are nearly always possible and seldom wanted, such as offers for what others own and powers of
private railways. A question with no other answers is skipped if the player loses nothing: each rare action is also
possible at the next question, and none would open an action that is not rare.
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
"""With more rare actions than this to try, the player is asked."""
EQUIVALENT_FIELDS: Final = ("price", "local", "card")
"""Fields in which rare actions may differ and still open the same answers."""


class ObviousAnswer(NamedTuple):
    """The answer to a question that is skipped."""

    action: Action
    why: str
    """An explanation for the log; may be empty."""


def obvious_answer(game: Game) -> ObviousAnswer | None:
    """The only sensible answer; None if there is a decision.

    Running trains is always asked: other routes may earn as much.
    """
    question = game.question
    if question is None:
        return None
    if question.obvious:
        action = question.options[0].action
        return None if getattr(action, "runs", ()) else ObviousAnswer(action, _why(game, question, action))
    views = views_of(game)
    rare_actions = [option for option in question.options if views.is_rare(question, option.action)]
    main = [option.action for option in question.options if not views.is_rare(question, option.action)]
    if len(main) != 1 or not _does_nothing(main[0]) or not rare_actions:
        return None
    if not _all_stay_possible(game, question, main[0], rare_actions) or _open_other_actions(game, views, rare_actions):
        return None
    return ObviousAnswer(main[0], _why(game, question, main[0]))


def _does_nothing(action: Action) -> bool:
    """Whether an action passes, or runs no train."""
    return isinstance(action, Pass) or getattr(action, "runs", None) == ()


def _why(game: Game, question: Question, action: Action) -> str:
    passing = text_renderer_of(game).words.passing.get(question.kind)
    return passing.why if passing is not None and _does_nothing(action) else ""


def _all_stay_possible(game: Game, question: Question, action: Action, rare_actions: list[Option]) -> bool:
    """Whether all rare actions are possible at the next question, too."""
    after = game.branch()
    after.apply(action)
    later = after.question
    if later is None or (later.decider, later.company) != (question.decider, question.company):
        return False
    return all(
        option.action in later
        if option.span is None
        else all(option.with_price(price) in later for price in option.span)
        for option in rare_actions
    )


def _open_other_actions(game: Game, views: TitleViews, rare_actions: list[Option]) -> bool:
    """Whether rare actions, alone or several of a kind, could lead to an answer that is not rare."""
    kind, tried = type(game.state.agenda[-1]), 0
    seen = {_equivalence_key(option.action) for option in rare_actions}
    ahead = [(game, option.action) for option in rare_actions]
    while ahead:
        before, action = ahead.pop()
        tried += 1
        if tried > MOST_TRIED:
            return True
        after = _game_after(before, action)
        question = after.question
        if question is None or type(question.task) is not kind:
            continue
        actions = [option.action for option in question.options if not _does_nothing(option.action)]
        if not all(views.is_rare(question, further) for further in actions):
            return True
        new = {_equivalence_key(further): further for further in actions if _equivalence_key(further) not in seen}
        more = [further for further in actions if type(further) is type(action) and not hasattr(further, "price")]
        seen |= set(new)
        ahead += [(after, further) for further in (*new.values(), *more[:1])]
    return False


def _game_after(game: Game, action: Action) -> Game:
    """The game after a rare action, with all consents given."""
    after = game.branch()
    after.apply(action)
    while after.question is not None and Accept() in after.question:
        after.apply(Accept())
    return after


def _equivalence_key(action: Action) -> Any:
    """Equal for actions that differ only in `EQUIVALENT_FIELDS`."""
    return type(action), *(value for name, value in structs.asdict(action).items() if name not in EQUIVALENT_FIELDS)
