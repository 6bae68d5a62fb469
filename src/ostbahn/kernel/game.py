"""A game: a thin face over title, state, questions, actions and records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from msgspec.structs import replace

from ostbahn.kernel.actions import Action, Option, action_of, with_types_checked
from ostbahn.kernel.errors import OstbahnError, Refusal, Refused
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Record
from ostbahn.kernel.state import Setup as Setup
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.steps import Decision, Routine
from ostbahn.kernel.table import Table


class Rulebook(Protocol):
    """What a title must offer to be played: the first state, and a chapter for each task."""

    @property
    def chapters(self) -> Lookup[type[Task], Decision[Any, Any] | Routine[Any, Any]]: ...
    def open(self, setup: Setup) -> State: ...
    def table(self, setup: Setup, state: State) -> Table: ...
    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal: ...


class History(NamedTuple):
    """A game without its rules: plain data, which another process can go on with."""

    setup: Setup
    opening: tuple[Event, ...]
    states: tuple[State, ...]
    records: tuple[Record, ...]


class Earlier(Protocol):
    """What led to the state with which a game was taken up again: looked up when somebody asks for it."""

    def records(self) -> Sequence[Record]:
        """All answers until then."""

    def state(self, number: int) -> State:
        """The state after so many of them."""


UNREAD: Final = cast(Any, None)
"""In the place of a state or a record that nobody has asked for yet."""


class Game:
    """A game being played. Earlier states are kept, so undoing never replays anything."""

    def __init__(self, rulebook: Rulebook, setup: Setup, states: list[State] | None = None) -> None:
        """A new game; with states, one that has been played so far, and whoever makes it sees to its records."""
        self.rulebook = rulebook
        self._chapters = rulebook.chapters
        self.setup = setup
        self.opening: tuple[Event, ...] = ()
        """What happened before the first answer."""
        self._states: list[State] = [] if states is None else states
        self._records: list[Record] = []
        self._undone: list[tuple[State, Record]] = []
        self._question: Question | None = None
        self._earlier: Earlier | None = None
        if states is None:
            self._begin(rulebook.open(setup))

    @classmethod
    def resume(cls, rulebook: Rulebook, setup: Setup, state: State) -> Game:
        """A game that begins with a state from elsewhere: a snapshot, a study, a problem to solve."""
        game = cls(rulebook, setup, [])
        game._begin(replace(state))
        return game

    @classmethod
    def retold(cls, rulebook: Rulebook, history: History) -> Game:
        """A game that was played elsewhere under the same rules; nothing is replayed."""
        game = cls(rulebook, history.setup, list(history.states))
        game.opening, game._records = history.opening, list(history.records)
        return game

    @classmethod
    def taken_up(cls, first: Game, state: State, number: int, earlier: Earlier) -> Game:
        """A game that goes on after so many answers; what led there is read when somebody asks for it.

        first: the same game before its first answer.
        """
        states = [*first._states, *[UNREAD] * (number - 1), state] if number else [state]
        game = cls(first.rulebook, first.setup, states)
        game.opening, game._records, game._earlier = first.opening, [UNREAD] * number, earlier
        return game

    def _begin(self, state: State) -> None:
        table = self.rulebook.table(self.setup, state)
        self._settle(table)
        self.opening = tuple(table.events)
        self._states.append(table.state)

    # What it is now

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def records(self) -> tuple[Record, ...]:
        self._read()
        return tuple(self._records)

    @property
    def history(self) -> History:
        return History(self.setup, self.opening, tuple(map(self.state_at, range(len(self._states)))), self.records)

    def __len__(self) -> int:
        return len(self._records)

    def state_at(self, number: int) -> State:
        self._check_number(number)
        state = self._states[number]
        if state is UNREAD and self._earlier is not None:
            state = self._states[number] = self._earlier.state(number)
        return state

    @property
    def at_hand(self) -> int:
        """How many states are in memory; the others are read when somebody asks for them."""
        return sum(state is not UNREAD for state in self._states)

    @property
    def over(self) -> bool:
        return not self.state.agenda

    @property
    def table(self) -> Table:
        """The table to look at; whatever is changed on it does not count."""
        return self.rulebook.table(self.setup, replace(self.state))

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

    def refusal(self, answer: Action | Option, by: str | None = None) -> Refusal | None:
        """Why an answer would be refused now; None if it is allowed."""
        action = action_of(answer)
        question = self.question
        if question is None:
            return Refusal("", "the game is over")
        if by is not None and by != question.decider:
            return self.rulebook.turn_refusal(self.table, question, by)
        return question.refusal(action)

    def apply(self, answer: Action | Option, by: str | None = None) -> Record:
        """Check an answer, an option or its action, then let it happen. A refused one changes nothing."""
        action = with_types_checked(action_of(answer))
        question = self.question
        refusal = self.refusal(action, by)
        if refusal is not None or question is None:
            raise Refused(refusal or Refusal("", "the game is over"))
        return self.repeat(action, question.decider)

    def repeat(self, action: Action, by: str) -> Record:
        """Let an answer happen that was checked when it was given; whoever repeats one sees to it that it was."""
        table = self.table
        self._perform(table, action)
        self._settle(table)
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
        self._read()
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

    def at(self, number: int) -> Game:
        """The game as it was after so many answers, to go on from there on its own; a branch."""
        self._check_number(number)
        earlier = self.branch()
        if number < len(self):
            earlier._undone = []  # what was taken back followed the last state
        del earlier._states[number + 1 :], earlier._records[number:]
        earlier._question = None
        earlier.state_at(number)
        return earlier

    def renamed(self, setup: Setup) -> Game:
        """The same game under a set-up in which players are called otherwise."""
        twin = self.branch()
        twin.setup, twin._undone, twin._question = setup, [], None
        return twin

    def copy(self) -> Game:
        """Another game in the same state, with tables of its own: whatever is done to it does not show in this one."""
        source = self.branch()
        if isinstance(lender := source._earlier, Lender):  # a copy of a copy borrows from the original
            source._states = [lender.game._states[n] if s is UNREAD else s for n, s in enumerate(source._states)]
            source._earlier = lender.game._earlier
        twin = source.branch()
        twin.setup, twin._question, twin._earlier = self.setup.separate(), None, Lender(source)
        twin._states = [UNREAD] * len(source._states)
        twin._undone = [(state.separate(), record) for state, record in self._undone]
        twin.state_at(len(self))
        return twin

    def branch(self) -> Game:
        """Another game that goes on from here, and shares tables with this one: cheap, for whoever only plays on.

        Nobody may write into its tables; `copy` is for those who might.
        """
        twin = Game(self.rulebook, self.setup, self._states.copy())
        twin.opening, twin._records, twin._undone = self.opening, self._records.copy(), self._undone.copy()
        twin._question, twin._earlier = self._question, self._earlier
        return twin

    def forget(self) -> None:
        """Leave everything behind that led here: nothing can be taken back any more, and no memory is held for it."""
        del self._states[:-1]
        self._records.clear()
        self._undone.clear()
        self._earlier = None

    def actions(self) -> Iterator[tuple[str, Action]]:
        return ((record.by, record.action) for record in self.records)

    # The machinery

    def _check_number(self, number: int) -> None:
        if not 0 <= number <= len(self):
            raise Refused(Refusal("", f"there is no state {number}: the states of this game go from 0 to {len(self)}"))

    def _read(self) -> None:
        """The records of before, where nobody has asked for them yet."""
        if self._earlier is not None and self._records and self._records[0] is UNREAD:
            unread = sum(record is UNREAD for record in self._records)
            self._records[:unread] = self._earlier.records()[:unread]

    def _ask(self) -> Question:
        table = self.rulebook.table(self.setup, self.state)  # no copy: whoever asks changes nothing
        task = table.state.agenda[-1]
        return Question(task, table, self._decision(task))

    def _decision(self, task: Task) -> Decision[Any, Any]:
        chapter = self._chapters[type(task)]
        if not isinstance(chapter, Decision):
            raise OstbahnError(f"{task} is no question")
        return chapter

    def _perform(self, table: Table, action: Action) -> None:
        task = table.state.agenda[-1]
        step = self._decision(task).step_for(action)
        if step is None:
            raise OstbahnError(f"{action} does not answer {task}")
        step.perform(table, task, action)

    def _settle(self, table: Table) -> None:
        """Do all that nobody has to be asked about."""
        agenda = table.state.agenda
        while agenda:
            task = agenda[-1]
            chapter = self._chapters[type(task)]
            if isinstance(chapter, Routine):
                chapter.proceed(table, task)
            elif chapter.settled(table, task):
                table.pop()
            else:
                return
            agenda = table.state.agenda


class Lender:
    """The past of a game that was copied: the copy gets tables of its own for every state that it goes back to."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """A branch that nobody else has."""

    def records(self) -> Sequence[Record]:
        return self.game.records

    def state(self, number: int) -> State:
        return self.game.state_at(number).separate()
