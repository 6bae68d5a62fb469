"""Running trains (3.2), and what can be said of runs without making them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ostbahn.analysis.runs import Earned, Fleet, Running, Way
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Revenue
from ostbahn.kernel.routes import optimiser, paths
from ostbahn.kernel.routes.network import RunningTrain, Stop, TrainKind
from ostbahn.kernel.routes.search import Patience
from ostbahn.kernel.steps import Step
from ostbahn_wee.actions import RunTrains, TrainRun
from ostbahn_wee.state import OperateTrains, WeeTable


class Best(NamedTuple):
    runs: tuple[TrainRun, ...]
    revenue: int
    bound: int
    """No run brings more."""


def train_of(table: WeeTable, card: str, face: str) -> RunningTrain:
    stops = table.title.trains[face].stops
    return RunningTrain(card, TrainKind(stops, stops))


def trains_of(table: WeeTable, company: str) -> list[RunningTrain]:
    return [train_of(table, train.card, train.face) for train in table.state.trains.get(company, ())]


def places_of(table: WeeTable, company: str) -> paths.StopAt:
    """Cities and towns as a company sees them."""
    title, board = table.title, table.state.board

    def stop_at(hex_: Hex, node: int) -> Stop:
        city, place = city_id(hex_.id, node), board.face(title.tile_set, hex_).nodes[node]
        value = place.value if isinstance(place.value, int) else place.value[table.phase.colour]
        passable = not title.surveyor.closed(board, hex_, node, company)
        return Stop(city, place.kind == "town", value, company in board.stations.get(city, ()), passable, location=city)

    return stop_at


def best(table: WeeTable, company: str, trains: Sequence[RunningTrain], patience: Patience | None = None) -> Best:
    """What trains can earn together at most."""
    net = paths.network(table.title, table.state.board, company, places_of(table, company))
    run = optimiser.best_run(net, trains, patience)
    runs = tuple(TrainRun(card, paths.path_of(net, route)) for card, route in run.routes)
    return Best(runs, run.revenue, run.bound)


def follow(table: WeeTable, company: str, train: RunningTrain, path: Sequence[str]) -> paths.Walk | Refusal:
    """A train's way over the board, or why it is none."""
    walk = paths.follow(table.title, table.state.board, path, places_of(table, company))
    if isinstance(walk, paths.Broken):
        return table.refuse("3.2", walk.text)
    if len(walk.stops) > train.kind.stops:
        return table.refuse("3.2", f"{len(walk.stops)} places are too many for train {train.id}")
    return walk


def earnings(table: WeeTable, company: str, runs: Sequence[TrainRun]) -> int | Refusal:
    """What all trains together bring, each on track of its own."""
    trains, used, revenue = {train.id: train for train in trains_of(table, company)}, 0, 0
    for run in runs:
        if run.card not in trains:
            return table.refuse("3.2", f"{company} has no train {run.card} that has not run yet")
        walk = follow(table, company, trains.pop(run.card), run.path)
        if isinstance(walk, Refusal):
            return walk
        if used & walk.sides:
            return table.refuse("3.2", f"the routes of {company} share track")
        used, revenue = used | walk.sides, revenue + sum(stop.value for stop in walk.stops)
    return revenue


class Run(Step[WeeTable, OperateTrains, RunTrains]):
    action = RunTrains

    def answers(self, table: WeeTable, task: OperateTrains) -> Iterator[Option]:
        """One best run stands for all that earn as much."""
        yield Option(RunTrains(best(table, task.company, trains_of(table, task.company)).runs))

    def refusal(self, table: WeeTable, task: OperateTrains, action: RunTrains) -> Refusal | None:
        earned = earnings(table, task.company, action.runs)
        if isinstance(earned, Refusal):
            return earned
        most = best(table, task.company, trains_of(table, task.company)).revenue
        return table.refuse("3.2", f"{most} can be earned, not only {earned}") if earned < most else None

    def perform(self, table: WeeTable, task: OperateTrains, action: RunTrains) -> None:
        table.pop()
        revenue = earnings(table, task.company, action.runs)
        assert isinstance(revenue, int), "a run that is refused"
        table.state.revenue = {**table.state.revenue, task.company: revenue}
        table.note(Revenue(task.company, revenue))


class WeeRunning(Running):
    def companies(self, table: WeeTable) -> list[str]:
        return [company for stack in table.state.chart for company in stack]

    def fleet(self, table: WeeTable, company: str) -> Fleet:
        trains = {train.id: train for train in trains_of(table, company)}

        def way(run: TrainRun) -> Way | Refusal:
            walk = follow(table, company, trains[run.card], run.path)
            if isinstance(walk, Refusal):
                return walk
            return Way(trains[run.card].kind, walk.stops, sum(stop.value for stop in walk.stops))

        faces = {train.card: train.face for train in table.state.trains.get(company, ())}
        return Fleet(faces, way, lambda patience: Earned(*best(table, company, list(trains.values()), patience)))
