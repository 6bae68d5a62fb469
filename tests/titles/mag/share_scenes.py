"""What the tests of 18Mag's openings, companies and Share Rounds ask of a game, and how they let turns go by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Record
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import DraftMinor, DraftShare
from ostbahn.titles.mag.state import Draft, Rounds, StockRound
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.scenes import NAMES, scene, state_of, table_of

EventT = TypeVar("EventT", bound=Event)

MINORS = tuple(str(number) for number in range(1, 14))
MAJORS = ("RÁBA", "G&C", "SNW", "SIK", "SzKÉV", "LdStEG", "MÁVAG")
"""In the order in which their start prices are dealt."""


def question_of(game: Game) -> Question:
    """The question; the test is wrong if the game is over."""
    question = game.question
    assert question is not None
    return question


def refusal_rule(game: Game, action: Action, by: str | None = None) -> str:
    """The rule on which a refusal rests; a test that gets "allowed" fails with the right word."""
    refusal = game.refusal(action, by)
    return "allowed" if refusal is None else refusal.rule


def is_offered(game: Game, action: Action) -> bool:
    """Whether an action is legal, and the listing of the legal ones says the same."""
    legal = action in question_of(game)
    assert legal == any(option.action == action for option in question_of(game))
    return legal


def minimal_action(game: Game) -> Action:
    """The least that can be answered: a pass, otherwise the first of what must be."""
    return Pass() if Pass() in question_of(game) else question_of(game).options[0].action


def play_until(game: Game, until: Callable[[Question], bool] = lambda question: False) -> None:
    """Play with as little as possible until a question that is waited for, or to the end."""
    while not game.over and not until(question_of(game)):
        game.apply(minimal_action(game))


def answer_all(game: Game, *actions: Action) -> list[Record]:
    return [game.apply(action) for action in actions]


def stock_scene(player: str = "p1", **particulars: Any) -> Game:
    """The second Share Round, in which a player has the turn."""
    game = scene(agenda=[StockRound(player)], **particulars)
    agenda = (Rounds(2, 0, 0), StockRound(player))
    return Game.from_state(
        game.rulebook, game.setup, msgspec.structs.replace(state_of(game), agenda=agenda, round="SR 2")
    )


def all_pass(game: Game) -> None:
    """Everybody passes until the Share Round is over."""
    for _ in state_of(game).order:
        game.apply(Pass())


def new_mag_game(players: int = 3, seed: int = 1, draw_order: bool = False) -> Game:
    return new_game("18Mag", NAMES[:players], seed=seed, draw_order=draw_order)


def draft_of(game: Game) -> Draft | None:
    task = question_of(game).task
    return task if isinstance(task, Draft) else None


def finish_draft(game: Game, wishes: Mapping[str, Iterable[Action]] | None = None) -> None:
    """Finish the first Share Round. Players take what they wish as long as they wish for something.

    After that they take the minor with the lowest number, and shares in the order of the majors.
    """
    left = {player: list(actions) for player, actions in (wishes or {}).items()}
    while draft_of(game) is not None:
        wish = left.get(question_of(game).decider)
        game.apply(wish.pop(0) if wish else question_of(game).options[0].action)


def draft_choices(game: Game) -> tuple[set[str], set[str]]:
    """The minors and the majors that may be taken now."""
    actions = [option.action for option in question_of(game)]
    minors = {action.minor for action in actions if isinstance(action, DraftMinor)}
    return minors, {action.major for action in actions if isinstance(action, DraftShare)}


def price_of(game: Game, major: str) -> int:
    return chart.price(table_of(game), major)


def stack_at(game: Game, price: int) -> tuple[str, ...]:
    """The markers on a space of the chart, from top to bottom."""
    return state_of(game).chart[mag_title().prices.index(price)]


def director_of(game: Game, major: str) -> str | None:
    return money.director(table_of(game), major)


def percent_of(game: Game, who: str, major: str) -> int:
    return money.holding(table_of(game), who, major)


def cards_held(game: Game, who: str, major: str) -> tuple[int, int]:
    """How many director shares and how many 10% shares of a major somebody has."""
    holders = state_of(game).certificates[major]
    return holders[:1].count(who), holders[1:].count(who)


def on_charter(game: Game, major: str) -> int:
    """The 10% shares that can be bought."""
    return cards_held(game, BANK, major)[1]


def cash_of(game: Game, who: str) -> int:
    return state_of(game).cash[who]


def events_of(kind: type[EventT], records: Iterable[Record]) -> list[EventT]:
    return [event for record in records for event in record.events if isinstance(event, kind)]
