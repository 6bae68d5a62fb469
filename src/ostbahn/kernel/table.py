"""The table: a title, the state that the rules change, and the events they note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import at_place, hex_of, place_name
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.records import Event
from ostbahn.kernel.state import State, Task, Train
from ostbahn.kernel.title import Title

NOTHING_COUNTED: Final[dict[str, int]] = {}


@native(allow_interpreted_subclasses=True)
class Table:
    """Rules read the state through a table and change it there; a table belongs to one action at a time."""

    title: Title
    state: State

    def __init__(self, title: Title, state: State, rulings: Lookup[str, str], players: tuple[str, ...]) -> None:
        self.title = title
        self.state = state
        self.rulings = rulings
        self.players = players
        """Player names of the seats p1, p2, …"""
        self.events: list[Event] = []
        self.counted: Lookup[str, tuple[str, ...]] | None = None
        """The certificates for which `counts` holds: a cache, since one question counts many times."""
        self.counts: dict[str, int] = NOTHING_COUNTED

    def note(self, event: Event) -> None:
        self.events.append(event)

    def refuse(self, rule: str, text: str) -> Refusal:
        """A refusal that cites a rule of this title."""
        return Refusal(f"{self.title.name} {rule}", text)

    def name(self, who: str | None) -> str:
        """A player's name for people; companies are called by their letters."""
        if who is None:
            return "nobody"
        return self.players[self.state.players.index(who)] if who in self.state.players else who

    def place(self, place: str) -> str:
        """The display name of a hex or city."""
        return place_name(self.title, place, self.state.board)

    def at(self, place: str) -> str:
        """`in Praha`, but `on D22`."""
        return at_place(self.title, place, self.state.board)

    def route_name(self, path: Iterable[str]) -> str:
        """The stops of a route by name, without plain track."""
        return " – ".join(self.place(hex_of(place)) for place in path if "." in place)

    def train(self, card: str) -> str:
        """The display name of a train: its face, or just "train" for a card in the stack."""
        return next((f"{train.face}-train" for train in self.trains() if train.card == card), "train")

    def trains(self) -> Iterator[Train]:
        """All train cards outside the stacks."""
        for held in self.state.trains.values():
            yield from held

    def push(self, *tasks: Task) -> None:
        """Put tasks on the agenda; the last one is done first."""
        self.state.agenda = (*self.state.agenda, *tasks)

    def push_in_order(self, tasks: tuple[Task, ...]) -> None:
        """Put tasks on the agenda; the first one is done first."""
        self.state.agenda += tasks[::-1]

    def pop(self) -> Task:
        agenda = self.state.agenda
        self.state.agenda = agenda[:-1]
        return agenda[-1]

    def replace(self, task: Task) -> None:
        self.state.agenda = (*self.state.agenda[:-1], task)

    # Worth

    def wealth(self, player: str) -> int:
        """What a player is worth; titles add shares and papers to the cash."""
        return self.state.cash[player]

    def standings(self) -> dict[str, int]:
        """What every player is worth, the richest first."""
        worth = {player: self.wealth(player) for player in self.state.players}
        return dict(sorted(worth.items(), key=lambda row: -row[1]))

    def winners(self) -> list[str]:
        """The players with the greatest wealth; a title may decide otherwise."""
        worth = self.standings()
        return [player for player, amount in worth.items() if amount == max(worth.values())]
