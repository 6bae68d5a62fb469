"""Rail cars: bought for one run of one train (18Mag VI.3.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.actions import BuyCar, Car
from ostbahn.titles.mag.running import best
from ostbahn.titles.mag.services import pay_parts
from ostbahn.titles.mag.state import MagTable, OperateTrains
from ostbahn.titles.mag.title import ServiceSpec

CARS: Final[tuple[Car, ...]] = ("off_board", "plus", "mine")


def service(table: MagTable, car: Car) -> ServiceSpec | None:
    """Who sells a car; nobody if there is none of the kind in this game."""
    offers: dict[str, ServiceSpec | None] = {
        "off_board": table.title.rail_cars.off_board,
        "plus": table.title.rail_cars.plus,
        "mine": table.title.rail_cars.mine,
    }
    return offers.get(car)


def car_price(table: MagTable, task: OperateTrains) -> int:
    """Each further one costs more (VI.3.7/6)."""
    prices = table.phase.rail_cars
    return prices[min(len(task.cars), len(prices) - 1)]


class Buy(Step[MagTable, OperateTrains, BuyCar]):
    """Each kind once for a minor in an Operating Round, paid before the run (S.3.1/2, VI.3.7/5)."""

    action = BuyCar

    def answers(self, table: MagTable, task: OperateTrains) -> Iterator[Option]:
        for car in CARS:
            if self.refusal(table, task, BuyCar(car)) is None:
                yield Option(BuyCar(car))

    def refusal(self, table: MagTable, task: OperateTrains, action: BuyCar) -> Refusal | None:
        minor, car = task.company, action.car
        seller = service(table, car)
        if seller is None:
            return table.refuse("III.3.3/5", f"nobody sells a rail car of the kind {car} in this game")
        if car in task.cars:
            return table.refuse("S.3.1/2", f"minor {minor} has this rail car already")
        if task.cars and table.title.rail_cars.one_of_them:
            return table.refuse("X/7", f"{seller.major} offers either the bonus or the plus-train, not both")
        price, cash = car_price(table, task), table.state.cash[minor]
        if action.claim is not None:
            if table.ruled("claimed_car_price") == "checked" and action.claim != price:
                return table.refuse("VI.3.7/6", f"the next rail car costs {price} Ft, not {action.claim} Ft")
            price = action.claim
        if not 0 <= price <= cash:
            return table.refuse("VI.3.7/5", f"the rail car costs {price} Ft and minor {minor} has only {cash} Ft")
        if table.ruled("unused_rail_car") == "refused":
            with_it, without = best(table, minor, (*task.cars, car)), best(table, minor, task.cars)
            if with_it.worth <= without.worth:
                return table.refuse(
                    "VI.3.7/5", f"this rail car would bring minor {minor} nothing, so it cannot be bought"
                )
        return None

    def perform(self, table: MagTable, task: OperateTrains, action: BuyCar) -> None:
        seller = service(table, action.car)
        assert seller is not None
        price = car_price(table, task) if action.claim is None else action.claim
        pay_parts(table, task.company, seller.major, price, seller.part, f"rail car {action.car}")
        table.replace(OperateTrains(task.company, (*task.cars, action.car)))
