"""What can be said of runs without making them: for analysis, and for whoever draws a run."""

from __future__ import annotations

from typing import Final

from ostbahn.analysis.runs import Earned, Fleet, Running, Way
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.routes.search import Patience
from ostbahn.titles.mag.actions import TrainRun
from ostbahn.titles.mag.running import best, follow, kind_of, network
from ostbahn.titles.mag.state import MagTable, OperateTrains

RED_TO_RED: Final = "red to red"
"""What a train earns beside its stops that joins two red areas (M.4/8)."""


class MagRunning(Running):
    def companies(self, table: MagTable) -> list[str]:
        return [minor for minor in table.title.minors if table.state.owners.get(minor) in table.state.players]

    def fleet(self, table: MagTable, company: str) -> Fleet:
        trains = {train.card: train for train in table.trains_of(company)}
        task = table.state.agenda[-1] if table.state.agenda else None
        cars = task.cars if isinstance(task, OperateTrains) and task.company == company else ()

        def way(run: TrainRun) -> Way | Refusal:
            ride = follow(table, company, trains[run.card], run)
            if isinstance(ride, Refusal):
                return ride
            kind = kind_of(table, trains[run.card], run.cars)
            bonuses = ((RED_TO_RED, ride.red_to_red),) if ride.red_to_red else ()
            return Way(kind, ride.stops, ride.revenue, ride.subsidy, run.cars, bonuses)

        def most(patience: Patience | None) -> Earned:
            found = best(table, company, cars, patience)
            return Earned(found.runs, found.revenue, found.bound, found.subsidy)

        return Fleet(
            {card: train.face for card, train in trains.items()},
            way,
            most,
            cars,
            network=lambda: network(table, company),
            kinds=() if cars else (tuple(kind_of(table, train, ()) for train in trains.values()),),
        )
