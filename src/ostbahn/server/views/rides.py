"""The trains of a company and their ways, by title: what a page needs to show a run that a player draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.routes.network import Stop, TrainKind
from ostbahn.pictures.views import AnyTable
from ostbahn.titles.cz import actions as cz_actions
from ostbahn.titles.cz import running as cz
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.mag import actions as mag_actions
from ostbahn.titles.mag import running as mag
from ostbahn.titles.mag.state import MagTable, OperateTrains
from ostbahn.titles.mag.trains import trains_of

AnyRun = cz_actions.TrainRun | mag_actions.TrainRun


class Way(NamedTuple):
    """A train's way, found legal by itself."""

    train: TrainKind
    stops: tuple[Stop, ...]
    revenue: int
    subsidy: int


class Fleet(NamedTuple):
    """The trains that a company can run, and how one of them is followed."""

    faces: dict[str, str]
    """Card to face, in the order of the charter."""
    follow: Callable[[AnyRun], Way | Refusal]
    cars: tuple[str, ...] = ()


def fleet_of(table: AnyTable, company: str) -> Fleet:
    return _cz_fleet(table, company) if isinstance(table, CzTable) else _mag_fleet(table, company)


def _cz_fleet(table: CzTable, company: str) -> Fleet:
    trains = {train.card: train for fleet in cz.fleets(table, company) for train in fleet}

    def follow(run: AnyRun) -> Way | Refusal:
        ride = cz.follow(table, company, trains[run.card], run.path)
        if isinstance(ride, Refusal):
            return ride
        return Way(cz.kind_of(table, trains[run.card]), ride.stops, ride.revenue, 0)

    return Fleet({card: train.face for card, train in trains.items()}, follow)


def _mag_fleet(table: MagTable, minor: str) -> Fleet:
    trains = {train.card: train for train in trains_of(table, minor)}
    task = table.state.agenda[-1] if table.state.agenda else None
    cars = task.cars if isinstance(task, OperateTrains) and task.company == minor else ()

    def follow(run: AnyRun) -> Way | Refusal:
        assert isinstance(run, mag_actions.TrainRun)
        ride = mag.follow(table, minor, trains[run.card], run)
        if isinstance(ride, Refusal):
            return ride
        return Way(mag.kind_of(table, trains[run.card], run.cars), ride.stops, ride.revenue, ride.subsidy)

    return Fleet({card: train.face for card, train in trains.items()}, follow, cars)
