"""The table: a title, a state lying on it, and what is noted while it changes."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.kernel.agenda import Task
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.records import Event
from ostbahn.kernel.state import State
from ostbahn.kernel.title import Title


class Table:
    """Rules read the state through a table and change it there; a table belongs to one action at a time."""

    title: Title
    state: State

    def __init__(self, title: Title, state: State, rulings: Mapping[str, str], players: tuple[str, ...]) -> None:
        self.title = title
        self.state = state
        self.rulings = rulings
        self.players = players
        """What people call the seats p1, p2, …"""
        self.events: list[Event] = []

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

    def push(self, *tasks: Task) -> None:
        """Put tasks on the agenda; the last one is done first."""
        self.state.agenda = (*self.state.agenda, *tasks)

    def pop(self) -> Task:
        """Take the current task off the agenda."""
        *rest, task = self.state.agenda
        self.state.agenda = tuple(rest)
        return task

    def replace(self, task: Task) -> None:
        """Go on with the current task, changed."""
        self.state.agenda = (*self.state.agenda[:-1], task)
