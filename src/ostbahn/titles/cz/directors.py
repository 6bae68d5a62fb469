"""Who acts for a company: its Director (18CZ V, VIII.1)."""

from __future__ import annotations

from typing import Any

from ostbahn.kernel.money import director
from ostbahn.kernel.steps import Decision
from ostbahn.titles.cz.state import CompanyTask, CzTable


class CompanyDecision(Decision[CzTable, Any]):
    """Something that a company's Director decides (V/6, VIII.1)."""

    order_rule = "VIII.3/1"

    def decider(self, table: CzTable, task: CompanyTask) -> str:
        holder = director(table, task.company)
        if holder is None:
            raise KeyError(f"{task.company} has no Director")
        return holder

    def company(self, table: CzTable, task: CompanyTask) -> str | None:
        return task.company


class Asking(CompanyDecision):
    """A step of a company's turn, described by what is asked."""

    def __init__(self, asks_for: str, *steps: Any) -> None:
        super().__init__(*steps)
        self.asks_for = asks_for
