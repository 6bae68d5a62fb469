"""What people call everybody and everything at one moment of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.state import Task
from ostbahn.kernel.table import Table
from ostbahn.text.formatting import printable

Names = Mapping[str, str]
"""What people call seats, and those companies that have no name to speak of."""

LONGEST_WAY: Final = 4
"""Stops of a route that are all named; of a longer one its ends and how many there are."""


class Journey(Protocol):
    """A train and its way, as answers of every title have them."""

    @property
    def card(self) -> str: ...
    @property
    def path(self) -> tuple[str, ...]: ...


class Naming:
    """Names as they are on one table: of the seats, of places on its board, and of trains by the face they show."""

    def __init__(self, table: Table, names: Names | None = None, begun: bool = False) -> None:
        self.table = table
        self.names = names or {}
        """Where people are called otherwise than on the table."""
        self.begun = begun
        """Whether something has been done already in the step that is asked about."""

    @property
    def task(self) -> Task | None:
        """What is being decided."""
        return self.table.state.agenda[-1] if self.table.state.agenda else None

    @property
    def company(self) -> str | None:
        """For which company."""
        return getattr(self.task, "company", None)

    # Names

    def who(self, account: object) -> str:
        """A seat, a company or the bank."""
        name = str(account)
        return "the bank" if name == BANK else self.names.get(name) or printable(self.table.name(name))

    def money(self, amount: int) -> str:
        return f"{amount} {self.table.title.currency}"

    def place(self, place: object) -> str:
        return self.table.place(str(place))

    def at(self, place: object) -> str:
        """`in Praha`, but `on D22`."""
        return self.table.at(str(place))

    def train(self, card: object) -> str:
        """`3-train`"""
        return self.table.train(str(card))

    def owner(self, card: object) -> str:
        """The company that has a train, as people call it."""
        found = (company for company, held in self.table.state.trains.items() if any(t.card == card for t in held))
        return self.who(next(found, "nobody"))

    # Routes

    def way(self, path: Sequence[str]) -> str:
        """The stops of a route; hexes of plain track go without saying."""
        stops = [self.place(hex_of(place)) for place in path if "." in place]
        if len(stops) > LONGEST_WAY:
            return f"{stops[0]} – … – {stops[-1]} ({len(stops)} stops)"
        return self.table.way(path)

    def ways(self, runs: Iterable[Journey]) -> str:
        """The routes of all trains."""
        return listed([self.way(run.path) for run in runs])


class Fields:
    """The fields of an action or event as people call what they name: `{at.hex}` in a text is the place there."""

    def __init__(self, thing: object, call: Callable[[object], str]) -> None:
        self._thing = thing
        self._call = call

    def __getattr__(self, field: str) -> str:
        return self._call(getattr(self._thing, field))


def listed(words: Sequence[str]) -> str:
    """a, b and c"""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last
