"""What a player wants to know beside an answer that there is only with modules of the expansion (18Mag M)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.running import best
from ostbahn.titles.mag.state import MagTable, OperateTrains
from ostbahn.titles.mag.words.supporters import does, with_town


def module_remark(table: MagTable, question: Question, action: Action) -> str:
    match action:
        case mag.DraftSupporter():
            return does(action.supporter)
        case mag.BuyDirectorShare():
            return f"costs {chart.price(table, action.major)} Ft and the share you have; makes you director"
        case mag.TakeFromRothschild():
            return "once in an operating round, at any time of a minor's turn"
        case mag.AddTown():
            return _town(table, question, action)
        case _:
            return ""


def _town(table: MagTable, question: Question, action: mag.AddTown) -> str:
    """What the best run gains by it, where the minor is about to run."""
    task = question.task
    if not isinstance(task, OperateTrains):
        return "in the run of this turn"
    before, after = best(table, task.company, task.cars), best(with_town(table, action.card), task.company, task.cars)
    gain = after.worth - before.worth
    return f"best run: {f'{gain:+} Ft' if gain else 'no more than without it'}"
