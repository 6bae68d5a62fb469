"""The base of companies' turns: who decides for a company, and in which step it is."""

from __future__ import annotations

from typing import Any, TypeVar

from ostbahn.eighteen.state import CompanyTask
from ostbahn.kernel.money import director
from ostbahn.kernel.native import native
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table

TableT = TypeVar("TableT", bound=Table)


@native(allow_interpreted_subclasses=True)
class CompanyDecision(Decision[TableT, Any]):
    """Something that a company's Director decides."""

    def decider(self, table: TableT, task: CompanyTask) -> str:
        holder = director(table, task.company)
        if holder is None:
            raise KeyError(f"{task.company} has no Director")
        return holder

    def company(self, table: TableT, task: CompanyTask) -> str | None:
        return task.company


@native(allow_interpreted_subclasses=True)
class Asking(CompanyDecision[TableT]):
    """A step of a company's turn, described by what is asked and the rule that says when."""

    def __init__(self, asks_for: str, order_rule: str, *steps: Any) -> None:
        super().__init__(*steps)
        self.asks_for = asks_for
        self.order_rule = order_rule
