"""What an answer costs in 18Mag, as a figure."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import car_price
from ostbahn.titles.mag.dues import station_due, track_due, train_due
from ostbahn.titles.mag.state import LayTrack, MagTable, OperateTrains


def cost(table: MagTable, question: Question, action: Action) -> int | None:
    """None where nothing is paid, or the price is one's choice."""
    task = question.task
    match action:
        case mag.LayTile() if isinstance(task, LayTrack):
            return track_due(table, task, action).cost or None
        case mag.PlaceStation():
            return station_due(table, question.company or "", action)
        case mag.BuyShare() | mag.BuyDirectorShare():
            return chart.price(table, action.major)
        case mag.BuyTrain():
            return train_due(table, action)
        case mag.BuyCar() if isinstance(task, OperateTrains):
            return car_price(table, task)
        case _:
            return None
