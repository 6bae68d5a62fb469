"""What tests ask of a game of 18CZ, and how they let uninteresting turns go by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.records import Event
from ostbahn.titles.cz.state import StockRound
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import asked as asked
from tests.titles.cz.scenes import state_of, table_of

EventT = TypeVar("EventT", bound=Event)


def refused_by(game: Game, action: Action, by: str | None = None) -> str:
    """The rule on which a refusal rests; a test that gets "allowed" fails with the right word."""
    refusal = game.refusal(action, by)
    return "allowed" if refusal is None else refusal.rule


def price_of(game: Game, company: str) -> int:
    return chart.price(table_of(game), company)


def stack_at(game: Game, price: int) -> tuple[str, ...]:
    """The markers on a space of the chart, from top to bottom."""
    return state_of(game).chart[cz_title().prices.index(price)]


def director_of(game: Game, company: str) -> str | None:
    return director(table_of(game), company)


def percent_of(game: Game, owner: str, company: str) -> int:
    return holding(table_of(game), owner, company)


def cash_of(game: Game, who: str) -> int:
    return state_of(game).cash[who]


def in_stock_round(game: Game) -> bool:
    return game.question is not None and isinstance(game.question.task, StockRound)


def all_pass(game: Game) -> None:
    """Everybody passes until the Stock Round is over."""
    task = asked(game).task
    assert isinstance(task, StockRound)
    agenda = len(state_of(game).agenda)
    for _ in range(2 * len(state_of(game).order)):
        if in_stock_round(game) and len(state_of(game).agenda) == agenda:
            game.apply(Pass())


def answer_all(game: Game, *actions: Action) -> None:
    for action in actions:
        game.apply(action)


def events_of(kind: type[EventT], events: Sequence[Event]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]
