"""Trade with others: what to offer them, and when to leave them alone.

An offer is made at the lowest price that looks good for the other side too. Whoever declines is not asked again in this
round: haggling by single coins may be legal, but nobody wants to sit at a table with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import structs

from ostbahn.bots.ideas import Idea
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import OfferDeclined, RoundBegan

STEPS: Final = 6
"""Prices that are thought of, beside the lowest."""


def offers(option: Option, partner: str, currency: str) -> Iterator[Idea]:
    """Offers for one thing, from the lowest price to the highest."""
    span = option.span
    assert span is not None
    for price in sorted({span.low + (span.high - span.low) * step // STEPS for step in range(STEPS + 1)}):
        yield Idea(option.at(price), plan=f"offer {price} {currency}", partner=partner)


def agreeable(ideas: Sequence[Idea], agrees: Callable[[Idea], bool]) -> list[Idea]:
    """All ideas that need nobody; and of the offers for each thing the cheapest that the other side agrees to.

    Who agrees to a price is taken to agree to all higher ones.
    """
    things: dict[Action, list[Idea]] = {}
    for idea in ideas:
        if idea.partner is not None:
            things.setdefault(structs.replace(idea.action, price=0), []).append(idea)
    cheapest = [_cheapest(asked, agrees) for asked in things.values()]
    return [idea for idea in ideas if idea.partner is None or idea in cheapest]


def _cheapest(asked: Sequence[Idea], agrees: Callable[[Idea], bool]) -> Idea | None:
    if not agrees(asked[-1]):
        return None
    low, high = 0, len(asked) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if agrees(asked[middle]) else (middle + 1, high)
    return asked[high]


def left_alone(game: Game) -> set[str]:
    """Players who have declined an offer in this round."""
    found: set[str] = set()
    for record in reversed(game.records):
        if any(isinstance(event, RoundBegan) for event in record.events):
            break
        found.update(event.player for event in record.events if isinstance(event, OfferDeclined))
    return found
