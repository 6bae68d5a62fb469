"""What the tests of the first chapters share: asking a game, and playing on with as little as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Paid


def asked(game: Game) -> Question:
    """The question; the test is wrong if the game is over."""
    question = game.question
    assert question is not None
    return question


def allowed(game: Game, action: Action) -> bool:
    """Whether an action is legal, and the listing of the legal ones says the same."""
    question = asked(game)
    legal = action in question
    if not hasattr(action, "price"):
        assert legal == any(option.action == action for option in question)
    return legal


def rule_against(game: Game, action: Action, by: str | None = None) -> str:
    """The rule that a refusal cites; empty if the action is allowed."""
    refusal = game.refusal(action, by)
    assert refusal is None or refusal.text
    return "" if refusal is None else refusal.rule


def idle(game: Game) -> Action:
    """The least that can be answered: a pass, otherwise the first of what must be."""
    return Pass() if Pass() in asked(game) else asked(game).options[0].action


def walk(game: Game) -> Iterator[Question]:
    """Play to the end with as little as possible; every question is shown before it is answered."""
    while not game.over:
        yield asked(game)
        game.apply(idle(game))


def payments(events: Iterable[Event]) -> list[Paid]:
    return [event for event in events if isinstance(event, Paid)]


def events_of(game: Game) -> list[Event]:
    """Everything that happened, from the opening on."""
    return [*game.opening, *(event for record in game.records for event in record.events)]
