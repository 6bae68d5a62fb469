"""Running trains (3.2)."""

from __future__ import annotations

from typing import Final, get_args

from ostbahn.eighteen.running import Running, RunRules
from ostbahn.kernel.routes.network import TrainKind
from ostbahn.kernel.routes.paths import Fault
from ostbahn.kernel.state import Train
from ostbahn_wee.state import WeeTable


class WeeRunning(Running[WeeTable]):
    def companies(self, table: WeeTable) -> list[str]:
        return [company for stack in table.state.chart for company in stack]

    def kind(self, table: WeeTable, train: Train, cars: tuple[str, ...]) -> TrainKind:
        stops = table.title.trains[train.face].stops
        return TrainKind(stops, stops)


RUNNING: Final = WeeRunning(RunRules(dict.fromkeys(get_args(Fault), "3.2"), *["3.2"] * 5))
