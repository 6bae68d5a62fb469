"""What can be said of runs without making them: for analysis, and for whoever draws a run."""

from __future__ import annotations

from ostbahn.analysis.runs import Earned, Fleet, Running, Way
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.routes.search import Patience
from ostbahn.titles.cz.actions import TrainRun
from ostbahn.titles.cz.running import best, fleets, follow, kind_of, network
from ostbahn.titles.cz.state import CzTable


class CzRunning(Running):
    def companies(self, table: CzTable) -> list[str]:
        return list(table.state.floated)

    def fleet(self, table: CzTable, company: str) -> Fleet:
        trains = {train.card: train for fleet in fleets(table, company) for train in fleet}

        def way(run: TrainRun) -> Way | Refusal:
            ride = follow(table, company, trains[run.card], run.path)
            if isinstance(ride, Refusal):
                return ride
            return Way(kind_of(table, trains[run.card]), ride.stops, ride.revenue)

        def most(patience: Patience | None) -> Earned:
            found = best(table, company, patience)
            return Earned(found.runs, found.revenue, found.bound)

        return Fleet(
            {card: train.face for card, train in trains.items()},
            way,
            most,
            network=lambda: network(table, company),
            kinds=tuple(tuple(kind_of(table, train) for train in fleet) for fleet in fleets(table, company)),
        )
