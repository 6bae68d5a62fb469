"""The course of the game: sets of Operating Rounds between Share Rounds (18Mag IV, VI.1, VI.3.9)."""

from __future__ import annotations

from ostbahn.kernel.native import native
from ostbahn.kernel.records import RoundBegan
from ostbahn.kernel.steps import Routine
from ostbahn.titles.mag.operating import begin_operating_round
from ostbahn.titles.mag.reckoning import reckon
from ostbahn.titles.mag.state import MagTable, Rounds, StockRound


@native(allow_interpreted_subclasses=True)
class NextRound(Routine[MagTable, Rounds]):
    """After the last Operating Round of a set, or one in which a phase began, a Share Round follows (VI.3.9/4)."""

    def proceed(self, table: MagTable, task: Rounds) -> None:
        state = table.state
        if task.round and (state.phase_began or task.round == task.length):
            self._end_set(table, task)
            return
        length, last = task.length, task.last
        if not task.round:
            length, last = table.phase.operating_rounds, table.phase.final
        table.replace(Rounds(task.turn, task.round + 1, length, last))
        _open(table, f"OR {task.turn}.{task.round + 1}")
        begin_operating_round(table)

    def _end_set(self, table: MagTable, task: Rounds) -> None:
        if task.last:
            table.pop()
            reckon(table)
            return
        table.state.phase_began = False
        table.replace(Rounds(task.turn + 1, 0, 0))
        _open(table, f"SR {task.turn + 1}")
        table.push(table.stock_turn(StockRound(table.state.priority)))


def _open(table: MagTable, name: str) -> None:
    table.state.round = name
    table.note(RoundBegan(name))
