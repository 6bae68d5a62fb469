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
            self._between_sets(table, task.box + 1)
        else:
            number = task.box - _last_stock_round(boxes, task.box)
            _open(table, f"OR {stock_rounds}.{number}")
            self.begin_operating(table, int(box))

    def begin_operating(self, table: CzTable, local_price: int) -> None:
        begin_operating_round(table, local_price)

    def _between_sets(self, table: CzTable, box: int) -> None:
        """Trains that have to be returned after an export are the first thing in the Stock Round that follows."""
        depth = len(table.state.agenda)
        self.end_set(table)
        returns = table.state.agenda[depth:]
        table.state.agenda = table.state.agenda[:depth]
        self.proceed(table, Timetable(box))
        table.push(*returns)

    def end_set(self, table: CzTable) -> None:
        """What happens after every set of Operating Rounds but the last (V/4)."""
        export(table)


def _last_stock_round(boxes: tuple[str | int, ...], before: int) -> int:
    return max(index for index in range(before) if boxes[index] == "SR")


def _open(table: CzTable, name: str) -> None:
    table.state.round = name
    table.note(RoundBegan(name))


def present_box(table: CzTable) -> int:
    """The number of the box in which the turn marker is: -1 before the first, one past the last at the end."""
    task = next((task for task in table.state.agenda if isinstance(task, Timetable)), None)
    return len(table.title.boxes) if task is None else task.box - 1


def sets_of(boxes: tuple[str | int, ...]) -> list[range]:
    """Stock Round, Operating Rounds and what follows them: the numbers of their boxes."""
    starts = [at for at, kind in enumerate(boxes) if kind == "SR"]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(boxes)], strict=True)]
