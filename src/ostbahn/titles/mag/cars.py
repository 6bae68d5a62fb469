"""Buying rail cars, each for one run of one train (18Mag VI.3.7)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.steps import ListedStep
from ostbahn.titles.mag.actions import BuyCar, Car
from ostbahn.titles.mag.majors import pay_major_and_bank
from ostbahn.titles.mag.running import CAR_NAMES, best_run_using_all
from ostbahn.titles.mag.state import MagTable, OperateWithCars


def car_price(table: MagTable, task: OperateWithCars) -> int:
    """Price of the next car; each further one costs more (VI.3.7/6)."""
    prices = table.phase.rail_cars
    return prices[min(len(task.cars), len(prices) - 1)]


def can_be_useful(table: MagTable, task: OperateWithCars, car: Car) -> bool:
    """Whether a best run uses a car, alone or with others that the minor can still afford (A26, A30)."""
    minor, cars = task.company, (*task.cars, car)
    others = [other for other in table.title.rail_cars if other not in cars]
    prices, cash = table.phase.rail_cars, table.state.cash[minor]
    for count in range(len(others) + 1 if not table.title.one_rail_car else 1):
        if sum(prices[len(task.cars) : len(cars) + count]) > cash:
            return False
        if any(best_run_using_all(table, minor, (*cars, *added)) is not None for added in combinations(others, count)):
            return True
    return False


class BuyRailCar(ListedStep[MagTable, OperateWithCars, BuyCar]):
    """Buy each kind at most once in an Operating Round, before the run (S.3.1/2, VI.3.7/5)."""

    action = BuyCar

    def candidates(self, table: MagTable, task: OperateWithCars) -> Iterable[BuyCar]:
        return map(BuyCar, table.title.rail_cars)

    def refusal(self, table: MagTable, task: OperateWithCars, action: BuyCar) -> Refusal | None:
        minor, car = task.company, action.car
        seller = table.title.rail_cars.get(car)
        if seller is None:
            return table.refuse(table.title.cars_rule, f"nobody sells a {CAR_NAMES.get(car, car)} in this game")
        if car in task.cars:
            return table.refuse("S.3.1/2", f"minor {minor} has a {CAR_NAMES[car]} already")
        if task.cars and table.title.one_rail_car:
            return table.refuse("X/7", f"{seller.major} sells either the off-board car or the plus car, not both")
        price, cash = car_price(table, task), table.state.cash[minor]
        if action.claim is not None:
            if table.ruled("claimed_car_price") == "checked" and action.claim != price:
                return table.refuse("VI.3.7/6", f"the next rail car costs {price} Ft, not {action.claim} Ft")
            price = action.claim
        if not 0 <= price <= cash:
            return table.refuse(
                "VI.3.7/5", f"the {CAR_NAMES[car]} costs {price} Ft and minor {minor} has only {cash} Ft"
            )
        if table.ruled("unused_rail_car") == "refused" and not can_be_useful(table, task, car):
            return table.refuse("VI.3.7/5", f"a {CAR_NAMES[car]} would not be used on a best run of minor {minor}")
        return None

    def perform(self, table: MagTable, task: OperateWithCars, action: BuyCar) -> None:
        price = car_price(table, task) if action.claim is None else action.claim
        pay_major_and_bank(table, task.company, table.title.rail_cars[action.car], price, CAR_NAMES[action.car], "cars")
        table.replace(OperateWithCars(task.company, (*task.cars, action.car)))
