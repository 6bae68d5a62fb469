"""Payments to majors for services, and dividends of majors (18Mag III.3.3, VI.4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, holdings, pay
from ostbahn.kernel.native import native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Purpose
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.actions import PayDividend
from ostbahn.titles.mag.events import PaidOut
from ostbahn.titles.mag.state import MagTable, PayOut
from ostbahn.titles.mag.stock import move_for_payout
from ostbahn.titles.mag.title import ServiceSpec

SLEEPING_CARS: Final = "sleeping cars from red to red"
"""Reason of the bank's payments to the new major (M.4/9)."""
TERRAIN: Final = "terrain"
"""First word of the reason of a payment for terrain; the place follows."""
SOLD_SERVICES: Final[tuple[Purpose, ...]] = ("track", "stations", "trains", "cars")
"""Purposes of payments by which a major sells a service."""


def service_name(why: str) -> str:
    """The service that a payment was for, without the place."""
    return TERRAIN if why.startswith(TERRAIN) else why


def pay_service(table: MagTable, payer: str, service: str, amount: int, why: str, purpose: Purpose) -> None:
    """Pay for a service of the title's data."""
    pay_major_and_bank(table, payer, table.title.services[service], amount, why, purpose)


def pay_major_and_bank(
    table: MagTable, payer: str, service: ServiceSpec, amount: int, why: str, purpose: Purpose
) -> None:
    """Pay a major its part of a price, and the bank the rest."""
    seller_share = amount * service.part[0] // service.part[1]
    pay(table, payer, service.major, seller_share, why, purpose)
    pay(table, payer, BANK, amount - seller_share, why, purpose)


def pay_out(table: MagTable, major: str, amount: int) -> None:
    """Pay a tenth for every 10%; the bank gets the rest for unsold shares (VI.4.3/3)."""
    table.state.revenue = {**table.state.revenue, major: amount}
    table.note(PaidOut(major, amount))
    bank_part = amount
    for player, percent in holdings(table, major).items():
        dividend = amount * percent // 100
        pay(table, major, player, dividend, f"dividend of {major}", "dividends")
        bank_part -= dividend
    pay(table, major, BANK, bank_part, f"dividend of {major} on shares in the bank", "dividends")
    move_for_payout(table, major, amount)


def pay_out_treasury(table: MagTable, major: str) -> None:
    """Pay everything, as a major without a director does (VI.4.3/5)."""
    pay_out(table, major, table.state.cash[major])


@native(allow_interpreted_subclasses=True)
class PayDividendStep(Step[MagTable, PayOut, PayDividend]):
    """Pay out any multiple of ten up to the treasury, or 0 (VI.4.1/1, VI.4.3/2)."""

    action = PayDividend

    def answers(self, table: MagTable, task: PayOut) -> Iterator[Option]:
        for amount in range(0, table.state.cash[task.company] + 1, table.title.major.payout_step):
            yield Option(PayDividend(amount))

    def refusal(self, table: MagTable, task: PayOut, action: PayDividend) -> Refusal | None:
        step, cash = table.title.major.payout_step, table.state.cash[task.company]
        if action.amount % step or not 0 <= action.amount <= cash:
            return table.refuse(
                "VI.4.3/2",
                f"{task.company} pays out a multiple of {step} Ft from 0 to {cash} Ft, not {action.amount} Ft",
            )
        return None

    def perform(self, table: MagTable, task: PayOut, action: PayDividend) -> None:
        table.pop()
        pay_out(table, task.company, action.amount)
