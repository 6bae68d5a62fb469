"""Game play: the process track and what its boxes begin (18CZ V)."""

from __future__ import annotations

from ostbahn.kernel.records import RoundBegan
from ostbahn.kernel.steps import Routine
from ostbahn.titles.cz.operating import begin_operating_round
from ostbahn.titles.cz.phases import export
from ostbahn.titles.cz.reckoning import reckon
from ostbahn.titles.cz.state import CzTable, StockRound, Timetable


class NextBox(Routine[CzTable, Timetable]):
    """Move the turn marker to the next box and begin what it shows (V/1, V/2)."""

    def proceed(self, table: CzTable, task: Timetable) -> None:
        boxes = table.title.boxes
        if task.box == len(boxes):
            table.pop()
            reckon(table)
            return
        box = boxes[task.box]
        table.replace(Timetable(task.box + 1))
        stock_rounds = boxes[: task.box + 1].count("SR")
        if box == "SR":
            _open(table, f"SR {stock_rounds}")
            table.push(StockRound(first=stock_rounds == 1, player=table.state.order[0]))
        elif box == "export":
            export(table)
        else:
            number = task.box - _last_stock_round(boxes, task.box)
            _open(table, f"OR {stock_rounds}.{number}")
            begin_operating_round(table, int(box))


def _last_stock_round(boxes: tuple[str | int, ...], before: int) -> int:
    return max(index for index in range(before) if boxes[index] == "SR")


def _open(table: CzTable, name: str) -> None:
    table.state.round = name
    table.note(RoundBegan(name))
