"""The restricted master problem: the linear programme over the columns known so far, and its dual prices.

Solved by the primal simplex method, warm-started when columns are added. The basis inverse is kept for the tight
constraints only. Nothing is proven here, so floats do: sums, products and quotients are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ostbahn.kernel.routes import parameters


def ordered_sum(amounts: Iterable[float]) -> float:
    """The sum from left to right: from Python 3.12 on, `sum` adds floats in another way."""
    total = 0.0
    for amount in amounts:
        total += amount
    return total


class RestrictedMaster:
    """Maximise the sum of profits of columns, where each uses one or more of the capacity of some constraints."""

    def __init__(self, capacities: Sequence[int]) -> None:
        size, self.parameters = len(capacities), parameters.active
        self.tolerance = self.parameters.tolerance
        self.slack = [most + self.parameters.perturbation * (row + 1) / size for row, most in enumerate(capacities)]
        """Unused capacity of each constraint; zero where it is tight."""
        self.duals = [0.0] * size
        """The dual price of each constraint."""
        self.profits: list[int] = []
        self.columns: list[tuple[int, ...]] = []
        """For each column the constraints that it uses, repeated if it uses several of one."""
        self._basic: list[int] = []
        """The columns in the basis."""
        self._values: list[float] = []
        """Their values."""
        self._tight: list[int] = []
        """The constraints without slack: as many."""
        self._inverse: list[list[float]] = []
        """Of the matrix of basic columns (rows here) and tight constraints (columns here)."""

    def add(self, profit: int, column: tuple[int, ...]) -> None:
        self.profits.append(profit)
        self.columns.append(column)

    @property
    def objective(self) -> float:
        return ordered_sum(self.profits[column] * value for column, value in self.solution())

    def solution(self) -> Iterator[tuple[int, float]]:
        """The columns with positive values, and these."""
        for column, value in zip(self._basic, self._values, strict=True):
            if value > self.tolerance:
                yield column, value

    def solve(self, on_pivot: Callable[[], None]) -> None:
        """Pivot until no column has a positive reduced profit. `on_pivot` may end it by an exception.

        It may stop early for rounding errors: dual prices that are not optimal do no harm.
        """
        candidates: list[int] = []
        for _ in range(self.parameters.max_pivots):
            entering = self._best_of(candidates)
            if entering is None:
                candidates = self._find_candidates()
                entering = self._best_of(candidates)
            lowest = min(self.duals)
            if entering is not None:
                on_pivot()
                if not self._enter_column(entering):
                    return
            elif lowest < -self.tolerance:
                on_pivot()
                if not self._enter_slack(self._tight.index(self.duals.index(lowest))):
                    return
            else:
                return

    def _reduced_profit(self, column: int) -> float:
        duals = self.duals
        reduced = float(self.profits[column])
        for constraint in self.columns[column]:
            reduced -= duals[constraint]
        return reduced

    def _best_of(self, candidates: Sequence[int]) -> int | None:
        best, best_column = self.tolerance, None
        for column in candidates:
            reduced = self._reduced_profit(column)
            if reduced > best:
                best, best_column = reduced, column
        return best_column

    def _find_candidates(self) -> list[int]:
        """Partial pricing: the columns with the highest reduced profits."""
        reduced = [(self._reduced_profit(column), -column) for column in range(len(self.profits))]
        positive = sorted((row for row in reduced if row[0] > self.tolerance), reverse=True)
        return [-number for _, number in positive[: self.parameters.partial_pricing]]

    def _enter_column(self, column: int) -> bool:
        """Raise a column as far as others allow; false if it is unbounded."""
        reduced, uses = self._reduced_profit(column), dict[int, int]()
        for constraint in self.columns[column]:
            uses[constraint] = uses.get(constraint, 0) + 1
        in_basis = [
            (position, uses[constraint]) for position, constraint in enumerate(self._tight) if constraint in uses
        ]
        falling = [ordered_sum([row[position] * times for position, times in in_basis]) for row in self._inverse]
        using = self._slack_changes(falling, self.columns[column])
        row, constraint, amount = self._ratio_test(falling, using)
        if row < 0 and constraint < 0:
            return False
        self._move(falling, using, amount)
        if constraint < 0:
            self._replace_column(row, falling, reduced)
            self._basic[row], self._values[row] = column, amount
        else:
            self._extend_basis(constraint, falling, using[constraint], reduced)
            self._basic.append(column)
            self._values.append(amount)
        return True

    def _enter_slack(self, position: int) -> bool:
        """Raise the slack of a tight constraint as far as others allow; false if it is unbounded."""
        loosened = self._tight[position]
        falling = [row[position] for row in self._inverse]
        using = self._slack_changes(falling, ())
        row, constraint, amount = self._ratio_test(falling, using)
        if row < 0 and constraint < 0:
            return False
        self._move(falling, using, amount)
        self.slack[loosened] = amount
        if constraint < 0:
            self._shrink_basis(row, position)
        else:
            self._replace_constraint(position, constraint)
        return True

    def _slack_changes(self, falling: Sequence[float], entering: Sequence[int]) -> list[float]:
        """What is used of each constraint's slack while the values of basic columns fall; negative if it grows."""
        using = [0.0] * len(self.slack)
        for constraint in entering:
            using[constraint] += 1.0
        for column, speed in zip(self._basic, falling, strict=True):
            if speed:
                for constraint in self.columns[column]:
                    using[constraint] -= speed
        for constraint in self._tight:
            using[constraint] = 0.0
        return using

    def _ratio_test(self, falling: Sequence[float], using: Sequence[float]) -> tuple[int, int, float]:
        """The basic column (by its row) or the constraint that reaches zero first, or -1 for both; and when."""
        row, constraint, amount = -1, -1, -1.0
        for number, speed in enumerate(falling):
            if speed > self.tolerance:
                possible = self._values[number] / speed
                if amount < 0 or possible < amount:
                    row, amount = number, possible
        for number, speed in enumerate(using):
            if speed > self.tolerance:
                possible = self.slack[number] / speed
                if amount < 0 or possible < amount:
                    row, constraint, amount = -1, number, possible
        return row, constraint, amount

    def _move(self, falling: Sequence[float], using: Sequence[float], amount: float) -> None:
        for number, speed in enumerate(falling):
            if speed:
                self._values[number] = max(self._values[number] - speed * amount, 0.0)
        for number, speed in enumerate(using):
            if speed:
                self.slack[number] = max(self.slack[number] - speed * amount, 0.0)

    # Updates of the inverse

    def _raise_duals(self, row: Sequence[float], factor: float) -> None:
        for constraint, amount in zip(self._tight, row, strict=True):
            self.duals[constraint] += factor * amount

    def _replace_column(self, row: int, falling: Sequence[float], reduced: float) -> None:
        pivot = falling[row]
        pivot_row = self._inverse[row] = [number / pivot for number in self._inverse[row]]
        for number, speed in enumerate(falling):
            if speed and number != row:
                self._inverse[number] = _subtract(self._inverse[number], pivot_row, speed)
        self._raise_duals(pivot_row, reduced)

    def _extend_basis(self, constraint: int, falling: Sequence[float], pivot: float, reduced: float) -> None:
        """A column enters, and a constraint becomes tight."""
        coefficients = self._coefficients_of(constraint)
        for number, speed in enumerate(falling):
            factor = speed / pivot
            if factor:
                self._inverse[number] = _subtract(self._inverse[number], coefficients, -factor)
            self._inverse[number].append(-factor)
        self._raise_duals(coefficients, -reduced / pivot)
        self._inverse.append([*(-amount / pivot for amount in coefficients), 1.0 / pivot])
        self._tight.append(constraint)
        self.slack[constraint], self.duals[constraint] = 0.0, reduced / pivot

    def _shrink_basis(self, row: int, position: int) -> None:
        """A column leaves, and a constraint is no longer tight."""
        leaving, constraint = self._inverse[row], self._tight[position]
        pivot = leaving[position]
        self._raise_duals(leaving, -self.duals[constraint] / pivot)
        for number, other in enumerate(self._inverse):
            if number != row:
                if other[position]:
                    other = _subtract(other, leaving, other[position] / pivot)
                    self._inverse[number] = other
                del other[position]
        del self._inverse[row], self._basic[row], self._values[row], self._tight[position]
        self.duals[constraint] = 0.0

    def _replace_constraint(self, position: int, constraint: int) -> None:
        """One constraint becomes tight, another no longer is."""
        coefficients, loosened = self._coefficients_of(constraint), self._tight[position]
        pivot = coefficients[position]
        factors = [amount / pivot for amount in coefficients]
        dual = self.duals[loosened]
        for number, row in enumerate(self._inverse):
            old = row[position]
            if old:
                row = _subtract(row, factors, old)
                row[position] = old / pivot
                self._inverse[number] = row
        self._raise_duals(factors, -dual)
        self.duals[loosened] = 0.0
        self._tight[position] = constraint
        self.slack[constraint], self.duals[constraint] = 0.0, dual / pivot

    def _coefficients_of(self, constraint: int) -> list[float]:
        """The row of a constraint in terms of the basis."""
        coefficients = [0.0] * len(self._tight)
        for column, row in zip(self._basic, self._inverse, strict=True):
            for _ in range(self.columns[column].count(constraint)):
                coefficients = _subtract(coefficients, row, -1.0)
        return coefficients


def _subtract(row: Sequence[float], other: Sequence[float], factor: float) -> list[float]:
    return [number - factor * amount for number, amount in zip(row, other, strict=True)]
