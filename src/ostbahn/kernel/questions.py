"""Questions: what the engine asks, who decides, and what may be answered."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from ostbahn.kernel.actions import Action, action_of
from ostbahn.kernel.actions import Option as Option
from ostbahn.kernel.actions import Span as Span
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.native import class_attribute
from ostbahn.kernel.state import Task
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table

__all__ = ["Option", "Question", "Span"]

A = TypeVar("A", bound=Action)


class Question:
    """A lazy, set-like view of the legal answers: iterate it, count it, ask `action in question`."""

    def __init__(self, task: Task, table: Table, decision: Decision[Any, Any]) -> None:
        self.task = task
        self.decider = decision.decider(table, task)
        self.company = decision.company(table, task)
        self._table = table
        self._decision = decision
        self._options: tuple[Option, ...] | None = None

    def refusal(self, answer: Action | Option) -> Refusal | None:
        """Why an answer would be refused; None if it is allowed."""
        action = action_of(answer)
        decision = self._decision
        step = decision.step_for(action)
        if step is None:
            kind = str(type(action).__struct_config__.tag).replace("_", " ")
            text = f"now is the time to {class_attribute(decision, 'asks_for')}, not to {kind}"
            return self._table.refuse(decision.rule_for(self.task), text)
        return step.refusal(self._table, self.task, action)

    def __repr__(self) -> str:
        company = f" for {self.company}" if self.company else ""
        return f"<Question {self.kind}: {self.decider} decides{company}>"

    @property
    def kind(self) -> str:
        return str(self.task.__struct_config__.tag)

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            options: list[Option] = []
            for step in self._decision.steps:
                options += step.answers(self._table, self.task)
            self._options = tuple(options)
        return self._options

    def offers(self, kind: str) -> bool:
        """Whether an answer with this tag is legal; computes no answers of other kinds."""
        steps = [step for step in self._decision.steps if class_attribute(step, "action").__struct_config__.tag == kind]
        return any(next(step.answers(self._table, self.task), None) is not None for step in steps)

    @property
    def obvious(self) -> bool:
        """Whether there is only one legal answer."""
        spans = [option.span for option in self.options]
        return len(spans) == 1 and (spans[0] is None or spans[0].low == spans[0].high)

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)

    def __bool__(self) -> bool:
        """A question is true, whatever its number of answers."""
        return True

    def __contains__(self, answer: object) -> bool:
        return isinstance(answer, Action | Option) and self.refusal(answer) is None

    def actions(self, kind: type[A]) -> list[A]:
        """The answers of one kind; those with a free price at the lowest."""
        return [option.action for option in self.options if isinstance(option.action, kind)]

    def only(self, kind: type[Action] = Action, **fields: object) -> list[Option]:
        """The options of one kind, or with certain values: `only(LayTile, hex="D4")`."""
        self._check_fields(kind, fields)
        options = [option for option in self.options if isinstance(option.action, kind)]
        for field, value in fields.items():
            options = [option for option in options if getattr(option.action, field, None) == value]
        return options

    def _check_fields(self, kind: type[Action], fields: Collection[str]) -> None:
        """Reject fields that no answer of this kind has, even if no answer is legal now."""
        given: object = kind
        if not (isinstance(given, type) and issubclass(given, Action)):
            raise TypeError(f"{kind!r} is not a kind of action: give a class such as Pass, and fields by their names")
        if not fields:
            return
        kinds = [kind, *(class_attribute(step, "action") for step in self._decision.steps)]
        known = {field for answer in kinds if issubclass(answer, kind) for field in answer.__struct_fields__}
        if unknown := [field for field in fields if field not in known]:
            raise TypeError(
                f"no answer to this question ({self.kind}) has a field {unknown[0]};"
                f" there are {', '.join(sorted(known)) or 'none'}"
            )
