"""What all companies have ahead of them: trains that are sold and that live in each Operating Round, and money.

Many tables have the same ahead of them: it hangs on the train cards that will have gone and on the phase. So what was
last asked for is kept, and what is foreseen of a company can be kept with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.title import CzTitle

KEPT: Final = 64
"""How many are kept: what a few questions in a row have ahead of them."""
FOR_EVER: Final = 10**6
"""More cards than will ever go."""


class Ahead:
    """Operating Rounds are counted from 0; nothing here changes."""

    def __init__(
        self,
        title: CzTitle,
        weights: CzWeights,
        gone: tuple[int, ...],
        cards_gone: int,
        phase: str,
        scrapped: tuple[str, ...],
    ) -> None:
        self.title, self.weights = title, weights
        self.gone = gone
        """For each Operating Round how many train cards will have gone when it begins."""
        self._phase, self._scrapped = phase, scrapped
        self._cash = cash_by_round(title, weights)
        deaths = deaths_of_faces(title, weights)
        self._ends = {face: max(deaths.get(face, FOR_EVER), cards_gone + 1) for face in title.train_faces}
        self._ends.update(dict.fromkeys(scrapped, 0))
        self._for_sale: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}

    def gone_at(self, number: int) -> int:
        """How many train cards will have gone when an Operating Round begins."""
        return self.gone[max(0, min(number, len(self.gone) - 1))]

    def letter_at(self, number: int) -> str:
        """The letter of the card that will be on top of the stack then."""
        return self.title.stack.card(self.gone_at(number))[0]

    def limit_at(self, number: int, size: str) -> int:
        gone = self.gone_at(number)
        letter = self.title.stack.card(gone - 1)[0] if gone else self.title.stack.letters[0]
        return self.title.phases[max(letter, self._phase)].train_limit.get(size, 0)

    def lives(self, face: str, number: int) -> bool:
        """Whether trains of a face will still run in an Operating Round."""
        return self.gone_at(number) < self._ends[face]

    def for_sale(self, number: int, size: str) -> tuple[tuple[str, int], ...]:
        """Faces of a size that the bank will sell then, with their prices."""
        key = (self.letter_at(number), size)
        found = self._for_sale.get(key)
        if found is None:
            faces = self.title.stack.spec[key[0]].faces.items()
            sizes = self.title.train_faces
            found = tuple(each for each in faces if sizes[each[0]].size == size and each[0] not in self._scrapped)
            self._for_sale[key] = found
        return found

    def cash_after(self, number: int) -> float:
        """What 1 K paid out in an Operating Round becomes until the end."""
        return self._cash[min(number, len(self._cash) - 1)]


ahead_of: Final = lru_cache(maxsize=KEPT)(Ahead)
"""The same, kept for whoever asks again."""


# What hangs on nothing but the title


class Behind(NamedTuple):
    """Rounds that have begun."""

    operating_rounds: int
    stock_rounds: int


@lru_cache(maxsize=KEPT)
def boxes_behind(title: CzTitle, box: int) -> Behind:
    """What of the process track lies behind if a box comes next."""
    behind = title.boxes[:box]
    return Behind(sum(isinstance(each, int) for each in behind), behind.count("SR"))


@lru_cache(maxsize=KEPT)
def usual_pace(title: CzTitle, weights: CzWeights) -> tuple[int, ...]:
    """How many train cards have usually gone when each Operating Round begins."""
    pace = weights.future.pace
    rounds = sum(isinstance(box, int) for box in title.boxes)
    fewer = len(pace) - rounds  # variants have fewer rounds
    return tuple(pace[max(0, min(number + fewer, len(pace) - 1))] for number in range(rounds))


def cash_factor(title: CzTitle, weights: CzWeights, stock_rounds: int) -> float:
    """What 1 K becomes until the end, by the number of Stock Rounds that lie behind."""
    cash = weights.future.cash
    behind = stock_rounds + len(cash) - 1 - title.boxes.count("SR")
    return cash[max(0, min(behind, len(cash) - 1))]


@lru_cache(maxsize=KEPT)
def cash_by_round(title: CzTitle, weights: CzWeights) -> tuple[float, ...]:
    """The same for money that is paid out in each Operating Round."""
    boxes = title.boxes
    rounds = [place for place, box in enumerate(boxes) if isinstance(box, int)]
    return tuple(cash_factor(title, weights, boxes[:place].count("SR")) for place in rounds)


@lru_cache(maxsize=KEPT)
def deaths_of_faces(title: CzTitle, weights: CzWeights) -> Mapping[str, int]:
    """For each face that is ever scrapped how many cards will have gone by then."""
    found: dict[str, int] = {}
    gone = 0
    for letter in title.stack.letters:
        spec = title.stack.spec[letter]
        for face in spec.faces:
            for old in title.train_faces[face].scraps:
                found.setdefault(old, gone + min(weights.future.grace, spec.count or weights.future.grace))
        gone += spec.count or 0
    return found
