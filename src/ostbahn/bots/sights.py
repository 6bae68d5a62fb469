"""What a net sees of a table: numbers about the game, about each company and about each player.

A title says what it looks at; how many companies and players there are does not matter to a net, nor in which order
they come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record

FILE: Final = "net.npz"
"""A net, in the data of its package."""


class Sight(NamedTuple):
    """A table in numbers, all of them about as large as 1."""

    seats: tuple[str, ...]
    companies: tuple[str, ...]
    game: Sequence[float]
    company: Sequence[Sequence[float]]
    """A row for each company."""
    player: Sequence[Sequence[float]]
    """A row for each seat."""
    foreseen: Sequence[float]
    """For each seat what the rules of thumb foresee that it will have, in money: what a net begins with."""
    held: Sequence[Sequence[float]]
    """For each seat what part of each company it holds."""
    directed: Sequence[Sequence[float]]
    """For each seat 1 for the companies that it directs."""


class Payout(NamedTuple):
    """What a company pays to those who hold it, all of them together."""

    company: str
    amount: float
    grown: float
    """What the amount becomes until the end, well invested."""


class Seeing(NamedTuple):
    """How a title is seen by a net."""

    look: Callable[[Any], Sight]
    """What there is to see on a table."""
    wealth: Callable[[Any], dict[str, int]]
    """What everybody is worth now."""
    prices: Callable[[Any], dict[str, int]]
    """What a share of each company costs now, of those that have a price."""
    payouts: Callable[[Question, Record, Any], list[Payout]]
    """What was paid by an answer; the table is the one after it."""
    net: str
    """The package that has the net's file."""
