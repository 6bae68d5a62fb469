"""The random generators of a game. The seed is the only source of chance, so the same seed gives the same game.

The generator of 18xx.games has 31 bits, so its draws are predictable. Games that record their draws may have a longer
seed; then the generator is a hash chain, which is not.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from msgspec import UNSET, Struct, structs

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.state import RngState, Setup

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

SITE_SEEDS: Final = 2**31
"""The number of seeds of the generator of 18xx.games."""
STRONG: Final = 2**127
"""The lowest state of the hash chain after its first draw."""


class Chance:
    """The generator of a game: the linear congruential one of 18xx.games, or a hash chain."""

    def __init__(self, state: int | RngState) -> None:
        self._recorded = state if isinstance(state, RngState) else None
        self.value = state.value if isinstance(state, RngState) else state % SITE_SEEDS
        """The last draw; it is the whole state of the generator."""

    @classmethod
    def of(cls, setup: Setup) -> Chance:
        """The generator before the first draw of a game."""
        if setup.draws is UNSET:
            return cls(setup.seed)
        value = setup.seed if setup.seed >= SITE_SEEDS else setup.seed % SITE_SEEDS
        return cls(RngState(value, setup.draws))

    @property
    def state(self) -> int | RngState:
        return self.value if self._recorded is None else structs.replace(self._recorded, value=self.value)

    def draw(self) -> int:
        if self.value >= SITE_SEEDS:
            digest = hashlib.sha256(f"ostbahn chance {self.value}".encode()).digest()
            self.value = int.from_bytes(digest[:16], "big") | STRONG
            return int.from_bytes(digest[16:], "big")
        self.value = (1103515245 * self.value + 12345) % SITE_SEEDS
        return self.value

    def pick(self, number: int) -> int:
        """A random index below `number`."""
        return self._result(range(number), 1, lambda: [self.draw() % number])[0]

    def shuffled(self, things: Iterable[T]) -> tuple[T, ...]:
        """The things in random order, by one draw each."""
        listed = tuple(things)
        return self.first(listed, len(listed))

    def first(self, things: Iterable[T], number: int) -> tuple[T, ...]:
        """The first `number` things after a shuffle."""
        listed = tuple(things)
        alike = [listed.index(thing) for thing in listed]  # equal things are interchangeable

        def order() -> list[int]:
            drawn = sorted((self.draw(), place) for place in range(len(listed)))
            return [alike[place] for _, place in drawn][:number]

        return tuple(listed[place] for place in self._result(alike, min(number, len(listed)), order))

    def _result(self, places: Sequence[int], number: int, draw: Callable[[], list[int]]) -> Sequence[int]:
        """Replay the recorded draws of the set-up; after them, draw."""
        recorded = self._recorded
        if recorded is None:
            return draw()
        if recorded.used == len(recorded.draws):
            recorded = structs.replace(recorded, draws=(*recorded.draws, *draw()))
        result = recorded.draws[recorded.used : recorded.used + number]
        if len(result) < number or Counter(result) - Counter(places):
            raise BadSetup(f"draw {recorded.used + 1} of the set-up cannot have been {list(result)}")
        self._recorded = structs.replace(recorded, used=recorded.used + number)
        return result


def with_seed(state: S, seed: int) -> S:
    """The same state with another seed, so that it does not reveal later draws of the game."""
    chance: int | RngState | None = getattr(state, "chance", None)  # some titles draw nothing after the set-up
    if chance is None:
        return state
    if isinstance(chance, RngState):
        return structs.replace(state, chance=RngState(seed, chance.draws[: chance.used], chance.used))
    return structs.replace(state, chance=seed)
