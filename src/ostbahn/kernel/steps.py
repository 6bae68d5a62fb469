"""Task handlers: routines, and decisions made of steps (legal answers, refusals, effects)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

from ostbahn.kernel.actions import Action, Option, Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.native import class_attribute, native
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
class ListedStep(Step[TableT, TaskT, ActionT]):
    """A step with few candidates: `answers` lists those that are not refused."""

    @abstractmethod
    def candidates(self, table: TableT, task: TaskT) -> Iterable[ActionT]: ...

    def answers(self, table: TableT, task: TaskT) -> Iterator[Option]:
        for action in self.candidates(table, task):
            if self.refusal(table, task, action) is None:
                yield Option(action)


@native(allow_interpreted_subclasses=True)
class PlainStep(ListedStep[TableT, TaskT, ActionT]):
    """A step with one possible answer that has no fields, such as passing."""

    _only: Option | None = None
    """The option, made once."""

    def candidates(self, table: TableT, task: TaskT) -> Iterable[ActionT]:
        return (class_attribute(self, "action")(),)

    def answers(self, table: TableT, task: TaskT) -> Iterator[Option]:
        if self._only is None:
            self._only = Option(class_attribute(self, "action")())
        if self.refusal(table, task, cast("ActionT", self._only.action)) is None:
            yield self._only

    def refusal(self, table: TableT, task: TaskT, action: ActionT) -> Refusal | None:
        return None


@native(allow_interpreted_subclasses=True)
class PassStep(PlainStep[TableT, TaskT, Pass]):
    """End an optional task by passing."""

    action = Pass

    def perform(self, table: TableT, task: TaskT, action: Pass) -> None:
        table.pop()


@native(allow_interpreted_subclasses=True)
class Routine(ABC, Generic[TableT, TaskT]):
    """Handler of a task that needs no decision."""

    @abstractmethod
    def proceed(self, table: TableT, task: TaskT) -> None:
        """Perform the task, then pop it off the agenda or replace it."""


@native(allow_interpreted_subclasses=True)
class Decision(ABC, Generic[TableT, TaskT]):
    """Handler of a task that a player decides."""

    steps: tuple[Step[TableT, TaskT, Any], ...]
    order_rule: str = ""
    """The rule cited when an answer belongs to another kind of task."""
    asks_for: str
    """What the player decides, in words: "lay track"."""

    def __init__(self, *steps: Step[TableT, TaskT, Any]) -> None:
        self.steps = steps
        self._by_action: dict[type[Action], Step[TableT, TaskT, Any]] = {
            class_attribute(step, "action"): step for step in steps
        }

    def rule_for(self, task: TaskT) -> str:
        return str(class_attribute(self, "order_rule"))

    @abstractmethod
    def decider(self, table: TableT, task: TaskT) -> str: ...

    def company(self, table: TableT, task: TaskT) -> str | None:
        return None

    def is_settled(self, table: TableT, task: TaskT) -> bool:
        """Whether nothing is left to decide; the engine then drops the task without a question."""
        return False

    def step_for(self, action: Action) -> Step[TableT, TaskT, Any] | None:
        return self._by_action.get(type(action))
