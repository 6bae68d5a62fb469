"""Whose turn it is in an Operating Round, and who has still to act."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel.money import chart
from ostbahn.pictures.views import AnyTable
from ostbahn.titles.cz import state as cz
from ostbahn.titles.mag import state as mag


class Turns(NamedTuple):
    """Companies in an Operating Round; outside of one there are none."""

    in_turn: str | None = None
    waiting: tuple[str, ...] = ()


def turns_of(table: AnyTable) -> Turns:
    agenda = table.state.agenda
    for place, task in enumerate(agenda):
        match task:
            case cz.OperatingRound():
                waiting = tuple(company for company in task.waiting if company in table.state.certificates)
            case mag.OperatingRound():
                majors = chart.by_price(table) if task.majors is None else task.majors
                waiting = (*task.minors, *majors)
            case _:
                continue
        return Turns(_next_company(agenda[place + 1 :]), waiting)
    return Turns()


def _next_company(tasks: tuple[object, ...]) -> str | None:
    """The lowest task of a turn belongs to the company in turn; on top of it others may be asked."""
    return next((task.company for task in tasks if isinstance(task, (cz.CompanyTask, mag.CompanyTask))), None)


def in_order(companies: list[str], turns: Turns) -> list[str]:
    """The company in turn, those that follow it, and then all others as they are given."""
    first = [company for company in (turns.in_turn or "", *turns.waiting) if company in companies]
    return list(dict.fromkeys([*first, *companies]))


def place_in(turns: Turns, company: str) -> int | None:
    """0 for the company in turn, from 1 on those that wait."""
    if company == turns.in_turn:
        return 0
    return turns.waiting.index(company) + 1 if company in turns.waiting else None
