"""Operating Rounds: minors by number, then majors by price (18Mag VI.1, VI.3.1, VI.4.1)."""

from __future__ import annotations

from typing import Any

from ostbahn.kernel import chart
from ostbahn.kernel.money import director
from ostbahn.kernel.native import native
from ostbahn.kernel.records import TurnBegan
from ostbahn.kernel.steps import Decision, Routine
from ostbahn.titles.mag.payouts import pay_everything
from ostbahn.titles.mag.phases import no_train_sold
from ostbahn.titles.mag.state import (
    CompanyTask,
    EndTurn,
    EstablishStation,
    LayTrack,
    MagTable,
    OperateTrains,
    OperatingRound,
    PayOut,
    PlaceMarker,
    PurchaseTrains,
    ScrapTrains,
)


def begin_operating_round(table: MagTable) -> None:
    table.state.sold_train = False
    minors = [minor for minor in table.title.minors if minor in table.state.owners]
    table.push(OperatingRound(tuple(minors)))


class NextCompany(Routine[MagTable, OperatingRound]):
    """The next company begins its turn (VI.1/2, VI.4/1)."""

    def proceed(self, table: MagTable, task: OperatingRound) -> None:
        if task.minors:
            table.replace(OperatingRound(task.minors[1:]))
            self.minor_turn(table, task.minors[0])
        elif task.majors is None:
            if table.ruled("no_train_sold_when") == "after the last minor":
                no_train_sold(table)
            table.replace(OperatingRound((), tuple(chart.by_price(table))))
        elif task.majors:
            table.replace(OperatingRound((), task.majors[1:]))
            self.major_turn(table, task.majors[0])
        else:
            table.pop()
            if table.ruled("no_train_sold_when") == "at the end of the round":
                no_train_sold(table)

    def minor_turn(self, table: MagTable, minor: str) -> None:
        table.note(TurnBegan(minor))
        table.line_up(turn_of(minor))

    def major_turn(self, table: MagTable, major: str) -> None:
        """Without a director a major places no marker and pays out everything (VI.4.2/5, VI.4.3/5)."""
        table.note(TurnBegan(major))
        if director(table, major) is None:
            pay_everything(table, major)
        else:
            table.push(PayOut(major), PlaceMarker(major))


def turn_of(minor: str) -> tuple[CompanyTask, ...]:
    """The steps of a minor's turn in their order (VI.3.1/1)."""
    return (
        LayTrack(minor),
        EstablishStation(minor),
        ScrapTrains(minor),
        OperateTrains(minor),
        PurchaseTrains(minor),
        EndTurn(minor),
    )


@native(allow_interpreted_subclasses=True)
class FinishTurn(Routine[MagTable, EndTurn]):
    """Offers that were declined may be made afresh in the next turn."""

    def proceed(self, table: MagTable, task: EndTurn) -> None:
        table.pop()
        table.state.declined = {}


@native(allow_interpreted_subclasses=True)
class Asking(Decision[MagTable, Any]):
    """What a minor's owner or a major's director decides (IV/2)."""

    def __init__(self, asks_for: str, order_rule: str, *steps: Any) -> None:
        super().__init__(*steps)
        self.asks_for = asks_for
        self.order_rule = order_rule

    def decider(self, table: MagTable, task: CompanyTask) -> str:
        decides = table.state.owners.get(task.company) or director(table, task.company)
        assert decides is not None, f"nobody decides for {task.company}"
        return decides

    def company(self, table: MagTable, task: CompanyTask) -> str | None:
        return task.company
