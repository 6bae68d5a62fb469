"""The same for less: an answer that cost money, where another one would have done the same for less, and nothing later
would have been different.

That is proven by playing: the cheaper answer is given instead, and after it all others as they were given. If the
referee accepts every one of them, whoever decided is no poorer in the end and nobody else richer, the money was given
away. So a power that pays for track counts only if it was not needed for anything else until the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import structs

from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, Record
from ostbahn.kernel.state import State
from ostbahn.text.speech import face_of, of_the_answer

SAME: Final = ("certificates", "chart", "board", "supply", "phase", "trains", "revenue", "agenda")
"""What lies on the table but for money; whatever else a title has may differ, if nothing comes of it."""


class Saving(NamedTuple):
    """An answer that does the same for less."""

    saved: int
    price: int
    action: Action


class Cheaper:
    """How one answer could have been given for less."""

    def __init__(self, game: Game, number: int) -> None:
        self.game, self.number = game, number
        self.before, self.record = game.at(number - 1), game.records[number - 1]
        question = self.before.question
        self.payers = {self.record.by} | ({question.company} if question is not None and question.company else set())

    def best(self) -> Saving | None:
        """What would have saved most."""
        return next(self.all(), None)

    def all(self) -> Iterator[Saving]:
        """All that would have saved something, the most first."""
        if self.game.over and self._paid(self.record):
            for each in sorted(self._candidates(), key=lambda each: -each.saved):
                if possible(self.game, {self.number: each.action}):
                    yield each

    def _candidates(self) -> Iterator[Saving]:
        question, after = self.before.question, self.game.at(self.number).state
        assert question is not None
        kind = type(self.record.action)
        for option in question.only(kind):
            same_kind = type(option.action) is kind  # a module may have made a kind of its own from it
            if same_kind and option.span is None and _differ(option.action, self.record.action) == 1:
                later = self.before.branch()
                price = self._paid(later.apply(option.action))
                saved = self._paid(self.record) - price
                if saved > 0 and _alike(later.state, after):
                    yield Saving(saved, price, option.action)

    def _paid(self, record: Record) -> int:
        paid = (event for event in of_the_answer(record.events) if isinstance(event, Paid))
        return sum(event.amount for event in paid if event.source in self.payers and event.target not in self.payers)


def possible(game: Game, instead: Mapping[int, Action]) -> bool:
    """Whether a game could have been the same with other answers at some numbers, without harm to who gave them."""
    first = min(instead)
    other = game.at(first - 1)
    try:
        for number, record in enumerate(game.records[first - 1 :], start=first):
            other.apply(instead.get(number, record.action), record.by)
    except Refused:
        return False
    deciders = {game.records[number - 1].by for number in instead}
    had, has = face_of(game).standings(), face_of(other).standings()
    no_poorer = all(has[who] >= had[who] for who in deciders)
    return other.over and no_poorer and all(has[who] <= had[who] for who in had if who not in deciders)


def _differ(one: Action, two: Action) -> int:
    """In how many things answers of a kind differ."""
    mine, others = structs.astuple(one), structs.astuple(two)
    return sum(first != second for first, second in zip(mine, others, strict=True))


def _alike(one: State, two: State) -> bool:
    return all(getattr(one, name) == getattr(two, name) for name in SAME)
