"""A game: the public interface to title, state, questions, actions and records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from msgspec.structs import replace

from ostbahn.kernel.actions import Action, Option, action_of, checked_types
from ostbahn.kernel.errors import GameOver, OstbahnError, Refusal, Refused
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Record
from ostbahn.kernel.state import Setup as Setup
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.steps import Decision, Routine
from ostbahn.kernel.table import Table

__all__ = ["CopyingHistorySource", "Game", "History", "HistorySource", "Result", "Rulebook", "Setup"]


class Rulebook(Protocol):
    """What the engine needs of a title: the first state, a table, and a handler for each kind of task."""

    @property
    def handlers(self) -> Lookup[type[Task], Decision[Any, Any] | Routine[Any, Any]]: ...
    def initial_state(self, setup: Setup) -> State: ...
    def table(self, setup: Setup, state: State) -> Table: ...
    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal: ...


class History(NamedTuple):
    """A game without its rules: plain data, from which another process can continue."""

    setup: Setup
    opening: tuple[Event, ...]
    states: tuple[State, ...]
    records: tuple[Record, ...]


class Result(NamedTuple):
    """How a game ended."""

    winners: tuple[str, ...]
    worth: dict[str, int]
    """What each player is worth, the richest first."""


class HistorySource(Protocol):
    """Loads the records and earlier states of a restored game on demand."""

    def records(self) -> Sequence[Record]: ...
    def state(self, number: int) -> State:
        """The state after this number of answers."""


NOT_LOADED: Final = cast(Any, None)
"""Placeholder for a state or record that its source has not loaded yet."""


class Game:
    """A game being played. It keeps earlier states, so undo never replays anything."""

    def __init__(self, rulebook: Rulebook, setup: Setup, states: list[State] | None = None) -> None:
        """Start a new game; with `states`, one played so far, whose records the caller adds."""
        self.rulebook = rulebook
        self._handlers = rulebook.handlers
        self.setup = setup
        self.opening: tuple[Event, ...] = ()
        """What happened before the first answer."""
        self._states: list[State] = [] if states is None else states
        self._records: list[Record] = []
        self._undone: list[tuple[State, Record]] = []
        self._question: Question | None = None
        self._source: HistorySource | None = None
        if states is None:
            self._start(rulebook.initial_state(setup))

    @classmethod
    def from_state(cls, rulebook: Rulebook, setup: Setup, state: State) -> Game:
        """Start a game at any state: a snapshot, a study, a problem to solve."""
        game = cls(rulebook, setup, [])
        game._start(replace(state))
        return game

    @classmethod
    def from_history(cls, rulebook: Rulebook, history: History) -> Game:
        """Build a game from its history under the same rules, without replaying it."""
        game = cls(rulebook, history.setup, list(history.states))
        game.opening, game._records = history.opening, list(history.records)
        return game

    @classmethod
    def restored(cls, first: Game, state: State, number: int, source: HistorySource) -> Game:
        """Restore a game after `number` answers; `source` loads earlier states on demand."""
        states = [*first._states, *[NOT_LOADED] * (number - 1), state] if number else [state]
        game = cls(first.rulebook, first.setup, states)
        game.opening, game._records, game._source = first.opening, [NOT_LOADED] * number, source
        return game

    def _start(self, state: State) -> None:
        table = self.rulebook.table(self.setup, state)
        self._run_routines(table)
        self.opening = tuple(table.events)
        self._states.append(table.state)

    # What it is now

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def records(self) -> tuple[Record, ...]:
        self._load_records()
        return tuple(self._records)

    @property
    def history(self) -> History:
        return History(self.setup, self.opening, tuple(map(self.state_at, range(len(self._states)))), self.records)

    def __len__(self) -> int:
        return len(self._records)

    def state_at(self, number: int) -> State:
        self._check_number(number)
        state = self._states[number]
        if state is NOT_LOADED and self._source is not None:
            state = self._states[number] = self._source.state(number)
        return state

    @property
    def loaded_state_count(self) -> int:
        """How many states are in memory; the history source loads the others on demand."""
        return sum(state is not NOT_LOADED for state in self._states)

    @property
    def over(self) -> bool:
        return not self.state.agenda

    @property
    def table(self) -> Table:
        """A table to look at; changes to it do not affect the game."""
        return self.rulebook.table(self.setup, replace(self.state))

    @property
    def question(self) -> Question | None:
        """The question to answer now; None when the game is over."""
        if self._question is None and not self.over:
            self._question = self._ask()
        return self._question

    def ask(self) -> Question:
        """The question to answer now; raises GameOver when the game is over."""
        if (question := self.question) is None:
            raise GameOver
        return question

    def worth(self) -> dict[str, int]:
        """What each player is worth now, the richest first."""
        return self.table.standings()

    @property
    def result(self) -> Result | None:
        """Winners and worth; None while the game goes on."""
        return Result(tuple(self.table.winners()), self.worth()) if self.over else None

    def __repr__(self) -> str:
        setup, question = self.setup, self.question
        to_move = "over" if question is None else f"{question.decider} to move: {question.kind}"
        return f"<Game {setup.title} {setup.variant}, {len(setup.players)} players, {len(self)} answers, {to_move}>"

    def table_after(self, action: Action) -> Table:
        """The table right after an answer, before routines run. Does not check whether the answer is legal."""
        table = self.table
        self._perform(table, action)
        return table

    # Playing

    def refusal(self, answer: Action | Option, by: str | None = None) -> Refusal | None:
        """Why an answer would be refused now; None if it is allowed."""
        action = action_of(answer)
        question = self.question
        if question is None:
            return GameOver().refusal
        if by is not None and by != question.decider:
            return self.rulebook.turn_refusal(self.table, question, by)
        return question.refusal(action)

    def apply(self, answer: Action | Option, by: str | None = None) -> Record:
        """Check an answer (an option or its action), then perform it. A refused answer changes nothing."""
        action = checked_types(action_of(answer))
        question = self.ask()
        refusal = self.refusal(action, by)
        if refusal is not None:
            raise Refused(refusal)
        return self.apply_unchecked(action, question.decider)

    def apply_unchecked(self, action: Action, by: str) -> Record:
        """Perform an answer without checking it: for replays of answers that were checked when they were given."""
        table = self.table
        self._perform(table, action)
        self._run_routines(table)
        record = Record(by, action, tuple(table.events))
        self._states.append(table.state)
        self._records.append(record)
        self._undone.clear()
        self._question = None
        return record

    # Going back and forth

    def undo(self) -> Record:
        if not self._records:
            raise Refused(Refusal("", "there is nothing to take back"))
        self._load_records()
        record = self._records.pop()
        self._undone.append((self._states.pop(), record))
        self._question = None
        self.state_at(len(self))
        return record

    def redo(self) -> Record:
        if not self._undone:
            raise Refused(Refusal("", "nothing has been taken back"))
        state, record = self._undone.pop()
        self._states.append(state)
        self._records.append(record)
        self._question = None
        return record

    def position(self, number: int) -> Game:
        """A branch of the game as it was after this number of answers."""
        self._check_number(number)
        branch = self.branch()
        if number < len(self):
            branch._undone = []  # undone answers followed the last state
        del branch._states[number + 1 :], branch._records[number:]
        branch._question = None
        branch.state_at(number)
        return branch

    def with_setup(self, setup: Setup) -> Game:
        """The same game with another set-up, in which players have other names."""
        twin = self.branch()
        twin.setup, twin._undone, twin._question = setup, [], None
        return twin

    def copy(self) -> Game:
        """An independent copy with states of its own, which callers may modify."""
        source = self.branch()
        if isinstance(past := source._source, CopyingHistorySource):  # a copy of a copy reads from the original
            source._states = [past.game._states[n] if s is NOT_LOADED else s for n, s in enumerate(source._states)]
            source._source = past.game._source
        twin = source.branch()
        twin.setup, twin._question, twin._source = self.setup.deep_copy(), None, CopyingHistorySource(source)
        twin._states = [NOT_LOADED] * len(source._states)
        twin._undone = [(state.deep_copy(), record) for state, record in self._undone]
        twin.state_at(len(self))
        return twin

    def branch(self) -> Game:
        """A cheap copy that shares states with this game, so callers must not modify them; else use `copy`."""
        twin = Game(self.rulebook, self.setup, self._states.copy())
        twin.opening, twin._records, twin._undone = self.opening, self._records.copy(), self._undone.copy()
        twin._question, twin._source = self._question, self._source
        return twin

    def drop_history(self) -> None:
        """Free the memory of all earlier states and records; undo is then no longer possible."""
        del self._states[:-1]
        self._records.clear()
        self._undone.clear()
        self._source = None

    def actions(self) -> Iterator[tuple[str, Action]]:
        return ((record.by, record.action) for record in self.records)

    # Internals

    def _check_number(self, number: int) -> None:
        if not 0 <= number <= len(self):
            raise Refused(Refusal("", f"there is no state {number}: the states of this game go from 0 to {len(self)}"))

    def _load_records(self) -> None:
        """Load the records that the history source has not loaded yet."""
        if self._source is not None and self._records and self._records[0] is NOT_LOADED:
            missing = sum(record is NOT_LOADED for record in self._records)
            self._records[:missing] = self._source.records()[:missing]

    def _ask(self) -> Question:
        table = self.rulebook.table(self.setup, self.state)  # no copy: questions only read
        task = table.state.agenda[-1]
        return Question(task, table, self._decision(task))

    def _decision(self, task: Task) -> Decision[Any, Any]:
        handler = self._handlers[type(task)]
        if not isinstance(handler, Decision):
            raise OstbahnError(f"{task} is no question")
        return handler

    def _perform(self, table: Table, action: Action) -> None:
        task = table.state.agenda[-1]
        step = self._decision(task).step_for(action)
        if step is None:
            raise OstbahnError(f"{action} does not answer {task}")
        step.perform(table, task, action)

    def _run_routines(self, table: Table) -> None:
        """Run tasks until one needs a decision or the agenda is empty."""
        agenda = table.state.agenda
        while agenda:
            task = agenda[-1]
            handler = self._handlers[type(task)]
            if isinstance(handler, Routine):
                handler.proceed(table, task)
            elif handler.is_settled(table, task):
                table.pop()
            else:
                return
            agenda = table.state.agenda


class CopyingHistorySource:
    """Reads the history of the game that was copied; every state it returns is a deep copy."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """A private branch of the original game."""

    def records(self) -> Sequence[Record]:
        return self.game.records

    def state(self, number: int) -> State:
        return self.game.state_at(number).deep_copy()
