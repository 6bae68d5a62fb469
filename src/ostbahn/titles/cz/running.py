"""Operating trains and what they earn (18CZ VIII.7, VIII.8)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ostbahn.eighteen.running import CACHED_STOPS, Running, RunRules, RunStep, StopContext
from ostbahn.kernel.native import native
from ostbahn.kernel.routes.network import RunningTrain, TrainKind
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.state import CzTable, UseIncome
from ostbahn.titles.cz.stock import fall_without_dividend
from ostbahn.titles.cz.title import CzTitle

TOWNS_ON_SITE: Final = 3
"""Most towns that an E-train counts by the site's reading."""

RULES: Final = RunRules(
    faults={
        "no place": "VIII.7/2",
        "no track": "VIII.7/2",
        "side twice": "VIII.7/15",
        "ends": "VIII.7/2",
        "place twice": "VIII.7/9",
        "location twice": "VIII.7/11",
        "no station": "VIII.7/3",
        "red": "VIII.7/13",
        "closed": "VIII.6/2",
    },
    two_stops="VIII.7/2",
    trains="VIII.7/1",
    shared_track="VIII.7/17",
    most="VIII.8/6",
    revenue="VIII.8/2",
)


def runnable(table: CzTable, company: str) -> list[Train]:
    """Return the trains of a company's own size, the only ones it may run (IV.2.b/2, IV.2.c/2, IV.2.d/2)."""
    size = table.size(company)
    return [train for train in table.state.trains.get(company, ()) if table.title.train_faces[train.face].size == size]


class CzRunning(Running[CzTable]):
    """The route rules of 18CZ: routes of a company share no track (VIII.7/17, VIII.7/18)."""

    def companies(self, table: CzTable) -> list[str]:
        return list(table.state.floated)

    def fleets(self, table: CzTable, company: str) -> list[list[Train]]:
        return [runnable(table, company), *([guest] for guest in table.guests(company))]

    def kind(self, table: CzTable, train: Train, cars: tuple[str, ...]) -> TrainKind:
        """Return a train's reach, by the ruling on E-trains."""
        return _cached_kind(table.title, train.face, table.ruled("e_train_stops"))

    def extra_value(self, title: CzTitle, place: StopContext) -> int:
        """Return the bonus of a red tile for its home company (VIII.8); one for all is in `bonus` instead."""
        if isinstance(place.node.value, int) or title.bonus_everywhere or place.tile is None:
            return 0
        return title.home_bonus if title.tiles[place.tile].company == place.company else 0

    def bonus_value(self, title: CzTitle, place: StopContext) -> int:
        return title.home_bonus if place.node.kind == "red" and title.bonus_everywhere else 0

    def length_rule(self, table: CzTable, train: RunningTrain) -> str:
        spec = table.title.train_faces[train.face]
        if spec.skips_towns:
            return "VIII.7/7"
        return "VIII.7/4" if spec.cities == spec.stops else "VIII.7/6"

    def no_train_rule(self, table: CzTable, company: str) -> str:
        return table.title.trains_rules[table.size(company)]


@lru_cache(maxsize=CACHED_STOPS)
def _cached_kind(title: CzTitle, face: str, ruling: str) -> TrainKind:
    """Return the train kind, cached because every run needs it."""
    spec = title.train_faces[face]
    if spec.skips_towns and ruling == "the best stops, at most three towns":
        return TrainKind(None, spec.stops, skips_towns=True, towns=TOWNS_ON_SITE, bonuses=spec.bonuses)
    return TrainKind(spec.cities, spec.stops, spec.skips_towns, bonuses=spec.bonuses)


RUNNING: Final = CzRunning(RULES)
stop_at, as_train, network = RUNNING.stop_at, RUNNING.as_train, RUNNING.network
best, best_of, rides_of = RUNNING.best, RUNNING.best_of, RUNNING.routes


@native(allow_interpreted_subclasses=True)
class RunTrainsStep(RunStep[CzTable]):
    """Run trains; running for the highest revenue is mandatory (VIII.3/3, VIII.8/6)."""

    def __init__(self) -> None:
        super().__init__(RUNNING)

    def earn(self, table: CzTable, company: str, revenue: int, subsidy: int) -> None:
        """Ask what to do with the revenue; without any, the price falls at once (IX.2/3)."""
        if revenue:
            table.push(UseIncome(company, revenue))
        else:
            fall_without_dividend(table, company)
