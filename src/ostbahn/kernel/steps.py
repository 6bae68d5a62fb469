"""Steps: what may be answered, why not, and what then happens; and the chapters that put them in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

from ostbahn.kernel.actions import Action, Option, Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.native import native, said
from ostbahn.kernel.state import Task
from ostbahn.kernel.table import Table

TableT = TypeVar("TableT", bound=Table)
TaskT = TypeVar("TaskT", bound=Task)
ActionT = TypeVar("ActionT", bound=Action)


@native(allow_interpreted_subclasses=True)
class Step(ABC, Generic[TableT, TaskT, ActionT]):
    """One kind of answer. `answers` lists exactly what `refusal` lets pass; `perform` is called after that."""

    action: type[ActionT]

    @abstractmethod
    def answers(self, table: TableT, task: TaskT) -> Iterator[Option]: ...

    @abstractmethod
    def refusal(self, table: TableT, task: TaskT, action: ActionT) -> Refusal | None: ...

    @abstractmethod
    def perform(self, table: TableT, task: TaskT, action: ActionT) -> None: ...


@native(allow_interpreted_subclasses=True)
class Listed(Step[TableT, TaskT, ActionT]):
    """An answer with few particulars: whatever comes into question is looked at, and listed unless it is refused."""

    @abstractmethod
    def candidates(self, table: TableT, task: TaskT) -> Iterable[ActionT]: ...

    def answers(self, table: TableT, task: TaskT) -> Iterator[Option]:
        for action in self.candidates(table, task):
            if self.refusal(table, task, action) is None:
                yield Option(action)


@native(allow_interpreted_subclasses=True)
class Plain(Listed[TableT, TaskT, ActionT]):
    """An answer without particulars, such as passing: it is allowed or it is not."""

    _only: Option | None = None
    """The answer, as it is always listed."""

    def candidates(self, table: TableT, task: TaskT) -> Iterable[ActionT]:
        return (said(self, "action")(),)

    def answers(self, table: TableT, task: TaskT) -> Iterator[Option]:
        if self._only is None:
            self._only = Option(said(self, "action")())
        if self.refusal(table, task, cast("ActionT", self._only.action)) is None:
            yield self._only

    def refusal(self, table: TableT, task: TaskT, action: ActionT) -> Refusal | None:
        return None


@native(allow_interpreted_subclasses=True)
class Leave(Plain[TableT, TaskT, Pass]):
    """Whatever is optional may be left."""

    action = Pass

    def perform(self, table: TableT, task: TaskT, action: Pass) -> None:
        table.pop()


@native(allow_interpreted_subclasses=True)
class Routine(ABC, Generic[TableT, TaskT]):
    """A task in which nobody has anything to decide."""

    @abstractmethod
    def proceed(self, table: TableT, task: TaskT) -> None:
        """Do it, and take it off the agenda or change it."""


@native(allow_interpreted_subclasses=True)
class Decision(ABC, Generic[TableT, TaskT]):
    """A task in which somebody is asked."""

    steps: tuple[Step[TableT, TaskT, Any], ...]
    order_rule: str = ""
    """The rule that says what may be done at this point, cited when an answer belongs elsewhere."""
    asks_for: str
    """What is being decided, in words: "lay track"."""

    def __init__(self, *steps: Step[TableT, TaskT, Any]) -> None:
        self.steps = steps
        self._by_action: dict[type[Action], Step[TableT, TaskT, Any]] = {said(step, "action"): step for step in steps}

    def rule_for(self, task: TaskT) -> str:
        return str(said(self, "order_rule"))

    @abstractmethod
    def decider(self, table: TableT, task: TaskT) -> str: ...

    def company(self, table: TableT, task: TaskT) -> str | None:
        return None

    def settled(self, table: TableT, task: TaskT) -> bool:
        """Whether there is nothing left to decide; the task is then dropped without asking."""
        return False

    def step_for(self, action: Action) -> Step[TableT, TaskT, Any] | None:
        return self._by_action.get(type(action))
