"""A game in words at one moment: what may be answered there, what was answered, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Event, Paid, Record
from ostbahn.kernel.state import Task
from ostbahn.text.faces import face_of
from ostbahn.text.naming import Names, Naming
from ostbahn.text.verbs import sentence_case

DONE: Final = "Done"
LEFT_AS_IT_IS: Final = (Pass, Decline)
"""Answers with which nothing is done."""


REPLIES: Final = (Accept, Decline)


class Speech:
    """Tells what may be answered to the question of a game, and the record of what was."""

    def __init__(self, game: Game, after: Game | None = None, names: Names | None = None) -> None:
        """
        after: the game after the answer whose events are told.
        names: what the house calls seats, where that is not what the game calls them.
        """
        face = face_of(game)
        called = {**face.names(), **(names or {})}
        self.words = face.words
        self.naming = Naming(face.table, called, begun(game))
        """For answers, as things are called before they are given."""
        self.later = self.naming if after is None else Naming(after.table, called)
        """For events: places on a tile just laid are called as they lie there."""

    def describe(self, action: Action) -> str:
        """What to do: "buy a share of ABC"."""
        return self.words.describe(action, self.naming)

    def describe_option(self, option: Option) -> str:
        return self.words.describe_option(option, self.naming)

    def label(self, option: Option) -> str:
        """The same on a button: who has done something already and wants no more is done."""
        if isinstance(option.action, Pass) and self.naming.begun:
            return DONE
        return sentence_case(self.describe_option(option))

    def tell(self, event: Event) -> str:
        return self.words.tell(event, self.later)

    def did(self, record: Record) -> str:
        """What was done: "bought a share of ABC for 70 K"."""
        cost = sum(event.amount for event in self.settled(record))
        return self.words.did(record, self.naming, f" for {self.naming.money(cost)}" if cost else "")

    def company(self, record: Record) -> str | None:
        """The company for which somebody answered; whoever is asked about an offer answers for themselves."""
        return None if isinstance(record.action, REPLIES) else self.naming.company

    def told(self, record: Record) -> list[Event]:
        """Events of which the words of an answer tell; what players get for it is told beside them."""
        payer = self.naming.company or record.by
        players = [player for player in self.naming.table.state.players if player != payer]
        paid = [paid for paid in self.settled(record) if paid.source not in players and paid.target not in players]
        named = getattr(self.naming.task, "offer", record.action)
        return [*paid, *(event for event in of_the_answer(record.events) if event.named_by(named))]

    def settled(self, record: Record) -> list[Paid]:
        """What the one who acts, or their company, pays for it; or is paid, if nothing is to pay."""
        who = self.naming.company or record.by
        paid = [event for event in of_the_answer(record.events) if isinstance(event, Paid)]
        spent = [event for event in paid if event.source == who]
        return spent or [event for event in paid if event.target == who]


def of_the_answer(events: tuple[Event, ...]) -> Iterator[Event]:
    """What came of an answer itself, before another turn begins or a lot decides."""
    return takewhile(lambda event: event.ahead != "beyond", events)


def begun(game: Game) -> bool:
    """Whether the one who is asked has already done something in the same step.

    In a turn without a company that is a sale: whoever has bought has ended it.
    """
    if game.over or not len(game):
        return False
    task = game.state.agenda[-1]
    company = getattr(task, "company", None)
    if company is None:
        return bool(getattr(task, "sold", ()))
    records = game.records
    for number in range(len(records) - 1, -1, -1):
        before, record = game.state_at(number).agenda[-1], records[number]
        if getattr(before, "company", None) != company or not _goes_on(before, task):
            return False
        if type(before) is type(task) and not isinstance(record.action, LEFT_AS_IT_IS):
            return True
    return False


def _goes_on(before: Task, task: Task) -> bool:
    """Whether a question belongs to the same step: it is the same, or asked somebody else about an offer made there."""
    return type(before) is type(task) or hasattr(before, "offer")
