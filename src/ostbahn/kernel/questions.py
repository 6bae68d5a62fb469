"""Questions: what the engine asks, who decides, and what may be answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ostbahn.kernel.actions import Action
from ostbahn.kernel.agenda import Task
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.native import said
from ostbahn.kernel.options import Option as Option
from ostbahn.kernel.options import Span as Span
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table


class Question:
    """A lazy, set-like view of the legal answers: iterate it, count it, ask `action in question`."""

    def __init__(self, task: Task, table: Table, decision: Decision[Any, Any]) -> None:
        self.task = task
        self.decider = decision.decider(table, task)
        """The seat that answers."""
        self.company = decision.company(table, task)
        """For which company, if for one."""
        self._table = table
        self._decision = decision
        self._options: tuple[Option, ...] | None = None

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action would be refused; None if it is allowed."""
        decision = self._decision
        step = decision.step_for(action)
        if step is None:
            what = str(type(action).__struct_config__.tag).replace("_", " ")
            now = f"now is the time to {said(decision, 'asks_for')}, not to {what}"
            return self._table.refuse(decision.rule_for(self.task), now)
        return step.refusal(self._table, self.task, action)

    @property
    def kind(self) -> str:
        return str(self.task.__struct_config__.tag)

    @property
    def options(self) -> tuple[Option, ...]:
        """All of them, listed once."""
        if self._options is None:
            found: list[Option] = []
            for step in self._decision.steps:
                found += step.answers(self._table, self.task)
            self._options = tuple(found)
        return self._options

    @property
    def obvious(self) -> bool:
        """Whether there is only one thing to answer."""
        if len(self.options) != 1:
            return False
        span = self.options[0].span
        return span is None or span.low == span.high

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)

    def __bool__(self) -> bool:
        """A question is there even before its answers are listed."""
        return True

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def only(self, kind: type[Action] = Action, **fields: object) -> list[Option]:
        """The options of one kind, or with certain values: `only(LayTile, hex="D4")`."""
        found = [option for option in self.options if isinstance(option.action, kind)]
        for field, value in fields.items():
            found = [option for option in found if getattr(option.action, field, None) == value]
        return found
