"""What minors pay majors for (18Mag III.3.3, tables 2 to 4)."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import Purpose
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle, Part, ServiceSpec

SLEEPING_CARS: Final = "sleeping cars from red to red"
"""For what the bank pays the new major (M.4/9)."""
TERRAIN: Final = "terrain"
"""With this word begins what is said of a payment for terrain, before the place."""
SOLD: Final[tuple[Purpose, ...]] = ("track", "stations", "trains", "cars")
"""What is paid to a major for one of these, it has sold."""


def service_of(why: str) -> str:
    """What a major sold, whatever the place was: terrain, or as the payment calls it."""
    return TERRAIN if why.startswith(TERRAIN) else why


def pay_service(table: MagTable, payer: str, service: str, amount: int, why: str, purpose: Purpose) -> None:
    """The major that offers a service gets its part of the price, the bank the rest."""
    spec = table.title.services[service]
    pay_parts(table, payer, spec.major, amount, spec.part, why, purpose)


def pay_parts(table: MagTable, payer: str, major: str, amount: int, part: Part, why: str, purpose: Purpose) -> None:
    due = amount * part[0] // part[1]
    pay(table, payer, major, due, why, purpose)
    pay(table, payer, BANK, amount - due, why, purpose)


def rail_cars(title: MagTitle) -> dict[str, ServiceSpec]:
    """The kinds of rail cars that there are, with who sells them."""
    cars = title.rail_cars
    found = {"off_board": cars.off_board, "plus": cars.plus, "mine": cars.mine}
    return {kind: spec for kind, spec in found.items() if spec is not None}
