"""How much a search may cost. Budgets count steps rather than time, so that every machine finds the same run."""

from __future__ import annotations

from ostbahn.kernel.native import native
from ostbahn.kernel.routes import parameters


@native(allow_interpreted_subclasses=True)
class Budget:
    """Unlimited, unless a subclass says otherwise."""

    free_steps: int | None = None
    """Steps that each search takes before it draws on the budget; None for those of the parameters."""

    def take_step(self) -> bool:
        """Take one step; false if none is left, and the search must stop."""
        return True

    def take(self, steps: int) -> bool:
        """Take that many steps if they are left, and else none."""
        return True

    def portion(self, share: float) -> Budget:
        """A budget for a part of the search. What it leaves over stays in the whole."""
        return self


UNLIMITED = Budget()


class StepBudget(Budget):
    """A number of steps."""

    def __init__(self, steps: int, whole: Budget = UNLIMITED, free_steps: int | None = None) -> None:
        self.left = steps
        self.whole = whole
        """The budget of which this is a portion."""
        self.free_steps = free_steps

    def take_step(self) -> bool:
        self.left -= 1
        return self.left >= 0 and self.whole.take_step()

    def take(self, steps: int) -> bool:
        if self.left < steps or not self.whole.take(steps):
            return False
        self.left -= steps
        return True

    def portion(self, share: float) -> StepBudget:
        return StepBudget(int(self.left * share), self, self.free_steps)


class BudgetExceededError(Exception):
    """The search stops here; what it has found so far stays."""


def free_steps_of(budget: Budget) -> int:
    return parameters.active.free_steps if budget.free_steps is None else budget.free_steps
