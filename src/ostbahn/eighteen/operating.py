"""The base of turns: who decides in which step, and placing stations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, TypeVar

from ostbahn.eighteen.state import CompanyTask, EndTurn
from ostbahn.eighteen.table import BaseTable
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, director, pay
from ostbahn.kernel.native import Lookup, class_attribute, native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.state import Task
from ostbahn.kernel.steps import Decision, Routine, Step

TableT = TypeVar("TableT", bound=BaseTable)
TaskT = TypeVar("TaskT", bound=Task)
ActionT = TypeVar("ActionT", bound=Action)


@native(allow_interpreted_subclasses=True)
class PlayerDecision(Decision[TableT, Any]):
    """A player's decision; its words and order rule are arguments."""

    def __init__(
        self, asks_for: str, order_rule: str, *steps: Any, by: Callable[[Any, Any], str] | None = None
    ) -> None:
        """by: returns the decider for a table and a task; by default the player named in the task."""
        super().__init__(*steps)
        self.asks_for = asks_for
        self.order_rule = order_rule
        self.by = by

    def decider(self, table: TableT, task: Any) -> str:
        player: str = task.player if self.by is None else self.by(table, task)
        return player

    def company(self, table: TableT, task: Any) -> str | None:
        return getattr(task, "company", None)


@native(allow_interpreted_subclasses=True)
class CompanyDecision(Decision[TableT, Any]):
    def decider(self, table: TableT, task: CompanyTask) -> str:
        holder = director(table, task.company)
        if holder is None:
            raise KeyError(f"{task.company} has no Director")
        return holder

    def company(self, table: TableT, task: CompanyTask) -> str | None:
        return task.company


@native(allow_interpreted_subclasses=True)
class CompanyTurnDecision(CompanyDecision[TableT]):
    """A decision in a company's turn; its words and order rule are arguments."""

    def __init__(self, asks_for: str, order_rule: str, *steps: Any) -> None:
        super().__init__(*steps)
        self.asks_for = asks_for
        self.order_rule = order_rule


@native(allow_interpreted_subclasses=True)
class FinishTurn(Routine[TableT, EndTurn]):
    """End a turn and clear declined offers, so that the next turn may repeat them."""

    def proceed(self, table: TableT, task: EndTurn) -> None:
        table.pop()
        state: Any = table.state
        state.declined = {}


@native(allow_interpreted_subclasses=True)
class BasePlaceStation(Step[TableT, TaskT, ActionT]):
    """Place a station marker in a city, if the treasury can pay for it."""

    cites: ClassVar[Lookup[str, str]]
    """The rules to cite: "markers" if no marker is left, "cost" if the company cannot pay."""

    def answers(self, table: TableT, task: Any) -> Iterator[Option]:
        company = task.company
        if self.markers(table, company) and table.state.cash[company] >= self.price(table, company):
            for city in self.cities(table, company):
                yield Option(class_attribute(self, "action")(city))

    def refusal(self, table: TableT, task: Any, action: Any) -> Refusal | None:
        company, cites = task.company, class_attribute(self, "cites")
        if not self.markers(table, company):
            return table.refuse(cites["markers"], f"{table.name(company)} has no station marker left")
        return self.city_refusal(table, company, action.city) or table.cannot_afford(
            cites["cost"], company, self.price(table, company), "the next station"
        )

    def perform(self, table: TableT, task: Any, action: Any) -> None:
        table.pop()
        self.pay(table, task.company)
        self.put(table, task.company, action.city)

    @abstractmethod
    def markers(self, table: TableT, company: str) -> int:
        """The number of markers that a company has left."""

    @abstractmethod
    def price(self, table: TableT, company: str) -> int:
        """The price of the next marker."""

    @abstractmethod
    def cities(self, table: TableT, company: str) -> Iterable[str]:
        """The cities that take a station of the company."""

    @abstractmethod
    def city_refusal(self, table: TableT, company: str, city: str) -> Refusal | None:
        """Why a city takes no station of the company."""

    @abstractmethod
    def put(self, table: TableT, company: str, city: str) -> None:
        """Place the marker."""

    def pay(self, table: TableT, company: str) -> None:
        pay(table, company, BANK, self.price(table, company), "station", "stations")
