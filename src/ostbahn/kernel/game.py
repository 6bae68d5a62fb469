"""A game: a thin face over title, state, questions, actions and records."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from ostbahn.kernel.actions import Action
from ostbahn.kernel.agenda import Task
from ostbahn.kernel.errors import OstbahnError, Refusal, Refused
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Event, Record
from ostbahn.kernel.state import State
from ostbahn.kernel.steps import Decision, Routine
from ostbahn.kernel.table import Table


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be said before the first action."""

    title: str
    variant: str
    players: tuple[str, ...]
    seed: int = 1
    draw_order: bool = True
    """Whether the first playing order is drawn from the seed, or is the one given."""
    rulings: Mapping[str, str] = {}
    """All switches with their values."""
    board: str | None = None
    """The text of a board file, where another board than that of the title is used."""
    deck: str | None = None
    """The text of a file with cards, where others than those of the title are used."""
    options: Mapping[str, str] = {}
    """What else has to be chosen in a variant, with its values."""


class Rulebook(Protocol):
    """What a title must offer to be played: the first state, and a chapter for each task."""

    @property
    def chapters(self) -> Mapping[type[Task], Decision[Any, Any] | Routine[Any, Any]]: ...
    def open(self, setup: Setup) -> State: ...
    def table(self, setup: Setup, state: State) -> Table: ...
    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal: ...


class History(NamedTuple):
    """A game without its rules: plain data, which another process can go on with."""

    setup: Setup
    opening: tuple[Event, ...]
    states: tuple[State, ...]
    records: tuple[Record, ...]


class Game:
    """A game being played. Earlier states are kept, so undoing never replays anything."""

    def __init__(self, rulebook: Rulebook, setup: Setup) -> None:
        self.rulebook = rulebook
        self.setup = setup
        self._states: list[State] = []
        self._records: list[Record] = []
        self._undone: list[tuple[State, Record]] = []
        self._question: Question | None = None
        self._begin(rulebook.open(setup))

    @classmethod
    def resume(cls, rulebook: Rulebook, setup: Setup, state: State) -> Game:
        """A game that begins with a state from elsewhere: a snapshot, a study, a problem to solve."""
        game = cls.__new__(cls)
        game.rulebook, game.setup = rulebook, setup
        game._states, game._records, game._undone, game._question = [], [], [], None
        game._begin(copy.copy(state))
        return game

    @classmethod
    def retold(cls, rulebook: Rulebook, history: History) -> Game:
        """A game that was played elsewhere under the same rules; nothing is replayed."""
        game = cls.__new__(cls)
        game.rulebook, game.setup = rulebook, history.setup
        game._first, game._states, game._records = history.opening, list(history.states), list(history.records)
        game._undone, game._question = [], None
        return game

    def _begin(self, state: State) -> None:
        table = self.rulebook.table(self.setup, state)
        self._settle(table)
        self._first = tuple(table.events)
        self._states.append(table.state)

    # What it is now

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def records(self) -> tuple[Record, ...]:
        """All answers given, with what came of them."""
        return tuple(self._records)

    @property
    def opening(self) -> tuple[Event, ...]:
        """What happened before the first answer."""
        return self._first

    @property
    def history(self) -> History:
        return History(self.setup, self._first, tuple(self._states), tuple(self._records))

    def __len__(self) -> int:
        return len(self._records)

    @property
    def over(self) -> bool:
        return not self.state.agenda

    @property
    def table(self) -> Table:
        """The table to look at; whatever is changed on it does not count."""
        return self.rulebook.table(self.setup, copy.copy(self.state))

    @property
    def question(self) -> Question | None:
        """What is being asked; None when the game is over."""
        if self._question is None and not self.over:
            self._question = self._ask()
        return self._question

    def tried(self, action: Action) -> Table:
        """The table as an answer leaves it, before anything follows from it; whether it is allowed is not asked."""
        table = self.table
        self._perform(table, action)
        return table

    # Playing

    def refusal(self, action: Action, by: str | None = None) -> Refusal | None:
        """Why an action would be refused now; None if it is allowed."""
        question = self.question
        if question is None:
            return Refusal("", "the game is over")
        if by is not None and by != question.decider:
            return self.rulebook.turn_refusal(self.table, question, by)
        return question.refusal(action)

    def apply(self, action: Action, by: str | None = None) -> Record:
        """Check an answer, then let it happen. A refused one changes nothing."""
        question = self.question
        refusal = self.refusal(action, by)
        if refusal is not None or question is None:
            raise Refused(refusal or Refusal("", "the game is over"))
        table = self.table
        self._perform(table, action)
        self._settle(table)
        record = Record(question.decider, action, tuple(table.events))
        self._states.append(table.state)
        self._records.append(record)
        self._undone.clear()
        self._question = None
        return record

    # Going back and forth

    def undo(self) -> Record:
        """Take back the last answer."""
        if not self._records:
            raise Refused(Refusal("", "there is nothing to take back"))
        record = self._records.pop()
        self._undone.append((self._states.pop(), record))
        self._question = None
        return record

    def redo(self) -> Record:
        """Give the answer again that was taken back last."""
        if not self._undone:
            raise Refused(Refusal("", "nothing has been taken back"))
        state, record = self._undone.pop()
        self._states.append(state)
        self._records.append(record)
        self._question = None
        return record

    def at(self, number: int) -> Game:
        """The game as it was after so many answers, to go on from there on its own."""
        if not 0 <= number <= len(self):
            raise Refused(Refusal("", f"there is no state {number}: the states of this game go from 0 to {len(self)}"))
        earlier = self.copy()
        del earlier._states[number + 1 :], earlier._records[number:]
        earlier._question = None
        return earlier

    def copy(self) -> Game:
        """Another game in the same state; what happens in one does not show in the other."""
        twin = copy.copy(self)
        twin._states = self._states.copy()
        twin._records = self._records.copy()
        twin._undone = self._undone.copy()
        return twin

    def forget(self) -> None:
        """Leave everything behind that led here: nothing can be taken back any more, and no memory is held for it."""
        del self._states[:-1]
        self._records.clear()
        self._undone.clear()

    def actions(self) -> Iterator[tuple[str, Action]]:
        """Every answer so far, with who gave it."""
        return ((record.by, record.action) for record in self._records)

    # The machinery

    def _ask(self) -> Question:
        table = self.table
        task = table.state.agenda[-1]
        chapter = self.rulebook.chapters[type(task)]
        if not isinstance(chapter, Decision):
            raise OstbahnError(f"{task} is no question")
        decision = chapter

        def listing() -> Iterator[Option]:
            for step in decision.steps:
                yield from step.answers(table, task)

        def refusal(action: Action) -> Refusal | None:
            step = decision.step_for(action)
            if step is None:
                what = str(type(action).__struct_config__.tag).replace("_", " ")
                return table.refuse(decision.rule_for(task), f"now is the time to {decision.asks_for}, not to {what}")
            return step.refusal(table, task, action)

        return Question(task, decision.decider(table, task), decision.company(table, task), listing, refusal)

    def _perform(self, table: Table, action: Action) -> None:
        task = table.state.agenda[-1]
        chapter = self.rulebook.chapters[type(task)]
        if not isinstance(chapter, Decision):
            raise OstbahnError(f"{task} is no question")
        step = chapter.step_for(action)
        if step is None:
            raise OstbahnError(f"{action} does not answer {task}")
        step.perform(table, task, action)

    def _settle(self, table: Table) -> None:
        """Do all that nobody has to be asked about."""
        chapters = self.rulebook.chapters
        while table.state.agenda:
            task = table.state.agenda[-1]
            chapter = chapters[type(task)]
            if isinstance(chapter, Routine):
                chapter.proceed(table, task)
            elif chapter.settled(table, task):
                table.pop()
            else:
                return
