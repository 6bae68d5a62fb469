"""What an answer costs in 18Mag, as a figure."""

from __future__ import annotations

from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import chart
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import car_price
from ostbahn.titles.mag.state import LayTrack, MagTable, OperateTrains
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.track import extra_cost, terrain_cost


def cost(table: MagTable, question: Question, action: Action) -> int | None:
    """None where nothing is paid, or the price is one's choice."""
    task = question.task
    match action:
        case mag.LayTile() if isinstance(task, LayTrack):
            terrain = 0 if action.token or task.token else terrain_cost(table, action.hex)
            return terrain + extra_cost(table, task) or None
        case mag.PlaceStation():
            return next_price(table, question.company or "")
        case mag.BuyShare():
            return chart.price(table, action.major)
        case mag.BuyTrain():
            return table.title.stacks[action.face].price
        case mag.BuyCar() if isinstance(task, OperateTrains):
            return car_price(table, task)
        case _:
            return None
